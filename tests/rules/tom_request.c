/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of rtl/tom/README.md about requests, acknowledgements and the lines that blocks write.
 * Numbers are worked out by hand from the page and the TOM paper.
 */
#include "rule.h"
#include "unit_test.h"

/* ---- Requests -------------------------------------------------------------------------------- */

/* A request to pack: warp 47 for stack 3, live-ins as given, live-outs 0 and 63. */
static void give_request(bed_t *b, uint64_t in) {
  drive_input(b, "go_valid", 1);
  drive_input(b, "go_warp", 47);
  drive_input(b, "go_stack", 3);
  drive_input(b, "go_pc", 0x11112222);
  drive_input(b, "go_exit", 0x33334444);
  drive_input(b, "go_mask", 0x55556666);
  drive_input(b, "go_in", in);
  drive_input(b, "go_out", UINT64_C(0x8000000000000001));
  tick(b);
}

RULE(T20,
     "A request is \"live-in registers, begin/end PCs, and active masks\": a header with them, 32 bytes, in a beat of "
     "its own, then a beat of 32 words for "
     "each live-in register, the lowest first; the last beat is marked. The header has the live-outs, too (ours: a "
     "stack has no table).") {
  static const uint32_t words[] = {47 | 3 << 8, 0x11112222, 0x33334444, 0x55556666,
                                   0x00000020,  0x80000000, 1,          0x80000000};
  bed_t *b = bed("tom_pack", "");
  give_request(b, UINT64_C(0x8000000000000020));
  await(b, "rd_valid", 1, 20);
  see(b, "rd_reg", 5);
  see(b, "rd_warp", 47);
  tick(b);
  see(b, "rd_reg", 63);
  see(b, "out_valid", 1);
  see(b, "out_last", 0);
  for (unsigned i = 0; i < 32; i++) see_at(b, "out_beat", 32, i, i < 8 ? words[i] : 0);
  drive_input_at(b, "rd_data", 32, 31, 0xabcd);
  tick(b);
  see_at(b, "out_beat", 32, 31, 0xabcd);
  see(b, "out_last", 0);
  drive_input_at(b, "rd_data", 32, 0, 0x1234);
  tick(b);
  see_at(b, "out_beat", 32, 0, 0x1234);
  see_at(b, "out_beat", 32, 31, 0);
  see(b, "out_last", 1);
  tick(b);
  see(b, "out_valid", 0);
}

RULE(T21,
     "The first beat goes out `PackCycles` cycles after the decision: \"we assume the pipeline latency of offloading a "
     "task is 10 cycles\".") {
  bed_t *b = bed("tom_pack", "");
  give_request(b, 0);
  for (unsigned t = 1; t < 10; t++) {
    see(b, "out_valid", 0);
    tick(b);
  }
  see(b, "out_valid", 1);
  see(b, "out_last", 1);
}

RULE(T22, "A register's row is read two cycles before it goes out; a beat a cycle, as long as the receiver has places "
          "(ours: `OutCredits`).") {
  bed_t *b = bed("tom_pack", "");
  give_request(b, 0xff);
  await(b, "rd_valid", 1, 20);
  for (unsigned i = 0; i < 3; i++) { /* the header has the first of four places */
    see(b, "rd_valid", 1);
    see(b, "rd_reg", i);
    see(b, "out_valid", i > 0);
    tick(b);
  }
  see(b, "rd_valid", 0);
  see(b, "out_valid", 1);
  tick(b);
  see(b, "out_valid", 1);
  tick(b);
  see(b, "out_valid", 0);
  ticks(b, 20);
  see(b, "rd_valid", 0);
  drive_input(b, "credit", 1);
  tick(b);
  see(b, "rd_valid", 1);
  see(b, "rd_reg", 3);
  ticks(b, 2);
  see(b, "out_valid", 1);
  see(b, "rd_valid", 0);
}

RULE(T23, "A credit too many is flagged and has no other effect.") {
  bed_t *b = bed("tom_pack", "");
  drive_input(b, "credit", 1);
  tick(b);
  see(b, "err", 1);
  see(b, "probe_credits", 4);
}

/* ---- Acknowledgements ------------------------------------------------------------------------ */

/* The beat that stands at the input is taken. */
static void bring_ack(bed_t *b, unsigned last) {
  see(b, "ack_ready", 1);
  drive_input(b, "ack_valid", 1);
  drive_input(b, "ack_last", last);
  tick(b);
}

/* The first beat of an acknowledgement, with these fields. */
static void ack_header(bed_t *b, unsigned warp, unsigned done, uint64_t outs, unsigned last) {
  drive_input_at(b, "ack_beat", 32, 0, warp | done << 8);
  drive_input_at(b, "ack_beat", 32, 1, 0x0f0f0f0f);
  drive_input_at(b, "ack_beat", 64, 1, outs);
  bring_ack(b, last);
}

/* A list of so many lines: 100, 101 and so on, 33 bits each from bit 5 on. */
static void ack_list(bed_t *b, unsigned lines, unsigned last) {
  uint64_t words[13] = {lines};
  for (unsigned i = 0; i < 24; i++)
    for (unsigned bit = 0; bit < 7; bit++)
      words[(5 + 33 * i + bit) / 64] |= (uint64_t)((100 + i) >> bit & 1) << (5 + 33 * i + bit) % 64;
  for (unsigned i = 0; i < 13; i++) drive_input_at(b, "ack_beat", 64, i, words[i]);
  bring_ack(b, last);
}

RULE(T24,
     "An acknowledgement is a header, 16 bytes, then the rows of the live-out registers, the lowest first, and lists "
     "of up to 24 lines, their number "
     "first (ours). Rows are written with the header's mask.") {
  bed_t *b = bed("tom_unpack", "");
  ack_header(b, 9, 1, UINT64_C(1) << 63 | 4, 0);
  see(b, "wr_valid", 0);
  drive_input_at(b, "ack_beat", 32, 31, 0x77);
  bring_ack(b, 0);
  see(b, "wr_valid", 1);
  see(b, "wr_warp", 9);
  see(b, "wr_reg", 2);
  see(b, "wr_mask", 0x0f0f0f0f);
  see_at(b, "wr_row", 32, 31, 0x77);
  bring_ack(b, 0);
  see(b, "wr_reg", 63);
  ack_list(b, 24, 1);
  see(b, "wr_valid", 0);
  hold(b, "inv_ready", 1);
  for (unsigned i = 0; i < 24; i++) {
    see(b, "inv_valid", 1);
    see(b, "inv_line", 100 + i);
    tick(b);
  }
  see(b, "inv_valid", 0);
}

RULE(T25,
     "\"The Offload Controller requests cache invalidations and register updates, and then restarts the corresponding "
     "warp\": the warp goes on in the "
     "cycle after the last of them.") {
  bed_t *b = bed("tom_unpack", "");
  ack_header(b, 9, 1, 1, 0);
  bring_ack(b, 1);
  see(b, "wr_valid", 1);
  see(b, "done_valid", 0);
  tick(b);
  see(b, "done_valid", 1);
  see(b, "done_warp", 9);
  tick(b);
  see(b, "done_valid", 0);
  ack_header(b, 8, 1, 0, 0);
  ack_list(b, 1, 1);
  ticks(b, 5);
  see(b, "inv_valid", 1);
  see(b, "done_valid", 0);
  drive_input(b, "inv_ready", 1);
  tick(b);
  see(b, "done_valid", 1);
  see(b, "done_warp", 8);
}

RULE(T26, "Lists that were sent ahead are messages with `done` 0: their lines are invalidated, no warp goes on.") {
  bed_t *b = bed("tom_unpack", "");
  hold(b, "inv_ready", 1);
  ack_header(b, 9, 0, 0, 0);
  ack_list(b, 2, 1);
  see(b, "inv_line", 100);
  tick(b);
  see(b, "inv_line", 101);
  for (unsigned t = 0; t < 5; t++) {
    tick(b);
    see(b, "inv_valid", 0);
    see(b, "done_valid", 0);
  }
}

RULE(T27, "A message that ends before its rows, and a list of more than 24 lines, are flagged until reset.") {
  bed_t *b = bed("tom_unpack", "");
  ack_header(b, 9, 1, 6, 0);
  bring_ack(b, 1);
  see(b, "err", 1);
  restart(b);
  see(b, "err", 0);
  ack_header(b, 9, 1, 0, 0);
  ack_list(b, 25, 1);
  see(b, "err", 1);
  ticks(b, 9);
  see(b, "err", 1);
}

/* ---- Lines that a block has written ---------------------------------------------------------- */

/* The warp's block has written this line. */
static void push_line(bed_t *b, unsigned warp, uint64_t line) {
  await(b, "push_ready", 1, 9);
  drive_input(b, "push_valid", 1);
  drive_input(b, "push_warp", warp);
  drive_input(b, "push_line", line);
  tick(b);
}

/* The warp's block has ended, and its list of lines stands at the output. */
static void end_block(bed_t *b, unsigned warp) {
  await(b, "end_ready", 1, 9);
  drive_input(b, "end_valid", 1);
  drive_input(b, "end_warp", warp);
  tick(b);
  await(b, "list_valid", 1, 9);
}

/* The list's beat: the number of lines in 5 bits, then 33 bits for each of them. */
static void see_list(bed_t *b, unsigned warp, unsigned last, unsigned lines, const unsigned line[]) {
  see(b, "list_valid", 1);
  see(b, "list_warp", warp);
  see(b, "list_last", last);
  uint64_t words[5] = {lines};
  for (unsigned i = 0; i < lines; i++)
    for (unsigned bit = 0; bit < 32; bit++)
      words[(5 + 33 * i + bit) / 64] |= (uint64_t)(line[i] >> bit & 1) << (5 + 33 * i + bit) % 64;
  for (unsigned i = 0; i < 4; i++) see_at(b, "list_beat", 64, i, words[i]);
  drive_input(b, "list_ready", 1);
  tick(b);
}

RULE(T28,
     "Each warp of a stack's SM has a list of up to `Lines` lines that its block has written; a line that is in it is "
     "not added again.") {
  bed_t *b = bed("tom_lines", "");
  push_line(b, 7, 1000);
  push_line(b, 8, 1000);
  push_line(b, 7, 999);
  push_line(b, 7, 1000);
  push_line(b, 7, 998);
  push_line(b, 7, 999);
  end_block(b, 7);
  see_list(b, 7, 1, 3, (unsigned[]){1000, 999, 998});
  end_block(b, 8);
  see_list(b, 8, 1, 1, (unsigned[]){1000});
}

RULE(T29,
     "A line for which there is no place sends the list ahead, and begins the next one: no line is lost, and there is "
     "no limit for a block (ours).") {
  bed_t *b = bed("tom_lines", "");
  for (unsigned i = 0; i < 8; i++) push_line(b, 47, 20 + i);
  push_line(b, 47, 23);
  ticks(b, 9);
  see(b, "list_valid", 0);
  push_line(b, 47, 5);
  tick(b);
  see_list(b, 47, 0, 8, (unsigned[]){20, 21, 22, 23, 24, 25, 26, 27});
  push_line(b, 47, 20);
  end_block(b, 47);
  see_list(b, 47, 1, 2, (unsigned[]){5, 20});
}

RULE(T30, "A block's end sends its list, also an empty one, marked as the last.") {
  bed_t *b = bed("tom_lines", "");
  end_block(b, 0);
  see_list(b, 0, 1, 0, NULL);
  push_line(b, 0, 1);
  end_block(b, 0);
  see_list(b, 0, 1, 1, (unsigned[]){1});
  end_block(b, 0);
  see_list(b, 0, 1, 0, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of rtl/tom/README.md about blocks in a stack. Numbers are worked out by hand from the
 * page and the TOM paper.
 */
#include <stdbool.h>

#include "rule.h"
#include "unit_test.h"

static const char small[] = "Warps=3,Queue=2,Rows=2,Lines=2"; /* six places */

/* ---- Requests -------------------------------------------------------------------------------- */

/* A request's header arrives: of this warp and SM, with these live-ins and live-outs. */
static void send_header(bed_t *b, unsigned warp, unsigned sm, uint64_t in, uint64_t out, unsigned last) {
  drive_input(b, "in_valid", 1);
  drive_input(b, "in_last", last);
  drive_input(b, "in_sm", sm);
  drive_input_at(b, "in_beat", 32, 0, warp | 3 << 8);
  drive_input_at(b, "in_beat", 32, 1, 0x11112222);
  drive_input_at(b, "in_beat", 32, 2, 0x33334444);
  drive_input_at(b, "in_beat", 32, 3, 0x55556666);
  drive_input_at(b, "in_beat", 64, 2, in);
  drive_input_at(b, "in_beat", 64, 3, out);
  tick(b);
}

/* A live-in's row arrives, with this first and this last word. */
static void send_row(bed_t *b, unsigned first, unsigned word, unsigned last) {
  drive_input(b, "in_valid", 1);
  drive_input(b, "in_last", last);
  drive_input_at(b, "in_beat", 32, 0, first);
  drive_input_at(b, "in_beat", 32, 31, word);
  tick(b);
}

/* A block without registers in that slot, from its header on. */
static void begin_block(bed_t *b, unsigned slot, unsigned warp, unsigned sm, uint64_t out) {
  send_header(b, warp, sm, 0, out, 1);
  await(b, "start_valid", 1, 9);
  see(b, "start_slot", slot);
  tick(b);
}

/* The block in this slot ends. */
static void end_block(bed_t *b, unsigned slot) {
  await(b, "end_ready", 1, 9);
  drive_input(b, "end_valid", 1);
  drive_input(b, "end_slot", slot);
  tick(b);
}

/* The block in this slot writes this line. */
static void push_line(bed_t *b, unsigned slot, unsigned line) {
  await(b, "push_ready", 1, 9);
  drive_input(b, "push_valid", 1);
  drive_input(b, "push_slot", slot);
  drive_input(b, "push_line", line);
  tick(b);
}

RULE(T60,
     "A stack's SM has `Warps` slots, in each a warp can run a block. A request gets the lowest that is free; while "
     "none is, it waits, and all behind "
     "it, in the order in which they came (ours).") {
  bed_t *b = bed("tom_stack", small);
  for (unsigned i = 0; i < 3; i++) begin_block(b, i, i, 0, 0);
  send_header(b, 20, 0, 0, 0, 1);
  send_header(b, 21, 0, 0, 0, 1);
  for (unsigned t = 0; t < 20; t++) {
    see(b, "clear", 0);
    see(b, "start_valid", 0);
    tick(b);
  }
  end_block(b, 1);
  await(b, "start_valid", 1, 9);
  see(b, "start_slot", 1);
  ticks(b, 9);
  end_block(b, 2);
  end_block(b, 0);
  await(b, "start_valid", 1, 9);
  see(b, "start_slot", 2);
  tick(b);
  begin_block(b, 0, 3, 0, 0);
  end_block(b, 1); /* of warp 20, which was the first to wait */
  await(b, "out_valid", 1, 9);
  see_at(b, "out_beat", 8, 0, 20);
}

RULE(T61,
     "So that links need not wait for slots, `Queue` requests of up to `Rows` live-ins have a place here: a beat takes "
     "one, and gives it back when it "
     "is used (ours).") {
  bed_t *b = bed("tom_stack", small);
  for (unsigned i = 0; i < 3; i++) begin_block(b, i, i, 0, 0);
  tick(b);
  for (unsigned i = 0; i < 2; i++) {
    send_header(b, i, 0, 6, 0, 0);
    send_row(b, 0, 0, 0);
    send_row(b, 0, 0, 1);
    see(b, "in_credit", 0);
  }
  ticks(b, 20);
  see(b, "err", 0);
  end_block(b, 0);
  await(b, "wr_valid", 1, 9); /* the header was used in the cycle before, the row is now */
  see(b, "in_credit", 1);
  tick(b);
  see(b, "wr_valid", 1);
  see(b, "in_credit", 1);
  tick(b);
  see(b, "in_credit", 1);
  tick(b);
  see(b, "in_credit", 0);
}

RULE(T62,
     "Rows are written to the slot's registers one a cycle, the lowest first, for all threads (ours: nothing else is "
     "in the slot).") {
  bed_t *b = bed("tom_stack", "");
  begin_block(b, 0, 0, 0, 0);
  send_header(b, 9, 0, UINT64_C(0x8000000000000004), 0, 0);
  send_row(b, 0x10, 0x11, 0);
  see(b, "wr_valid", 0);
  send_row(b, 0x20, 0x21, 1);
  see(b, "wr_valid", 1);
  see(b, "wr_slot", 1);
  see(b, "wr_reg", 2);
  see_at(b, "wr_row", 32, 0, 0x10);
  see_at(b, "wr_row", 32, 31, 0x11);
  tick(b);
  see(b, "wr_valid", 1);
  see(b, "wr_slot", 1);
  see(b, "wr_reg", 63);
  see_at(b, "wr_row", 32, 0, 0x20);
  see_at(b, "wr_row", 32, 31, 0x21);
  tick(b);
  see(b, "wr_valid", 0);
}

RULE(T63,
     "Before a block begins \"the memory stack SM invalidates its private cache\": `clear`, in the cycle after the "
     "last beat was used; in the next one "
     "it begins, with the header's PCs and mask.") {
  bed_t *b = bed("tom_stack", "");
  send_header(b, 9, 0, 1, 0, 0);
  send_row(b, 0, 0, 1);
  see(b, "clear", 0);
  tick(b);
  see(b, "wr_valid", 1);
  see(b, "clear", 0);
  tick(b);
  see(b, "clear", 1);
  see(b, "start_valid", 0);
  tick(b);
  see(b, "clear", 0);
  see(b, "start_valid", 1);
  see(b, "start_slot", 0);
  see(b, "start_pc", 0x11112222);
  see(b, "start_exit", 0x33334444);
  see(b, "start_mask", 0x55556666);
  tick(b);
  see(b, "start_valid", 0);
}

/* ---- Lines and acknowledgements -------------------------------------------------------------- */

/* A header of an acknowledgement, or of a list that goes ahead. */
static void see_header(bed_t *b, unsigned warp, unsigned done, unsigned mask, uint64_t out, unsigned last) {
  see(b, "out_valid", 1);
  see(b, "out_last", last);
  see_at(b, "out_beat", 32, 0, warp | done << 8);
  see_at(b, "out_beat", 32, 1, mask);
  see_at(b, "out_beat", 64, 1, out);
  for (unsigned i = 4; i < 32; i++) see_at(b, "out_beat", 32, i, 0);
}

/* The last beat: a list of one or two lines. */
static void see_list(bed_t *b, unsigned lines, unsigned one, unsigned two) {
  see(b, "out_valid", 1);
  see(b, "out_last", 1);
  see_at(b, "out_beat", 5, 0, lines);
  see_at(b, "out_beat", 32, 0, lines | one << 5);
  see_at(b, "out_beat", 32, 1, one >> 27 | two << 6); /* the second one from bit 38 on */
  for (unsigned i = 3; i < 32; i++) see_at(b, "out_beat", 32, i, 0);
}

RULE(T64,
     "Its SM \"records the cache line addresses that have been updated by this offloaded block\": of slots whose block "
     "runs, from the cycle after it "
     "began to its end. A list that is full goes ahead, as a message with `done` 0.") {
  bed_t *b = bed("tom_stack", small);
  send_header(b, 77, 0, 0, 6, 1);
  await(b, "start_valid", 1, 9);
  tick(b);
  drive_input(b, "push_valid", 1);
  drive_input(b, "push_line", 100);
  tick(b);
  push_line(b, 0, 101);
  push_line(b, 0, 100);
  ticks(b, 9);
  see(b, "out_valid", 0);
  push_line(b, 0, 102);
  await(b, "out_valid", 1, 9);
  see_header(b, 77, 0, 0, 0, 0);
  tick(b);
  see_list(b, 2, 100, 101);
  tick(b);
  see(b, "out_valid", 0);
  drive_input(b, "push_valid", 1);
  drive_input(b, "push_line", 103);
  drive_input(b, "end_valid", 1);
  tick(b);
  await(b, "out_valid", 1, 9);
  see_header(b, 77, 1, 0x55556666, 6, 0);
  see(b, "err", 0);
  drive_input(b, "push_valid", 1); /* behind its end */
  drive_input(b, "push_line", 104);
  tick(b);
  see(b, "err", 4);
  hold(b, "out_credit", 1);
  await(b, "out_last", 1, 9);
  see_list(b, 2, 102, 103);
}

RULE(T65, "\"When an offloaded block completes its execution on the memory stack, the memory stack SM sends an offload "
          "acknowledgment packet to the main "
          "GPU, which includes live-out registers and the cache lines that need to be invalidated\": a header with the "
          "warp, the mask and the live-outs of "
          "the request, their rows, as they are read, and the list, if it has a line.") {
  bed_t *b = bed("tom_stack", "");
  begin_block(b, 0, 5, 0, 0);
  begin_block(b, 1, 201, 0, UINT64_C(0x8000000000000020));
  push_line(b, 1, 0xabcde);
  end_block(b, 1);
  await(b, "rd_valid", 1, 9);
  see(b, "rd_slot", 1);
  see(b, "rd_reg", 5);
  tick(b);
  see(b, "rd_valid", 1);
  see(b, "rd_reg", 63);
  see_header(b, 201, 1, 0x55556666, UINT64_C(0x8000000000000020), 0);
  drive_input_at(b, "rd_data", 32, 31, 0xaa);
  tick(b);
  see(b, "rd_valid", 0);
  see_at(b, "out_beat", 32, 31, 0xaa);
  see(b, "out_last", 0);
  drive_input_at(b, "rd_data", 32, 0, 0xbb);
  tick(b);
  see(b, "out_valid", 1);
  see_at(b, "out_beat", 32, 0, 0xbb);
  see_at(b, "out_beat", 32, 31, 0);
  see(b, "out_last", 0);
  tick(b);
  see_list(b, 1, 0xabcde, 0);
  tick(b);
  see(b, "out_valid", 0);
  hold(b, "out_credit", 1);
  ticks(b, 4);
  hold(b, "out_credit", 0);
  end_block(b, 0);
  await(b, "out_valid", 1, 9);
  see_header(b, 5, 1, 0x55556666, 0, 1);
}

RULE(T66, "It goes to the SM whose number came beside the request (ours: headers have the warp's alone).") {
  bed_t *b = bed("tom_stack", "");
  begin_block(b, 0, 5, 63, 1);
  begin_block(b, 1, 5, 17, 1);
  end_block(b, 1);
  await(b, "out_valid", 1, 9);
  see(b, "out_sm", 17);
  tick(b);
  see(b, "out_last", 1);
  see(b, "out_sm", 17);
  end_block(b, 0);
  await(b, "out_valid", 1, 9);
  see(b, "out_sm", 63);
  tick(b);
  see(b, "out_last", 1);
  see(b, "out_sm", 63);
}

RULE(T67,
     "The header goes out four cycles after the block's end, if nothing else is under way; then a beat a cycle, as "
     "long as the receiver has places "
     "(ours: `OutCredits`).") {
  bed_t *b = bed("tom_stack", "");
  begin_block(b, 0, 5, 0, 0xff);
  drive_input(b, "end_valid", 1);
  tick(b);
  for (unsigned t = 1; t < 4; t++) {
    see(b, "out_valid", 0);
    see(b, "rd_valid", t == 3);
    tick(b);
  }
  for (unsigned i = 0; i < 4; i++) { /* the header and three rows */
    see(b, "out_valid", 1);
    see(b, "rd_valid", i < 2);
    tick(b);
  }
  see(b, "out_valid", 0);
  ticks(b, 20);
  see(b, "rd_valid", 0);
  drive_input(b, "out_credit", 1);
  tick(b);
  see(b, "rd_valid", 1);
  see(b, "rd_reg", 3);
  tick(b);
  see(b, "rd_valid", 0);
  see(b, "out_valid", 0);
  tick(b);
  see(b, "out_valid", 1);
}

RULE(T68, "The slot is free from the cycle before the acknowledgement's last beat goes out.") {
  bed_t *b = bed("tom_stack", small);
  for (unsigned i = 0; i < 3; i++) begin_block(b, i, i, 0, 0);
  send_header(b, 20, 0, 1, 0, 0);
  send_row(b, 0, 0, 1);
  end_block(b, 1);
  ticks(b, 2); /* three cycles after the end: one before its acknowledgement, the header alone */
  see(b, "probe_next", 0);
  see(b, "out_valid", 0);
  tick(b);
  see(b, "out_valid", 1);
  see(b, "out_last", 1);
  see(b, "wr_valid", 1); /* the header was used in the cycle before */
  see(b, "wr_slot", 1);
}

/* ---- Faults, neighbours ---------------------------------------------------------------------- */

/* Six beats fit behind three blocks that have begun; the seventh is lost. */
static void see_too_many_beats(bed_t *b) {
  for (unsigned i = 0; i < 3; i++) begin_block(b, i, i, 0, 0);
  for (unsigned i = 0; i < 6; i++) send_header(b, 20 + i, 0, 0, 0, 1);
  see(b, "err", 0);
  send_header(b, 26, 0, 0, 0, 1);
  see(b, "err", 1);
  see(b, "probe_beats", 6);
}

/* A request that ends before its rows, and one that goes on behind them. */
static void see_wrong_length(bed_t *b) {
  send_header(b, 5, 0, 6, 0, 0);
  send_row(b, 1, 1, 1);
  await(b, "wr_valid", 1, 9);
  see(b, "wr_reg", 1);
  see(b, "err", 0);
  tick(b);
  see(b, "err", 2);
  see(b, "clear", 1);
  tick(b);
  see(b, "start_valid", 1);
  restart(b);
  see(b, "err", 0);
  send_header(b, 5, 0, 0, 0, 0);
  send_row(b, 1, 1, 0);
  send_row(b, 1, 1, 1);
  for (unsigned t = 0; t < 3; t++) {
    see(b, "wr_valid", 0);
    see(b, "start_valid", 0);
    tick(b);
  }
  see(b, "start_valid", 1);
  see(b, "err", 2);
}

RULE(T69,
     "Flagged until reset, each by a bit of `err`: a beat without a place, which is lost; a request that ends before "
     "its rows, whose block begins "
     "without the others, or that goes on behind them, which is not used; lines and ends of slots whose block does not "
     "run, and credits too many, which "
     "have no other effect.") {
  bed_t *b = bed("tom_stack", small);
  see_too_many_beats(b);
  restart(b);
  see_wrong_length(b);
  restart(b);
  push_line(b, 2, 1);
  see(b, "err", 4);
  see(b, "push_ready", 1);
  restart(b);
  end_block(b, 0);
  see(b, "err", 4);
  see(b, "end_ready", 1);
  restart(b);
  drive_input(b, "out_credit", 1);
  tick(b);
  see(b, "err", 8);
  see(b, "probe_credits", 4);
  ticks(b, 9);
  see(b, "err", 8);
  see(b, "out_valid", 0);
}

/* What goes out of one block in this cycle comes to the
 * other one, which gives its place back at once. */
static void pass_beat(bed_t *from, bed_t *to, const char *name) {
  static const char *const ports[2][4] = {{"in_valid", "in_last", "in_beat", "credit"},
                                          {"ack_valid", "ack_last", "ack_beat", "out_credit"}};
  const char *const *port = ports[name[0] == 'a'];
  drive_input(to, port[0], shown(from, "out_valid"));
  drive_input(to, port[1], shown(from, "out_last"));
  for (unsigned i = 0; i < 32; i++) drive_input_at(to, port[2], 32, i, shown_at(from, "out_beat", 32, i));
  drive_input(from, port[3], shown(from, "out_valid"));
}

/* A word of a register of each SM is its number and the
 * SM's; the row of what is read comes in the next cycle. */
static void next_cycle(bed_t *b, unsigned sm) {
  const uint64_t word = shown(b, "rd_valid") ? sm + shown(b, "rd_reg") : 0;
  tick(b);
  drive_input_at(b, "rd_data", 32, 7, word);
}

/* The stack's SM: what comes to it, and what its block does. */
static void see_block(bed_t *b, unsigned *written, bool *ends) {
  if (*ends) drive_input(b, "push_valid", 1), drive_input(b, "push_line", 0x5555), drive_input(b, "end_valid", 1);
  *ends = shown(b, "start_valid");
  if (*ends) {
    see(b, "start_pc", 0x1000);
    see(b, "start_exit", 0x2000);
    see(b, "start_mask", 0x0f0f0f0f);
    assert_int_equal(*written, 2);
  }
  if (!shown(b, "wr_valid")) return;
  see(b, "wr_reg", *written ? 7 : 3);
  see_at(b, "wr_row", 32, 7, *written ? 0x107 : 0x103);
  ++*written;
}

/* The GPU's SM. */
static void see_updates(bed_t *b, unsigned *written, unsigned *lines) {
  if (shown(b, "inv_valid")) {
    see(b, "inv_line", 0x5555);
    ++*lines;
  }
  if (!shown(b, "wr_valid")) return;
  see(b, "wr_warp", 31);
  see(b, "wr_mask", 0x0f0f0f0f);
  see(b, "wr_reg", *written ? 5 : 4);
  see_at(b, "wr_row", 32, 7, *written ? 0x205 : 0x204);
  ++*written;
}

RULE(T70, "A stack takes what `tom_pack` sends, and `tom_unpack` what a stack sends.") {
  bed_t *pack = bed("tom_pack", ""), *stack = bed("tom_stack", ""), *unpack = bed("tom_unpack", "");
  unsigned written = 0, back = 0, lines = 0, most = 60;
  bool ends = false;
  drive_input(pack, "go_valid", 1);
  drive_input(pack, "go_warp", 31);
  drive_input(pack, "go_pc", 0x1000);
  drive_input(pack, "go_exit", 0x2000);
  drive_input(pack, "go_mask", 0x0f0f0f0f);
  drive_input(pack, "go_in", 0x88);
  drive_input(pack, "go_out", 0x30);
  tick(pack);
  hold(unpack, "inv_ready", 1);
  while (!shown(unpack, "done_valid") && most--) {
    pass_beat(pack, stack, "in");
    pass_beat(stack, unpack, "ack");
    see_block(stack, &written, &ends);
    see_updates(unpack, &back, &lines);
    next_cycle(pack, 0x100);
    next_cycle(stack, 0x200);
    tick(unpack);
  }
  see(unpack, "done_valid", 1);
  see(unpack, "done_warp", 31);
  assert_int_equal(written, 2);
  assert_int_equal(back, 2);
  assert_int_equal(lines, 1);
  see(stack, "err", 0);
  see(unpack, "err", 0);
}

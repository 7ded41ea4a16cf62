/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of rtl/tom/README.md on what is learnt of instances. Numbers are worked out by hand
 * from the page and the TOM paper.
 */
#include "rule.h"
#include "unit_test.h"

/* A warp begins an instance in the coming cycle. */
static void begin_instance(bed_t *b, unsigned warp) {
  drive_input(b, "beg_valid", 1);
  drive_input(b, "beg_warp", warp);
}

/* An access of a warp's instance; the page looks at bits 7 to 17 of the address. */
static void access_line(bed_t *b, unsigned warp, uint64_t address) {
  drive_input(b, "acc_valid", 1);
  drive_input(b, "acc_warp", warp);
  drive_input(b, "acc_addr", address >> 7 & 0x7ff);
}

/* A warp's instance ends in the coming cycle. */
static void end_instance(bed_t *b, unsigned warp) {
  drive_input(b, "end_valid", 1);
  drive_input(b, "end_warp", warp);
}

/* The sums of a map, which can be read two cycles later. */
static void see_sums(bed_t *b, unsigned map, unsigned same, unsigned touched) {
  tick(b);
  drive_input(b, "rd_map", map);
  tick(b);
  see(b, "rd_same", same);
  see(b, "rd_touched", touched);
}

/* An instance of warp 47 in lines 0, 0x80, 0x10000 and 0. */
static bed_t *four_lines(const char *params) {
  static const uint64_t lines[] = {0, 0x80, 0x10000, 0};
  bed_t *b = bed("tom_map", params);
  hold(b, "on", 1);
  begin_instance(b, 47);
  for (unsigned i = 0; i < 4; i++) {
    access_line(b, 47, lines[i]);
    tick(b);
  }
  return b;
}

RULE(T31,
     "While the map is learnt the analyser \"calculates how many memory stacks would be accessed by each offloading "
     "candidate instance for all "
     "different potential stack mappings\": a bit for each stack and map, 40 a warp. Map m has the stack in the bits "
     "of the address from 7 + m "
     "upwards.") {
  bed_t *b = four_lines("");
  end_instance(b, 47);
  see_sums(b, 0, 3, 2); /* bits 8:7 */
  see_sums(b, 1, 4, 1); /* bits 9:8: no line differs there */
  see_sums(b, 8, 3, 2); /* bits 16:15 */
  see_sums(b, 9, 3, 2); /* bits 17:16 */
  see_sums(b, 10, 0, 0);
}

RULE(T32, "`seen` and `total` are the instances that have ended and the lines that instances have accessed.") {
  bed_t *b = four_lines("");
  see(b, "total", 4);
  see(b, "seen", 0);
  see(b, "more", 0);
  end_instance(b, 47);
  tick(b);
  see(b, "seen", 1);
  see(b, "more", 1);
  tick(b);
  see(b, "more", 0);
}

RULE(T33, "`touched` of a map is the sum over ended instances of the stacks that each has touched.") {
  bed_t *b = four_lines("");
  end_instance(b, 47);
  begin_instance(b, 0);
  tick(b);
  for (unsigned i = 0; i < 4; i++) {
    access_line(b, 0, 0x80 * i);
    tick(b);
  }
  end_instance(b, 0);
  see_sums(b, 0, 4, 6);
  see_sums(b, 1, 6, 3);
  see_sums(b, 9, 7, 3);
}

RULE(T34,
     "`same` of a map is the number of lines in the stack of their instance's first one: \"the mapping that leads to "
     "the most accesses to the stack "
     "that the offloaded block would execute on\".") {
  bed_t *b = bed("tom_map", "");
  hold(b, "on", 1);
  begin_instance(b, 5);
  access_line(b, 5, 0x180); /* not stack 0 */
  tick(b);
  access_line(b, 5, 0);
  tick(b);
  access_line(b, 5, 0x200180);
  see_sums(b, 0, 2, 0);
  see_sums(b, 1, 2, 0);
  see_sums(b, 2, 3, 0);
}

RULE(T35,
     "What a warp accesses outside of an instance is not counted, nor are stacks of an instance that has not ended.") {
  bed_t *b = four_lines("");
  see_sums(b, 0, 3, 0);
  access_line(b, 46, 0);
  tick(b);
  end_instance(b, 46);
  tick(b);
  see(b, "total", 4);
  see(b, "seen", 0);
  begin_instance(b, 47); /* anew: the first one never ends */
  tick(b);
  end_instance(b, 47);
  see_sums(b, 0, 3, 0);
  hold(b, "on", 0);
  begin_instance(b, 1);
  access_line(b, 1, 0);
  end_instance(b, 1);
  tick(b);
  see(b, "total", 4);
  see(b, "seen", 1);
}

RULE(T36, "Within a cycle an instance begins, accesses a line and ends in this order (ours).") {
  bed_t *b = bed("tom_map", "");
  hold(b, "on", 1);
  begin_instance(b, 9);
  access_line(b, 9, 0x100);
  end_instance(b, 9);
  tick(b);
  see(b, "total", 1);
  see(b, "seen", 1);
  see(b, "probe_open", 0);
  see_sums(b, 0, 1, 1);
}

RULE(T37, "After `clear` all sums are 0 and no instance is open.") {
  bed_t *b = four_lines("");
  drive_input(b, "clear", 1);
  end_instance(b, 47);
  tick(b);
  see(b, "total", 0);
  see(b, "seen", 0);
  see(b, "more", 0);
  see(b, "probe_open", 0);
  see_sums(b, 0, 0, 0);
}

/* ---- Allocations ----------------------------------------------------------------------------- */

/* Writes an allocation's first address and size. */
static void write_entry(bed_t *b, unsigned number, uint64_t start, uint64_t bytes) {
  drive_input(b, "cfg_valid", 1);
  drive_input(b, "cfg_idx", number);
  drive_input(b, "cfg_start", start);
  drive_input(b, "cfg_bytes", bytes);
  tick(b);
}

/* Three allocations, between the second and the third nothing. */
static bed_t *three_allocations(void) {
  bed_t *b = bed("tom_ranges", "");
  write_entry(b, 0, 0x1000, 0x1000);
  write_entry(b, 1, 0x2000, 0x100);
  write_entry(b, 2, UINT64_C(0xffffffffff00), 0xff);
  hold(b, "count", 3);
  return b;
}

/* Looks the address up, then reads all marks: bit i of entry i. */
static void see_marks(bed_t *b, uint64_t address, unsigned want) {
  drive_input(b, "q_valid", 1);
  drive_input(b, "q_addr", address);
  tick(b);
  await(b, "busy", 0, 9);
  for (unsigned i = 0; i < 3; i++) {
    drive_input(b, "rd_idx", i);
    tick(b);
    see(b, "rd_mark", want >> i & 1);
  }
}

RULE(T38,
     "\"The GPU driver records each memory allocation in a memory allocation table\": \"each entry contains the start "
     "address, the length, and a "
     "bit\", 97 bits with addresses of 48. Entries rise, the first `count` are in use (ours).") {
  bed_t *b = three_allocations();
  hold(b, "count", 2);
  see_marks(b, UINT64_C(0xffffffffff00), 0);
  hold(b, "count", 3);
  see_marks(b, UINT64_C(0xffffffffff00), 4);
}

RULE(T39,
     "\"For each application-allocated memory range that has been accessed by an offloading candidate, the analyzer "
     "sets a bit in the memory "
     "allocation table\": its mark, of the one entry that has the address, from the first to the last of its bytes. An "
     "address of none changes "
     "nothing.") {
  bed_t *b = three_allocations();
  see_marks(b, 0xfff, 0);
  see_marks(b, 0x2100, 0);
  see_marks(b, UINT64_C(0xffffffffffff), 0);
  see_marks(b, 0x20ff, 2);
  see_marks(b, 0x1000, 3);
  see_marks(b, UINT64_C(0xfffffffffffe), 7);
}

RULE(T40, "Addresses wait in a queue; the oldest is looked for by halves, an entry read a cycle, so 7 of 100 at most "
          "(ours).") {
  bed_t *b = bed("tom_ranges", "");
  for (unsigned i = 0; i < 100; i++) write_entry(b, i, 0x1000 * i, 0x1000);
  hold(b, "count", 100);
  drive_input(b, "q_valid", 1);
  drive_input(b, "q_addr", 0x63fff); /* the last one: 50, 75, 88, 94, 97, 99 */
  tick(b);
  drive_input(b, "q_valid", 1);
  drive_input(b, "q_addr", 0x32000); /* the middle one */
  tick(b);
  ticks(b, 6);
  see(b, "probe_done", 1);
  see(b, "probe_hit", 1);
  see(b, "probe_reads", 6);
  see(b, "busy", 1);
  ticks(b, 2);
  see(b, "probe_done", 1);
  see(b, "probe_reads", 1);
  see(b, "busy", 0);
}

RULE(T41, "Entries are written while no address waits or is looked for; a new one has no mark.") {
  bed_t *b = three_allocations();
  see_marks(b, 0x2000, 2);
  drive_input(b, "q_valid", 1);
  drive_input(b, "q_addr", 0x1000);
  tick(b);
  see(b, "cfg_ready", 0);
  write_entry(b, 1, 0x2000, 0x100); /* is not taken */
  await(b, "cfg_ready", 1, 9);
  see_marks(b, 0x1000, 3);
  write_entry(b, 1, 0x2000, 0x100);
  see_marks(b, 0x1000, 1);
}

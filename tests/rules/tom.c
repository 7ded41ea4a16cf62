/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of rtl/tom/README.md. Numbers are worked out by hand from the page and the TOM paper.
 */
#include "rule.h"
#include "unit_test.h"

/* Kinds of conditions. */
enum { ALWAYS, DISTANCE, STEPS, NEVER };

/* ---- Where a line lives ---------------------------------------------------------------------- */

/* Asks for the stack and place of this address; ndp: its page's data are accessed by offloaded
 * blocks. */
static void place_line(bed_t *b, uint64_t address, unsigned ndp, unsigned bit) {
  drive_input(b, "line", address >> 7);
  drive_input(b, "ndp", ndp);
  drive_input(b, "bit", bit);
}

/* Bits 7 and 8 are the stack at `bit` 0, bits 16 and 17 at `bit` 9: 0x1ff80 has ones from 7 to
 * 16. */
RULE(T1,
     "A page whose data offloaded blocks access has its stack in \"consecutive bits in the memory address\": "
     "`StackBits` of them, from bit 7 + `bit` "
     "upwards; `bit` is 0 to 9 for the paper's maps, \"from bit position 7 (128B GPU cache line size) to bit position "
     "16 (64 KB)\".") {
  static const uint64_t addresses[] = {0x00080, 0x10000, 0x20000, 0x30000, 0x1ff80};
  static const unsigned at_7[] = {1, 0, 0, 0, 3}, at_16[] = {0, 1, 2, 3, 1};
  bed_t *b = bed("tom_place", "");
  for (unsigned i = 0; i < 5; i++) {
    place_line(b, addresses[i], 1, 0);
    see(b, "stack", at_7[i]);
    place_line(b, addresses[i], 1, 9);
    see(b, "stack", at_16[i]);
  }
}

/* 0x200 is bit 9, the lowest of the second field; 0x280 has the lowest of two fields, which
 * cancel; 0x8000, bit 15, is in none. */
RULE(T2,
     "Any other page has the GPU's map, which sends consecutive lines to the stacks in turn, higher bits mixed in: the "
     "exclusive or of the fields of "
     "`StackBits` bits from 7, 7 + `StackBits`, 13 and 19 upwards (ours: the paper says only that there is such a "
     "map).") {
  static const uint64_t addresses[] = {0x000,  0x080,  0x100,   0x180,    0x200,    0x280, 0x400,
                                       0x2000, 0x4000, 0x80000, 0x100000, 0x182000, 0x8000};
  static const unsigned stacks[] = {0, 1, 2, 3, 1, 0, 2, 1, 2, 1, 2, 2, 0};
  bed_t *b = bed("tom_place", "");
  for (unsigned i = 0; i < sizeof stacks / sizeof *stacks; i++) {
    place_line(b, addresses[i], 0, 5);
    see(b, "stack", stacks[i]);
  }
}

/* 0xfff80 has ones from bit 7 to 19: without the stack's two, 11 are left. */
RULE(T3, "A line's place in its stack is the line without the bits that say its stack, of the GPU's map without the "
         "lowest.") {
  bed_t *b = bed("tom_place", "");
  place_line(b, 0xfff80, 0, 5);
  see(b, "place", 0x7ff); /* of 13 ones 11 */
  place_line(b, 0x00380, 0, 5);
  see(b, "place", 1);
  place_line(b, 0x10080, 1, 8); /* bits 15 and 16 are the stack's */
  see(b, "place", 0x1000001);
  place_line(b, 0x27f80, 1, 8);
  see(b, "place", 0x10001ff);
}

/* `ndp` is bit 31 of the address and so bit 24 of a line's place. Address bit 32 moves below it
 * by the two bits of the stack, bit 33 above it. */
RULE(T4,
     "The two maps have halves of each stack (ours): bit 31 of an address in a stack is `ndp`, bits from 31 up move "
     "one up. So no two lines meet, "
     "whichever pages have which map, and every stack holds its share of both.") {
  bed_t *b = bed("tom_place", "");
  place_line(b, 0, 1, 3);
  see(b, "place", 0x1000000); /* of a line: 7 bits less */
  place_line(b, UINT64_C(1) << 32, 0, 3);
  see(b, "place", 0x0800000);
  place_line(b, UINT64_C(1) << 33, 0, 3);
  see(b, "place", 0x2000000);
  place_line(b, UINT64_C(1) << 33, 1, 3);
  see(b, "place", 0x3000000);
}

/* ---- The condition --------------------------------------------------------------------------- */

/* What the first active thread has in the registers of start, bound and step. */
static void set_registers(bed_t *b, uint32_t start, uint32_t bound, uint32_t step) {
  hold(b, "start", start);
  hold(b, "bound", bound);
  hold(b, "step", step);
}

/* The condition's own fields, from now on. */
static void set_condition(bed_t *b, unsigned kind, unsigned up, unsigned is_signed, uint32_t imm) {
  hold(b, "kind", kind);
  hold(b, "up", up);
  hold(b, "is_signed", is_signed);
  hold(b, "imm", imm);
}

/* 2^31 - 1 less -2^31 is 2^32 - 1, which 32 bits with a sign do not hold. Unsigned, bound -
 * start is -1, and start - bound is 1. */
RULE(T5,
     "A loop's condition is on what the first active thread has in up to three registers (ours; the paper: \"the "
     "corresponding register value\"). The "
     "distance is bound - start or start - bound, of signed or unsigned numbers of 32 bits, and does not wrap round.") {
  bed_t *b = bed("tom_cond", "");
  set_registers(b, 0x80000000, 0x7fffffff, 0);
  set_condition(b, DISTANCE, 1, 1, 0x7fffffff);
  see(b, "hold", 1);
  set_condition(b, DISTANCE, 0, 1, 0x80000000);
  see(b, "hold", 0);
  set_condition(b, DISTANCE, 1, 0, 0);
  see(b, "hold", 0);
  set_condition(b, DISTANCE, 0, 0, 1);
  see(b, "hold", 1);
  set_condition(b, DISTANCE, 0, 0, 2);
  see(b, "hold", 0);
}

/* 17 - 10 = 7 upwards; downwards it is -7, 0xfffffff9. */
RULE(T6, "It holds if the distance is at least `imm`, a signed number.") {
  bed_t *b = bed("tom_cond", "");
  set_registers(b, 10, 17, 0);
  set_condition(b, DISTANCE, 1, 0, 7);
  see(b, "hold", 1);
  set_condition(b, DISTANCE, 1, 0, 8);
  see(b, "hold", 0);
  set_condition(b, DISTANCE, 0, 0, 0xfffffff9);
  see(b, "hold", 1);
  set_condition(b, DISTANCE, 0, 0, 0xfffffffa);
  see(b, "hold", 0);
}

/* Eight steps of 10 are 80: a distance of 80 holds, 79 does not. 0x20000000 * 8 is 2^32. A step
 * of -1 times 8 is -8. */
RULE(T7,
     "With a step in a register it holds if the distance is at least step * 2^`shift`: the number of steps is a power "
     "of two, so no product is "
     "needed (ours). With `beyond` it has to be more: a loop that goes on while it is below its bound makes a ninth "
     "trip behind more than eight steps.") {
  bed_t *b = bed("tom_cond", "");
  hold(b, "shift", 3);
  set_condition(b, STEPS, 1, 0, 0);
  set_registers(b, 100, 180, 10);
  see(b, "hold", 1);
  set_registers(b, 100, 179, 10);
  see(b, "hold", 0);
  set_registers(b, 0, 0xffffffff, 0x20000000); /* 2^32 */
  see(b, "hold", 0);
  set_condition(b, STEPS, 1, 1, 0);
  set_registers(b, 0, 0, 0xffffffff);
  see(b, "hold", 1);
  hold(b, "beyond", 1);
  see(b, "hold", 1); /* 0 is more than -8 */
  set_registers(b, 100, 180, 10);
  see(b, "hold", 0);
  set_registers(b, 100, 181, 10);
  see(b, "hold", 1);
  set_condition(b, DISTANCE, 1, 0, 81); /* of steps alone */
  see(b, "hold", 1);
}

RULE(T8,
     "A condition that always holds is a kind of its own; of the fourth kind, which no compiler writes, none does.") {
  bed_t *b = bed("tom_cond", "");
  set_registers(b, 9, 0, 1);
  set_condition(b, ALWAYS, 1, 0, 5);
  see(b, "hold", 1);
  set_registers(b, 0, 9, 1);
  set_condition(b, NEVER, 1, 0, 5);
  see(b, "hold", 0);
}

/* ---- Busy links ------------------------------------------------------------------------------ */

/* A window in which link 0 of tx carries so many flits, four a cycle. */
static void run_window(bed_t *b, unsigned flits) {
  for (unsigned t = 0; t < 1024; t++) {
    const unsigned n = flits > 4 ? 4 : flits;
    drive_input_at(b, "tx_flits", 3, 0, n);
    flits -= n;
    tick(b);
  }
}

/* 1,024 cycles of four links with four flits each are 16,384 flits. A link's count is 4,092
 * before the last cycle. */
RULE(T9,
     "The monitor \"tracks the utilization of off-chip TX/RX channels\" in windows of `Window` cycles of the links, "
     "one after the other (ours: the "
     "paper has no time).") {
  bed_t *b = bed("tom_busy", "");
  hold(b, "limit", 100);
  for (unsigned i = 0; i < 4; i++) hold_at(b, "rx_flits", 3, i, 4);
  ticks(b, 1023);
  see(b, "hot_rx", 0);
  see(b, "probe_count", 1023);
  see_at(b, "probe_rx", 12, 3, 4092);
  tick(b);
  see(b, "probe_count", 0);
  see_at(b, "probe_rx", 12, 3, 0);
  see(b, "hot_rx", 1);
  see(b, "hot_tx", 0);
  drive_input_at(b, "rx_flits", 3, 1, 3); /* one of 16,384 is missing in the second window */
  ticks(b, 1024);
  see(b, "hot_rx", 0);
}

RULE(T10,
     "A direction is hot when all its links together carried at least `limit` per cent of the flits that fit into the "
     "last whole window; each link is "
     "told alone, too.") {
  bed_t *b = bed("tom_busy", "");
  hold(b, "limit", 25); /* of 16,384 flits: what one link carries */
  run_window(b, 4096);
  see(b, "hot_tx", 1);
  see(b, "link_tx", 1);
  run_window(b, 4095);
  see(b, "hot_tx", 0);
  see(b, "link_tx", 1);
  hold(b, "limit", 90); /* 3,686.4 of a link */
  run_window(b, 3686);
  see(b, "link_tx", 0);
  run_window(b, 3687);
  see(b, "link_tx", 1);
  see(b, "hot_tx", 0);
  see(b, "hot_rx", 0);
}

/* With a limit of 0 per cent every window is hot, with 1 none without flits is; it changes
 * behind the 1,024th cycle. */
RULE(T11, "That changes in the cycle after a window's last one. After reset nothing is hot.") {
  bed_t *b = bed("tom_busy", "");
  see(b, "hot_tx", 0);
  see(b, "link_rx", 0);
  hold(b, "limit", 0);
  ticks(b, 1023);
  see(b, "hot_tx", 0);
  tick(b);
  see(b, "hot_tx", 1);
  see(b, "link_rx", 15);
  hold(b, "limit", 1);
  ticks(b, 1023);
  see(b, "hot_tx", 1);
  tick(b);
  see(b, "hot_tx", 0);
  restart(b);
  see(b, "hot_rx", 0);
}

/* ---- Pending instances ----------------------------------------------------------------------- */

/* All of the SMs ask for a stack from now on. */
static void ask_gate(bed_t *b, uint64_t sms, unsigned stack) {
  for (unsigned sm = 0; sm < 64; sm++)
    if (sms >> sm & 1) hold_at(b, "ask_stack", 3, sm, stack);
  hold(b, "ask", sms);
}

/* A stack has so many instances pending. */
static void see_pending(bed_t *b, unsigned stack, unsigned number) {
  see_at(b, "pending", 8, stack, number);
}

RULE(T12,
     "\"The GPU keeps track of the number of pending offloading requests sent to each memory stack\": granted, and not "
     "yet acknowledged.") {
  bed_t *b = bed("tom_gate", "");
  hold(b, "limit", 48);
  ask_gate(b, 7, 2);
  ticks(b, 3);
  see_pending(b, 2, 3);
  see_pending(b, 1, 0);
  ask_gate(b, 0, 0);
  drive_input(b, "done", 4);
  tick(b);
  see_pending(b, 2, 2);
}

RULE(T13,
     "It \"stops further offloading when that number reaches the number of warps that can concurrently execute on the "
     "corresponding memory stack SM\": "
     "with `ctrl` who asks for a stack that is at `limit` is refused, all at once.") {
  bed_t *b = bed("tom_gate", "");
  hold(b, "limit", 2);
  hold(b, "ctrl", 1);
  ask_gate(b, 0x1f, 1);
  tick(b);
  see(b, "gnt", 1);
  tick(b);
  see(b, "gnt", 2);
  see(b, "nak", 0);
  tick(b);
  see(b, "gnt", 0);
  see(b, "nak", 0x1c);
  see_pending(b, 1, 2);
}

RULE(T14, "Without this control (ours) instances wait; `limit` then counts the places of the stack's queue, too.") {
  bed_t *b = bed("tom_gate", "");
  hold(b, "limit", 2);
  ask_gate(b, 0x1f, 1);
  ticks(b, 100);
  see(b, "probe_answered", 3);
  drive_input(b, "done", 2);
  tick(b);
  see(b, "gnt", 0);
  tick(b);
  see(b, "gnt", 4);
  see(b, "nak", 0);
}

RULE(T15, "A stack gets one instance a cycle, of the SMs in turn; stacks have nothing to do with each other (ours).") {
  bed_t *b = bed("tom_gate", "");
  hold(b, "limit", 200);
  ask_gate(b, UINT64_C(1) << 63 | 1 << 5, 0);
  hold_at(b, "ask_stack", 3, 9, 3);
  hold(b, "ask", UINT64_C(1) << 63 | 1 << 5 | 1 << 9);
  tick(b);
  see(b, "gnt", 1 << 5 | 1 << 9);
  ask_gate(b, UINT64_C(1) << 63 | 1 << 5 | 1 << 2, 0); /* 5 has been answered */
  tick(b);
  see(b, "gnt", UINT64_C(1) << 63);
  tick(b);
  see(b, "gnt", 1 << 2);
}

RULE(T16,
     "An answer comes in the next cycle at the earliest and lasts one; the ask may stay for any time behind it, and "
     "begins anew after it was low.") {
  bed_t *b = bed("tom_gate", "");
  hold(b, "limit", 9);
  ask_gate(b, 1, 0);
  see(b, "gnt", 0);
  tick(b);
  see(b, "gnt", 1);
  tick(b);
  see(b, "gnt", 0);
  ticks(b, 50);
  see_pending(b, 0, 1);
  ask_gate(b, 0, 0);
  tick(b);
  ask_gate(b, 1, 0);
  tick(b);
  see(b, "gnt", 1);
  see_pending(b, 0, 2);
}

RULE(T17, "An acknowledgement counts from the next cycle on.") {
  bed_t *b = bed("tom_gate", "");
  hold(b, "limit", 1);
  hold(b, "ctrl", 1);
  ask_gate(b, 1, 0);
  tick(b);
  ask_gate(b, 2, 0);
  drive_input(b, "done", 1);
  tick(b);
  see(b, "nak", 2); /* in the cycle of the acknowledgement the stack was still full */
  see_pending(b, 0, 0);
  ask_gate(b, 4, 0);
  tick(b);
  see(b, "gnt", 4);
}

RULE(T18,
     "One of a stack that has nothing pending, and an ask for a stack that there is not, are flagged until reset; the "
     "former has no other effect, the "
     "latter is refused.") {
  bed_t *b = bed("tom_gate", "");
  hold(b, "limit", 5);
  drive_input(b, "done", 8);
  tick(b);
  see(b, "err", 1);
  see_pending(b, 3, 0);
  restart(b);
  see(b, "err", 0);
  ask_gate(b, 1, 4);
  tick(b);
  see(b, "err", 1);
  see(b, "nak", 1);
  ask_gate(b, 0, 0);
  ticks(b, 9);
  see(b, "err", 1);
}

/* 64 SMs, then 2, then 1 make 67. */
RULE(T19,
     "\"When the memory mapping analyzer has seen the predetermined number of offloading candidate instances [...], it "
     "issues an interrupt\": `irq`, "
     "from the cycle after the one in which `target` have been seen by all SMs together. With `target` 0 nothing is "
     "learnt, and the sum begins anew.") {
  bed_t *b = bed("tom_gate", "");
  hold(b, "target", 67);
  drive_input(b, "seen", UINT64_MAX);
  tick(b);
  drive_input(b, "seen", 3);
  tick(b);
  see(b, "irq", 0);
  drive_input(b, "seen", UINT64_C(1) << 40);
  see(b, "irq", 0);
  tick(b);
  see(b, "irq", 1);
  ticks(b, 20);
  see(b, "irq", 1);
  drive_input(b, "target", 0);
  tick(b);
  see(b, "irq", 0);
  see(b, "probe_seen", 0);
}

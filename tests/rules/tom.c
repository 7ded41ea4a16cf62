/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of rtl/tom/README.md. Numbers are worked out by hand from the page and the TOM paper.
 */
#include "rule.h"
#include "unit_test.h"

/* Kinds of conditions. */
enum { ALWAYS, DISTANCE, STEPS, NEVER };

/* ---- Where a line lives ------------------------------------------------------------------------------------------ */

static void place(bed_t *b, uint64_t address, unsigned ndp, unsigned bit) {
  put(b, "line", address >> 7);
  put(b, "ndp", ndp);
  put(b, "bit", bit);
}

RULE(T1, "A page whose data offloaded blocks access has its stack in \"consecutive bits in the memory address\": `StackBits` of them, from bit 7 + `bit` "
         "upwards; `bit` is 0 to 9 for the paper's maps, \"from bit position 7 (128B GPU cache line size) to bit position 16 (64 KB)\".") {
  static const uint64_t addresses[] = {0x00080, 0x10000, 0x20000, 0x30000, 0x1ff80};
  static const unsigned at_7[] = {1, 0, 0, 0, 3}, at_16[] = {0, 1, 2, 3, 1};
  bed_t *b = bed("tom_place", "");
  for (unsigned i = 0; i < 5; i++) {
    place(b, addresses[i], 1, 0);
    see(b, "stack", at_7[i]);
    place(b, addresses[i], 1, 9);
    see(b, "stack", at_16[i]);
  }
}

RULE(T2, "Any other page has the GPU's map, which sends consecutive lines to the stacks in turn, higher bits mixed in: the exclusive or of the fields of "
         "`StackBits` bits from 7, 7 + `StackBits`, 13 and 19 upwards (ours: the paper says only that there is such a map).") {
  static const uint64_t addresses[] = {0x000, 0x080, 0x100, 0x180, 0x200, 0x280, 0x400, 0x2000, 0x4000, 0x80000, 0x100000, 0x182000, 0x8000};
  static const unsigned stacks[] = {0, 1, 2, 3, 1, 0, 2, 1, 2, 1, 2, 2, 0};
  bed_t *b = bed("tom_place", "");
  for (unsigned i = 0; i < sizeof stacks / sizeof *stacks; i++) {
    place(b, addresses[i], 0, 5);
    see(b, "stack", stacks[i]);
  }
}

RULE(T3, "A line's place in its stack is the line without the bits that say its stack, of the GPU's map without the lowest.") {
  bed_t *b = bed("tom_place", "");
  place(b, 0xfff80, 0, 5);
  see(b, "place", 0x7ff); /* of 13 ones 11 */
  place(b, 0x00380, 0, 5);
  see(b, "place", 1);
  place(b, 0x10080, 1, 8); /* bits 15 and 16 are the stack's */
  see(b, "place", 0x1000001);
  place(b, 0x27f80, 1, 8);
  see(b, "place", 0x10001ff);
}

RULE(T4, "The two maps have halves of each stack (ours): bit 31 of an address in a stack is `ndp`, bits from 31 up move one up. So no two lines meet, "
         "whichever pages have which map, and every stack holds its share of both.") {
  bed_t *b = bed("tom_place", "");
  place(b, 0, 1, 3);
  see(b, "place", 0x1000000); /* of a line: 7 bits less */
  place(b, UINT64_C(1) << 32, 0, 3);
  see(b, "place", 0x0800000);
  place(b, UINT64_C(1) << 33, 0, 3);
  see(b, "place", 0x2000000);
  place(b, UINT64_C(1) << 33, 1, 3);
  see(b, "place", 0x3000000);
}

/* ---- The condition ----------------------------------------------------------------------------------------------- */

static void registers(bed_t *b, uint32_t start, uint32_t bound, uint32_t step) {
  hold(b, "start", start);
  hold(b, "bound", bound);
  hold(b, "step", step);
}

static void condition(bed_t *b, unsigned kind, unsigned up, unsigned is_signed, uint32_t imm) {
  hold(b, "kind", kind);
  hold(b, "up", up);
  hold(b, "is_signed", is_signed);
  hold(b, "imm", imm);
}

RULE(T5, "A loop's condition is on what the first active thread has in up to three registers (ours; the paper: \"the corresponding register value\"). The "
         "distance is bound - start or start - bound, of signed or unsigned numbers of 32 bits, and does not wrap round.") {
  bed_t *b = bed("tom_cond", "");
  registers(b, 0x80000000, 0x7fffffff, 0);
  condition(b, DISTANCE, 1, 1, 0x7fffffff);
  see(b, "hold", 1);
  condition(b, DISTANCE, 0, 1, 0x80000000);
  see(b, "hold", 0);
  condition(b, DISTANCE, 1, 0, 0);
  see(b, "hold", 0);
  condition(b, DISTANCE, 0, 0, 1);
  see(b, "hold", 1);
  condition(b, DISTANCE, 0, 0, 2);
  see(b, "hold", 0);
}

RULE(T6, "It holds if the distance is at least `imm`, a signed number.") {
  bed_t *b = bed("tom_cond", "");
  registers(b, 10, 17, 0);
  condition(b, DISTANCE, 1, 0, 7);
  see(b, "hold", 1);
  condition(b, DISTANCE, 1, 0, 8);
  see(b, "hold", 0);
  condition(b, DISTANCE, 0, 0, 0xfffffff9);
  see(b, "hold", 1);
  condition(b, DISTANCE, 0, 0, 0xfffffffa);
  see(b, "hold", 0);
}

RULE(T7, "With a step in a register it holds if the distance is at least step * 2^`shift`: the number of steps is a power of two, so no product is "
         "needed (ours).") {
  bed_t *b = bed("tom_cond", "");
  hold(b, "shift", 3);
  condition(b, STEPS, 1, 0, 0);
  registers(b, 100, 180, 10);
  see(b, "hold", 1);
  registers(b, 100, 179, 10);
  see(b, "hold", 0);
  registers(b, 0, 0xffffffff, 0x20000000); /* 2^32 */
  see(b, "hold", 0);
  condition(b, STEPS, 1, 1, 0);
  registers(b, 0, 0, 0xffffffff);
  see(b, "hold", 1);
}

RULE(T8, "A condition that always holds is a kind of its own; of the fourth kind, which no compiler writes, none does.") {
  bed_t *b = bed("tom_cond", "");
  registers(b, 9, 0, 1);
  condition(b, ALWAYS, 1, 0, 5);
  see(b, "hold", 1);
  registers(b, 0, 9, 1);
  condition(b, NEVER, 1, 0, 5);
  see(b, "hold", 0);
}

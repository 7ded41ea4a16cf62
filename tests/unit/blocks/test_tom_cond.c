/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiler and hardware mean the same by a condition of TOM. Random loops are compiled, and their
 * conditions become the 64 bits of an entry of the metadata table. The golden model of tom_cond
 * judges them for random registers. Its verdict is compared with the compiler's, and with the
 * loops' trips, which this test counts by running them. The fields of table and condition have no
 * gap.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "tom_compiler.h"
#include "tom_cond_entry.h"
#include "tom_entry.h"
#include "tom_meta.h"
#include "unit_test.h"

enum { LOOPS = 20000, VALUES = 60, MOST_TRIPS = 3000 };

/* ---- Loops ----------------------------------------------------------------------------------- */

/* for (%r2 = start; ; %r2 += step) { accesses; if (!(%r2
 * + counted compares bound + offset)) break; } */
typedef struct {
  const char *cmp;
  bool is_signed, start_is_const, bound_is_const, step_in_register, tested_first, turned, leaves;
  int32_t step; /* of a register: 1 or -1, its sign */
  uint32_t start, bound;
  int32_t offset; /* added to a bound in a register, in the loop */
  unsigned loads;
} loop_t;

static unsigned random_below(uint64_t *seed, unsigned n) {
  return (unsigned)(test_random(seed) % n);
}

/* A loop at random: its direction, comparison, step, and which of start and bound are constants. */
static loop_t make_loop(uint64_t *seed) {
  static const char *const up[] = {"lt", "le", "ne"}, *const down[] = {"gt", "ge", "ne"};
  const bool upwards = random_below(seed, 2);
  loop_t l = {.is_signed = random_below(seed, 2),
              .step_in_register = random_below(seed, 3) == 0,
              .tested_first = random_below(seed, 2),
              .turned = random_below(seed, 2)};
  l.cmp = (upwards ? up : down)[random_below(seed, l.tested_first ? 2 : 3)];
  l.step = (upwards ? 1 : -1) * (l.step_in_register ? 1 : 1 + (int32_t)random_below(seed, 40));
  l.leaves = random_below(seed, 2);
  l.loads = 1 + random_below(seed, 3);
  if (l.step_in_register) return l;
  l.start_is_const = random_below(seed, 3) == 0;
  l.bound_is_const = !l.start_is_const && random_below(seed, 3) == 0;
  l.start = random_below(seed, 1000);
  l.bound = random_below(seed, 1000);
  l.offset = !l.bound_is_const && random_below(seed, 3) == 0 ? (int32_t)random_below(seed, 100) - 50 : 0;
  return l;
}

/* The comparison with its operands exchanged (mirror) or its result inverted (negate). */
static const char *turn_comparison(const char *cmp, bool mirror, bool negate) {
  static const char *const all[] = {"lt", "gt", "le", "ge", "ne", "eq"};
  static const unsigned mirrored[] = {1, 0, 3, 2, 4, 5}, negated[] = {3, 2, 1, 0, 5, 4};
  unsigned i = 0;
  while (strcmp(all[i], cmp) != 0) i++;
  if (mirror) i = mirrored[i];
  return all[negate ? negated[i] : i];
}

/* The loop as a kernel in PTX. */
static void write_loop(const loop_t *l, char *text, size_t size) {
  char move[64], first[64] = "", bound[16] = "%r3", test[160], loads[200] = "";
  const char *cmp = turn_comparison(l->cmp, l->turned && !l->bound_is_const, l->leaves);
  if (l->step_in_register) snprintf(move, sizeof move, "%s.s32 %%r2, %%r2, %%r4;", l->step > 0 ? "add" : "sub");
  else snprintf(move, sizeof move, "add.s32 %%r2, %%r2, %d;", l->step);
  if (l->start_is_const) snprintf(first, sizeof first, "mov.u32 %%r2, %u;", l->start);
  if (l->bound_is_const) snprintf(bound, sizeof bound, "%u", l->bound);
  if (l->offset) snprintf(bound, sizeof bound, "%%r5");
  for (unsigned i = 0; i < l->loads; i++)
    snprintf(loads + strlen(loads), sizeof loads - strlen(loads), "ld.global.f32 %%f%u, [%%r1+%u]; ", i + 1, 8 * i);
  snprintf(test, sizeof test, "setp.%s.%s32 %%p1, %s, %s;", cmp, l->is_signed ? "s" : "u",
           l->turned && !l->bound_is_const ? bound : "%r2", l->turned && !l->bound_is_const ? "%r2" : bound);
  snprintf(text, size,
           ".version 6.0\n.target sm_35\n.address_size 32\n.visible .entry k()\n{\n"
           ".reg .pred %%p<2>; .reg .b32 %%r<9>; .reg .f32 %%f<9>;\n%s\n"
           "L: %s fma.rn.f32 %%f1, %%f1, %%f2, %%f3; st.global.f32 [%%r1+4], %%f1; add.s32 %%r5, %%r3, %d;\n"
           "%s %s %s @%s%%p1 bra L; ret;\n}\n",
           first, loads, l->offset, l->tested_first ? "" : move, test, l->tested_first ? move : "",
           l->leaves ? "!" : "");
}

/* ---- Trips by hand --------------------------------------------------------------------------- */

/* A register's value as the loop's type reads it. */
static int64_t as_number(const loop_t *l, uint32_t reg) {
  return l->is_signed ? (int64_t)(int32_t)reg : (int64_t)reg;
}

/* Is it a number of 32 bits of the loop's kind? */
static bool in_range(const loop_t *l, int64_t value) {
  return l->is_signed ? value >= INT32_MIN && value <= INT32_MAX : value >= 0 && value <= UINT32_MAX;
}

/* The loop's own comparison. */
static bool goes_on(const loop_t *l, int64_t a, int64_t b) {
  if (!strcmp(l->cmp, "lt")) return a < b;
  if (!strcmp(l->cmp, "le")) return a <= b;
  if (!strcmp(l->cmp, "gt")) return a > b;
  if (!strcmp(l->cmp, "ge")) return a >= b;
  return a != b;
}

/* The trips of the loop, by running it. 0: a number wraps round, or steps never meet a "not
 * equal". MOST_TRIPS + 1: more than MOST_TRIPS. */
static unsigned count_trips(const loop_t *l, uint32_t start, uint32_t bound, int64_t step) {
  int64_t at = as_number(l, start), to = as_number(l, bound) + l->offset;
  if (!in_range(l, to)) return 0;
  if (!strcmp(l->cmp, "ne") && ((to - at) % step != 0 || (to - at) / step < 1)) return 0;
  for (unsigned trips = 1; trips <= MOST_TRIPS; trips++) {
    const int64_t before = at;
    at += step;
    if (!in_range(l, at)) return 0;
    if (!goes_on(l, l->tested_first ? before : at, to)) return trips;
  }
  return MOST_TRIPS + 1;
}

/* ---- The entry ------------------------------------------------------------------------------- */

/* The numbers of the registers (0 to 63) that hold start, bound and step, three different ones. */
typedef struct {
  unsigned start, bound, step;
} places_t;

/* Three different registers at random. */
static places_t choose_places(uint64_t *seed) {
  places_t p = {random_below(seed, 64), 0, 0};
  p.bound = (p.start + 1 + random_below(seed, 20)) % 64;
  p.step = (p.start + 21 + random_below(seed, 43)) % 64;
  return p;
}

/* The condition as the 64 bits of the table. */
static uint64_t encode_condition(const tom_condition_t *c, places_t p) {
  uint64_t bits = 0;
  bits = COND_PUT(bits, kind, c->kind);
  bits = COND_PUT(bits, up, c->up);
  bits = COND_PUT(bits, is_signed, c->is_signed);
  bits = COND_PUT(bits, shift, c->shift);
  bits = COND_PUT(bits, beyond, c->beyond);
  bits = COND_PUT(bits, has_start, c->start != PTX_NONE);
  bits = COND_PUT(bits, start, p.start);
  bits = COND_PUT(bits, has_bound, c->bound != PTX_NONE);
  bits = COND_PUT(bits, bound, p.bound);
  bits = COND_PUT(bits, step, p.step);
  return COND_PUT(bits, imm, (uint32_t)c->imm);
}

/* The golden model's verdict, which must be the compiler's. Registers that do not count hold a
 * pattern. */
static bool hardware_holds(const tom_condition_t *c, places_t p, uint32_t start, uint32_t bound, uint32_t step) {
  uint32_t regs[TOM_ENTRY_REGS];
  for (unsigned i = 0; i < TOM_ENTRY_REGS; i++) regs[i] = 0x5a5a0000 + i;
  regs[p.start] = start, regs[p.bound] = bound, regs[p.step] = step;
  const bool holds = tom_cond_entry(encode_condition(c, p), regs);
  assert_int_equal(holds, tom_holds(c, start, bound, step));
  return holds;
}

/* Registers at random, near the ends of the range in half of the cases, with 0 to 23 steps from
 * start to bound and sometimes in the wrong direction. */
static void choose_values(const loop_t *l, uint64_t *seed, uint32_t *start, uint32_t *bound, uint32_t *step) {
  static const uint32_t ends[] = {0, 1, 7, 100, 0x7ffffff0, 0x7fffffff, 0x80000000, 0x80000005, 0xfffffff0, 0xffffffff};
  *step = l->step_in_register ? 1 + random_below(seed, 50) : 0;
  const uint32_t move = l->step_in_register ? *step : (uint32_t)(l->step < 0 ? -l->step : l->step);
  uint32_t distance = move * random_below(seed, 24) + (random_below(seed, 2) ? random_below(seed, move + 1) : 0);
  if (random_below(seed, 8) == 0) distance = 0 - distance;
  *start = random_below(seed, 2) ? ends[random_below(seed, sizeof ends / sizeof *ends)] : (uint32_t)test_random(seed);
  if (l->start_is_const) *start = l->start;
  *bound = l->bound_is_const ? l->bound : (l->step > 0 ? *start + distance : *start - distance) - (uint32_t)l->offset;
  if (l->bound_is_const) *start = l->step > 0 ? *bound - distance : *bound + distance;
}

static void name_register(const tom_entry_t *e, unsigned number, int32_t reg, uint32_t value, uint32_t *regs) {
  assert_int_equal(e->reg[number].reg, reg);
  assert_int_equal(e->word[number], 0);
  regs[number] = value;
}

/* The verdict on the entry as the GPU writes it, with the candidate's own numbers of registers;
 * and the entry's other fields. */
static bool table_entry_holds(const tom_block_t *b, uint32_t start, uint32_t bound, uint32_t step) {
  tom_entry_t e;
  uint32_t regs[TOM_ENTRY_REGS];
  for (unsigned i = 0; i < TOM_ENTRY_REGS; i++) regs[i] = 0xa5a50000 + i;
  assert_true(tom_entry_make(&e, b));
  const uint64_t cond = bits_get(e.bits, META_cond_LSB, META_cond_W);
  if (b->cond.kind != TOM_ALWAYS && b->cond.start != PTX_NONE)
    name_register(&e, COND_GET(cond, start), b->cond.start, start, regs);
  if (b->cond.kind != TOM_ALWAYS && b->cond.bound != PTX_NONE)
    name_register(&e, COND_GET(cond, bound), b->cond.bound, bound, regs);
  if (b->cond.kind == TOM_STEPS) name_register(&e, COND_GET(cond, step), b->cond.step, step, regs);
  assert_int_equal(bits_get(e.bits, META_pc_LSB, META_pc_W), b->begin);
  assert_int_equal(bits_get(e.bits, META_exit_LSB, META_exit_W), b->exit);
  assert_int_equal(bits_get(e.bits, META_tx_LSB, META_tx_W), b->saves_tx);
  assert_int_equal(bits_get(e.bits, META_rx_LSB, META_rx_W), b->saves_rx);
  assert_int_equal(bits_get(e.bits, META_in_LSB, META_in_W), e.in);
  assert_int_equal(bits_get(e.bits, META_out_LSB, META_out_W), e.out);
  assert_int_equal(__builtin_popcountll(e.in), b->sent_size.words + b->sent_size.predicates);
  assert_int_equal(__builtin_popcountll(e.out), b->returned_size.words + b->returned_size.predicates);
  return tom_cond_entry(cond, regs);
}

/* Compiles the loop and judges its condition for VALUES sets of registers. */
static void check_loop(const loop_t *l, uint64_t *seed, unsigned long seen[2]) {
  char code[2048];
  ptx_error_t err;
  write_loop(l, code, sizeof code);
  ptx_module_t *m = ptx_parse(code, strlen(code), "t.ptx", &err);
  assert_non_null(m);
  tom_program_t *p = tom_compile(m, ptx_find_kernel(m, "k"), TOM_REGIONS_ALL);
  assert_non_null(p);
  assert_true(p->num_blocks >= 1);
  const tom_block_t *b = &p->blocks[0]; /* behind it perhaps its body alone */
  assert_true(b->is_loop);
  const places_t places = choose_places(seed);
  for (unsigned i = 0; i < VALUES; i++) {
    uint32_t start, bound, step;
    choose_values(l, seed, &start, &bound, &step);
    const unsigned trips = count_trips(l, start, bound, l->step_in_register ? (int64_t)step * l->step : l->step);
    const bool holds = hardware_holds(&b->cond, places, start, bound, step), enough = trips >= b->least_trips;
    assert_int_equal(table_entry_holds(b, start, bound, step), holds);
    if (!trips) continue;
    /* Of steps in a register half of the trips may be lost by rounding, no more. */
    if (l->step_in_register ? (holds && !enough) || (!holds && trips >= 2 * b->least_trips) : holds != enough) {
      print_message("%s\nfrom %u to %u: %u trips of %u, holds %d\n", code, start, bound, trips, b->least_trips, holds);
      fail();
    }
    seen[holds]++;
  }
  tom_program_free(p);
  ptx_free(m);
}

/* Random loops against counted trips. Conditions that hold and that do not must both be many. */
static void test_loops(void **state) {
  uint64_t seed = 1;
  unsigned long seen[2] = {0};
  (void)state;
  for (unsigned i = 0; i < LOOPS; i++) {
    const loop_t l = make_loop(&seed);
    check_loop(&l, &seed, seen);
  }
  assert_true(seen[0] > LOOPS && seen[1] > LOOPS);
}

/* Any condition that an entry can hold, whatever loop it may belong to. */
static void test_any(void **state) {
  uint64_t seed = 2;
  unsigned long seen[2] = {0};
  (void)state;
  for (unsigned i = 0; i < 300000; i++) {
    const tom_condition_t c = {.kind = (tom_kind_t)random_below(&seed, 3),
                               .up = random_below(&seed, 2),
                               .is_signed = random_below(&seed, 2),
                               .beyond = random_below(&seed, 2),
                               .shift = (uint8_t)random_below(&seed, 16),
                               .start = random_below(&seed, 4) ? 1 : PTX_NONE,
                               .bound = random_below(&seed, 4) ? 2 : PTX_NONE,
                               .step = 3,
                               .imm = (int32_t)((uint32_t)test_random(&seed) >> random_below(&seed, 32))};
    const uint32_t start = (uint32_t)test_random(&seed) >> random_below(&seed, 32),
                   bound = (uint32_t)test_random(&seed) >> random_below(&seed, 32);
    seen[hardware_holds(&c, choose_places(&seed), start, bound,
                        (uint32_t)test_random(&seed) >> random_below(&seed, 32))]++;
  }
  assert_true(seen[0] > 1000 && seen[1] > 1000);
}

/* The comparison can fail: another place, bound or kind gives another verdict. */
static void test_fires(void **state) {
  const tom_condition_t c = {.kind = TOM_DISTANCE, .up = true, .start = 1, .bound = 2, .step = PTX_NONE, .imm = 4};
  const places_t p = {5, 9, 11}, other = {9, 5, 11};
  uint32_t regs[TOM_ENTRY_REGS] = {0};
  (void)state;
  regs[9] = 4;
  assert_true(tom_cond_entry(encode_condition(&c, p), regs));
  assert_false(tom_cond_entry(encode_condition(&c, other), regs));
  assert_false(tom_cond_entry(COND_PUT(encode_condition(&c, p), imm, 5), regs));
  assert_false(tom_cond_entry(COND_PUT(encode_condition(&c, p), kind, KIND_NEVER), regs));
}

/* Enumerators of compiler and hardware agree, and the fields of each list lie one after the
 * other. */
static void test_fields(void **state) {
  (void)state;
  assert_int_equal(KIND_ALWAYS, TOM_ALWAYS);
  assert_int_equal(KIND_DISTANCE, TOM_DISTANCE);
  assert_int_equal(KIND_STEPS, TOM_STEPS);
  assert_int_equal(META_in_W, TOM_MAX_REGS);
  assert_int_equal(1 << COND_start_W, TOM_ENTRY_REGS);
  unsigned entry = 0, cond = 0, request = 0, ack = 0;
#define TOM_FIELD(name, lsb, width, text) assert_int_equal(lsb, entry), entry += width;
#define TOM_COND(name, lsb, width, text) assert_int_equal(lsb, cond), cond += width;
#define TOM_REQ(name, lsb, width, text) assert_int_equal(lsb, request), request += width;
#define TOM_ACK(name, lsb, width, text) assert_int_equal(lsb, ack), ack += width;
#include "tom_meta.def"
  assert_int_equal(request, 8 * 32);
  assert_int_equal(ack, 8 * 16);
  assert_int_equal(entry, 258); /* the paper's bits of an entry */
  assert_int_equal(cond, META_cond_W);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_loops), cmocka_unit_test(test_any),
                                     cmocka_unit_test(test_fires), cmocka_unit_test(test_fields)};
  return cmocka_run_group_tests_name("tom_cond", tests, NULL, NULL);
}

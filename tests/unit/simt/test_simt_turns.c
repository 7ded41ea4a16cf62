/* SPDX-License-Identifier: Apache-2.0
 *
 * Turns of a warp's paths: programs drawn at random, in which each thread decides by itself, with
 * turns given at random moments, against each thread alone; barriers, which all threads pass
 * together; loops with and without progress; endless loops; shared memory that nobody has written.
 */
#include "unit_test.h"

#include <string.h>

#include "simt_meet.h"
#include "simt_turns.h"
#include "simt_unwritten.h"

/* ---- Programs -------------------------------------------------------------------------------- */

enum { MOST = 400, LANES = 32, STEPS = 200000 };

typedef struct {
  simt_op_t ops[MOST];
  simt_kernel_t kernel;
  uint64_t seed;
} program_t;

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
  return (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
}

static unsigned draw(program_t *p, unsigned below) {
  p->seed = mix(p->seed + 1);
  return (unsigned)(p->seed >> 32) % below;
}

static uint32_t add_op(program_t *p, unsigned kind) {
  p->ops[p->kernel.num_ops] = (simt_op_t){.kind = (uint8_t)kind};
  return p->kernel.num_ops++;
}

/* Instructions, branches with one side or two, loops; `deep` levels. */
static void add_body(program_t *p, unsigned deep) {
  for (unsigned n = 1 + draw(p, 3); n--;) {
    add_op(p, SIMT_ALU);
    if (!deep || p->kernel.num_ops > MOST - 100) continue;
    const uint32_t at = p->kernel.num_ops;
    if (draw(p, 3)) { /* @p bra over; body; over: */
      add_op(p, SIMT_BRANCH);
      add_body(p, deep - 1);
      p->ops[at].target = p->ops[at].reconv = p->kernel.num_ops;
    } else { /* body; @p bra back; */
      add_body(p, deep - 1);
      const uint32_t end = add_op(p, SIMT_BRANCH);
      p->ops[end].target = at, p->ops[end].reconv = p->kernel.num_ops;
    }
  }
}

/* Phases, a barrier behind each. */
static void make_program(program_t *p, uint64_t seed) {
  *p = (program_t){.seed = seed};
  for (unsigned phase = 0; phase < 3; phase++) {
    add_body(p, 3);
    add_op(p, SIMT_BARRIER);
  }
  add_op(p, SIMT_EXIT);
  p->kernel.ops = p->ops;
}

/* A thread: how often it was at each instruction, and the sum of the way that it went. */
typedef struct {
  unsigned visits[MOST];
  uint64_t way;
} thread_t;

/* Whether it takes a branch: a loop ends sooner or later. */
static bool takes(const program_t *p, thread_t *t, unsigned lane, uint32_t pc) {
  const bool back = p->ops[pc].target <= pc;
  const uint64_t chance = mix(p->seed ^ (uint64_t)lane << 40 ^ (uint64_t)pc << 20 ^ t->visits[pc]);
  return (chance >> 40) % 3 < (back ? 1u : 2u);
}

static void go(thread_t *t, uint32_t pc) {
  t->visits[pc]++;
  t->way = mix(t->way ^ pc);
}

static uint64_t way_alone(const program_t *p, unsigned lane) {
  thread_t t = {0};
  uint32_t pc = 0;
  while (p->ops[pc].kind != SIMT_EXIT) {
    const bool taken = p->ops[pc].kind == SIMT_BRANCH && takes(p, &t, lane, pc);
    go(&t, pc);
    pc = taken ? p->ops[pc].target : pc + 1;
  }
  return t.way;
}

/* One instruction of the warp. At a barrier all of its threads are there. */
static void step(const program_t *p, simt_stack_t *s, thread_t t[LANES]) {
  const uint32_t pc = simt_stack_pc(s), mask = simt_stack_mask(s);
  const simt_op_t *op = &p->ops[pc];
  uint32_t taken = 0;
  if (op->kind == SIMT_BARRIER) {
    if (!simt_gather(&p->kernel, s)) return;
    assert_int_equal(mask, ~0u);
  }
  for (unsigned i = 0; i < LANES; i++)
    if (mask >> i & 1) {
      if (op->kind == SIMT_BRANCH && takes(p, &t[i], i, pc)) taken |= 1u << i;
      if (op->kind != SIMT_EXIT) go(&t[i], pc);
    }
  if (op->kind == SIMT_EXIT) simt_stack_exit(s, mask);
  else if (op->kind == SIMT_BRANCH) simt_stack_branch(s, taken, op->target, op->reconv);
  else simt_stack_advance(s, pc + 1);
}

/* every: a turn is given in one of so many steps; 0: never. */
static void run_against_threads(uint64_t seed, unsigned every, unsigned *given) {
  static program_t p;
  static thread_t t[LANES];
  simt_stack_t s;
  make_program(&p, seed);
  const uint64_t kept = p.seed;
  memset(t, 0, sizeof t);
  simt_stack_init(&s, ~0u);
  for (unsigned n = 0; simt_stack_mask(&s); n++) {
    assert_true(n < STEPS && s.top < SIMT_STACK_DEPTH);
    step(&p, &s, t);
    if (every && simt_stack_mask(&s) && (mix(seed + n) >> 20) % every == 0) *given += simt_give_turn(&s);
  }
  assert_true(p.seed == kept);
  for (unsigned i = 0; i < LANES; i++) assert_true(t[i].way == way_alone(&p, i));
}

static void test_ways(void **state) {
  (void)state;
  unsigned given = 0;
  for (uint64_t seed = 1; seed <= 300; seed++)
    for (unsigned every = 0; every <= 16; every = every ? 4 * every : 1) run_against_threads(seed, every, &given);
  assert_true(given > 10000);
}

/* A path that has waited gets its turn before one that has run: all of 8 in 8 turns. */
static void test_oldest_first(void **state) {
  (void)state;
  simt_stack_t s;
  simt_stack_init(&s, 0xff);
  for (unsigned i = 0; i < 7; i++) assert_true(simt_stack_branch(&s, 0xffu & ~0u << (i + 1), 100 + i, 1000 - i));
  uint32_t ran = simt_stack_mask(&s);
  for (unsigned i = 0; i < 7; i++) {
    assert_true(simt_give_turn(&s));
    assert_false(ran & simt_stack_mask(&s));
    ran |= simt_stack_mask(&s);
  }
  assert_int_equal(ran, 0xff);
  simt_stack_init(&s, 1);
  assert_false(simt_give_turn(&s)); /* nobody else */
}

/* ---- Loops ----------------------------------------------------------------------------------- */

/* Rounds of a loop from 9 back to 5 until a turn is given; 0: none in `most` rounds. changes: the
 * registers, from round to round. alone: no other path. */
static unsigned rounds_until_turn(const simt_turns_rule_t *rule, bool observes, unsigned changes, bool alone,
                                  unsigned most) {
  uint32_t registers[64] = {0};
  const simt_kernel_t kernel = {.reg_bytes = sizeof registers};
  const simt_warp_t file = {.base = {(uint8_t *)registers}};
  const simt_state_t state = {&kernel, {&file}};
  simt_turns_t t = {0};
  simt_stack_t s;
  simt_stack_init(&s, 3);
  simt_stack_advance(&s, 9);
  if (!alone) assert_true(simt_stack_branch(&s, 1, 5, 10));
  for (unsigned n = 1; n <= most; n++) {
    t.observes = observes;
    simt_stack_advance(&s, 9);
    simt_stack_branch(&s, simt_stack_mask(&s), 5, 10);
    if (changes) registers[40] = n % changes;
    if (simt_turns_branch(&t, rule, &s, 9, false, 0, &state)) return n;
  }
  return 0;
}

static void test_progress(void **state) {
  (void)state;
  const simt_turns_rule_t rule = {true, 4, 100000}, off = {false, 4, 100000}, slow = {true, 50, 100000};
  const unsigned spins = rounds_until_turn(&rule, true, 0, false, 1000);
  assert_in_range(spins, 4, 20);
  assert_in_range(rounds_until_turn(&slow, true, 0, false, 1000), spins + 46, spins + 46);
  assert_in_range(rounds_until_turn(&rule, true, 5, false, 1000), 20, 100);   /* a cycle of 5 states */
  assert_in_range(rounds_until_turn(&rule, false, 0, false, 1000), 256, 400); /* looked at seldom */
  assert_int_equal(rounds_until_turn(&rule, true, 1000000, false, 90000), 0); /* it counts: progress */
  assert_int_equal(rounds_until_turn(&rule, false, 1000000, false, 200000), 100000);
  assert_int_equal(rounds_until_turn(&rule, true, 0, true, 200000), spins); /* other warps may wait */
  assert_int_equal(rounds_until_turn(&rule, true, 1000000, true, 200000), 0);
  assert_int_equal(rounds_until_turn(&rule, false, 0, true, 200000), 0);    /* nobody ends its waiting */
  assert_int_equal(rounds_until_turn(&off, true, 0, false, 200000), spins); /* the warp goes last */
  assert_int_equal(rounds_until_turn(&off, false, 0, false, 200000), 0);
}

/* A look of the watchdog: rounds of a warp without other paths. at: the round in which a register
 * changes for good; 0: never. */
static bool spins(unsigned rounds, unsigned at, bool counts) {
  const simt_turns_rule_t rule = {true, 4, 100000};
  uint32_t registers[64] = {0};
  const simt_kernel_t kernel = {.reg_bytes = sizeof registers};
  const simt_warp_t file = {.base = {(uint8_t *)registers}};
  const simt_state_t state = {&kernel, {&file}};
  simt_turns_t t = {0};
  simt_stack_t s;
  simt_stack_init(&s, ~0u);
  simt_stack_advance(&s, 5);
  for (unsigned n = 1; n <= rounds; n++) {
    if (n == at || counts) registers[63]++;
    assert_false(simt_turns_branch(&t, &rule, &s, 9, false, 7, &state));
  }
  assert_false(simt_turns_spins(&t, 8)); /* of another look it knows nothing */
  assert_false(simt_turns_spins(&t, 0));
  return simt_turns_spins(&t, 7);
}

static void test_looks(void **state) {
  (void)state;
  assert_true(spins(10, 0, false));
  assert_true(spins(5000, 0, false));
  assert_false(spins(1, 0, false));
  assert_false(spins(5000, 0, true));
  assert_false(spins(5000, 1000, false)); /* it went on once: the lock came, and it waits for the next */
}

/* ---- Shared memory --------------------------------------------------------------------------- */

static void test_unwritten(void **state) {
  (void)state;
  const simt_run_t run = {.shared_bytes = 1300, .own_shared = 250, .id = 1};
  uint8_t a[1300], b[1300], written[(1300 + 7) / 8];
  unsigned zeros = 0;
  simt_unwritten_fill(1, &run, 0, a);
  for (unsigned i = 0; i < 250; i++) zeros += !a[i];
  assert_true(zeros < 10);
  for (unsigned i = 250; i < 1300; i++) assert_int_equal(a[i], 0); /* reserved */
  simt_unwritten_fill(1, &run, 0, b);
  assert_memory_equal(a, b, sizeof a);
  simt_unwritten_fill(1, &run, 1, b);
  assert_memory_not_equal(a, b, 250);
  simt_unwritten_fill(2, &run, 0, b);
  assert_memory_not_equal(a, b, 250);
  simt_unwritten_fill(0, &run, 0, b);
  for (unsigned i = 0; i < 1300; i++) assert_int_equal(b[i], 0);

  simt_written_begin(written, &run);
  assert_false(simt_written_access(written, SIMT_LOAD, 0, 4));
  assert_true(simt_written_access(written, SIMT_STORE, 5, 3));
  assert_true(simt_written_access(written, SIMT_LOAD, 5, 3));
  assert_false(simt_written_access(written, SIMT_LOAD, 4, 4));
  assert_false(simt_written_access(written, SIMT_ATOM, 8, 4)); /* which writes, too */
  assert_true(simt_written_access(written, SIMT_LOAD, 8, 4));
  assert_true(simt_written_access(written, SIMT_COPY, 16, 16));
  assert_true(simt_written_access(written, SIMT_LOAD, 20, 8));
  assert_false(simt_written_access(written, SIMT_LOAD, 249, 1));
  assert_true(simt_written_access(written, SIMT_LOAD, 250, 2)); /* reserved */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_ways), cmocka_unit_test(test_oldest_first),
                                     cmocka_unit_test(test_progress), cmocka_unit_test(test_looks),
                                     cmocka_unit_test(test_unwritten)};
  return cmocka_run_group_tests_name("simt_turns", tests, NULL, NULL);
}

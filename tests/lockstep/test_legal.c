/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules of blocks' environments (stim.h: legal_t): which inputs a block may be given.
 *
 * Rules held, for each block below, with its own parameters and with others:
 *   1. Every profile of its stimulus keeps to the rules and raises no error that none of them may
 *      raise. Excepted are the profiles that are there to break rules: each of these is found out
 *      with every seed.
 *   2. Every rule is one that something breaks: such a profile, or a recording with a bit, a cycle
 *      or a field of a packet changed.
 *   3. An error that rises is accepted only when it rose in the recording taken before.
 */
#include "build.h"
#include "legal.h"
#include "run.h"
#include "unit_test.h"

#include <stdlib.h>
#include <string.h>

enum { CYCLES = 4000, SEEDS = 2, TRIES = 8000, SHORT = 400, MOST_RULES = 32 };

/* Is the name in a list that ends with NULL? */
static bool is_one_of(const char *name, const char *const *list) {
  while (*list && strcmp(*list, name)) list++;
  return *list != NULL;
}

/* Profiles that break rules of packets, and one whose code raises errors. */
static bool breaks_rules(const char *profile) {
  return is_one_of(profile, (const char *const[]){"errors", "illegal", NULL});
}
static bool raises_errors(const char *profile) {
  return is_one_of(profile, (const char *const[]){"bad-code", NULL});
}

static void record_profile(const dut_t *dut, uint64_t seed, unsigned profile, uint64_t cycles, trace_t *trace) {
  trace_init(trace, dut->in_size);
  assert_true(run_record(dut, seed, profile, false, cycles, SIZE_MAX, trace));
}

/* Did an output that reports errors rise in the recording just taken? */
static bool has_error(const legal_run_t *legal) {
  bool any = false;
  for (uint32_t i = 0; i < legal->dut->out_size; i++) any |= legal->errors[i] != 0;
  return any;
}

/* Rule 1: each seed's recording is taken, and judged by what its profile is for. */
static void check_profile(legal_run_t *legal, unsigned profile) {
  const char *name = legal->dut->stim->profiles[profile].name;
  unsigned refused = 0, errors = 0;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    trace_t trace;
    record_profile(legal->dut, seed, profile, CYCLES, &trace);
    const bool holds = legal_take(legal, trace.cycles, trace.count);
    refused += !holds;
    errors += has_error(legal);
    if (!holds && !breaks_rules(name))
      fail_msg("%s, profile %s, seed %u: %s in cycle %zu", legal->dut->block, name, (unsigned)seed, legal->rule,
               legal->cycle);
    trace_free(&trace);
  }
  if (breaks_rules(name)) assert_int_equal(refused, SEEDS);
  if (raises_errors(name)) assert_int_equal(errors, SEEDS);
}

/* --- each rule */

/* Marks the rule that the recording just taken broke, if it broke one. */
static void note_broken(const legal_run_t *legal, bool *broken) {
  const legal_t *rules = legal->dut->stim->legal;
  for (unsigned i = 0; i < rules->num_rules; i++) broken[i] |= legal->rule == rules->rules[i];
}

/* Turns a bit of an input over in a cycle, or makes the whole input 0. The cycle gets a copy of
 * its inputs, because cycles may share them. */
static void change_input(trace_t *trace, trace_cycle_t *cycle, const dut_port_t *port, unsigned bit, bool off) {
  if (!cycle->in) return;
  uint64_t *in = trace_copy(trace, cycle->in);
  assert_non_null(in);
  if (off) memset((char *)in + port->offset, 0, port->size);
  else ((char *)in)[port->offset + bit / 8] ^= (char)(1 << bit % 8);
  cycle->in = in;
}

static const dut_port_t *draw_input(rng_t *rng, const dut_t *dut) {
  const dut_port_t *port;
  do port = &dut->ports[rng_below(rng, dut->num_ports)];
  while (port->dir != DUT_IN);
  return port;
}

/* One change: a cycle that comes twice, or is left out, an input
 * that is off from some cycle on, or a bit of one turned over. */
static void spoil_trace(rng_t *rng, const dut_t *dut, trace_t *trace) {
  const size_t at = (size_t)rng_below(rng, trace->count - 1);
  trace_cycle_t *c = &trace->cycles[at];
  const dut_port_t *port = draw_input(rng, dut);
  const unsigned kind = (unsigned)rng_below(rng, 6);
  if (kind == 0) c[1] = c[0];
  else if (kind == 1) memmove(c, c + 1, (trace->count - at - 1) * sizeof *c);
  else if (kind > 2) change_input(trace, c, port, (unsigned)rng_below(rng, port->width), false);
  for (size_t i = at; kind == 2 && i < trace->count; i++) change_input(trace, &trace->cycles[i], port, 0, true);
}

/* Every second try is of a profile that breaks rules. */
static unsigned profile_of_try(const stim_t *stim, unsigned n) {
  unsigned p = n / 2 % stim->num_profiles;
  while (n % 2 && !breaks_rules(stim->profiles[p].name)) p = (p + 1) % stim->num_profiles;
  return p;
}

/* Rule 2: tries changed recordings until every rule is marked as broken. The seed 3 of the
 * changes is one with which all are found within TRIES. */
static void break_rules(legal_run_t *legal, bool *broken) {
  const legal_t *rules = legal->dut->stim->legal;
  const stim_t *stim = legal->dut->stim;
  rng_t rng;
  rng_init(&rng, 3);
  for (unsigned n = 0; n < TRIES && memchr(broken, false, rules->num_rules); n++) {
    const unsigned profile = profile_of_try(stim, n);
    trace_t trace;
    record_profile(legal->dut, n, profile, SHORT, &trace);
    if (!breaks_rules(stim->profiles[profile].name)) spoil_trace(&rng, legal->dut, &trace);
    legal_take(legal, trace.cycles, trace.count);
    note_broken(legal, broken);
    trace_free(&trace);
  }
}

/* --- errors that rise are refused unless they rose before */

/* Rule 3: after a recording with errors they are accepted; after one of 8 quiet cycles the same
 * errors are refused, under the rule "err". */
static void check_errors_count(legal_run_t *legal) {
  trace_t trace, quiet;
  record_profile(legal->dut, 1, 0, 8, &quiet);
  for (unsigned p = 0; p < legal->dut->stim->num_profiles; p++) {
    if (!raises_errors(legal->dut->stim->profiles[p].name)) continue;
    record_profile(legal->dut, 1, p, CYCLES, &trace);
    assert_true(legal_take(legal, trace.cycles, trace.count));
    assert_true(legal_holds(legal, trace.cycles, trace.count));
    assert_true(legal_take(legal, quiet.cycles, quiet.count));
    assert_false(legal_holds(legal, trace.cycles, trace.count));
    assert_string_equal(legal->rule, "err");
    trace_free(&trace);
  }
  trace_free(&quiet);
}

/* The golden model and the stimulus of a block with these parameters. */
static const dut_t *load_block(const char *name, const char *params) {
  static const places_t places = {LOCKSTACK_SOURCE_DIR, LOCKSTACK_BINARY_DIR "/dut"};
  char path[BUILD_PATH];
  trouble_t trouble;
  block_t block;
  const dut_t *dut = NULL;
  const bool good = block_find(&block, &places, name, params, &trouble) &&
                    block_object(&block, &places, *params ? "model" : "rtl", path, &trouble) &&
                    dut_load(path, &dut, &trouble);
  if (!good) fail_msg("%s: %s", name, trouble.text);
  return dut;
}

/* All rules on one object. Rules that were seen broken are marked; the caller asks for all of
 * them. */
static void check_rules(const dut_t *dut, bool *broken) {
  legal_run_t legal;
  assert_true(legal_open(&legal, dut));
  for (unsigned p = 0; p < dut->stim->num_profiles; p++) check_profile(&legal, p);
  break_rules(&legal, broken);
  check_errors_count(&legal);
  legal_close(&legal);
}

/* With its parameters, and with those that have what they have not. */
static void check_block(const char *name, const char *params) {
  bool broken[MOST_RULES] = {false};
  const dut_t *dut = load_block(name, "");
  const legal_t *rules = dut->stim->legal;
  assert_in_range(rules->num_rules, 1, MOST_RULES);
  check_rules(dut, broken);
  check_rules(load_block(name, params), broken);
  for (unsigned i = 0; i < rules->num_rules; i++)
    if (!broken[i]) fail_msg("%s: nothing broke the rule '%s'", name, rules->rules[i]);
}

static void test_nsu(void **state) {
  (void)state;
  check_block("nsu", "PortBits=128,CmdRegs=4,NumWarps=8,RdBufDepth=3,WrBufDepth=2,CmdBufDepth=16");
}

static void test_lsu_ext(void **state) {
  (void)state;
  check_block("lsu_ext", "MemDepth=3,SmemDepth=2,Xacts=5,QueueDepth=3,McCredits=2,Gathers=2,Stores=3");
}

static void test_router(void **state) {
  (void)state;
  check_block("router", "Crit=1,Tr=1,Depth=7,Lookahead=1,Spec=1");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_nsu), cmocka_unit_test(test_lsu_ext),
                                     cmocka_unit_test(test_router)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The vault against three public simulators' figures, against a naive model of its rules, and at its ends.
 */
#include "unit_test.h"

#include <stdlib.h>
#include <string.h>

#include "vault_naive.h"
#include "vault_pattern.h"

static vault_t vault;

static vault_run_result_t measure(vault_pattern_t pattern, unsigned banks) {
  vault_run_config_t c = vault_run_default(pattern);
  c.banks = banks;
  return vault_run(&vault, &c, NULL, NULL);
}

static void assert_near(double value, double expected) {
  if (value < expected * 0.999 || value > expected * 1.001)
    fail_msg("%.5f should be %.5f within 0.1 %%", value, expected);
}

static void reference_figures(void **state) {
  (void)state;
#define DRAM_ISOLATED(pattern, cycles) \
  assert_int_equal(measure(VAULT_PATTERN_##pattern, 1).stats.latency_max, cycles);
#define DRAM_STREAM(pattern, banks, cycles) \
  assert_near(measure(VAULT_PATTERN_##pattern, banks).cycles_per_request, cycles);
#include "dram_reference.def"
}

static void row_counts(void **state) {
  (void)state;
  vault_run_result_t r = measure(VAULT_PATTERN_STREAM_ROW, 1);
  assert_int_equal(r.stats.row_misses, 1);
  assert_int_equal(r.stats.row_conflicts, 156); /* 20000 / 128 */
  assert_int_equal(r.stats.row_hits, 20000 - 157);
  assert_int_equal(measure(VAULT_PATTERN_ISOLATED_CLOSED, 1).stats.row_misses, 1);
  assert_int_equal(measure(VAULT_PATTERN_ISOLATED_HIT, 1).stats.row_hits, 1);
  assert_int_equal(measure(VAULT_PATTERN_ISOLATED_CONFLICT, 1).stats.row_conflicts, 1);
}

/* Limits that follow from one timing each. */
static void single_limits(void **state) {
  (void)state;
  vault_run_config_t c = vault_run_default(VAULT_PATTERN_DISTINCT_ROWS);
  c.banks = 16;
  assert_near(vault_run(&vault, &c, NULL, NULL).cycles_per_request, 5.0); /* tFAW: four activates in 20 */
  c.vault.timing.tFAW = 1;
  c.vault.timing.tRRD = 7;
  assert_near(vault_run(&vault, &c, NULL, NULL).cycles_per_request, 7.0);
  c.vault.timing.tRRD = 1;
  c.vault.timing.tCCD = 6;
  assert_near(vault_run(&vault, &c, NULL, NULL).cycles_per_request, 6.0);
  c = vault_run_default(VAULT_PATTERN_DISTINCT_ROWS);
  c.reads = 0; /* a row cycle of a write: 9 + 7 + 4 + 12 + 9 */
  assert_near(vault_run(&vault, &c, NULL, NULL).cycles_per_request, 41.0);
  c.outstanding = 1; /* the next is pushed when the data have ended: 1 + 9 + 9 + 7 + 4, but the precharge waits tWR */
  assert_near(vault_run(&vault, &c, NULL, NULL).cycles_per_request, 41.0);
}

/* Read and write of one row by turns, in order because of one outstanding: write to read, read to write. */
static void turnaround(void **state) {
  (void)state;
  vault_request_t trace[1000];
  for (unsigned i = 0; i < 1000; i++) trace[i] = (vault_request_t){.bursts = 1, .write = i % 2, .column = 1};
  vault_run_config_t c = vault_run_default(VAULT_PATTERN_TRACE);
  c.trace = trace;
  c.requests = 1000;
  vault_run_result_t r = vault_run(&vault, &c, NULL, NULL); /* one address: order is kept */
  assert_int_equal(r.cycles, 1 + 9 + 499 * (8 + 16) + 8 + 7 + 4);
  c.vault.timing.tRTW = 20;
  assert_int_equal(vault_run(&vault, &c, NULL, NULL).cycles, 1 + 9 + 499 * (20 + 16) + 20 + 7 + 4);
}

/* ---- against the naive model ---- */

typedef struct traffic {
  unsigned banks, rows, columns, push_percent, write_percent;
} traffic_t;

static vault_request_t random_request(const traffic_t *t, uint64_t *seed) {
  return (vault_request_t){.bank = (uint16_t)(test_random(seed) % t->banks),
                           .row = (uint32_t)(test_random(seed) % t->rows),
                           .column = test_random(seed) % t->columns,
                           .bursts = (uint8_t)(1 + test_random(seed) % 2),
                           .write = test_random(seed) % 100 < t->write_percent};
}

static void vary_timing(dram_timing_t *d, uint64_t *seed) {
  uint32_t *fields[] = {&d->tRP, &d->tRCD, &d->tCL, &d->tCCD, &d->tWR, &d->tRAS, &d->tRC, &d->CWL,
                        &d->BL,  &d->tRTP, &d->tWTR, &d->tRRD, &d->tFAW};
  for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
    if (test_random(seed) % 3 == 0) *fields[i] = (uint32_t)(1 + test_random(seed) % 40);
  if (test_random(seed) % 4 == 0) d->tRTW = (uint32_t)(1 + test_random(seed) % 20);
}

/* Same pushes into both; every request must end in the same cycle. */
static void compare(const vault_config_t *config, const traffic_t *t, uint64_t seed, bool skip) {
  enum { REQUESTS = 250, MOST_CYCLES = 400000 };
  static naive_entry_t queue[REQUESTS];
  static naive_t naive;
  memset(&naive, 0, sizeof naive);
  naive.config = *config;
  naive.queue = queue;
  naive.refresh_at = config->timing.tREFI;
  vault_init(&vault, config);
  unsigned popped = 0;
  for (uint64_t now = 0; popped < REQUESTS; now++) {
    vault_done_t done;
    assert_true(now < MOST_CYCLES);
    naive_cycle(&naive, now);
    if (!skip || vault_next_event(&vault) <= now) vault_advance(&vault, now);
    while (vault_pop(&vault, now, &done)) {
      naive_entry_t *e = done.user;
      if (e->done != done.done)
        fail_msg("request %td ended at %lu, naive %lu", e - queue, (long)done.done, (long)e->done);
      popped++;
    }
    if (naive.count < REQUESTS && vault_can_push(&vault) && test_random(&seed) % 100 < t->push_percent) {
      naive_entry_t *e = &queue[naive.count++];
      *e = (naive_entry_t){.request = random_request(t, &seed)};
      e->request.user = e;
      vault_push(&vault, &e->request, now);
    }
  }
  assert_true(vault_idle(&vault));
}

static void equals_naive(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (unsigned run = 0; run < 60; run++) {
    vault_config_t config = vault_default_config();
    traffic_t t = {.banks = 1U + (unsigned)(test_random(&seed) % 16), .rows = 1U + (unsigned)(test_random(&seed) % 6),
                   .columns = 1U + (unsigned)(test_random(&seed) % 8), .push_percent = run % 3 == 0 ? 100 : 12,
                   .write_percent = (unsigned)(test_random(&seed) % 101)};
    config.queue = run % 4 == 1 ? 1 + (unsigned)(test_random(&seed) % 8) : 64;
    config.bypass = run % 5 == 2 ? 3 : 128;
    config.refresh = run % 2;
    if (run >= 30) {
      config.banks = 1U << test_random(&seed) % 4;
      config.row_buffers = 1U << test_random(&seed) % 4;
      config.bank_io = run % 3 != 1;
      t.banks = config.banks;
    }
    if (run >= 10) vary_timing(&config.timing, &seed);
    if (config.refresh) config.timing.tREFI = 600;
    compare(&config, &t, seed, run % 7 != 0);
  }
}

/* ---- ends ---- */

static void same_address_order(void **state) {
  (void)state;
  enum { REQUESTS = 1500 };
  static unsigned number[REQUESTS], column[REQUESTS];
  static bool write[REQUESTS], ended[REQUESTS];
  uint64_t seed = 5, now = 0;
  vault_config_t config = vault_default_config();
  vault_init(&vault, &config);
  for (unsigned pushed = 0, popped = 0; popped < REQUESTS; now++) {
    vault_done_t done;
    vault_advance(&vault, now);
    while (vault_pop(&vault, now, &done)) {
      unsigned i = *(unsigned *)done.user;
      ended[i] = true;
      popped++;
      for (unsigned j = 0; j < i; j++) /* nothing older of this address is left behind, unless both read */
        if (column[j] == column[i] && (write[i] || write[j])) assert_true(ended[j]);
    }
    if (pushed == REQUESTS || !vault_can_push(&vault)) continue;
    number[pushed] = pushed;
    column[pushed] = (unsigned)(test_random(&seed) % 8);
    write[pushed] = test_random(&seed) % 2;
    vault_request_t r = {.bank = (uint16_t)(column[pushed] % 4),
                         .column = column[pushed],
                         .row = column[pushed] / 4,
                         .bursts = 2,
                         .write = write[pushed],
                         .user = &number[pushed]};
    vault_push(&vault, &r, now);
    pushed++;
  }
}

/* A stream of hits against one request of another row in the same bank: it waits for the bound, and no longer. */
static uint64_t wait_against_stream(unsigned bypass, uint64_t stream) {
  vault_config_t config = vault_default_config();
  config.bypass = bypass;
  config.refresh = false;
  vault_init(&vault, &config);
  uint64_t pushed = 0, now = 0;
  int victim = 0;
  for (;; now++) {
    vault_done_t done;
    vault_advance(&vault, now);
    while (vault_pop(&vault, now, &done))
      if (done.user == &victim) return done.done - done.pushed;
    if (!vault_can_push(&vault)) continue;
    bool is_victim = pushed == 8;
    if (pushed >= stream && !is_victim) continue;
    vault_request_t r = {.bursts = 1, .row = is_victim, .column = pushed, .user = is_victim ? &victim : NULL};
    vault_push(&vault, &r, now);
    pushed++;
  }
}

static void no_starvation(void **state) {
  (void)state;
  uint64_t bounded = wait_against_stream(128, 4000), unbounded = wait_against_stream(0, 4000);
  assert_true(bounded < 8 * 4 + 128 * 4 + 64);
  assert_true(unbounded > 3900 * 4);
  assert_int_equal(vault.stats.alone, 0);
  wait_against_stream(128, 4000);
  assert_int_equal(vault.stats.alone, 1);
}

static void full_queue(void **state) {
  (void)state;
  vault_config_t config = vault_default_config();
  config.queue = 64;
  vault_init(&vault, &config);
  vault_request_t r = {.bursts = 1};
  vault_done_t done;
  for (unsigned i = 0; i < 64; i++) {
    assert_true(vault_can_push(&vault));
    r.row = i;
    vault_push(&vault, &r, 0);
  }
  assert_false(vault_can_push(&vault));
  assert_int_equal(vault_queued(&vault), 64);
  vault_advance(&vault, 9);
  assert_false(vault_can_push(&vault));
  vault_advance(&vault, 10); /* the first read command frees its entry */
  assert_true(vault_can_push(&vault));
  vault_advance(&vault, 1000000);
  for (unsigned i = 0; i < 64; i++) assert_true(vault_pop(&vault, 1000000, &done));
  assert_false(vault_pop(&vault, 1000000, &done));
  assert_true(vault_idle(&vault));
  assert_int_equal(vault_next_event(&vault), 5200 * (1000000 / 5200 + 1)); /* only refresh is left */
}

static void refreshes_on_time(void **state) {
  (void)state;
  vault_run_config_t c = vault_run_default(VAULT_PATTERN_STREAM_HIT);
  c.vault.refresh = true;
  vault_run_result_t r = vault_run(&vault, &c, NULL, NULL);
  assert_int_equal(r.stats.refreshes, r.cycles / c.vault.timing.tREFI);
  /* each costs precharge, tRFC and an activate: 9 + 174 + 9, and up to a few cycles until the row may close */
  double cost = ((double)r.cycles - 80019) / (double)r.stats.refreshes;
  assert_true(cost > 188 && cost < 200);
}

static void configurations(void **state) {
  (void)state;
  vault_config_t c = vault_default_config();
  long least, most;
  assert_int_equal(vault_set_timing(&c.timing, "tRRD", 1, NULL, NULL), 0);
  assert_int_equal(c.timing.tRRD, 1);
  assert_int_equal(vault_set_timing(&c.timing, "tXYZ", 1, NULL, NULL), -1);
  assert_int_equal(vault_set_timing(&c.timing, "tFAW", 0, &least, &most), -2);
  assert_int_equal(least, 1);
  assert_int_equal(c.timing.tFAW, 20);
  assert_null(vault_check_config(&c));
  c.timing.tREFI = c.timing.tRFC;
  assert_non_null(vault_check_config(&c));
  c.refresh = false;
  assert_null(vault_check_config(&c));
  c.row_buffers = 4;
  assert_null(vault_check_config(&c)); /* 16 banks of 4: as many as there may be */
  c.row_buffers = 8;
  assert_non_null(vault_check_config(&c));
  c.banks = 8;
  assert_null(vault_check_config(&c));
  c.row_buffers = 3;
  assert_non_null(vault_check_config(&c));
  c.row_buffers = 1;
  c.banks = 0;
  assert_non_null(vault_check_config(&c));
}

static void deterministic(void **state) {
  (void)state;
  vault_run_config_t c = vault_run_default(VAULT_PATTERN_RANDOM);
  vault_run_result_t a = vault_run(&vault, &c, NULL, NULL), b = vault_run(&vault, &c, NULL, NULL);
  assert_memory_equal(&a, &b, sizeof a);
  c.seed = 2;
  b = vault_run(&vault, &c, NULL, NULL);
  assert_int_not_equal(a.cycles, b.cycles);
  assert_int_equal(b.stats.reads + b.stats.writes, c.requests);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reference_figures), cmocka_unit_test(row_counts),    cmocka_unit_test(single_limits),
      cmocka_unit_test(turnaround),        cmocka_unit_test(equals_naive),  cmocka_unit_test(same_address_order),
      cmocka_unit_test(no_starvation),     cmocka_unit_test(full_queue),    cmocka_unit_test(refreshes_on_time),
      cmocka_unit_test(configurations),    cmocka_unit_test(deterministic),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The vault against three public simulators' figures (dram_reference.def), against a naive
 * model of its rules (vault_naive.h), and at its ends: full queues, starvation, refresh, limits
 * of the configuration. Then the patterns that drive it. Times are in cycles of the DRAM (tCK).
 */
#include "unit_test.h"

#include <stdlib.h>
#include <string.h>

#include "vault_naive.h"
#include "vault_pattern.h"

static vault_t vault;

/* The pattern's default run on so many banks. */
static vault_run_result_t measure_pattern(vault_pattern_t pattern, unsigned banks) {
  vault_run_config_t c = vault_run_default(pattern);
  c.banks = banks;
  return vault_run(&vault, &c, NULL, NULL);
}

/* Within 0.1 %: the slack of the reference's figures for streams. */
static void assert_near(double value, double expected) {
  if (value < expected * 0.999 || value > expected * 1.001)
    fail_msg("%.5f should be %.5f within 0.1 %%", value, expected);
}

/* dram_reference.def: latencies exactly, cycles of streams within 0.1 %. */
static void reference_figures(void **state) {
  (void)state;
#define DRAM_ISOLATED(pattern, cycles) \
  assert_int_equal(measure_pattern(VAULT_PATTERN_##pattern, 1).stats.latency_max, cycles);
#define DRAM_STREAM(pattern, banks, cycles) \
  assert_near(measure_pattern(VAULT_PATTERN_##pattern, banks).cycles_per_request, cycles);
#include "dram_reference.def"
}

/* 128 requests a row: 20000 of them open 157 rows, of which the first finds its bank closed. */
static void row_counts(void **state) {
  (void)state;
  vault_run_result_t r = measure_pattern(VAULT_PATTERN_STREAM_ROW, 1);
  assert_int_equal(r.stats.row_misses, 1);
  assert_int_equal(r.stats.row_conflicts, 156); /* 20000 / 128 */
  assert_int_equal(r.stats.row_hits, 20000 - 157);
  assert_int_equal(measure_pattern(VAULT_PATTERN_ISOLATED_CLOSED, 1).stats.row_misses, 1);
  assert_int_equal(measure_pattern(VAULT_PATTERN_ISOLATED_HIT, 1).stats.row_hits, 1);
  assert_int_equal(measure_pattern(VAULT_PATTERN_ISOLATED_CONFLICT, 1).stats.row_conflicts, 1);
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

/* Read and write of one row by turns, in order because
 * of one outstanding: write to read, read to write. */
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

/* Few banks, rows and columns, so that requests meet: hits, conflicts, one address twice. */
static vault_request_t random_request(const traffic_t *t, uint64_t *seed) {
  return (vault_request_t){.bank = (uint16_t)(test_random(seed) % t->banks),
                           .row = (uint32_t)(test_random(seed) % t->rows),
                           .column = test_random(seed) % t->columns,
                           .bursts = (uint8_t)(1 + test_random(seed) % 2),
                           .write = test_random(seed) % 100 < t->write_percent};
}

/* Every third timing becomes anything from 1 to 40. tRTW, which follows
 * from others by default, gets a value in a quarter of the runs. */
static void vary_timing(dram_timing_t *d, uint64_t *seed) {
  uint32_t *fields[] = {&d->tRP, &d->tRCD, &d->tCL,  &d->tCCD, &d->tWR,  &d->tRAS, &d->tRC,
                        &d->CWL, &d->BL,   &d->tRTP, &d->tWTR, &d->tRRD, &d->tFAW};
  for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
    if (test_random(seed) % 3 == 0) *fields[i] = (uint32_t)(1 + test_random(seed) % 40);
  if (test_random(seed) % 4 == 0) d->tRTW = (uint32_t)(1 + test_random(seed) % 20);
}

/* Same pushes into both; every request must end in the same cycle. */
static void compare_with_naive(const vault_config_t *config, const traffic_t *t, uint64_t seed, bool skip) {
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

/* Ten runs with the default timing, then with random ones. From run
 * 30 on banks, row buffers and data paths vary, too. In six runs of
 * seven the vault is called only when it says that something is due. */
static void equals_naive(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (unsigned run = 0; run < 60; run++) {
    vault_config_t config = vault_default_config();
    traffic_t t = {.banks = 1U + (unsigned)(test_random(&seed) % 16),
                   .rows = 1U + (unsigned)(test_random(&seed) % 6),
                   .columns = 1U + (unsigned)(test_random(&seed) % 8),
                   .push_percent = run % 3 == 0 ? 100 : 12,
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
    compare_with_naive(&config, &t, seed, run % 7 != 0);
  }
}

/* ---- ends ---- */

/* Requests to one address end in the order of their pushes, unless both of them read. */
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

/* A stream of hits against one request of another row in
 * the same bank: it waits for the bound, and no longer. */
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

/* Before the victim come eight requests and at most 128 that pass it, of
 * four cycles each, and the change of the row. Without a bound the whole
 * stream passes it. `alone` counts how often the bound was reached. */
static void no_starvation(void **state) {
  (void)state;
  uint64_t bounded = wait_against_stream(128, 4000), unbounded = wait_against_stream(0, 4000);
  assert_true(bounded < 8 * 4 + 128 * 4 + 64);
  assert_true(unbounded > 3900 * 4);
  assert_int_equal(vault.stats.alone, 0);
  wait_against_stream(128, 4000);
  assert_int_equal(vault.stats.alone, 1);
}

/* 64 entries and no more. An entry is free when its column
 * command is issued: activate in cycle 1, tRCD 9, so in cycle 10. */
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

/* One for each tREFI; 80019 cycles is the run without. */
static void refreshes_on_time(void **state) {
  (void)state;
  vault_run_config_t c = vault_run_default(VAULT_PATTERN_STREAM_HIT);
  c.vault.refresh = true;
  vault_run_result_t r = vault_run(&vault, &c, NULL, NULL);
  assert_int_equal(r.stats.refreshes, r.cycles / c.vault.timing.tREFI);
  /* each costs precharge, tRFC and an activate: 9 + 174 +
   * 9, and up to a few cycles until the row may close */
  double cost = ((double)r.cycles - 80019) / (double)r.stats.refreshes;
  assert_true(cost > 188 && cost < 200);
}

/* A timing has a name and a range: -1 for another name, -2 for a value out of range.
 * Refresh must leave time for requests. At most 64 row buffers in all banks together. */
static void vault_config_limits(void **state) {
  (void)state;
  vault_config_t c = vault_default_config();
  long least, most;
  assert_int_equal(vault_set_timing(&c.timing, "tRRD", 1, NULL, NULL), 0);
  assert_int_equal(c.timing.tRRD, 1);
  assert_int_equal(vault_set_timing(&c.timing, "tXYZ", 1, NULL, NULL), -1);
  assert_int_equal(vault_set_timing(&c.timing, "tFAW", 0, &least, &most), -2);
  assert_int_equal(least, 1);
  assert_int_equal(c.timing.tFAW, 20);
  assert_null(REFUSAL(vault_check_config, &c));
  c.timing.tREFI = c.timing.tRFC;
  assert_non_null(REFUSAL(vault_check_config, &c));
  c.refresh = false;
  assert_null(REFUSAL(vault_check_config, &c));
  c.row_buffers = 4;
  assert_null(REFUSAL(vault_check_config, &c)); /* 16 banks of 4: as many as there may be */
  c.row_buffers = 8;
  assert_non_null(REFUSAL(vault_check_config, &c));
  c.banks = 8;
  assert_null(REFUSAL(vault_check_config, &c));
  c.row_buffers = 3;
  assert_non_null(REFUSAL(vault_check_config, &c));
  c.row_buffers = 1;
  c.banks = 0;
  assert_non_null(REFUSAL(vault_check_config, &c));
}

/* One seed gives one run, to the last count. Another seed gives another. */
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

/* ---- limits and sums ---- */

/* 266 tCK may pass from a refresh that is due to the next column command: tRC 33 + tRCD 9 + CWL 7 +
 *     BL 4 + tWR 12 + tRP 9 until the row
 * that was just written is closed, tRFC 174, then tRCD 9 + tCCD 4 + tWTR 5. One tCK more must be
 * left. */
static void refreshes_leave_time(void **state) {
  (void)state;
  vault_config_t c = vault_default_config();
  c.timing.tREFI = 266;
  assert_non_null(REFUSAL(vault_check_config, &c));
  c.timing.tREFI = 267;
  assert_null(REFUSAL(vault_check_config, &c));
}

/* Each upper limit is allowed; one more is refused with the limit's message. */
static void most_of_everything(void **state) {
  (void)state;
  vault_config_t c = vault_default_config();
  c.banks = 64, c.queue = 128, c.held = 256;
  assert_null(REFUSAL(vault_check_config, &c));
  vault_config_t banks = c, queue = c, held = c;
  banks.banks = 65, queue.queue = 129, held.held = 257;
  assert_string_equal(REFUSAL(vault_check_config, &banks), "banks must be 1 to 64");
  assert_string_equal(REFUSAL(vault_check_config, &queue), "queue must be 1 to 128 entries");
  assert_string_equal(REFUSAL(vault_check_config, &held), "held must be 1 to 256 requests");
}

/* Every count is a sum, the longest latency the longer of two. */
static void stats_add_up(void **state) {
  (void)state;
  const vault_stats_t a = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 12},
                      b = {100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1300, 1200};
  const vault_stats_t expected = {101, 202, 303, 404, 505, 606, 707, 808, 909, 1010, 1111, 1313, 1200};
  vault_stats_t up = a, down = b;
  vault_stats_add(&up, &b);
  vault_stats_add(&down, &a);
  assert_memory_equal(&up, &expected, sizeof up);
  assert_memory_equal(&down, &expected, sizeof down);
}

/* ---- patterns, seen by a device that ends every request ten cycles after its push ---- */

enum { SEEN = 200, TAKES = 10 };

typedef struct watcher {
  vault_request_t first[SEEN];
  uint64_t at[SEEN], ends[64];           /* at: cycle of the push; ends: of what is under way, a ring */
  uint64_t pushed, ended, cleared, most; /* most: at once under way */
} watcher_t;

static watcher_t watcher;

/* A device that takes all and ends each request TAKES cycles later. */
static bool watcher_can_push(const void *context) {
  (void)context;
  return true;
}

static void watcher_push(void *context, const vault_request_t *r, uint64_t now) {
  watcher_t *w = context;
  if (w->pushed < SEEN) w->first[w->pushed] = *r, w->at[w->pushed] = now;
  w->ends[w->pushed++ % 64] = now + TAKES;
  if (w->pushed - w->ended > w->most) w->most = w->pushed - w->ended;
}

static unsigned watcher_step(void *context, uint64_t now) {
  watcher_t *w = context;
  unsigned ended = 0;
  for (; w->ended < w->pushed && w->ends[w->ended % 64] <= now; w->ended++) ended++;
  return ended;
}

static uint64_t watcher_next_event(const void *context) {
  const watcher_t *w = context;
  return w->ended < w->pushed ? w->ends[w->ended % 64] : VAULT_NEVER;
}

static void watcher_clear(void *context) {
  ((watcher_t *)context)->cleared++;
}

static vault_stats_t watcher_stats(const void *context) {
  (void)context;
  return (vault_stats_t){.read_bursts = 30, .write_bursts = 20, .latency_sum = 1500};
}

static vault_run_result_t watch_pattern_with(const vault_run_config_t *c, vault_progress_t *progress, void *context) {
  const pattern_device_t device = {&watcher,           watcher_can_push, watcher_push, watcher_step,
                                   watcher_next_event, watcher_clear,    watcher_stats};
  memset(&watcher, 0, sizeof watcher);
  return pattern_run(&device, c, progress, context);
}

/* Runs the pattern against the watcher, which then
 * knows the first 200 requests and their cycles. */
static vault_run_result_t watch_pattern(const vault_run_config_t *c) {
  return watch_pattern_with(c, NULL, NULL);
}

/* dram.csv's runs: 20000 requests, 64 outstanding, refresh off,
 * one bank; NSU paper's 16 banks where the pattern takes any. */
static void pattern_defaults(void **state) {
  (void)state;
  for (vault_pattern_t p = 0; p < VAULT_NUM_PATTERNS; p++) {
    vault_run_config_t c = vault_run_default(p);
    bool one =
        p == VAULT_PATTERN_ISOLATED_CLOSED || p == VAULT_PATTERN_ISOLATED_HIT || p == VAULT_PATTERN_ISOLATED_CONFLICT;
    assert_int_equal(c.pattern, p);
    assert_int_equal(c.requests, one ? 1 : 20000);
    assert_int_equal(c.banks, p == VAULT_PATTERN_RANDOM || p == VAULT_PATTERN_TRACE ? 16 : 1);
    assert_int_equal(c.rows, p == VAULT_PATTERN_PING_PONG ? 2 : 16384);
    assert_int_equal(c.row_requests, 128);
    assert_int_equal(c.outstanding, 64);
    assert_true(c.reads == (p == VAULT_PATTERN_RANDOM ? 2.0 / 3.0 : 1.0));
    assert_false(c.vault.refresh);
  }
}

/* Names of the command line and back; -1 for a name that is no pattern's. */
static void pattern_names(void **state) {
  (void)state;
  assert_int_equal(vault_pattern_from_name("isolated-closed"), VAULT_PATTERN_ISOLATED_CLOSED);
  assert_int_equal(vault_pattern_from_name("stream-row128"), VAULT_PATTERN_STREAM_ROW);
  assert_int_equal(vault_pattern_from_name("trace"), VAULT_PATTERN_TRACE);
  assert_int_equal(vault_pattern_from_name("random2"), -1);
  assert_string_equal(vault_pattern_name(VAULT_PATTERN_PING_PONG), "ping-pong");
  assert_string_equal(vault_pattern_text(VAULT_PATTERN_RANDOM), "random bank, row and column");
}

/* Three banks in turn; each bank's n-th request is in row n / 4 (stream-row128), n (distinct-rows)
 * or n mod 5 (ping-pong), and meets a row's columns in order. */
static void patterns_walk_rows_and_columns(void **state) {
  (void)state;
  static const vault_pattern_t walks[] = {VAULT_PATTERN_STREAM_HIT, VAULT_PATTERN_STREAM_ROW,
                                          VAULT_PATTERN_DISTINCT_ROWS, VAULT_PATTERN_PING_PONG};
  for (unsigned k = 0; k < 4; k++) {
    vault_run_config_t c = vault_run_default(walks[k]);
    c.banks = 3, c.rows = 5, c.row_requests = 4, c.requests = SEEN;
    watch_pattern(&c);
    for (unsigned i = 0; i < SEEN; i++) {
      const vault_request_t *r = &watcher.first[i];
      const unsigned n = i / 3, row[] = {0, n / 4, n, n % 5}, column[] = {n, n % 4, n, n / 5};
      assert_int_equal(r->bank, i % 3);
      assert_int_equal(r->row, row[k]);
      assert_int_equal(r->column, column[k]);
      assert_int_equal(r->bursts, 1);
      assert_false(r->write);
    }
  }
}

/* Of seed 0 the numbers are splitmix64's own, which begin with e220a8397b1dcdaf, 6e789e6aa1b965f4
 * (0.43 of 2^64), 06c45d188009454f, f88bb8a8724c81ec (0.97): of two, the first is the address, bank
 * lowest, row from bit 8, column from bit 44, the second the kind. */
static void random_is_splitmix64(void **state) {
  (void)state;
  vault_run_config_t c = vault_run_default(VAULT_PATTERN_RANDOM);
  c.seed = 0, c.requests = SEEN;
  watch_pattern(&c);
  const vault_request_t *r = watcher.first;
  assert_int_equal(r[0].bank, 0xf);
  assert_int_equal(r[0].row, 0x1dcd);
  assert_int_equal(r[0].column, 0x0a);
  assert_false(r[0].write);
  assert_int_equal(r[1].bank, 0xf);
  assert_int_equal(r[1].row, 0x0945);
  assert_int_equal(r[1].column, 0x45);
  assert_true(r[1].write);
  c.banks = 5, c.rows = 1000, c.row_requests = 7;
  watch_pattern(&c);
  uint64_t seed = 0;
  for (unsigned i = 0; i < SEEN; i++) {
    uint64_t x = test_random(&seed), kind = test_random(&seed);
    assert_int_equal(r[i].bank, x % 5);
    assert_int_equal(r[i].row, (x >> 8) % 1000);
    assert_int_equal(r[i].column, (x >> 44) % 7);
    assert_int_equal(r[i].write, kind >= UINT64_C(0xaaaaaaaaaaaaa800)); /* two thirds of 2^64, in doubles' 53 bits */
  }
}

/* Seeds 1 and 2 draw other rows. */
static void seeds_differ(void **state) {
  (void)state;
  vault_run_config_t c = vault_run_default(VAULT_PATTERN_RANDOM);
  c.requests = SEEN;
  watch_pattern(&c);
  vault_request_t one[SEEN];
  memcpy(one, watcher.first, sizeof one);
  c.seed = 2;
  watch_pattern(&c);
  unsigned same = 0;
  for (unsigned i = 0; i < SEEN; i++) same += one[i].row == watcher.first[i].row;
  assert_true(same < 10); /* of 16384 rows: 0.01 expected */
}

/* One push a cycle until `outstanding` are under way;
 * then the next when one ends: 3 in 10 cycles. */
static void outstanding_is_kept(void **state) {
  (void)state;
  vault_run_config_t c = vault_run_default(VAULT_PATTERN_STREAM_HIT);
  c.requests = 30, c.outstanding = 3;
  vault_run_result_t r = watch_pattern(&c);
  assert_int_equal(watcher.most, 3);
  for (unsigned i = 0; i < 30; i++) assert_int_equal(watcher.at[i], i / 3 * 10 + i % 3);
  assert_int_equal(r.requests, 30);
  assert_int_equal(r.cycles, 9 * 10 + 2 + TAKES);
  assert_true(r.cycles_per_request == 102.0 / 30);
  assert_true(r.mean_latency == 50);                /* 1500 / 30 */
  assert_true(r.bus_utilisation == 50.0 * 4 / 102); /* 50 bursts of BL 4 */
  c.vault.bank_io = true;
  assert_true(watch_pattern(&c).bus_utilisation == 50.0 * 4 / 102 / 16); /* of 16 data paths */
}

/* Nothing comes before the request of a closed bank; the open row's is opened by another column of
 * it, a conflict's by the next row of the same row buffer. That one is neither counted nor
 * timed. */
static void isolated_requests_find_their_row(void **state) {
  (void)state;
  vault_run_config_t c = vault_run_default(VAULT_PATTERN_ISOLATED_CLOSED);
  assert_int_equal(watch_pattern(&c).cycles, TAKES);
  assert_int_equal(watcher.pushed, 1);
  assert_int_equal(watcher.at[0], 0);
  assert_int_equal(watcher.cleared, 0);
  for (unsigned conflict = 0; conflict < 2; conflict++) {
    c = vault_run_default(conflict ? VAULT_PATTERN_ISOLATED_CONFLICT : VAULT_PATTERN_ISOLATED_HIT);
    c.vault.banks = 4, c.vault.row_buffers = 4;
    vault_run_result_t r = watch_pattern(&c);
    assert_int_equal(r.requests, 1);
    assert_int_equal(r.cycles, TAKES);
    assert_int_equal(watcher.pushed, 2);
    assert_int_equal(watcher.cleared, 1);
    assert_int_equal(watcher.first[0].row, conflict ? 4 : 0);
    assert_int_equal(watcher.first[1].row, 0);
    assert_int_not_equal(watcher.first[0].column, watcher.first[1].column);
    assert_true(watcher.at[1] > 4096); /* the longest timing there may be, but refresh's */
  }
}

typedef struct reporter {
  uint64_t done[8];
  unsigned calls, stop_at;
} reporter_t;

/* Notes how many requests were done at each call. The call number stop_at ends the run. */
static bool count_progress(void *context, uint64_t done) {
  reporter_t *r = context;
  assert_true(r->calls < 8);
  r->done[r->calls++] = done;
  return r->calls != r->stop_at;
}

/* Every 65536 requests, and false ends the run there. */
static void progress_is_told_and_can_stop(void **state) {
  (void)state;
  vault_run_config_t c = vault_run_default(VAULT_PATTERN_STREAM_HIT);
  c.requests = 200000, c.outstanding = 1;
  reporter_t all = {.stop_at = 0}, two = {.stop_at = 2};
  assert_int_equal(watch_pattern_with(&c, count_progress, &all).requests, 200000);
  assert_int_equal(all.calls, 3);
  for (unsigned i = 0; i < 3; i++) assert_int_equal(all.done[i], 65536 * (i + 1));
  vault_run_result_t r = watch_pattern_with(&c, count_progress, &two);
  assert_int_equal(two.calls, 2);
  assert_int_equal(r.requests, 131072);
  assert_int_equal(r.cycles, 1310720);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reference_figures),
      cmocka_unit_test(row_counts),
      cmocka_unit_test(single_limits),
      cmocka_unit_test(turnaround),
      cmocka_unit_test(equals_naive),
      cmocka_unit_test(same_address_order),
      cmocka_unit_test(no_starvation),
      cmocka_unit_test(full_queue),
      cmocka_unit_test(refreshes_on_time),
      cmocka_unit_test(vault_config_limits),
      cmocka_unit_test(deterministic),
      cmocka_unit_test(refreshes_leave_time),
      cmocka_unit_test(most_of_everything),
      cmocka_unit_test(stats_add_up),
      cmocka_unit_test(pattern_defaults),
      cmocka_unit_test(pattern_names),
      cmocka_unit_test(patterns_walk_rows_and_columns),
      cmocka_unit_test(random_is_splitmix64),
      cmocka_unit_test(seeds_differ),
      cmocka_unit_test(outstanding_is_kept),
      cmocka_unit_test(isolated_requests_find_their_row),
      cmocka_unit_test(progress_is_told_and_can_stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

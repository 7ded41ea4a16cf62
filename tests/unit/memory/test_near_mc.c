/* SPDX-License-Identifier: Apache-2.0
 *
 * The near-bank memory controller: the reference's figures, the MPU paper's latencies, row
 * buffers, and random traffic under a checker of all timing rules, of data, order, credits and
 * loss. The checker itself is tested: with each timing and each rule broken it has to fire.
 *
 * Times are in cycles of the controller. Long file: its tests share one client and its checker.
 */
#include "unit_test.h"

#include <stdlib.h>
#include <string.h>

#include "near_checker.h"
#include "near_mc_pattern.h"

static near_mc_t mc;
static memory_image_t *image;
static bool calloc_fails;

/* The image gets no memory while calloc_fails is set (-Wl,--wrap=calloc). */
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size) {
  return calloc_fails ? NULL : __real_calloc(count, size);
}

static int make_image(void **state) {
  (void)state;
  image = memory_image_new();
  return image ? 0 : -1;
}

static int free_image(void **state) {
  (void)state;
  memory_image_free(image);
  return 0;
}

/* Within 0.1 %: the slack of the reference's figures for streams. */
static void assert_near(double value, double expected) {
  if (value < expected * 0.999 || value > expected * 1.001)
    fail_msg("%.5f should be %.5f within 0.1 %%", value, expected);
}

/* ---- patterns ---- */

static vault_run_result_t measure_reference(vault_pattern_t pattern, unsigned banks, bool bank_io) {
  vault_run_config_t c = vault_run_default(pattern);
  c.banks = banks;
  c.vault.bank_io = bank_io;
  return near_mc_run_pattern(&mc, image, 6, &c, NULL, NULL);
}

/* DDR3's figures hold for this controller as for the vault,
 * with one data path for all banks and with one for each. */
static void reference_figures(void **state) {
  (void)state;
  for (unsigned io = 0; io < 2; io++) {
#define DRAM_ISOLATED(pattern, cycles) \
  assert_int_equal(measure_reference(VAULT_PATTERN_##pattern, 1, io).stats.latency_max, cycles);
#define DRAM_STREAM(pattern, banks, cycles) \
  assert_near(measure_reference(VAULT_PATTERN_##pattern, banks, io).cycles_per_request, cycles);
#include "dram_reference.def"
  }
}

static vault_run_result_t measure_pattern(const vault_run_config_t *c) {
  return near_mc_run_pattern(&mc, image, 6, c, NULL, NULL);
}

/* Table II's latencies: the push is seen a cycle later, tRP 14, tRCD 14, tCL 14, one beat. */
static void isolated_latencies(void **state) {
  (void)state;
  for (unsigned k = 1; k <= 8; k *= 2) {
    vault_run_config_t c = near_mc_run_default(VAULT_PATTERN_ISOLATED_CLOSED);
    c.vault.row_buffers = k;
    assert_int_equal(measure_pattern(&c).stats.latency_max, 1 + 14 + 14 + 1);
    c.pattern = VAULT_PATTERN_ISOLATED_HIT;
    assert_int_equal(measure_pattern(&c).stats.latency_max, 1 + 14 + 1);
    c.pattern = VAULT_PATTERN_ISOLATED_CONFLICT;
    assert_int_equal(measure_pattern(&c).stats.latency_max, 1 + 14 + 14 + 14 + 1);
  }
}

/* Neighbouring rows by turns, each request waiting for the
 * one before: all conflict until every row has its buffer. */
static void ping_pong(void **state) {
  (void)state;
  for (unsigned k = 1; k <= 8; k *= 2) {
    for (unsigned rows = 1; rows <= 16; rows *= 2) {
      vault_run_config_t c = near_mc_run_default(VAULT_PATTERN_PING_PONG);
      c.vault.row_buffers = k;
      c.rows = rows;
      c.requests = 2000;
      c.outstanding = 1;
      c.reads = 0.5;
      vault_stats_t s = measure_pattern(&c).stats;
      unsigned misses = rows < k ? rows : k;
      assert_int_equal(s.row_misses, misses);
      assert_int_equal(s.row_hits, rows <= k ? 2000 - misses : 0);
      assert_int_equal(s.row_conflicts, rows <= k ? 0 : 2000 - misses);
      assert_int_equal(s.activates, s.row_misses + s.row_conflicts);
    }
  }
}

/* A bank's I/O gives a column every tCCD = 2; with I/Os of their own two banks reach one a cycle,
 * which the one command path and the one answer a cycle allow. */
static void column_rates(void **state) {
  (void)state;
  for (unsigned banks = 1; banks <= 4; banks *= 2) {
    for (unsigned k = 1; k <= 4; k *= 2) {
      vault_run_config_t c = near_mc_run_default(VAULT_PATTERN_PING_PONG);
      c.vault.row_buffers = k;
      c.rows = k;
      c.banks = banks;
      vault_run_result_t own = measure_pattern(&c);
      assert_true(own.cycles_per_request > (banks > 1 ? 1.0 : 2.0));
      assert_true(own.cycles_per_request < (banks > 1 ? 1.0 : 2.0) + 0.01);
      c.vault.bank_io = false;
      assert_true(measure_pattern(&c).cycles_per_request > 2.0);
    }
  }
}

/* Rows all different: with one row buffer a row cycle each,
 * with k of them k rows' cycles overlap, until tRRD is less. */
static void row_rates(void **state) {
  (void)state;
  vault_run_config_t c = near_mc_run_default(VAULT_PATTERN_DISTINCT_ROWS);
  for (unsigned k = 1; k <= 8; k *= 2) {
    c.vault.row_buffers = k;
    assert_near(measure_pattern(&c).cycles_per_request, 47.0 / k);
  }
  c.banks = 4; /* 32 row buffers, queue 64: tRRD */
  c.vault.queue = 64;
  assert_near(measure_pattern(&c).cycles_per_request, 4.0);
}

/* One refresh in each tREFI of 3900 cycles. Each costs tRP 14 + tRFC
 * 350 + tRCD 14 and a few cycles more. 200030 is the run without
 * refreshes: 100000 columns at tCCD 2, and the first one's 30. */
static void refreshes_on_time(void **state) {
  (void)state;
  vault_run_config_t c = near_mc_run_default(VAULT_PATTERN_STREAM_HIT);
  c.vault.refresh = true;
  c.requests = 100000;
  vault_run_result_t r = measure_pattern(&c);
  assert_int_equal(r.stats.refreshes, r.cycles / 3900);
  double cost = ((double)r.cycles - 200030) / (double)r.stats.refreshes; /* tRP + tRFC + tRCD and a few cycles */
  assert_true(cost > 374 && cost < 384);
  uint64_t before = r.stats.refreshes;
  for (uint64_t now = mc.vault.now + 1; mc.vault.stats.refreshes < before + 3; now++) near_mc_step(&mc, now);
  assert_int_equal(mc.vault.stats.refreshes, (mc.vault.now) / 3900); /* idle, too */
}

/* ---- a client with credits, and everything that can be checked about the answers ---- */

enum { TAGS = 256, MOST_TRANSFERS = 4096 };

typedef struct traffic {
  unsigned banks, rows, columns, push_percent, write_percent, requests;
  bool jump;                                                  /* step only when something is due */
  enum { NO_FAULT, CORRUPT, DROP, TWICE, KEEP_CREDIT } fault; /* the client spoils one answer or credit */
} traffic_t;

typedef struct client {
  near_mc_config_t config;
  traffic_t traffic;
  uint64_t seed, base;
  checker_t checker;
  const char *broken; /* the first rule that was broken */
  bool spoiled;
  uint8_t memory[MOST_TRANSFERS][NEAR_MC_BYTES]; /* as the requests in their order leave it */
  uint8_t expected[TAGS][NEAR_MC_BYTES];
  bool write[TAGS], used[TAGS];
  uint64_t pushed_at[TAGS], latency_sum, busy_cycles, hash;
  unsigned pushed, answered, credits, late; /* late: answers that waited for another's */
} client_t;

static client_t client;

/* A quarter of the masks has all bytes, a quarter has none, and half are random. */
static uint32_t random_mask(uint64_t kind, uint64_t *seed) {
  if (kind == 0) return UINT32_MAX;
  if (kind == 1) return 0;
  return (uint32_t)test_random(seed);
}

/* A random request under a free tag. The client's own memory takes the write at once,
 * so that a later read knows what to expect: requests to one address stay in order. */
static near_mc_request_t random_request(client_t *c) {
  const traffic_t *t = &c->traffic;
  unsigned bank = (unsigned)(test_random(&c->seed) % t->banks), row = (unsigned)(test_random(&c->seed) % t->rows);
  unsigned column = (unsigned)(test_random(&c->seed) % t->columns);
  uint64_t kind = test_random(&c->seed) % 4;
  near_mc_request_t r = {.addr = near_mc_addr(&c->config, bank, row, column) | (test_random(&c->seed) & 31),
                         .mask = random_mask(kind, &c->seed),
                         .write = test_random(&c->seed) % 100 < t->write_percent};
  for (unsigned i = 0; i < NEAR_MC_BYTES; i++) r.data[i] = (uint8_t)test_random(&c->seed);
  do r.tag = (uint8_t)test_random(&c->seed);
  while (c->used[r.tag]);
  uint8_t *bytes = c->memory[(bank * t->rows + row) * t->columns + column];
  for (unsigned i = 0; r.write && i < NEAR_MC_BYTES; i++)
    if (r.mask >> i & 1) bytes[i] = r.data[i];
  if (r.write) memset(c->expected[r.tag], 0, NEAR_MC_BYTES);
  else memcpy(c->expected[r.tag], bytes, NEAR_MC_BYTES);
  return r;
}

/* A request takes a credit, and its tag is used until its answer. */
static void push_random_request(client_t *c, uint64_t now) {
  assert_true(near_mc_can_push(&mc)); /* that is what a credit means */
  near_mc_request_t r = random_request(c);
  c->used[r.tag] = true;
  c->write[r.tag] = r.write;
  c->pushed_at[r.tag] = now;
  c->pushed++;
  c->credits--;
  near_mc_push(&mc, &r, now);
}

/* Only the first broken rule counts: others may follow from it. */
static void note_broken_rule(client_t *c, const char *broken) {
  if (!c->broken) c->broken = broken;
}

/* Holds an answer against its request: one answer each,
 * its kind, its data, and its time by the checker. */
static void take_answer(client_t *c, const near_mc_answer_t *a, uint64_t now) {
  if (!c->used[a->tag]) {
    note_broken_rule(c, "an answer a request");
    return;
  }
  if (a->write != c->write[a->tag]) note_broken_rule(c, "read for read, write for write");
  if (memcmp(a->data, c->expected[a->tag], NEAR_MC_BYTES) != 0) note_broken_rule(c, "data");
  c->late += c->checker.data_end[a->tag] && now > (uint64_t)c->checker.data_end[a->tag];
  if (!c->traffic.jump) note_broken_rule(c, checker_answer(&c->checker, a, (int64_t)now));
  c->used[a->tag] = false;
  c->latency_sum += now - c->pushed_at[a->tag];
  c->hash = (c->hash ^ now ^ (uint64_t)a->tag << 40) * UINT64_C(0x9e3779b97f4a7c15);
  c->answered++;
}

/* One cycle: the checker sees the command, the controller steps, the client checks the answer,
 * counts the credit and may push. After 100 answers the traffic's fault spoils one read, once. */
static void client_cycle(client_t *c, uint64_t now) {
  bool watch = !c->traffic.jump && mc.vault.command.at == now;
  if (watch) note_broken_rule(c, checker_command(&c->checker, &mc, (int64_t)now));
  if (!c->traffic.jump || near_mc_next_event(&mc) <= now) near_mc_step(&mc, now);
  c->busy_cycles += c->pushed > c->answered;
  const near_mc_answer_t *a = near_mc_answer(&mc, now);
  bool spoil = a && c->answered >= 100 && !a->write && !c->spoiled && near_mc_credit(&mc, now);
  c->spoiled |= spoil;
  near_mc_answer_t answer = a ? *a : (near_mc_answer_t){0};
  answer.data[9] ^= spoil && c->traffic.fault == CORRUPT;
  if (a && !(spoil && c->traffic.fault == DROP)) take_answer(c, &answer, now);
  if (spoil && c->traffic.fault == TWICE) take_answer(c, &answer, now);
  c->credits += near_mc_credit(&mc, now) && !(spoil && c->traffic.fault == KEEP_CREDIT);
  if (c->credits > c->config.vault.queue) note_broken_rule(c, "credits");
  bool wants = test_random(&c->seed) % 100 < c->traffic.push_percent && c->pushed - c->answered < TAGS;
  if (wants && c->credits && c->pushed < c->traffic.requests) push_random_request(c, now);
}

static void client_start(const near_mc_config_t *config, const near_mc_config_t *rules, const traffic_t *t,
                         uint64_t seed) {
  memset(&client, 0, sizeof client);
  client.config = *config;
  client.traffic = *t;
  client.seed = seed;
  client.base = UINT64_C(511) << NEAR_MC_ADDR_BITS;
  client.credits = config->vault.queue;
  assert_true(t->banks * t->rows * t->columns <= MOST_TRANSFERS);
  assert_null(REFUSAL(near_mc_check_config, config));
  checker_init(&client.checker, rules);
  memory_image_free(image);
  image = memory_image_new();
  assert_non_null(image);
  near_mc_init(&mc, config, image, client.base);
}

/* All requests through; returns the first rule that was broken, or NULL. */
static const char *client_run(const near_mc_config_t *config, const near_mc_config_t *rules, const traffic_t *t,
                              uint64_t seed) {
  uint64_t now = 0;
  client_start(config, rules, t, seed);
  for (; client.answered < t->requests; now++) {
    client_cycle(&client, now);
    if (now > 500 * (uint64_t)t->requests) return client.broken ? client.broken : "nothing is lost";
  }
  if (!near_mc_idle(&mc) || client.credits != config->vault.queue) note_broken_rule(&client, "credits");
  for (unsigned i = 0; i < t->banks * t->rows * t->columns; i++) {
    uint32_t addr = near_mc_addr(config, i / t->columns / t->rows, i / t->columns % t->rows, i % t->columns);
    const uint8_t *line = memory_image_line(image, client.base + addr);
    if (memcmp(line + addr % 128, client.memory[i], NEAR_MC_BYTES) != 0) note_broken_rule(&client, "memory");
  }
  near_mc_stats_t s = near_mc_stats(&mc, now);
  assert_int_equal(s.dram.reads + s.dram.writes, t->requests);
  assert_int_equal(s.dram.row_hits + s.dram.row_misses + s.dram.row_conflicts, t->requests);
  assert_int_equal(s.latency_sum, client.latency_sum);
  assert_int_equal(s.busy_cycles, client.busy_cycles);
  return client.broken;
}

/* The broken rule as a text that can be compared, also if there is none. */
static const char *broken_rule_of(const near_mc_config_t *config, const near_mc_config_t *rules, const traffic_t *t,
                                  uint64_t seed) {
  const char *broken = client_run(config, rules, t, seed);
  return broken ? broken : "nothing broken";
}

/* Every third timing becomes anything from 1 to 40. Banks,
 * row buffers, queue, data paths and address map vary, too. */
static void vary_config(near_mc_config_t *c, traffic_t *t, uint64_t *seed) {
  dram_timing_t *d = &c->vault.timing;
  uint32_t *fields[] = {&d->tRP, &d->tRCD, &d->tCL,  &d->tCCD, &d->tWR,  &d->tRAS, &d->tRC,
                        &d->CWL, &d->BL,   &d->tRTP, &d->tWTR, &d->tRRD, &d->tFAW};
  for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
    if (test_random(seed) % 3 == 0) *fields[i] = (uint32_t)(1 + test_random(seed) % 40);
  c->vault.banks = 1U << test_random(seed) % 4;
  c->vault.row_buffers = 1U << test_random(seed) % 4;
  c->vault.queue = (unsigned)(1 + test_random(seed) % 64);
  c->vault.bank_io = test_random(seed) % 4 != 0;
  c->column_bits = (unsigned)(test_random(seed) % 10);
  c->turn_bits = test_random(seed) % 2 ? (unsigned)(test_random(seed) % (c->column_bits + 1)) : 0;
  t->banks = c->vault.banks;
  t->columns = 1U << c->column_bits < t->columns ? 1U << c->column_bits : t->columns;
}

/* A quarter with Table II's timing, the others with anything. */
static void random_traffic(void **state) {
  (void)state;
  uint64_t seed = 3, late = 0;
  for (unsigned run = 0; run < 60; run++) {
    near_mc_config_t c = near_mc_config_default();
    traffic_t t = {.banks = 4,
                   .rows = (unsigned)(1 + test_random(&seed) % 12),
                   .columns = (unsigned)(1 + test_random(&seed) % 8),
                   .push_percent = run % 3 == 0 ? 5 : 100,
                   .write_percent = (unsigned)(test_random(&seed) % 101),
                   .requests = 2000};
    c.vault.row_buffers = 1U << run % 4;
    if (run >= 15) vary_config(&c, &t, &seed);
    c.vault.refresh = run % 2;
    c.vault.bypass = run % 5 == 4 ? 3 : 128;
    if (c.vault.refresh) c.vault.timing.tREFI = 1500;
    const char *broken = client_run(&c, &c, &t, seed);
    if (broken) fail_msg("run %u: %s", run, broken);
    late += client.late;
  }
  assert_true(late > 0); /* two ends in one cycle happened: the second waited */
}

/* Stepping only when something is due gives the same answers in the same cycles. */
static void jumps_are_exact(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed < 10; seed++) {
    near_mc_config_t c = near_mc_config_default();
    traffic_t t = {
        .banks = 4, .rows = 6, .columns = 8, .push_percent = seed % 2 ? 2 : 60, .write_percent = 40, .requests = 1500};
    assert_null(client_run(&c, &c, &t, seed));
    uint64_t hash = client.hash;
    near_mc_stats_t s = near_mc_stats(&mc, 0);
    t.jump = true;
    assert_null(client_run(&c, &c, &t, seed));
    near_mc_stats_t u = near_mc_stats(&mc, 0);
    assert_int_equal(client.hash, hash);
    assert_memory_equal(&u, &s, sizeof s);
  }
}

/* ---- the checker fires: each timing in turn is shorter in the controller than in the rules --- */

/* The controller runs with one timing shorter than the checker's rules. The rules
 * are such that no other timing hides it, and the checker has to name the right one. */
static void checker_fires(void **state) {
  (void)state;
  static const struct {
    const char *timing;
    long broken;
    const char *rule;
  } list[] = {{"tRP", 13, "tRP"},
              {"tRCD", 13, "tRCD"},
              {"tCL", 13, "answer after its data"},
              {"tCCD", 2, "tCCD"},
              {"tWR", 15, "tWR"},
              {"tRAS", 32, "tRAS"},
              {"tRC", 59, "tRC"},
              {"CWL", 3, "answer after its data"},
              {"BL", 4, "BL"},
              {"tRTP", 9, "tRTP"},
              {"tWTR", 7, "tWTR"},
              {"tRRD", 3, "tRRD"},
              {"tFAW", 29, "tFAW"},
              {"tRTW", 19, "tRTW"},
              {"tREFI", 1900, "tREFI"},
              {"tRFC", 349, "tRFC"}};
  for (unsigned i = 0; i < sizeof list / sizeof *list; i++) {
    near_mc_config_t rules = near_mc_config_default();
    dram_timing_t *d = &rules.vault.timing;
    d->tRC = 60, d->tFAW = 30, d->tRTW = 20, d->tREFI = 2000, d->tCCD = 3, d->tRTP = 10; /* so that each binds alone */
    if (strcmp(list[i].timing, "BL") == 0) d->BL = 5;
    if (strcmp(list[i].timing, "tRAS") == 0 || strcmp(list[i].timing, "tRP") == 0) d->tRC = 1;
    traffic_t t = {.banks = 4, .rows = 12, .columns = 8, .push_percent = 50, .write_percent = 40, .requests = 4000};
    if (strcmp(list[i].timing, "tRAS") == 0) t.push_percent = 5, t.write_percent = 0, d->tRTP = 1;
    near_mc_config_t broken = rules;
    if (strcmp(list[i].timing, "BL") == 0) broken.vault.timing.tCL++, broken.vault.timing.CWL++; /* ends stay */
    assert_int_equal(vault_set_timing(&broken.vault.timing, list[i].timing, list[i].broken, NULL, NULL), 0);
    assert_null(client_run(&rules, &rules, &t, 7));
    const char *rule = broken_rule_of(&broken, &rules, &t, 7);
    if (strcmp(rule, list[i].rule) != 0) fail_msg("broken %s: the checker says: %s", list[i].timing, rule);
  }
}

/* The same for what is not a timing: more row buffers than
 * there are, I/Os of their own where there is one. */
static void checker_fires_on_structure(void **state) {
  (void)state;
  traffic_t t = {.banks = 4, .rows = 12, .columns = 8, .push_percent = 100, .write_percent = 40, .requests = 2000};
  near_mc_config_t rules = near_mc_config_default(), broken = rules;
  rules.vault.row_buffers = 2;
  assert_string_equal(broken_rule_of(&broken, &rules, &t, 7), "row buffer of the row");
  rules = broken;
  rules.vault.bank_io = false;
  assert_non_null(client_run(&broken, &rules, &t, 7));
  rules = broken;
  broken.vault.refresh = false;
  assert_string_equal(broken_rule_of(&broken, &rules, &t, 7), "nothing else once a refresh is due");
}

/* And for what the client looks at: data, loss, credits, the memory that is left. */
static void client_fires(void **state) {
  (void)state;
  near_mc_config_t c = near_mc_config_default();
  traffic_t t = {.banks = 4, .rows = 12, .columns = 8, .push_percent = 100, .write_percent = 20, .requests = 1000};
  t.fault = CORRUPT;
  assert_string_equal(broken_rule_of(&c, &c, &t, 7), "data");
  t.fault = DROP;
  assert_string_equal(broken_rule_of(&c, &c, &t, 7), "nothing is lost");
  t.fault = TWICE;
  assert_string_equal(broken_rule_of(&c, &c, &t, 7), "an answer a request");
  t.fault = KEEP_CREDIT;
  assert_string_equal(broken_rule_of(&c, &c, &t, 7), "credits");
}

/* ---- one at a time ---- */

/* One request alone. Time goes on until its answer. */
static near_mc_answer_t ask_controller(near_mc_request_t r, uint64_t *now) {
  const near_mc_answer_t *a;
  near_mc_step(&mc, *now);
  near_mc_push(&mc, &r, *now);
  do near_mc_step(&mc, ++*now);
  while (!(a = near_mc_answer(&mc, *now)));
  assert_int_equal(a->tag, r.tag);
  return *a;
}

/* A write changes the bytes of its mask and no others, in the last transfer of the memory,
 * too. The low five bits of an address do not count. A write's answer carries no data. */
static void masks_and_addresses(void **state) {
  (void)state;
  const uint64_t base = UINT64_C(3) << NEAR_MC_ADDR_BITS;
  const uint32_t last = (1U << NEAR_MC_ADDR_BITS) - 32;
  near_mc_config_t c = near_mc_config_default();
  uint64_t now = 0;
  uint8_t old[96], bytes[96];
  near_mc_request_t w = {.write = true, .tag = 255};
  memset(w.data, 0xee, sizeof w.data);
  near_mc_init(&mc, &c, image, base);
  w.addr = 64;
  ask_controller(w, &now);
  assert_int_equal(memory_image_pages(image), 0); /* no byte of the mask: nothing written */
  memset(old, 0x11, sizeof old);
  for (unsigned bit = 0; bit < 32; bit++) {
    assert_true(memory_image_write(image, base + last - 64, old, sizeof old));
    w.addr = last | (bit * 7 & 31), w.mask = UINT32_C(1) << bit, w.tag = (uint8_t)bit;
    near_mc_answer_t a = ask_controller(w, &now);
    assert_true(a.write && a.data[bit] == 0);
    memory_image_read(image, base + last - 64, bytes, sizeof bytes);
    for (unsigned i = 0; i < 96; i++) assert_int_equal(bytes[i], i == 64 + bit ? 0xee : 0x11);
    a = ask_controller((near_mc_request_t){.addr = last, .tag = 3}, &now);
    assert_memory_equal(a.data, bytes + 64, 32);
  }
  assert_int_equal(memory_image_pages(image), 1);
}

/* Requests to one address, pushed while none can be done: the value that each read must see. */
static void same_address_order(void **state) {
  (void)state;
  near_mc_config_t c = near_mc_config_default();
  uint8_t seen[8] = {0};
  uint64_t now = 0;
  near_mc_init(&mc, &c, image, 0);
  for (unsigned i = 0; i < 8; i++) { /* read, write 1, read, write 2, ... */
    near_mc_request_t r = {.tag = (uint8_t)i, .write = i % 2, .mask = UINT32_MAX, .data = {(uint8_t)(i / 2 + 1)}};
    near_mc_step(&mc, now);
    near_mc_push(&mc, &r, now++);
  }
  assert_false(near_mc_can_push(&mc));
  for (unsigned answers = 0; answers < 8; now++) {
    near_mc_step(&mc, now);
    const near_mc_answer_t *a = near_mc_answer(&mc, now);
    if (!a) continue;
    assert_int_equal(a->tag, answers); /* all in order: reads and writes by turns */
    seen[answers++] = a->data[0];
  }
  for (unsigned i = 0; i < 8; i += 2) assert_int_equal(seen[i], i / 2);
}

/* A read and a write of two banks whose data end together: one is answered a cycle later. */
static void one_answer_a_cycle(void **state) {
  (void)state;
  near_mc_config_t c = near_mc_config_default();
  uint64_t now = 0, times[2] = {0};
  near_mc_init(&mc, &c, image, 0);
  ask_controller((near_mc_request_t){.addr = near_mc_addr(&c, 0, 0, 0)}, &now);
  ask_controller((near_mc_request_t){.addr = near_mc_addr(&c, 1, 0, 0)}, &now);
  now += 50;
  near_mc_step(&mc, now);
  near_mc_push(&mc, &(near_mc_request_t){.addr = near_mc_addr(&c, 0, 0, 0), .tag = 0}, now);
  for (unsigned n = 0, start = (unsigned)now; n < 2;) {
    near_mc_step(&mc, ++now);
    if (now == start + 10) /* read at + 1, data at + 16; write at + 11, data at + 16 */
      near_mc_push(&mc, &(near_mc_request_t){.addr = near_mc_addr(&c, 1, 0, 0), .tag = 1, .write = true}, now);
    const near_mc_answer_t *a = near_mc_answer(&mc, now);
    if (a) times[a->tag] = now - start, n++;
  }
  assert_int_equal(times[0], 16);
  assert_int_equal(times[1], 17);
}

/* A stream of hits against one request of another row of the
 * same row buffer: it waits for the bound, and no longer. */
static uint64_t wait_against_stream(unsigned bypass) {
  near_mc_config_t c = near_mc_config_default();
  c.vault.bypass = bypass;
  c.vault.refresh = false;
  near_mc_init(&mc, &c, image, 0);
  unsigned pushed = 0;
  for (uint64_t now = 0, start = 0;; now++) {
    near_mc_step(&mc, now);
    const near_mc_answer_t *a = near_mc_answer(&mc, now);
    if (a && a->tag == 1) return now - start;
    if (!near_mc_can_push(&mc) || pushed >= 4000) continue;
    bool victim = pushed == 4;
    if (victim) start = now;
    near_mc_request_t r = {.addr = near_mc_addr(&c, 0, victim ? 4 : 0, pushed % 64), .tag = victim};
    near_mc_push(&mc, &r, now);
    pushed++;
  }
}

/* At most 128 hits of two cycles each pass the
 * victim. Without a bound the whole stream passes it. */
static void no_starvation(void **state) {
  (void)state;
  assert_true(wait_against_stream(128) < 128 * 2 + 100);
  assert_true(wait_against_stream(0) > 3900 * 2);
}

/* One read of a closed bank is busy for 1 + 14 + 14 + 1 = 30 cycles, a hit for 1 + 14 + 1 = 16. */
static void statistics(void **state) {
  (void)state;
  near_mc_config_t c = near_mc_config_default();
  uint64_t now = 10;
  near_mc_init(&mc, &c, image, 0);
  ask_controller((near_mc_request_t){.tag = 1}, &now);
  near_mc_stats_t s = near_mc_stats(&mc, now + 5), sum = s;
  assert_int_equal(s.latency_sum, 30);
  assert_int_equal(s.latency_max, 30);
  assert_int_equal(s.busy_cycles, 30);
  near_mc_push(&mc, &(near_mc_request_t){.tag = 2}, now);
  assert_int_equal(near_mc_stats(&mc, now + 3).busy_cycles, 33);
  near_mc_stats_add(&sum, &s);
  assert_int_equal(sum.dram.reads, 2);
  assert_int_equal(sum.latency_sum, 60);
  assert_int_equal(sum.latency_max, 30);
  near_mc_clear_stats(&mc, now);
  assert_int_equal(near_mc_stats(&mc, now + 3).busy_cycles, 3);
  for (uint64_t end = now + 40; now < end; now++) near_mc_step(&mc, now);
  s = near_mc_stats(&mc, now);
  assert_int_equal(s.dram.reads, 1);
  assert_int_equal(s.dram.row_hits, 1);
  assert_int_equal(s.busy_cycles, 16);
}

/* Counts add up. The longest latency is the longer of two, in either order. */
static void longest_latency_of_two(void **state) {
  (void)state;
  near_mc_stats_t slow = {.latency_sum = 90, .latency_max = 50, .busy_cycles = 70},
                  fast = {.latency_sum = 9, .latency_max = 5, .busy_cycles = 7};
  near_mc_stats_t up = fast, down = slow;
  near_mc_stats_add(&up, &slow);
  near_mc_stats_add(&down, &fast);
  assert_int_equal(up.latency_max, 50);
  assert_int_equal(down.latency_max, 50);
  assert_int_equal(up.latency_sum, 99);
  assert_int_equal(down.busy_cycles, 77);
}

/* MPU paper, Table II: 4 banks of 16 MB with 4 row buffers; of 26 address
 * bits 5 are the byte, 6 the column, 2 the bank: 8192 rows of 64. */
static void pattern_defaults(void **state) {
  (void)state;
  for (vault_pattern_t p = 0; p < VAULT_NUM_PATTERNS; p++) {
    vault_run_config_t c = near_mc_run_default(p);
    bool any = p == VAULT_PATTERN_RANDOM || p == VAULT_PATTERN_TRACE;
    assert_int_equal(c.vault.banks, 4);
    assert_int_equal(c.vault.row_buffers, 4);
    assert_false(c.vault.refresh);
    assert_int_equal(c.banks, any ? 4 : 1);
    assert_int_equal(c.rows, p == VAULT_PATTERN_PING_PONG ? 2 : 8192);
    assert_int_equal(c.row_requests, p == VAULT_PATTERN_RANDOM ? 64 : 128);
  }
}

/* Ten reads, each alone: 14 cycles for a hit with DDR3's timing
 * (dram.csv); latencies are counted up to the answer. */
static void pattern_latencies(void **state) {
  (void)state;
  vault_run_config_t c = vault_run_default(VAULT_PATTERN_STREAM_HIT);
  c.requests = 10, c.outstanding = 1;
  vault_run_result_t r = near_mc_run_pattern(&mc, image, 6, &c, NULL, NULL);
  assert_int_equal(r.requests, 10);
  assert_int_equal(r.stats.latency_max, 23); /* the first finds its bank closed */
  assert_int_equal(r.stats.latency_sum, 23 + 9 * 14);
  assert_true(r.mean_latency == 14.9);
}

/* A write that finds no memory for its page is answered all the same, and the fault says so. */
static void out_of_memory(void **state) {
  (void)state;
  near_mc_config_t c = near_mc_config_default();
  uint64_t now = 0;
  near_mc_init(&mc, &c, image, 0);
  assert_null(near_mc_fault(&mc));
  calloc_fails = true;
  ask_controller((near_mc_request_t){.write = true, .mask = 1}, &now);
  calloc_fails = false;
  assert_non_null(near_mc_fault(&mc));
}

/* Each limit from outside, and the most that is allowed. Of 26 address
 * bits 5 are the byte, 6 the column and 2 the bank, so 13 are the row. */
static void near_mc_config_limits(void **state) {
  (void)state;
  near_mc_config_t good = near_mc_config_default(), c;
  assert_null(REFUSAL(near_mc_check_config, &good));
  assert_int_equal(near_mc_row_bits(&good), 13);
  assert_int_equal(near_mc_addr(&good, 3, 8191, 63), (1U << NEAR_MC_ADDR_BITS) - 32);
#define REFUSED(field, value) \
  c = good;                   \
  c.field = value;            \
  assert_non_null(REFUSAL(near_mc_check_config, &c))
  REFUSED(vault.banks, 0);
  REFUSED(vault.banks, 3);
  REFUSED(vault.banks, 32); /* times 4 row buffers: too many */
  REFUSED(vault.row_buffers, 0);
  REFUSED(vault.row_buffers, 3);
  REFUSED(vault.row_buffers, 16);
  REFUSED(vault.queue, 0);
  REFUSED(vault.queue, 65);
  REFUSED(column_bits, 13);
  REFUSED(turn_bits, 7);
  REFUSED(vault.timing.tCL, 200);
  REFUSED(vault.timing.tREFI, 400);
  c = good;
  c.turn_bits = 6;
  assert_null(REFUSAL(near_mc_check_config, &c));
  for (unsigned i = 0; i < 256; i++) assert_int_equal(near_mc_addr(&c, i % 4, 0, i / 4), 32 * i); /* banks take turns */
  assert_int_equal(near_mc_addr(&c, 3, 8191, 63), (1U << NEAR_MC_ADDR_BITS) - 32);
  for (unsigned banks = 1; banks <= 16; banks *= 2) {
    c = good;
    c.vault.banks = banks;
    assert_null(REFUSAL(near_mc_check_config, &c));
  }
  c = good;
  c.vault.queue = 64;
  c.vault.timing.tCL = 80, c.vault.timing.CWL = 1; /* as many under way as there may be */
  assert_null(REFUSAL(near_mc_check_config, &c));
  traffic_t t = {.banks = 4, .rows = 4, .columns = 8, .push_percent = 100, .write_percent = 50, .requests = 4000};
  assert_null(client_run(&c, &c, &t, 1));
}

int main(void) {
#define WITH_IMAGE(test) cmocka_unit_test_setup_teardown(test, make_image, free_image)
  const struct CMUnitTest tests[] = {
      WITH_IMAGE(reference_figures),
      WITH_IMAGE(isolated_latencies),
      WITH_IMAGE(ping_pong),
      WITH_IMAGE(column_rates),
      WITH_IMAGE(row_rates),
      WITH_IMAGE(refreshes_on_time),
      WITH_IMAGE(random_traffic),
      WITH_IMAGE(jumps_are_exact),
      WITH_IMAGE(checker_fires),
      WITH_IMAGE(checker_fires_on_structure),
      WITH_IMAGE(client_fires),
      WITH_IMAGE(masks_and_addresses),
      WITH_IMAGE(same_address_order),
      WITH_IMAGE(one_answer_a_cycle),
      WITH_IMAGE(no_starvation),
      WITH_IMAGE(statistics),
      WITH_IMAGE(longest_latency_of_two),
      WITH_IMAGE(pattern_defaults),
      WITH_IMAGE(pattern_latencies),
      WITH_IMAGE(out_of_memory),
      WITH_IMAGE(near_mc_config_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

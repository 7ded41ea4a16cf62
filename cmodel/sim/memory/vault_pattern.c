/* SPDX-License-Identifier: Apache-2.0 */
#include "vault_pattern.h"

#include <string.h>

enum { SETTLE = 16384, PROGRESS_EVERY = 1 << 16 }; /* SETTLE: cycles, more than any sum of timings of one access */

static const struct {
  const char *name, *text;
} patterns[] = {
#define VAULT_PATTERN_NAME(name, id, text) {name, text},
    VAULT_PATTERNS(VAULT_PATTERN_NAME)
#undef VAULT_PATTERN_NAME
};

const char *vault_pattern_name(vault_pattern_t pattern) {
  return patterns[pattern].name;
}

const char *vault_pattern_text(vault_pattern_t pattern) {
  return patterns[pattern].text;
}

int vault_pattern_from_name(const char *name) {
  for (int i = 0; i < VAULT_NUM_PATTERNS; i++)
    if (strcmp(patterns[i].name, name) == 0) return i;
  return -1;
}

/* One request alone, as its pattern says. */
static bool is_isolated(vault_pattern_t p) {
  return p == VAULT_PATTERN_ISOLATED_CLOSED || p == VAULT_PATTERN_ISOLATED_HIT || p == VAULT_PATTERN_ISOLATED_CONFLICT;
}

vault_run_config_t vault_run_default(vault_pattern_t pattern) {
  vault_run_config_t c = {.vault = vault_default_config(),
                          .pattern = pattern,
                          .requests = is_isolated(pattern) ? 1 : 20000,
                          .banks = 1,
                          .rows = 16384,
                          .row_requests = 128,
                          .outstanding = 64,
                          .reads = 1,
                          .seed = 1};
  c.vault.refresh = false;
  if (pattern == VAULT_PATTERN_RANDOM || pattern == VAULT_PATTERN_TRACE) c.banks = c.vault.banks;
  if (pattern == VAULT_PATTERN_RANDOM) c.reads = 2.0 / 3.0;
  if (pattern == VAULT_PATTERN_PING_PONG) c.rows = 2;
  return c;
}

/* splitmix64: the n-th number of a seed without those before it. */
static uint64_t random_number(uint64_t seed, uint64_t n) {
  uint64_t z = seed * UINT64_C(0xd1342543de82ef95) + (n + 1) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Request number i; a pure function, so that runs of any length are the same. */
static vault_request_t pattern_request(const vault_run_config_t *c, uint64_t i) {
  vault_request_t r = {.bursts = 1};
  r.bank = (uint16_t)(i % c->banks);
  r.column = i / c->banks;
  switch (c->pattern) {
  case VAULT_PATTERN_TRACE: return c->trace[i];
  case VAULT_PATTERN_STREAM_ROW:
    r.row = (uint32_t)(r.column / c->row_requests);
    r.column %= c->row_requests;
    break;
  case VAULT_PATTERN_DISTINCT_ROWS: r.row = (uint32_t)r.column; break;
  case VAULT_PATTERN_PING_PONG:
    r.row = (uint32_t)(r.column % c->rows);
    r.column /= c->rows;
    break;
  case VAULT_PATTERN_RANDOM: {
    uint64_t x = random_number(c->seed, 2 * i);
    r.bank = (uint16_t)(x % c->banks);
    r.row = (uint32_t)((x >> 8) % c->rows);
    r.column = (x >> 44) % c->row_requests;
    break;
  }
  default: break;
  }
  if (!is_isolated(c->pattern)) r.write = (double)(random_number(c->seed, 2 * i + 1) >> 11) * 0x1p-53 >= c->reads;
  return r;
}

/* Opens a row and lets all timings pass, so that the one request that counts meets it as its
 * pattern says. A conflict's row is the next one of the same row buffer. Returns the cycle to
 * begin with. */
static uint64_t warm_up(const pattern_device_t *d, const vault_run_config_t *c) {
  if (c->pattern != VAULT_PATTERN_ISOLATED_HIT && c->pattern != VAULT_PATTERN_ISOLATED_CONFLICT) return 0;
  bool conflict = c->pattern == VAULT_PATTERN_ISOLATED_CONFLICT;
  vault_request_t r = {.bursts = 1, .row = conflict ? c->vault.row_buffers : 0, .column = 1};
  d->push(d->context, &r, 0);
  for (uint64_t now = d->next_event(d->context); now < SETTLE; now = d->next_event(d->context))
    d->step(d->context, now);
  d->step(d->context, SETTLE);
  d->clear(d->context);
  return SETTLE;
}

/* Steps only the cycles in which something is pushed or due. */
vault_run_result_t pattern_run(const pattern_device_t *d, const vault_run_config_t *c, vault_progress_t *progress,
                               void *context) {
  uint64_t start = warm_up(d, c), now = start, pushed = 0, popped = 0, end = start, report = PROGRESS_EVERY;
  while (popped < c->requests) {
    unsigned ended = d->step(d->context, now);
    popped += ended;
    if (ended) end = now;
    if (progress && popped >= report) {
      if (!progress(context, popped)) break;
      report = popped + PROGRESS_EVERY;
    }
    bool more = pushed < c->requests && pushed - popped < c->outstanding && d->can_push(d->context);
    if (more) {
      vault_request_t r = pattern_request(c, pushed++);
      d->push(d->context, &r, now);
    }
    now = more ? now + 1 : d->next_event(d->context);
  }
  vault_run_result_t r = {.requests = popped, .cycles = end - start, .stats = d->stats(d->context)};
  double bursts = (double)(r.stats.read_bursts + r.stats.write_bursts);
  r.cycles_per_request = (double)r.cycles / (double)popped;
  r.mean_latency = (double)r.stats.latency_sum / (double)popped;
  r.bus_utilisation = bursts * c->vault.timing.BL / (double)r.cycles;
  if (c->vault.bank_io) r.bus_utilisation /= c->vault.banks;
  return r;
}

/* ---- a vault as the device ---- */

static bool device_can_push(const void *v) {
  return vault_can_push(v);
}

static void device_push(void *v, const vault_request_t *r, uint64_t now) {
  vault_push(v, r, now);
}

static unsigned device_step(void *v, uint64_t now) {
  vault_done_t done;
  unsigned ended = 0;
  vault_advance(v, now);
  while (vault_pop(v, now, &done)) ended++;
  return ended;
}

static uint64_t device_next_event(const void *v) {
  return vault_next_event(v);
}

static void device_clear(void *v) {
  memset(&((vault_t *)v)->stats, 0, sizeof(vault_stats_t));
}

static vault_stats_t device_stats(const void *v) {
  return ((const vault_t *)v)->stats;
}

vault_run_result_t vault_run(vault_t *v, const vault_run_config_t *c, vault_progress_t *progress, void *context) {
  pattern_device_t device = {v,           device_can_push, device_push, device_step, device_next_event, device_clear,
                             device_stats};
  vault_init(v, &c->vault);
  return pattern_run(&device, c, progress, context);
}

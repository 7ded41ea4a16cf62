/* SPDX-License-Identifier: Apache-2.0 */
#include "near_mc_pattern.h"

vault_run_config_t near_mc_run_default(vault_pattern_t pattern) {
  near_mc_config_t near = near_mc_config_default();
  vault_run_config_t c = vault_run_default(pattern);
  unsigned most_rows = 1U << near_mc_row_bits(&near);
  bool all_banks = c.banks == c.vault.banks;
  c.vault = near.vault;
  c.vault.refresh = false;
  if (all_banks) c.banks = c.vault.banks;
  if (c.rows > most_rows) c.rows = most_rows;
  if (pattern == VAULT_PATTERN_RANDOM) c.row_requests = 1U << near.column_bits;
  return c;
}

/* A near-bank memory controller as a pattern's device. */
static bool device_can_push(const void *mc) {
  return near_mc_can_push(mc);
}

static void device_push(void *context, const vault_request_t *r, uint64_t now) {
  near_mc_t *mc = context;
  const near_mc_config_t *c = &mc->config;
  uint32_t row = r->row % (UINT32_C(1) << near_mc_row_bits(c));
  uint32_t column = (uint32_t)(r->column % (UINT64_C(1) << c->column_bits));
  near_mc_request_t request = {.addr = near_mc_addr(c, r->bank, row, column), .mask = UINT32_MAX, .write = r->write};
  near_mc_push(mc, &request, now);
}

static unsigned device_step(void *mc, uint64_t now) {
  near_mc_step(mc, now);
  return near_mc_answer(mc, now) != NULL;
}

static uint64_t device_next_event(const void *mc) {
  return near_mc_next_event(mc);
}

static void device_clear(void *context) {
  near_mc_t *mc = context;
  near_mc_clear_stats(mc, mc->vault.now);
}

/* The vault's, but latencies as the client sees them, to the answer. */
static vault_stats_t device_stats(const void *context) {
  const near_mc_t *mc = context;
  near_mc_stats_t s = near_mc_stats(mc, mc->vault.now);
  s.dram.latency_sum = s.latency_sum;
  s.dram.latency_max = s.latency_max;
  return s.dram;
}

vault_run_result_t near_mc_run_pattern(near_mc_t *mc, memory_image_t *image, unsigned column_bits,
                                       const vault_run_config_t *c, vault_progress_t *progress, void *context) {
  pattern_device_t device = {mc,           device_can_push, device_push, device_step, device_next_event,
                             device_clear, device_stats};
  near_mc_config_t config = {.vault = c->vault, .column_bits = column_bits};
  near_mc_init(mc, &config, image, 0);
  return pattern_run(&device, c, progress, context);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "mpu_config.h"

#include <stddef.h>
#include <stdio.h>

static const char *const mpu_policies[] = {[MPU_ANNOTATED] = "annotated",
                                           [MPU_HW_DEFAULT] = "default",
                                           [MPU_ALL_NEAR] = "near",
                                           [MPU_ALL_FAR] = "far",
                                           [MPU_NUM_POLICIES] = NULL};

static const char *const mpu_places[] = {
    [MPU_BLOCKS_BY_ADDRESS] = "address", [MPU_BLOCKS_BY_NUMBER] = "number", [MPU_NUM_PLACES] = NULL};

#define KEYS_OF mpu_config_t
#define KEYS_IN
#define KEYS_AS_TABLE
#include "key_list.h"

const config_key_t mpu_keys[] = {
#include "mpu_keys.def"
    {0},
};

#define KEYS_AS_DEFAULTS
#include "key_list.h"

mpu_net_config_t mpu_net_config_default(void) {
  mpu_net_config_t c, *values = &c;
#include "mpu_net_keys.def"
  return c;
}

mpu_config_t mpu_config_default(void) {
  mpu_config_t c = {.mc = near_mc_config_default(), .net = mpu_net_config_default()};
  mpu_config_t *values = &c;
#include "mpu_keys.def"
  return c;
}

/* A power of two from 1 to `most`. */
static bool is_power_up_to(unsigned n, unsigned most) {
  return n && n <= most && !(n & (n - 1));
}

/* The sets of the instruction cache must be a power of two. */
static bool check_l1i(const mpu_config_t *c, trouble_t *trouble) {
  const unsigned lines = c->l1i_bytes / MPU_ROW_BYTES;
  if (c->l1i_bytes % MPU_ROW_BYTES || lines % c->l1i_ways || !is_power_up_to(lines / c->l1i_ways, 1u << 20))
    return trouble_set(
        trouble, TROUBLE_INPUT,
        "instruction cache: lines of 128 bytes in 1 to 32 ways of a power of two of sets would be right");
  return true;
}

bool mpu_config_check(const mpu_config_t *c, trouble_t *trouble) {
  if (!config_check(mpu_keys, c, trouble) || !near_mc_check_config(&c->mc, trouble) ||
      !vault_check_timing(&c->mc.vault.timing, trouble))
    return false;
  if (!is_power_up_to(c->cubes_x, 8) || !is_power_up_to(c->cubes_y, 8) || c->cubes_x * c->cubes_y > 8)
    return trouble_set(trouble, TROUBLE_INPUT, "processors: powers of two, at most 8 in all, would be right");
  if (!is_power_up_to(c->cores_x, 16) || !is_power_up_to(c->cores_y, 16) || c->cores_x * c->cores_y > 16)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "cores of a processor: powers of two, at most 16 in all, would be right");
  if (!is_power_up_to(c->unit_bytes, 1024))
    return trouble_set(trouble, TROUBLE_INPUT,
                       "addresses of a near-bank unit: a power of two from 32 to 1024 bytes would be right");
  if (!is_power_up_to(c->core_bytes, 65536) || c->core_bytes < MPU_SUBCORES * c->unit_bytes)
    return trouble_set(
        trouble, TROUBLE_INPUT,
        "addresses of a core: a power of two from those of its four near-bank units to 65536 bytes would be right");
  if (c->far_rf_bytes % MPU_ROW_BYTES || c->near_rf_bytes % MPU_ROW_BYTES)
    return trouble_set(trouble, TROUBLE_INPUT, "register files: multiples of 128 bytes would be right");
  if (c->smem_bytes % 128)
    return trouble_set(trouble, TROUBLE_INPUT, "shared memory: a multiple of 128 bytes, at most 65536, would be right");
  if (!check_l1i(c, trouble)) return false;
  if (c->alu_latency > 60 - c->collect_latency || c->sfu_latency > 60 - c->collect_latency)
    return trouble_set(trouble, TROUBLE_INPUT, "latencies: 1 to 60 with the operand collector's would be right");
  return true;
}

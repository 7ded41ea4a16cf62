/* SPDX-License-Identifier: Apache-2.0 */
#include "mpu_config.h"

#include <stddef.h>

mpu_config_t mpu_config_default(void) {
  mpu_config_t c = {.cubes_x = 4,
                    .cubes_y = 2,
                    .cores_x = 4,
                    .cores_y = 4,
                    .warps = 4,
                    .blocks = 16,
                    .unit_bytes = 128,
                    .core_bytes = 512,
                    .blocks_to = MPU_BLOCKS_BY_NUMBER,
                    .batches = true,
                    .far_rf_bytes = 32768,
                    .near_rf_bytes = 16384,
                    .smem_bytes = 65536,
                    .stack = 1024,
                    .collect_latency = 1,
                    .alu_latency = 1,
                    .sfu_latency = 57,
                    .sfu_interval = 1,
                    .dp_interval = 1,
                    .smem_latency = 1,
                    .tsv_beats = 2,
                    .tsv_duplex = true,
                    .exe_queue = 4,
                    .atomic_queue = 4,
                    .atomic_latency = 2,
                    .smem_near = true,
                    .l1i_ideal = true,
                    .l1i_bytes = 131072,
                    .l1i_ways = 4,
                    .l1i_mshrs = 4,
                    .l1i_copies = true,
                    .policy = MPU_ANNOTATED,
                    .net_topology = "mesh",
                    .net_vcs = 2,
                    .net_depth = 64,
                    .mesh_latency = 1,
                    .cube_latency = 1,
                    .cube_interval = 2};
  c.mc = near_mc_config_default();
  c.mc.column_bits = c.mc.turn_bits = 5;
  c.mc.vault.queue = 16;
  c.mc.vault.timing.tCL = c.mc.vault.timing.CWL = 2;
  c.mc.vault.timing.tWR = 8;
  return c;
}

static bool power(unsigned n, unsigned most) {
  return n && n <= most && !(n & (n - 1));
}

static const char *check_l1i(const mpu_config_t *c) {
  const unsigned lines = c->l1i_bytes / MPU_ROW_BYTES;
  if (!c->l1i_mshrs || c->l1i_mshrs > MPU_MAX_MSHRS)
    return "misses of an instruction cache under way: 1 to 32 would be right";
  if (!c->l1i_ways || c->l1i_ways > 32 || c->l1i_bytes % MPU_ROW_BYTES || lines % c->l1i_ways ||
      !power(lines / c->l1i_ways, 1u << 20))
    return "instruction cache: lines of 128 bytes in 1 to 32 ways of a power of two of sets would be right";
  return NULL;
}

const char *mpu_config_check(const mpu_config_t *c) {
  const char *wrong = near_mc_check_config(&c->mc);
  if (wrong) return wrong;
  if (!power(c->cubes_x, 8) || !power(c->cubes_y, 8) || c->cubes_x * c->cubes_y > 8)
    return "processors: powers of two, at most 8 in all, would be right";
  if (!power(c->cores_x, 16) || !power(c->cores_y, 16) || c->cores_x * c->cores_y > 16)
    return "cores of a processor: powers of two, at most 16 in all, would be right";
  if (!c->warps || c->warps > MPU_MAX_WARPS) return "warp slots of a subcore: 1 to 16 would be right";
  if (!c->blocks || c->blocks > MPU_MAX_BLOCKS) return "blocks of threads of a core: 1 to 64 would be right";
  if (c->unit_bytes < 32 || !power(c->unit_bytes, 1024))
    return "addresses of a near-bank unit: a power of two from 32 to 1024 bytes would be right";
  if (!power(c->core_bytes, 65536) || c->core_bytes < MPU_SUBCORES * c->unit_bytes)
    return "addresses of a core: a power of two from those of its four near-bank units to 65536 bytes would be right";
  if (c->blocks_to >= MPU_NUM_PLACES) return "blocks: to cores by address or number would be right";
  if (c->far_rf_bytes % MPU_ROW_BYTES || c->near_rf_bytes % MPU_ROW_BYTES)
    return "register files: multiples of 128 bytes would be right";
  if (c->smem_bytes > MPU_MAX_SMEM || c->smem_bytes % 128)
    return "shared memory: a multiple of 128 bytes, at most 65536, would be right";
  if ((wrong = check_l1i(c))) return wrong;
  if (!c->tsv_beats || c->tsv_beats > 2) return "TSV bus: 1 or 2 beats a cycle would be right";
  if (!c->exe_queue || c->exe_queue > 16) return "operand collectors: 1 to 16 would be right";
  if (!c->atomic_queue || c->atomic_queue > 8) return "near-bank atomic units: 1 to 8 requests would be right";
  if (!c->atomic_latency || c->atomic_latency > 64)
    return "near-bank atomic units: 1 to 64 cycles an operation would be right";
  if (c->policy >= MPU_NUM_POLICIES) return "policy: annotated, default, near or far would be right";
  if (c->alu_latency < 1 || c->sfu_latency < 1 || c->collect_latency > 60 || c->alu_latency > 60 - c->collect_latency ||
      c->sfu_latency > 60 - c->collect_latency || c->smem_latency > 60)
    return "latencies: 1 to 60 with the operand collector's would be right";
  if (c->mc.vault.queue < 8)
    return "the memory controller's queue: at least the 8 requests that an LSU-Extension may send would be right";
  return NULL;
}

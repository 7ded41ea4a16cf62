/* SPDX-License-Identifier: Apache-2.0
 *
 * Machine 2 p has policy p with shared memory near the banks, 2 p + 1 with shared memory
 * on the base die. The last machine has no near-bank units.
 */
#include "mpu_bed.h"

#include <stdio.h>
#include <string.h>

mpu_config_t bed_machine(unsigned which) {
  mpu_config_t c = mpu_rig_config();
  c.cubes_x = c.cubes_y = 1;
  c.cores_x = c.cores_y = 2;
  c.policy = (mpu_policy_t)(which / 2 % MPU_NUM_POLICIES);
  c.smem_near = which % 2 == 0;
  c.ponb = which == 2 * MPU_NUM_POLICIES;
  return c;
}

const char *bed_machine_name(unsigned which) {
  static char name[64];
  mpu_config_t c = bed_machine(which);
  snprintf(name, sizeof name, "%s, shared memory %s%s", mpu_policy_name(c.policy), c.smem_near ? "near" : "far",
           c.ponb ? ", all on the base die" : "");
  return name;
}

/* Copies in, runs, copies out; rig->error says what went
 * wrong. A kernel with one parameter gets the buffer alone. */
static void bed_launch(bed_t *bed, mpu_rig_t *rig, const ptx_module_t *module) {
  struct {
    uint64_t data;
    uint32_t n, pad;
  } params = {mpu_malloc(rig->mpu, bed->bytes, &rig->error), bed->n, 0};
  mpu_launch_t l = {.shared_bytes = bed->shared_bytes, .params = &params, .param_bytes = sizeof params};
  const ptx_func_t *kernel = ptx_find_kernel(module, NULL);
  if (kernel && kernel->param_bytes < l.param_bytes) l.param_bytes = kernel->param_bytes;
  memcpy(l.grid, bed->grid, sizeof l.grid);
  memcpy(l.block, bed->block, sizeof l.block);
  if (rig->error.kind || mpu_copy_in(rig->mpu, params.data, bed->data, bed->bytes, &rig->error)) return;
  if (mpu_launch(rig->mpu, &l, &rig->error) || mpu_rig_run(rig)) return;
  mpu_copy_out(rig->mpu, bed->data, params.data, bed->bytes, &rig->error);
}

int bed_run(bed_t *bed, const mpu_config_t *config) {
  mpu_rig_t rig;
  ptx_error_t bad;
  ptx_module_t *module = ptx_parse(bed->ptx, strlen(bed->ptx), "module.ptx", &bad);
  mpu_rig_open_with(&rig, config, bed->restless ? &mpu_rig_restless : &mpu_rig_model);
  rig.backwards = bed->backwards;
  rig.cycle_limit = bed->cycle_limit ? bed->cycle_limit : 2000000;
  if (!module) trouble_fail(&rig.error, TROUBLE_INPUT, "%s", bad.trouble.text);
  if (!rig.error.kind && !mpu_load(rig.mpu, module, &rig.error)) bed_launch(bed, &rig, module);
  bed->error = rig.error;
  bed->stats = rig.mpu ? mpu_stats(rig.mpu) : (mpu_stats_t){0};
  mpu_rig_close(&rig);
  ptx_free(module);
  return bed->error.kind;
}

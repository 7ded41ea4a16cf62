/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mpu_rig.h"

int main(int argc, char **argv) {
  mpu_config_t c = mpu_config_default();
  c.cubes_x = 1, c.cubes_y = 1, c.cores_x = 2, c.cores_y = 2;
  bool full = false;
  const char *name = "axpy";
  int64_t values[WORKLOAD_MAX_PARAMS];
  const workload_t *w = NULL;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "full")) full = true;
    else if (!strcmp(argv[i], "big")) c.cubes_x = 4, c.cubes_y = 2, c.cores_x = 4, c.cores_y = 4;
    else if (!strcmp(argv[i], "ponb")) c.ponb = true;
    else if (!strcmp(argv[i], "farsmem")) c.smem_near = false;
    else if (mpu_policy_find(argv[i], &c.policy)) continue;
    else name = argv[i];
  }
  w = workload_find(name);
  if (!w) return 2;
  (full ? workload_full : workload_defaults)(w, values);
  mpu_rig_t rig;
  char why[256] = "";
  bool right = false;
  if (mpu_rig_open(&rig, &c)) { puts(rig.error.text); return 2; }
  int status = mpu_rig_workload(&rig, w, values, &right, why, sizeof why);
  mpu_stats_t s = mpu_stats(rig.mpu);
  printf("%s: status %d right %d %s %s\n", name, status, right, why, rig.error.text);
  printf("cycles %llu warp instr %llu near %llu far %llu moves far %llu near %llu global %llu offl %llu local %llu remote %llu ext cycles %llu busy %llu hits %llu miss %llu conf %llu\n",
    (unsigned long long)s.cycles, (unsigned long long)s.warp_instructions, (unsigned long long)s.near_instructions, (unsigned long long)s.far_instructions,
    (unsigned long long)s.register_moves[0], (unsigned long long)s.register_moves[1], (unsigned long long)s.global_accesses, (unsigned long long)s.global_offloaded,
    (unsigned long long)s.local_transfers, (unsigned long long)s.remote_transfers, (unsigned long long)s.lsu_ext_cycles, (unsigned long long)s.tsv_busy,
    (unsigned long long)s.row_hits, (unsigned long long)s.row_misses, (unsigned long long)s.row_conflicts);
  mpu_rig_close(&rig);
  return 0;
}

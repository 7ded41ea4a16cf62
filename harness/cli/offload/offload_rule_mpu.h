/* SPDX-License-Identifier: Apache-2.0
 *
 * `lockstack offload --rule mpu`: the report on kernels of any number of files.
 */
#ifndef OFFLOAD_RULE_MPU_H
#define OFFLOAD_RULE_MPU_H

#include "cli.h"
#include "mpu_compiler.h"

typedef struct {
  const char *const *files;
  unsigned num_files;
  const char *kernel; /* NULL: all */
  mpu_policy_t policy;
} offload_rule_mpu_t;

/* Reports all files and ends with cli_finish. A kernel that cannot be compiled is a line of the
 * report. A file that is bad PTX is a line on standard error and makes the exit code EXIT_BAD,
 * after all other files. */
int offload_rule_mpu(cli_t *cli, const offload_rule_mpu_t *options);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * `lockstack offload --rule tom`: the report on kernels of any number of files.
 */
#ifndef OFFLOAD_RULE_TOM_H
#define OFFLOAD_RULE_TOM_H

#include "cli.h"
#include "tom_compiler.h"

typedef struct {
  const char *const *files;
  unsigned num_files;
  const char *kernel; /* NULL: all */
  tom_regions_t regions;
} offload_rule_tom_t;

int offload_rule_tom(cli_t *cli,
                     const offload_rule_tom_t *options); /* ends with cli_finish; stops at the first bad file */

#endif

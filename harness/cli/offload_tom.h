/* SPDX-License-Identifier: Apache-2.0
 *
 * `lockstack offload --rule tom`: the report on kernels of any number of files.
 */
#ifndef OFFLOAD_TOM_H
#define OFFLOAD_TOM_H

#include "cli.h"
#include "tom_compiler.h"

typedef struct {
  const char *const *files;
  unsigned num_files;
  const char *kernel; /* NULL: all */
  tom_regions_t regions;
} offload_tom_t;

int offload_tom(cli_t *cli, const offload_tom_t *options); /* ends with cli_finish */

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch file: a module, buffers, launches, what is compared and kept; docs/launch.md has its
 * keys. As a workload it runs where any other does.
 *
 *   launch_file_t *l = launch_file_read("saxpy.yaml", NULL, &trouble);           NULL: one line
 *   says file, line, what is wrong const workload_t *w = launch_file_workload(l);
 *   ...
 *   launch_file_free(l);
 */
#ifndef LAUNCH_FILE_H
#define LAUNCH_FILE_H

#include <stdbool.h>

#include "trouble.h"
#include "workload.h"

typedef struct launch_file launch_file_t;

/* a file's name, not a workload's: it has a slash or ends with .yaml or .yml */
bool launch_file_is_named(const char *text);

/* All that it names is read and held against the module, so that what can be wrong before a
 * simulation is found now. ptx: a module instead of the one that the file names, or NULL. */
launch_file_t *launch_file_read(const char *path, const char *ptx, trouble_t *trouble);
void launch_file_free(launch_file_t *file);
const workload_t *launch_file_workload(const launch_file_t *file);

#endif

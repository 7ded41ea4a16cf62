/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch file: a module, buffers, launches, what is compared and kept. docs/launch.md has its
 * keys. As a workload it runs wherever any other does.
 *
 *    launch_file_t *l = launch_file_read("saxpy.yaml", NULL, &trouble);
 *    const workload_t *w = launch_file_workload(l);      l is NULL on errors: *trouble has one line
 *    ...                                                 with file, line and what is wrong
 *    launch_file_free(l);
 */
#ifndef LAUNCH_FILE_H
#define LAUNCH_FILE_H

#include <stdbool.h>

#include "trouble.h"
#include "workload.h"

typedef struct launch_file launch_file_t;

/* Is the text a launch file's name, not a workload's? It has a slash, or ends with .yaml or
 * .yml. */
bool launch_file_is_named(const char *text);

/* Reads the file and all files that it names, and checks them against the module: whatever can be
 * wrong before a simulation is found now. ptx: a module instead of the one that the file names, or
 * NULL. NULL: *trouble says why not. */
launch_file_t *launch_file_read(const char *path, const char *ptx, trouble_t *trouble);
/* NULL is allowed. */
void launch_file_free(launch_file_t *file);
/* The file as a workload; it lives as long as the file. */
const workload_t *launch_file_workload(const launch_file_t *file);

#endif

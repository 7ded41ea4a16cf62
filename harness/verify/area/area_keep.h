/* SPDX-License-Identifier: Apache-2.0
 *
 * Is a kept result whole, and of what is there now? Beside what Yosys said stands `entry`, with a
 * checksum of each of these files and of each file that Yosys read, and the names of files that
 * Yosys would have read instead, were they there.
 */
#ifndef AREA_KEEP_H
#define AREA_KEEP_H

#include "rtl.h"

typedef struct {
  const char *const *files; /* what Yosys said, names in the folder; NULL behind the last */
  /* folders whose files are not looked at: they are made
   * anew for each run, and the key has what is in them */
  const char *apart[2];
  /* of a block outside of the tree: the folders that were searched; NULL: it is one of the tree */
  const rtl_t *own;
} area_keep_t;

/* work/entry, of files that are there and of what work/area.deps says was read. False: errno. */
bool area_keep_write(const area_keep_t *keep, const char *work, double seconds, double cpu_seconds);

/* False: there is no such result, or not all of it,
 * or something that it was made of has changed. */
bool area_keep_read(const area_keep_t *keep, const char *folder, double *seconds, double *cpu_seconds);

#endif

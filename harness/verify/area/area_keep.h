/* SPDX-License-Identifier: Apache-2.0
 *
 * Is a kept result complete, and do its inputs still have the same content?
 *
 * The folder has a file `entry` beside what Yosys said. entry has a checksum of each of Yosys'
 * lists and of each file that Yosys read. It also names files that Yosys would have preferred,
 * had they existed.
 */
#ifndef AREA_KEEP_H
#define AREA_KEEP_H

#include "rtl.h"

typedef struct {
  const char *const *files; /* files that Yosys wrote, names in the folder; NULL ends the list */
  /* folders to leave out: each run makes them anew, and the key covers their content */
  const char *apart[2];
  /* searched folders of a block outside the tree; NULL: a block of the tree */
  const rtl_t *own;
} area_keep_t;

/* Writes work/entry: `files`, and the inputs that work/area.deps lists. False: errno says why. */
bool area_keep_write(const area_keep_t *keep, const char *work, double seconds, double cpu_seconds);

/* False: no result, an incomplete one, or an input changed. */
bool area_keep_read(const area_keep_t *keep, const char *folder, double *seconds, double *cpu_seconds);

#endif

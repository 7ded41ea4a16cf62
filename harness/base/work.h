/* SPDX-License-Identifier: Apache-2.0
 *
 * A folder for one run of a verb, in which its tools write: FOLDER/NAME.1, FOLDER/NAME.2, and so
 * on. No other run gets it, not even one of the same name at the same time.
 *
 *   work_t work;
 *   if (!work_open(&work, "lockstack-out/prove", "fifo", &trouble)) return ...;
 *   ...                                     scripts, logs and problems in work.path
 *   work_close(&work, failed);              true: the report names files of it
 *
 * A folder that is not kept goes with all that is in it. A run that is killed leaves its folder;
 * the next work_open of this name removes it. Of those that are kept, work_open leaves the newest
 * WORK_KEPT.
 */
#ifndef WORK_H
#define WORK_H

#include <stdbool.h>

#include "plain.h"
#include "trouble.h"

enum { WORK_KEPT = 8 };

typedef struct {
  char path[PLAIN_PATH]; /* absolute, and as tools take it (plain.h); "": not open */
  int lock;
} work_t;

/* Makes `folder` too. False: trouble is of the environment. */
bool work_open(work_t *work, const char *folder, const char *name, trouble_t *trouble);

/* Of one that is not open nothing. A full disk keeps nothing. */
void work_close(work_t *work, bool keep);

/* Instead of work_close: the folder gets this name whole, in place of what has it. Nobody else may
 * publish this name meanwhile. False: errno, and the folder is gone. */
bool work_publish(work_t *work, const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A private folder for one run of a verb and its tools: FOLDER/NAME.1, FOLDER/NAME.2, and so on. No
 * other run gets the folder, not even a concurrent run of the same name.
 *
 *   work_t work;
 *   if (!work_open(&work, "lockstack-out/prove", "fifo", &trouble)) return ...;
 *   ...                                     scripts, logs and problems in work.path
 *   work_close(&work, failed);              true: keep it, the report names files of it
 *
 * A folder that is not kept is removed with its files. A killed run leaves its folder; the next
 * work_open of this name removes it. work_open also keeps only the newest WORK_KEPT of the kept
 * folders.
 */
#ifndef WORK_H
#define WORK_H

#include <stdbool.h>

#include "plain.h"
#include "trouble.h"

enum { WORK_KEPT = 8 };

typedef struct {
  char path[PLAIN_PATH]; /* absolute and plain (plain.h); "": not open */
  int lock;              /* descriptor that holds the lock on the folder */
} work_t;

/* Creates `folder` too. False: `trouble` is ENVIRONMENT. */
bool work_open(work_t *work, const char *folder, const char *name, trouble_t *trouble);

/* Does nothing if `work` is not open. When the disk is full, the folder is not kept. */
void work_close(work_t *work, bool keep);

/* Replaces work_close: renames the folder to `path`, in place of an older one. The caller makes
 * sure that nobody else publishes this name meanwhile. False: errno, and the folder is gone. */
bool work_publish(work_t *work, const char *path);

#endif

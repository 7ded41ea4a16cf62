/* SPDX-License-Identifier: Apache-2.0
 *
 * All processes that a job starts, whatever sessions and groups they make. A variable of the
 * environment marks them, because children inherit it. The guard is a process that outlives the
 * regression just long enough to end what the regression left behind.
 */
#ifndef PROCESSES_H
#define PROCESSES_H

#include <stdbool.h>

#define PROCESSES_VARIABLE "LOCKSTACK_JOB"

/* Kills every process whose variable begins with `tag`, until there is none. */
void processes_kill(const char *tag);

/* Makes this process the only one that may write to a database, by a lock file. False: another
 * process has the lock; its number is *owner (0: unknown). Or *owner is -1: the file cannot be
 * made, and errno says why. The lock holds until processes_dismiss, or until this process and
 * its guard have ended. */
bool processes_own(const char *lock_file, long *owner);

/* Forks the guard. It kills all processes with the tag when this process ends without
 * processes_dismiss. False: errno says why. */
bool processes_guard(const char *tag);
void processes_dismiss(void);

#endif

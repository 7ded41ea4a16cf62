/* SPDX-License-Identifier: Apache-2.0
 *
 * All that a job starts, whatever sessions and groups it makes: known by a variable of its
 * environment, which is inherited. And the guard: a process that outlives the regression just long
 * enough to end what that has left behind.
 */
#ifndef PROCESSES_H
#define PROCESSES_H

#include <stdbool.h>

#define PROCESSES_VARIABLE "LOCKSTACK_JOB"

/* Kills every process whose variable begins with `tag`, until there is none. */
void processes_kill(const char *tag);

/* The one that may write to a database, on its lock file: false when another is, whose number is in
 * *owner (0: not known), or with owner -1 and errno when the file cannot be made. It holds until
 * processes_dismiss, or this process and its guard have ended. */
bool processes_own(const char *lock_file, long *owner);

/* Forks the guard, which kills what has the tag when this
 * process ends without processes_dismiss. False with errno. */
bool processes_guard(const char *tag);
void processes_dismiss(void);

#endif

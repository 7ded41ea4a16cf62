/* SPDX-License-Identifier: Apache-2.0
 *
 * Locks on open files, and waiting for them. The lock ends when the last descriptor of this open
 * file is closed: a child that inherits the descriptor keeps it. A file system without locks gives
 * none, and nobody waits there.
 */
#ifndef LOCK_H
#define LOCK_H

#include <signal.h>
#include <stdbool.h>

typedef struct {
  double most_seconds;               /* how long to wait; 0: not at all */
  const volatile sig_atomic_t *stop; /* once it is set, a second is enough; NULL: nobody stops us */
  const char *say;                   /* a line for standard error after ten seconds; NULL: nothing */
} lock_wait_t;

/* True: the lock is ours, or there are none here. False: errno; ETIMEDOUT: another process has
 * it. */
bool lock_wait(int fd, const lock_wait_t *how);

/* Opens a lock file, makes it if it is not there, and waits. `inherited`: tools that we start keep
 * the lock, too. Returns the descriptor; -1: errno as of open() or lock_wait(). */
int lock_open(const char *path, bool inherited, const lock_wait_t *how);

#endif

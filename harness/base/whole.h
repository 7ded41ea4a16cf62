/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes files that appear whole or not at all: written beside the target, then renamed. A device
 * or a pipe is written in place.
 *
 *   whole_t w;
 *   FILE *file = fopen(whole_begin(&w, path), "w");
 *   ...                               errno of the first write that failed, or 0
 *   int error = whole_end(&w, error); 0, or errno: the old file is then unchanged
 */
#ifndef WHOLE_H
#define WHOLE_H

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

#include "trouble.h"

enum { WHOLE_PATH = 4096 + 16 };

typedef struct {
  char path[WHOLE_PATH], part[WHOLE_PATH]; /* target and temporary file; the same path: written in place */
  mode_t mode;                             /* mode of the old file; 0: there was none */
} whole_t;

/* Removes a program's output file before the work begins, so that a failed run leaves no old file
 * that looks like a result. Acts on regular files only; files in /dev and /proc stay. A later write
 * to the same path restores the mode. Returns 0, or errno. */
int whole_clear(const char *path);

const char *whole_begin(whole_t *whole, const char *path); /* the path to write to: w->part */
/* error 0: renames the file into place. Else removes the temporary file. Returns 0, `error`, or
 * errno of the rename. */
int whole_end(whole_t *whole, int error);

/* Renames the closed file `from` to the first free name: `path`, else "stem-2.end", "stem-3.end"
 * and so on; `path` then has that name. A name is taken if a file of other contents has it, or if a
 * file exists with one of `endings` (".fst .gtkw"; "": none) in place of path's ending. If a file
 * has the same contents, that file stays and `from` is removed. Safe for concurrent calls. Returns
 * 0, or errno; `from` then still exists. */
int whole_keep(const char *from, char *path, size_t size, const char *endings);

/* Closes a FILE. Returns 0, `error`, or errno of the data that could not be written. */
int whole_close(void *file, int error);

/* Locks a file for a read-modify-write cycle; other callers wait until the descriptor is closed.
 * Creates the file if missing. -1: errno. ETIMEDOUT comes after a minute, or after a second once
 * *stop is set (`stop` may be NULL). A file system without locks gives no lock. */
int whole_lock(const char *path, const volatile sig_atomic_t *stop);

/* the same without waiting; -1, EWOULDBLOCK: another process has the lock */
int whole_try_lock(const char *path);

/* Checks for a full device, which programs do not always report. Returns 0, or ENOSPC. */
int whole_no_room(const char *path);

/* For a program that exited with 0 but did not finish the file. Sets ENVIRONMENT: "yosys: no space
 * left on the device for PATH", or another cause, with the program's log (NULL: none). Returns
 * false. */
bool whole_unwritten(const char *program, const char *path, const char *log, trouble_t *trouble);

#endif

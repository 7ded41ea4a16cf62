/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that appear whole or not at all: written beside their place, then renamed. A device or a
 * pipe is written in place.
 *
 *   whole_t w;
 *   FILE *file = fopen(whole_begin(&w, path), "w");
 *   ...                                                  errno of the first write that failed, or 0
 *   int error = whole_end(&w, error);                    0, or errno; the old file is as it was
 *                                                        then
 */
#ifndef WHOLE_H
#define WHOLE_H

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

#include "trouble.h"

enum { WHOLE_PATH = 4096 + 16 };

typedef struct {
  char path[WHOLE_PATH], part[WHOLE_PATH]; /* the same: in place */
  mode_t mode;                             /* of the file that was there; 0: none was */
} whole_t;

/* What a program makes goes when its work begins: a run that ends without it leaves none that looks
 * like it. Of a regular file; who writes it again by this name gives it the mode that it had. What
 * /dev and /proc name stays. 0, or errno. */
int whole_clear(const char *path);

const char *whole_begin(whole_t *whole, const char *path); /* where to write: its `part` */
int whole_end(whole_t *whole, int error);

/* A file that is written and closed gets a name that is nobody else's: `path`, or "stem-2.end",
 * "stem-3.end" ..., which path then says. A name is somebody's when a file of other contents has
 * it, or when a file has one of these endings in the place of path's (".fst .gtkw"; "": none). If a
 * file of the same contents has it, that one stays, and `from` goes. Safe for several at once. 0,
 * or errno: `from` is still there. */
int whole_keep(const char *from, char *path, size_t size, const char *endings);

int whole_close(void *file, int error); /* of a FILE: closes it; 0, error, or errno of what could not be written */

/* For who reads the file, changes it and writes it whole again: others who lock it wait until this
 * descriptor is closed. Makes an empty file if there is none. -1: errno, ETIMEDOUT behind a minute,
 * or behind a second when stop is set; NULL: nothing sets it. A file system without locks gives
 * none. */
int whole_lock(const char *path, const volatile sig_atomic_t *stop);

int whole_try_lock(const char *path); /* the same at once; -1, EWOULDBLOCK: another has it */

/* No room where this file is to be? Programs that write it may not say so: 0, or ENOSPC. */
int whole_no_room(const char *path);

/* Of a program that ended well and did not write the file to its end, ENVIRONMENT: "yosys: no space
 * left on the device for PATH", or what else there is to say, with its log (NULL: none). False. */
bool whole_unwritten(const char *program, const char *path, const char *log, trouble_t *trouble);

#endif

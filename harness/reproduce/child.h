/* SPDX-License-Identifier: Apache-2.0
 *
 * A program running beside us, with its output and errors kept for when it is done. Never waits: the caller polls.
 *
 *   if (child_start(&c, program, argv)) errno says why
 *   while (!child_done(&c, &status)) ...; text = child_text(c.out); child_free(&c);
 */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct {
  pid_t pid;
  FILE *out, *err; /* files without a name */
} child_t;

int child_start(child_t *child, const char *program, char *const argv[]); /* 0; -1: errno. It ends when we do */
bool child_done(child_t *child, int *status);  /* status: of exit; 128 + the signal's number; -1: unknown */
void child_stop(const child_t *child);         /* asks it to end (SIGTERM); child_done says when it has */
void child_free(child_t *child);               /* after child_done */

char *child_text(FILE *file);                  /* the whole file, to be freed; NULL: out of memory */
const char *child_last_line(char *text);       /* its last line with something on it, "" if none; cuts the text there */

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Other programs, and copies of this one.
 *
 *   status = process_run(argv, log, 60, NULL, NULL)       to its end, what it says in a file, for a
 *                                                         limited time
 *   text = process_text(argv, &status)                    to its end, what it says as text
 *   child = process_start(&how) ... process_wait(child)   beside us
 */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PROCESS_NOT_STARTED = 127, PROCESS_TIMEOUT = 1000, PROCESS_STOPPED };

/* How a program starts; zero: as we are. It reads from nowhere. A program
 * that cannot be started says so in a line, PROCESS_NOT_STARTED. */
typedef struct {
  char *const *argv;
  const char *program;          /* NULL: argv[0]. Looked for on the PATH if it has no slash */
  const char *folder;           /* to start in */
  const char *variable, *value; /* of its environment */
  int out, err;                 /* descriptors that become its standard output and standard error */
  int dies_with_us;             /* the signal it gets when we end, however that is */
  bool group, session;          /* its own: signals of the terminal are ours alone to pass on */
} process_t;

/* First in main(): whoever started us may have left signals blocked, or children that nobody is
 * told about when they end (SIGCHLD ignored). */
void process_begin(void);

pid_t process_start(const process_t *how); /* -1: errno. It has no signal blocked */

/* A copy of this process, as fork; what is to be written is written
 * before. In the copy it returns 0; `dies_with_us` as above. */
pid_t process_fork(int dies_with_us);

/* Its exit status, 128 + the number of the signal that ended it, -1: there is no such child. */
int process_wait(pid_t child);
bool process_wait_raw(pid_t child, int *raw); /* as waitpid says it; false: there is no such child */
int process_status(int raw);                  /* of what waitpid said */

/* Standard output and error go to `log`. What runs when the time is over or stop(context) says so
 * is killed with all that it started: PROCESS_TIMEOUT, PROCESS_STOPPED. seconds 0: for ever. */
int process_run(char *const argv[], const char *log, double seconds, bool (*stop)(void *context), void *context);

char *process_text(char *const argv[], int *status);   /* output and errors, to be freed; NULL: out of memory */
char *process_answer(char *const argv[], int *status); /* output alone: anything may be among errors */

bool process_there(const char *name); /* a program of this name is on the PATH */
const char *process_self(void);       /* the path of this program; "": not known */

/* The build ID of this program, the linker's checksum of all
 * that it is made of, and its bytes; NULL: it has none. */
const void *process_build_id(size_t *size);

#endif

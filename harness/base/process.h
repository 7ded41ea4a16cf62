/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs other programs, and forks copies of this one.
 *
 *   status = process_run(argv, log, 60, NULL, NULL)       to its end; output to a file; time limit
 *   text = process_text(argv, &status)                    to its end; output as text
 *   status = process_tool(&how, &text, 60)                the same, watched, with a time limit
 *   child = process_start(&how) ... process_wait(child)   in parallel
 */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PROCESS_NOT_STARTED = 127, PROCESS_TIMEOUT = 1000, PROCESS_STOPPED };

/* How a program starts; a zero field inherits ours. Standard input is empty. A program that cannot
 * be started prints one line and exits with PROCESS_NOT_STARTED. */
typedef struct {
  char *const *argv;
  const char *program;          /* file to run; NULL: argv[0]. Searched on the PATH unless it has a slash */
  const char *folder;           /* working folder */
  const char *variable, *value; /* one more variable of the environment, and its value */
  int out, err;                 /* descriptors for standard output and standard error */
  int dies_with_us;             /* signal that the child gets when we end for any reason */
  unsigned cpu;                 /* seconds of a processor, after which SIGXCPU ends the child; 0: no limit */
  /* The child gets a process group or a session of its own. Signals of the terminal then reach the
   * child only if we pass them on. */
  bool group, session;
} process_t;

/* Call this first in main(). Undoes what a parent may have left: blocked signals, and an ignored
 * SIGCHLD, which would hide the end of children. */
void process_begin(void);

/* returns at once; -1: errno. The child has no signal blocked */
pid_t process_start(const process_t *how);

/* fork(), with our buffered output written first. Returns 0 in the copy. `dies_with_us`
 * as above. */
pid_t process_fork(int dies_with_us);

/* The exit status, or 128 + the number of the signal that ended the child. -1: no such child. */
int process_wait(pid_t child);
bool process_wait_raw(pid_t child, int *raw); /* the status in waitpid's form; false: no such child */
int process_status(int raw);                  /* converts waitpid's form */

/* Runs a program with standard output and error in `log`. When `seconds` are over (0: no limit) or
 * stop(context) returns true, kills it with all its descendants. Returns the status,
 * PROCESS_TIMEOUT or PROCESS_STOPPED. */
int process_run(char *const argv[], const char *log, double seconds, bool (*stop)(void *context), void *context);

/* Runs a program with a group of its own to the end of its output, which becomes `text` (NULL: out
 * of memory; the caller frees it); `how` may say where standard error goes instead. Limit and
 * status are those of process_run. */
int process_tool(const process_t *how, char **text, double seconds);

/* What process_run and process_tool obey from now on; NULL: nothing. stopped() returns true: a
 * program that runs is killed with all its descendants, and the status is PROCESS_STOPPED; one that
 * starts later is not. While a
 * program runs waits() is called ten times a second, with the work that it is part of (NULL: it is
 * none), the program's name, and the seconds since the work or else the program began; all is NULL
 * at the end of that. Copies of process_fork do not call it. */
typedef void process_waits_t(const char *work, const char *program, double seconds);
void process_supervise(bool (*stopped)(void), process_waits_t *waits);
bool process_stopped(void); /* stopped() says so */

/* The programs that run from here on are part of this work, "building fifo (rtl)", until
 * process_work(NULL). The text has to live as long. */
void process_work(const char *what);

/* The seconds that a tool may take: LOCKSTACK_TOOL_SECONDS of the environment, else `otherwise`. */
double process_limit(double otherwise);

/* Output and errors as one text; the caller frees it. NULL: out of memory. */
char *process_text(char *const argv[], int *status);
/* Standard output alone, for output that is parsed: errors may contain anything. */
char *process_answer(char *const argv[], int *status);

bool process_there(const char *name); /* a program of this name is on the PATH */
const char *process_self(void);       /* the path of this program; "": unknown */

/* The build ID of this program, the linker's checksum over all its inputs, and its size in bytes.
 * NULL: the program has none. */
const void *process_build_id(size_t *size);

#endif

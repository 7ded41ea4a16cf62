/* SPDX-License-Identifier: Apache-2.0
 *
 * The two processes of a command.
 *
 *   parent: waits, passes signals on        child: run_inner -> command(argc, argv)
 *      |        <--- shared last_word_t ---    |  code, then ended = 1, then exit(code)
 *      '-- believe_status: the word's code, or the raw status if there is no word
 *
 * Ctrl-C of a terminal reaches both processes; a signal to the parent alone is passed on. So the
 * child may get a signal twice: it only takes note. A second signal kills the parent, and the child
 * dies with it (PR_SET_PDEATHSIG of process_fork).
 */
#include "outer.h"

#include "cli.h"
#include "process.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* In shared memory. The child writes code before ended: the parent reads code only when ended is
 * set. */
typedef struct {
  volatile sig_atomic_t ended;
  volatile int code;
} last_word_t;

static volatile pid_t inner; /* 0: there is no parent */

/* Handles SIGINT and SIGTERM. System calls restart, so that reads of models and tools are not
 * cut short. */
static void catch_both(void (*on_signal)(int), int flags) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | flags};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

/* The command's handler. Copies that the command makes of itself inherit it: in them, a second
 * signal kills. */
static void take_note(int signal_number) {
  cli_interrupted = 1;
  if (getpid() != inner) signal(signal_number, SIG_DFL);
}

/* The parent's handler, used once (SA_RESETHAND): a second signal finds the default action. */
static void pass_signal_on(int signal_number) {
  const int error = errno;
  kill(inner, signal_number);
  errno = error;
}

int outer_none(int (*command)(int argc, char **argv), int argc, char **argv) {
  catch_both(take_note, 0);
  return command(argc, argv);
}

/* The child. Signals were blocked until its handlers stand, so that none is lost in between. */
static _Noreturn void run_inner(last_word_t *word, const sigset_t *before, int (*command)(int argc, char **argv),
                                int argc, char **argv) {
  inner = getpid();
  catch_both(take_note, 0);
  sigprocmask(SIG_SETMASK, before, NULL);
  const int code = command(argc, argv);
  word->code = code;
  word->ended = 1;
  exit(code);
}

/* Ends this process by the signal that ended the child, after a line. SIGPIPE has no line: a
 * reader of our output may end before us (`| head`). No core file of ours: it would hide the
 * child's. */
static int end_by_signal(int signal_number, const char *name) {
  if (signal_number != SIGPIPE)
    cli_error(EXIT_ENV, "%s was ended by signal %d (%s)", name, signal_number, strsignal(signal_number));
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  signal(signal_number, SIG_DFL);
  raise(signal_number);
  return 128 + signal_number;
}

/* The exit status, from the child's raw status and its last word. A sanitizer reports a leak
 * after the command's end, so a word of 0 gives way to the raw status. Without a word, 1 to 3
 * are ours: that code has printed its line. Any other status comes from code that the command
 * ran; 141 is then no signal. */
static int believe_status(const last_word_t *word, int raw, const char *name) {
  const int status = process_status(raw);
  if (word->ended) return word->code ? word->code : status;
  if (WIFSIGNALED(raw)) return end_by_signal(WTERMSIG(raw), name);
  if (status >= EXIT_BROKEN && status <= EXIT_ENV) return status;
  return cli_error(EXIT_ENV,
                   "%s ended with exit status %d before it had a verdict: what it ran has ended it (_exit? exec?)",
                   name, status);
}

int outer_run(int (*command)(int argc, char **argv), int argc, char **argv) {
  char name[64];
  sigset_t both, before;
  last_word_t *word = mmap(NULL, sizeof *word, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  snprintf(name, sizeof name, "%.50s", argc > 1 ? argv[1] : "the command"); /* the command changes argv */
  sigemptyset(&both);
  sigaddset(&both, SIGINT);
  sigaddset(&both, SIGTERM);
  sigprocmask(SIG_BLOCK, &both, &before);
  const pid_t child = word == MAP_FAILED ? -1 : process_fork(SIGKILL);
  if (child == 0) run_inner(word, &before, command, argc, argv);
  inner = child;
  if (child > 0) catch_both(pass_signal_on, (int)SA_RESETHAND);
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (child < 0) return cli_error(EXIT_ENV, "no process could be started: %s", strerror(errno));
  int raw;
  if (!process_wait_raw(child, &raw)) raw = SIGKILL; /* somebody else has waited for it */
  return believe_status(word, raw, name);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * One session always waits for the next process that asks. The first session makes its machine
 * while the program starts.
 *
 *   start_session(eager) -> start_program -> wait_for_notes, until program and sessions have ended
 *                                              |  BEGIN: number the session, start the next one
 *                                              |  LAUNCH, ABSENT, LINE: hand to the caller
 *                                              |  END or a broken pipe: end_session
 */
#include "program.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "file.h"
#include "process.h"
#include "system_stats.h"

enum { WAITS = -1 /* the number of a session that no program has asked yet */ };

/* A session: its process, and the end of the pipe of its notes. */
typedef struct {
  pid_t pid;
  int notes; /* descriptor */
  int number;
} running_t;

/* A program that runs, and its sessions. */
typedef struct {
  const program_t *program;
  int listening;
  char name[WIRE_NAME]; /* of the socket */
  running_t *running;
  unsigned count, begun;
  pid_t pid;  /* the program's; 0: it has ended */
  int ended;  /* descriptor that says so */
  int status; /* exit status */
  double interrupted_at;
  bool passed_on;
  uint64_t (*counts)[SYSTEM_COUNTS];
  trouble_t *trouble;
} run_t;

/* ---- sessions ---- */

/* A name in the abstract name space, unique to this process and moment. */
static bool listen_for_programs(run_t *r) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  static unsigned number;
  snprintf(r->name, sizeof r->name, "lockstack-exec-%d-%u-%llx", (int)getpid(), number++,
           (unsigned long long)(clock_seconds() * 1e9));
  memcpy(address.sun_path + 1, r->name, strlen(r->name));
  const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(r->name));
  r->listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return (r->listening >= 0 && !bind(r->listening, (struct sockaddr *)&address, size) && !listen(r->listening, 64)) ||
         trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "no socket for the program: %s", strerror(errno));
}

/* In a new session: descriptors that belong to exec. */
static void close_others(const run_t *r) {
  for (unsigned i = 0; i < r->count; i++) close(r->running[i].notes);
  if (r->pid) close(r->ended);
}

/* Forks. eager: the machine is made at once. False: trouble says why. */
static bool start_session(run_t *r, bool eager) {
  int ends[2];
  running_t *more = realloc(r->running, (r->count + 1) * sizeof *more);
  if (!more) return trouble_memory(r->trouble);
  r->running = more;
  if (pipe(ends)) return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "no pipe to a simulation: %s", strerror(errno));
  const pid_t pid = process_fork(SIGTERM);
  if (!pid) {
    session_options_t options = *r->program->session;
    options.eager = eager;
    close(ends[0]);
    close_others(r);
    session_run(&options, r->listening, ends[1]);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "no process for a simulation: %s", strerror(errno));
  }
  r->running[r->count++] = (running_t){pid, ends[0], WAITS};
  return true;
}

/* The session has said all it had to say. Its place in the list goes to the last one. */
static void end_session(run_t *r, unsigned i, system_stats_t *stats) {
  const running_t s = r->running[i];
  struct rusage usage = {0};
  int how = 0;
  close(s.notes);
  while (wait4(s.pid, &how, 0, &usage) < 0 && errno == EINTR) continue;
  r->running[i] = r->running[--r->count];
  const program_end_t end = {stats, clock_of(&usage.ru_utime) + clock_of(&usage.ru_stime),
                             (uint64_t)usage.ru_maxrss * 1024};
  if (s.number != WAITS) r->program->end(r->program->ctx, (unsigned)s.number, &end);
  else if (r->pid && !r->trouble->kind && !*r->program->interrupted)
    trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "the simulation ended before a program asked for it");
}

/* Reads one note of session i. False: no more will come, and the session is gone from the list. */
static bool hear_note(run_t *r, unsigned i) {
  running_t *s = &r->running[i];
  static note_t note;
  static system_stats_t stats;
  if (!file_get(s->notes, &note, sizeof note) || note.parts > COMPOSITION_PARTS ||
      !file_get(s->notes, r->counts, note.parts * sizeof *r->counts)) {
    end_session(r, i, NULL);
    return false;
  }
  if (note.kind == NOTE_END) {
    const bool good = system_stats_get(&stats, s->notes);
    end_session(r, i, good ? &stats : NULL);
    system_stats_free(&stats);
    return false;
  }
  if (note.kind == NOTE_BEGIN) {
    s->number = (int)r->begun++;
    if (r->listening >= 0 && !start_session(r, false)) return true;
    s = &r->running[i];
  }
  if (s->number != WAITS)
    r->program->note(r->program->ctx, (unsigned)s->number, &note, (const uint64_t(*)[SYSTEM_COUNTS])r->counts);
  else trouble_set(r->trouble, note.status == WIRE_BROKEN ? TROUBLE_ENVIRONMENT : TROUBLE_INPUT, "%s", note.text);
  return true;
}

/* ---- the program ---- */

/* Puts a folder before those of an environment variable that holds a path. */
static void prepend_folder(const char *variable, const char *folder) {
  const char *old = getenv(variable);
  char *all = NULL;
  if (asprintf(&all, "%s%s%s", folder, old && *old ? ":" : "", old ? old : "") >= 0) setenv(variable, all, 1);
  free(all);
}

/* A path in the program's file would find other libraries first, so ours are preloaded. Only then:
 * a sanitizer wants to be first. */
static void preload_libraries(const program_t *p) {
  if (!p->file->first_path) return;
  char *all = strdup("");
  for (unsigned i = 0; all && i < p->file->needs; i++) {
    char *longer = NULL;
    if (asprintf(&longer, "%s%s%s/%s", all, *all ? ":" : "", p->libraries, p->file->need[i]) < 0) break;
    free(all);
    all = longer;
  }
  if (all && *all) prepend_folder("LD_PRELOAD", all);
  free(all);
}

/* The pipe closes at execv, or carries the reason why execv failed. */
static bool start_program(run_t *r) {
  const program_t *p = r->program;
  int failed[2];
  if (pipe2(failed, O_CLOEXEC)) return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "no pipe: %s", strerror(errno));
  fflush(NULL);
  r->pid = fork();
  if (!r->pid) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    prepend_folder("LD_LIBRARY_PATH", p->libraries);
    preload_libraries(p);
    setenv(WIRE_VARIABLE, r->name, 1);
    execv(p->file->path, p->argv);
    const int why = errno;
    (void)!write(failed[1], &why, sizeof why);
    _exit(PROCESS_NOT_STARTED);
  }
  close(failed[1]);
  int why = r->pid < 0 ? errno : 0;
  const bool refused = r->pid > 0 && file_get(failed[0], &why, sizeof why);
  close(failed[0]);
  if (refused) process_wait(r->pid);
  if (!refused && r->pid > 0 && (r->ended = pidfd_open(r->pid, 0)) >= 0) return true;
  r->pid = 0;
  return trouble_set(r->trouble, refused ? TROUBLE_INPUT : TROUBLE_ENVIRONMENT, "%s cannot be started: %s",
                     p->file->path, strerror(why ? why : errno));
}

/* The program has ended: its exit status is kept, and no process can connect any more. */
static void end_program(run_t *r) {
  r->status = process_wait(r->pid);
  close(r->ended);
  r->pid = 0;
  if (r->listening >= 0) close(r->listening);
  r->listening = -1;
}

/* Sessions that no program has asked yet. exec no longer holds the socket, so only a session could
 * take a connection. */
static void end_waiting(const run_t *r) {
  for (unsigned i = 0; i < r->count; i++)
    if (r->running[i].number == WAITS) kill(r->running[i].pid, SIGKILL);
}

/* Ctrl-C of a terminal reaches the program, too. A signal to exec alone is passed on after a second
 * if the program has not ended by itself. */
static void pass_on_interrupt(run_t *r) {
  static const double patience = 1.0;
  if (!*r->program->interrupted) return;
  if (!r->interrupted_at) r->interrupted_at = clock_seconds();
  if (r->passed_on || clock_seconds() - r->interrupted_at < patience) return;
  r->passed_on = true;
  if (r->pid) kill(r->pid, SIGTERM);
  for (unsigned i = 0; i < r->count; i++)
    if (r->running[i].number != WAITS) kill(r->running[i].pid, SIGTERM);
}

/* Sessions that serve a program. */
static unsigned count_active(const run_t *r) {
  unsigned n = 0;
  for (unsigned i = 0; i < r->count; i++) n += r->running[i].number != WAITS;
  return n;
}

/* Waits until a session has a note or the program ends, and handles all that came. */
static void wait_for_notes(run_t *r) {
  struct pollfd *on = calloc(r->count + 1, sizeof *on);
  if (!on) return;
  const unsigned count = r->count;
  for (unsigned i = 0; i < count; i++) on[i] = (struct pollfd){r->running[i].notes, POLLIN, 0};
  on[count] = (struct pollfd){r->pid ? r->ended : -1, POLLIN, 0};
  if (poll(on, count + 1, *r->program->interrupted ? 100 : -1) > 0) {
    for (unsigned i = count; i-- > 0;)
      if (on[i].revents) hear_note(r, i); /* one that ends gives its place to the last, which has been heard */
    if (on[count].revents) end_program(r);
  }
  free(on);
  pass_on_interrupt(r);
}

bool program_run(const program_t *program, int *status, trouble_t *trouble) {
  run_t r = {
      .program = program, .listening = -1, .trouble = trouble, .counts = calloc(COMPOSITION_PARTS, sizeof *r.counts)};
  *trouble = (trouble_t){.kind = TROUBLE_NONE};
  if (!r.counts) return trouble_memory(trouble);
  if (listen_for_programs(&r) && start_session(&r, true) && start_program(&r)) {
    while ((r.pid || count_active(&r)) && !trouble->kind) wait_for_notes(&r);
  }
  if (r.pid) {
    kill(r.pid, SIGTERM);
    end_program(&r);
  }
  if (r.listening >= 0) close(r.listening);
  end_waiting(&r);
  while (r.count) hear_note(&r, 0);
  *status = r.status;
  free(r.running);
  free(r.counts);
  return !trouble->kind;
}

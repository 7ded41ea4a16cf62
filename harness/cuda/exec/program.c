/* SPDX-License-Identifier: Apache-2.0
 *
 * One session waits for the next process that asks; the first one's machine is made while the
 * program starts.
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

typedef struct {
  pid_t pid;
  int notes; /* descriptor */
  int number;
} running_t;

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

static void close_others(const run_t *r) {
  for (unsigned i = 0; i < r->count; i++) close(r->running[i].notes);
  if (r->pid) close(r->ended);
}

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

/* It has ended, and has said all that it had to say. */
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

/* One note. False: no more will come. */
static bool hear(run_t *r, unsigned i) {
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

static void before_others(const char *variable, const char *folder) {
  const char *old = getenv(variable);
  char *all = NULL;
  if (asprintf(&all, "%s%s%s", folder, old && *old ? ":" : "", old ? old : "") >= 0) setenv(variable, all, 1);
  free(all);
}

/* What it names itself, before what a path in its file leads to. A
 * sanitizer would not be preloaded behind, so no more than must be. */
static void preload(const program_t *p) {
  if (!p->file->first_path) return;
  char *all = strdup("");
  for (unsigned i = 0; all && i < p->file->needs; i++) {
    char *longer = NULL;
    if (asprintf(&longer, "%s%s%s/%s", all, *all ? ":" : "", p->libraries, p->file->need[i]) < 0) break;
    free(all);
    all = longer;
  }
  if (all && *all) before_others("LD_PRELOAD", all);
  free(all);
}

static bool start_program(run_t *r) {
  const program_t *p = r->program;
  int failed[2];
  if (pipe2(failed, O_CLOEXEC)) return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "no pipe: %s", strerror(errno));
  fflush(NULL);
  r->pid = fork();
  if (!r->pid) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    before_others("LD_LIBRARY_PATH", p->libraries);
    preload(p);
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

static void end_program(run_t *r) {
  r->status = process_wait(r->pid);
  close(r->ended);
  r->pid = 0;
  if (r->listening >= 0) close(r->listening);
  r->listening = -1;
}

/* No program will ask those that wait: exec holds the
 * socket no more, so only they could take one. */
static void end_waiting(const run_t *r) {
  for (unsigned i = 0; i < r->count; i++)
    if (r->running[i].number == WAITS) kill(r->running[i].pid, SIGKILL);
}

/* Ctrl-C of a terminal reaches the program, too; what tells only
 * us to stop is passed on when it does not end by itself. */
static void look_interrupted(run_t *r) {
  static const double patience = 1.0;
  if (!*r->program->interrupted) return;
  if (!r->interrupted_at) r->interrupted_at = clock_seconds();
  if (r->passed_on || clock_seconds() - r->interrupted_at < patience) return;
  r->passed_on = true;
  if (r->pid) kill(r->pid, SIGTERM);
  for (unsigned i = 0; i < r->count; i++)
    if (r->running[i].number != WAITS) kill(r->running[i].pid, SIGTERM);
}

static unsigned active(const run_t *r) {
  unsigned n = 0;
  for (unsigned i = 0; i < r->count; i++) n += r->running[i].number != WAITS;
  return n;
}

/* Waits until somebody has something to say. */
static void turn(run_t *r) {
  struct pollfd *on = calloc(r->count + 1, sizeof *on);
  if (!on) return;
  const unsigned count = r->count;
  for (unsigned i = 0; i < count; i++) on[i] = (struct pollfd){r->running[i].notes, POLLIN, 0};
  on[count] = (struct pollfd){r->pid ? r->ended : -1, POLLIN, 0};
  if (poll(on, count + 1, *r->program->interrupted ? 100 : -1) > 0) {
    for (unsigned i = count; i-- > 0;)
      if (on[i].revents) hear(r, i); /* one that ends gives its place to the last, which has been heard */
    if (on[count].revents) end_program(r);
  }
  free(on);
  look_interrupted(r);
}

bool program_run(const program_t *program, int *status, trouble_t *trouble) {
  run_t r = {
      .program = program, .listening = -1, .trouble = trouble, .counts = calloc(COMPOSITION_PARTS, sizeof *r.counts)};
  *trouble = (trouble_t){.kind = TROUBLE_NONE};
  if (!r.counts) return trouble_memory(trouble);
  if (listen_for_programs(&r) && start_session(&r, true) && start_program(&r)) {
    while ((r.pid || active(&r)) && !trouble->kind) turn(&r);
  }
  if (r.pid) {
    kill(r.pid, SIGTERM);
    end_program(&r);
  }
  if (r.listening >= 0) close(r.listening);
  end_waiting(&r);
  while (r.count) hear(&r, 0);
  *status = r.status;
  free(r.running);
  free(r.counts);
  return !trouble->kind;
}

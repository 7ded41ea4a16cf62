/* SPDX-License-Identifier: Apache-2.0
 *
 * A child with a time limit holds the writing end of a pipe, and so do all its descendants. End of
 * file on the pipe means that all of them have ended, and waiting for it takes no CPU time.
 */
#include "process.h"

#include "clock.h"
#include "file.h"
#include "unwrapped.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

void process_begin(void) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGCHLD, SIG_DFL);
}

static bool (*stopped_by)(void);
static process_waits_t *tell;
static const char *work;
static double work_began;

pid_t process_fork(int dies_with_us) {
  pid_t parent = getpid();
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) tell = NULL;
  if (child || !dies_with_us) return child;
  prctl(PR_SET_PDEATHSIG, dies_with_us);
  if (getppid() != parent) _exit(PROCESS_NOT_STARTED); /* the parent ended before prctl */
  return 0;
}

/* Starts what a script would start, with the stack that the script gives it. Returns if the program
 * is no such script. */
static void exec_behind(const char *program, char *const argv[]) {
  char behind[PLAIN_PATH];
  struct rlimit stack;
  size_t count = 0;
  if (!unwrapped_program(program, behind)) return;
  if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_max == RLIM_INFINITY)
    setrlimit(RLIMIT_STACK, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
  while (argv[count]) count++;
  char **with = calloc(count + 1, sizeof *with);
  if (!with) return;
  memcpy(with, argv, count * sizeof *with);
  with[0] = behind;
  execv(behind, with);
  free(with);
}

/* Runs in the child between fork and exec: descriptors, signals, folder, variable. A failure ends
 * with PROCESS_NOT_STARTED. */
static _Noreturn void exec_program(const process_t *how) {
  const char *program = how->program ? how->program : how->argv[0];
  process_begin();
  signal(SIGPIPE, SIG_DFL);
  if (how->group) setpgid(0, 0);
  if (how->session) setsid();
  /* behind a grace of a second SIGKILL follows */
  if (how->cpu) setrlimit(RLIMIT_CPU, &(struct rlimit){how->cpu, how->cpu + 1});
  if (how->variable) setenv(how->variable, how->value, 1);
  int nothing = open("/dev/null", O_RDONLY);
  bool ready = nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0;
  ready =
      ready && (!how->out || dup2(how->out, STDOUT_FILENO) >= 0) && (!how->err || dup2(how->err, STDERR_FILENO) >= 0);
  if (ready && (!how->folder || chdir(how->folder) == 0)) {
    exec_behind(program, how->argv);
    execvp(program, how->argv);
  }
  dprintf(STDERR_FILENO, "lockstack: %s: %s\n", program, strerror(errno));
  _exit(PROCESS_NOT_STARTED);
}

pid_t process_start(const process_t *how) {
  pid_t child = process_fork(how->dies_with_us);
  if (child == 0) exec_program(how);
  /* parent and child both call it, since either may be first */
  if (child > 0 && how->group) setpgid(child, child);
  return child;
}

int process_status(int raw) {
  return WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
}

bool process_wait_raw(pid_t child, int *raw) {
  pid_t got;
  while ((got = waitpid(child, raw, 0)) < 0 && errno == EINTR) continue;
  return got == child;
}

int process_wait(pid_t child) {
  int raw;
  return process_wait_raw(child, &raw) ? process_status(raw) : -1;
}

/* ---- programs that are watched ---- */

void process_supervise(bool (*stopped)(void), process_waits_t *waits) {
  stopped_by = stopped, tell = waits;
}

void process_work(const char *what) {
  if (work && tell) tell(NULL, NULL, 0);
  work = what, work_began = clock_seconds();
}

bool process_stopped(void) {
  return stopped_by && stopped_by();
}

/* A program that runs. */
typedef struct {
  const char *name;
  double began, seconds; /* seconds 0 or less: no limit */
  bool (*stop)(void *context);
  void *context;
  bool late; /* it began after the stop, as what reports on stopped work */
} run_t;

static run_t begin_run(const char *program, double seconds) {
  const char *slash = strrchr(program, '/');
  return (run_t){
      .name = slash ? slash + 1 : program, .began = clock_seconds(), .seconds = seconds, .late = process_stopped()};
}

/* PROCESS_STOPPED, PROCESS_TIMEOUT, or 0 to go on. */
static int reason_to_end(const run_t *run) {
  const double now = clock_seconds(), runs = now - run->began;
  if ((process_stopped() && !run->late) || (run->stop && run->stop(run->context))) return PROCESS_STOPPED;
  if (tell) tell(work, run->name, work ? now - work_began : runs);
  return run->seconds > 0 && runs > run->seconds ? PROCESS_TIMEOUT : 0;
}

/* The status of a child that has ended, or is to end `early`. */
static int end_run(pid_t child, int early) {
  if (early) kill(-child, SIGKILL);
  const int status = process_wait(child);
  if (tell && !work) tell(NULL, NULL, 0);
  return early ? early : status;
}

/* Waits for the end of the child and of its descendants, which all hold an end of the pipe `ended`.
 * All other descriptors of the pipe close at exec. */
static int wait_until(const run_t *run, pid_t child, int ended) {
  struct pollfd ready = {ended, POLLIN, 0};
  int early = 0;
  while (!early && poll(&ready, 1, 100) <= 0) early = reason_to_end(run);
  return end_run(child, early);
}

/* Reads the child's output to its end, or to a reason to end it. */
static char *read_output(const run_t *run, int descriptor, int *early) {
  char *text = NULL, part[4096];
  size_t size = 0;
  ssize_t n = 1;
  FILE *stream = open_memstream(&text, &size);
  struct pollfd ready = {descriptor, POLLIN, 0};
  while (stream && !*early && (n > 0 || (n < 0 && errno == EINTR))) {
    const bool some = poll(&ready, 1, 100) > 0;
    *early = reason_to_end(run);
    n = some && !*early ? read(descriptor, part, sizeof part) : 1;
    if (some && !*early && n > 0) fwrite(part, 1, (size_t)n, stream);
  }
  if (stream) fclose(stream);
  return text;
}

int process_tool(const process_t *how, char **text, double seconds) {
  int ends[2], early = 0;
  *text = NULL;
  if (pipe2(ends, O_CLOEXEC)) return -1;
  process_t child_how = *how;
  child_how.out = ends[1], child_how.err = how->err > 0 ? how->err : ends[1], child_how.group = true,
  child_how.dies_with_us = SIGKILL;
  run_t run = begin_run(how->argv[0], seconds);
  const pid_t child = process_start(&child_how);
  close(ends[1]);
  *text = read_output(&run, ends[0], &early);
  close(ends[0]);
  return child > 0 ? end_run(child, early) : PROCESS_NOT_STARTED;
}

int process_run(char *const argv[], const char *log, double seconds, bool (*stop)(void *context), void *context) {
  int ends[2], out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), status = PROCESS_NOT_STARTED;
  if (out < 0) return status;
  if (pipe(ends) == 0) {
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    pid_t child =
        process_start(&(process_t){.argv = argv, .out = out, .err = out, .group = true, .dies_with_us = SIGKILL});
    close(ends[1]);
    run_t run = begin_run(argv[0], seconds);
    run.stop = stop, run.context = context;
    if (child > 0) status = wait_until(&run, child, ends[0]);
    close(ends[0]);
  }
  close(out);
  return status;
}

double process_limit(double otherwise) {
  const char *text = getenv("LOCKSTACK_TOOL_SECONDS");
  const double seconds = text ? strtod(text, NULL) : 0;
  return seconds > 0 ? seconds : otherwise;
}

/* Runs a program and collects its output, with or without standard error. */
static char *program_output(char *const argv[], int *status, bool errors) {
  FILE *out = tmpfile(), *err = errors ? out : tmpfile();
  char *text = NULL;
  *status = PROCESS_NOT_STARTED;
  if (out) fcntl(fileno(out), F_SETFD, FD_CLOEXEC);
  if (err) fcntl(fileno(err), F_SETFD, FD_CLOEXEC);
  pid_t child = out && err
                    ? process_start(&(process_t){.argv = argv, .out = fileno(out), .err = fileno(err), .session = true})
                    : -1;
  if (child > 0) {
    *status = process_wait(child);
    rewind(out);
    text = file_rest(out, FILE_MOST, NULL);
  }
  if (err && err != out) fclose(err);
  if (out) fclose(out);
  return child > 0 ? text : strdup("");
}

char *process_text(char *const argv[], int *status) {
  return program_output(argv, status, true);
}

char *process_answer(char *const argv[], int *status) {
  return program_output(argv, status, false);
}

/* Looks through the folders of the PATH for an executable. */
bool process_there(const char *name) {
  const char *path = getenv("PATH");
  char file[4096];
  for (const char *p = path ? path : ""; *p; p += *p == ':') {
    size_t n = strcspn(p, ":");
    snprintf(file, sizeof file, "%.*s/%s", (int)n, p, name);
    if (access(file, X_OK) == 0) return true;
    p += n;
  }
  return false;
}

const char *process_self(void) {
  static char path[4096];
  ssize_t n = *path ? 0 : readlink("/proc/self/exe", path, sizeof path - 1);
  if (n > 0) path[n] = 0;
  return path;
}

/* ---- the build ID ---- */

typedef struct {
  const char *id;
  size_t size;
} build_id_t;

static size_t whole_words(size_t bytes) {
  return (bytes + 3) / 4 * 4;
}

static void find_in_notes(build_id_t *found, const char *notes, size_t size) {
  for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
    const ElfW(Nhdr) *note = (const void *)(notes + at);
    const char *name = notes + at + sizeof *note, *text = name + whole_words(note->n_namesz);
    at = (size_t)(text - notes) + whole_words(note->n_descsz);
    if (at <= size && note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof "GNU" && !strcmp(name, "GNU"))
      *found = (build_id_t){text, note->n_descsz};
  }
}

/* Callback of dl_iterate_phdr, which starts with the program itself; 1 ends the iteration. */
static int find_build_id(struct dl_phdr_info *program, size_t size, void *found) {
  (void)size;
  for (int i = 0; i < program->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &program->dlpi_phdr[i];
    if (part->p_type == PT_NOTE)
      find_in_notes(found, (const char *)(program->dlpi_addr + part->p_vaddr), part->p_memsz);
  }
  return 1;
}

const void *process_build_id(size_t *size) {
  build_id_t found = {NULL, 0};
  dl_iterate_phdr(find_build_id, &found);
  *size = found.size;
  return found.id;
}

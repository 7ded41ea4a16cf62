/* SPDX-License-Identifier: Apache-2.0
 *
 * Each worker takes the number of its next job from a shared counter, which balances long and short
 * jobs. Stop signals go to the calling process, which tells the workers. Workers die with the
 * calling process.
 */
#include "workers.h"

#include "clock.h"
#include "process.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_EVERY_MS = 50 };

typedef struct {
  atomic_uint next, done;
  atomic_bool stop, failed;
} shared_t;

static shared_t *shared; /* of the running pool */

void *workers_memory(size_t size) {
  void *memory = mmap(NULL, size + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void workers_memory_free(void *memory, size_t size) {
  if (memory) munmap(memory, size + 1);
}

bool workers_going_on(void) {
  return !shared || !atomic_load_explicit(&shared->stop, memory_order_relaxed);
}

/* A worker: takes job numbers until none is left. */
static void run_worker(const workers_t *w) {
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  for (unsigned i; workers_going_on() && (i = atomic_fetch_add(&shared->next, 1)) < w->end;) {
    if (!w->job(w->context, i)) _exit(1);
    if (workers_going_on()) atomic_fetch_add(&shared->done, 1);
  }
  _exit(0);
}

/* Waits up to LOOK_EVERY_MS for workers to end; returns how many did. */
static unsigned reap(unsigned left) {
  unsigned ended = 0;
  int status;
  clock_pause(LOOK_EVERY_MS);
  for (pid_t pid = 1; ended < left && (pid = waitpid(0, &status, WNOHANG)) > 0; ended++) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
    atomic_store(&shared->failed, true);
    atomic_store(&shared->stop, true);
  }
  return ended;
}

static unsigned start_workers(const workers_t *w) {
  unsigned wanted = w->jobs < w->end - w->first ? w->jobs : w->end - w->first, started = 0;
  for (; started < wanted; started++) {
    pid_t child = process_fork(SIGKILL);
    if (child == 0) run_worker(w);
    if (child < 0) break;
  }
  return started;
}

/* How the pool ended. A failure outweighs a stop. */
static workers_end_t how_it_ended(void) {
  if (atomic_load(&shared->failed)) return WORKERS_FAILED;
  return atomic_load(&shared->stop) ? WORKERS_STOPPED : WORKERS_ALL;
}

workers_end_t workers_run(const workers_t *w) {
  if (w->first >= w->end) return WORKERS_ALL;
  if (!(shared = workers_memory(sizeof *shared))) return WORKERS_FAILED;
  atomic_store(&shared->next, w->first);
  unsigned left = start_workers(w);
  if (!left) atomic_store(&shared->failed, true);
  while (left) {
    left -= reap(left);
    if (w->on_done && !w->on_done(w->done_context, atomic_load(&shared->done))) atomic_store(&shared->stop, true);
  }
  /* false if a worker exited with 0 within a job */
  const bool all = atomic_load(&shared->done) == w->end - w->first;
  if (!all && !atomic_load(&shared->stop)) atomic_store(&shared->failed, true);
  const workers_end_t end = how_it_ended();
  workers_memory_free(shared, sizeof *shared);
  shared = NULL;
  return end;
}

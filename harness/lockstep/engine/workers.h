/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs many small jobs in several child processes, which inherit this process' memory. A job must
 * leave its results in shared memory (workers_memory).
 */
#ifndef WORKERS_H
#define WORKERS_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory shared with workers that start later; NULL: none available. */
void *workers_memory(size_t size);
void workers_memory_free(void *memory, size_t size);

typedef struct {
  /* Runs job i in a worker. False: the job cannot be done, and this worker ends. workers_going_on()
   * tells a job when to leave early. */
  bool (*job)(void *context, unsigned i);
  void *context;
  unsigned first, end, jobs; /* jobs first..end-1, in `jobs` processes */
  /* Called now and then in the calling process; false stops. May be NULL. */
  bool (*on_done)(void *context, unsigned done);
  void *done_context;
} workers_t;

typedef enum { WORKERS_ALL, WORKERS_STOPPED, WORKERS_FAILED } workers_end_t;

/* Returns when all jobs are done, on_done has stopped them, or a worker has failed. */
workers_end_t workers_run(const workers_t *workers);
bool workers_going_on(void); /* for use within a job; false: leave  */

#endif

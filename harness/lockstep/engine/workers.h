/* SPDX-License-Identifier: Apache-2.0
 *
 * Many small jobs on several processes that see all that this one has. What a job leaves behind
 * must lie in shared memory.
 */
#ifndef WORKERS_H
#define WORKERS_H

#include <stdbool.h>
#include <stddef.h>

void *workers_memory(size_t size); /* shared with workers started from now on, zero; NULL: there is none */
void workers_memory_free(void *memory, size_t size);

typedef struct {
  /* Job i; false: it cannot be done, and this worker ends.
   * going_on() of the worker tells when to leave early. */
  bool (*job)(void *context, unsigned i);
  void *context;
  unsigned first, end, jobs;                     /* first..end-1, on this many processes */
  bool (*on_done)(void *context, unsigned done); /* now and then in the calling process; false: stop. May be NULL */
  void *done_context;
} workers_t;

typedef enum { WORKERS_ALL, WORKERS_STOPPED, WORKERS_FAILED } workers_end_t;

workers_end_t workers_run(const workers_t *workers);
bool workers_going_on(void); /* within a job */

#endif

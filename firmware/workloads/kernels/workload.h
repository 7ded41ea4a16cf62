/* SPDX-License-Identifier: Apache-2.0
 *
 * A workload: one kernel or several, the data, the launches, and the reference that the results
 * are compared with.
 *
 *    const workload_t *w = workload_find("vadd");
 *    int64_t values[WORKLOAD_MAX_PARAMS];
 *    workload_defaults(w, values);                         or workload_full
 *    workload_set(w, values, "n", "4096", &trouble);       as often as wanted
 *    ptx_module_t *m = ptx_parse(w->ptx, (size_t)(w->ptx_end - w->ptx), w->ptx_file, &err);
 *    void *state = w->create(values, seed);                host data; NULL: out of memory
 *    status = w->run(state, &runtime);                     malloc, copy in, launch, copy out
 *    ok = w->check(state, &trouble);                       against the host reference
 *    w->destroy(state);
 *
 * Data depend on values and seed alone. References are plain C, computed without the simulator, in
 * the order of operations that the PTX fixes. Each says which multiplications and additions clang
 * fused. So every result must be equal bit for bit, NaNs included.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime.h"
#include "trouble.h"

enum { WORKLOAD_MAX_PARAMS = 8 };

/* A parameter that users may set: --set workload.n=4096. */
typedef struct {
  const char *name;           /* "n" */
  const char *text;           /* "elements" */
  int64_t value, least, most; /* default and range */
  int64_t full;               /* value of a run that fills a machine of 128 cores; 0: the default */
} workload_param_t;

typedef struct workload {
  const char *name;     /* "vadd" */
  const char *text;     /* one line */
  const char *ptx_file; /* in the source tree: "firmware/workloads/kernels/vadd/vadd.ptx" */
  const char *ptx;      /* the same, in memory */
  const char *ptx_end;
  const workload_param_t *params; /* ends with a NULL name */
  void *(*create)(const int64_t *values, uint64_t seed);
  int (*run)(void *state, const runtime_t *runtime);
  bool (*check)(const void *state, trouble_t *trouble); /* false: trouble names the first wrong element */
  void (*destroy)(void *state);

  /* Of a launch file (firmware/workloads/launch); NULL otherwise. */
  void *(*make)(const struct workload *workload, uint64_t seed); /* instead of create */
  /* after check: writes files that are wanted; false: why not */
  bool (*keep)(const void *state, trouble_t *trouble);
  /* after check: an object of JSON for the report, to be freed; NULL: out of memory */
  char *(*facts)(const void *state);
  const char *digest; /* SHA-256 of all that a run depends on besides the module */
} workload_t;

extern const workload_t *const workloads[]; /* ends with NULL */

const workload_t *workload_find(const char *name); /* NULL: none of that name */
/* Sets all values to their defaults. */
void workload_defaults(const workload_t *workload, int64_t *values);
void workload_full(const workload_t *workload, int64_t *values); /* sizes of a run that fills a machine */

/* Sets one parameter from text. False: *trouble says what is wrong and what would be right. */
bool workload_set(const workload_t *workload, int64_t *values, const char *name, const char *value, trouble_t *trouble);

#endif

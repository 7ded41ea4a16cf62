/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of all workloads (workload_list.def) and their parameters.
 */
#include "workload.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKLOAD(name, bits, text) extern const workload_t workload_##name;
#include "workload_list.def"

const workload_t *const workloads[] = {
#define WORKLOAD(name, bits, text) &workload_##name,
#include "workload_list.def"
    NULL};

const workload_t *workload_find(const char *name) {
  for (const workload_t *const *w = workloads; *w; w++)
    if (!strcmp((*w)->name, name)) return *w;
  return NULL;
}

void workload_defaults(const workload_t *workload, int64_t *values) {
  for (unsigned i = 0; workload->params[i].name; i++) values[i] = workload->params[i].value;
}

void workload_full(const workload_t *workload, int64_t *values) {
  workload_defaults(workload, values);
  for (unsigned i = 0; workload->params[i].name; i++)
    if (workload->params[i].full) values[i] = workload->params[i].full;
}

/* Always false; the message lists the parameters that the workload has. */
static bool unknown_parameter(const workload_t *workload, const char *name, trouble_t *trouble) {
  char has[400] = "";
  size_t used = 0;
  for (const workload_param_t *p = workload->params; p->name && used < sizeof has; p++)
    used +=
        (size_t)snprintf(has + used, sizeof has - used, "%s workload.%s", p == workload->params ? "" : ",", p->name);
  return trouble_set(trouble, TROUBLE_INPUT, "%s has no parameter '%s'; it has%s", workload->name, name, has);
}

bool workload_set(const workload_t *workload, int64_t *values, const char *name, const char *value,
                  trouble_t *trouble) {
  const workload_param_t *p = workload->params;
  while (p->name && strcmp(p->name, name)) p++;
  if (!p->name) return unknown_parameter(workload, name, trouble);
  char *end;
  errno = 0;
  long long n = strtoll(value, &end, 10);
  if (end == value || *end || errno || n < p->least || n > p->most)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "workload.%s: '%s' should be a whole number from %" PRId64 " to %" PRId64, name, value, p->least,
                       p->most);
  values[p - workload->params] = n;
  return true;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * What is read of each run's result: a name of sweep_metrics.def, or a quantity of its JSON
 * (quantity.h), or one over another:
 *
 *   latency      gpu:l2_hits      shares.row_hits      "stack:row_hits + stack:row_misses"
 *                                                      "gpu:thread_instructions / cycles"
 */
#ifndef SWEEP_METRIC_H
#define SWEEP_METRIC_H

#include "json_sure.h"
#include "trouble.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *name; /* what was asked for, or of the list */
  char *over, *under;
  const char *unit, *text; /* "" where nothing is known of it */
} sweep_metric_t;

/* `like` is a result without counts (--dry-run): it says of
 * which verb, and what there is. */
bool sweep_metric(sweep_metric_t *metric, const char *text, const json_t *like, trouble_t *trouble);
void sweep_metric_free(sweep_metric_t *metric);

/* The same metric, of another result without counts. */
bool sweep_metric_there(const sweep_metric_t *metric, const json_t *like, trouble_t *trouble);

/* NaN: the result does not have it. */
double sweep_metric_value(const sweep_metric_t *metric, const json_t *result);

/* Those that are read when none is asked for, and all there
 * are: name, unit and text ("" where nothing is said). */
const char *sweep_metric_usual(const json_t *like, unsigned i); /* NULL: no more */
void sweep_metric_each(const json_t *like,
                       void (*see)(void *context, const char *name, const char *unit, const char *text), void *context);

#endif

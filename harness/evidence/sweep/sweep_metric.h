/* SPDX-License-Identifier: Apache-2.0
 *
 * What is read from each run's result: a name of sweep_metrics.def, a quantity of its JSON
 * (quantity.h), or one quantity over another:
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
  const char *name; /* as the user or the list names it */
  char *over, *under;
  const char *unit, *text; /* "": not known */
} sweep_metric_t;

/* Reads a metric from text. `like` is a result without counts (--dry-run): it says which verb it
 * is, and what there is. False: INPUT, no such metric; trouble names similar ones. text must
 * outlive the metric. */
bool sweep_metric(sweep_metric_t *metric, const char *text, const json_t *like, trouble_t *trouble);
void sweep_metric_free(sweep_metric_t *metric);

/* Does another result without counts have this metric, too? */
bool sweep_metric_there(const sweep_metric_t *metric, const json_t *like, trouble_t *trouble);

/* NaN: the result lacks it. */
double sweep_metric_value(const sweep_metric_t *metric, const json_t *result);

/* usual: the metrics that are read when none is asked for. each: all metrics there are, with
 * name, unit and text ("" where nothing is said). */
const char *sweep_metric_usual(const json_t *like, unsigned i); /* NULL: no more */
void sweep_metric_each(const json_t *like,
                       void (*see)(void *context, const char *name, const char *unit, const char *text), void *context);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The papers' own figures (published.def), to compare ours with.
 */
#ifndef PUBLISHED_H
#define PUBLISHED_H

#include <stdbool.h>

typedef struct {
  const char *id;     /* "mpu-01" */
  const char *system; /* "mpu" */
  const char *paper;  /* "MPU": its short name (docs/references.md) */
  const char *section, *workload, *configuration;
  const char *metric, *relation, *value, *unit; /* "speedup", "=", "1.797", "x" */
  const char *note;
  const char *why_not; /* why no run can give the figure; "": one can */
} published_t;

extern const published_t published[];
extern const unsigned published_count;

const published_t *published_find(const char *id); /* NULL: no such figure */
bool published_system(const char *system);         /* has the system any figure? */

#endif

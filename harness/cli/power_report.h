/* SPDX-License-Identifier: Apache-2.0
 *
 * Power of the toggles that `lockstack power` counted: the run through OpenSTA, the report, JSON, pictures.
 */
#ifndef POWER_REPORT_H
#define POWER_REPORT_H

#include "json_sure.h"

#include "check.h"
#include "toggles.h"

typedef struct {
  double period;      /* --clock, ns; 0: none */
  const char *per;    /* --per: a net whose cycles at 1 are what energy is told of; NULL: none */
  const char *folder; /* --draw; NULL: no pictures */
  bool (*stop)(void *context);
} power_wish_t;

/* Is the net of --per among these? False after a line in error. */
bool power_check(const power_wish_t *wish, const toggles_t *toggles, char *error, size_t size);

/* object: the device that counted. The JSON gets `power`. 0, or the exit code: error says why. */
int power_report(const power_wish_t *wish, FILE *out, const check_t *check, const char *object, const toggles_t *toggles, json_t *root, char *error,
                 size_t size);

#endif

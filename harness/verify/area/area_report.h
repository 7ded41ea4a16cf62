/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `lockstack area` on a block, as text and as JSON.
 *
 * A report has this order: area_print_head, a row or failure for each block, area_print_rules.
 */
#ifndef AREA_REPORT_H
#define AREA_REPORT_H

#include "json_sure.h"
#include <stdio.h>

#include "area.h"
#include "nand2.h"
#include "node_scale.h"
#include "sram_area.h"
#include "trouble.h"

typedef struct {
  const area_target_t *target;
  sram_fit_t fit;
  node_factors_t factors;
  nand2_t nand2; /* gate equivalents of the cells */
} area_rules_t;

/* Reads synth/sram_1r1w.csv, synth/scaling.csv and synth/nand2.csv of the tree. False: trouble
 * says which line is wrong. */
bool area_rules(area_rules_t *rules, const area_target_t *target, const char *tree, trouble_t *trouble);

/* um2 of all macros at this node; bits of all macros. */
double area_macros_um2(const area_rules_t *rules, const area_t *area, double nm);
unsigned long area_macro_bits(const area_t *area);

void area_print_head(FILE *out, const area_target_t *target);
void area_print_row(FILE *out, const area_job_t *job, const area_t *area, const area_rules_t *rules, bool details);
void area_print_failure(FILE *out, const area_job_t *job, const char *status, const char *why);
void area_print_rules(FILE *out, const area_rules_t *rules);

/* New references. Figures that a target does not have are null. */
json_t *area_row_json(const area_job_t *job, const area_t *area, const area_rules_t *rules);
json_t *area_failure_json(const area_job_t *job, const char *status, const char *why);

#endif

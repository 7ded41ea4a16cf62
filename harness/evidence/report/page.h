/* SPDX-License-Identifier: Apache-2.0
 *
 * The report as one HTML page without outside parts (no fonts, scripts or pictures of other
 * files). It is drawn from the facts (facts.h) alone.
 *
 *    head            verdict, totals          page_head
 *    failures        a line each              page_failures
 *    blocks          a line each              page_table
 *    history         runs, trends             page_history
 *    networks        curves, heat maps        page_networks
 *    papers' figures                          page_figures
 *    each failure    waveform, transactions   page_each_failure
 *    each block      panels, ports            page_blocks
 *
 * Functions of a section take all facts. Functions of a panel take one result and write nothing
 * when the result is not an object.
 */
#ifndef PAGE_H
#define PAGE_H

#include "json_sure.h"
#include <stdbool.h>
#include <stdio.h>

/* Writes the whole page. */
void page_write(FILE *out, const json_t *facts);

/* ---- its sections ---- */

void page_head(FILE *out, const json_t *facts);         /* project, verdict, totals */
void page_failures(FILE *out, const json_t *facts);     /* buckets, a line each */
void page_table(FILE *out, const json_t *facts);        /* all blocks, a line each */
void page_history(FILE *out, const json_t *facts);      /* runs and suites */
void page_networks(FILE *out, const json_t *facts);     /* curves, heat maps */
void page_figures(FILE *out, const json_t *facts);      /* the papers' figures beside ours */
void page_each_failure(FILE *out, const json_t *facts); /* with its transactions and waveform */
void page_blocks(FILE *out, const json_t *facts);       /* each block */

/* What a reader types to call the command (cli.h: cli_command). */
const char *page_command(const json_t *facts);

/* Parts of a block. */
void page_tools(FILE *out, const json_t *result); /* versions, if the result has them */
void page_coverage(FILE *out, const json_t *coverage);
void page_guided(FILE *out, const json_t *guided); /* curves with and without guidance by coverage */
void page_mutation(FILE *out, const json_t *mutation);
void page_proofs(FILE *out, const json_t *proofs);
void page_area(FILE *out, const json_t *area);
void page_sweeps(FILE *out, const json_t *area); /* area over a parameter */
bool page_has_hardware(const json_t *results);   /* any result of the present sources? */
void page_hardware(FILE *out, const json_t *results);
void page_faults(FILE *out, const json_t *faults);
double page_covered(const json_t *coverage,
                    const char *kind);         /* hit share of points without a waiver; NAN: no points */
double page_counted(const json_t *mutation);   /* mutants that the score counts: all but equivalent ones */
bool page_few_mutants(const json_t *mutation); /* too few for a score (basis.h) */
bool page_few_cycles(const json_t *coverage);
void page_proof_count(const json_t *proofs, size_t *held, size_t *all);

/* A congestion heat map; false: there is nothing to draw. */
bool heat_draw(FILE *out, const json_t *network, const json_t *run);

extern const char page_style[], page_script[]; /* style.css, page.js */

#endif

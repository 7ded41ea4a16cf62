/* SPDX-License-Identifier: Apache-2.0
 *
 * What the verbs about a block share: where things are, parameters, exit codes, and the common part
 * of their JSON.
 */
#ifndef LOCKSTEP_VERBS_H
#define LOCKSTEP_VERBS_H

#include "cells.h"
#include "check.h"
#include "cli.h"
#include "fingerprint.h"

#include <limits.h>

places_t verbs_places(void);
/* --set PARAM=VALUE: added to params, with a comma between. */
error_t verbs_param(const struct argp_state *state, const char *text, char *params, size_t size);
/* --dut KIND */
error_t verbs_dut(const struct argp_state *state, const char *text, const char **kind);
/* --cells NAME, --liberty FILE (may be repeated): into
 * cells, as harness/base/cells.h has a choice. */
error_t verbs_cells(const struct argp_state *state, const char *name, char cells[RTL_LIST]);
/* A file that an option names, as it is called without links. */
error_t verbs_file(const struct argp_state *state, const char *option, const char *file, char path[PATH_MAX]);
error_t verbs_liberty(const struct argp_state *state, const char *file, char cells[RTL_LIST]);
/* --clock PERIOD, or another option: above 0. */
error_t verbs_clock(const struct argp_state *state, const char *option, const char *text, double *period);
#define VERBS_CELLS_HELP \
  "Standard cells: " CELLS_DEFAULT " (default; our own, of no process), or another library of `lockstack list cells`"
#define VERBS_LIBERTY_HELP \
  "Standard cells of this Liberty file, plain or .gz, instead; again for each further file of the library"
/* Cycles of a block's run when nobody says how many: `usual`, or
 * more where blocks.cmake says that it takes more (CYCLES). */
uint64_t verbs_cycles(const char *block, uint64_t usual);
enum { VERBS_CYCLES = 100000 }; /* `usual` of a check */
/* A block's stimulus, for reports: "arb_rr.c", or what stands in for one. */
const char *verbs_stimulus(const block_t *block);
/* Parameters that mutate and cover take when none are
 * given (MEASURE in blocks.cmake); "": the block's own. */
const char *verbs_measured(const char *block);
/* A further run of a check, as blocks.cmake says it (ALSO). */
typedef struct {
  const char *block, *params;
  const char *profile; /* the run is of this one alone; "": of all */
} also_t;

/* A check of this many cycles makes the further runs: fewer are
 * for who wants an answer before other parameters are built. */
enum { VERBS_ALSO_FROM = 100000 };

/* A further run (from 0) of a check of this block; NULL: there is no such. */
const also_t *verbs_also(const char *block, unsigned run);
/* The checksum of what the block is made of, and of
 * MEASURE where that counts. */
bool verbs_fingerprint(const char *block, fingerprint_of_t of, char text[FINGERPRINT_TEXT], trouble_t *trouble);
/* Before and after a measurement: adds the checksum as `sources`; nothing when a file cannot be
 * read, or when it has changed meanwhile, as nobody knows then what was measured. The first one
 * remembers one block. */
void verbs_sources_first(const char *block, fingerprint_of_t of);
void verbs_sources(json_t *root, const char *block, fingerprint_of_t of);
/* --rtl: the result is not of the block's own files, and says so as `rtl`. NULL: it is. */
void verbs_other_rtl(json_t *root, const char *folder);
/* Says that this block (a name, or a folder) is judged, with the RTL
 * of that folder before its own (NULL: none): block_content.h. */
void verbs_judged(const char *block, const char *rtl, const char *kind);
/* Is it a folder, that of a block outside of the tree? */
bool verbs_is_folder(const char *name);
/* Yosys and abc take each path of their scripts as a word:
 * 0, or EXIT_BAD after a line when this one is none. */
int verbs_word(const char *verb, const char *path);
cli_exit_t verbs_exit(outcome_t outcome);
bool verbs_result(outcome_t outcome);             /* something to report; else one line says it all */
const char *verbs_commit(char *buf, size_t size); /* of this program's tree, "+" after it when it was not clean */

/* What a check found besides failures, which are reported where they are
 * found. The last line is the verdict's: what goes with it stands before. */
void verbs_summary(FILE *out, const check_t *check, const check_result_t *result);

json_t *verbs_cells_json(const char *choice); /* what a choice of cells.h is called: "ge", "a.lib+b.lib" */

/* block, dut, params, outcome, cycles, probes_compared, cycles_per_second,
 * replay, wave, ports, failure, window, transactions. */
void verbs_json(json_t *root, const check_t *check, const check_result_t *result);

#endif

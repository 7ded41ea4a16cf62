/* SPDX-License-Identifier: Apache-2.0
 *
 * What the verbs about a block share: where things are, options, checksums of sources, exit codes,
 * and the common part of their JSON.
 */
#ifndef LOCKSTEP_VERBS_H
#define LOCKSTEP_VERBS_H

#include "cells.h"
#include "check.h"
#include "cli.h"
#include "fingerprint.h"

#include <limits.h>

/* The tree's root without a slash at its end, and the folder of objects. */
places_t verbs_places(void);
/* --set PARAM=VALUE: appends it to params ("A=1,B=2"), which has `size` characters. Refuses a
 * parameter that is there already. */
error_t verbs_param(const struct argp_state *state, const char *text, char *params, size_t size);
/* --dut KIND, or another such option: *kind becomes the kind's own string, which lives on. */
error_t verbs_device(const struct argp_state *state, const char *option, const char *text, const char **kind);
error_t verbs_dut(const struct argp_state *state, const char *text, const char **kind);
/* --cells NAME: the choice of cells (harness/base/cells.h). --liberty FILE, below, may be repeated.
 * The two exclude each other. */
error_t verbs_cells(const struct argp_state *state, const char *name, char cells[RTL_LIST]);
/* A file that an option names: checks that it can be read, and gives its path without links. */
error_t verbs_file(const struct argp_state *state, const char *option, const char *file, char path[PATH_MAX]);
error_t verbs_liberty(const struct argp_state *state, const char *file, char cells[RTL_LIST]);
/* --clock PERIOD, or another such option: a decimal number from 1e-6 to 1e9. */
error_t verbs_clock(const struct argp_state *state, const char *option, const char *text, double *period);
#define VERBS_CELLS_HELP \
  "Standard cells: " CELLS_DEFAULT " (default; our own, of no process), or another library of `lockstack list cells`"
#define VERBS_LIBERTY_HELP \
  "Standard cells of this Liberty file, plain or .gz, instead; again for each further file of the library"
/* Cycles of a block's run when the user says none: `usual`, or more if blocks.cmake says so
 * (CYCLES). */
uint64_t verbs_cycles(const char *block, uint64_t usual);
enum { VERBS_CYCLES = 100000 }; /* `usual` of a check */
/* The name under which blocks.cmake may say something of the block; "": it is outside of the tree,
 * whatever it is called. */
const char *verbs_listed(const block_t *block);
/* A block's stimulus, for reports: "arb_rr_stim.c", or a word about what stands in for one. */
const char *verbs_stimulus(const block_t *block);
/* The parameters that mutate and cover take when the user gives none (MEASURE in blocks.cmake). "":
 * the block's own defaults. */
const char *verbs_measured(const char *block);
/* A further run of a check, as blocks.cmake has it (ALSO). */
typedef struct {
  const char *block, *params;
  const char *profile; /* the run is of this one alone; "": of all */
} also_t;

/* A check of at least so many cycles makes the further runs. A shorter one is for a user who wants
 * an answer before objects of other parameters are built. */
enum { VERBS_ALSO_FROM = 100000 };

/* Further run number `run` (from 0) of a check of this block; NULL: there is none. */
const also_t *verbs_also(const char *block, unsigned run);
/* The checksum of everything that the block is made of, and of MEASURE where that counts. False:
 * trouble says why. */
bool verbs_fingerprint(const char *block, fingerprint_of_t of, char text[FINGERPRINT_TEXT], trouble_t *trouble);
/* Call the first before a measurement, the second after it: adds the checksum to root as `sources`.
 * Adds nothing when a file cannot be read, or when it changed meanwhile: then nobody knows what was
 * measured. Remembers one block at a time. */
void verbs_sources_first(const char *block, fingerprint_of_t of);
void verbs_sources(json_t *root, const char *block, fingerprint_of_t of);
/* --rtl: says in `rtl` that the result is not of the block's own files. folder NULL: it is, and
 * nothing is added. */
void verbs_other_rtl(json_t *root, const char *folder);
/* Tells judged.h that this block (a name, or a folder) is judged on a device of this kind. rtl: a
 * folder whose files are read before the block's own; NULL: none. */
void verbs_judged(const char *block, const char *rtl, const char *kind);
/* Is it a folder, so that it may be a block outside the tree? */
bool verbs_is_folder(const char *name);
/* The exit code of an outcome. */
cli_exit_t verbs_exit(outcome_t outcome);
bool verbs_result(outcome_t outcome);             /* false: there is nothing to report, the trouble's line says all */
const char *verbs_commit(char *buf, size_t size); /* of this program's tree, "+" after it when it was not clean */

/* Prints what a check found besides failures, which are reported where they are found. The last
 * line is the verdict; everything that belongs to it stands before. */
void verbs_summary(FILE *out, const check_t *check, const check_result_t *result);

json_t *verbs_cells_json(const char *choice); /* what a choice of cells.h is called: "ge", "a.lib+b.lib" */

/* Adds block, dut, params, outcome, cycles, probes_compared, cycles_per_second, replay, wave, and,
 * where they are known, ports, compared, failure, inside, window, transactions. */
void verbs_json(json_t *root, const check_t *check, const check_result_t *result);

#endif

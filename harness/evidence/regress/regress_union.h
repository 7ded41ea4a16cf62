/* SPDX-License-Identifier: Apache-2.0
 *
 * What a regression's checks of one block, with one set of parameters, have compared together.
 * An output that one check compared counts as compared. If no check compared it, although
 * together they are as long as a check is by default, they are NOT_COMPARED.
 */
#ifndef REGRESS_UNION_H
#define REGRESS_UNION_H

#include "results.h"

#include "json_sure.h"

/* Removes from `never` those outputs that the parameters switch off. Names are "flit", or
 * "flit[3]" for elements. rtl: of --rtl; "": none. */
typedef void regress_off_t(void *context, const char *block, const char *params, const char *rtl, json_t *never);

/* Sums up all checks of a run by block and parameters, in `compared` (docs/json.md: regress). If
 * the run has ended, it also sets outcome and signature of each check as the union has them.
 * Where a union is shorter than a check by default, or lacks a profile, each check keeps its own
 * outcome. */
trouble_kind_t regress_union(results_t *results, int64_t run, bool ended, regress_off_t *off, void *context,
                             json_t **compared);

#endif

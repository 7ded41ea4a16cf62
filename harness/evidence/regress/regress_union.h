/* SPDX-License-Identifier: Apache-2.0
 *
 * What a regression's checks of one block with one set of parameters have compared together. An
 * output that one of them compared has been compared; one that none of them did, though they are as
 * long as a check is by default, makes them NOT_COMPARED.
 */
#ifndef REGRESS_UNION_H
#define REGRESS_UNION_H

#include "results.h"

#include "json_sure.h"

/* Takes out of `never` (names of outputs, "flit[3]" of elements)
 * those that the parameters switch off. rtl: of --rtl, NULL: none. */
typedef void regress_off_t(void *context, const char *block, const char *params, const char *rtl, json_t *never);

/* All checks of a run, block by block and parameters by parameters, in `compared` (docs/json.md:
 * regress). Of a run that has ended also outcome and signature of each check as its union has them.
 * Where a union is shorter than a check by default, or lacks a profile, each check's own outcome
 * stands. */
trouble_kind_t regress_union(results_t *results, int64_t run, bool ended, regress_off_t *off, void *context,
                             json_t **compared);

#endif

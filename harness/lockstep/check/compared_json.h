/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run compared, as JSON (docs/json.md: compared). The caller owns the result.
 */
#ifndef COMPARED_JSON_H
#define COMPARED_JSON_H

#include "tally.h"

#include "json_sure.h"

/* {cycles, outputs: [{name, cycles, state, elements}], constant_inputs: [{name, value}]} */
json_t *compared_json(const tally_t *tally);

#endif

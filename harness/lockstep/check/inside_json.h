/* SPDX-License-Identifier: Apache-2.0
 *
 * The place of a failure in the sources, and the part of the RTL where the failure begins, as JSON
 * (docs/json.md: check).
 */
#ifndef INSIDE_JSON_H
#define INSIDE_JSON_H

#include "check.h"

#include "json_sure.h"

/* Adds `rule` and `drivers`, or `assertion`, to the JSON of a failure. */
void failure_where_json(json_t *failure, const check_result_t *result, const failure_t *of);

/* NULL: nobody looked inside, or no part can be judged. */
json_t *inside_json(const check_result_t *result);

#endif

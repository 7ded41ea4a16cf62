/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a failure stands in the sources and where inside of the RTL it begins, as JSON
 * (docs/json.md: check).
 */
#ifndef INSIDE_JSON_H
#define INSIDE_JSON_H

#include "check.h"

#include "json_sure.h"

/* Adds `rule` and `drivers`, or `assertion`, to a failure. */
void failure_where_json(json_t *failure, const check_result_t *result, const failure_t *of);

json_t *inside_json(const check_result_t *result); /* NULL: it was not looked at, or there is nothing in it to judge */

#endif

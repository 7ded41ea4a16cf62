/* SPDX-License-Identifier: Apache-2.0
 *
 * A block's ports, and the cycles around a failure, as JSON (docs/json.md: check). The caller owns
 * each result.
 */
#ifndef WINDOW_JSON_H
#define WINDOW_JSON_H

#include "window.h"

#include "json_sure.h"

json_t *ports_json(const dut_t *dut);              /* [{name, dir, width, valid, type}] */
json_t *window_json(const window_t *window);       /* {from, to, wrong, text, resets, signals: [...]} */
json_t *transactions_json(const window_t *window); /* [{cycle, inputs, packets}] */

#endif

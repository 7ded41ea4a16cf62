/* SPDX-License-Identifier: Apache-2.0
 *
 * The name that a kept result is found by: a hash of all that decides about it.
 */
#ifndef AREA_KEY_H
#define AREA_KEY_H

#include <stdint.h>

#include "area.h"

/* Of the script's template (a file of synth/), Yosys' version, the cells, the block's parameters, and every RTL file
 * that the block may reach; by parts the parts' port files instead of their RTL. */
uint64_t area_key(const area_job_t *job, bool by_parts, const char *script, const char *version);

/* "Width=9 Depth=4" -> "Width=9": without what is the default, in alphabetical order. PROOF_TEXT characters. */
void area_usual_params(const area_job_t *job, char *params);

/* Is there a port file of it, in the block's family or in rtl/lib? Its family, or NULL. */
const char *area_family_of(const area_job_t *job, const char *block);

#endif

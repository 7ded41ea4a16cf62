/* SPDX-License-Identifier: Apache-2.0
 *
 * The name that a kept result is found by: a hash of all that decides about it.
 */
#ifndef AREA_KEY_H
#define AREA_KEY_H

#include <stdint.h>

#include "area.h"

/* "Depth=4,Width=9": every parameter of the port file with its value, in alphabetical order; of a
 * part those that its instance gives it, as the RTL's own default decides about the others, there
 * as here. False: trouble says why. PORT_PARAMS_TEXT characters are enough. */
bool area_params(const area_job_t *job, char *params, size_t size, trouble_t *trouble);

/* Of the script's template (a file of synth/), Yosys' version, the cells, these parameters, and
 * every RTL file that the block may reach; by parts the parts' port files instead of their RTL. */
uint64_t area_key(const area_job_t *job, bool by_parts, const char *params, const char *script, const char *version);

/* Is there a port file of it, in the block's family or in rtl/lib? Its family, or NULL. */
const char *area_family_of(const area_job_t *job, const char *block);

#endif

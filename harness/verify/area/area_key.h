/* SPDX-License-Identifier: Apache-2.0
 *
 * The name of a kept result: a hash of everything that decides the result.
 */
#ifndef AREA_KEY_H
#define AREA_KEY_H

#include <stdint.h>

#include "area.h"

/* Writes "Depth=4,Width=9": every parameter of the port file with its value, in alphabetical
 * order. A part's list has only what its instance sets: the RTL's defaults decide the others, in
 * the block as here. False: trouble says why. PORT_PARAMS_TEXT characters are enough. */
bool area_params(const area_job_t *job, char *params, size_t size, trouble_t *trouble);

/* Covers the script's template (text of a file of synth/), Yosys' version, the cells and the
 * parameters. It also covers every RTL file that the block may reach. By parts, port files stand
 * for the parts' RTL. */
uint64_t area_key(const area_job_t *job, bool by_parts, const char *params, const char *script, const char *version);

/* The family of a block that has a port file: the job's family, or "lib". NULL: neither has it. */
const char *area_family_of(const area_job_t *job, const char *block);

#endif

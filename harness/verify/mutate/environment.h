/* SPDX-License-Identifier: Apache-2.0
 *
 * What a block may expect of its neighbours: X.env.sv, a module X_env.
 *
 * All its ports are inputs, named as ports of the block. It has the block's parameters and
 * assume statements with labels. In a proof, inputs that an assumption excludes show nothing. A
 * profile that breaks an assumption is an error (bed.h).
 */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include "draw_mutants.h"

/* Makes work/env.il and env.values. BAD: X.env.sv does not elaborate, or a parameter did not
 * arrive. */
answer_t environment_read(const draw_t *draw, trouble_t *trouble);

/* Adds the module as a cell to the RTLIL in path. False: it has a port that the block lacks, or
 * the file cannot be written. */
bool environment_attach(const draw_t *draw, const char *path, trouble_t *trouble);

/* Labels of the assumptions, a blank behind each; the caller frees them. NULL: out of memory, or
 * no env.il. */
char *environment_labels(const draw_t *draw);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What a block may expect of its neighbours: X.env.sv, a module X_env whose ports, all of them
 * inputs, are named as ports of the block, with its parameters and assume statements with labels.
 * It is put beside the block: inputs that it does not allow show nothing in a proof, and a profile
 * that does such a thing is an error (bed.h).
 */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include "draw_mutants.h"

/* Makes work/env.il of it. */
answer_t environment_read(const draw_t *draw, trouble_t *trouble);

/* Adds it to the module in this file of RTLIL. False: a
 * port is not one of the block's, or the file cannot be written. */
bool environment_attach(const draw_t *draw, const char *path, trouble_t *trouble);

/* Labels of its assumptions, a blank behind each; to
 * be freed. NULL: out of memory, or none was read. */
char *environment_labels(const draw_t *draw);

#endif

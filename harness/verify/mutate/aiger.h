/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes gates as a binary AIGER file.
 */
#ifndef AIGER_H
#define AIGER_H

#include "gates.h"

/* outputs: num literals, one output each. Inputs and registers have the order of their nodes.
 * free_state: registers are inputs, too. False: errno says why. */
bool aiger_write(const gates_t *gates, const lit_t *outputs, unsigned num, bool free_state, const char *path);

#endif

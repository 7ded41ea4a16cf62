/* SPDX-License-Identifier: Apache-2.0
 *
 * Gates as a binary AIGER file with one output.
 */
#ifndef AIGER_H
#define AIGER_H

#include "gates.h"

/* Inputs and registers are in the order of their nodes. False: errno says why. */
bool aiger_write(const gates_t *gates, lit_t output, const char *path);

#endif

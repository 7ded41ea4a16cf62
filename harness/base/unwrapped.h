/* SPDX-License-Identifier: Apache-2.0
 *
 * `verilator` is a script in Perl that starts `verilator_bin` beside it. Perl takes ten times as
 * long as the program does for a small block, so that one is started at once.
 */
#ifndef UNWRAPPED_H
#define UNWRAPPED_H

#include "plain.h"

#include <stdbool.h>

/* True: `program` is Verilator's own script on the PATH, which would start `behind` with the same
 * arguments. False for a script of another kind, and if a variable of the environment says what the
 * script shall start. */
bool unwrapped_program(const char *program, char behind[PLAIN_PATH]);

#endif

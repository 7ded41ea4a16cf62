/* SPDX-License-Identifier: Apache-2.0
 *
 * How a command line of Yosys begins: "yosys -q", and what the Yosys on the PATH has to be told.
 *
 * Some (0.52) fail an assertion of their own where a packed struct that is declared outside of
 * modules and packages is used. They get -D LOCKSTACK_TYPES_BY_NAME: the tree's shared types
 * (nsu_types.svh) are in a package then, and have a second name outside, of which others do not
 * know the members.
 */
#ifndef YOSYS_COMMAND_H
#define YOSYS_COMMAND_H

#include "words.h"

/* The program is asked once in a process. */
void yosys_command(words_t *command);

#endif

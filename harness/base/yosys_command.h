/* SPDX-License-Identifier: Apache-2.0
 *
 * Begins a command line of Yosys: "yosys -q", and options that the Yosys on the PATH needs.
 *
 * Some releases (0.52) crash on a packed struct that is declared outside of modules and packages.
 * They get -D LOCKSTACK_TYPES_BY_NAME. The tree's shared types (nsu_types.svh) then live in a
 * package and have a second name outside of it. Other releases do not know the members of a type by
 * its second name.
 */
#ifndef YOSYS_COMMAND_H
#define YOSYS_COMMAND_H

#include "words.h"

/* Appends to `command`. Asks Yosys for its version once in a process. */
void yosys_command(words_t *command);

#endif

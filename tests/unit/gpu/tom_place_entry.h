/* SPDX-License-Identifier: Apache-2.0
 *
 * The model of tom_place, with four stacks, behind a plain function: its ports' names are macros
 * that others have, too.
 */
#ifndef TOM_PLACE_ENTRY_H
#define TOM_PLACE_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

/* Of a line: its place in its stack, a line too. */
uint64_t tom_place_entry(uint64_t line, bool ndp, unsigned bit, unsigned *stack);

#endif

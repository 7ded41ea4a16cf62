/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of registers at power-up in a design as RTLIL: an attribute of the wire that a register
 * drives. A register that drives another wire instead has to take it along.
 *
 *   attribute \init 8'00111100
 *   wire width 8 \total         wire_init_of(.., "\\total [5:2]", 4, bits): "1111"
 */
#ifndef WIRE_INIT_H
#define WIRE_INIT_H

#include "nets.h"

typedef struct {
  nets_t names;
  char **bits; /* by wire: its letters, the highest bit first */
  unsigned room;
  char *next; /* of the attribute before the wire to come; NULL: none */
} wire_init_t;

/* Notes a line of the module; a line that is no attribute and no wire changes nothing. False: out
 * of memory. */
bool wire_init_read(wire_init_t *init, const char *line);

/* The values of a signal, `\a`, `\a [3]`, `\a [3:0]` or `{ \a \b [1] }`: a letter for each of its
 * `width` bits, 0, 1 or x, the highest first, and a 0 behind them. True: there is a 1. */
bool wire_init_of(const wire_init_t *init, const char *signal, unsigned width, char *bits);

void wire_init_free(wire_init_t *init);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Passes parameter values to Verilog tools, and checks which values the RTL received.
 */
#ifndef PORT_ARRIVED_H
#define PORT_ARRIVED_H

#include "port_file.h"

enum { PORT_LITERAL = 40 };

/* A decimal number, or a text in quotes, as a literal that every tool reads alike: 32 bits
 * signed, "-5", or 64 bits, "64'sh100000000". `length` -1: the whole text. A parameter without
 * a type takes the type of its literal. Returns `literal`. */
const char *port_literal(const char *number, int length, char literal[PORT_LITERAL]);

/* Checks in `xml` (Verilator's --xml-only of the RTL with exactly the file's parameters) that each
 * parameter has its value. INPUT: which parameter differs, and why. `given` (may be NULL) gets the
 * values with the RTL's types, one a line: "Depth=4'hf". */
bool port_arrived(const port_file_t *file, const char *xml, port_buffer_t *given, trouble_t *trouble);

/* Explains a failure of Verilator; `said` is its output. INPUT: the port file has a parameter that
 * the RTL of `module` lacks. True: another cause. */
bool port_known(const port_file_t *file, const char *module, const char *said, trouble_t *trouble);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of parameters on their way into the RTL: as Verilog writes them, and what of them arrived.
 */
#ifndef PORT_ARRIVED_H
#define PORT_ARRIVED_H

#include "port_file.h"

enum { PORT_LITERAL = 40 };

/* A decimal number (of `length` characters; the whole text, if that is -1) as each tool reads it
 * alike: 32 bits with a sign, "-5", or 64, "64'sh100000000". A parameter without a type takes that
 * type. */
const char *port_literal(const char *number, int length, char literal[PORT_LITERAL]);

/* xml: Verilator's (--xml-only) of the RTL with the file's very parameters. Does each have its
 * value there? INPUT: which one has not, and why. given, if it is not NULL: "Depth=4'hf", a line
 * each, as the types in the RTL have them. */
bool port_arrived(const port_file_t *file, const char *xml, port_buffer_t *given, trouble_t *trouble);

/* said: what Verilator said when it failed. INPUT: of a
 * parameter that the RTL of the module does not have. */
bool port_known(const port_file_t *file, const char *module, const char *said, trouble_t *trouble);

#endif

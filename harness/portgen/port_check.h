/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares a port file with the ports of the RTL.
 */
#ifndef PORT_CHECK_H
#define PORT_CHECK_H

#include "port_file.h"

/* `rtl`: the file of the top module, for messages. `class`: the header of Verilator's class, made
 * with exactly the file's parameters. INPUT: a port differs; the line says which port, where, and
 * what would be right. ENVIRONMENT: the header is missing or has no ports. */
bool port_check(const port_file_t *file, const char *rtl, const char *class, trouble_t *trouble);

#endif

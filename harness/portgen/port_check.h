/* SPDX-License-Identifier: Apache-2.0
 *
 * A port file held against the RTL's ports.
 */
#ifndef PORT_CHECK_H
#define PORT_CHECK_H

#include "port_file.h"

/* rtl: the file of the top module, for messages; class: header of the class that Verilator made of
 * it with the file's very parameters. INPUT: they differ; the line says which port, where, and what
 * would be right. ENVIRONMENT: there is no such header, or it has no ports. */
bool port_check(const port_file_t *file, const char *rtl, const char *class, trouble_t *trouble);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A port file held against the RTL's ports.
 */
#ifndef PORT_CHECK_H
#define PORT_CHECK_H

#include "port_file.h"

typedef enum { PORT_CHECK_SAME, PORT_CHECK_DIFFERS, PORT_CHECK_NO_CLASS } port_check_t;

/* rtl: the file of the top module, for messages; class: header of the class that Verilator made of
 * it with the file's very parameters. Where they differ, one line in error says which port, where,
 * and what would be right. NO_CLASS: there is no such header, or it has no ports. */
port_check_t port_check(const port_file_t *file, const char *rtl, const char *class, char error[PORT_ERROR]);

#endif

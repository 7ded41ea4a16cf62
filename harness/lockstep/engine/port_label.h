/* SPDX-License-Identifier: Apache-2.0
 *
 * What reports call a port. The port file names it `errno_` where the RTL has `errno`, a name that
 * C keeps for itself: people know it by the RTL's name.
 */
#ifndef PORT_LABEL_H
#define PORT_LABEL_H

#include "dut.h"
#include "port_names.h"

/* The port file's name; the RTL's, without _i and _o that all ports have, if the port file could
 * not have it. Returns `label`. */
const char *port_label(const dut_port_t *port, char label[PORT_NAME]);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Interfaces in Verilator's tree, before it is written: their variables become nets of the module
 * that has the interface ("s.valid"), their logic moves there, too, and a module with an interface
 * as port gets a port for each signal of its modport. What cannot be written is refused.
 */
#ifndef EMIT_INTERFACE_H
#define EMIT_INTERFACE_H

#include "design.h"

void emit_interfaces(emit_t *e);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes interfaces out of the tree: their signals become variables `bus.data` of the module that has
 * the interface, and ports `bus.data` of the modules that it goes into.
 */
#ifndef EMIT_INTERFACE_H
#define EMIT_INTERFACE_H

#include "design.h"

void emit_interfaces(emit_t *e);

#endif

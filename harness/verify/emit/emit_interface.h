/* SPDX-License-Identifier: Apache-2.0
 *
 * Refuses interfaces, with the place of the first one.
 */
#ifndef EMIT_INTERFACE_H
#define EMIT_INTERFACE_H

#include "design.h"

void emit_interfaces(emit_t *e);

#endif

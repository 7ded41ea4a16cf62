/* SPDX-License-Identifier: Apache-2.0
 *
 * The bit of a level that a priority buffer sets (rtl/router/router_level.ports, rule 1).
 */
#ifndef ROUTER_LEVEL_BITS_H
#define ROUTER_LEVEL_BITS_H

enum { LEVEL_PRIO_BIT = 4 }; /* the packet is in a priority buffer */

#endif

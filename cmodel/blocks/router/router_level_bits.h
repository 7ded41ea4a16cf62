/* SPDX-License-Identifier: Apache-2.0
 *
 * What a level says besides its order (rtl/router/router_level.ports, rule 1).
 */
#ifndef ROUTER_LEVEL_BITS_H
#define ROUTER_LEVEL_BITS_H

enum { LEVEL_PRIO_BIT = 4 }; /* the packet is in a priority buffer */

#endif

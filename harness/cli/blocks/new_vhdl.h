/* SPDX-License-Identifier: Apache-2.0
 *
 * `lockstack new --from X.vhd`: looks at an entity as at the module that ghdl makes of it.
 */
#ifndef NEW_VHDL_H
#define NEW_VHDL_H

#include "look.h"

#include <stdio.h>

/* look->rtl, which has the files and libraries, gets the files that the entity needs, in order.
 * What only one file of the project around has is taken, too, and printed to `found`; NULL: nobody
 * looks there. The rest as look_at; the module's `left` has generics that are no PARAM. */
bool new_vhdl_look(const look_t *look, rtl_t *rtl, module_t *module, look_pins_t *pins, FILE *found,
                   trouble_t *trouble);

#endif

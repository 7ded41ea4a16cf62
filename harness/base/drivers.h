/* SPDX-License-Identifier: Apache-2.0
 *
 * Who drives each bit of a flat design, as Yosys writes it down (DRIVERS_SCRIPT). Neither Verilator nor Yosys' own `check` sees that two
 * assignments give one net a value: both merge the nets first.
 *
 *   drivers_t found;
 *   if (drivers_read(&found, text) && *found.conflict) ...
 *   drivers_free(&found);
 *
 * A register whose clock is made by logic, or that waits for a falling edge, is found on the way: not all tools take its edge in the same
 * order with the inputs. Drivers of which one may be high-impedance are no conflict, and neither are words of a memory that is kept as a memory.
 */
#ifndef DRIVERS_H
#define DRIVERS_H

#include <stdbool.h>

/* What a script writes the file by, behind `proc; flatten`; %s: the file. What the script goes on with stays as it is. */
#define DRIVERS_SCRIPT                                                                                                        \
  "design -push-copy\npmuxtree\ntribuf\nselect -set lockstack_live o:* %%ci* t:$mem* %%ci* t:$assert %%ci* t:$assume %%ci*\n" \
  "select -set lockstack_live @lockstack_live %%a\nsetattr -set lockstack_live 1 @lockstack_live\nwrite_rtlil %s\ndesign -pop\n"

typedef struct {
  char *conflict; /* "FILE:LINE:COLUMN: 'NAME[3]' has several drivers: ..."; "": none */
  char *undriven; /* a line each, "FILE:LINE:COLUMN NAME" (with an instance's name: "s.x", with a word's: "m[2]"): is read, and nothing drives it */
  char *clock;    /* "FILE:LINE:COLUMN: what": of the first register that does not wait for the rising edge of an input; "": none */
} drivers_t;

bool drivers_read(drivers_t *drivers, const char *text); /* false: no top module in it, or no memory */
void drivers_free(drivers_t *drivers);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Who drives each bit of a flat design, as Yosys writes it down, before and after `proc`
 * (DRIVERS_SCRIPT). Neither Verilator nor Yosys' own `check` sees that two assignments give one net
 * a value: both merge the nets first.
 *
 *   drivers_t found;
 *   if (drivers_read(&found, before, text) && *found.conflict) ...
 *   drivers_free(&found);
 *
 * A register whose clock is made by logic, or that waits for a falling edge, is found on the way:
 * not all tools take its edge in the same order with the inputs. Drivers of which one may be
 * high-impedance are no conflict, and neither are words of a memory that is kept as a memory;
 * constants that several processes give (counters of loops) are none either.
 */
#ifndef DRIVERS_H
#define DRIVERS_H

#include <stdbool.h>
#include <stddef.h>

/* What a script writes the two files by, behind `flatten`; %s: the files. What the script goes on
 * with is behind `proc`. */
#define DRIVERS_SCRIPT                                                                                              \
  "write_rtlil %s\nproc\n"                                                                                          \
  "design -push-copy\npmuxtree\ntribuf\n"                                                                           \
  "select -set lockstack_live o:* %%ci* t:$mem* %%ci* t:$assert %%ci* t:$assume %%ci* t:$check %%ci*\n"             \
  "select -set lockstack_live @lockstack_live %%a\nsetattr -set lockstack_live 1 @lockstack_live\nwrite_rtlil %s\n" \
  "design -pop\n"

typedef struct {
  /* "FILE:LINE:COLUMN: 'NAME[3]' has several drivers:
   * ...", or names are connected in a circle; "": none */
  char *conflict;
  /* a line each, "FILE:LINE:COLUMN NAME" (with an instance's name:
   * "s.x", with a word's: "m[2]"): is read, and nothing drives it */
  char *undriven;
  char *shared; /* a line each, "FILE:LINE:COLUMN NAME": of a bit of it several drivers may be high-impedance */
  /* a line each, "FILE:LINE:COLUMN full_case, parallel_case": what
   * synthesis takes for granted of a case, or one of these */
  char *cases;
  /* "FILE:LINE:COLUMN: what": of the first register that does
   * not wait for the rising edge of an input; "": none */
  char *clock;
} drivers_t;

/* `with_processes`: before `proc`. false: no top module in them, or no memory. */
bool drivers_read(drivers_t *drivers, const char *with_processes, const char *text);
void drivers_free(drivers_t *drivers);

#endif

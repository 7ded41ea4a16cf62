/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the drivers of each bit of a flat design. The input is Yosys' RTLIL before and after `proc`
 * (DRIVERS_SCRIPT). Neither Verilator nor Yosys' own `check` sees two assignments to one net: both
 * merge the nets first.
 *
 *   drivers_t found;
 *   if (drivers_read(&found, before, text) && *found.conflict) ...
 *   drivers_free(&found);
 *
 * drivers_read also finds registers with a clock made by logic or with a falling edge. Tools order
 * such edges differently against the inputs. Three cases are no conflict: drivers that may be
 * high-impedance, words of a memory kept as a memory, and constants from several processes (loop
 * counters).
 */
#ifndef DRIVERS_H
#define DRIVERS_H

#include <stdbool.h>
#include <stddef.h>

/* The part of a Yosys script that writes both files; put it behind `flatten`. %s: the two paths.
 * The design is behind `proc` when the rest of the script runs. */
#define DRIVERS_SCRIPT                                                                                              \
  "write_rtlil %s\nproc\n"                                                                                          \
  "design -push-copy\npmuxtree\ntribuf\n"                                                                           \
  "select -set lockstack_live o:* %%ci* t:$mem* %%ci* t:$assert %%ci* t:$assume %%ci* t:$check %%ci*\n"             \
  "select -set lockstack_live @lockstack_live %%a\nsetattr -set lockstack_live 1 @lockstack_live\nwrite_rtlil %s\n" \
  "design -pop\n"

typedef struct {
  /* "FILE:LINE:COLUMN: 'NAME[3]' has several drivers: ...", or a circle of connected names; "":
   * none. */
  char *conflict;
  /* Nets that are read and have no driver, one a line: "FILE:LINE:COLUMN NAME". NAME includes the
   * instance ("s.x") and a memory's word ("m[2]"). */
  char *undriven;
  /* Nets with several drivers that may be high-impedance, one a line: "FILE:LINE:COLUMN NAME". */
  char *shared;
  /* The first net that may be high-impedance, "FILE:LINE:COLUMN: 'NAME'"; "": none. */
  char *floating;
  /* Cases that synthesis takes for full, parallel or both, one a line: "FILE:LINE:COLUMN full_case,
   * parallel_case". */
  char *cases;
  /* The first register that does not wait for the rising edge of an input, "FILE:LINE:COLUMN:
   * what"; "": none. */
  char *clock;
} drivers_t;

/* `with_processes`: RTLIL before `proc`; `text`: after. False: no top module, or no memory. The
 * strings belong to `drivers`. */
bool drivers_read(drivers_t *drivers, const char *with_processes, const char *text);
void drivers_free(drivers_t *drivers);

#endif

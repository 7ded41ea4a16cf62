/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks at a module of somebody's RTL with Verilator and Yosys.
 */
#ifndef LOOK_H
#define LOOK_H

#include "clocking.h"
#include "module.h"
#include "rtl.h"
#include "trouble.h"

typedef struct {
  /* files, the module's first; libraries, includes, defines; `verilog`: .v is Verilog 2005 */
  const rtl_t *rtl;
  const char *params; /* values in the place of the RTL's own: "Width=4,Depth=2"; "": none */
  const char *clock;  /* "clk"; "wclk,rclk": one clock for both; "none"; NULL: found */
  /* "NAME", "NAME,low", "NAME,low,async"; several of these with commas between: one reset; "none",
   * "none,3" or "initial"; NULL: found */
  const char *reset;
  const char *work; /* existing folder for the tools' files */
  const char *tree; /* one more library */
  /* For RTL that is made anew for each set of parameters, as of VHDL: fills `made`, which is read
   * in the place of rtl. NULL: there is none. False: trouble. */
  bool (*make)(void *context, const char *params, rtl_t *made, trouble_t *trouble);
  void *context;
} look_t;

typedef struct {
  char name[MODULE_NAME];
  bool low, async;
} look_reset_t;

/* What a port file says beside ports and parameters. */
typedef struct {
  char clock[MODULE_NAME];      /* "": there is none */
  char clocks[4 * MODULE_NAME]; /* all that get the clock, with commas between */
  look_reset_t resets[CLOCKING_RESETS];
  unsigned num_resets;
  bool initial;        /* without a reset: RESET(initial), else RESET(none, uncompared) */
  unsigned uncompared; /* cycles */
} look_pins_t;

/* Is the port the clock, or one of several that get it? */
bool look_is_clock(const look_pins_t *pins, const char *name);

bool look_is_reset(const look_pins_t *pins, const char *name);

/* Fills the module of module->name, and its clock and reset. False: trouble says what the RTL
 * lacks, or which tool failed. module is zero but for its name and file. */
bool look_at(const look_t *look, module_t *module, look_pins_t *pins, trouble_t *trouble);

#endif

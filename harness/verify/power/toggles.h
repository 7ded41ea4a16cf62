/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device of kind netlist+toggles counted in a run in lockstep: of every net of its netlist
 * the rises and falls, and for how long it was 1; of the whole run, and of each of its windows. Of
 * the whole run also at how many edges of the clock it was 1.
 *
 * A cycle has two samples (dut.h): half of the clock's period each. `high` of 2 * cycles is the
 * share of time at 1. The inputs change at the clock's falling edge. Delays are zero, so that
 * glitches are not counted. Cycles in reset are not counted.
 *
 *   toggles_t toggles;
 *   toggles_open(&toggles, 50);
 *   check.on_window = ... toggles_take(&toggles, dut, dev, window)
 *   ...
 *   toggles_close(&toggles);
 */
#ifndef TOGGLES_H
#define TOGGLES_H

#include "dut.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A net of one bit. A wire that goes through several modules has a name
 * in each; they have one count, as have nets that are always equal. */
typedef struct {
  /* as OpenSTA's get_nets takes it, '/' between instances: "_0123_",
   * "i_rx/count[3]", "i_x.genblk1\[2\].y", "i_rx/a\/b[0]" */
  char *name;
  const char *shown; /* as its get_full_name prints it: "i_x.genblk1[2].y"; two nets may look alike so */
  uint32_t count;    /* index into `all`, and into toggles and high of each window */
} toggles_net_t;

typedef struct {
  uint64_t rises, falls, high, edges;
} toggles_count_t;

typedef struct {
  uint64_t cycles;
  uint32_t *toggles; /* rises and falls together; NULL: nothing was counted in it */
} toggles_window_t;

typedef struct {
  toggles_net_t *nets; /* in the order of their names */
  unsigned *by_shown;  /* indices into it, in the order of what is shown */
  unsigned num_nets;
  toggles_count_t *all;
  uint32_t num_counts;
  uint64_t cycles, in_reset; /* counted; in reset, and not counted */
  toggles_window_t *windows;
  unsigned num_windows;
  uint64_t window;    /* of toggles_next: cycles of a window; else 0 */
  dut_count_t *taken; /* of the last call */
} toggles_t;

bool toggles_open(toggles_t *toggles, unsigned windows); /* false: out of memory */
void toggles_close(toggles_t *toggles);

/* Adds what the device has counted since it was created, or since the last call, to the run and to
 * this window. Devices of one object. False: out of memory. */
bool toggles_take(toggles_t *toggles, const dut_t *dut, void *dev, unsigned window);

/* A run whose length is not known before: its windows are equally long, 51 to 100 of them in a long
 * run, the last one may be shorter. When there would be more, each two become one, and further ones
 * are twice as long. Returns in how many cycles it is to be called again; 0: out of memory. */
enum { TOGGLES_MOST = 100 };
bool toggles_open_run(toggles_t *toggles); /* as toggles_open */
uint64_t toggles_next(toggles_t *toggles, const dut_t *dut, void *dev);
bool toggles_end(toggles_t *toggles, const dut_t *dut, void *dev); /* what has been counted since is the last window */

/* Through a pipe to another process. Get opens; it is to be closed also where it failed. */
bool toggles_put(const toggles_t *toggles, int descriptor);
bool toggles_get(toggles_t *toggles, int descriptor);

/* NULL: there is none. Of several that are shown alike, one. */
const toggles_net_t *toggles_find(const toggles_t *toggles, const char *name);
const toggles_net_t *toggles_find_shown(const toggles_t *toggles, const char *shown);
const toggles_net_t *toggles_find_either(const toggles_t *toggles, const char *text); /* as shown, else of that name */

/* Toggles of a net in each cycle, the mean of all nets. window -1: of the whole run. */
double toggles_mean(const toggles_t *toggles, int window);

/* A line a net: name, rises, falls, share of time at
 * 1, rising edges of the clock that found it at 1. */
void toggles_csv(const toggles_t *toggles, FILE *out);

/* The name of bit k of a signal: toggles_net_t. The caller frees it. NULL:
 * out of memory, or no net of the netlist (a port of Verilator's own). */
char *toggles_name(const dut_signal_t *signal, unsigned bit);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device of kind netlist+toggles counted in a run: rises, falls and time at 1 of each
 * net, over the whole run and in each of its windows. For the whole run also: at how many clock
 * edges the net was 1.
 *
 * A cycle has two samples (dut.h), each half of a clock period. `high` out of 2 * cycles is the
 * share of time at 1. Inputs change at the falling edge. Delays are zero, so there are no
 * glitches. Cycles in reset do not count.
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
  uint32_t *toggles; /* rises and falls together; NULL: nothing counted */
} toggles_window_t;

typedef struct {
  toggles_net_t *nets; /* in the order of their names */
  unsigned *by_shown;  /* indices into nets, in the order of `shown` */
  unsigned num_nets;
  toggles_count_t *all;
  uint32_t num_counts;
  uint64_t cycles, in_reset; /* cycles counted; cycles in reset, not counted */
  toggles_window_t *windows;
  unsigned num_windows;
  uint64_t window;    /* cycles of a window for toggles_next; else 0 */
  dut_count_t *taken; /* counts at the last call */
} toggles_t;

bool toggles_open(toggles_t *toggles, unsigned windows); /* false: out of memory */
void toggles_close(toggles_t *toggles);

/* Adds what the device counted since its creation, or since the last call, to the run and to
 * this window. All calls must be for devices of one object. False: out of memory. */
bool toggles_take(toggles_t *toggles, const dut_t *dut, void *dev, unsigned window);

/* A run of unknown length: call toggles_open_run, then toggles_next each time its cycles are
 * over, then toggles_end. Windows have equal length, but the last can be shorter. At
 * TOGGLES_MOST windows, each pair becomes one, and later windows are twice as long. A long run
 * therefore ends with 51 to 100 of them. toggles_next returns the cycles until its next call; 0:
 * out of memory. */
enum { TOGGLES_MOST = 100 };
bool toggles_open_run(toggles_t *toggles); /* as toggles_open */
uint64_t toggles_next(toggles_t *toggles, const dut_t *dut, void *dev);
bool toggles_end(toggles_t *toggles, const dut_t *dut, void *dev); /* the counts since then are the last window */

/* Sends all counts through a pipe to another process. toggles_get opens; close also after a
 * failure. */
bool toggles_put(const toggles_t *toggles, int descriptor);
bool toggles_get(toggles_t *toggles, int descriptor);

/* NULL: no such net. When several nets are shown alike, any one of them. */
const toggles_net_t *toggles_find(const toggles_t *toggles, const char *name);
const toggles_net_t *toggles_find_shown(const toggles_t *toggles, const char *shown);
const toggles_net_t *toggles_find_either(const toggles_t *toggles,
                                         const char *text); /* finds by `shown`, else by `name` */

/* Toggles of a net in a cycle, the mean over all nets. window -1: the whole run. */
double toggles_mean(const toggles_t *toggles, int window);

/* A line a net: name, rises, falls, share of time at
 * 1, rising edges of the clock that found it at 1. */
void toggles_csv(const toggles_t *toggles, FILE *out);

/* The name of a bit of a signal, as in toggles_net_t; the caller frees it. NULL: out of memory,
 * or a port of Verilator's own, which is no net of the netlist. */
char *toggles_name(const dut_signal_t *signal, unsigned bit);

#endif

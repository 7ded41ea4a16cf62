/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cycles of a recording a report shows, and what it says of the others.
 */
#ifndef TELLING_H
#define TELLING_H

#include "dut.h"
#include "trace.h"

/* Up to TELLING_ALL cycles that bring something are all shown, of more the last TELLING_LAST. */
enum { TELLING_ALL = 16, TELLING_LAST = 8, TELLING_TEXT = 80 };

/* A flag for each cycle that brings something (report.h). Of cycles in a row with the same inputs
 * only the first and the last are shown. The caller frees it. NULL: out of memory. */
bool *telling_choose(const dut_t *dut, const trace_t *trace);

/* What the cycles from..to-1 between two shown ones have: "37 idle cycles", "4 cycles with the
 * inputs of the one before", "290 cycles, 12 of them idle"; "": none. */
const char *telling_between(const dut_t *dut, const trace_t *trace, size_t from, size_t to, char text[TELLING_TEXT]);

#endif

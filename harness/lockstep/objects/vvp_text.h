/* SPDX-License-Identifier: Apache-2.0
 *
 * Removes the delays from a design that Icarus has compiled. What counts in a lockstep is the
 * clock's edge, so a delay takes no time, as in synthesis and in the other devices:
 *
 *   .delay 8 (2000,2000,2000) L_1/d;      .delay 8 (0,0,0) L_1/d;       assign #2, gates
 *   %assign/vec4 v0x1_0, 1000;            %assign/vec4 v0x1_0, 0;       q <= #1 d
 *   %ix/load 4, 1500, 0;                  %ix/load 4, 0, 0;             mem[i] <= #1.5 d
 *   %assign/vec4/a/d v0x1, 0, 4;          unchanged
 *   %delay 2000, 0;                       no line                       q = #2 d
 *
 * The delay right behind a call of $lockstack_drive is the testbench's own step, and stays.
 */
#ifndef VVP_TEXT_H
#define VVP_TEXT_H

#include <stdbool.h>
#include <stdio.h>

/* Writes the text of a .vvp file without its delays. False: out of memory. */
bool vvp_text_undelayed(FILE *to, const char *text);

#endif

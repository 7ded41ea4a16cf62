/* SPDX-License-Identifier: Apache-2.0
 *
 * Rewrites a netlist of Yosys so that OpenSTA reads it, too. OpenSTA supports neither named
 * parameters of an instance nor signed constants. A memory
 *
 *   sram_1r1w #(
 *     .Depth(32'sd4)
 *   ) u_rows (
 *
 * becomes
 *
 *   defparam u_rows.Depth = 32'd4;
 *   sram_1r1w u_rows (
 */
#ifndef NETLIST_TEXT_H
#define NETLIST_TEXT_H

#include <stdio.h>

void netlist_text(FILE *to, const char *text);

#endif

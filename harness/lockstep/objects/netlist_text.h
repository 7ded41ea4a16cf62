/* SPDX-License-Identifier: Apache-2.0
 *
 * A netlist of Yosys as OpenSTA reads it, too. OpenSTA knows no parameters by name in an instance,
 * nor signed constants; a memory
 *   sram_1r1w #(
 *     .Depth(32'sd4)
 *   ) u_rows (
 * becomes
 *   defparam u_rows.Depth = 32'd4;
 *   sram_1r1w u_rows (
 */
#ifndef NETLIST_TEXT_H
#define NETLIST_TEXT_H

#include <stdio.h>

void netlist_text(FILE *to, const char *text);

#endif

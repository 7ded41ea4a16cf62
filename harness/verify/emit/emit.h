/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a design as Verilog 2005, from what Verilator made of it (verilator --xml-only): types,
 * parameters, generate blocks and interfaces are resolved by then. Yosys 0.23 and Icarus 11 read
 * the result where they cannot read SystemVerilog.
 *
 *   if (!emit_verilog("design.xml", "design.v", &trouble)) ...
 *
 * Ports are plain vectors of the same names; parameters of the top stay as names whose values mean
 * nothing any more. Messages, mutants and registers of the result have the places of the source
 * (`line directives). Assertions are not in Verilator's tree.
 */
#ifndef EMIT_H
#define EMIT_H

#include "trouble.h"
#include "words.h"

#include <stdbool.h>

/* False: `trouble` says why, with file and line of what cannot be written; `to` is not there
 * then. */
bool emit_verilog(const char *xml, const char *to, trouble_t *trouble);

/* Appends what Verilator needs for that, without the design: "verilator --xml-only ...". */
void emit_command(words_t *command, const char *xml);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Where each register lies in the bytes of state_get (dut.h), and which line of the RTL writes it.
 */
#ifndef STATE_TABLE_H
#define STATE_TABLE_H

#include "dut.h"

/* Bytes of an element of this width. */
size_t state_storage(uint32_t width);

/* The offset of each state, and behind the last one the size; the caller frees it. NULL: out of
 * memory, or the states do not add up to dut->state_size. */
size_t *state_offsets(const dut_t *dut);

/* The lines that write a register, "fuse.sv:12,15", from the text lines.txt of an object of kind
 * rtl+wave (lines.awk). False: no line does. */
bool state_lines(const char *text, const char *name, char *where, size_t size);

#endif

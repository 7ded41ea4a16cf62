/* SPDX-License-Identifier: Apache-2.0
 *
 * The golden model of tom_cond as the table's entry and the registers see it. A file of its own:
 * the compiler has a type of the model's name.
 */
#ifndef TOM_COND_ENTRY_H
#define TOM_COND_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

enum { TOM_ENTRY_REGS = 64 };

/* cond: of an entry of the metadata table
 * (rtl/tom/tom_meta.def). regs: the first active thread's. */
bool tom_cond_entry(uint64_t cond, const uint32_t regs[TOM_ENTRY_REGS]);

#endif

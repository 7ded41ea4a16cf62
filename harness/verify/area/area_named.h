/* SPDX-License-Identifier: Apache-2.0
 *
 * Some RTL outside the tree instantiates cells of the library by name: clock gates, macros.
 * These stay as they are.
 */
#ifndef AREA_NAMED_H
#define AREA_NAMED_H

#include "area.h"

/* Writes work/cells/NAME.v, a black box, for each cell that the RTL names. `own`, a copy of the
 * job's RTL, gets this folder as its last library. BAD: `own` has no room for a folder. INFRA:
 * Yosys, or the disk. */
answer_t area_named(const area_job_t *job, const char *work, rtl_t *own, trouble_t *trouble);

#endif

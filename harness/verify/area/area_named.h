/* SPDX-License-Identifier: Apache-2.0
 *
 * Cells of the library that the RTL of a block outside of the tree has by name, such as clock gates
 * and macros: they stay what they are.
 */
#ifndef AREA_NAMED_H
#define AREA_NAMED_H

#include "area.h"

/* In the folder `work`: cells/NAME.v, a black box, for each cell whose name the
 * RTL has. `own`, a copy of the job's, gets that folder as its last one. */
answer_t area_named(const area_job_t *job, const char *work, rtl_t *own, trouble_t *trouble);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Waveforms of recorded inputs, from a "rtl+wave" object: an FST file, or VCD where the path ends
 * so, and, beside it, a GTKWave save file that shows all ports, with the cursor at the failure and
 * the failing port on top, coloured. Scope TOP is the RTL's; scope model has the golden model's
 * outputs and probes under the same names (zero where their valid bit is 0), and `diverged`, 1 in
 * cycles in which one of them is not the RTL's. After the failure each goes on alone.
 */
#ifndef WAVE_H
#define WAVE_H

#include "run.h"

enum { WAVE_BEFORE = 200, WAVE_AFTER = 4 };

/* The last `before` cycles of the recording and WAVE_AFTER idle ones after it. port: of the
 * failure, -1: none. gtkw (BUILD_PATH bytes) gets the save file's path. */
bool wave_write(const dut_t *dut, const trace_t *trace, int port, size_t before, const char *path, char *gtkw,
                trouble_t *trouble);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws waveforms of recorded inputs with a "rtl+wave" object, as FST, or as VCD if the path ends
 * so. Beside it a GTKWave save file shows all ports, with the cursor at the failure and the failing
 * port on top, coloured.
 *
 * Scope TOP is the RTL. Scope `model` has the model's outputs and probes under the same names (zero
 * while invalid), and `diverged`: 1 in cycles in which one of them differs from the RTL. After the
 * failure both sides go on independently.
 */
#ifndef WAVE_H
#define WAVE_H

#include "run.h"

enum { WAVE_BEFORE = 200, WAVE_AFTER = 4 };

/* Draws the last `before` cycles of the recording and WAVE_AFTER idle cycles. `port`: of the
 * failure; -1: none. `gtkw` (BUILD_PATH bytes) gets the path of the save file. */
bool wave_write(const dut_t *dut, const trace_t *trace, int port, size_t before, const char *path, char *gtkw,
                trouble_t *trouble);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A waveform as VCD, for tools that read no FST: what FST's own reader, which comes with Verilator,
 * makes of one.
 */
#ifndef WAVE_VCD_H
#define WAVE_VCD_H

#include <stdbool.h>

bool wave_is_vcd(const char *path); /* by its name */

/* From a whole FST file into another, which appears whole or not at all; 0, or errno. */
int wave_to_vcd(const char *fst, const char *vcd);

#endif

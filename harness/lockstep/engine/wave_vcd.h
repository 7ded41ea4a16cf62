/* SPDX-License-Identifier: Apache-2.0
 *
 * Converts FST to VCD, for tools that read no FST, with the FST reader that comes with Verilator.
 */
#ifndef WAVE_VCD_H
#define WAVE_VCD_H

#include <stdbool.h>

bool wave_is_vcd(const char *path); /* by the name's ending */

/* Converts a whole FST file. The VCD file appears whole or not at all. Returns 0, or errno. */
int wave_to_vcd(const char *fst, const char *vcd);

#endif

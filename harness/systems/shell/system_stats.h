/* SPDX-License-Identifier: Apache-2.0
 *
 * What a system counted, through a pipe from the process that simulated it.
 */
#ifndef SYSTEM_STATS_H
#define SYSTEM_STATS_H

#include "system.h"

bool system_stats_put(const system_stats_t *stats, int descriptor);
bool system_stats_get(system_stats_t *stats, int descriptor); /* to be freed in either case */

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What a system counted, through a pipe from the process that simulated it.
 */
#ifndef SYSTEM_STATS_H
#define SYSTEM_STATS_H

#include "system.h"

/* False: the pipe broke, or memory is short. What system_stats_get has read is freed with
 * system_stats_free in either case. */
bool system_stats_put(const system_stats_t *stats, int descriptor);
bool system_stats_get(system_stats_t *stats, int descriptor);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_icache.
 */
#include "nsu_icache.h"

#define STIM_MSHRS 2
#include "cache_stim.h"

CACHE_STIM(nsu_icache)

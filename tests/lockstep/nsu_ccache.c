/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_ccache: the common profiles of the caches (cache_stim.h) with two misses under
 * way.
 */
#include "nsu_ccache.h"

#define STIM_MSHRS 2
#include "cache_stim.h"

CACHE_STIM(nsu_ccache)

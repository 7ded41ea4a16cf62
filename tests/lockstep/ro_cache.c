/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of ro_cache: the common profiles of the caches (cache_stim.h) with this block's number
 * of entries for misses.
 */
#include "ro_cache.h"

#define STIM_MSHRS Mshrs
#include "cache_stim.h"

CACHE_STIM(ro_cache)

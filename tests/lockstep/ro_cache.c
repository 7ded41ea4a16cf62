/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of ro_cache.
 */
#include "ro_cache.h"

#define STIM_MSHRS Mshrs
#include "cache_stim.h"

CACHE_STIM(ro_cache)

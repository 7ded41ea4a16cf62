/* SPDX-License-Identifier: Apache-2.0
 *
 * Local memory in GPU memory: the place of a thread's bytes.
 *
 * Each warp slot of each SM has a part of one allocation. The allocation stays from launch to
 * launch, and is replaced when a launch needs more. In a part, word 0 of all 32 threads comes
 * first, then word 1. Threads that access the same word therefore access one line (CUDA C++
 * Programming Guide, "Local Memory").
 */
#ifndef LOCAL_MEMORY_H
#define LOCAL_MEMORY_H

#include "gpu_shared.h"

enum { LOCAL_WORD = 4, LOCAL_ROW = GPU_WARP_WIDTH * LOCAL_WORD };

/* 4-byte words for so many bytes of a thread. */
static inline uint64_t local_words(uint64_t bytes) {
  return (bytes + LOCAL_WORD - 1) / LOCAL_WORD;
}

/* Allocates room for the launch, with `slots` warp slots an SM. Needs nothing if no thread has
 * local memory. -1 with err: no room. */
int local_place(const gpu_shared_t *sh, const simt_store_t *store, unsigned slots, trouble_t *err);

/* Virtual address of a thread's byte. slot: number of the warp slot among those of all SMs. */
static inline uint64_t local_address(const gpu_run_t *run, unsigned slot, unsigned lane, uint64_t byte) {
  return run->local + ((slot * run->local_words + byte / LOCAL_WORD) * GPU_WARP_WIDTH + lane) * LOCAL_WORD +
         byte % LOCAL_WORD;
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Local memory, in the GPU's: where a thread's bytes are.
 *
 * Each warp slot of each SM has a part of one allocation, which lasts from launch to launch and is
 * made anew when a launch needs more. In it word 0 of all 32 threads comes first, then word 1, so
 * threads that access the same word access one line (as CUDA's C++ Programming Guide describes
 * local memory).
 */
#ifndef LOCAL_MEMORY_H
#define LOCAL_MEMORY_H

#include "gpu_shared.h"

enum { LOCAL_WORD = 4, LOCAL_ROW = GPU_WARP_WIDTH * LOCAL_WORD };

/* Words of a thread with so many bytes. */
static inline uint64_t local_words(uint64_t bytes) {
  return (bytes + LOCAL_WORD - 1) / LOCAL_WORD;
}

/* Room for the launch's threads, if any has some: so many
 * warp slots an SM. -1: err says that there is none. */
int local_place(const gpu_shared_t *sh, const simt_store_t *store, unsigned slots, trouble_t *err);

/* Virtual address of a thread's byte; slot: of all SMs'. */
static inline uint64_t local_address(const gpu_run_t *run, unsigned slot, unsigned lane, uint64_t byte) {
  return run->local + ((slot * run->local_words + byte / LOCAL_WORD) * GPU_WARP_WIDTH + lane) * LOCAL_WORD +
         byte % LOCAL_WORD;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "tom_job.h"

#include <stdlib.h>

void tom_job_free(tom_job_t *job) {
  if (job) ring_deinit(&job->written);
  free(job);
}

void tom_rows_from(tom_job_t *job, const simt_kernel_t *k, const simt_warp_t *w, uint64_t which) {
  for (; which; which &= which - 1) {
    const unsigned number = (unsigned)__builtin_ctzll(which);
    tom_row_read(job->entry, number, k, w, job->row[number]);
  }
}

void tom_rows_to(const tom_job_t *job, const simt_kernel_t *k, simt_warp_t *w, uint64_t which, uint32_t mask) {
  for (; which; which &= which - 1) {
    const unsigned number = (unsigned)__builtin_ctzll(which);
    tom_row_write(job->entry, number, k, w, job->row[number], mask);
  }
}

uint64_t tom_regs_ready(const simt_kernel_t *k, const uint64_t *ready, const tom_reg_t *regs, unsigned count,
                        uint64_t which) {
  uint64_t when = 0;
  for (unsigned i = 0; i < count; i++) {
    const uint16_t slot = regs[i].reg == PTX_NONE || !(which >> i & 1) ? SIMT_NO_SLOT : k->regs[regs[i].reg].slot;
    if (slot != SIMT_NO_SLOT && ready[slot] > when) when = ready[slot];
  }
  return when;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tom_job.h"

#include <stdlib.h>

void tom_job_free(tom_job_t *job) {
  if (job) ring_deinit(&job->written);
  free(job);
}

/* Where a register is in a warp's file; false: nowhere, as nothing of the kernel reads it. */
static bool find(const simt_kernel_t *k, const tom_reg_t *r, uint32_t *at, unsigned *bytes) {
  if (r->reg != PTX_NONE) {
    *at = k->regs[r->reg].at, *bytes = k->regs[r->reg].bytes;
    return *at != SIMT_NO_OPERAND;
  }
  for (uint32_t i = 0; i < k->num_sregs; i++) {
    if (k->sregs[i].sreg != r->sreg || k->sregs[i].sel != r->sel) continue;
    *at = k->sregs[i].at, *bytes = 4;
    return true;
  }
  return false;
}

static size_t row_bytes(unsigned bytes) {
  return bytes == 1 ? sizeof(uint32_t) : (size_t)bytes * GPU_WARP_WIDTH;
}

static unsigned rows_of(const tom_reg_t *r) {
  return r->words ? r->words : 1;
}

void tom_rows_from(tom_job_t *job, const simt_kernel_t *k, const simt_warp_t *w, const tom_reg_t *regs, unsigned count, uint64_t which) {
  uint32_t at;
  unsigned bytes;
  for (unsigned i = 0, row = 0; i < count; row += rows_of(&regs[i++]))
    if (which >> i & 1 && find(k, &regs[i], &at, &bytes)) memcpy(job->row[row], simt_src(w, at), row_bytes(bytes));
}

static void merge(void *to, const void *from, unsigned bytes, uint32_t mask) {
  if (bytes == 1) {
    uint32_t old, now;
    memcpy(&old, to, sizeof old);
    memcpy(&now, from, sizeof now);
    now = (old & ~mask) | (now & mask);
    memcpy(to, &now, sizeof now);
    return;
  }
  for (; mask; mask &= mask - 1) {
    const size_t lane = (size_t)__builtin_ctz(mask) * bytes;
    memcpy((uint8_t *)to + lane, (const uint8_t *)from + lane, bytes);
  }
}

void tom_rows_to(const tom_job_t *job, const simt_kernel_t *k, simt_warp_t *w, const tom_reg_t *regs, unsigned count, uint32_t mask) {
  uint32_t at;
  unsigned bytes;
  for (unsigned i = 0, row = 0; i < count; row += rows_of(&regs[i++]))
    if (find(k, &regs[i], &at, &bytes)) merge(simt_dst(w, at), job->row[row], bytes, mask);
}

uint64_t tom_regs_ready(const simt_kernel_t *k, const uint64_t *ready, const tom_reg_t *regs, unsigned count, uint64_t which) {
  uint64_t when = 0;
  for (unsigned i = 0; i < count; i++) {
    const uint16_t slot = regs[i].reg == PTX_NONE || !(which >> i & 1) ? SIMT_NO_SLOT : k->regs[regs[i].reg].slot;
    if (slot != SIMT_NO_SLOT && ready[slot] > when) when = ready[slot];
  }
  return when;
}

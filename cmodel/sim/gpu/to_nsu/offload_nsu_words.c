/* SPDX-License-Identifier: Apache-2.0 */
#include "offload_nsu.h"

uint32_t nsu_word_sent(const simt_kernel_t *k, const simt_warp_t *w, const offload_reg_t *r, unsigned lane) {
  const simt_reg_t *reg = &k->regs[r->reg];
  if (reg->at == SIMT_NO_OPERAND) return 0;
  const void *from = simt_src(w, reg->at);
  if (reg->bytes == 1) return *(const uint32_t *)from >> lane & 1;
  if (reg->bytes == 4) return ((const uint32_t *)from)[lane];
  return (uint32_t)(((const uint64_t *)from)[lane] >> (r->half ? 32 : 0));
}

void nsu_word_returned(const simt_kernel_t *k, simt_warp_t *w, const offload_reg_t *r, unsigned lane, uint32_t word) {
  const simt_reg_t *reg = &k->regs[r->reg];
  if (reg->at == SIMT_NO_OPERAND) return;
  void *to = simt_dst(w, reg->at);
  if (reg->bytes == 1) {
    uint32_t *p = to;
    *p = (*p & ~(1u << lane)) | (uint32_t)(word != 0) << lane;
  } else if (reg->bytes == 4) {
    bool narrow = ptx_type_bytes(k->func->regs[r->reg].type) < 4;
    ((uint32_t *)to)[lane] = narrow ? word & 0xffff : word;
  } else {
    uint64_t *d = (uint64_t *)to + lane;
    *d = r->half ? (*d & 0xffffffffu) | (uint64_t)word << 32 : (*d & ~0xffffffffull) | word;
  }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies at issue.
 *
 *   at issue     destination: bounds and bank conflicts, as of st.shared (ours)
 *                source: each line once through the load/store unit, as for a load
 *   at the end   shared memory gets the bytes, when all lines of the instruction have arrived
 */
#include "async_copy.h"
#include "pager.h"
#include "simt_memory.h"
#include "sm.h"
#include "stack_tlb.h"

/* Bytes that each thread reads. -1: more than it copies, faulted. */
static int bytes_read(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, uint8_t *read) {
  const simt_warp_t *w = &sm->warps[warp].simt;
  const uint32_t *size = op->b == SIMT_NO_OPERAND ? NULL : simt_src(w, op->b);
  uint32_t none = op->c == SIMT_NO_OPERAND ? 0 : *(const uint32_t *)simt_src(w, op->c);
  if (op->flags & SIMT_NEG_C) none = ~none;
  for (; mask; mask &= mask - 1) {
    const unsigned i = (unsigned)__builtin_ctz(mask);
    if (size && size[i] > op->bytes) return sm_fault_warp(sm, warp, op, "reads more bytes than it copies");
    read[i] = size ? (uint8_t)size[i] : op->bytes;
    if (none >> i & 1) read[i] = 0;
  }
  return 0;
}

/* Threads that read least to most bytes. */
static uint32_t threads_reading(uint32_t mask, const uint8_t *read, unsigned least, unsigned most) {
  uint32_t out = 0;
  for (; mask; mask &= mask - 1) {
    const unsigned i = (unsigned)__builtin_ctz(mask);
    if (read[i] >= least && read[i] <= most) out |= 1u << i;
  }
  return out;
}

uint32_t sm_copy_sources(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask) {
  uint8_t read[GPU_WARP_WIDTH];
  return bytes_read(sm, warp, op, mask, read) ? 0 : threads_reading(mask, read, 1, op->bytes);
}

/* Offsets in shared memory. -1: out of bounds, faulted. */
static int find_destinations(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, uint64_t *at) {
  simt_op_t to = *op;
  to.kind = SIMT_STORE;
  to.base = op->d;
  to.flags = op->reg_bytes == 4 ? SIMT_ADDR32 : 0;
  simt_addresses(&sm->warps[warp].simt, &to, (uint64_t)(int64_t)(int32_t)op->target, at);
  for (uint32_t m = mask; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    if (sm_check_place(sm, warp, &to, i, at[i], sm->sh->run->simt.shared_bytes, "out of bounds of its shared memory"))
      return -1;
  }
  return 0;
}

/* Threads that read fewer bytes than they copy. Only these bytes must exist. A piece is aligned,
 * so its bytes lie in one line. */
static int place_part(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, const uint64_t *vaddr,
                      const async_copy_t *copy, uint64_t *paddr) {
  simt_op_t last = *op;
  uint64_t at[GPU_WARP_WIDTH];
  last.bytes = 1;
  for (uint32_t m = mask; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    if (vaddr[i] & (op->bytes - 1u)) return sm_fault_access(sm, warp, op, i, vaddr[i], SM_MISALIGNED);
    at[i] = vaddr[i] + copy->read[i] - 1;
  }
  if (sm_place(sm, warp, &last, mask, at, paddr)) return -1;
  for (uint32_t m = mask; m; m &= m - 1) paddr[__builtin_ctz(m)] -= copy->read[__builtin_ctz(m)] - 1u;
  return 0;
}

/* The lines of the sources. *any: something is read. */
static int place_sources(sm_t *sm, unsigned warp, const simt_op_t *op, async_copy_t *copy, bool *any) {
  const uint32_t whole = threads_reading(copy->mask, copy->read, op->bytes, op->bytes),
                 part = threads_reading(copy->mask, copy->read, 1, op->bytes - 1u);
  uint64_t vaddr[GPU_WARP_WIDTH], paddr[GPU_WARP_WIDTH];
  simt_addresses(&sm->warps[warp].simt, op, (uint64_t)op->imm, vaddr);
  if (whole && sm_place(sm, warp, op, whole, vaddr, paddr)) return -1;
  if (part && place_part(sm, warp, op, part, vaddr, copy, paddr)) return -1;
  copy->tile = (tile_t){.pieces = GPU_WARP_WIDTH, .piece_bytes = op->bytes};
  for (uint32_t m = whole | part; m; m &= m - 1)
    tile_place(&copy->tile, (unsigned)__builtin_ctz(m), paddr[__builtin_ctz(m)]);
  *any = whole | part;
  return 0;
}

/* A copy that reads nothing writes its zeros at once. */
int sm_issue_copy(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask) {
  sm_warp_t *w = &sm->warps[warp];
  const gpu_config_t *c = sm->sh->config;
  async_copy_t copy = {.shared = sm->ctas[w->cta].shared, .mask = mask, .group = w->copy_groups};
  uint64_t to[GPU_WARP_WIDTH];
  bool any;
  if (!mask) return 0;
  if (bytes_read(sm, warp, op, mask, copy.read) || find_destinations(sm, warp, op, mask, to) ||
      place_sources(sm, warp, op, &copy, &any))
    return -1;
  for (uint32_t m = mask; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    copy.to[i] = (uint32_t)to[i];
    sm_note_shared(sm, warp, op, i, to[i], op->bytes); /* writes */
  }
  const unsigned cycles = simt_bank_cycles(op, mask, to);
  sm->sh->stats->async_copies++;
  sm->sh->stats->shared_conflicts += cycles - 1;
  ldst_hold(&sm->ldst, cycles);
  if (any)
    return ldst_issue_copy(&sm->ldst, warp, &w->simt, op, &copy)
               ? trouble_fail(sm->sh->fault, TROUBLE_ENVIRONMENT, "out of memory for asynchronous copies")
               : 0;
  async_copy_end(&copy);
  sm_copied(w, sm->now + c->sm.shared_latency + cycles - 1);
  return 0;
}

void sm_issue_copies(sm_t *sm, unsigned warp, const simt_op_t *op) {
  if (op->sub == COPIES_COMMIT && sm_guard(&sm->warps[warp], op)) sm->warps[warp].copy_groups++;
  sm_advance(sm, warp);
}

bool sm_awaits_copies(const sm_t *sm, unsigned warp, const simt_op_t *op) {
  return op->sub != COPIES_COMMIT && ldst_copies(&sm->ldst, warp, async_copy_limit(op, sm->warps[warp].copy_groups));
}

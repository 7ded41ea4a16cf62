/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix instructions at issue. All threads of a warp execute them together.
 *
 * In memory a matrix is a number of pieces of at most 16 bytes, and each piece counts as one
 * thread's access. Shared memory is accessed at issue, with bank conflicts as for ld and st. Global
 * memory is accessed through the load/store unit, each line once.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pager.h"
#include "simt_memory.h"
#include "sm.h"

int sm_check_whole(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask) {
  char what[160];
  if (!mask || mask == ~UINT32_C(0)) return 0;
  snprintf(what, sizeof what, "executes '%.60s' with %u of 32 threads; all have to execute it together",
           sm_instr(sm, op)->text, (unsigned)__builtin_popcount(mask));
  return sm_fault_warp(sm, warp, op, what);
}

unsigned sm_issue_product(sm_t *sm, const simt_op_t *op, uint32_t mask) {
  if (mask) {
    sm->sh->stats->matrix_products++;
    sm->sh->stats->matrix_multiplications += op->matrix->products;
    sm->sh->stats->matrix_work += op->matrix->work;
  }
  return sm_matrix_cycles(sm->sh->config, op) + sm->sh->config->sm.matrix_latency;
}

/* ---- Where its pieces are -------------------------------------------------------------------- */

/* Bytes from a row's start to the next one's. Without an operand the rows are contiguous. */
static uint64_t row_step(const simt_matrix_t *m, const simt_warp_t *w) {
  if (m->stride == SIMT_NO_OPERAND) return m->row_bytes;
  return (uint64_t)((const uint32_t *)simt_src(w, m->stride))[0] * m->view[MATRIX_D].bits / 8;
}

/* PTX demands the same address and stride in all threads. */
static bool threads_agree(const uint64_t *vaddr, const simt_matrix_t *m, const simt_warp_t *w) {
  const uint32_t *stride = m->stride == SIMT_NO_OPERAND ? NULL : simt_src(w, m->stride);
  for (unsigned i = 1; i < GPU_WARP_WIDTH; i++)
    if (vaddr[i] != vaddr[0] || (stride && stride[i] != stride[0])) return false;
  return true;
}

/* Addresses of all pieces. ldmatrix and stmatrix have one in each thread. -1: threads differ,
 * faulted. */
static int find_pieces(const sm_t *sm, unsigned warp, const simt_op_t *op, uint64_t vaddr[MATRIX_PIECES]) {
  const simt_matrix_t *m = op->matrix;
  const simt_warp_t *w = &sm->warps[warp].simt;
  simt_addresses(w, op, (uint64_t)op->imm, vaddr);
  if (m->by_thread) return 0;
  if (!threads_agree(vaddr, m, w))
    return sm_fault_warp(sm, warp, op, "accesses a matrix whose address or stride differs between its threads");
  const uint64_t first = vaddr[0], step = row_step(m, w), keep = op->flags & SIMT_ADDR32 ? UINT32_MAX : UINT64_MAX;
  for (unsigned i = 0; i < m->pieces; i++) {
    const unsigned at = i * m->piece_bytes;
    vaddr[i] = (first + at / m->row_bytes * step + at % m->row_bytes) & keep;
  }
  return 0;
}

/* Space of the matrix. At generic addresses the pieces become offsets in that space. */
static unsigned space_of(const simt_op_t *op, uint64_t *vaddr) {
  const uint64_t window = vaddr[0] & ~SIMT_WINDOW_MASK;
  if (op->space != PTX_SPACE_GENERIC) return op->space;
  if (window != SIMT_WINDOW_SHARED) return window ? PTX_SPACE_GENERIC : PTX_SPACE_GLOBAL;
  for (unsigned i = 0; i < op->matrix->pieces; i++) vaddr[i] -= window;
  return PTX_SPACE_SHARED;
}

bool sm_need_matrix(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask) {
  uint64_t vaddr[MATRIX_PIECES];
  bool all = true;
  if (mask != ~UINT32_C(0) || !sm->sh->pager || find_pieces(sm, warp, op, vaddr) ||
      space_of(op, vaddr) != PTX_SPACE_GLOBAL)
    return true;
  for (unsigned i = 0; i < op->matrix->pieces; i++) all &= pager_need(sm->sh->pager, vaddr[i]);
  return all;
}

/* ---- Accesses -------------------------------------------------------------------------------- */

/* Thread that a fault names. */
static unsigned faulting_thread(const simt_op_t *op, unsigned piece) {
  return op->matrix->by_thread ? piece : 0;
}

/* Load or store of a matrix in shared memory. */
static int access_shared(sm_t *sm, unsigned warp, const simt_op_t *op, const uint64_t *vaddr) {
  const simt_matrix_t *m = op->matrix;
  sm_warp_t *w = &sm->warps[warp];
  uint8_t *shared = sm->ctas[w->cta].shared, bytes[MATRIX_BYTES];
  for (unsigned i = 0; i < m->pieces; i++)
    if (sm_check_place(sm, warp, op, faulting_thread(op, i), vaddr[i], sm->sh->run->simt.shared_bytes,
                       "out of bounds of its shared memory") ||
        sm_note_shared(sm, warp, op, faulting_thread(op, i), vaddr[i], m->piece_bytes))
      return -1;
  if (op->kind == SIMT_STORE) matrix_gather(m, MATRIX_D, (matrix_order_t)m->order, &w->simt, bytes);
  for (unsigned i = 0; i < m->pieces; i++) {
    uint8_t *piece = bytes + i * m->piece_bytes;
    if (op->kind == SIMT_STORE) memcpy(shared + vaddr[i], piece, m->piece_bytes);
    else memcpy(piece, shared + vaddr[i], m->piece_bytes);
  }
  if (op->kind == SIMT_LOAD) matrix_scatter(m, MATRIX_D, (matrix_order_t)m->order, bytes, &w->simt);
  const unsigned cycles = simt_bank_cycles(op, UINT64_MAX >> (64 - m->pieces), vaddr);
  sm->sh->stats->shared_conflicts += cycles - 1;
  ldst_hold(&sm->ldst, cycles);
  for (unsigned i = 0; i < op->num_dsts; i++)
    w->ready[op->dep[i]] = sm->now + sm->sh->config->sm.shared_latency + cycles - 1;
  return 0;
}

/* Load or store of a matrix in global memory. */
static int access_global(sm_t *sm, unsigned warp, const simt_op_t *op, const uint64_t *vaddr) {
  const simt_matrix_t *m = op->matrix;
  sm_warp_t *w = &sm->warps[warp];
  tile_t tile = {.pieces = m->pieces, .piece_bytes = m->piece_bytes};
  for (unsigned from = 0; from < m->pieces; from += GPU_WARP_WIDTH) {
    const unsigned count = m->pieces - from < GPU_WARP_WIDTH ? m->pieces - from : GPU_WARP_WIDTH;
    uint64_t paddr[GPU_WARP_WIDTH];
    if (sm_place(sm, warp, op, UINT32_MAX >> (GPU_WARP_WIDTH - count), vaddr + from, paddr)) return -1;
    for (unsigned i = 0; i < count; i++) tile_place(&tile, from + i, paddr[i]);
  }
  if (op->kind == SIMT_STORE) matrix_gather(m, MATRIX_D, (matrix_order_t)m->order, &w->simt, tile.bytes);
  const unsigned lines = ldst_issue_tile(&sm->ldst, warp, &w->simt, op, &tile);
  if (!lines) return trouble_fail(sm->sh->fault, TROUBLE_ENVIRONMENT, "out of memory for matrices");
  sm_under_way(sm, warp, op, lines);
  return 0;
}

int sm_issue_matrix(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask) {
  uint64_t vaddr[MATRIX_PIECES];
  if (sm_check_whole(sm, warp, op, mask)) return -1;
  if (!mask) {
    for (unsigned i = 0; i < op->num_dsts; i++)
      sm->warps[warp].ready[op->dep[i]] = sm->now + sm->sh->config->sm.alu_latency;
    return 0;
  }
  if (find_pieces(sm, warp, op, vaddr)) return -1;
  sm->sh->stats->matrix_accesses++;
  const unsigned space = space_of(op, vaddr);
  if (space == PTX_SPACE_SHARED) return access_shared(sm, warp, op, vaddr);
  if (space == PTX_SPACE_GLOBAL && !op->matrix->by_thread) return access_global(sm, warp, op, vaddr);
  return sm_fault_access(sm, warp, op, 0, vaddr[0],
                         op->matrix->by_thread ? "which is not shared memory"
                                               : "which is neither global nor shared memory");
}

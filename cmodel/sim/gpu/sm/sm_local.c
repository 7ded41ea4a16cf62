/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses to local memory at issue, if local memory is in GPU memory. They go through load/store
 * unit, L1 and L2, like global accesses.
 */
#include "local_memory.h"
#include "page_profile.h"
#include "sm.h"

/* Virtual address of a byte of a thread's local memory. */
static uint64_t local_byte_address(const sm_t *sm, unsigned warp, unsigned lane, uint64_t byte) {
  return local_address(sm->sh->run, sm->id * sm->num_warps + warp, lane, byte);
}

/* Physical address of a mapped virtual one. */
static uint64_t physical_address(const sm_t *sm, uint64_t vaddr) {
  return page_table_physical(sm->sh->pages, page_table_find(sm->sh->pages, vaddr)->frame | (vaddr & (PAGE_BYTES - 1)));
}

int sm_check_local(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, const uint64_t *at) {
  for (; mask; mask &= mask - 1) {
    const unsigned i = (unsigned)__builtin_ctz(mask);
    if (op->kind == SIMT_ATOM)
      return sm_fault_access(sm, warp, op, i, at[i], "which is local memory, that has no atomics");
    if (sm_check_place(sm, warp, op, i, at[i], sm->local_bytes, "out of bounds of its local memory")) return -1;
  }
  return 0;
}

/* Each 4-byte word of the threads has lines of its own. */
int sm_local_lines(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, const uint64_t *at,
                   coalesce_words_t *lines) {
  for (unsigned k = 0; k < local_words(op->bytes * op->vec); k++) {
    uint64_t vaddr[32], paddr[32];
    for (uint32_t m = mask; m; m &= m - 1) {
      const unsigned i = (unsigned)__builtin_ctz(m);
      vaddr[i] = local_byte_address(sm, warp, i, at[i] + k * LOCAL_WORD);
      paddr[i] = physical_address(sm, vaddr[i]);
    }
    if (sm->sh->profile &&
        !page_profile_access(sm->sh->profile, sm->sh->nodes->of_sm[sm->id], mask, sm->sh->pages, vaddr, paddr))
      return trouble_fail(sm->sh->fault, TROUBLE_ENVIRONMENT, "out of memory for the profile of pages");
    coalesce_word(lines, paddr, mask, k);
  }
  return 0;
}

void sm_read_local(const sm_t *sm, unsigned warp, unsigned lane, uint64_t at, uint8_t *to, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    sm->sh->memory->read(sm->sh->memory->ctx, physical_address(sm, local_byte_address(sm, warp, lane, at + i)), to + i,
                         1);
}

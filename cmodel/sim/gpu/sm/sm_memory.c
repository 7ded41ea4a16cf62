/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory instructions at issue.
 *
 *   global, local, constants       to the load/store unit
 *   (with an address in a register)
 *   shared                         at issue; holds the unit for the cycles of the worst bank
 *   param, and ideal memories      at issue, without traffic
 */
#include <inttypes.h>
#include <stdio.h>

#include "page_profile.h"
#include "pager.h"
#include "stack_tlb.h"
#include "simt_memory.h"
#include "simt_unwritten.h"
#include "sm.h"
#include "texture_decode.h"

/* What an access does to memory, for a fault's message. */
static const char *verb_of(const simt_op_t *op) {
  switch (op->kind) {
  case SIMT_LOAD:
  case SIMT_COPY: return "reads";
  case SIMT_STORE: return "writes";
  default: return "changes";
  }
}

int sm_fault_access(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, uint64_t address,
                    const char *what) {
  const unsigned bytes = op->bytes * op->vec;
  const simt_run_t *run = &sm->sh->run->simt;
  const sm_warp_t *w = &sm->warps[warp];
  const ptx_instr_t *in = sm_instr(sm, op);
  char thread[96];
  simt_block_thread(&sm->ctas[w->cta].block, run, w->first_thread + lane, thread, sizeof thread);
  return trouble_fail(sm->sh->fault, TROUBLE_INPUT,
                      "%s:%d: kernel %s: %s %s %u bytes at address 0x%" PRIx64 ", %s ('%s')", sm_func(sm, op)->file,
                      in->line, run->kernel->func->name, thread, verb_of(op), bytes, address, what, in->text);
}

int sm_check_place(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, uint64_t at, uint64_t size,
                   const char *outside) {
  const unsigned bytes = op->bytes * op->vec;
  if (at & (bytes - 1)) return sm_fault_access(sm, warp, op, lane, at, SM_MISALIGNED);
  return at + bytes > size || at + bytes < at ? sm_fault_access(sm, warp, op, lane, at, outside) : 0;
}

/* Translates the threads' addresses. Neighbours mostly share a page, so the last page is kept.
 * -1: faulted. */
static int translate(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, const uint64_t *vaddr,
                     uint64_t *paddr) {
  const unsigned bytes = op->bytes * op->vec;
  const page_table_t *pages = sm->sh->pages;
  const page_entry_t *page = NULL;
  uint64_t number = 0;
  for (uint32_t m = mask; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m);
    if (vaddr[i] & (bytes - 1)) return sm_fault_access(sm, warp, op, i, vaddr[i], SM_MISALIGNED);
    if (!page || vaddr[i] >> PAGE_SHIFT != number) page = page_table_find(pages, vaddr[i]);
    number = vaddr[i] >> PAGE_SHIFT;
    if (!page || (vaddr[i] & (PAGE_BYTES - 1)) + bytes > page->valid)
      return sm_fault_access(sm, warp, op, i, vaddr[i], "which is out of bounds of every allocation");
    paddr[i] = page->frame | (vaddr[i] & (PAGE_BYTES - 1));
  }
  for (uint32_t m = pages->map->line ? mask : 0; m; m &= m - 1)
    paddr[__builtin_ctz(m)] = page_table_physical(pages, paddr[__builtin_ctz(m)]);
  return 0;
}

/* ---- Memories that are accessed at issue ----------------------------------------------------- */

/* The memory behind a space that is accessed at issue. */
static simt_memory_t memory_of(const sm_t *sm, unsigned warp, unsigned space) {
  const simt_run_t *run = &sm->sh->run->simt;
  const uint64_t local = sm->local_bytes;
  switch (space) {
  case PTX_SPACE_SHARED: return (simt_memory_t){sm->ctas[sm->warps[warp].cta].shared, run->shared_bytes, 0};
  case PTX_SPACE_LOCAL: return (simt_memory_t){sm->local + ((size_t)warp * 32) * local + warp, local, local};
  case PTX_SPACE_CONST: return (simt_memory_t){(uint8_t *)(uintptr_t)run->const_segment, run->const_bytes, 0};
  default: return (simt_memory_t){(uint8_t *)(uintptr_t)run->params, run->kernel->func->param_bytes, 0};
  }
}

bool sm_own_bytes(const sm_t *sm, unsigned warp, unsigned lane, uint64_t address, void *to, size_t bytes) {
  uint32_t lanes[SIMT_SPACES] = {0};
  uint64_t at[32] = {address};
  simt_split_generic(1, at, lanes);
  for (unsigned space = 0; space < SIMT_SPACES; space++) {
    if (!lanes[space] || space == PTX_SPACE_GLOBAL) continue;
    const simt_memory_t m = memory_of(sm, warp, space);
    const bool in_memory = space == PTX_SPACE_LOCAL && !sm->sh->config->local_ideal;
    if (at[0] + bytes > m.size || at[0] + bytes < at[0]) return false;
    if (in_memory) sm_read_local(sm, warp, lane, at[0], to, bytes);
    else memcpy(to, m.bytes + lane * m.stride + at[0], bytes);
    return true;
  }
  return false;
}

int sm_note_shared(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, uint64_t at, unsigned bytes) {
  uint8_t *written = sm->ctas[sm->warps[warp].cta].written;
  if (!written || simt_written_access(written, op->kind, at, bytes)) return 0;
  return sm_fault_access(sm, warp, op, lane, at, SIMT_UNWRITTEN);
}

/* The same of all threads. */
static int note_shared(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, const uint64_t *at) {
  for (uint32_t m = mask; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    if (sm_note_shared(sm, warp, op, i, at[i], op->bytes * op->vec)) return -1;
  }
  return 0;
}

/* Executes an access at issue. -1: faulted. */
static int access_now(sm_t *sm, unsigned warp, const simt_op_t *op, unsigned space, uint32_t mask,
                      const uint64_t *vaddr) {
  static const char *const names[] = {"generic", "global", "constant", "parameter", "shared", "local"};
  simt_wrong_t wrong;
  if (!simt_access(&sm->warps[warp].simt, op, mask, vaddr, memory_of(sm, warp, space), &wrong))
    return space == PTX_SPACE_SHARED ? note_shared(sm, warp, op, mask, vaddr) : 0;
  char what[64];
  snprintf(what, sizeof what, "out of bounds of its %s memory", names[space]);
  return sm_fault_access(sm, warp, op, wrong.lane, wrong.address, wrong.misaligned ? SM_MISALIGNED : what);
}

/* An access at issue, with the time that it takes. */
static int access_private(sm_t *sm, unsigned warp, const simt_op_t *op, unsigned space, uint32_t mask, uint64_t *vaddr,
                          unsigned *latency) {
  const gpu_config_t *c = sm->sh->config;
  unsigned cycles = 1, base = space == PTX_SPACE_LOCAL ? c->l1.latency : c->sm.alu_latency;
  if (space == PTX_SPACE_SHARED) {
    cycles = simt_bank_cycles(op, mask, vaddr);
    base = c->sm.shared_latency;
    sm->sh->stats->shared_conflicts += cycles - 1;
  }
  ldst_hold(&sm->ldst, cycles);
  if (*latency < base + cycles - 1) *latency = base + cycles - 1;
  return access_now(sm, warp, op, space, mask, vaddr);
}

/* ---- Global memory --------------------------------------------------------------------------- */

int sm_lines(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, coalesce_t *lines) {
  uint64_t vaddr[32], paddr[32];
  simt_addresses(&sm->warps[warp].simt, op, (uint64_t)op->imm, vaddr);
  if (translate(sm, warp, op, mask, vaddr, paddr)) return -1;
  coalesce(lines, paddr, mask);
  return 0;
}

/* Asks the TLB. Lanes remember what they have found, so each walk is progress, however many
 * pages an access has. */
static bool need_translations(sm_t *sm, unsigned warp, uint32_t lanes, const uint64_t *vaddr) {
  sm_warp_t *w = &sm->warps[warp];
  for (uint32_t m = lanes & ~w->translated; m; m &= m - 1)
    if (stack_tlb_need(sm->sh->tlb, vaddr[__builtin_ctz(m)])) w->translated |= m & -m;
  if (lanes & ~w->translated) return false;
  w->translated = 0;
  return true;
}

bool sm_need_pages(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask) {
  uint32_t lanes[SIMT_SPACES] = {0};
  uint64_t vaddr[32];
  bool all = true;
  if (op->kind == SIMT_TEXTURE || op->space == SIMT_SURFACE) return sm_need_texels(sm, warp, op, mask);
  if (op->matrix) return sm_need_matrix(sm, warp, op, mask);
  if (op->kind == SIMT_COPY) mask = sm_copy_sources(sm, warp, op, mask);
  simt_addresses(&sm->warps[warp].simt, op, (uint64_t)op->imm, vaddr);
  if (op->space == PTX_SPACE_GENERIC) simt_split_generic(mask, vaddr, lanes);
  else lanes[op->space] = mask;
  if (sm->sh->tlb) return need_translations(sm, warp, lanes[PTX_SPACE_GLOBAL], vaddr);
  for (uint32_t m = lanes[PTX_SPACE_GLOBAL]; m; m &= m - 1) all &= pager_need(sm->sh->pager, vaddr[__builtin_ctz(m)]);
  return all;
}

/* The profile and the policy see the addresses. */
int sm_place(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, const uint64_t *vaddr, uint64_t *paddr) {
  if (translate(sm, warp, op, mask, vaddr, paddr)) return -1;
  if (sm->sh->profile &&
      !page_profile_access(sm->sh->profile, sm->sh->nodes->of_sm[sm->id], mask, sm->sh->pages, vaddr, paddr))
    return trouble_fail(sm->sh->fault, TROUBLE_ENVIRONMENT, "out of memory for the profile of pages");
  if (sm->policy->watch && op->space != PTX_SPACE_CONST) sm->policy->watch(sm->offload, warp, mask, vaddr, paddr);
  return 0;
}

/* Stores and atomics count as outstanding until they are acknowledged. */
void sm_under_way(sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lines) {
  sm_warp_t *w = &sm->warps[warp];
  if (op->kind != SIMT_LOAD) {
    w->outstanding += lines;
    w->stores += lines;
    sm->ctas[w->cta].outstanding += lines;
  }
  for (unsigned i = 0; i < op->num_dsts; i++) w->ready[op->dep[i]] = SM_NEVER;
}

int sm_issue_global(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, const uint64_t *vaddr) {
  uint64_t paddr[32];
  if (sm_place(sm, warp, op, mask, vaddr, paddr)) return -1;
  sm_under_way(sm, warp, op, ldst_issue(&sm->ldst, warp, &sm->warps[warp].simt, op, mask, paddr));
  return 0;
}

/* Some threads access local memory. With generic addresses, others may access global memory. */
static int issue_local(sm_t *sm, unsigned warp, const simt_op_t *op, const uint32_t *lanes, const uint64_t *at) {
  const uint32_t local = lanes[PTX_SPACE_LOCAL], global = lanes[PTX_SPACE_GLOBAL];
  uint64_t paddr[32];
  coalesce_words_t lines;
  lines.count = 0;
  if (sm_check_local(sm, warp, op, local, at) || (global && sm_place(sm, warp, op, global, at, paddr))) return -1;
  if (global) coalesce_word(&lines, paddr, global, COALESCE_WHOLE);
  if (sm_local_lines(sm, warp, op, local, at, &lines)) return -1;
  const unsigned count = ldst_issue_words(&sm->ldst, warp, &sm->warps[warp].simt, op, local | global, &lines);
  if (!count) return trouble_fail(sm->sh->fault, TROUBLE_ENVIRONMENT, "out of memory for local memory");
  sm->sh->stats->local_accesses++;
  sm_under_way(sm, warp, op, count);
  return 0;
}

/* Offsets in the const segment become addresses. With generic addresses the L1 caches constants,
 * as on real GPUs. */
static int find_constants(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, uint64_t *vaddr) {
  for (; mask; mask &= mask - 1) {
    const unsigned i = (unsigned)__builtin_ctz(mask);
    if (op->kind != SIMT_LOAD) return sm_fault_access(sm, warp, op, i, vaddr[i], "which is constant memory");
    if (sm_check_place(sm, warp, op, i, vaddr[i], sm->sh->run->simt.const_bytes,
                       "out of bounds of its constant memory"))
      return -1;
    vaddr[i] += sm->sh->run->constants;
  }
  return 0;
}

/* Threads whose bytes the load/store unit handles. */
static int issue_in_memory(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t *lanes, uint64_t *vaddr) {
  if (!sm->sh->config->constant.ideal) {
    if (find_constants(sm, warp, op, lanes[PTX_SPACE_CONST], vaddr)) return -1;
    lanes[PTX_SPACE_GLOBAL] |= lanes[PTX_SPACE_CONST];
  }
  if (lanes[PTX_SPACE_LOCAL] && !sm->sh->config->local_ideal) return issue_local(sm, warp, op, lanes, vaddr);
  return lanes[PTX_SPACE_GLOBAL] ? sm_issue_global(sm, warp, op, lanes[PTX_SPACE_GLOBAL], vaddr) : 0;
}

/* A generic access may need several spaces at once. */
int sm_issue_memory(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask) {
  sm_warp_t *w = &sm->warps[warp];
  uint32_t lanes[SIMT_SPACES] = {0};
  uint64_t vaddr[32];
  unsigned latency = sm->sh->config->sm.alu_latency;
  if (op->kind == SIMT_TEXTURE) return sm_issue_texture(sm, warp, op, mask);
  if (op->space == SIMT_SURFACE) return sm_issue_surface(sm, warp, op, mask);
  if (op->matrix) return sm_issue_matrix(sm, warp, op, mask);
  if (op->kind == SIMT_COPY) return sm_issue_copy(sm, warp, op, mask);
  simt_addresses(&w->simt, op, (uint64_t)op->imm, vaddr);
  if (op->space == PTX_SPACE_GENERIC) simt_split_generic(mask, vaddr, lanes);
  else lanes[op->space] = mask;
  const unsigned first = sm->sh->config->constant.ideal ? PTX_SPACE_CONST : PTX_SPACE_PARAM;
  const unsigned last = sm->sh->config->local_ideal ? PTX_SPACE_LOCAL : PTX_SPACE_SHARED;
  for (unsigned space = first; space <= last; space++)
    if (lanes[space] && access_private(sm, warp, op, space, lanes[space], vaddr, &latency)) return -1;
  for (unsigned i = 0; i < op->num_dsts; i++) w->ready[op->dep[i]] = sm->now + latency;
  return issue_in_memory(sm, warp, op, lanes, vaddr);
}

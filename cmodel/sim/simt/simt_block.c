/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches, CTAs and barriers, as all SIMT cores share them.
 *
 * A barrier of a CTA:
 *
 *   arrive: bar.sync    arrived++, the warp's bit joins `waiting`
 *           bar.arrive  arrived++
 *           bar.red     as bar.sync, and counts votes
 *   opens when arrived >= expected (all live warps, if the instruction has no count)
 *   then  the barrier is reset, and the owner wakes `waiting`
 */
#include "simt_block.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt_call.h"

/* ---- Launch ---------------------------------------------------------------------------------- */

simt_limit_t simt_limit(uint64_t need, uint64_t have, const char *format, ...) {
  simt_limit_t limit = {.need = need, .have = have};
  va_list args;
  va_start(args, format);
  vsnprintf(limit.wrong, sizeof limit.wrong, format, args);
  va_end(args);
  return limit;
}

/* The scarcest resource decides. */
unsigned simt_occupancy(const simt_kernel_t *k, const simt_limit_t *limit, unsigned limits, unsigned most,
                        trouble_t *err) {
  for (unsigned i = 0; i < limits; i++) {
    if (limit[i].need > limit[i].have) {
      trouble_fail(err, TROUBLE_INPUT, "kernel %s: %s", k->func->name, limit[i].wrong);
      return 0;
    }
    if (limit[i].need && limit[i].have / limit[i].need < most) most = (unsigned)(limit[i].have / limit[i].need);
  }
  return most;
}

void simt_run_begin(simt_run_t *r, const simt_kernel_t *kernel, const simt_launch_t *l) {
  *r = (simt_run_t){.kernel = kernel,
                    .konsts = r->konsts,
                    .params = r->params,
                    .threads = l->block[0] * l->block[1] * l->block[2],
                    .warps = simt_launch_warps(l),
                    .shared_bytes = (uint32_t)simt_launch_shared(l, kernel),
                    .own_shared = (uint32_t)simt_own_shared(l, kernel),
                    .dynamic_shared = l->shared_bytes,
                    .num_blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2],
                    .id = r->id + 1,
                    .workspace = l->workspace};
  memcpy(r->grid, l->grid, sizeof r->grid);
  memcpy(r->block, l->block, sizeof r->block);
}

/* The extra bytes keep vector loads behind the last constant inside the allocation. */
int simt_run_operands(simt_run_t *r, const simt_launch_t *l, const simt_variables_t *variables) {
  const simt_kernel_t *k = r->kernel;
  simt_run_free(r);
  r->konsts = aligned_alloc(64, (k->konst_bytes + 127) / 64 * 64);
  r->params = calloc(1, k->func->param_bytes + 8);
  if (!r->konsts || !r->params) return -1;
  if (k->func->param_bytes) memcpy(r->params, l->params, k->func->param_bytes);
  simt_fill_consts(k, r->konsts, r->params, variables);
  r->const_segment = variables->const_segment;
  r->const_bytes = k->module->const_bytes;
  return 0;
}

void simt_run_free(simt_run_t *r) {
  free(r->konsts);
  free(r->params);
  r->konsts = r->params = NULL;
}

/* ---- Blocks and warps ------------------------------------------------------------------------ */

void simt_block_begin(simt_block_t *b, const simt_run_t *run, uint64_t index) {
  *b = (simt_block_t){.live = true, .index = index, .live_warps = run->warps};
  b->ctaid[0] = (uint32_t)(index % run->grid[0]);
  b->ctaid[1] = (uint32_t)(index / run->grid[0] % run->grid[1]);
  b->ctaid[2] = (uint32_t)(index / run->grid[0] / run->grid[1]);
}

/* The last warp of a CTA may have fewer than 32 threads. */
uint32_t simt_block_warp(const simt_block_t *b, const simt_run_t *run, unsigned number, simt_place_t *p,
                         simt_warp_t *registers) {
  const uint32_t first = number * 32, left = run->threads - first;
  p->first_thread = first, p->dynamic_shared = run->dynamic_shared, p->total_shared = run->own_shared,
  p->gridid = run->id;
  p->workspace = run->workspace;
  memcpy(p->ntid, run->block, sizeof p->ntid);
  memcpy(p->nctaid, run->grid, sizeof p->nctaid);
  memcpy(p->ctaid, b->ctaid, sizeof p->ctaid);
  registers->base[1] = run->konsts;
  memset(registers->base[0], 0, run->kernel->reg_bytes);
  simt_fill_sregs(run->kernel, registers->base[0], p);
  return left >= 32 ? ~0u : (1u << left) - 1;
}

void simt_block_thread(const simt_block_t *b, const simt_run_t *run, uint32_t t, char *text, size_t size) {
  snprintf(text, size, "thread (ctaid %u,%u,%u tid %u,%u,%u)", b->ctaid[0], b->ctaid[1], b->ctaid[2], t % run->block[0],
           t / run->block[0] % run->block[1], t / run->block[0] / run->block[1]);
}

/* ---- Barriers -------------------------------------------------------------------------------- */

/* An operand of a barrier, from the first thread of the warp. PTX demands the same value in all. */
static uint32_t uniform_operand(const simt_warp_t *w, uint32_t at, uint32_t mask) {
  return ((const uint32_t *)simt_src(w, at))[__builtin_ctz(mask)];
}

static uint32_t predicate_operand(const simt_warp_t *w, uint32_t at, bool negated) {
  const uint32_t p = *(const uint32_t *)simt_src(w, at);
  return negated ? ~p : p;
}

bool simt_block_arrive(simt_block_t *b, const simt_op_t *op, const simt_warp_t *w, uint32_t mask, uint64_t bit,
                       trouble_t *wrong) {
  const bool counted = op->flags & SIMT_BAR_COUNT;
  const uint32_t n = uniform_operand(w, op->a, mask), threads = counted ? uniform_operand(w, op->b, mask) : 0;
  if (n >= SIMT_BARRIERS)
    return trouble_set(wrong, TROUBLE_INPUT, "names barrier %u, which does not exist; they are 0 to %d", n,
                       SIMT_BARRIERS - 1);
  if (counted && (!threads || threads % 32))
    return trouble_set(wrong, TROUBLE_INPUT, "gives a barrier a count of %u threads, which is not a multiple of 32",
                       threads);
  if (op->flags & SIMT_REDUCES) {
    b->barrier[n].votes.threads += (uint32_t)__builtin_popcount(mask);
    b->barrier[n].votes.yes += (uint32_t)__builtin_popcount(mask & predicate_operand(w, op->c, op->flags & SIMT_NEG_C));
  }
  b->barrier[n].arrived++;
  b->barrier[n].expected = threads / 32;
  if (!(op->flags & SIMT_ARRIVE)) b->barrier[n].waiting |= bit;
  return true;
}

/* Call again until false: several barriers can open after an exit. */
bool simt_block_opens(simt_block_t *b, uint64_t *waiting, simt_votes_t *votes) {
  for (unsigned n = 0; n < SIMT_BARRIERS; n++) {
    const uint32_t expected = b->barrier[n].expected ? b->barrier[n].expected : b->live_warps;
    if (!b->barrier[n].arrived || b->barrier[n].arrived < expected) continue;
    *waiting = b->barrier[n].waiting;
    *votes = b->barrier[n].votes;
    memset(&b->barrier[n], 0, sizeof b->barrier[n]);
    return true;
  }
  return false;
}

void simt_block_reduce(simt_reduction_t *r, simt_warp_t *w, simt_votes_t votes) {
  if (!r->op) return;
  const bool yes = r->op->sub == PTX_MOD_and ? votes.yes == votes.threads : votes.yes != 0;
  uint32_t *d = r->op->d == SIMT_NO_OPERAND ? NULL : simt_dst(w, r->op->d);
  if (d && r->op->sub != PTX_MOD_popc) *d = yes ? *d | r->mask : *d & ~r->mask;
  for (uint32_t m = d && r->op->sub == PTX_MOD_popc ? r->mask : 0; m; m &= m - 1) d[__builtin_ctz(m)] = votes.yes;
  *r = (simt_reduction_t){0};
}

/* Warps that wait for a barrier cannot arrive at another one. Warps that have exited do not
 * count. */
bool simt_block_is_stuck(const simt_block_t *b) {
  uint64_t waiting = 0;
  for (unsigned n = 0; n < SIMT_BARRIERS; n++) waiting |= b->barrier[n].waiting;
  return b->live_warps && (unsigned)__builtin_popcountll(waiting) >= b->live_warps;
}

int simt_block_fail_stuck(const simt_block_t *b, const simt_run_t *run, trouble_t *fault) {
  return trouble_fail(
      fault, TROUBLE_INPUT,
      "%s: kernel %s: block (ctaid %u,%u,%u) is deadlocked at a barrier: all of its %u warps wait and none can arrive "
      "any more",
      run->kernel->module->file, run->kernel->func->name, b->ctaid[0], b->ctaid[1], b->ctaid[2], b->live_warps);
}

/* ---- Branches by index ----------------------------------------------------------------------- */

bool simt_indexed_target(const simt_kernel_t *k, const simt_op_t *op, const simt_warp_t *w, uint32_t mask,
                         uint32_t *chosen, uint32_t *target, trouble_t *wrong) {
  const simt_unit_t *unit = k->units ? simt_unit_at(k, (uint32_t)(op - k->ops)) : NULL;
  const ptx_table_t *table = &(unit ? unit->func : k->func)->tables[op->target];
  const uint32_t *index = simt_src(w, op->a), first = index[__builtin_ctz(mask)];
  if (first >= table->count)
    return trouble_set(wrong, TROUBLE_INPUT, "branches by index %u, its table has %u targets", first, table->count);
  *chosen = 0;
  *target = (uint32_t)table->index[first] + (unit ? unit->first : 0);
  for (; mask; mask &= mask - 1) {
    const unsigned i = (unsigned)__builtin_ctz(mask);
    if (index[i] < table->count && table->index[index[i]] == table->index[first]) *chosen |= 1u << i;
  }
  return true;
}

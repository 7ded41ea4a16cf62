/* SPDX-License-Identifier: Apache-2.0
 *
 * Issue. A warp is in exactly one of these sets: ready; on the wheel (its operands are ready in at most 63 cycles);
 * wait_data (a load), wait_stores (its writes), wait_ack (an offloaded block), wait_barrier. So a cycle costs the host
 * next to nothing when nobody can issue.
 */
#include "sm.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sm_init(sm_t *sm, unsigned id, sm_shared_t *sh) {
  const gpu_config_t *c = sh->config;
  memset(sm, 0, sizeof *sm);
  sm->id = id;
  sm->sh = sh;
  sm->warps = calloc(GPU_MAX_WARPS, sizeof *sm->warps);
  sm->accesses = calloc(c->max_loads, sizeof *sm->accesses);
  sm->free_access = calloc(c->max_loads, sizeof *sm->free_access);
  sm->mshrs = calloc(c->l1_mshrs, sizeof *sm->mshrs);
  if (cache_init(&sm->l1, c->l1_bytes, c->l1_ways) || !sm->warps || !sm->accesses || !sm->free_access || !sm->mshrs)
    return -1;
  for (unsigned i = 0; i < c->max_loads; i++) sm->free_access[i] = (uint16_t)(c->max_loads - 1 - i);
  sm->num_free = c->max_loads;
  return 0;
}

static void free_launch(sm_t *sm) {
  free(sm->regs);
  free(sm->local);
  free(sm->ready_slots);
  free(sm->shared);
  sm->regs = sm->local = sm->shared = NULL;
  sm->ready_slots = NULL;
}

void sm_deinit(sm_t *sm) {
  free_launch(sm);
  cache_deinit(&sm->l1);
  free(sm->warps);
  free(sm->accesses);
  free(sm->free_access);
  free(sm->mshrs);
}

int sm_start(sm_t *sm) {
  const gpu_run_t *run = sm->sh->run;
  const simt_kernel_t *k = run->kernel;
  free_launch(sm);
  cache_clear(&sm->l1);
  sm->num_warps = run->ctas_per_sm * run->warps;
  sm->last[0] = sm->last[1] = -1;
  size_t local = (size_t)k->func->local_bytes * 32;
  sm->regs = aligned_alloc(64, (size_t)sm->num_warps * k->reg_bytes + 64);
  sm->local = calloc(sm->num_warps, local + 1);
  sm->ready_slots = calloc(sm->num_warps, (k->num_slots + 1) * sizeof *sm->ready_slots);
  size_t shared = ((size_t)run->shared_bytes + 64) / 64 * 64;
  sm->shared = calloc(run->ctas_per_sm, shared);
  if (!sm->regs || !sm->local || !sm->ready_slots || !sm->shared) return -1;
  for (unsigned i = 0; i < run->ctas_per_sm; i++)
    sm->ctas[i] = (sm_cta_t){.shared = sm->shared + i * shared};
  return 0;
}

bool sm_has_room(const sm_t *sm) {
  return sm->live_ctas < sm->sh->run->ctas_per_sm;
}

static void start_warp(sm_t *sm, unsigned slot, unsigned cta, unsigned number) {
  const gpu_run_t *run = sm->sh->run;
  const simt_kernel_t *k = run->kernel;
  sm_warp_t *w = &sm->warps[slot];
  *w = (sm_warp_t){.cta = (uint8_t)cta, .live = true, .first_thread = number * 32, .target = -1};
  sm->age[slot] = sm->ages++;
  w->simt.base[0] = sm->regs + (size_t)slot * k->reg_bytes;
  w->simt.base[1] = run->konsts;
  memset(w->simt.base[0], 0, k->reg_bytes);
  w->ready = sm->ready_slots + (size_t)slot * (k->num_slots + 1);
  memset(w->ready, 0, (k->num_slots + 1) * sizeof *w->ready);
  uint32_t left = run->threads - number * 32;
  simt_stack_init(&w->stack, left >= 32 ? ~0u : (1u << left) - 1);
  simt_place_t place = {.smid = sm->id, .nsmid = sm->sh->config->num_sms, .warpid = slot, .nwarpid = GPU_MAX_WARPS,
                        .first_thread = w->first_thread, .dynamic_shared = run->dynamic_shared,
                        .total_shared = run->shared_bytes, .gridid = run->id};
  memcpy(place.ntid, run->block, sizeof place.ntid);
  memcpy(place.nctaid, run->grid, sizeof place.nctaid);
  memcpy(place.ctaid, sm->ctas[cta].ctaid, sizeof place.ctaid);
  simt_fill_sregs(k, w->simt.base[0], &place);
  sm->live |= 1ull << slot;
  sm_prepare(sm, slot);
}

void sm_add_cta(sm_t *sm, uint64_t index) {
  const gpu_run_t *run = sm->sh->run;
  unsigned c = 0;
  while (sm->ctas[c].live) c++;
  sm_cta_t *cta = &sm->ctas[c];
  uint8_t *shared = cta->shared;
  *cta = (sm_cta_t){.live = true, .index = index, .live_warps = run->warps, .shared = shared};
  cta->ctaid[0] = (uint32_t)(index % run->grid[0]);
  cta->ctaid[1] = (uint32_t)(index / run->grid[0] % run->grid[1]);
  cta->ctaid[2] = (uint32_t)(index / run->grid[0] / run->grid[1]);
  memset(shared, 0, run->shared_bytes);
  sm->live_ctas++;
  for (unsigned n = 0, slot = c * run->warps; n < run->warps; n++, slot++) { /* a CTA has its own slots */
    cta->warps |= 1ull << slot;
    start_warp(sm, slot, c, n);
  }
}

static void finish_cta(sm_t *sm, sm_cta_t *cta) {
  if (cta->live_warps || cta->outstanding) return;
  cta->live = false;
  sm->live_ctas--;
  sm->sh->run->done_ctas++;
}

void sm_cta_release(sm_t *sm, unsigned cta) {
  assert(sm->ctas[cta].outstanding);
  sm->ctas[cta].outstanding--;
  finish_cta(sm, &sm->ctas[cta]);
}

bool sm_busy(const sm_t *sm) {
  return sm->live_ctas != 0;
}

packet_t *sm_packet(sm_t *sm, unsigned type) {
  packet_t *p = packet_new(sm->sh->pool, type);
  if (!p) gpu_fail(sm->sh->fault, 3, "out of memory");
  else p->hdr.src = PKT_GPU, p->hdr.sm = sm->id, p->born = sm->now;
  return p;
}

void sm_thread_name(const sm_t *sm, unsigned warp, unsigned lane, char *text, size_t size) {
  const gpu_run_t *run = sm->sh->run;
  const sm_warp_t *w = &sm->warps[warp];
  const uint32_t *c = sm->ctas[w->cta].ctaid, t = w->first_thread + lane;
  snprintf(text, size, "thread (ctaid %u,%u,%u tid %u,%u,%u)", c[0], c[1], c[2], t % run->block[0],
           t / run->block[0] % run->block[1], t / run->block[0] / run->block[1]);
}

/* ---- What a warp waits for --------------------------------------------------------------------------------------- */

static void wake_at(sm_t *sm, unsigned warp, uint64_t when) {
  uint64_t bit = 1ull << warp, delay = when - sm->now;
  if (delay > SM_WHEEL - 1) delay = SM_WHEEL - 1; /* and look again then */
  unsigned at = (sm->now + delay) % SM_WHEEL;
  sm->wheel[at] |= bit;
  sm->wheel_used |= 1ull << at;
}

/* The warp waits for its registers; true: they are ready. */
static bool registers_ready(sm_t *sm, unsigned warp, uint64_t when) {
  if (when == SM_NEVER) sm->wait_data |= 1ull << warp;
  else if (when > sm->now) wake_at(sm, warp, when);
  else return true;
  return false;
}

static uint64_t op_ready(const sm_warp_t *w, const simt_op_t *op) {
  uint64_t when = 0;
  for (unsigned i = 0; i < op->num_deps; i++)
    if (w->ready[op->dep[i]] > when) when = w->ready[op->dep[i]];
  return when;
}

static uint64_t sent_ready(const sm_t *sm, const sm_warp_t *w) {
  uint64_t when = 0;
  for (unsigned i = 0; i < w->block->num_sent; i++) {
    uint16_t slot = sm->sh->run->kernel->regs[w->block->sent[i].reg].slot;
    if (slot != SIMT_NO_SLOT && w->ready[slot] > when) when = w->ready[slot];
  }
  return when;
}

static void classify(sm_t *sm, const sm_warp_t *w, const simt_op_t *op, uint64_t bit) {
  unsigned role = w->mode == OFFLOAD_RUNNING ? w->block->role[op->index - w->block->first] : OFFLOAD_GPU;
  if (role == OFFLOAD_NSU) return;
  if (op->kind == SIMT_LOAD || op->kind == SIMT_STORE || op->kind == SIMT_ATOM) sm->next_lsu |= bit;
  else if (op->kind == SIMT_SFU) sm->next_sfu |= bit;
  else if (op->kind == SIMT_DP) sm->next_dp |= bit;
}

/* In none of the sets that say what a warp can do or waits for. */
static void clear_state(sm_t *sm, uint64_t bit) {
  uint64_t off = ~bit;
  sm->ready &= off, sm->next_lsu &= off, sm->next_sfu &= off, sm->next_dp &= off;
  sm->wait_data &= off, sm->wait_stores &= off, sm->wait_ack &= off;
}

void sm_prepare(sm_t *sm, unsigned warp) {
  sm_warp_t *w = &sm->warps[warp];
  const gpu_run_t *run = sm->sh->run;
  uint64_t bit = 1ull << warp;
  clear_state(sm, bit);
  uint32_t pc = simt_stack_pc(&w->stack);
  const simt_op_t *op = &run->kernel->ops[pc];
  bool begin = false;
  if (run->block_first && w->mode == OFFLOAD_NONE && run->block_first[pc] >= 0 && !w->decided) {
    if (!w->block) w->block = sm_offload_decide(sm, warp) ? &run->blocks->blocks[run->block_first[pc]] : NULL;
    begin = w->block != NULL;
    w->decided = !begin;
  }
  if ((begin || op->kind == SIMT_MEMBAR) && w->stores) {
    sm->wait_stores |= bit;
    return;
  }
  if (!registers_ready(sm, warp, begin ? sent_ready(sm, w) : op_ready(w, op))) return;
  if (!begin) classify(sm, w, op, bit);
  sm->ready |= bit;
}

void sm_advance(sm_t *sm, unsigned warp) {
  sm_warp_t *w = &sm->warps[warp];
  uint32_t pc = simt_stack_pc(&w->stack);
  bool ends_block = w->mode == OFFLOAD_RUNNING && pc == w->block->last;
  w->decided = false;
  simt_stack_advance(&w->stack, pc + 1); /* may go to other threads' path: the block's own are in block_mask */
  if (!ends_block) {
    sm_prepare(sm, warp);
    return;
  }
  clear_state(sm, 1ull << warp);
  sm->wait_ack |= 1ull << warp;
  sm_offload_end(sm, warp);
}

uint32_t sm_guard(const sm_warp_t *w, const simt_op_t *op) {
  uint32_t mask = simt_stack_mask(&w->stack);
  if (!(op->flags & SIMT_GUARDED)) return mask;
  uint32_t p = *(const uint32_t *)simt_src(&w->simt, op->guard);
  return mask & (op->flags & SIMT_GUARD_NOT ? ~p : p);
}

/* ---- Barriers, exit ---------------------------------------------------------------------------------------------- */

static void release_barrier(sm_t *sm, sm_cta_t *cta, unsigned b) {
  uint64_t waiting = cta->barrier[b].waiting;
  memset(&cta->barrier[b], 0, sizeof cta->barrier[b]);
  sm->sh->stats->barriers++;
  sm->wait_barrier &= ~waiting;
  for (; waiting; waiting &= waiting - 1) sm_prepare(sm, (unsigned)__builtin_ctzll(waiting));
}

static void check_barriers(sm_t *sm, sm_cta_t *cta) {
  for (unsigned b = 0; b < SM_BARRIERS; b++) {
    uint32_t expected = cta->barrier[b].expected ? cta->barrier[b].expected : cta->live_warps;
    if (cta->barrier[b].arrived && cta->barrier[b].arrived >= expected) release_barrier(sm, cta, b);
  }
  uint64_t live = cta->warps & sm->live;
  if (!live || (live & ~sm->wait_barrier)) return;
  const gpu_run_t *run = sm->sh->run;
  gpu_fail(sm->sh->fault, 2,
           "%s: kernel %s: block (ctaid %u,%u,%u) is deadlocked at a barrier: all of its %u warps wait and none can "
           "arrive any more",
           run->kernel->module->file, run->kernel->func->name, cta->ctaid[0], cta->ctaid[1], cta->ctaid[2],
           (unsigned)__builtin_popcountll(live));
}

static int fault_barrier(sm_t *sm, unsigned warp, const simt_op_t *op, const char *what) {
  const gpu_run_t *run = sm->sh->run;
  char thread[96];
  sm_thread_name(sm, warp, 0, thread, sizeof thread);
  return gpu_fail(sm->sh->fault, 2, "%s:%d: kernel %s: the warp of %s %s", run->kernel->module->file,
                  run->kernel->func->instrs[op->index].line, run->kernel->func->name, thread, what);
}

static void issue_barrier(sm_t *sm, unsigned warp, const simt_op_t *op) {
  sm_warp_t *w = &sm->warps[warp];
  sm_cta_t *cta = &sm->ctas[w->cta];
  uint32_t mask = sm_guard(w, op);
  if (!mask) {
    sm_advance(sm, warp);
    return;
  }
  unsigned lane = (unsigned)__builtin_ctz(mask);
  uint32_t b = ((const uint32_t *)simt_src(&w->simt, op->a))[lane], expected = 0;
  if (b >= SM_BARRIERS) {
    fault_barrier(sm, warp, op, "names a barrier that does not exist; they are 0 to 15");
    return;
  }
  if (op->flags & SIMT_BAR_COUNT) {
    uint32_t threads = ((const uint32_t *)simt_src(&w->simt, op->b))[lane];
    if (!threads || threads % 32) {
      fault_barrier(sm, warp, op, "gives a barrier a thread count that is not a multiple of 32");
      return;
    }
    expected = threads / 32;
  }
  cta->barrier[b].arrived++;
  cta->barrier[b].expected = expected;
  simt_stack_advance(&w->stack, simt_stack_pc(&w->stack) + 1);
  w->decided = false;
  if (op->flags & SIMT_ARRIVE) sm_prepare(sm, warp);
  else {
    uint64_t bit = 1ull << warp;
    sm->ready &= ~bit;
    cta->barrier[b].waiting |= bit;
    sm->wait_barrier |= bit;
  }
  check_barriers(sm, cta);
}

static void issue_exit(sm_t *sm, unsigned warp, const simt_op_t *op) {
  sm_warp_t *w = &sm->warps[warp];
  sm_cta_t *cta = &sm->ctas[w->cta];
  simt_stack_exit(&w->stack, sm_guard(w, op));
  if (simt_stack_mask(&w->stack)) {
    w->decided = false;
    sm_prepare(sm, warp);
    return;
  }
  w->live = false;
  sm->live &= ~(1ull << warp);
  sm->ready &= ~(1ull << warp);
  cta->live_warps--;
  check_barriers(sm, cta);
  finish_cta(sm, cta);
}

static void issue_branch(sm_t *sm, unsigned warp, const simt_op_t *op) {
  sm_warp_t *w = &sm->warps[warp];
  if (simt_stack_branch(&w->stack, sm_guard(w, op), op->target, op->reconv)) sm->sh->stats->divergent_branches++;
  w->decided = false;
  sm_prepare(sm, warp);
}

/* ---- Issue ------------------------------------------------------------------------------------------------------- */

static void set_latency(sm_t *sm, sm_warp_t *w, const simt_op_t *op, unsigned latency) {
  for (unsigned i = 0; i < op->num_dsts; i++) w->ready[op->dep[i]] = sm->now + latency;
}

static void issue_alu(sm_t *sm, unsigned warp, const simt_op_t *op) {
  sm_warp_t *w = &sm->warps[warp];
  const gpu_config_t *c = sm->sh->config;
  uint32_t mask = sm_guard(w, op);
  w->simt.clock = sm->now;
  w->simt.nanoseconds = (uint64_t)((double)sm->now * 1000 / c->core_mhz);
  if (mask) op->fn(op, &w->simt, mask);
  sm->sh->stats->thread_instructions += (unsigned)__builtin_popcount(mask);
  if (op->kind == SIMT_SFU) sm->sfu_busy = sm->now + c->sfu_interval;
  if (op->kind == SIMT_DP) sm->dp_busy = sm->now + c->dp_interval;
  set_latency(sm, w, op, op->kind == SIMT_SFU ? c->sfu_latency : c->alu_latency);
  sm_advance(sm, warp);
}

/* An instruction of a block that is being offloaded. True: done with it. */
static bool issue_in_block(sm_t *sm, unsigned warp, const simt_op_t *op, bool *issued) {
  sm_warp_t *w = &sm->warps[warp];
  switch (w->block->role[op->index - w->block->first]) {
  case OFFLOAD_NSU: /* takes its slot as a NOP (section 4.1.1) */
    sm->sh->stats->nsu_skipped++;
    sm_advance(sm, warp);
    return true;
  case OFFLOAD_LOAD: *issued = sm_offload_memory(sm, warp, op, false); return true;
  case OFFLOAD_STORE: *issued = sm_offload_memory(sm, warp, op, true); return true;
  default: return false;
  }
}

/* False: a resource that the masks don't show is missing. */
static bool issue(sm_t *sm, unsigned warp) {
  sm_warp_t *w = &sm->warps[warp];
  const gpu_run_t *run = sm->sh->run;
  if (w->block && w->mode == OFFLOAD_NONE) return sm_offload_begin(sm, warp);
  const simt_op_t *op = &run->kernel->ops[simt_stack_pc(&w->stack)];
  bool issued = true;
  if (w->mode == OFFLOAD_RUNNING && issue_in_block(sm, warp, op, &issued)) return issued;
  switch (op->kind) {
  case SIMT_ALU: case SIMT_SFU: case SIMT_DP: issue_alu(sm, warp, op); break;
  case SIMT_LOAD: case SIMT_STORE: case SIMT_ATOM:
    if (!sm_issue_memory(sm, warp, op)) return false;
    break;
  case SIMT_BRANCH: issue_branch(sm, warp, op); break;
  case SIMT_EXIT: issue_exit(sm, warp, op); break;
  case SIMT_BARRIER: issue_barrier(sm, warp, op); break;
  case SIMT_TRAP:
    if (sm_guard(w, op)) fault_barrier(sm, warp, op, "executed trap");
    sm_advance(sm, warp);
    break;
  default: sm_advance(sm, warp);
  }
  sm->sh->stats->warp_instructions++;
  return true;
}

static int choose(const sm_t *sm, unsigned scheduler, uint64_t candidates) {
  int last = sm->last[scheduler], best = -1;
  if (last >= 0 && candidates >> last & 1) return last;
  for (; candidates; candidates &= candidates - 1) {
    int w = __builtin_ctzll(candidates);
    if (best < 0 || sm->age[w] < sm->age[best]) best = w;
  }
  return best;
}

static uint64_t blocked(const sm_t *sm) {
  uint64_t b = 0;
  if (sm->next_lsu && (sm->lsu_busy > sm->now || !sm_lsu_room(sm))) b |= sm->next_lsu;
  if (sm->sfu_busy > sm->now) b |= sm->next_sfu;
  if (sm->dp_busy > sm->now) b |= sm->next_dp;
  return b;
}

static void count_stall(sm_t *sm, uint64_t mine) {
  gpu_stats_t *s = sm->sh->stats;
  uint64_t idle = sm->wait_ack | sm->wait_barrier | sm->wait_stores;
  if (sm->ready & mine) s->stall_exec++;
  else if (sm->live & mine & ~idle) s->stall_dependency++;
  else s->stall_idle++;
}

static void schedule(sm_t *sm) {
  unsigned n = sm->sh->config->schedulers;
  sm->sh->stats->issue_slots += n;
  for (unsigned s = 0; s < n; s++) {
    uint64_t mine = n == 1 ? ~0ull : s ? 0xaaaaaaaaaaaaaaaaull : 0x5555555555555555ull;
    uint64_t candidates = sm->ready & mine;
    if (candidates) candidates &= ~blocked(sm);
    bool issued = false;
    while (candidates && !issued && !sm->sh->fault->status) {
      int warp = choose(sm, s, candidates);
      candidates &= ~(1ull << warp);
      issued = issue(sm, (unsigned)warp);
      if (issued) sm->last[s] = warp;
    }
    if (!issued) count_stall(sm, mine);
  }
}

static void turn_wheel(sm_t *sm) {
  unsigned at = sm->now % SM_WHEEL;
  if (!(sm->wheel_used >> at & 1)) return;
  uint64_t woken = sm->wheel[at];
  sm->wheel[at] = 0;
  sm->wheel_used &= ~(1ull << at);
  for (; woken; woken &= woken - 1) sm_prepare(sm, (unsigned)__builtin_ctzll(woken));
}

void sm_tick(sm_t *sm) {
  sm->now++;
  packet_t *p = xbar_front(sm->sh->xbar, sm->id, 1);
  if (p) sm_receive(sm, xbar_pop(sm->sh->xbar, sm->id, 1));
  if (!sm->live_ctas) return;
  if (sm->wheel_used) turn_wheel(sm);
  sm->l1_taken = false;
  if (sm->lsu_count) sm_lsu_step(sm);
  if (sm->ready_count | sm->num_granted) sm_offload_step(sm);
  schedule(sm);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * An SM's cycle (sm_tick), its CTAs, and what its warps wait for. sm.h has a picture.
 *
 *   1 a packet from the crossbar        sm_receive
 *   2 warps whose cycle has come        sm_prepare
 *   3 misses of the instruction cache   l1i_retry
 *   4 the load/store unit               ldst_tick
 *   5 the offload policy                step
 *   6 each scheduler issues             sm_schedule (sm_issue.c)
 */
#include "simt_unwritten.h"
#include "sm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- What the units report ------------------------------------------------------------------- */

void sm_finish_cta(sm_t *sm, sm_cta_t *cta) {
  if (cta->block.live_warps || cta->outstanding) return;
  cta->block.live = false;
  sm->live_ctas--;
  sm->sh->run->done_ctas++;
}

/* An access keeps its CTA's slot and shared memory. */
static void access_begun(void *self, unsigned warp) {
  sm_t *sm = self;
  sm->warps[warp].outstanding++;
  sm->ctas[sm->warps[warp].cta].outstanding++;
}

/* An access or a store of a warp is over. A warp that waits for copies looks again after each
 * one. */
static void access_over(void *self, unsigned warp) {
  sm_t *sm = self;
  sm_warp_t *w = &sm->warps[warp];
  sm_cta_t *cta = &sm->ctas[w->cta];
  assert(w->outstanding && cta->outstanding);
  w->outstanding--;
  cta->outstanding--;
  if ((!w->outstanding || w->awaits_copies) && warp_bank(&sm->sets, warp)->wait_memory & warp_bit(warp))
    sm_prepare(sm, warp);
  sm_finish_cta(sm, cta);
}

/* The registers of a load or atomic are usable from `when`. */
static void loaded(void *self, unsigned warp, const simt_op_t *op, uint64_t when) {
  sm_t *sm = self;
  for (unsigned i = 0; i < op->num_dsts; i++) sm->warps[warp].ready[op->dep[i]] = when;
  if (op->kind == SIMT_COPY) sm_copied(&sm->warps[warp], when);
  if (warp_bank(&sm->sets, warp)->wait_data & warp_bit(warp)) sm_prepare(sm, warp);
}

static void stored(void *self, unsigned warp) {
  ((sm_t *)self)->warps[warp].stores--;
  access_over(self, warp);
}

static bool emit(void *self, ldst_access_t *a) {
  sm_t *sm = self;
  return sm->policy->emit(sm->offload, a);
}

/* The policy has finished the warp's block. */
static void resume_warp(void *self, unsigned warp) {
  sm_t *sm = self;
  sm->warps[warp].place = WARP_OUTSIDE;
  sm->warps[warp].decided = false;
  sm_prepare(sm, warp);
}

/* The policy stops the warp. */
static void hold_warp(void *self, unsigned warp) {
  sm_t *sm = self;
  warp_bank_clear(warp_bank(&sm->sets, warp), warp_bit(warp));
  warp_bank(&sm->sets, warp)->wait_ack |= warp_bit(warp);
  sm->warps[warp].place = WARP_AWAY;
}

/* The policy lets a stopped warp go on. */
static void release_warp(void *self, unsigned warp, uint32_t pc) {
  sm_t *sm = self;
  sm_warp_t *w = &sm->warps[warp];
  if (pc != OFFLOAD_HERE) {
    simt_stack_advance(&w->stack, pc);
    w->fetched = false;
  }
  resume_warp(sm, warp);
}

/* The policy ends the warp. */
static void retire_warp(void *self, unsigned warp) {
  sm_t *sm = self;
  sm_cta_t *cta = &sm->ctas[sm->warps[warp].cta];
  warp_bank_clear(warp_bank(&sm->sets, warp), warp_bit(warp));
  warp_bank_end(warp_bank(&sm->sets, warp), warp_bit(warp));
  sm->warps[warp].live = false;
  cta->block.live_warps--;
  sm_finish_cta(sm, cta);
}

static void wake_refused_warps(void *self, uint64_t warps) {
  warp_bank_room(&((sm_t *)self)->sets.bank[0], warps);
}

/* ---- Making ---------------------------------------------------------------------------------- */

int sm_init(sm_t *sm, unsigned id, const gpu_shared_t *sh, const offload_policy_t *policy, void *die) {
  const ldst_events_t events = {sm, access_begun, access_over, loaded, stored, emit};
  *sm = (sm_t){.id = id, .sh = sh, .policy = policy};
  warp_sets_share(&sm->sets, sh->config->sm.schedulers);
  sm->warps = calloc(sh->config->sm.threads / 32, sizeof *sm->warps);
  sm->ctas = calloc(sh->config->sm.ctas, sizeof *sm->ctas);
  if (ldst_init(&sm->ldst, sh, id, &sm->now, &events) || l1i_init(&sm->l1i, sh, id, &sm->now) || !sm->warps ||
      !sm->ctas)
    return -1;
  if (!policy->attach) return 0;
  const offload_port_t port = {sh,        id,           &sm->now,    sm->warps,
                               &sm->ldst, sm,           resume_warp, wake_refused_warps,
                               hold_warp, release_warp, retire_warp, &sm->offload_busy};
  sm->offload = policy->attach(die, &port);
  return sm->offload ? 0 : -1;
}

/* Frees the buffers of a launch. */
static void free_launch(sm_t *sm) {
  for (unsigned i = 0; sm->calls && i < sm->num_warps; i++) simt_calls_free(&sm->calls[i]);
  free(sm->calls);
  sm->calls = NULL;
  free(sm->regs);
  free(sm->local);
  free(sm->ready_slots);
  free(sm->shared);
  sm->regs = sm->local = sm->shared = NULL;
  sm->ready_slots = NULL;
}

void sm_deinit(sm_t *sm) {
  free_launch(sm);
  ldst_deinit(&sm->ldst);
  l1i_deinit(&sm->l1i);
  if (sm->offload) sm->policy->detach(sm->offload);
  free(sm->warps);
  free(sm->ctas);
}

int sm_start(sm_t *sm) {
  const simt_run_t *run = &sm->sh->run->simt;
  const simt_kernel_t *k = run->kernel;
  const uint32_t ctas = sm->sh->run->ctas_per_sm;
  free_launch(sm);
  ldst_start(&sm->ldst);
  l1i_start(&sm->l1i);
  sm->num_warps = ctas * run->warps;
  sm->sets.banks = warp_sets_banks(sm->num_warps);
  for (unsigned s = 0; s < GPU_SCHEDULERS_MOST; s++) sm->sets.last[s] = -1;
  sm->local_bytes = simt_stack_bytes(k, sm->sh->config->sm.stack);
  const size_t local = sm->sh->config->local_ideal ? (size_t)sm->local_bytes * 32 : 0;
  sm->regs = aligned_alloc(64, (size_t)sm->num_warps * k->reg_bytes + 64);
  if (k->units && !(sm->calls = calloc(sm->num_warps, sizeof *sm->calls))) return -1;
  sm->local = calloc(sm->num_warps, local + 1);
  sm->ready_slots = calloc(sm->num_warps, (k->num_slots + 1) * sizeof *sm->ready_slots);
  const size_t shared = ((size_t)run->shared_bytes + 64) / 64 * 64,
               notes = sm->sh->config->check_uninitialised ? simt_written_bytes(shared) : 0;
  sm->shared = calloc(ctas, shared + notes);
  if (!sm->regs || !sm->local || !sm->ready_slots || !sm->shared) return -1;
  for (unsigned i = 0; i < ctas; i++)
    sm->ctas[i] =
        (sm_cta_t){.shared = sm->shared + i * shared, .written = notes ? sm->shared + ctas * shared + i * notes : NULL};
  return 0;
}

bool sm_quiet(const sm_t *sm) {
  for (unsigned i = 0; i < sm->sh->run->ctas_per_sm; i++)
    if (sm->ctas[i].outstanding) return false;
  return true;
}

bool sm_has_room(const sm_t *sm) {
  return sm->live_ctas < sm->sh->run->ctas_per_sm;
}

/* Starts a warp of a CTA in a slot. */
static void place_warp(sm_t *sm, unsigned slot, unsigned cta, unsigned number) {
  const simt_run_t *run = &sm->sh->run->simt;
  const simt_kernel_t *k = run->kernel;
  const simt_block_t *block = &sm->ctas[cta].block;
  sm_warp_t *w = &sm->warps[slot];
  *w = (sm_warp_t){.cta = (uint8_t)cta, .cta_index = block->index, .live = true, .first_thread = number * 32};
  w->simt.base[0] = sm->regs + (size_t)slot * k->reg_bytes;
  w->ready = sm->ready_slots + (size_t)slot * (k->num_slots + 1);
  memset(w->ready, 0, (k->num_slots + 1) * sizeof *w->ready);
  simt_place_t place = {
      .smid = sm->id, .nsmid = sm->sh->config->num_sms, .warpid = slot, .nwarpid = sm->sh->config->sm.threads / 32};
  simt_stack_init(&w->stack, simt_block_warp(block, run, number, &place, &w->simt));
  if (sm->calls && simt_calls_begin(w->calls = &sm->calls[slot], k, &w->simt))
    trouble_fail(sm->sh->fault, TROUBLE_ENVIRONMENT, "out of memory for calls");
  warp_sets_start(&sm->sets, slot);
}

void sm_add_warp(sm_t *sm, unsigned slot, const sm_start_t *at) {
  const simt_run_t *run = &sm->sh->run->simt;
  sm->ctas[slot] = (sm_cta_t){.shared = sm->ctas[slot].shared};
  simt_block_begin(&sm->ctas[slot].block, run, at->cta_index);
  sm->ctas[slot].block.live_warps = 1;
  sm->live_ctas++;
  place_warp(sm, slot, slot, at->first_thread / 32);
  simt_stack_init(&sm->warps[slot].stack, at->mask);
  sm->warps[slot].stack.frame[0].pc = at->pc;
  sm_prepare(sm, slot);
}

void sm_add_cta(sm_t *sm, uint64_t index) {
  const simt_run_t *run = &sm->sh->run->simt;
  unsigned c = 0;
  while (sm->ctas[c].block.live) c++;
  sm_cta_t *cta = &sm->ctas[c];
  *cta = (sm_cta_t){.shared = cta->shared, .written = cta->written};
  simt_block_begin(&cta->block, run, index);
  simt_unwritten_fill(sm->sh->config->uninitialised, run, index, cta->shared);
  if (cta->written) simt_written_begin(cta->written, run);
  sm->live_ctas++;
  for (unsigned n = 0; n < run->warps; n++) { /* a CTA has its own slots */
    place_warp(sm, c * run->warps + n, c, n);
    sm_prepare(sm, c * run->warps + n);
  }
}

/* ---- What a warp waits for ------------------------------------------------------------------- */

/* Cycle from which an instruction's registers are usable. */
static uint64_t op_ready(const sm_warp_t *w, const simt_op_t *op) {
  uint64_t when = op->kind == SIMT_COPIES && op->sub != COPIES_COMMIT ? w->copied_at : 0;
  for (unsigned i = 0; i < op->num_deps; i++)
    if (w->ready[op->dep[i]] > when) when = w->ready[op->dep[i]];
  return when;
}

/* True if the instruction of a block is executed elsewhere. */
static bool is_skipped(const sm_t *sm, unsigned warp, const simt_op_t *op) {
  return sm->warps[warp].place == WARP_INSIDE && sm->policy->what(sm->offload, warp, op) == OFFLOAD_SKIP;
}

/* True if the warp begins a block at its next instruction. `decide` is asked once. */
static bool begins_block(sm_t *sm, unsigned warp, int32_t block) {
  sm_warp_t *w = &sm->warps[warp];
  if (block < 0 || w->decided || w->place > WARP_CHOSEN) return false;
  if (w->place == WARP_OUTSIDE) {
    if (sm->policy->decide(sm->offload, warp, (unsigned)block)) w->place = WARP_CHOSEN;
    else sm_keep_block(sm, w);
    w->blocks_met++;
  }
  return w->place == WARP_CHOSEN;
}

/* True if all accesses of the warp must be over first. The host reads local memory as it is.
 * Packets of an offloaded block may overtake requests of its own warp, and of warps that meet it at
 * a barrier. */
static bool must_settle(const sm_t *sm, unsigned warp, const simt_op_t *op, bool begin) {
  if (op->order & SIMT_RELEASE || sm_saves_registers(sm, warp, op)) return true;
  if (op->kind == SIMT_HOST && sm->local_bytes && !sm->sh->config->local_ideal) return true;
  if (!begin && (op->kind != SIMT_BARRIER || !sm->sh->run->block_first)) return false;
  return !sm->policy->overlaps || !sm->policy->overlaps(sm->offload, warp, begin);
}

/* False: an acquire has to wait. Then the L1 drops its lines, unless only stores of the own CTA
 * must be visible. */
static bool finish_acquire(sm_t *sm, sm_warp_t *w) {
  if (!w->acquires) return true;
  if (w->outstanding) return false;
  if (w->acquires & SIMT_BEYOND) {
    ldst_clear(&sm->ldst);
    sm->sh->stats->l1_acquires++;
  }
  w->acquires = 0;
  return true;
}

/* Puts the warp into the set of what its next instruction waits for, or of ready warps. */
void sm_prepare(sm_t *sm, unsigned warp) {
  sm_warp_t *w = &sm->warps[warp];
  const gpu_run_t *run = sm->sh->run;
  warp_bank_t *bank = warp_bank(&sm->sets, warp);
  const uint64_t bit = warp_bit(warp);
  warp_bank_clear(bank, bit);
  uint32_t pc = simt_stack_pc(&w->stack);
  const simt_op_t *op = &run->simt.kernel->ops[pc];
  if (!w->fetched && !(w->fetched = l1i_fetch(&sm->l1i, warp, pc))) {
    bank->wait_fetch |= bit;
    return;
  }
  const bool own = pc < run->simt.kernel->func->num_instrs; /* false: in a called function */
  const bool begin = run->block_first && own && begins_block(sm, warp, run->block_first[pc]);
  w->awaits_copies = op->kind == SIMT_COPIES && sm_awaits_copies(sm, warp, op);
  if (!finish_acquire(sm, w) || w->awaits_copies || (w->outstanding && must_settle(sm, warp, op, begin))) {
    bank->wait_memory |= bit;
    return;
  }
  const uint64_t when = begin ? sm->policy->needs(sm->offload, warp) : op_ready(w, op);
  if (!warp_bank_until(bank, bit, when, sm->now)) return;
  if (!begin && !is_skipped(sm, warp, op)) warp_bank_needs(bank, bit, op);
  bank->ready |= bit;
}

/* Instructions have arrived. Only warps of the first bank wait: SMs with more banks have ideal
 * caches. */
static void wake_fetched(sm_t *sm, uint64_t warps) {
  while (warps) {
    const unsigned warp = warp_take(0, &warps);
    sm->warps[warp].fetched = true;
    sm_prepare(sm, warp);
  }
}

/* Moves to the next instruction. After a block's last one the warp waits for the policy. */
void sm_advance(sm_t *sm, unsigned warp) {
  sm_warp_t *w = &sm->warps[warp];
  uint32_t pc = simt_stack_pc(&w->stack);
  bool ends_block = w->place == WARP_INSIDE && sm->policy->ends(sm->offload, warp, pc);
  if (w->keeps && sm->policy->ends(sm->offload, warp, pc)) {
    w->keeps = false;
    sm->policy->kept(sm->offload, warp);
  }
  w->decided = false;
  simt_stack_advance(&w->stack, pc + 1); /* may switch to another path; the policy keeps the block's own pc */
  if (!ends_block) {
    sm_prepare(sm, warp);
    return;
  }
  warp_bank_clear(warp_bank(&sm->sets, warp), warp_bit(warp));
  warp_bank(&sm->sets, warp)->wait_ack |= warp_bit(warp);
  w->place = WARP_AWAY;
  sm->policy->end(sm->offload, warp);
}

/* ---- The cycle ------------------------------------------------------------------------------ */

void sm_receive(sm_t *sm, packet_t *p) {
  const unsigned type = (unsigned)p->hdr.type;
  if (type == PKT_READ_RESP && p->tag >= L1I_TAG) wake_fetched(sm, l1i_receive(&sm->l1i, p));
  else if (!ldst_receive(&sm->ldst, p)) {
    if (type == PKT_INVAL) sm->sh->stats->l1_fills_killed += ldst_invalidate(&sm->ldst, p->hdr.addr);
    if (sm->offload && sm->policy->packet(sm->offload, p)) return; /* has it now */
    trouble_fail(sm->sh->fault, TROUBLE_BROKEN, "SM %u got a %s packet", sm->id, packet_type_name(type));
  }
  packet_free(sm->sh->pool, p);
}

void sm_tick(sm_t *sm) {
  sm->now++;
  packet_t *p = xbar_front(sm->sh->xbar, sm->id, XBAR_RESPONSE);
  if (p) sm_receive(sm, xbar_pop(sm->sh->xbar, sm->id, XBAR_RESPONSE));
  if (!sm->live_ctas) return;
  for (unsigned b = 0; b < sm->sets.banks; b++)
    for (uint64_t woken = warp_bank_turn(&sm->sets.bank[b], sm->now); woken;) sm_prepare(sm, warp_take(b, &woken));
  if (sm->l1i.unserved) wake_fetched(sm, l1i_retry(&sm->l1i));
  ldst_tick(&sm->ldst);
  if (sm->offload_busy) sm->policy->step(sm->offload);
  sm_schedule(sm);
}

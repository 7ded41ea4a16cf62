/* SPDX-License-Identifier: Apache-2.0
 *
 * Issue: what an SM's schedulers choose from, and what becomes of an instruction.
 *
 *   sm_schedule --> candidates_of --> issue_one --> issue_warp --> execute_next --> ALU, memory,
 *                                                                                   control, block
 */
#include "sm.h"

void sm_keep_block(const sm_t *sm, sm_warp_t *w) {
  w->place = WARP_OUTSIDE;
  w->decided = true;
  w->keeps = sm->policy->kept;
}

/* The results are usable `latency` cycles later. */
static void set_latency(sm_t *sm, sm_warp_t *w, const simt_op_t *op, unsigned latency) {
  for (unsigned i = 0; i < op->num_dsts; i++) w->ready[op->dep[i]] = sm->now + latency;
}

/* Executes an arithmetic instruction. */
static void issue_alu(sm_t *sm, unsigned warp, const simt_op_t *op) {
  sm_warp_t *w = &sm->warps[warp];
  const gpu_config_t *c = sm->sh->config;
  uint32_t mask = sm_guard(w, op);
  if (op->matrix && sm_check_whole(sm, warp, op, mask)) return;
  w->simt.clock = sm->now;
  w->simt.nanoseconds = (uint64_t)((double)sm->now * 1000 / c->core_mhz);
  if (mask) op->fn(op, &w->simt, mask);
  sm->sh->stats->thread_instructions += (unsigned)__builtin_popcount(mask);
  sm_units_take(&sm->units, c, warp, op, sm->now);
  if (op->kind == SIMT_MATRIX) set_latency(sm, w, op, sm_issue_product(sm, op, mask));
  else set_latency(sm, w, op, op->kind == SIMT_SFU ? c->sm.sfu_latency : c->sm.alu_latency);
  sm_advance(sm, warp);
}

static void wait_for_page(sm_t *sm, unsigned warp) {
  warp_bank_clear(warp_bank(&sm->sets, warp), warp_bit(warp));
  warp_bank(&sm->sets, warp)->wait_page |= warp_bit(warp);
}

void sm_pages_came(sm_t *sm) {
  for (unsigned b = 0; b < sm->sets.banks; b++) {
    warp_bank_room(&sm->sets.bank[b], sm->sets.bank[b].wait_room); /* OFFLOAD_NOT_YET */
    for (uint64_t warps = sm->sets.bank[b].wait_page; warps;) sm_prepare(sm, warp_take(b, &warps));
  }
}

/* A global load or store that the policy does. False: the warp waits until the policy has room. */
static bool issue_away(sm_t *sm, unsigned warp, const simt_op_t *op) {
  gpu_stats_t *stats = sm->sh->stats;
  const uint32_t mask = sm_guard(&sm->warps[warp], op);
  coalesce_t lines;
  if (mask && sm_lines(sm, warp, op, mask, &lines)) return true;
  if (!sm->policy->access(sm->offload, warp, op, mask, &lines)) {
    if (sm->warps[warp].place == WARP_INSIDE) warp_bank_await_room(warp_bank(&sm->sets, warp), warp_bit(warp));
    return false;
  }
  stats->warp_instructions++;
  stats->thread_instructions += (unsigned)__builtin_popcount(mask);
  sm_advance(sm, warp);
  return true;
}

/* Begins a chosen block. False: the warp has not used its slot. */
static bool begin_block(sm_t *sm, unsigned warp) {
  const offload_look_t look = sm->policy->look ? sm->policy->look(sm->offload, warp) : OFFLOAD_GO;
  if (look == OFFLOAD_LOOKING) return true;
  if (look == OFFLOAD_WAIT) wait_for_page(sm, warp);
  if (look == OFFLOAD_NOT_YET) warp_bank_await_room(warp_bank(&sm->sets, warp), warp_bit(warp));
  if (look == OFFLOAD_WAIT || look == OFFLOAD_NOT_YET) return false;
  if (look == OFFLOAD_STAY || look == OFFLOAD_AGAIN) {
    if (look == OFFLOAD_STAY) sm_keep_block(sm, &sm->warps[warp]);
    else sm->warps[warp].place = WARP_OUTSIDE;
    sm_prepare(sm, warp);
    return false;
  }
  if (!sm->policy->begin(sm->offload, warp)) return false;
  if (!sm->warps[warp].live) return true;
  sm->warps[warp].place = WARP_INSIDE;
  sm->sh->stats->warp_instructions++;
  sm_prepare(sm, warp);
  return true;
}

/* An instruction of a block that is being offloaded. False: execute it normally. */
static bool issue_in_block(sm_t *sm, unsigned warp, const simt_op_t *op, bool *issued) {
  switch (sm->policy->what(sm->offload, warp, op)) {
  case OFFLOAD_SKIP: /* takes its slot as a NOP (NSU paper, section 4.1.1) */
    sm->sh->stats->nsu_skipped++;
    sm_advance(sm, warp);
    return true;
  case OFFLOAD_ACCESS: *issued = issue_away(sm, warp, op); return true;
  default: return false;
  }
}

/* The warp has issued an instruction with acquire semantics. */
static void note_acquire(sm_t *sm, unsigned warp, const simt_op_t *op) {
  if (op->order & SIMT_ACQUIRE) sm->warps[warp].acquires = op->order;
}

/* False: a page is missing, and the warp waits for it. */
static bool issue_memory(sm_t *sm, unsigned warp, const simt_op_t *op) {
  const uint32_t mask = sm_guard(&sm->warps[warp], op);
  if ((sm->sh->pager || sm->sh->tlb) && !sm_need_pages(sm, warp, op, mask)) {
    wait_for_page(sm, warp);
    return false;
  }
  if (simt_observes(op)) sm->warps[warp].turns.observes = true;
  if (sm_issue_memory(sm, warp, op, mask)) return true;
  if (mask) note_acquire(sm, warp, op);
  sm->sh->stats->thread_instructions += (unsigned)__builtin_popcount(mask);
  sm_advance(sm, warp);
  return true;
}

/* For the watchdog. */
static void note_store(const sm_t *sm, sm_warp_t *w, const simt_op_t *op) {
  if (!sm->sh->run->simt.watch || !simt_stores(op)) return;
  const simt_state_t state = {sm->sh->run->simt.kernel, {&w->simt}};
  simt_turns_store(&w->turns, op, &state);
}

/* Executes a warp's next instruction. False: a resource is missing, and the slot is free. */
static bool execute_next(sm_t *sm, unsigned warp) {
  sm_warp_t *w = &sm->warps[warp];
  if (w->place == WARP_CHOSEN) return begin_block(sm, warp);
  const simt_op_t *op = &sm->sh->run->simt.kernel->ops[simt_stack_pc(&w->stack)];
  bool issued = true;
  note_store(sm, w, op);
  if (w->place == WARP_INSIDE && issue_in_block(sm, warp, op, &issued)) return issued;
  if (op->members != SIMT_NO_OPERAND && !sm_meets(sm, warp, op)) return true;
  switch (op->kind) {
  case SIMT_ALU:
  case SIMT_SFU:
  case SIMT_DP:
  case SIMT_MATRIX: issue_alu(sm, warp, op); break;
  case SIMT_LOAD:
  case SIMT_STORE:
  case SIMT_ATOM:
  case SIMT_TEXTURE:
  case SIMT_COPY:
    if (!issue_memory(sm, warp, op)) return false;
    break;
  case SIMT_BRANCH: sm_issue_branch(sm, warp, op); break;
  case SIMT_CALL: sm_issue_call(sm, warp, op); break;
  case SIMT_HOST:
    sm_call_host(sm, warp, op, sm_guard(w, op));
    sm_advance(sm, warp);
    break;
  case SIMT_RETURN:
  case SIMT_EXIT: sm_issue_exit(sm, warp, op); break;
  case SIMT_COPIES: sm_issue_copies(sm, warp, op); break;
  case SIMT_BARRIER: sm_issue_barrier(sm, warp, op); break;
  case SIMT_TRAP:
    if (sm_guard(w, op)) sm_fault_warp(sm, warp, op, "executed trap");
    sm_advance(sm, warp);
    break;
  case SIMT_MEMBAR:
    if (sm_guard(w, op)) note_acquire(sm, warp, op);
    sm_advance(sm, warp);
    break;
  default: sm_advance(sm, warp);
  }
  sm->sh->stats->warp_instructions++;
  return true;
}

/* Issues from the warp's buffer. False: the instruction stays there, because a resource is
 * missing that the sets do not show. */
static bool issue_warp(sm_t *sm, unsigned warp) {
  sm_warp_t *w = &sm->warps[warp];
  w->fetched = false;
  const bool issued = execute_next(sm, warp);
  if (!issued) w->fetched = true;
  return issued;
}

/* Warps of a bank whose unit is busy. */
static uint64_t warps_on_busy_units(const sm_t *sm, unsigned scheduler, const warp_bank_t *bank) {
  const uint64_t wait = sm_units_wait(&sm->units, sm->sh->config, scheduler, bank, sm->now);
  return bank->next_lsu && (sm->ldst.held_until > sm->now || !ldst_has_room(&sm->ldst)) ? wait | bank->next_lsu : wait;
}

/* Classifies a slot without issue (NSU paper, Fig. 8). */
static void count_stall(sm_t *sm, unsigned scheduler) {
  gpu_stats_t *s = sm->sh->stats;
  uint64_t could = 0, depends = 0;
  for (unsigned b = 0; b < sm->sets.banks; b++) {
    const warp_bank_t *bank = &sm->sets.bank[b];
    const uint64_t mine = sm->sets.of[scheduler][b];
    could |= (bank->ready | bank->wait_room) & mine;
    depends |= bank->live & mine & ~(bank->wait_ack | bank->wait_barrier | bank->wait_memory | bank->wait_fetch);
  }
  if (could) s->stall_exec++;
  else if (depends) s->stall_dependency++;
  else s->stall_idle++;
}

/* Warps of a scheduler that can issue; false: none. */
static bool candidates_of(const sm_t *sm, unsigned scheduler, uint64_t candidates[WARP_BANKS]) {
  uint64_t any = 0;
  for (unsigned b = 0; b < sm->sets.banks; b++) {
    const warp_bank_t *bank = &sm->sets.bank[b];
    candidates[b] = bank->ready & sm->sets.of[scheduler][b];
    if (candidates[b]) any |= candidates[b] &= ~warps_on_busy_units(sm, scheduler, bank);
  }
  return any && !sm->sh->run->stopped;
}

/* Tries candidates in the order of the scheduling policy until one issues. */
static bool issue_one(sm_t *sm, unsigned scheduler, uint64_t candidates[WARP_BANKS]) {
  const unsigned policy = sm->sh->config->sm.scheduler;
  while (!sm->sh->fault->kind) {
    const unsigned warp = warp_sets_choose(&sm->sets, policy, scheduler, candidates);
    if (warp == WARP_NONE) return false;
    candidates[warp / WARP_BANK] &= ~warp_bit(warp);
    if (!issue_warp(sm, warp)) continue;
    sm->sets.last[scheduler] = (int)warp;
    return true;
  }
  return false;
}

void sm_schedule(sm_t *sm) {
  const unsigned n = sm->sh->config->sm.schedulers;
  sm->sh->stats->issue_slots += n;
  for (unsigned i = 0, s = sm->sets.first; i < n; i++, s = s + 1 < n ? s + 1 : 0) {
    uint64_t candidates[WARP_BANKS];
    if (!candidates_of(sm, s, candidates) || !issue_one(sm, s, candidates)) count_stall(sm, s);
  }
}

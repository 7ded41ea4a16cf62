/* SPDX-License-Identifier: Apache-2.0
 *
 * Control instructions at issue: barriers, exits, calls, branches, and convergence at membermasks.
 */
#include "simt_meet.h"
#include "sm.h"

/* Opens barriers that all have reached, and detects a CTA in which all wait. */
static void check_barriers(sm_t *sm, sm_cta_t *cta) {
  uint64_t waiting;
  simt_votes_t votes;
  while (simt_block_opens(&cta->block, &waiting, &votes)) {
    sm->sh->stats->barriers++;
    sm->sets.bank[0].wait_barrier &= ~waiting;
    while (waiting) {
      const unsigned warp = warp_take(0, &waiting);
      simt_block_reduce(&sm->warps[warp].reduction, &sm->warps[warp].simt, votes);
      sm_prepare(sm, warp);
    }
  }
  if (simt_block_is_stuck(&cta->block)) simt_block_fail_stuck(&cta->block, &sm->sh->run->simt, sm->sh->fault);
}

/* Names the first thread of the warp. */
int sm_fault_warp(const sm_t *sm, unsigned warp, const simt_op_t *op, const char *what) {
  const simt_run_t *run = &sm->sh->run->simt;
  const sm_warp_t *w = &sm->warps[warp];
  char thread[96];
  simt_block_thread(&sm->ctas[w->cta].block, run, w->first_thread, thread, sizeof thread);
  return trouble_fail(sm->sh->fault, TROUBLE_INPUT, "%s:%d: kernel %s: the warp of %s %s", sm_func(sm, op)->file,
                      sm_instr(sm, op)->line, run->kernel->func->name, thread, what);
}

/* After a meeting at several instructions the results are already written: only the latency is
 * left. */
bool sm_meets(sm_t *sm, unsigned warp, const simt_op_t *op) {
  sm_warp_t *w = &sm->warps[warp];
  trouble_t wrong;
  switch (simt_meet(sm->sh->run->simt.kernel, w->calls, &w->stack, &w->simt, sm_guard(w, op),
                    simt_src(&w->simt, op->members), &wrong)) {
  case SIMT_MEET_NOW: return true;
  case SIMT_MEET_PAST:
    for (unsigned i = 0; i < op->num_dsts; i++) w->ready[op->dep[i]] = sm->now + sm->sh->config->sm.alu_latency;
    sm->sh->stats->warp_instructions++;
    sm_advance(sm, warp);
    return false;
  case SIMT_MEET_LATER:
    w->decided = false;
    sm_prepare(sm, warp);
    return false;
  default: sm_fault_warp(sm, warp, op, wrong.text); return false;
  }
}

/* Only CTAs of the GPU's SMs have barriers, and they have one bank of warps. */
void sm_issue_barrier(sm_t *sm, unsigned warp, const simt_op_t *op) {
  sm_warp_t *w = &sm->warps[warp];
  sm_cta_t *cta = &sm->ctas[w->cta];
  const uint32_t mask = sm_guard(w, op);
  const uint64_t bit = warp_bit(warp);
  trouble_t wrong;
  if (!simt_gather(sm->sh->run->simt.kernel, &w->stack)) {
    w->decided = false;
    sm_prepare(sm, warp);
    return;
  }
  if (!mask) {
    sm_advance(sm, warp);
    return;
  }
  if (!simt_block_arrive(&cta->block, op, &w->simt, mask, bit, &wrong)) {
    sm_fault_warp(sm, warp, op, wrong.text);
    return;
  }
  simt_stack_advance(&w->stack, simt_stack_pc(&w->stack) + 1);
  w->decided = false;
  w->reduction = (simt_reduction_t){op->flags & SIMT_REDUCES ? op : NULL, mask};
  if (op->flags & SIMT_ARRIVE) sm_prepare(sm, warp);
  else {
    sm->sets.bank[0].ready &= ~bit;
    sm->sets.bank[0].wait_barrier |= bit;
  }
  check_barriers(sm, cta);
}

/* The warp has ended, or continues with its other threads. */
static void after_exit(sm_t *sm, unsigned warp) {
  sm_warp_t *w = &sm->warps[warp];
  sm_cta_t *cta = &sm->ctas[w->cta];
  if (simt_stack_mask(&w->stack)) {
    w->decided = false;
    sm_prepare(sm, warp);
    return;
  }
  w->live = false;
  warp_bank_end(warp_bank(&sm->sets, warp), warp_bit(warp));
  cta->block.live_warps--;
  check_barriers(sm, cta);
  sm_finish_cta(sm, cta);
}

void sm_issue_exit(sm_t *sm, unsigned warp, const simt_op_t *op) {
  sm_warp_t *w = &sm->warps[warp];
  if (w->calls) sm_leave(sm, warp, sm_guard(w, op), op->kind == SIMT_EXIT);
  else simt_stack_exit(&w->stack, sm_guard(w, op));
  after_exit(sm, warp);
}

void sm_issue_call(sm_t *sm, unsigned warp, const simt_op_t *op) {
  sm_warp_t *w = &sm->warps[warp];
  trouble_t wrong;
  const uint32_t mask = sm_guard(w, op);
  if (!mask) {
    sm_advance(sm, warp);
    return;
  }
  if (!sm_enter(sm, warp, op, mask, &wrong)) sm_fault_warp(sm, warp, op, wrong.text);
  w->decided = false;
  sm_prepare(sm, warp);
}

/* A path that goes round without progress gives its turn to another one of the warp. Inside of
 * offload blocks it does not: a policy knows a warp's place by its pc. */
static void take_turns(sm_t *sm, unsigned warp, uint32_t from, bool parted) {
  sm_warp_t *w = &sm->warps[warp];
  const struct gpu_sm_config *c = &sm->sh->config->sm;
  const simt_run_t *run = &sm->sh->run->simt;
  const bool free = w->place == WARP_OUTSIDE && !w->keeps;
  const simt_turns_rule_t rule = {c->its && free, c->its_rounds, c->its_most};
  const simt_state_t state = {run->kernel, {&w->simt}};
  if (!simt_turns_branch(&w->turns, &rule, &w->stack, from, parted, run->watch, &state)) return;
  if (rule.its) simt_give_turn(&w->stack);
  warp_sets_go_last(&sm->sets, c->scheduler, c->schedulers, warp);
}

/* brx: threads with another target branch in a later issue. */
void sm_issue_branch(sm_t *sm, unsigned warp, const simt_op_t *op) {
  sm_warp_t *w = &sm->warps[warp];
  uint32_t taken = sm_guard(w, op), target = op->target;
  const uint32_t from = simt_stack_pc(&w->stack);
  trouble_t wrong;
  const bool indexed = taken && op->flags & SIMT_INDEXED;
  if (indexed && !simt_indexed_target(sm->sh->run->simt.kernel, op, &w->simt, taken, &taken, &target, &wrong)) {
    sm_fault_warp(sm, warp, op, wrong.text);
    return;
  }
  const bool parted = indexed ? simt_stack_choose(&w->stack, taken, target, op->reconv)
                              : simt_stack_branch(&w->stack, taken, target, op->reconv);
  if (parted) sm->sh->stats->divergent_branches++;
  take_turns(sm, warp, from, parted);
  w->decided = false;
  sm_prepare(sm, warp);
}

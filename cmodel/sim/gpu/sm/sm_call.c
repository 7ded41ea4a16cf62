/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls and returns at issue. A function that may already be active finds its registers in use. The
 * call saves them to the thread's stack, and the return restores them: one 32-bit register a cycle,
 * over the load/store unit's port.
 */

#include "sm.h"

bool sm_saves_registers(const sm_t *sm, unsigned warp, const simt_op_t *op) {
  const simt_kernel_t *k = sm->sh->run->simt.kernel;
  const simt_calls_t *c = sm->warps[warp].calls;
  if (!c) return false;
  if (op->kind == SIMT_CALL) return op->a != SIMT_NO_OPERAND ? k->recursive : k->units[op->target].recursive;
  return (op->kind == SIMT_RETURN || op->kind == SIMT_EXIT) && k->units[c->at[c->depth - 1].unit].recursive;
}

/* Occupies the port for a recursive function's registers. */
static void move_registers(sm_t *sm, const simt_unit_t *u) {
  if (u && u->recursive) ldst_hold(&sm->ldst, u->hw_regs);
}

bool sm_enter(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, trouble_t *wrong) {
  const simt_kernel_t *k = sm->sh->run->simt.kernel;
  sm_warp_t *w = &sm->warps[warp];
  const simt_called_t called = simt_calls_enter(w->calls, k, op, &w->simt, &w->stack, mask, sm->local_bytes, wrong);
  if (called == SIMT_CALL_MEMORY) trouble_fail(sm->sh->fault, TROUBLE_ENVIRONMENT, "out of memory for calls");
  if (called == SIMT_CALL_DONE) move_registers(sm, &k->units[w->calls->at[w->calls->depth - 1].unit]);
  sm->sh->stats->thread_instructions += (unsigned)__builtin_popcount(mask);
  return called != SIMT_CALL_WRONG;
}

void sm_leave(sm_t *sm, unsigned warp, uint32_t mask, bool ends) {
  sm_warp_t *w = &sm->warps[warp];
  move_registers(sm, simt_calls_leave(w->calls, sm->sh->run->simt.kernel, &w->simt, &w->stack, mask, ends));
}

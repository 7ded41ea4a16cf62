/* SPDX-License-Identifier: Apache-2.0 */
#include "nbu.h"

#include <stdlib.h>
#include <string.h>

int nbu_init(nbu_t *n, core_base_t *base, unsigned id, mpu_regs_t *regs, const mpu_inflight_t *tag,
             const block_engine_t *engine) {
  const mpu_shared_t *sh = base->sh;
  unsigned unit = base->id * MPU_SUBCORES + id;
  static const uint8_t depth[LSU_CLASSES] = {MemDepth, SmemDepth, WriteDepth, MoveDepth};
  n->base = base;
  n->id = id;
  n->regs = regs;
  n->tag = tag;
  n->engine = engine;
  memcpy(n->credit, depth, sizeof n->credit);
  /* The atomic unit's requests are in what the LSU-Extension's leave of the queue. */
  near_mc_config_t mc = sh->config->mc;
  if (mc.vault.queue < McCredits + sh->config->atomic_queue) mc.vault.queue = McCredits + sh->config->atomic_queue;
  near_mc_init(&n->mc, &mc, sh->image, mpu_map_image(unit, 0));
  n->mc.modify = nbu_atomics_modify;
  n->mc.modify_ctx = &n->atomics;
  n->in.nbu_id = id;
  return engine->open(n->state, engine->context, unit) ? 0 : -1;
}

void nbu_deinit(nbu_t *n) {
  if (n->engine->close) n->engine->close(n->state);
}

/* ---- Operand collectors and ALU -------------------------------------------------------------- */

bool nbu_exe_room(const nbu_t *n) {
  return n->exe_count + n->exe_coming < n->base->sh->config->exe_queue;
}

void nbu_exe_reserve(nbu_t *n) {
  n->exe_coming++;
}

void nbu_exe(nbu_t *n, unsigned tag) {
  n->exe_coming--;
  n->exe[(n->exe_head + n->exe_count++) % NBU_EXE_MOST] = (uint8_t)tag;
}

bool nbu_has_completion(const nbu_t *n) {
  return n->done_count && n->done_at[n->done_head] <= core_now(n->base);
}

unsigned nbu_take_completion(nbu_t *n) {
  unsigned tag = n->done[n->done_head];
  n->done_head = (uint8_t)((n->done_head + 1) % NBU_PIPE);
  n->done_count--;
  return tag;
}

/* Cycles from this instruction to the next one of the ALU. */
static unsigned alu_interval(const mpu_config_t *c, const simt_op_t *op) {
  if (op->kind == SIMT_SFU) return c->sfu_interval;
  return op->kind == SIMT_DP ? c->dp_interval : 1;
}

/* The oldest instruction, whose result is there at once and counts later. Completions leave in
 * order, so none ends before the one ahead of it. */
static void execute_near(nbu_t *n, uint64_t now) {
  const mpu_config_t *c = n->base->sh->config;
  unsigned tag = n->exe[n->exe_head];
  const mpu_inflight_t *f = &n->tag[tag];
  const simt_op_t *op = f->op->op;
  mpu_regs_execute(n->regs, NEAR, f, now);
  n->base->stats.thread_instructions += (unsigned)__builtin_popcount(f->mask);
  uint64_t done = now + c->collect_latency + (op->kind == SIMT_SFU ? c->sfu_latency : c->alu_latency);
  unsigned last = (n->done_head + n->done_count + NBU_PIPE - 1) % NBU_PIPE;
  if (n->done_count && n->done_at[last] > done) done = n->done_at[last];
  unsigned at = (last + 1) % NBU_PIPE;
  n->done[at] = (uint8_t)tag;
  n->done_at[at] = done;
  n->done_count++;
  n->exe_head = (uint8_t)((n->exe_head + 1) % NBU_EXE_MOST);
  n->exe_count--;
  n->alu_free = now + alu_interval(c, op);
}

/* ---- LSU-Extension and what is around it ----------------------------------------------------- */

/* The LSU-Extension's request of this cycle. */
static void push_to_controller(nbu_t *n, uint64_t now) {
  const lsu_ext_out_t *o = n->out;
  near_mc_request_t r = {
      .write = o->mc_write, .addr = (uint32_t)o->mc_addr, .tag = (uint8_t)o->mc_tag, .mask = (uint32_t)o->mc_wmask};
  if (r.write) memcpy(r.data, o->mc_wdata, sizeof r.data);
  near_mc_push(&n->mc, &r, now);
  n->mc_owed++;
}

/* An entry of the controller's queue is free. It goes to its two clients in turn, where both use
 * some. */
static void return_mc_credit(nbu_t *n) {
  if (n->atomics.owed && (n->credit_turn || !n->mc_owed)) {
    n->atomics.owed--;
    n->credit_turn = false;
    return;
  }
  n->in.mc_credit = 1, n->came = true;
  n->mc_owed--;
  n->credit_turn = true;
}

/* The controller's cycle: credit and answer go to the client that they belong to. */
static void step_controller(nbu_t *n, uint64_t now) {
  near_mc_step(&n->mc, now);
  if (n->mc.out_of_memory) trouble_fail(&n->base->fault, TROUBLE_ENVIRONMENT, "%s", near_mc_fault(&n->mc));
  if (near_mc_credit(&n->mc, now)) return_mc_credit(n);
  const near_mc_answer_t *a = near_mc_answer(&n->mc, now);
  if (!a) return;
  if (a->client == NBU_ATOMICS_CLIENT) {
    nbu_atomics_answer(&n->atomics, a, n->base->sh->config, now);
    return;
  }
  n->in.mr_valid = 1;
  n->in.mr_tag = a->tag;
  memcpy(n->in.mr_data, a->data, sizeof n->in.mr_data);
  n->came = true;
}

static void take_down_credits(nbu_t *n) {
  for (unsigned cls = 0; cls < LSU_CLASSES; cls++)
    n->credit[cls] = (uint8_t)(n->credit[cls] + (n->out->dn_credit >> cls & 1));
}

/* A failed engine or an error output is the run's fault. */
static void check_engine(nbu_t *n) {
  if (n->engine->failed && n->engine->failed(n->state))
    trouble_fail(&n->base->fault, TROUBLE_ENVIRONMENT, "lsu_ext[%u]: %s", n->base->id * 4 + n->id,
                 n->engine->failed(n->state));
  if (n->out->err)
    trouble_fail(&n->base->fault, TROUBLE_BROKEN,
                 "lsu_ext[%u]: error output 0x%llx; rtl/lsu/lsu_ext.ports says what its bits mean",
                 n->base->id * 4 + n->id, (unsigned long long)n->out->err);
}

/* One read and one write a cycle. The read sees the row as it was before the write. */
static void serve_register_file(nbu_t *n) {
  const lsu_ext_out_t *o = n->out;
  if (o->rf_rd_valid) {
    mpu_regs_read(n->regs, NEAR, (unsigned)o->rf_rd_warp, (unsigned)o->rf_rd_reg, n->rf_row);
    n->rf_read = true;
  }
  if (o->rf_wr_valid)
    mpu_regs_write(n->regs, NEAR, (unsigned)o->rf_wr_warp, (unsigned)o->rf_wr_reg, (uint32_t)o->rf_wr_mask,
                   o->rf_wr_data);
}

bool nbu_engine_idle(const nbu_t *n) {
  return n->engine->idle && n->engine->idle(n->state);
}

/* No output that somebody would have to act on. */
static bool shows_nothing(const lsu_ext_out_t *o) {
  return !(o->dn_credit | o->up_valid | o->mc_valid | o->rf_rd_valid | o->rf_wr_valid | o->sm_req | o->err);
}

void nbu_begin(nbu_t *n) {
  uint64_t now = core_now(n->base);
  if (n->asleep && !n->exe_count && !n->atomics.count && now < n->mc.due) return;
  n->out = n->engine->out(n->state);
  if (n->out->err || n->engine->failed) check_engine(n);
  if (n->out->dn_credit) take_down_credits(n);
  step_controller(n, now);
  if (n->out->mc_valid) push_to_controller(n, now);
  else if (n->atomics.count) nbu_atomics_step(&n->atomics, &n->mc, n->base->sh->config, now);
  serve_register_file(n);
  if (n->exe_count && n->alu_free <= now && n->done_count < NBU_PIPE) execute_near(n, now);
}

/* A sleeping engine is not stepped. Rows read in this cycle are inputs of the next. */
void nbu_end(nbu_t *n) {
  n->asleep = !n->came && nbu_engine_idle(n) && shows_nothing(n->out);
  if (n->asleep) return;
  if (n->came || !nbu_engine_idle(n)) {
    n->engine->step(n->state, &n->in);
    n->base->stats.lsu_ext_cycles++;
  }
  n->in.dn_valid = n->in.up_take = n->in.mc_credit = n->in.mr_valid = n->in.sm_gnt = 0;
  n->came = n->rf_read || n->sm_read;
  if (n->rf_read) memcpy(n->in.rf_rd_data, n->rf_row, sizeof n->in.rf_rd_data);
  if (n->sm_read) memcpy(n->in.sm_rdata, n->sm_row, sizeof n->in.sm_rdata);
  n->rf_read = n->sm_read = false;
}

/* No message is in the LSU-Extension's FIFOs. */
static bool are_credits_home(const nbu_t *n) {
  return n->credit[0] == MemDepth && n->credit[1] == SmemDepth && n->credit[2] == WriteDepth &&
         n->credit[3] == MoveDepth;
}

bool nbu_quiet(const nbu_t *n) {
  return !n->came && !n->atomics.count && !n->smem_atomic.state && !n->exe_count && !n->exe_coming && !n->done_count &&
         near_mc_idle(&n->mc) && are_credits_home(n) &&
         !(n->out && (n->out->up_valid | n->out->mc_valid | n->out->sm_req));
}

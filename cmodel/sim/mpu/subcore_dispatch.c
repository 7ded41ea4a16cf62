/* SPDX-License-Identifier: Apache-2.0
 *
 * What an instruction does when the offload engine lets it go, by its class, and how it ends.
 *
 *    ALU       far: executes now, ends after its latency. near: a message to the operand collectors
 *    SHARED    base die: accesses now, ends after its passes. near: a message to the LSU-Extension
 *    FRONT     branches, calls, barriers, exit, ideal memories: executes now
 *    GLOBAL    subcore_access.c
 *    ATOMIC    subcore_atomic.c
 *
 * Where one of these returns false the instruction stays in the offload engine, and tries again
 * in the next cycle unless there is a fault.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "simt_meet.h"
#include "simt_memory.h"
#include "simt_unwritten.h"
#include "subcore.h"

/* ---- Faults ---------------------------------------------------------------------------------- */

int subcore_fault(const subcore_t *s, const mpu_inflight_t *f, const char *format, ...) {
  const simt_kernel_t *k = s->base->sh->run->simt.kernel;
  const ptx_instr_t *in = f->op->instr;
  const uint32_t *c = s->base->block[s->warp[f->warp].block].simt.ctaid;
  char what[256];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  return trouble_fail(&s->base->fault, TROUBLE_INPUT, "%s:%d: kernel %s: block (ctaid %u,%u,%u): '%s' %s",
                      simt_func(k, f->op->op)->file, in->line, k->func->name, c[0], c[1], c[2], in->text, what);
}

int subcore_fault_lane(const subcore_t *s, const mpu_inflight_t *f, unsigned lane, uint64_t address, const char *what) {
  const simt_run_t *run = &s->base->sh->run->simt;
  uint32_t t = s->warp[f->warp].first_thread + lane;
  return subcore_fault(s, f, "of thread (tid %u,%u,%u): address 0x%" PRIx64 " %s", t % run->block[0],
                       t / run->block[0] % run->block[1], t / run->block[0] / run->block[1], address, what);
}

/* ---- End ------------------------------------------------------------------------------------- */

/* A signed load into a 16-bit register sign-extends to the row's 32 bits. The simt functions
 * keep such registers zero-extended, so the end of the load cuts them. */
static void cut_to_register(subcore_t *s, const mpu_inflight_t *f) {
  const mpu_op_t *o = f->op;
  if (o->cls == MPU_OP_FRONT || o->op->kind != SIMT_LOAD || !o->sign || o->op->x > 2 || !o->dst_valid) return;
  uint32_t *row =
      simt_dst(&s->regs.warp[f->warp].simt[f->near ? NEAR : FAR], mpu_kernel_at(s->base->sh->run->kernel, o->dst));
  for (uint32_t m = f->mask; m; m &= m - 1) row[__builtin_ctz(m)] &= 0xffff;
}

/* The last instruction of a warp without threads ends the warp. */
void subcore_release(subcore_t *s, unsigned tag) {
  const mpu_inflight_t *f = &s->tag[tag];
  mpu_warp_t *w = &s->warp[f->warp];
  const mpu_op_t *op = f->op;
  cut_to_register(s, f);
  for (unsigned i = 0; i < op->num_slots; i++) w->score[op->slot[i]][i < op->num_dsts]--;
  w->inflight--;
  if (f->budget) s->budget--;
  if (f->remote) (*(op->op->kind == SIMT_STORE ? &w->remote_stores : &w->remote_loads))--;
  if (f->access) w->accesses[op->cls == MPU_OP_SHARED]--;
  if (f->atomic) w->atomics[op->op->space == PTX_SPACE_SHARED]--;
  s->tags_free |= 1ull << tag;
  s->maybe |= 1u << f->warp;
  if (w->live || w->inflight) return;
  s->live &= ~(1u << f->warp);
  s->maybe &= ~(1u << f->warp);
  s->events.done(s->events.core, w->block);
}

void subcore_release_after(subcore_t *s, unsigned tag, uint64_t cycles) {
  s->wheel[(core_now(s->base) + cycles) % SUBCORE_WHEEL] |= 1ull << tag;
}

/* ---- Arithmetic ------------------------------------------------------------------------------ */

/* A message of an instruction for the near-bank unit, behind those that wait for the bus. False:
 * the queue is full. */
static bool queue_message(subcore_t *s, uint64_t hdr, uint64_t beat1, unsigned beats) {
  if (s->queued == SUBCORE_QUEUE) return false;
  s->queue[s->queued].hdr = hdr;
  s->queue[s->queued].beat1 = beat1;
  s->queue[s->queued++].beats = (uint8_t)beats;
  return true;
}

/* reg: the data register. The other fields are the instruction's. */
static uint64_t message_header(const subcore_t *s, const mpu_inflight_t *f, unsigned tag, unsigned type, unsigned reg) {
  uint64_t h = LSU_PUT(LSU_PUT(0, type, type), nbu, s->id);
  h = LSU_PUT(LSU_PUT(h, warp, f->warp), reg, reg);
  return LSU_PUT(LSU_PUT(h, size, f->op->size), id, tag);
}

/* The predicate that goes with the instruction is in the near file from now on. */
static void carry_predicate(subcore_t *s, const mpu_inflight_t *f) {
  uint32_t at = mpu_kernel_at(s->base->sh->run->kernel, f->op->guard);
  simt_warp_t *files = s->regs.warp[f->warp].simt;
  *(uint32_t *)simt_dst(&files[NEAR], at) = *(const uint32_t *)simt_src(&files[FAR], at);
}

/* A partial mask takes a beat, which the first constant shares. Without threads nothing is sent. */
static bool dispatch_near_alu(subcore_t *s, mpu_inflight_t *f, unsigned tag) {
  unsigned beats = f->op->beats > 1 || f->mask == ~0u ? f->op->beats : 2;
  if (!f->mask) { /* nobody takes part */
    subcore_release_after(s, tag, 1);
    return true;
  }
  if (!queue_message(s, message_header(s, f, tag, TSV_EXE, f->op->dst), f->mask, beats)) return false;
  if (f->op->carries) carry_predicate(s, f);
  s->base->stats.near_instructions++;
  return true;
}

/* The result is there at once; the scoreboard lets it go after the latency. */
static bool dispatch_far_alu(subcore_t *s, mpu_inflight_t *f, unsigned tag) {
  const mpu_config_t *c = s->base->sh->config;
  uint64_t now = core_now(s->base);
  bool sfu = f->op->op->kind == SIMT_SFU, dp = f->op->op->kind == SIMT_DP;
  if ((sfu && s->sfu_free > now) || (dp && s->dp_free > now)) return false;
  if (sfu) s->sfu_free = now + c->sfu_interval;
  if (dp) s->dp_free = now + c->dp_interval;
  mpu_regs_execute(&s->regs, FAR, f, now);
  s->base->stats.thread_instructions += (unsigned)__builtin_popcount(f->mask);
  s->base->stats.far_instructions++;
  subcore_release_after(s, tag, c->collect_latency + (sfu ? c->sfu_latency : c->alu_latency));
  return true;
}

/* ---- Addresses ------------------------------------------------------------------------------- */

/* The threads' addresses of the element that this part accesses, from the address register in a
 * file. */
void subcore_addresses(const subcore_t *s, const mpu_inflight_t *f, unsigned file, uint64_t a[32]) {
  const mpu_op_t *o = f->op;
  simt_addresses(&s->regs.warp[f->warp].simt[file], o->op, (uint64_t)o->op->imm + ((uint64_t)o->elem << o->size), a);
}

/* ---- Shared memory --------------------------------------------------------------------------- */

/* What is wrong with a thread's address; NULL: nothing. */
static const char *shared_fault(const mpu_op_t *o, uint64_t address, uint64_t size) {
  const unsigned bytes = 1u << o->size;
  if (!subcore_is_aligned(o, address)) return "is not aligned to the access's size";
  return address + bytes > size || address > size ? "is outside of the block's shared memory" : NULL;
}

/* For the check of memory that nobody has written. */
static bool is_written(subcore_t *s, const mpu_inflight_t *f, uint64_t address) {
  uint8_t *written = &s->base->written[s->base->block[s->warp[f->warp].block].shared_base / 8];
  return !s->base->sh->config->check_uninitialised ||
         simt_written_access(written, f->op->op->kind, address, 1u << f->op->size);
}

bool subcore_shared_ok(subcore_t *s, const mpu_inflight_t *f, unsigned file, uint64_t a[32]) {
  const simt_run_t *run = &s->base->sh->run->simt;
  subcore_addresses(s, f, file, a);
  for (uint32_t m = f->mask; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m);
    const char *wrong = shared_fault(f->op, a[i], run->shared_bytes);
    if (!wrong && !is_written(s, f, a[i])) wrong = "is " SIMT_UNWRITTEN;
    if (wrong) subcore_fault_lane(s, f, i, a[i], wrong);
    if (wrong) return false;
  }
  return true;
}

/* One message: thread mask, and the offset that the unit adds to each thread's address. */
static bool dispatch_near_shared(subcore_t *s, mpu_inflight_t *f, unsigned tag) {
  const mpu_op_t *o = f->op;
  bool store = o->op->kind == SIMT_STORE;
  uint64_t a[32];
  mpu_warp_t *w = &s->warp[f->warp];
  if (s->queued == SUBCORE_QUEUE || s->budget >= SUBCORE_BUDGET || w->atomics[1]) return false;
  if (!subcore_shared_ok(s, f, NEAR, a)) return false;
  unsigned data = mpu_op_data_reg(o, store);
  uint64_t hdr = LSU_PUT(message_header(s, f, tag, store ? LSU_STS : LSU_LDS, data), areg,
                         o->addr == MPU_NO_ADDR ? MPU_ZERO : o->src[0]);
  uint64_t offset =
      ((uint64_t)o->op->imm + ((uint64_t)o->elem << o->size) + s->base->block[s->warp[f->warp].block].shared_base) &
      0x1ffff;
  f->near = f->budget = f->access = true;
  w->accesses[1]++;
  mpu_regs_will_be_written(&s->regs, NEAR, f);
  s->budget++;
  s->base->stats.near_instructions++;
  return queue_message(s, hdr, f->mask | offset << 32 | (uint64_t)(!store && o->sign) << 49, 2);
}

/* One thread's load or store on the base die. */
static void access_far_word(subcore_t *s, const mpu_inflight_t *f, unsigned lane, uint64_t address) {
  const mpu_op_t *o = f->op;
  const simt_op_t *op = o->op;
  unsigned bytes = 1u << o->size;
  uint8_t *at = (uint8_t *)s->base->smem + s->base->block[s->warp[f->warp].block].shared_base + address;
  uint8_t *row = (uint8_t *)simt_dst(&s->regs.warp[f->warp].simt[FAR], op->v[o->elem]) + lane * op->reg_bytes;
  uint64_t x = 0;
  if (op->v[o->elem] == SIMT_NO_OPERAND) return;
  if (op->kind == SIMT_STORE) {
    memcpy(at, row, bytes);
    return;
  }
  memcpy(&x, at, bytes);
  unsigned shift = 64 - 8 * bytes;
  if (o->sign) x = (uint64_t)((int64_t)(x << shift) >> shift);
  memcpy(row, &x, op->reg_bytes);
}

/* Passes of an access: the most different words that it wants of one bank. Banks are 32 bits
 * wide. */
static unsigned count_passes(uint32_t mask, const uint64_t a[32], unsigned bytes) {
  uint64_t words[32][32];
  unsigned count[32] = {0}, worst = 1;
  for (; mask; mask &= mask - 1) {
    uint64_t first = a[__builtin_ctz(mask)] / 4, last = (a[__builtin_ctz(mask)] + bytes - 1) / 4;
    for (uint64_t word = first; word <= last; word++) {
      unsigned bank = (unsigned)(word % 32), i = 0;
      while (i < count[bank] && words[bank][i] != word) i++;
      if (i == count[bank] && i < 32) words[bank][count[bank]++] = word;
      if (count[bank] > worst) worst = count[bank];
    }
  }
  return worst;
}

/* An access may queue up behind 16 cycles of others. */
bool subcore_smem_free(const subcore_t *s) {
  return s->base->smem_free <= core_now(s->base) + 16;
}

void subcore_smem_use(subcore_t *s, unsigned tag, unsigned most) {
  core_base_t *c = s->base;
  const uint64_t now = core_now(c);
  c->smem_free = (c->smem_free > now ? c->smem_free : now) + most;
  subcore_release_after(s, tag, c->smem_free - now + c->sh->config->smem_latency);
}

/* Data move at once; the instruction ends after its passes and the latency. */
static bool dispatch_far_shared(subcore_t *s, mpu_inflight_t *f, unsigned tag) {
  uint64_t a[32];
  if (!subcore_smem_free(s)) return false;
  if (!subcore_shared_ok(s, f, FAR, a)) return false;
  mpu_regs_written(&s->regs, FAR, f);
  for (uint32_t m = f->mask; m; m &= m - 1) access_far_word(s, f, (unsigned)__builtin_ctz(m), a[__builtin_ctz(m)]);
  subcore_smem_use(s, tag, count_passes(f->mask, a, 1u << f->op->size));
  s->base->stats.far_instructions++;
  return true;
}

/* ---- Front end ------------------------------------------------------------------------------- */

uint64_t subcore_local_bytes(const subcore_t *s) {
  return simt_stack_bytes(s->base->sh->run->simt.kernel, s->base->sh->config->stack);
}

/* Bytes of the private memory that the instruction accesses. */
static uint64_t ideal_size(const subcore_t *s, const mpu_inflight_t *f) {
  const simt_run_t *run = &s->base->sh->run->simt;
  switch (f->op->op->space) {
  case PTX_SPACE_LOCAL: return subcore_local_bytes(s);
  case PTX_SPACE_PARAM: return run->kernel->func->param_bytes;
  default: return run->const_bytes;
  }
}

/* A thread's bytes of constants, parameters or ideal local memory: memories without traffic.
 * NULL: the access is out of bounds or misaligned. */
static uint8_t *ideal_address(const subcore_t *s, const mpu_inflight_t *f, unsigned lane, uint64_t address) {
  const simt_run_t *run = &s->base->sh->run->simt;
  const uint64_t local = subcore_local_bytes(s);
  unsigned bytes = 1u << f->op->size;
  uint64_t size = ideal_size(s, f);
  if (address > size || address + bytes > size || !subcore_is_aligned(f->op, address)) return NULL;
  if (f->op->op->space == PTX_SPACE_LOCAL) return s->warp[f->warp].local + lane * local + address;
  return (uint8_t *)(uintptr_t)(f->op->op->space == PTX_SPACE_PARAM ? run->params : run->const_segment) + address;
}

/* Loads and stores of these memories, at once. */
static bool dispatch_ideal(subcore_t *s, mpu_inflight_t *f, unsigned tag) {
  const mpu_op_t *o = f->op;
  const simt_op_t *op = o->op;
  uint64_t a[32], x;
  subcore_addresses(s, f, FAR, a);
  mpu_regs_written(&s->regs, FAR, f);
  for (uint32_t m = f->mask; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m), shift = 64 - (8u << o->size);
    uint8_t *at = ideal_address(s, f, i, a[i]),
            *row = (uint8_t *)simt_dst(&s->regs.warp[f->warp].simt[FAR], op->v[o->elem]) + i * op->reg_bytes;
    if (!at) {
      subcore_fault_lane(s, f, i, a[i], "is out of bounds or misaligned");
      return false;
    }
    if (op->v[o->elem] == SIMT_NO_OPERAND) continue;
    if (op->kind == SIMT_STORE) {
      memcpy(at, row, 1u << o->size);
      continue;
    }
    x = 0;
    memcpy(&x, at, 1u << o->size);
    if (o->sign) x = (uint64_t)((int64_t)(x << shift) >> shift);
    if (op->x <= 2) x &= 0xffff;
    memcpy(row, &x, op->reg_bytes);
  }
  s->base->stats.far_instructions++;
  subcore_release_after(s, tag, s->base->sh->config->alu_latency);
  return true;
}

/* A path that goes round without progress gives its turn to another one of the warp. */
static void take_turns(subcore_t *s, unsigned warp, uint32_t from, bool parted) {
  const mpu_config_t *c = s->base->sh->config;
  mpu_warp_t *w = &s->warp[warp];
  const simt_turns_rule_t rule = {c->its, c->its_rounds, c->its_most};
  const simt_state_t state = subcore_state(s, warp);
  s->base->stats.divergent_branches += parted;
  if (!simt_turns_branch(&w->turns, &rule, &w->stack, from, parted, s->base->sh->run->simt.watch, &state)) return;
  if (rule.its) simt_give_turn(&w->stack);
  w->age = s->ages++;
  if (s->last == (int)warp) s->last = -1;
}

/* False: an indexed branch (brx) has no good target, a fault. */
static bool execute_branch(subcore_t *s, const mpu_inflight_t *f) {
  mpu_warp_t *w = &s->warp[f->warp];
  const simt_op_t *op = f->op->op;
  uint32_t taken = f->mask, target = op->target;
  const uint32_t from = simt_stack_pc(&w->stack);
  trouble_t wrong;
  if (!taken || !(op->flags & SIMT_INDEXED)) {
    take_turns(s, f->warp, from, simt_stack_branch(&w->stack, taken, target, op->reconv));
    return true;
  }
  const bool good = simt_indexed_target(s->base->sh->run->simt.kernel, op, &s->regs.warp[f->warp].simt[FAR], taken,
                                        &taken, &target, &wrong);
  if (!good) subcore_fault(s, f, "%s", wrong.text);
  else take_turns(s, f->warp, from, simt_stack_choose(&w->stack, taken, target, op->reconv));
  return good;
}

/* Which file has a register's value, by the track table's fb and nb. One that was never written
 * has no value, so either will do. */
static unsigned valid_file(const void *subcore, unsigned warp, unsigned reg) {
  const subcore_t *s = subcore;
  const track_table_in_t in = {.lk_warp = warp, .lk_regs = reg};
  track_table_out_t out;
  track_table_eval(&s->table, &in, &out);
  return !(out.fb & 1) && out.nb & 1 ? NEAR : FAR;
}

/* Guard and membermask, read where they are valid. The instruction may issue, so nothing that it
 * reads is on its way. */
static simt_meeting_t meet_threads(subcore_t *s, unsigned warp, const mpu_op_t *o, trouble_t *wrong) {
  const simt_kernel_t *k = s->base->sh->run->simt.kernel;
  const simt_warp_t *far = &s->regs.warp[warp].simt[FAR];
  const bool guarded = o->op->flags & SIMT_GUARDED;
  uint32_t row[32], members[32], mask = simt_stack_mask(&s->warp[warp].stack);
  if (guarded) mpu_regs_read(&s->regs, valid_file(s, warp, o->guard), warp, o->guard, row);
  for (unsigned i = 0; guarded && i < 32; i++)
    if (row[i] == (o->op->flags & SIMT_GUARD_NOT ? 1u : 0u)) mask &= ~(1u << i);
  const uint32_t id = o->op->members / 128; /* mpu_kernel_at */
  if (id < s->regs.kernel->rows) mpu_regs_read(&s->regs, valid_file(s, warp, id), warp, id, members);
  else memcpy(members, simt_src(far, o->op->members), sizeof members); /* no register */
  return simt_meet(k, k->units ? &s->calls[warp].calls : NULL, &s->warp[warp].stack, NULL, mask, members, wrong);
}

bool subcore_meets(subcore_t *s, unsigned warp, const mpu_op_t *o) {
  mpu_warp_t *w = &s->warp[warp];
  trouble_t wrong;
  switch (meet_threads(s, warp, o, &wrong)) {
  case SIMT_MEET_NOW: return true;
  case SIMT_MEET_PAST:
    s->base->stats.warp_instructions++;
    simt_stack_advance(&w->stack, simt_stack_pc(&w->stack) + 1);
    break;
  case SIMT_MEET_LATER: break;
  default: subcore_fault(s, &(mpu_inflight_t){.op = o, .warp = (uint8_t)warp}, "%s", wrong.text);
  }
  w->fetch = FETCH_LATER;
  return false;
}

/* A call that no thread makes is a step to the next instruction. False: a fault. */
static bool execute_call(subcore_t *s, const mpu_inflight_t *f) {
  mpu_warp_t *w = &s->warp[f->warp];
  trouble_t wrong;
  if (!f->mask) {
    simt_stack_advance(&w->stack, simt_stack_pc(&w->stack) + 1);
    return true;
  }
  const simt_called_t called = mpu_calls_enter(&s->calls[f->warp], &s->regs, f->warp, f->op->op, &w->stack, f->mask,
                                               subcore_local_bytes(s), valid_file, s, &wrong);
  if (called == SIMT_CALL_WRONG) subcore_fault(s, f, "%s", wrong.text);
  if (called == SIMT_CALL_MEMORY) trouble_fail(&s->base->fault, TROUBLE_ENVIRONMENT, "out of memory for calls");
  return called == SIMT_CALL_DONE;
}

/* Threads return or end; the warp is over with its last thread. */
static void leave_functions(subcore_t *s, const mpu_inflight_t *f) {
  mpu_warp_t *w = &s->warp[f->warp];
  const bool ends = f->op->op->kind == SIMT_EXIT;
  if (s->base->sh->run->simt.kernel->units)
    mpu_calls_leave(&s->calls[f->warp], &s->regs, f->warp, &w->stack, f->mask, ends);
  else simt_stack_exit(&w->stack, f->mask);
  if (simt_stack_mask(&w->stack)) return;
  w->live = false;
  s->events.exit(s->events.core, w->block);
}

/* The front end. Branches and the like set the pc, so the warp may issue again. */
static bool dispatch_front(subcore_t *s, mpu_inflight_t *f, unsigned tag) {
  mpu_warp_t *w = &s->warp[f->warp];
  const simt_op_t *op = f->op->op;
  w->resolving = false;
  switch (op->kind) {
  case SIMT_LOAD:
  case SIMT_STORE: return dispatch_ideal(s, f, tag);
  case SIMT_BRANCH:
    if (!execute_branch(s, f)) return false;
    break;
  case SIMT_CALL:
    if (!execute_call(s, f)) return false;
    break;
  case SIMT_RETURN:
  case SIMT_EXIT: leave_functions(s, f); break;
  case SIMT_BARRIER:
    simt_stack_advance(&w->stack, simt_stack_pc(&w->stack) + 1);
    if (f->mask) s->events.barrier(s->events.core, s->id, f->warp, f);
    break;
  case SIMT_TRAP:
    if (f->mask) subcore_fault(s, f, "was executed");
    simt_stack_advance(&w->stack, simt_stack_pc(&w->stack) + 1);
    break;
  default: break;
  }
  s->base->stats.far_instructions++;
  subcore_release(s, tag);
  return true;
}

bool subcore_dispatch(subcore_t *s, mpu_inflight_t *f, unsigned tag, bool near) {
  const mpu_op_t *o = f->op;
  f->mask = simt_guard(&s->regs.warp[f->warp].simt[FAR], o->op, f->active);
  f->near = near;
  switch (o->cls) {
  case MPU_OP_GLOBAL: return subcore_access(s, f, tag);
  case MPU_OP_SHARED:
    if (!(near ? dispatch_near_shared(s, f, tag) : dispatch_far_shared(s, f, tag))) return false;
    s->base->stats.shared_accesses++;
    s->base->stats.thread_instructions += (unsigned)__builtin_popcount(f->mask);
    return true;
  case MPU_OP_ATOMIC: return subcore_atomic(s, f, tag);
  case MPU_OP_ALU: return near ? dispatch_near_alu(s, f, tag) : dispatch_far_alu(s, f, tag);
  default: return dispatch_front(s, f, tag);
  }
}

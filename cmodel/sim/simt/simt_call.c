/* SPDX-License-Identifier: Apache-2.0
 *
 * Activations of a warp. A call starts a new reconvergence stack with the threads that call. The
 * caller's stack stands still until all of these threads have returned or ended. Threads that go to
 * another function through the same register call after that.
 *
 *   calls.at:       [kernel] [f] [g]        depth 3, g runs
 *   calls.frames:   stack of the kernel, stack of f
 *   calls.bytes:    block of the kernel, block of f, saved registers, block of g, ...
 */
#include "simt_call.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "simt_lanes.h"

/* Makes room for `need` elements of `each` bytes. The room at least doubles. */
static bool grow_array(void *data, uint64_t *room, uint64_t need, size_t each) {
  if (need <= *room) return true;
  const uint64_t more = need * 2 + 8;
  void *now = realloc(*(void **)data, more * each);
  if (!now) return false;
  *(void **)data = now;
  *room = more;
  return true;
}

static bool grow_array32(void *data, uint32_t *room, uint64_t need, size_t each) {
  uint64_t wide = *room;
  const bool there = grow_array(data, &wide, need, each);
  *room = (uint32_t)wide;
  return there;
}

/* Points the warp at the parameters and the stack of the running activation. */
static void show_activation(simt_calls_t *c, const simt_kernel_t *k, simt_warp_t *w) {
  const simt_activation_t *a = &c->at[c->depth - 1];
  w->frame = c->bytes + a->bytes;
  w->frame_stride = k->units[a->unit].param_bytes;
  w->frame_at = a->stack;
}

int simt_calls_begin(simt_calls_t *c, const simt_kernel_t *k, simt_warp_t *w) {
  const uint64_t bytes = 32 * (uint64_t)k->units[0].param_bytes;
  if (!grow_array32(&c->at, &c->room, 1, sizeof *c->at) || !grow_array(&c->bytes, &c->bytes_room, bytes + 1, 1))
    return -1;
  memset(c->bytes, 0, bytes);
  c->depth = 1, c->num_frames = 0, c->num_bytes = bytes, c->exited = 0;
  c->at[0] = (simt_activation_t){0};
  show_activation(c, k, w);
  return 0;
}

void simt_calls_free(simt_calls_t *c) {
  free(c->at);
  free(c->frames);
  free(c->bytes);
}

/* ---- Parameters and results ------------------------------------------------------------------ */

typedef struct {
  const ptx_operand_t *args, *rets;
  unsigned num_args, num_rets;
} lists_t;

/* Arguments and results of a call instruction: call (results), f, (arguments). */
static lists_t lists_of(const ptx_func_t *f, const ptx_instr_t *in) {
  const bool first = in->num_operands > 1 && in->operand[0].kind == PTX_OPND_LIST;
  const unsigned args = first + 1u;
  lists_t l = {0};
  if (first) l.rets = &f->elements[in->operand[0].first], l.num_rets = in->operand[0].count;
  if (args < in->num_operands && in->operand[args].kind == PTX_OPND_LIST)
    l.args = &f->elements[in->operand[args].first], l.num_args = in->operand[args].count;
  return l;
}

/* True if the variables given have as many entries as `vars`, each of the same size. */
static bool sizes_match(const ptx_module_t *m, const ptx_operand_t *given, unsigned count, const int32_t *vars,
                        uint32_t num) {
  if (count != num) return false;
  for (unsigned i = 0; i < count; i++)
    if (m->vars[given[i].index].size != m->vars[vars[i]].size) return false;
  return true;
}

bool simt_call_fits(const simt_kernel_t *k, const simt_unit_t *from, const ptx_instr_t *in, const simt_unit_t *to) {
  const lists_t l = lists_of(from->func, in);
  return sizes_match(k->module, l.args, l.num_args, to->func->params, to->func->num_params) &&
         sizes_match(k->module, l.rets, l.num_rets, to->func->rets, to->func->num_rets);
}

/* Copies a .param variable of the threads in `mask` from one activation's block to another's. */
static void pass_variable(const simt_kernel_t *k, const simt_unit_t *from, uint8_t *source, int32_t of,
                          const simt_unit_t *to, uint8_t *target, int32_t into, uint32_t mask) {
  uint32_t at, goes;
  simt_param_place(from, k->module, of, &at);
  simt_param_place(to, k->module, into, &goes);
  for (; mask; mask &= mask - 1) {
    const unsigned i = (unsigned)__builtin_ctz(mask);
    memcpy(target + i * to->param_bytes + goes, source + i * from->param_bytes + at, k->module->vars[of].size);
  }
}

void simt_param_load(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  for (; mask; mask &= mask - 1) {
    const unsigned i = (unsigned)__builtin_ctz(mask);
    for (unsigned e = 0; e < op->vec; e++) simt_write_element(w, op, e, i, w->frame + i * w->frame_stride + op->imm);
  }
}

void simt_param_store(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  for (; mask; mask &= mask - 1) {
    const unsigned i = (unsigned)__builtin_ctz(mask);
    simt_read_elements(w, op, i, w->frame + i * w->frame_stride + op->imm);
  }
}

void simt_frame_address32(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint32_t r[32];
  FOR_LANES r[i] = (uint32_t)(w->frame_at + (uint64_t)op->imm);
  commit32(w, op->d, r, mask);
}

void simt_frame_address64(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint64_t r[32];
  FOR_LANES r[i] = w->frame_at + (uint64_t)op->imm;
  commit64(w, op->d, r, mask);
}

/* ---- Calls ----------------------------------------------------------------------------------- */

/* The unit that the first thread of `mask` calls; *chosen are the threads that call the same
 * one. NULL: `wrong` says why. */
static const simt_unit_t *find_callee(const simt_kernel_t *k, const simt_op_t *op, const simt_unit_t *from,
                                      const simt_warp_t *w, uint32_t mask, uint32_t *chosen, trouble_t *wrong) {
  *chosen = mask;
  if (op->a == SIMT_NO_OPERAND) return &k->units[op->target];
  const bool wide = !(op->flags & SIMT_ADDR32);
  const void *registers = simt_src(w, op->a);
  uint64_t address[32];
  FOR_LANES address[i] = wide ? ((const uint64_t *)registers)[i] : ((const uint32_t *)registers)[i];
  const uint64_t to = address[__builtin_ctz(mask)];
  *chosen = 0;
  for (uint32_t m = mask; m; m &= m - 1)
    if (address[__builtin_ctz(m)] == to) *chosen |= m & -m;
  for (uint32_t u = 1; u < k->num_units; u++) {
    if (simt_function_address((uint32_t)(k->units[u].func - k->module->funcs)) != to) continue;
    if (simt_call_fits(k, from, &from->func->instrs[op->index], &k->units[u])) return &k->units[u];
    trouble_set(wrong, TROUBLE_INPUT,
                "calls %.80s through a register, whose parameters or results are others than those of the call",
                k->units[u].func->name);
    return NULL;
  }
  trouble_set(wrong, TROUBLE_INPUT, "calls address 0x%" PRIx64 ", which is no function's", to);
  return NULL;
}

/* Checks the stack, saves the caller's frames and a recursive callee's registers, passes
 * arguments, and starts the callee. The caller's frames already stand behind the call. */
simt_called_t simt_calls_enter(simt_calls_t *c, const simt_kernel_t *k, const simt_op_t *op, simt_warp_t *w,
                               simt_stack_t *s, uint32_t mask, uint64_t stack, trouble_t *wrong) {
  const uint32_t unit = c->at[c->depth - 1].unit, pc = simt_stack_pc(s);
  const simt_unit_t *from = &k->units[unit];
  uint32_t chosen;
  const simt_unit_t *to = find_callee(k, op, from, w, mask, &chosen, wrong);
  if (!to) return SIMT_CALL_WRONG;
  const uint64_t place = c->at[c->depth - 1].stack + from->stack_bytes, params = 32 * (uint64_t)to->param_bytes,
                 saved = to->recursive ? to->reg_bytes : 0;
  if (place + to->stack_bytes > stack) {
    trouble_set(wrong, TROUBLE_INPUT,
                "has no room in its stack of %" PRIu64
                " bytes for a call of %.80s, of %u calls deep; a larger %s would be right",
                stack - k->units[0].stack_bytes, to->func->name, c->depth, c->stack_key ? c->stack_key : "gpu.stack");
    return SIMT_CALL_WRONG;
  }
  if (chosen == mask) simt_stack_advance(s, pc + 1);
  else simt_stack_choose(s, chosen, pc + 1, pc + 1);
  if (!grow_array32(&c->at, &c->room, c->depth + 1, sizeof *c->at) ||
      !grow_array32(&c->frames, &c->frames_room, c->num_frames + s->top + 1, sizeof *c->frames) ||
      !grow_array(&c->bytes, &c->bytes_room, c->num_bytes + params + saved + 1, 1))
    return SIMT_CALL_MEMORY;
  memcpy(c->frames + c->num_frames, s->frame, (s->top + 1) * sizeof *s->frame);
  c->num_frames += s->top + 1;
  c->at[c->depth++] = (simt_activation_t){.unit = (uint32_t)(to - k->units),
                                          .frames = s->top + 1,
                                          .bytes = c->num_bytes,
                                          .saved = c->num_bytes + params,
                                          .stack = place,
                                          .call = op,
                                          .mask = chosen};
  memset(c->bytes + c->num_bytes, 0, params);
  c->num_bytes += params + saved;
  if (saved) memcpy(c->bytes + c->at[c->depth - 1].saved, w->base[0] + to->reg_at, saved);
  const lists_t l = lists_of(from->func, &from->func->instrs[op->index]);
  for (unsigned i = 0; i < l.num_args; i++)
    pass_variable(k, from, c->bytes + c->at[c->depth - 2].bytes, l.args[i].index, to,
                  c->bytes + c->at[c->depth - 1].bytes, to->func->params[i], chosen);
  const uint32_t met = s->met; /* in frames of the caller */
  const bool loose = s->loose;
  simt_stack_init(s, chosen);
  s->met = met, s->loose = loose;
  s->frame[0].pc = to->first;
  show_activation(c, k, w);
  return SIMT_CALL_DONE;
}

/* The last thread has left: restores registers and frames of the caller. Threads that have ended
 * meanwhile are removed. */
static void resume_caller(simt_calls_t *c, const simt_kernel_t *k, simt_warp_t *w, simt_stack_t *s) {
  const simt_activation_t *a = &c->at[--c->depth];
  const simt_unit_t *u = &k->units[a->unit];
  if (u->recursive) memcpy(w->base[0] + u->reg_at, c->bytes + a->saved, u->reg_bytes);
  c->num_bytes = a->bytes;
  c->num_frames -= a->frames;
  memcpy(s->frame, c->frames + c->num_frames, a->frames * sizeof *s->frame);
  s->top = a->frames - 1;
  for (unsigned i = 0; i <= s->top; i++) s->frame[i].mask &= ~c->exited;
  simt_stack_advance(s, simt_stack_pc(s));
  show_activation(c, k, w);
}

/* One exit may leave several activations, if all their threads have ended. */
const simt_unit_t *simt_calls_leave(simt_calls_t *c, const simt_kernel_t *k, simt_warp_t *w, simt_stack_t *s,
                                    uint32_t mask, bool ends) {
  const simt_unit_t *left = NULL;
  const simt_activation_t *a = &c->at[c->depth - 1];
  if (ends) c->exited |= mask;
  if (!ends && c->depth > 1) {
    const simt_unit_t *from = &k->units[a->unit], *to = &k->units[a[-1].unit];
    const lists_t l = lists_of(to->func, &to->func->instrs[a->call->index]);
    for (unsigned i = 0; i < l.num_rets; i++)
      pass_variable(k, from, c->bytes + a->bytes, from->func->rets[i], to, c->bytes + a[-1].bytes, l.rets[i].index,
                    mask);
  }
  simt_stack_exit(s, mask);
  while (c->depth > 1 && !simt_stack_mask(s)) {
    left = &k->units[c->at[c->depth - 1].unit];
    resume_caller(c, k, w, s);
  }
  return left;
}

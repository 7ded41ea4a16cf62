/* SPDX-License-Identifier: Apache-2.0
 *
 * The linker: which functions a kernel may reach, where their code and registers are, and how deep
 * their calls go. A call through a register may reach every function of the module whose address is
 * taken.
 *
 * Unit 0 is the kernel. Edges are calls: edge[from * most + to].
 */
#include <stdlib.h>
#include <string.h>

#include "simt_call.h"
#include "simt_regs.h"

typedef struct {
  const ptx_module_t *m;
  uint8_t *taken;  /* functions whose address is taken */
  uint8_t *edge;   /* [unit][unit] */
  uint32_t *units; /* of each function; 0: not a function */
  simt_kernel_t *k;
} linker_t;

/* Marks the functions in an operand, or in a list of operands, as having their address taken. */
static void take_addresses(linker_t *l, const ptx_func_t *f, const ptx_operand_t *o) {
  if (o->kind == PTX_OPND_FUNC) l->taken[o->index] = 1;
  for (unsigned e = 0; e < o->count; e++) take_addresses(l, f, &f->elements[o->first + e]);
}

/* Addresses are taken by variables' initialisers, and by all instructions but call. */
static void find_taken(linker_t *l) {
  const ptx_module_t *m = l->m;
  for (uint32_t v = 0; v < m->num_vars; v++)
    for (uint32_t r = 0; r < m->vars[v].num_relocs; r++)
      if (m->vars[v].relocs[r].func != PTX_NONE) l->taken[m->vars[v].relocs[r].func] = 1;
  for (uint32_t i = 0; i < m->num_funcs; i++) {
    const ptx_func_t *f = &m->funcs[i];
    for (uint32_t n = 0; n < f->num_instrs; n++)
      for (unsigned o = 0; f->instrs[n].op != PTX_OP_call && o < f->instrs[n].num_operands; o++)
        take_addresses(l, f, &f->instrs[n].operand[o]);
  }
}

/* Unit of a function, made if it is new. */
static uint32_t unit_of(linker_t *l, uint32_t func) {
  if (!l->units[func]) {
    l->units[func] = l->k->num_units;
    l->k->units[l->k->num_units++].func = &l->m->funcs[func];
  }
  return l->units[func];
}

/* Edges of a unit. */
static void find_calls(linker_t *l, uint32_t unit, uint32_t most) {
  const ptx_func_t *f = l->k->units[unit].func;
  for (uint32_t n = 0; n < f->num_instrs; n++) {
    const ptx_instr_t *in = &f->instrs[n];
    if (in->op != PTX_OP_call) continue;
    const ptx_operand_t *to = &in->operand[in->operand[0].kind == PTX_OPND_LIST && in->num_operands > 1];
    for (uint32_t g = 0; g < l->m->num_funcs; g++) {
      const bool goes = to->kind == PTX_OPND_FUNC ? (uint32_t)to->index == g : l->taken[g];
      if (goes && l->m->funcs[g].defined && !l->m->funcs[g].is_kernel) l->edge[unit * most + unit_of(l, g)] = 1;
    }
  }
}

/* Marks the units that calls lead to from a unit. The unit itself is one of them if it recurses. */
static void mark_reached(const linker_t *l, uint32_t most, uint32_t from, uint8_t *reached) {
  for (uint32_t g = 0; g < l->k->num_units; g++) {
    if (!l->edge[from * most + g] || reached[g]) continue;
    reached[g] = 1;
    mark_reached(l, most, g, reached);
  }
}

/* What chains of calls cost. Units that call each other, however indirectly, may all be in one
 * chain, so such a group costs the sum of its units; groups cannot form a circle. */
typedef struct {
  const linker_t *l;
  uint32_t most;
  uint8_t *reached; /* [unit][unit] */
  uint64_t *known;  /* of each unit: 1 + the cost of its most expensive chain; 0: not known yet */
  bool stack;       /* the cost is stack bytes, else registers */
} chains_t;

static bool in_one_group(const chains_t *c, uint32_t a, uint32_t b) {
  return a == b || (c->reached[a * c->most + b] && c->reached[b * c->most + a]);
}

/* The cost of the most expensive chain of calls from a unit. Units in it count once. */
static uint64_t worst_chain(const chains_t *c, uint32_t unit) {
  const simt_kernel_t *k = c->l->k;
  uint64_t group = 0, worst = 0;
  if (c->known[unit]) return c->known[unit] - 1;
  for (uint32_t u = 0; u < k->num_units; u++) {
    if (!in_one_group(c, unit, u)) continue;
    group += c->stack ? k->units[u].stack_bytes : k->units[u].hw_regs;
    for (uint32_t g = 0; g < k->num_units; g++) {
      if (!c->l->edge[u * c->most + g] || in_one_group(c, unit, g)) continue;
      const uint64_t behind = worst_chain(c, g);
      if (behind > worst) worst = behind;
    }
  }
  c->known[unit] = group + worst + 1;
  return group + worst;
}

/* Size of a part of an activation's block, in multiples of 16. */
static uint32_t block_bytes(const ptx_module_t *m, const int32_t *vars, uint32_t count) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < count; i++) {
    const ptx_var_t *v = &m->vars[vars[i]];
    if (v->offset + v->size > bytes) bytes = v->offset + v->size;
  }
  return (uint32_t)(bytes + 15) / 16 * 16;
}

/* Registers at the caller's places. */
static int copy_registers(simt_unit_t *u, const simt_reg_t *regs) {
  u->regs = calloc(u->func->num_regs + 1, sizeof *u->regs);
  if (!u->regs) return -1;
  memcpy(u->regs, regs, u->func->num_regs * sizeof *u->regs);
  return 0;
}

/* Registers behind those of the units before. */
static int assign_registers(simt_kernel_t *k, simt_unit_t *u) {
  simt_kernel_t own = {.module = k->module, .func = u->func};
  if (simt_regs_assign(&own)) return -1;
  for (uint32_t r = 0; r < u->func->num_regs; r++) {
    if (own.regs[r].at == SIMT_NO_OPERAND) continue;
    own.regs[r].at += k->reg_bytes;
    own.regs[r].slot = (uint16_t)(own.regs[r].slot + k->num_slots);
  }
  u->regs = own.regs, u->reg_at = k->reg_bytes, u->reg_bytes = own.reg_bytes, u->hw_regs = own.hw_regs;
  k->reg_bytes += (own.reg_bytes + 255) / 256 * 256;
  k->num_slots += own.num_slots;
  return 0;
}

/* Code, registers and block of a unit. The kernel's own parameters are constants, not part of a
 * block. */
static int place_unit(simt_kernel_t *k, simt_unit_t *u, const simt_placement_t *placement, uint32_t *code) {
  const bool kernel = u == k->units;
  if (placement ? copy_registers(u, placement->units[u - k->units]) : assign_registers(k, u)) return -1;
  u->first = *code;
  *code += u->func->num_instrs + 1;
  u->rets_at = kernel ? 0 : block_bytes(k->module, u->func->params, u->func->num_params);
  u->calls_at = u->rets_at + block_bytes(k->module, u->func->rets, u->func->num_rets);
  u->param_bytes = u->calls_at + (uint32_t)(u->func->call_param_bytes + 15) / 16 * 16;
  u->stack_bytes = (uint32_t)(u->func->local_bytes + 15) / 16 * 16 + (kernel ? 0 : 16);
  return 0;
}

/* Calls, places and limits of all units. Units grow while calls are found. */
static int link_all(linker_t *l, uint32_t most, const simt_placement_t *placement) {
  simt_kernel_t *k = l->k;
  chains_t c = {l, most, calloc((size_t)most * most, 1), calloc(2 * most, sizeof *c.known), false};
  int status = c.reached && c.known ? 0 : -1;
  for (uint32_t u = 0; !status && u < k->num_units; u++) find_calls(l, u, most);
  for (uint32_t u = 0; !status && u < k->num_units; u++) status = place_unit(k, &k->units[u], placement, &k->num_ops);
  for (uint32_t u = 0; !status && u < k->num_units; u++) {
    mark_reached(l, most, u, &c.reached[u * most]);
    k->units[u].recursive = c.reached[u * most + u];
    k->recursive |= k->units[u].recursive;
  }
  if (!status) {
    k->hw_regs = (uint32_t)worst_chain(&c, 0);
    chains_t bytes = c;
    bytes.known += most, bytes.stack = true;
    k->stack_bytes = worst_chain(&bytes, 0);
    if (placement)
      k->reg_bytes = placement->reg_bytes, k->num_slots = placement->num_slots, k->hw_regs = placement->hw_regs;
  }
  free(c.reached);
  free(c.known);
  return status;
}

bool simt_calls_any(const ptx_func_t *f) {
  for (uint32_t i = 0; i < f->num_instrs; i++)
    if (f->instrs[i].op == PTX_OP_call) return true;
  return false;
}

int simt_link(simt_kernel_t *k, const simt_placement_t *placement, trouble_t *err) {
  const uint32_t most = k->module->num_funcs + 1;
  linker_t l = {k->module, calloc(most, 1), calloc((size_t)most * most, 1), calloc(most, sizeof *l.units), k};
  k->units = calloc(most, sizeof *k->units);
  k->num_ops = 0;
  int status = -1;
  if (l.taken && l.edge && l.units && k->units) {
    find_taken(&l);
    k->num_units = 1;
    k->units[0].func = k->func;
    status = link_all(&l, most, placement);
  }
  free(l.taken);
  free(l.edge);
  free(l.units);
  return status ? trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory") : 0;
}

void simt_unlink(simt_kernel_t *k) {
  for (uint32_t u = 0; k->units && u < k->num_units; u++) free(k->units[u].regs);
  free(k->units);
}

/* Units are in the order of their code. */
const simt_unit_t *simt_unit_at(const simt_kernel_t *k, uint32_t pc) {
  uint32_t u = k->num_units - 1;
  while (k->units[u].first > pc) u--;
  return &k->units[u];
}

/* Recursion has no bound, so the configuration gives the stack of recursive kernels. */
uint64_t simt_stack_bytes(const simt_kernel_t *k, uint64_t stack) {
  if (k->num_units < 2) return k->func->local_bytes;
  return k->recursive ? k->units[0].stack_bytes + stack : k->stack_bytes;
}

bool simt_param_place(const simt_unit_t *u, const ptx_module_t *m, int32_t var, uint32_t *at) {
  const ptx_var_t *v = &m->vars[var];
  *at = (uint32_t)v->offset;
  if (v->is_call_param) *at += u->calls_at;
  for (uint32_t i = 0; i < u->func->num_rets; i++)
    if (u->func->rets[i] == var) *at += u->rets_at;
  return v->is_call_param || !u->func->is_kernel;
}

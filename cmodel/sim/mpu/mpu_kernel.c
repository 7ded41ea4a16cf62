/* SPDX-License-Identifier: Apache-2.0 */
#include "mpu_kernel.h"

#include "mpu_ops.h"

#include <stdlib.h>

/* ---- Registers ------------------------------------------------------------------------------- */

/* Gives each pair of rows that a 64-bit register has a place of 256 bytes in the warp's file,
 * behind all other registers. Returns the new end of the file. */
static uint32_t place_pairs(const mpu_maker_t *m, uint32_t end) {
  mpu_kernel_t *k = m->k;
  for (uint32_t i = 0; i < m->f->num_regs; i++) {
    const int id = mpu_maker_id(m, (int32_t)i);
    if (id < 0 || !mpu_maker_wide(m, (int32_t)i) || k->pair_at[id / 2]) continue;
    k->pair_at[id / 2] = end;
    end += 256;
  }
  return end;
}

/* Bytes of a thread's value in the simt functions' files; what is smaller than a word takes a
 * word. */
static unsigned reg_bytes(ptx_type_t type) {
  if (type == PTX_PRED) return 1;
  return ptx_type_bytes(type) <= 4 ? 4 : ptx_type_bytes(type);
}

/* Where the simt functions find each register of the function in work. *end: bytes of the
 * register file so far. A register that is never used has no place. NULL: out of memory. */
static simt_reg_t *place_registers(const mpu_maker_t *m, uint32_t *end) {
  const mpu_kernel_t *k = m->k;
  *end = place_pairs(m, *end);
  simt_reg_t *regs = calloc(m->f->num_regs + 1, sizeof *regs);
  for (uint32_t i = 0; regs && i < m->f->num_regs; i++) {
    const mpu_reg_t *r = &m->unit->program->regs[i];
    unsigned bytes = reg_bytes(m->f->regs[i].type);
    int id = mpu_maker_id(m, (int32_t)i);
    if (r->row < 0) regs[i] = (simt_reg_t){SIMT_NO_OPERAND, SIMT_NO_SLOT, (uint8_t)bytes};
    else
      regs[i] = (simt_reg_t){r->rows == 2 ? mpu_kernel_wide_at(k, (unsigned)id) : mpu_kernel_at(k, (unsigned)id),
                             (uint16_t)id, (uint8_t)bytes};
  }
  return regs;
}

/* ---- Functions ------------------------------------------------------------------------------- */

/* Compiles a function with the policy and options of another program, `as`. */
static mpu_program_t *compile_function(const mpu_maker_t *m, const ptx_func_t *f, const mpu_program_t *as) {
  mpu_compile_error_t err;
  mpu_program_t *p = mpu_compile_for(f, as->policy, as->smem_near, as->local_ideal, as->constant_ideal, &err);
  if (!p) trouble_fail(m->err, err.trouble.kind, "%s", err.trouble.text);
  return p;
}

/* Makes the kernel's units: the kernel, whose program is there, and each function that it may
 * call. */
static int find_units(mpu_maker_t *m) {
  mpu_kernel_t *k = m->k;
  simt_kernel_t linked = {.module = m->module, .func = k->program->func};
  int status = simt_calls_any(linked.func) ? simt_link(&linked, NULL, m->err) : 0;
  const uint32_t number = linked.num_units ? linked.num_units : 1;
  k->units = calloc(number, sizeof *k->units);
  if (!status && !k->units) status = trouble_fail(m->err, TROUBLE_ENVIRONMENT, "out of memory");
  for (uint32_t u = 0; !status && u < number; u++) {
    k->units[u].program = u ? compile_function(m, linked.units[u].func, k->program) : k->program;
    if (!k->units[u].program) status = -1;
    else k->num_units++;
  }
  simt_unlink(&linked);
  return status;
}

/* Two rows behind all others, for data of stores that are in no register. */
static void add_scratch(mpu_kernel_t *k) {
  k->scratch = k->rows ? (k->rows + 1) / 2 * 2 : 2;
  k->rows = k->scratch + 2;
  k->far_rows += 2, k->near_rows += 2;
}

/* Gives all registers numbers: rows of all functions, then predicates of all. A kernel that
 * needs more than MPU_MAX_IDS of them is refused. */
static int number_registers(const mpu_maker_t *m) {
  mpu_kernel_t *k = m->k;
  uint32_t predicates = 0;
  for (uint32_t u = 0; u < k->num_units; u++) {
    mpu_unit_t *unit = &k->units[u];
    const mpu_program_t *p = unit->program;
    const uint32_t rows = p->near_only + p->both + p->far_only;
    unit->row = (k->rows + 1) / 2 * 2, unit->rows = rows; /* pairs are even */
    unit->predicate = predicates, unit->predicates = p->predicates;
    k->rows = unit->row + rows;
    predicates += p->predicates;
    k->far_rows += p->far_rows, k->near_rows += p->near_rows, k->near_predicates += p->near_predicates;
  }
  for (uint32_t u = 0; u < k->num_units && !k->scratch; u++) {
    const ptx_func_t *f = k->units[u].program->func;
    for (uint32_t i = 0; i < f->num_instrs && !k->scratch; i++)
      if (mpu_ops_need_scratch(f, &f->instrs[i])) add_scratch(k);
  }
  k->ids = k->rows + predicates;
  if (k->ids <= MPU_MAX_IDS) return 0;
  return trouble_fail(m->err, TROUBLE_INPUT,
                      "kernel %s: %s needs %u registers a thread and %u predicates; at most %u together have a number",
                      k->program->func->name, k->num_units > 1 ? "with what it may call" : "it", k->rows, predicates,
                      MPU_MAX_IDS);
}

/* Decodes the kernel for the simt functions, with registers where place_registers puts them. */
static int decode_kernel(mpu_maker_t *m, simt_reg_t **regs) {
  mpu_kernel_t *k = m->k;
  uint32_t end = (k->rows * 128 + (k->ids - k->rows) * 4 + 127) / 128 * 128;
  for (uint32_t u = 0; u < k->num_units; u++) {
    mpu_maker_turn(m, u);
    if (!(regs[u] = place_registers(m, &end))) return trouble_fail(m->err, TROUBLE_ENVIRONMENT, "out of memory");
  }
  if (k->scratch) k->pair_at[k->scratch / 2] = end, end += 256;
  const simt_placement_t placement = {.regs = regs[0],
                                      .reg_bytes = end,
                                      .num_slots = k->ids,
                                      .hw_regs = k->rows,
                                      .units = (const simt_reg_t *const *)regs,
                                      .machine = MPU_MACHINE,
                                      .page = MPU_PAGE,
                                      .refusals = m->refusals};
  k->simt = simt_decode_placed(m->module, k->program->func, &placement, m->err);
  return k->simt ? 0 : -1;
}

/* The steps from a compiled program to a kernel that subcores execute. */
static int make_kernel(mpu_maker_t *m) {
  simt_reg_t **regs = NULL;
  int status = find_units(m) || number_registers(m) ? -1 : 0;
  if (!status && !(regs = calloc(m->k->num_units, sizeof *regs)))
    status = trouble_fail(m->err, TROUBLE_ENVIRONMENT, "out of memory");
  if (!status) status = decode_kernel(m, regs);
  if (!status) status = mpu_ops_make(m);
  for (uint32_t u = 0; regs && u < m->k->num_units; u++) free(regs[u]);
  free(regs);
  return status;
}

mpu_kernel_t *mpu_kernel_new(const ptx_module_t *module, const ptx_func_t *func, mpu_policy_t policy, bool smem_near,
                             bool local_ideal, bool constant_ideal, trouble_t *err) {
  const mpu_program_t as = {
      .policy = policy, .smem_near = smem_near, .local_ideal = local_ideal, .constant_ideal = constant_ideal};
  mpu_maker_t m = {.k = calloc(1, sizeof *m.k), .module = module, .err = err};
  if (!m.k) trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  else if ((m.k->program = compile_function(&m, func, &as)) && !make_kernel(&m)) return m.k;
  mpu_kernel_free(m.k);
  return NULL;
}

int mpu_kernel_look(const ptx_module_t *module, mpu_program_t *program, const simt_refusals_t *refusals,
                    trouble_t *err) {
  mpu_maker_t m = {.k = calloc(1, sizeof *m.k), .module = module, .err = err, .refusals = refusals};
  if (!m.k) return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  m.k->program = program;
  const int status = make_kernel(&m);
  m.k->program = NULL; /* the caller's */
  mpu_kernel_free(m.k);
  return status;
}

void mpu_kernel_free(mpu_kernel_t *k) {
  if (!k) return;
  simt_kernel_free(k->simt);
  for (uint32_t u = 1; u < k->num_units; u++) mpu_program_free(k->units[u].program);
  free(k->units);
  mpu_program_free(k->program);
  free(k->ops);
  free(k->parts);
  free(k->first);
  free(k);
}

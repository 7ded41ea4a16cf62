/* SPDX-License-Identifier: Apache-2.0
 *
 * The stages in their order (MPU paper, Fig. 6). Branch analysis and liveness have been done by
 * the PTX reader.
 *
 *    value predicates -> operands -> locations -> rows -> shares
 *    mpu_predicates     mpu_operands  mpu_location  mpu_graph, mpu_colour
 */
#include "mpu_compiler.h"

#include <stdlib.h>
#include <string.h>

#include "mpu_internal.h"

static const char *const policy_names[] = {"annotated", "default", "near", "far"};

const char *mpu_policy_name(mpu_policy_t policy) {
  return policy < MPU_NUM_POLICIES ? policy_names[policy] : "?";
}

bool mpu_policy_find(const char *name, mpu_policy_t *policy) {
  for (unsigned i = 0; i < MPU_NUM_POLICIES; i++) {
    if (strcmp(name, policy_names[i]) != 0) continue;
    *policy = (mpu_policy_t)i;
    return true;
  }
  return false;
}

const char *mpu_loc_name(mpu_loc_t loc) {
  static const char *const names[] = {"U", "N", "F", "B"};
  return loc <= MPU_B ? names[loc] : "?";
}

/* The line of the first instruction that names the register; the function's, if none does. */
static int line_of_use(const ptx_func_t *func, int32_t reg) {
  int32_t regs[2 * PTX_MAX_INSTR_REGS];
  for (uint32_t i = 0; i < func->num_instrs; i++) {
    unsigned n = ptx_defs(func, &func->instrs[i], regs, PTX_MAX_INSTR_REGS);
    n += ptx_uses(func, &func->instrs[i], regs + n, PTX_MAX_INSTR_REGS);
    for (unsigned k = 0; k < n; k++)
      if (regs[k] == reg) return func->instrs[i].line;
  }
  return func->line;
}

/* Rows by type, before locations are known. */
static void size_registers(mpu_program_t *p) {
  for (uint32_t r = 0; r < p->func->num_regs; r++) {
    ptx_type_t type = p->func->regs[r].type;
    const uint8_t words = ptx_type_bytes(type) > 4 ? 2 : 1;
    p->regs[r] = (mpu_reg_t){.row = -1, .rows = type == PTX_PRED ? 0 : words};
  }
}

/* Registers of 128 bits have no rows. Only those in reachable code are refused. */
static bool check_sizes(const mpu_program_t *p, mpu_compile_error_t *err) {
  for (uint32_t r = 0; r < p->func->num_regs; r++) {
    const ptx_reg_t *reg = &p->func->regs[r];
    unsigned bytes = ptx_type_bytes(reg->type);
    if (bytes <= 8 || p->regs[r].loc == MPU_U) continue;
    err->line = line_of_use(p->func, (int32_t)r);
    return trouble_set(&err->trouble, TROUBLE_INPUT, "kernel %s, line %d: register %s has %u bits, at most 64",
                       p->func->name, err->line, reg->name, 8 * bytes);
  }
  return true;
}

/* The counts of Fig. 14. */
static void count_shares(mpu_program_t *p) {
  for (uint32_t r = 0; r < p->func->num_regs; r++) {
    p->shares.regs[p->regs[r].loc]++;
    p->shares.annotated[p->regs[r].annotated]++;
  }
  for (uint32_t i = 0; i < p->func->num_instrs; i++)
    if (p->func->blocks[p->func->instrs[i].block].reachable) p->shares.instrs[p->instrs[i].place]++;
}

mpu_program_t *mpu_compile_for(const ptx_func_t *func, mpu_policy_t policy, bool smem_near, bool local_ideal,
                               bool constant_ideal, mpu_compile_error_t *err) {
  mpu_program_t *p = calloc(1, sizeof *p);
  operands_t o = {0};
  *err = (mpu_compile_error_t){.line = 0};
  if (p) {
    *p = (mpu_program_t){.func = func,
                         .policy = policy,
                         .smem_near = smem_near,
                         .local_ideal = local_ideal,
                         .constant_ideal = constant_ideal,
                         .regs = calloc(func->num_regs + 1, sizeof *p->regs),
                         .instrs = calloc(func->num_instrs + 1, sizeof *p->instrs)};
  }
  uint8_t *values = calloc(func->num_regs + 1, 1);
  bool ok = p && p->regs && p->instrs && values && mpu_value_predicates(p, values) && operands_make(&o, p, values);
  free(values);
  if (ok) size_registers(p);
  ok = ok && mpu_locate(p, &o) && check_sizes(p, err) && mpu_allocate(p, err);
  operands_free(&o);
  if (ok) {
    count_shares(p);
    return p;
  }
  /* sets the text only if no stage has */
  trouble_fail(&err->trouble, TROUBLE_ENVIRONMENT, "kernel %s: out of memory", func->name);
  mpu_program_free(p);
  return NULL;
}

mpu_program_t *mpu_compile_smem(const ptx_func_t *func, mpu_policy_t policy, bool smem_near, mpu_compile_error_t *err) {
  return mpu_compile_for(func, policy, smem_near, false, false, err);
}

mpu_program_t *mpu_compile(const ptx_func_t *func, mpu_policy_t policy, mpu_compile_error_t *err) {
  return mpu_compile_smem(func, policy, true, err);
}

void mpu_program_free(mpu_program_t *p) {
  if (!p) return;
  free(p->regs);
  free(p->instrs);
  free(p);
}

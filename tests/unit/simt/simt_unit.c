/* SPDX-License-Identifier: Apache-2.0
 *
 * Units of simt_unit.h. A register's lanes lie side by side: eight or four bytes each, a
 * bit for a predicate.
 */
#include "simt_unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt_module.h"
#include "unit_test.h"

static const char *const prefixes[UNIT_CLASSES] = {"%p", "%rs", "%r", "%rd", "%f", "%fd"};

/* Registers that no instruction names have no place, and stay NULL. */
static void find_operands(unit_t *u) {
  for (unsigned p = 0; p < UNIT_CLASSES; p++)
    for (unsigned k = 0; k < 4; k++) {
      char name[8];
      snprintf(name, sizeof name, "%s%u", prefixes[p], k + 1);
      const simt_reg_t *r = reg_of(u, name);
      u->operand[p][k] = r && r->at != SIMT_NO_OPERAND ? r : NULL;
    }
}

unit_t unit_new(const char *instr, trouble_t *err) {
  char text[1024];
  unit_t u = {0};
  ptx_error_t perr = {0};
  int n = snprintf(
      text, sizeof text,
      ".version 6.0\n.target sm_35\n.address_size 64\n.visible .entry t(.param .u64 p)\n{\n.reg .pred %%p<8>;\n"
      ".reg .b16 %%rs<8>;\n.reg .b32 %%r<8>;\n.reg .b64 %%rd<8>;\n.reg .f32 %%f<8>;\n.reg .f64 %%fd<8>;\n%s\nret;\n}\n",
      instr);
  u.module = ptx_parse(text, (size_t)n, "unit.ptx", &perr);
  if (!u.module) fail_msg("%s: %s", instr, perr.trouble.text);
  u.kernel = simt_decode(u.module, ptx_find_kernel(u.module, NULL), err);
  if (!u.kernel) return u;
  u.regs = aligned_alloc(64, u.kernel->reg_bytes + 64);
  memset(u.regs, 0, u.kernel->reg_bytes);
  u.konsts = aligned_alloc(64, (u.kernel->konst_bytes + 127) / 64 * 64);
  uint8_t param[8] = {1, 2, 3, 4, 5, 6, 7, 0x88};
  /* parameters are the bytes 1 to 7 and 0x88, variables begin at 256 MB */
  simt_fill_consts(u.kernel, u.konsts, param, &(simt_variables_t){.global_base = 0x10000000});
  find_operands(&u);
  u.warp = (simt_warp_t){.base = {u.regs, u.konsts}, .clock = UNIT_CLOCK, .nanoseconds = UNIT_NANOSECONDS};
  return u;
}

/* A unit that has to exist: the test fails where the decoder refuses it. */
unit_t executed_unit(const char *text) {
  trouble_t err = {0};
  unit_t u = unit_new(text, &err);
  if (!u.kernel) fail_msg("%s: %s", text, err.text);
  return u;
}

void unit_free(unit_t *u) {
  simt_kernel_free(u->kernel);
  ptx_free(u->module);
  free(u->regs);
  free(u->konsts);
}

const simt_reg_t *reg_of(const unit_t *u, const char *name) {
  const ptx_func_t *f = u->kernel->func;
  for (uint32_t i = 0; i < f->num_regs; i++)
    if (!strcmp(f->regs[i].name, name)) return &u->kernel->regs[i];
  return NULL;
}

void set_lane(unit_t *u, const simt_reg_t *r, unsigned lane, uint64_t value, bool narrow) {
  uint8_t *at = u->regs + r->at;
  if (r->bytes == 8) ((uint64_t *)at)[lane] = value;
  else if (r->bytes == 4) ((uint32_t *)at)[lane] = narrow ? (uint16_t)value : (uint32_t)value;
  else *(uint32_t *)at = (*(uint32_t *)at & ~(1u << lane)) | (uint32_t)(value & 1) << lane;
}

uint64_t get_lane(const unit_t *u, const simt_reg_t *r, unsigned lane) {
  const uint8_t *at = u->regs + r->at;
  if (r->bytes == 8) return ((const uint64_t *)at)[lane];
  if (r->bytes == 4) return ((const uint32_t *)at)[lane];
  return *(const uint32_t *)at >> lane & 1;
}

void set_operands(unit_t *u, unsigned lane, const uint64_t *v) {
  for (unsigned p = 0; p < UNIT_CLASSES; p++)
    for (unsigned k = 0; k < 4; k++)
      if (u->operand[p][k]) set_lane(u, u->operand[p][k], lane, v[k], p == 1);
}

const simt_reg_t *result_of(const unit_t *u) {
  for (unsigned p = 0; p < 6; p++) {
    char name[8];
    snprintf(name, sizeof name, "%s0", prefixes[p]);
    const simt_reg_t *r = reg_of(u, name);
    if (r && r->at != SIMT_NO_OPERAND) return r;
  }
  return NULL;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * What is settled before a warp runs: the size of a launch, the bytes of variables, the registers a
 * kernel needs, accesses as they are decoded.
 */
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "simt_module.h"
#include "simt_unit.h"
#include "unit_test.h"

/* ---- Launch ---------------------------------------------------------------------------------- */

/* 2^20 threads a block, 2^40 blocks, in any shape. */
static void test_launch(void **state) {
  (void)state;
  enum { M = 1 << 20 };
  static const struct {
    uint32_t grid[3], block[3];
    bool taken;
  } row[] = {
      {{1, 1, 1}, {1, 1, 1}, true},
      {{M, M, 1}, {1, 1, 1}, true},
      {{M, 1, M}, {1, 1, 1}, true},
      {{1 << 30, 1 << 10, 1}, {1, 1, 1}, true},
      {{1, 1, 1}, {M, 1, 1}, true},
      {{1, 1, 1}, {1 << 10, 1, 1 << 10}, true},
      {{M, M, 2}, {1, 1, 1}, false},
      {{2, M, M}, {1, 1, 1}, false},
      {{M, M + 1, 1}, {1, 1, 1}, false},
      {{M, M, M}, {1, 1, 1}, false},
      {{1, 1, 1}, {M + 1, 1, 1}, false},
      {{1, 1, 1}, {M, 1, 2}, false},
      {{1, 1, 1}, {1 << 10, 1 << 10, 2}, false},
      {{0, 1, 1}, {1, 1, 1}, false},
      {{1, 1, 1}, {1, 1, 0}, false},
  };
  const uint64_t param = 0;
  unit_t u = executed_unit("add.s32 %r0, %r1, %r2;");
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    trouble_t err = {0};
    simt_launch_t l = {.params = &param, .param_bytes = sizeof param};
    memcpy(l.grid, row[i].grid, sizeof l.grid);
    memcpy(l.block, row[i].block, sizeof l.block);
    int status = simt_check_launch(&l, u.kernel->func, &err);
    if (status != (row[i].taken ? 0 : -1) || err.kind != (row[i].taken ? 0 : 2))
      fail_msg("row %u: %d (%s)", i, status, err.text);
  }
  unit_free(&u);
}

/* ---- Variables ------------------------------------------------------------------------------- */

/* The machine's memory for a module's variables: 32 bytes at 0x40000000. */
static uint64_t allocate_segment(void *machine, uint64_t bytes, trouble_t *err) {
  (void)machine, (void)err;
  assert_int_equal(bytes, 32);
  return 0x40000000;
}
/* Writes of the loader stay within the segment. */
static int copy_in(void *machine, uint64_t addr, const void *data, size_t bytes, trouble_t *err) {
  (void)err;
  assert_true(addr >= 0x40000000 && addr + bytes <= 0x40000020);
  memcpy((uint8_t *)machine + (addr - 0x40000000), data, bytes);
  return 0;
}

/* A variable without values is zero, and so is what an array's
 * values leave over, whatever the memory had before. */
static void test_variables(void **state) {
  (void)state;
  static const char text[] =
      ".version 6.0\n.target sm_35\n.address_size 64\n.global .u8 none[8];\n.global .u8 some[8] = {1, 2, 3};\n"
      ".global .u64 pad;\n.global .u64 to = some;\n";
  static const uint8_t right[32] = {[8] = 1, 2, 3, [24] = 0x08, 0, 0, 0x40}; /* some lies 8 bytes into the segment */
  uint8_t bytes[32];
  ptx_error_t wrong = {0};
  trouble_t err = {0};
  simt_variables_t v = {0};
  const simt_store_t store = {bytes, allocate_segment, copy_in};
  ptx_module_t *m = ptx_parse(text, sizeof text - 1, "variables.ptx", &wrong);
  if (!m) fail_msg("%s", wrong.trouble.text);
  memset(bytes, 0xaa, sizeof bytes);
  assert_true(mallopt(M_PERTURB, 0x5a));
  int status = simt_variables_load(&v, m, &store, &err);
  mallopt(M_PERTURB, 0);
  if (status) fail_msg("%s", err.text);
  assert_int_equal(v.global_base, 0x40000000);
  assert_memory_equal(bytes, right, sizeof right);
  simt_variables_free(&v);
  ptx_free(m);
}

/* Of a module with 32-bit pointers: what is in global memory
 * has such an address, what is elsewhere has no generic one. */
static void test_narrow_addresses(void **state) {
  (void)state;
  static const struct {
    const char *text, *wrong;
  } row[] = {{".global .u32 pad[7];\n.global .u32 to = pad;\n", ""},
             {".const .u32 c[4];\n.global .u32 pad[7];\n.global .u32 to = c;\n", ""},
             {".const .u32 c[4];\n.global .u32 pad[7];\n.global .u32 to = c-4;\n", ""},
             {".const .u32 c[4];\n.global .u32 pad[7];\n.global .u32 to = generic(c);\n",
              "v.ptx: variable to: the address 0x30000000000 has more than 32 bits"}};
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    char text[200];
    uint8_t bytes[32];
    ptx_error_t wrong = {0};
    trouble_t err = {0};
    simt_variables_t v = {0};
    const simt_store_t store = {bytes, allocate_segment, copy_in};
    const int size = snprintf(text, sizeof text, ".version 6.0\n.target sm_35\n.address_size 32\n%s", row[i].text);
    ptx_module_t *m = ptx_parse(text, (size_t)size, "v.ptx", &wrong);
    if (!m) fail_msg("%s", wrong.trouble.text);
    assert_int_equal(simt_variables_load(&v, m, &store, &err), *row[i].wrong ? -1 : 0);
    assert_string_equal(err.text, row[i].wrong);
    assert_int_equal(err.kind, *row[i].wrong ? 2 : 0);
    simt_variables_free(&v);
    ptx_free(m);
  }
}

/* ---- Registers ------------------------------------------------------------------------------- */

#define CHAIN(r, op)                                                                                          \
#op " %" #r "0, %" #r "1, 1;\n" #op " %" #r "2, %" #r "0, 1;\n" #op " %" #r "3, %" #r "2, 1;\n" #op " %" #r \
      "4, %" #r "3, 1;"

/* A chain needs two slots, whatever the names: two registers of 32
 * bits, or four. Registers that no instruction names need none. */
static void test_registers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint32_t hw_regs, slots;
  } row[] = {
      {CHAIN(r, add.s32), 2, 2},
      {CHAIN(rd, add.s64), 4, 2},
      {CHAIN(rs, add.s16), 2, 2},
      {CHAIN(r, add.s32) CHAIN(rd, add.s64), 6, 4},
      {".reg .b32 unused;\n" CHAIN(r, add.s32), 2, 2},
      {".reg .b64 unused, neither;\n.reg .pred nor;\n" CHAIN(rd, add.s64), 4, 2},
  };
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    unit_t u = executed_unit(row[i].text);
    if (u.kernel->hw_regs != row[i].hw_regs || u.kernel->num_slots != row[i].slots)
      fail_msg("'%s': %u registers in %u slots", row[i].text, u.kernel->hw_regs, u.kernel->num_slots);
    for (unsigned k = 0; k + 1 < u.kernel->num_ops; k++) assert_int_not_equal(u.kernel->ops[k].d, u.kernel->ops[k].a);
    unit_free(&u);
  }
}

/* ---- Accesses -------------------------------------------------------------------------------- */

/* What lane 31 has of an operand that is a constant. */
static uint64_t constant_operand(const unit_t *u, uint32_t at, unsigned bytes) {
  assert_true(at & SIMT_CONST && at != SIMT_NO_OPERAND);
  return bytes == 8 ? ((const uint64_t *)simt_src(&u->warp, at))[31] : ((const uint32_t *)simt_src(&u->warp, at))[31];
}

/* By hand: space, bytes of a register, the constant
 * part of the address, and the stored constant. */
static void test_accesses(void **state) {
  (void)state;
  static const struct {
    const char *text;
    unsigned space, reg_bytes;
    int64_t address, data; /* data 0: registers */
  } row[] = {
      {"st.global.u64 [%rd1], 5;", PTX_SPACE_GLOBAL, 8, 0, 5},
      {"st.global.u32 [%rd1+12], 7;", PTX_SPACE_GLOBAL, 4, 12, 7},
      {"st.shared.u8 [%rd1-3], 255;", PTX_SPACE_SHARED, 4, -3, 255},
      {"ld.u32 %r0, [%rd1];", PTX_SPACE_GENERIC, 4, 0, 0},
      {".shared .u32 v[2];\nld.u32 %r0, [v+4];", PTX_SPACE_SHARED, 4, 4, 0}, /* the address of v is one of its space */
      {".shared .u32 v[2];\nld.shared.u32 %r0, [v+4];", PTX_SPACE_SHARED, 4, 4, 0},
      {".shared .u64 v[2];\nst.u64 [v+8], 9;", PTX_SPACE_SHARED, 8, 8, 9},
  };
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    unit_t u = executed_unit(row[i].text);
    const simt_op_t *op = &u.kernel->ops[0];
    if (op->space != row[i].space || op->reg_bytes != row[i].reg_bytes || op->imm != row[i].address)
      fail_msg("'%s': space %u, registers of %u bytes, %lld", row[i].text, op->space, op->reg_bytes,
               (long long)op->imm);
    if (row[i].data) assert_int_equal(constant_operand(&u, op->v[0], op->reg_bytes), row[i].data);
    unit_free(&u);
  }
}

/* An access with a policy is decoded as one without: the policy's register is not waited for. */
static void test_policies(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"ld.global.u32 %r0, [%rd1];", "ld.global.L2::cache_hint.u32 %r0, [%rd1], %rd2;"},
      {"@%p1 ld.global.cg.v2.u64 {%rd0, %rd3}, [%rd1+16];",
       "@%p1 ld.global.cg.L2::cache_hint.v2.u64 {%rd0, %rd3}, [%rd1+16], %rd2;"},
      {"st.f32 [%rd1], %f1;", "st.L2::cache_hint.f32 [%rd1], %f1, 5;"},
      {"atom.global.cas.b32 %r0, [%rd1], %r1, %r2;", "atom.global.cas.L2::cache_hint.b32 %r0, [%rd1], %r1, %r2, %rd2;"},
      {"red.global.add.u64 [%rd1], %rd3;", "red.global.add.L2::cache_hint.u64 [%rd1], %rd3, %rd2;"},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    unit_t u[2];
    for (unsigned k = 0; k < 2; k++) { /* all registers have their places from an instruction that names them */
      char text[400];
      snprintf(text, sizeof text,
               "%s\nadd.u64 %%rd1, %%rd2, %%rd3;\nadd.u64 %%rd0, %%rd1, %%rd2;\nst.global.u64 [%%rd2], %%rd0;",
               rows[i][k]);
      u[k] = executed_unit(text);
    }
    const simt_op_t *plain = u[0].kernel->ops, *hinted = u[1].kernel->ops;
    assert_int_equal(hinted->kind, plain->kind);
    assert_int_equal(hinted->flags, plain->flags);
    assert_int_equal(hinted->num_deps, plain->num_deps);
    assert_int_equal(hinted->num_dsts, plain->num_dsts);
    assert_int_equal(hinted->imm, plain->imm);
    assert_int_equal(hinted->vec, plain->vec);
    const uint16_t policy = reg_of(&u[1], "%rd2")->slot;
    for (unsigned k = 0; k < hinted->num_deps; k++) assert_int_not_equal(hinted->dep[k], policy);
    for (unsigned k = 0; k < 2; k++) unit_free(&u[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_launch),           cmocka_unit_test(test_variables),
                                     cmocka_unit_test(test_narrow_addresses), cmocka_unit_test(test_registers),
                                     cmocka_unit_test(test_accesses),         cmocka_unit_test(test_policies)};
  return cmocka_run_group_tests_name("simt_load", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Special registers. Of each, the table has what the PTX document says of it, in three
 * lanes of a warp that is not its CTA's first. Extents are different primes, so that none
 * is taken for another.
 */
#include <stdio.h>
#include <stdlib.h>

#include "simt.h"
#include "unit_test.h"

/* What `mov` of the register gives in this lane. */
static uint32_t read_special(const char *name, const simt_place_t *place, unsigned lane) {
  char text[512];
  ptx_error_t wrong = {0};
  trouble_t err = {0};
  int n = snprintf(text, sizeof text,
                   ".version 6.0\n.target sm_35\n.address_size 64\n.visible .entry t()\n{\n.reg .b32 %%r<1>;\n"
                   "mov.u32 %%r0, %%%s;\nret;\n}\n",
                   name);
  ptx_module_t *module = ptx_parse(text, (size_t)n, "special.ptx", &wrong);
  if (!module) fail_msg("%s: %s", name, wrong.trouble.text);
  simt_kernel_t *kernel = simt_decode(module, ptx_find_kernel(module, NULL), &err);
  if (!kernel) fail_msg("%s: %s", name, err.text);
  assert_int_equal(kernel->num_sregs, 1);
  uint8_t *regs = calloc(1, kernel->reg_bytes + 64);
  assert_non_null(regs);
  simt_fill_sregs(kernel, regs, place);
  uint32_t value = ((const uint32_t *)(regs + kernel->sregs[0].at))[lane];
  free(regs);
  simt_kernel_free(kernel);
  ptx_free(module);
  return value;
}

/* Thread 32 of 5 x 3 x 7 is (2, 0, 2): 32 = 2 + 5 * (0 +
 * 3 * 2). The workspace's halves are envreg1 and envreg2. */
static void test_special(void **state) {
  (void)state;
  const simt_place_t place = {.ntid = {5, 3, 7},
                              .nctaid = {11, 13, 17},
                              .ctaid = {2, 4, 6},
                              .smid = 19,
                              .nsmid = 23,
                              .warpid = 1,
                              .nwarpid = 29,
                              .first_thread = 32,
                              .dynamic_shared = 31,
                              .total_shared = 37,
                              .workspace = 0x1122334455667788};
  static const struct {
    const char *name;
    uint32_t lane0, lane9, lane31; /* threads 32, 41 and 63 of 5 x 3 x 7 */
  } row[] = {
      {"tid.x", 2, 1, 3},
      {"tid.y", 0, 2, 0},
      {"tid.z", 2, 2, 4},
      {"ntid.x", 5, 5, 5},
      {"ntid.y", 3, 3, 3},
      {"ntid.z", 7, 7, 7},
      {"ctaid.x", 2, 2, 2},
      {"ctaid.y", 4, 4, 4},
      {"ctaid.z", 6, 6, 6},
      {"nctaid.x", 11, 11, 11},
      {"nctaid.y", 13, 13, 13},
      {"nctaid.z", 17, 17, 17},
      {"laneid", 0, 9, 31},
      {"warpid", 1, 1, 1},
      {"nwarpid", 29, 29, 29},
      {"smid", 19, 19, 19},
      {"nsmid", 23, 23, 23},
      {"lanemask_eq", 1, 0x200, 0x80000000},
      {"lanemask_lt", 0, 0x1ff, 0x7fffffff},
      {"lanemask_le", 1, 0x3ff, 0xffffffff},
      {"lanemask_ge", 0xffffffff, 0xfffffe00, 0x80000000},
      {"lanemask_gt", 0xfffffffe, 0xfffffc00, 0},
      {"tid.w", 0, 0, 0},
      {"ntid.w", 0, 0, 0},
      {"ctaid.w", 0, 0, 0},
      {"nctaid.w", 0, 0, 0},
      {"dynamic_smem_size", 31, 31, 31},
      {"total_smem_size", 37, 37, 37},
      {"reserved_smem_offset_begin", 128, 128, 128},
      {"reserved_smem_offset_0", 128, 128, 128},
      {"reserved_smem_offset_1", 128, 128, 128},
      {"reserved_smem_offset_end", 1152, 1152, 1152},
      {"reserved_smem_offset_cap", 1152, 1152, 1152},
      {"clusterid.y", 4, 4, 4},
      {"nclusterid.z", 17, 17, 17},
      {"cluster_ctaid.x", 0, 0, 0},
      {"cluster_nctaid.z", 1, 1, 1},
      {"cluster_nctaid.w", 0, 0, 0},
      {"cluster_ctarank", 0, 0, 0},
      {"cluster_nctarank", 1, 1, 1},
      {"envreg0", 0, 0, 0},
      {"envreg1", 0x11223344, 0x11223344, 0x11223344},
      {"envreg2", 0x55667788, 0x55667788, 0x55667788},
      {"envreg31", 0, 0, 0},
  };
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    const uint32_t right[] = {row[i].lane0, row[i].lane9, row[i].lane31}, lane[] = {0, 9, 31};
    for (unsigned k = 0; k < 3; k++) {
      uint32_t value = read_special(row[i].name, &place, lane[k]);
      if (value != right[k]) fail_msg("%%%s of lane %u: %u, not %u", row[i].name, lane[k], value, right[k]);
    }
  }
}

/* gridid has 64 bits: the register that is placed behind it has a place of its own. */
static void test_grid(void **state) {
  (void)state;
  static const char text[] =
      ".version 6.0\n.target sm_35\n.address_size 64\n.visible .entry t()\n{\n.reg .b32 %r<4>;\n.reg .b64 %d<4>;\n"
      "mov.u32 %r0, %tid.x;\n"
      "mov.u64 %d0, %gridid;\nmov.u32 %r1, %laneid;\ncvt.u64.u32 %d1, %tid.x;\ncvt.u32.u64 %r2, %gridid;\nret;\n}\n";
  const simt_place_t place = {
      .ntid = {64, 1, 1}, .nctaid = {1, 1, 1}, .first_thread = 32, .gridid = 0x123456789abcdef0};
  ptx_error_t wrong = {0};
  trouble_t err = {0};
  ptx_module_t *module = ptx_parse(text, sizeof text - 1, "special.ptx", &wrong);
  if (!module) fail_msg("%s", wrong.trouble.text);
  simt_kernel_t *k = simt_decode(module, ptx_find_kernel(module, NULL), &err);
  if (!k) fail_msg("%s", err.text);
  assert_int_equal(k->num_sregs, 3);
  uint8_t *regs = calloc(1, k->reg_bytes + 64), *konsts = calloc(1, k->konst_bytes + 64);
  simt_warp_t w = {.base = {regs, konsts}};
  simt_fill_sregs(k, regs, &place);
  for (unsigned n = 0; n < 5; n++) {
    const simt_op_t *op = &k->ops[n];
    op->fn(op, &w, ~0u);
    for (unsigned i = 0; i < 32; i++) {
      const uint64_t right[] = {32 + i, place.gridid, i, 32 + i, (uint32_t)place.gridid};
      const void *d = simt_src(&w, op->d);
      uint64_t is = n == 1 || n == 3 ? ((const uint64_t *)d)[i] : ((const uint32_t *)d)[i];
      if (is != right[n]) fail_msg("instruction %u, lane %u: 0x%llx", n, i, (unsigned long long)is);
    }
  }
  free(regs);
  free(konsts);
  simt_kernel_free(k);
  ptx_free(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_special), cmocka_unit_test(test_grid)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The least that a program does: vector addition by the driver API. `exec_vadd [N [LAUNCHES
 * [FILE.ptx KERNEL]]]`: the kernel is its own, or one of the same parameters.
 */
#include "driver.h"

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)\n{\n"
    "  .reg .pred %p<2>;\n  .reg .f32 %f<4>;\n  .reg .b32 %r<6>;\n  .reg .b64 %rd<11>;\n"
    "  ld.param.u64 %rd1, [a];\n  ld.param.u64 %rd2, [b];\n  ld.param.u64 %rd3, [c];\n  ld.param.u32 %r2, [n];\n"
    "  mov.u32 %r3, %ctaid.x;\n  mov.u32 %r4, %ntid.x;\n  mov.u32 %r5, %tid.x;\n  mad.lo.s32 %r1, %r3, %r4, %r5;\n"
    "  setp.ge.u32 %p1, %r1, %r2;\n  @%p1 bra $end;\n"
    "  cvta.to.global.u64 %rd4, %rd1;\n  mul.wide.u32 %rd5, %r1, 4;\n  add.s64 %rd6, %rd4, %rd5;\n"
    "  cvta.to.global.u64 %rd7, %rd2;\n  add.s64 %rd8, %rd7, %rd5;\n  ld.global.f32 %f1, [%rd8];\n"
    "  ld.global.f32 %f2, [%rd6];\n"
    "  add.f32 %f3, %f2, %f1;\n  cvta.to.global.u64 %rd9, %rd3;\n  add.s64 %rd10, %rd9, %rd5;\n"
    "  st.global.f32 [%rd10], %f3;\n"
    "$end:\n  ret;\n}\n";

int main(int argc, char **argv) {
  unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 10000, launches = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
  CUdeviceptr a, b, c;
  CUmodule module;
  CUfunction add;
  float *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), *z = malloc(n * sizeof *z);
  for (unsigned i = 0; i < n; i++) x[i] = (float)i, y[i] = 0.5f * (float)i, z[i] = -1;
  driver_start();
  GOOD(argc > 4 ? cuModuleLoad(&module, argv[3]) : cuModuleLoadData(&module, ptx));
  GOOD(cuModuleGetFunction(&add, module, argc > 4 ? argv[4] : "add"));
  GOOD(cuMemAlloc(&a, n * sizeof *x));
  GOOD(cuMemAlloc(&b, n * sizeof *x));
  GOOD(cuMemAlloc(&c, n * sizeof *x));
  GOOD(cuMemcpyHtoD(a, x, n * sizeof *x));
  GOOD(cuMemcpyHtoD(b, y, n * sizeof *x));
  void *params[] = {&a, &b, &c, &n};
  for (unsigned i = 0; i < launches; i++)
    GOOD(cuLaunchKernel(add, (n + 255) / 256, 1, 1, 256, 1, 1, 0, NULL, params, NULL));
  GOOD(cuCtxSynchronize());
  GOOD(cuMemcpyDtoH(z, c, n * sizeof *z));
  for (unsigned i = 0; i < n; i++) TRUE(z[i] == x[i] + y[i]);
  GOOD(cuMemFree(a));
  GOOD(cuMemFree(b));
  GOOD(cuMemFree(c));
  puts("sums are right");
  return 0;
}

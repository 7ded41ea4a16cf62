/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of counted_kernels.def as texts, what they are launched with, and their buffer.
 */
#ifndef COUNTED_KERNELS_H
#define COUNTED_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COUNTED_BYTES = 49152, COUNTED_NUMBER = 200 };

typedef struct {
  const char *name, *ptx;
  bool gpu_only, timed; /* timed: what comes out depends on what happens first */
  uint32_t grid[3], block[3], shared_bytes;
} counted_kernel_t;

/* Its parameters. */
typedef struct {
  uint64_t buffer;
  uint32_t number, pad;
} counted_params_t;
enum { COUNTED_PARAM_BYTES = offsetof(counted_params_t, pad) };

#define COUNTED_TEXT(vars, body)                                                                                    \
  ".version 8.0\n.target sm_80\n.address_size 64\n" vars ".visible .entry k(.param .u64 k_a, .param .u32 k_n)\n{\n" \
  ".reg .pred %p<20>; .reg .b16 %h<20>; .reg .b32 %r<99>; .reg .f32 %f<20>; .reg .b64 %d<99>; .reg .f64 %g<20>;\n"  \
  ".shared .align 16 .b8 sh[4096];\nld.param.u64 %d1, [k_a];\nadd.s64 %d2, %d1, 16384;\nmov.u32 %r1, %tid.x;\n"     \
  "mov.u32 %r2, %ctaid.x;\n"                                                                                        \
  "mov.u32 %r3, %ntid.x;\nmad.lo.u32 %r4, %r2, %r3, %r1;\nld.param.u32 %r5, [k_n];\n" body "\nret;\n}\n"

#define COUNTED_BOTH false
#define COUNTED_GPU true
#define COUNTED_SAME false
#define COUNTED_TIMED true
#define COUNTED_THREE(x, y, z) \
  { x, y, z }

static const counted_kernel_t counted_kernels[] = {
#define KERNEL(name, machines, result, grid, block, shared, vars, body)                                            \
  {#name, COUNTED_TEXT(vars, body), COUNTED_##machines, COUNTED_##result, COUNTED_THREE grid, COUNTED_THREE block, \
   shared},
#include "counted_kernels.def"
#undef KERNEL
};
enum { NUM_COUNTED_KERNELS = sizeof counted_kernels / sizeof *counted_kernels };

/* What the buffer holds before: byte i of the first 16 KB is 37 i + 11, the rest is zero. */
static inline void counted_fill(uint8_t buffer[COUNTED_BYTES]) {
  for (unsigned i = 0; i < COUNTED_BYTES; i++) buffer[i] = i < 16384 ? (uint8_t)(37 * i + 11) : 0;
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernel arguments and the usual launch, on top of the table in runtime.h. Wrong calls are faults
 * of a workload, not of a user, so they assert.
 */
#include "runtime.h"

#include <assert.h>
#include <string.h>

void rt_args_init(rt_args_t *args, const runtime_t *rt) {
  assert(rt->pointer_bytes == 4 || rt->pointer_bytes == 8);
  memset(args, 0, sizeof *args);
  args->pointer_bytes = rt->pointer_bytes;
}

/* Bytes between arguments stay zero, as rt_args_init left them. */
void rt_arg(rt_args_t *args, const void *value, uint32_t bytes, uint32_t align) {
  uint32_t at = (args->size + align - 1) / align * align;
  assert(at + bytes <= RT_MAX_PARAM_BYTES);
  memcpy(args->bytes + at, value, bytes);
  args->size = at + bytes;
}

void rt_arg_ptr(rt_args_t *args, rt_ptr_t value) {
  assert(args->pointer_bytes == 8 || value <= UINT32_MAX);
  rt_arg(args, &value, args->pointer_bytes, args->pointer_bytes); /* little-endian, as device and host are */
}

void rt_arg_u32(rt_args_t *args, uint32_t value) {
  rt_arg(args, &value, sizeof value, sizeof value);
}

void rt_arg_f32(rt_args_t *args, float value) {
  rt_arg(args, &value, sizeof value, sizeof value);
}

int rt_launch_1d(const runtime_t *rt, const char *kernel, uint64_t n, uint32_t threads, const rt_args_t *args) {
  uint64_t blocks = n ? (n + threads - 1) / threads : 1;
  assert(blocks <= UINT32_MAX);
  rt_launch_t launch = {kernel, {(uint32_t)blocks, 1, 1}, {threads, 1, 1}, 0, args->bytes, args->size};
  return rt->launch(rt->ctx, &launch);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "mpu_host.h"

#include <assert.h>

static const runtime_t *runtime; /* a host program has one machine at a time */
static int status;

void mpu_use(const runtime_t *other) {
  runtime = other;
  status = 0;
}

int mpu_status(void) {
  return status;
}

void *mpu_host_malloc(size_t bytes) {
  rt_ptr_t pointer = 0;
  if (!status) status = runtime->malloc(runtime->ctx, bytes, &pointer);
  return (void *)(uintptr_t)(status ? 0 : pointer);
}

int mpu_host_free(const void *pointer) {
  if (!status) status = runtime->free(runtime->ctx, (uintptr_t)pointer);
  return status;
}

int mpu_memcpy(void *to, const void *from, size_t bytes, mpu_direction_t direction) {
  if (!status)
    status = direction == Host2Device ? runtime->memcpy_h2d(runtime->ctx, (uintptr_t)to, from, bytes)
                                      : runtime->memcpy_d2h(runtime->ctx, to, (uintptr_t)from, bytes);
  return status;
}

int mpu_host_launch(const char *kernel, rt_dim3_t grid, rt_dim3_t block, uint32_t shared_bytes, const mpu_arg_t *list, size_t count) {
  rt_args_t args;
  if (status) return status;
  assert(count <= RT_MAX_PARAM_BYTES / 8);
  rt_args_init(&args);
  for (size_t i = 0; i < count; i++) rt_arg(&args, &list[i].value, list[i].bytes, list[i].bytes);
  const rt_launch_t launch = {kernel, grid, block, shared_bytes, args.bytes, args.size};
  return status = runtime->launch(runtime->ctx, &launch);
}

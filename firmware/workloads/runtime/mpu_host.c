/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of Listing 1 of the MPU paper on top of runtime_t. The first status that is not 0
 * stays, and calls after it do nothing.
 */
#include "mpu_host.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

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

/* Refuses a pointer that a module with 32-bit pointers cannot hold: it is not of the machine, but
 * for example of the host. Returns 2 and keeps it as the status. */
static int too_wide(const char *kernel, size_t which, uint64_t pointer) {
  fprintf(stderr,
          "kernel %s: argument %zu is the pointer 0x%" PRIx64
          "; the module's have 32 bits, so none that mpu_malloc gave is above 4 GB\n",
          kernel, which + 1, pointer);
  return status = 2;
}

/* Lays the arguments out as PTX does; pointers are as wide as the module's. */
int mpu_host_launch(const char *kernel, rt_dim3_t grid, rt_dim3_t block, uint32_t shared_bytes, const mpu_arg_t *list,
                    size_t count) {
  rt_args_t args;
  if (status) return status;
  assert(count <= RT_MAX_PARAM_BYTES / 8);
  rt_args_init(&args, runtime);
  for (size_t i = 0; i < count; i++) {
    if (list[i].bytes) rt_arg(&args, &list[i].value, list[i].bytes, list[i].bytes);
    else if (runtime->pointer_bytes == 4 && list[i].value.u64 > UINT32_MAX)
      return too_wide(kernel, i, list[i].value.u64);
    else rt_arg_ptr(&args, list[i].value.u64);
  }
  const rt_launch_t launch = {kernel, grid, block, shared_bytes, args.bytes, args.size};
  return status = runtime->launch(runtime->ctx, &launch);
}

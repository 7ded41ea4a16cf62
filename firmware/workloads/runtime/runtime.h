/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's side of a simulated GPU: memory, copies, launches. A system fills in the table;
 * workloads call it. Calls return 0, or the exit status of the run (1 a check failed, 2 bad input,
 * 3 environment) after having said on standard error why. Everything is in order: a launch is over
 *   when it returns.
 */
#ifndef RUNTIME_H
#define RUNTIME_H

#include <stdint.h>

#include "rt_texture.h"

typedef uint64_t rt_ptr_t; /* an address of the device */

typedef struct {
  uint32_t x, y, z;
} rt_dim3_t;

typedef struct {
  const char *kernel;    /* entry's name in the module that is loaded */
  rt_dim3_t grid, block; /* blocks, threads of a block; each at least 1 */
  uint32_t shared_bytes; /* dynamic shared memory of a block */
  const void *params;    /* the parameter block, laid out as PTX does (rt_args_t) */
  uint32_t param_bytes;
} rt_launch_t;

typedef struct runtime {
  void *ctx;
  int (*malloc)(void *ctx, uint64_t bytes, rt_ptr_t *ptr); /* at least 256-byte aligned; contents undefined */
  int (*free)(void *ctx, rt_ptr_t ptr);
  int (*memcpy_h2d)(void *ctx, rt_ptr_t dst, const void *src, uint64_t bytes);
  int (*memcpy_d2h)(void *ctx, void *dst, rt_ptr_t src, uint64_t bytes);
  int (*launch)(void *ctx, const rt_launch_t *launch);
  /* of pointers in the module that is loaded: 4 or 8.
   * With 4, malloc gives nothing above 4 GB: it fails */
  uint32_t pointer_bytes;
  uint64_t (*cycles)(void *ctx); /* of the cores' clock until now, while kernels ran; NULL: nobody counts */
  /* A texture, surface or sampler and its handle, and a reference of the module
   * that is loaded bound to one. The calls NULL: nobody has texture units. */
  int (*texture)(void *ctx, const rt_texture_t *texture, uint64_t *handle);
  int (*bind)(void *ctx, const char *reference, uint64_t handle);
  /* what kernels have printed since the last call, to be
   * freed; NULL: nothing. The call NULL: they cannot */
  char *(*printed)(void *ctx, uint64_t *bytes);
  int (*launch_cooperative)(void *ctx,
                            /* blocks may wait for each other: all are on the
                             * cores at once. The call NULL: they cannot */
                            const rt_launch_t *launch);
} runtime_t;

/* Kernel arguments, each at the next multiple of its size. */
enum { RT_MAX_PARAM_BYTES = 4096 };

typedef struct {
  uint8_t bytes[RT_MAX_PARAM_BYTES];
  uint32_t size, pointer_bytes;
} rt_args_t;

void rt_args_init(rt_args_t *args, const runtime_t *rt);
void rt_arg(rt_args_t *args, const void *value, uint32_t bytes, uint32_t align); /* asserts that it fits */
/* asserts that the module's pointers can hold it */
void rt_arg_ptr(rt_args_t *args, rt_ptr_t value);
void rt_arg_u32(rt_args_t *args, uint32_t value);
void rt_arg_f32(rt_args_t *args, float value);

/* The usual one-dimensional launch: n threads or more,
 * in blocks of `threads`. n = 0 launches one block. */
int rt_launch_1d(const runtime_t *rt, const char *kernel, uint64_t n, uint32_t threads, const rt_args_t *args);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's side of a simulated GPU: memory, copies, launches. A system fills in the table;
 * workloads call it.
 *
 *    rt->malloc(rt->ctx, bytes, &a);  rt->memcpy_h2d(rt->ctx, a, host, bytes);
 *    rt_args_init(&args, rt);  rt_arg_ptr(&args, a);  rt_arg_u32(&args, n);
 *    rt_launch_1d(rt, "vadd", n, 256, &args);
 *    rt->memcpy_d2h(rt->ctx, host, a, bytes);
 *
 * Calls return 0, or the exit status of the run: 1 a check failed, 2 bad input, 3
 * environment. Before that they have said why on standard error. Calls are in order: a launch
 * is over when it returns.
 */
#ifndef RUNTIME_H
#define RUNTIME_H

#include <stdint.h>

#include "rt_texture.h"

typedef uint64_t rt_ptr_t; /* an address of the device */

typedef struct {
  uint32_t x, y, z;
} rt_dim3_t;

/* A launch of a kernel. */
typedef struct {
  const char *kernel;    /* entry's name in the module that is loaded */
  rt_dim3_t grid, block; /* blocks, threads of a block; each at least 1 */
  uint32_t shared_bytes; /* dynamic shared memory of a block */
  const void *params;    /* the parameter block, laid out as PTX does (rt_args_t) */
  uint32_t param_bytes;
} rt_launch_t;

/* A machine. Every call gets `ctx`. */
typedef struct runtime {
  void *ctx;
  int (*malloc)(void *ctx, uint64_t bytes, rt_ptr_t *ptr); /* at least 256-byte aligned; contents undefined */
  int (*free)(void *ctx, rt_ptr_t ptr);
  int (*memcpy_h2d)(void *ctx, rt_ptr_t dst, const void *src, uint64_t bytes);
  int (*memcpy_d2h)(void *ctx, void *dst, rt_ptr_t src, uint64_t bytes);
  int (*launch)(void *ctx, const rt_launch_t *launch);
  /* of pointers in the module that is loaded: 4 or 8. With 4, malloc gives nothing above 4
   * GB: it fails */
  uint32_t pointer_bytes;
  uint64_t (*cycles)(void *ctx); /* cycles of the cores' clock so far, while kernels ran; NULL: not counted */
  /* `texture` makes a texture, surface or sampler and gives its handle. `bind` binds a reference of
   * the loaded module to one. NULL: the machine has no texture units. */
  int (*texture)(void *ctx, const rt_texture_t *texture, uint64_t *handle);
  int (*bind)(void *ctx, const char *reference, uint64_t handle);
  /* what kernels have printed since the last call, to be freed; NULL: nothing. If the call is NULL,
   * kernels cannot print */
  char *(*printed)(void *ctx, uint64_t *bytes);
  /* As launch; blocks may wait for each other, as all are on the cores at once. NULL: the machine
   * cannot do that. */
  int (*launch_cooperative)(void *ctx, const rt_launch_t *launch);
} runtime_t;

/* Kernel arguments, each at the next multiple of its size. */
enum { RT_MAX_PARAM_BYTES = 4096 };

/* The parameter block that grows with each argument. */
typedef struct {
  uint8_t bytes[RT_MAX_PARAM_BYTES];
  uint32_t size, pointer_bytes;
} rt_args_t;

/* Begins an empty block for the module that is loaded. */
void rt_args_init(rt_args_t *args, const runtime_t *rt);
/* Appends `bytes` at the next multiple of `align`; asserts that they fit. */
void rt_arg(rt_args_t *args, const void *value, uint32_t bytes, uint32_t align);
/* Appends an address of the module's pointer size; asserts that it fits. */
void rt_arg_ptr(rt_args_t *args, rt_ptr_t value);
void rt_arg_u32(rt_args_t *args, uint32_t value);
void rt_arg_f32(rt_args_t *args, float value);

/* The usual one-dimensional launch: n threads or more, in blocks of `threads`. n = 0 launches one
 * block. Returns the launch's status. */
int rt_launch_1d(const runtime_t *rt, const char *kernel, uint64_t n, uint32_t threads, const rt_args_t *args);

#endif

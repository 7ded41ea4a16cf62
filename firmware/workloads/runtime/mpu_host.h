/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of a host program on an MPU, as in the MPU paper, Listing 1, in C:
 *
 *    mpu_use(runtime);                              once: the machine, such as
 *                                                   harness/systems/shell/host_machine.h gives
 *    float *input, *output;                         addresses of the device
 *    mpu_malloc(input, len * sizeof *input);
 *    mpu_malloc(output, len * sizeof *output);
 *    mpu_memcpy(input, host_input, len * sizeof *input, Host2Device);
 *    mpu_launch(ScalarVectorMultiply, grid, block, input, output, alpha, len);
 *    mpu_memcpy(host_output, output, len * sizeof *output, Device2Host);
 *    mpu_free(input);
 *
 * Calls are in order: a launch is over when it returns. They return 0, or the status of
 * the first call that failed (runtime.h). After a failure no call does anything, so a
 * program may look at mpu_status() once. A launch takes one to eight arguments, of the
 * types of the kernel's parameters.
 *
 * Do not include this header together with the model's mpu.h, whose functions have
 * these names, too.
 */
#ifndef MPU_HOST_H
#define MPU_HOST_H

#include <stddef.h>
#include <stdint.h>

#include "runtime.h"

typedef enum { Host2Device, Device2Host } mpu_direction_t;

void mpu_use(const runtime_t *runtime); /* kept by address; forgets the status of the one before */
/* 0, or the status of the first call that failed since mpu_use. */
int mpu_status(void);

/* `pointer` becomes a device address, NULL after a failure. */
#define mpu_malloc(pointer, bytes) ((pointer) = mpu_host_malloc(bytes), mpu_status())
#define mpu_free(pointer) mpu_host_free(pointer)
/* `bytes` from or to the device; the host's side is an ordinary pointer. */
int mpu_memcpy(void *to, const void *from, size_t bytes, mpu_direction_t direction);
/* The kernel's name is written without quotes. The list of arguments is evaluated once: the second
 * time is inside sizeof. */
#define mpu_launch(kernel, grid, block, ...)                                           \
  mpu_host_launch(#kernel, grid, block, 0, (const mpu_arg_t[]){MPU_ARGS(__VA_ARGS__)}, \
                  sizeof((const mpu_arg_t[]){MPU_ARGS(__VA_ARGS__)}) / sizeof(mpu_arg_t))

/* ---- What these are made of ------------------------------------------------------------------ */

typedef struct {
  uint32_t bytes; /* 4 or 8; 0: a pointer, as many as the loaded module's have */
  union {
    uint32_t u32;
    uint64_t u64;
    float f32;
    double f64;
  } value;
} mpu_arg_t;

void *mpu_host_malloc(size_t bytes); /* NULL: failed */
int mpu_host_free(const void *pointer);
int mpu_host_launch(const char *kernel, rt_dim3_t grid, rt_dim3_t block, uint32_t shared_bytes, const mpu_arg_t *args,
                    size_t count);

static inline mpu_arg_t mpu_arg_u32(uint32_t value) {
  return (mpu_arg_t){4, {.u32 = value}};
}
static inline mpu_arg_t mpu_arg_u64(uint64_t value) {
  return (mpu_arg_t){8, {.u64 = value}};
}
static inline mpu_arg_t mpu_arg_f32(float value) {
  return (mpu_arg_t){4, {.f32 = value}};
}
static inline mpu_arg_t mpu_arg_f64(double value) {
  return (mpu_arg_t){8, {.f64 = value}};
}
static inline mpu_arg_t mpu_arg_pointer(const void *value) {
  return (mpu_arg_t){0, {.u64 = (uintptr_t)value}};
}

/* Packs an argument by its C type; what is no number is taken for a pointer. */
#define MPU_ARG(x)                           \
  _Generic((x), int                          \
           : mpu_arg_u32, unsigned           \
           : mpu_arg_u32, long               \
           : mpu_arg_u64, unsigned long      \
           : mpu_arg_u64, long long          \
           : mpu_arg_u64, unsigned long long \
           : mpu_arg_u64, float              \
           : mpu_arg_f32, double             \
           : mpu_arg_f64, default            \
           : mpu_arg_pointer)(x)
#define MPU_ARGS_1(a) MPU_ARG(a)
#define MPU_ARGS_2(a, ...) MPU_ARG(a), MPU_ARGS_1(__VA_ARGS__)
#define MPU_ARGS_3(a, ...) MPU_ARG(a), MPU_ARGS_2(__VA_ARGS__)
#define MPU_ARGS_4(a, ...) MPU_ARG(a), MPU_ARGS_3(__VA_ARGS__)
#define MPU_ARGS_5(a, ...) MPU_ARG(a), MPU_ARGS_4(__VA_ARGS__)
#define MPU_ARGS_6(a, ...) MPU_ARG(a), MPU_ARGS_5(__VA_ARGS__)
#define MPU_ARGS_7(a, ...) MPU_ARG(a), MPU_ARGS_6(__VA_ARGS__)
#define MPU_ARGS_8(a, ...) MPU_ARG(a), MPU_ARGS_7(__VA_ARGS__)
/* MPU_ARGS counts its arguments: they push the right MPU_ARGS_n into the ninth place. */
#define MPU_NINTH(a, b, c, d, e, f, g, h, name, ...) name
#define MPU_ARGS(...)                                                                                        \
  MPU_NINTH(__VA_ARGS__, MPU_ARGS_8, MPU_ARGS_7, MPU_ARGS_6, MPU_ARGS_5, MPU_ARGS_4, MPU_ARGS_3, MPU_ARGS_2, \
            MPU_ARGS_1, )                                                                                    \
  (__VA_ARGS__)

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What the test programs of the driver API share: calls that must succeed, and ones that must not.
 */
#ifndef EXEC_DRIVER_H
#define EXEC_DRIVER_H

#include <stdio.h>
#include <stdlib.h>

#include "cuda.h"

#define GOOD(call) expect(CUDA_SUCCESS, call, #call, __LINE__)
#define IS(wanted, call) expect(wanted, call, #call, __LINE__)
#define TRUE(condition)                                            \
  do {                                                             \
    if (!(condition)) {                                            \
      printf("line %d: %s does not hold\n", __LINE__, #condition); \
      exit(1);                                                     \
    }                                                              \
  } while (0)

static inline void expect(CUresult wanted, CUresult got, const char *call, int line) {
  const char *name = "?";
  if (wanted == got) return;
  cuGetErrorName(got, &name);
  printf("line %d: %s gave %d (%s), not %d\n", line, call, (int)got, name, (int)wanted);
  exit(1);
}

static inline CUcontext driver_start(void) {
  CUcontext context;
  GOOD(cuInit(0));
  GOOD(cuCtxCreate(&context, 0, 0));
  return context;
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What the test programs of the driver API share: calls that must succeed, and ones that must not.
 */
#ifndef EXEC_DRIVER_H
#define EXEC_DRIVER_H

#include <stdio.h>
#include <stdlib.h>

#include "cuda.h"
#include "holds.h"

#define GOOD(call) expect(CUDA_SUCCESS, call, #call, __LINE__)
#define IS(wanted, call) expect(wanted, call, #call, __LINE__)

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

/* SPDX-License-Identifier: Apache-2.0
 *
 * What the test programs of the driver API share: calls that must succeed (GOOD), and calls that
 * must give a certain error (IS).
 */
#ifndef EXEC_DRIVER_H
#define EXEC_DRIVER_H

#include <stdio.h>
#include <stdlib.h>

#include "cuda.h"
#include "holds.h"

#define GOOD(call) expect_result(CUDA_SUCCESS, call, #call, __LINE__)
#define IS(wanted, call) expect_result(wanted, call, #call, __LINE__)

/* Ends the program unless the call gave this result. */
static inline void expect_result(CUresult wanted, CUresult got, const char *call, int line) {
  const char *name = "?";
  if (wanted == got) return;
  cuGetErrorName(got, &name);
  printf("line %d: %s gave %d (%s), not %d\n", line, call, (int)got, name, (int)wanted);
  exit(1);
}

/* Initialises the driver and makes a context on device 0. */
static inline CUcontext driver_start(void) {
  CUcontext context;
  GOOD(cuInit(0));
  GOOD(cuCtxCreate(&context, 0, 0));
  return context;
}

#endif

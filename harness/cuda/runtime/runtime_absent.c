/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime API: functions that are not there. Each says so and returns "not supported". None
 * looks at its arguments, so one form serves for all.
 */
#include "cudart.h"

#define ABSENT(name)                             \
  cudaError_t name(void);                        \
  cudaError_t name(void) {                       \
    return runtime_end(lockstack_absent(#name)); \
  }
#include "runtime_absent.def"

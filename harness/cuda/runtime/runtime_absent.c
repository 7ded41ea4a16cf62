/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime API: functions that are not there say so, and return "not supported". None looks at
 * its arguments.
 */
#include "cudart.h"

#define ABSENT(name)                             \
  cudaError_t name(void);                        \
  cudaError_t name(void) {                       \
    return runtime_end(lockstack_absent(#name)); \
  }
#include "runtime_absent.def"

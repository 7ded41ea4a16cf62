/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API: functions that are not there say so, and return "not supported". None looks at
 * its arguments.
 */
#include "cuda_device.h"

#define ABSENT(name)             \
  CUresult name(void);           \
  CUresult name(void) {          \
    return device_absent(#name); \
  }
#include "driver_absent.def"

/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API: functions that are not there. Each says so and returns "not supported". None
 * looks at its arguments, so one form serves for all.
 */
#include "cuda_device.h"

#define ABSENT(name)             \
  CUresult name(void);           \
  CUresult name(void) {          \
    return device_absent(#name); \
  }
#include "driver_absent.def"

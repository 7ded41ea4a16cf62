/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls into a device outside of a lockstep, which has limits of its own: each call ends after the
 * time of guard_limit, and soon after Ctrl-C.
 *
 *   const char *lost = device_call(dut, device, DEVICE_EVAL, &held);
 *   if (lost) ...   it did not return: the device must not be used or destroyed any more
 */
#ifndef DEVICE_CALL_H
#define DEVICE_CALL_H

#include "dut.h"

typedef enum { DEVICE_EVAL, DEVICE_STEP } device_call_t;

/* held (NULL: not wanted) becomes false if an assertion failed. Returns NULL, or why the call did
 * not return, GUARD_INTERRUPTED among that; the text stays until the next call. */
const char *device_call(const dut_t *dut, void *device, device_call_t call, bool *held);

/* in: as of dut_t's reset. Returns as device_call does. */
const char *device_reset(const dut_t *dut, void *device, const void *in);

/* Inputs, logic, outputs (out NULL: not wanted), clock edge. */
const char *device_cycle(const dut_t *dut, void *device, const void *in, void *out, bool *held);

#endif

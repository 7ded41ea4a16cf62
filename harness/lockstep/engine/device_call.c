/* SPDX-License-Identifier: Apache-2.0 */
#include "device_call.h"

#include "guard.h"

#include <setjmp.h>
#include <stdio.h>

static jmp_buf way_out;
static char reason[256];

static void device_left(void *context, const char *file, unsigned line, const char *text) {
  (void)context, (void)file, (void)line;
  snprintf(reason, sizeof reason, "%s", text);
  _longjmp(way_out, 1);
}

const char *device_call(const dut_t *dut, void *device, device_call_t call, bool *held) {
  guard_enter_device(dut, device_left, NULL);
  if (_setjmp(way_out)) return reason;
  const bool good = call == DEVICE_EVAL ? dut->eval(device) : dut->step(device);
  guard_left_device();
  if (held) *held = good;
  return NULL;
}

const char *device_reset(const dut_t *dut, void *device, const void *in) {
  guard_enter_device(dut, device_left, NULL);
  if (_setjmp(way_out)) return reason;
  dut->reset(device, in);
  guard_left_device();
  return NULL;
}

const char *device_cycle(const dut_t *dut, void *device, const void *in, void *out, bool *held) {
  bool before = true, after = true;
  dut->set_inputs(device, in);
  const char *lost = device_call(dut, device, DEVICE_EVAL, &before);
  if (!lost && out) dut->get_outputs(device, out);
  if (!lost) lost = device_call(dut, device, DEVICE_STEP, &after);
  if (held) *held = before && after;
  return lost;
}

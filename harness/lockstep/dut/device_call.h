// SPDX-License-Identifier: Apache-2.0
//
// For the shims: while one exists, the device is running. guard.h ends a call that does not return
// by a longjmp, which the destructor does not see.
#ifndef DEVICE_CALL_H
#define DEVICE_CALL_H

class device_call {
public:
  device_call() {
    dut_guard->leave = nullptr;
    dut_guard->calls = dut_guard->calls + 1;
    dut_guard->function = dut_device;
  }
  ~device_call() {
    dut_guard->function = nullptr;
  }
};

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "lockstep_device.h"

#include "guard.h"

#include <stdio.h>
#include <string.h>

/* Handler of a device's call that does not return. */
void lockstep_device_left(void *context, const char *file, unsigned line, const char *text) {
  lockstep_t *ls = context;
  (void)file, (void)line;
  snprintf(ls->text, sizeof ls->text, "%s", text);
  ls->left = strcmp(text, GUARD_INTERRUPTED) ? OUTCOME_DUT_ASSERT : OUTCOME_INTERRUPTED;
  ls->dev_lost = true;
  _longjmp(ls->dev_jump, 1);
}

void lockstep_destroy_device(lockstep_t *ls) {
  if (ls->dev && !ls->dev_lost) ls->dut->destroy(ls->dev);
  ls->dev = NULL, ls->dev_lost = false;
}

/* Powers the device up; NULL if it fails. `initial` may have a loop without an end. */
void lockstep_create_device(lockstep_t *ls) {
  guard_enter_device(ls->dut, lockstep_device_left, ls);
  if (_setjmp(ls->dev_jump)) {
    ls->dev_lost = false; /* there is none yet */
    ls->outcome = ls->left;
    return;
  }
  ls->dev = ls->dut->create();
  guard_left_device();
}

void lockstep_reset_device(lockstep_t *ls) {
  guard_enter_device(ls->dut, lockstep_device_left, ls);
  if (_setjmp(ls->dev_jump)) {
    ls->outcome = ls->left;
    return;
  }
  ls->dut->reset(ls->dev, ls->reset_in);
  guard_left_device();
}

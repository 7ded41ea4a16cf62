/* SPDX-License-Identifier: Apache-2.0
 *
 * The device of a pair: its start, reset and end, and the way out of a call that does not return.
 * lockstep.c alone uses it. Where such a call ended, ls->outcome is DUT_ASSERT or INTERRUPTED.
 */
#ifndef LOCKSTEP_DEVICE_H
#define LOCKSTEP_DEVICE_H

#include "lockstep.h"

/* For guard_enter_device: sets ls->left, ls->text and ls->dev_lost, and jumps to ls->dev_jump. */
void lockstep_device_left(void *context, const char *file, unsigned line, const char *text);

void lockstep_create_device(lockstep_t *ls); /* ls->dev stays NULL if it fails */
void lockstep_reset_device(lockstep_t *ls);
void lockstep_destroy_device(lockstep_t *ls);

#endif

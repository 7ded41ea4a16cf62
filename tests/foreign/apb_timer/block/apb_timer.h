/* SPDX-License-Identifier: Apache-2.0 */
#ifndef APB_TIMER_H
#define APB_TIMER_H

#include <stdbool.h>

#include "apb_timer_ports.h"

typedef struct apb_timer {
  bool enable, reload, interrupt, expired;
  uint32_t load, value, divide;
  uint32_t elapsed; /* cycles of the step that is under way */
} apb_timer_t;

void apb_timer_reset(apb_timer_t *state);
void apb_timer_eval(const apb_timer_t *state, const apb_timer_in_t *in, apb_timer_out_t *out);
void apb_timer_step(apb_timer_t *state, const apb_timer_in_t *in);

#endif

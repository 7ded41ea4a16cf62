/* SPDX-License-Identifier: Apache-2.0
 *
 * A counter by commands.
 */
#ifndef VHDL_COUNTER_H
#define VHDL_COUNTER_H

#include <stdbool.h>

#include "vhdl_counter_ports.h"

typedef enum { IDLE, RUNNING, REWOUND } vhdl_counter_state_t;

typedef struct vhdl_counter {
  uint64_t count, phase;
  bool left; /* the last step left the range */
  vhdl_counter_state_t state;
} vhdl_counter_t;

void vhdl_counter_reset(vhdl_counter_t *state);
void vhdl_counter_eval(const vhdl_counter_t *state, const vhdl_counter_in_t *in, vhdl_counter_out_t *out);
void vhdl_counter_step(vhdl_counter_t *state, const vhdl_counter_in_t *in);

#endif

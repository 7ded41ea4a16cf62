/* SPDX-License-Identifier: Apache-2.0 */
#ifndef crossing_MODEL_H
#define crossing_MODEL_H

#include "crossing_ports.h" /* made of crossing.ports: crossing_in_t, crossing_out_t */

/* Words written and taken so far: [0] now, [1] a cycle ago, [2] two cycles ago. */
typedef struct crossing_state {
  uint32_t rows[1 << LOG], written[3], taken[3];
} crossing_t;

void crossing_reset(crossing_t *state);
void crossing_eval(const crossing_t *state, const crossing_in_t *in, crossing_out_t *out);
void crossing_step(crossing_t *state, const crossing_in_t *in);

#endif

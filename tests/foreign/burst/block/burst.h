/* SPDX-License-Identifier: Apache-2.0 */
/* burst: beats are kept until the last of a burst, or until there is no more room, then sent. */
#ifndef burst_MODEL_H
#define burst_MODEL_H

#include <stdbool.h>

#include "burst_ports.h" /* made of burst.ports: burst_in_t, burst_out_t */

typedef struct burst {
  uint64_t cycles;
  unsigned used, state;
  uint8_t words[Depth]; /* what the block remembers, in the place of this */
} burst_t;

/* Reset; the state is all zero before the first. */
void burst_reset(burst_t *state);

/* The outputs of this cycle; changes nothing. */
void burst_eval(const burst_t *state, const burst_in_t *in, burst_out_t *out);

/* The clock edge. */
void burst_step(burst_t *state, const burst_in_t *in);

#endif

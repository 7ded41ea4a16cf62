/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_acks: for each warp slot, the writes that memory has not acknowledged (NSU
 * paper, section 4.1.2, OFLD.END; rtl/nsu/nsu_acks.ports).
 *
 * Call nsu_acks_eval for the outputs of a cycle, then nsu_acks_step with the same inputs for its
 * clock edge. All outputs are state (Moore). nsu_acks_step asserts that inc_slot is below NumWarps.
 */
#ifndef NSU_ACKS_H
#define NSU_ACKS_H

#include <stdbool.h>

#include "nsu_acks_ports.h"

typedef struct {
  unsigned count[NumWarps]; /* writes in flight of each slot */
  uint64_t zero;            /* slots whose count is 0, a bit each */
  bool err_noreq;           /* the last cycle's acknowledgement was dropped */
} nsu_acks_t;

void nsu_acks_reset(nsu_acks_t *s);
void nsu_acks_eval(const nsu_acks_t *s, const nsu_acks_in_t *in, nsu_acks_out_t *out);
void nsu_acks_step(nsu_acks_t *s, const nsu_acks_in_t *in);
/* True: while inc and dec are 0, step changes nothing. */
bool nsu_acks_idle(const nsu_acks_t *s);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_wgen: a store's data and addresses become WRITE packets, one for each line
 * that it touches (rtl/nsu/nsu_wgen.ports).
 *
 * Call nsu_wgen_eval for the outputs of a cycle, then nsu_wgen_step with the same inputs for its
 * clock edge. done depends on wr_ready of the same cycle (Mealy). start without ready is ignored.
 * nsu_wgen_eval writes wr_hdr and wr_data only if wr_valid is 1.
 */
#ifndef NSU_WGEN_H
#define NSU_WGEN_H

#include <stdbool.h>

#include "nsu_beat.h"
#include "nsu_wgen_ports.h"

typedef struct {
  bool busy;                         /* a store is under way */
  uint8_t slot, sm, warp, seq, size; /* size: 0 one byte, 1 two, 2 four */
  uint32_t mask, pending;            /* the store's threads; those in no accepted packet yet */
  uint64_t addr[PKT_WARP_WIDTH];     /* byte addresses by thread */
  uint32_t data[PKT_WARP_WIDTH];     /* words by thread, not yet cut to size */
} nsu_wgen_t;

void nsu_wgen_reset(nsu_wgen_t *s);
void nsu_wgen_eval(const nsu_wgen_t *s, const nsu_wgen_in_t *in, nsu_wgen_out_t *out);
void nsu_wgen_step(nsu_wgen_t *s, const nsu_wgen_in_t *in);
/* True: while start is 0, step changes nothing. */
bool nsu_wgen_idle(const nsu_wgen_t *s);

#endif

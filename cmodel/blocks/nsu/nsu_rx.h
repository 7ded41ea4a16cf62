/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_rx, the receive side of the NSU's network interface: phits become beats, and
 * a beat's type selects a strobe (rtl/nsu/nsu_rx.ports).
 *
 * Call nsu_rx_eval for the outputs of a cycle, then nsu_rx_step with the same inputs for its clock
 * edge. All outputs are state (Moore). nsu_rx_eval writes rx_hdr and rx_data only if rx_valid is 1.
 */
#ifndef NSU_RX_H
#define NSU_RX_H

#include <stdbool.h>

#include "nsu_beat.h"
#include "nsu_rx_ports.h"

typedef struct {
  unsigned count;            /* phits of the present beat that have arrived, 0 .. BEAT_PHITS - 1 */
  uint32_t beat[BEAT_WORDS]; /* line below header (nsu_beat.h) */
  bool rx_valid, in_class;   /* the beat is complete, for one cycle; its last phit's class */
} nsu_rx_t;

void nsu_rx_reset(nsu_rx_t *s);
void nsu_rx_eval(const nsu_rx_t *s, const nsu_rx_in_t *in, nsu_rx_out_t *out);
void nsu_rx_step(nsu_rx_t *s, const nsu_rx_in_t *in);
/* True: while in_valid is 0, step changes nothing. */
bool nsu_rx_idle(const nsu_rx_t *s);

#endif

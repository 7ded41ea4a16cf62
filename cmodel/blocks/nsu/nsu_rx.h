/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_rx -- golden model of the receive side of the network interface; contract:
 * rtl/nsu/nsu_rx.ports.
 */
#ifndef NSU_RX_H
#define NSU_RX_H

#include <stdbool.h>

#include "nsu_beat.h"
#include "nsu_rx_ports.h"

typedef struct {
  unsigned count; /* phits of the beat under way that have come */
  uint32_t beat[BEAT_WORDS];
  bool rx_valid, in_class; /* the beat is whole: its outputs are shown this cycle */
} nsu_rx_t;

void nsu_rx_reset(nsu_rx_t *s);
void nsu_rx_eval(const nsu_rx_t *s, const nsu_rx_in_t *in, nsu_rx_out_t *out);
void nsu_rx_step(nsu_rx_t *s, const nsu_rx_in_t *in);
bool nsu_rx_idle(const nsu_rx_t *s); /* while in_valid is 0 */

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_wgen -- golden model of write generation; contract: rtl/nsu/nsu_wgen.ports.
 */
#ifndef NSU_WGEN_H
#define NSU_WGEN_H

#include <stdbool.h>

#include "nsu_beat.h"
#include "nsu_wgen_ports.h"

typedef struct {
  bool busy;
  uint8_t slot, sm, warp, seq, size;
  uint32_t mask, pending; /* the store's threads; those that are in no packet yet */
  uint64_t addr[PKT_WARP_WIDTH];
  uint32_t data[PKT_WARP_WIDTH];
} nsu_wgen_t;

void nsu_wgen_reset(nsu_wgen_t *s);
void nsu_wgen_eval(const nsu_wgen_t *s, const nsu_wgen_in_t *in, nsu_wgen_out_t *out);
void nsu_wgen_step(nsu_wgen_t *s, const nsu_wgen_in_t *in);
bool nsu_wgen_idle(const nsu_wgen_t *s); /* while start is 0 */

#endif

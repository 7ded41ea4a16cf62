/* SPDX-License-Identifier: Apache-2.0
 *
 * Are the GPU's links busy (TOM paper, section 3.3): an instance of tom_busy (rtl/tom), at the
 * crossbar's clock.
 *
 * A packet's flits cross a link one after the other, as many a cycle as it carries. Its outputs
 * come to the SMs' clock through two registers.
 */
#ifndef TOM_LINKS_H
#define TOM_LINKS_H

#include "gpu_shared.h"
#include "offload_instance.h"

typedef struct {
  const gpu_shared_t *sh;
  offload_instance_t instance; /* not there: never busy */
  struct {
    unsigned tx_flits, rx_flits, limit, hot_tx, hot_rx;
  } at;
  void *in;
  unsigned flits, bits; /* of a link and cycle at most; of their number */
  uint64_t limit;
  uint64_t told[2][GPU_MAX_NSU_STACKS]; /* flits of each link that the instance has heard of: sent, got */
  unsigned now[2];                      /* registers: bit 0 tx, bit 1 rx */
} tom_links_t;

int tom_links_init(tom_links_t *l, const gpu_shared_t *sh); /* -1: out of host memory, or the engine cannot be had */
void tom_links_deinit(tom_links_t *l);                      /* also of one that could not be made */
void tom_links_tick_xbar(tom_links_t *l);
void tom_links_tick_core(tom_links_t *l);

/* For the SMs, in this cycle of theirs. */
static inline bool tom_links_tx(const tom_links_t *l) {
  return l->now[1] & 1;
}
static inline bool tom_links_rx(const tom_links_t *l) {
  return l->now[1] >> 1 & 1;
}

#endif

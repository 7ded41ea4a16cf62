/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the GPU's links are busy (TOM paper, section 3.3): an instance of tom_busy (rtl/tom), at
 * the crossbar's clock.
 *
 * A packet's flits cross a link at link_flits a cycle. The outputs reach the SMs' clock through two
 * registers.
 */
#ifndef TOM_LINKS_H
#define TOM_LINKS_H

#include "gpu_shared.h"
#include "offload_instance.h"

/* State of the watch. */
typedef struct {
  const gpu_shared_t *sh;
  offload_instance_t instance; /* not open: links are never busy */
  struct {                     /* offset of each port's first word */
    unsigned tx_flits, rx_flits, limit, hot_tx, hot_rx;
  } at;
  void *in;             /* [words of all inputs] */
  unsigned flits, bits; /* most flits of a link in a cycle; bits of that number */
  uint64_t limit;       /* share of its flits from which a link is busy, in percent (tom.busy) */
  /* flits of each link that the instance has heard of; [0] sent, [1] got */
  uint64_t told[2][GPU_MAX_NSU_STACKS];
  unsigned now[2]; /* the two registers; bit 0: tx, bit 1: rx */
} tom_links_t;

/* -1: out of host memory, or the engine failed. */
int tom_links_init(tom_links_t *l, const gpu_shared_t *sh);
void tom_links_deinit(tom_links_t *l); /* also after a failed init */
void tom_links_tick_xbar(tom_links_t *l);
void tom_links_tick_core(tom_links_t *l);

/* True: links from the GPU (tx) or to the GPU (rx) are busy, as the SMs see it in this cycle. */
static inline bool tom_links_tx(const tom_links_t *l) {
  return l->now[1] & 1;
}
static inline bool tom_links_rx(const tom_links_t *l) {
  return l->now[1] >> 1 & 1;
}

#endif

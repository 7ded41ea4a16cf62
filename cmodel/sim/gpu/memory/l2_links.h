/* SPDX-License-Identifier: Apache-2.0
 *
 * Several slices of the L2 at one link: those of a stack send in turn; what comes goes to the slice
 * of its line, and waits while any of them is full.
 */
#ifndef L2_LINKS_H
#define L2_LINKS_H

#include "l2.h"

typedef struct {
  unsigned slices;                            /* a stack */
  l2_t *slice;                                /* [stacks * slices] */
  uint8_t turn[GPU_MAX_STACKS][XBAR_CLASSES]; /* who is next, by class of link */
} l2_links_t;

const packet_t *l2_links_front(const l2_links_t *links, unsigned stack, unsigned cls); /* NULL: none */
packet_t *l2_links_pop(l2_links_t *links, unsigned stack, unsigned cls);
bool l2_links_can_push(const l2_links_t *links, unsigned stack);
void l2_links_push(l2_links_t *links, unsigned stack, packet_t *packet);

#endif

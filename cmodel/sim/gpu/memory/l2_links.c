/* SPDX-License-Identifier: Apache-2.0 */
#include "l2_links.h"

/* The next slice in turn with something to send; without one, the slice in turn. */
static l2_t *choose_sender(const l2_links_t *l, unsigned stack, unsigned cls) {
  l2_t *first = &l->slice[stack * l->slices];
  if (l->slices == 1) return first;
  for (unsigned i = 0; i < l->slices; i++) {
    l2_t *slice = &first[(l->turn[stack][cls] + i) % l->slices];
    if (l2_link_front(slice, cls)) return slice;
  }
  return &first[l->turn[stack][cls]];
}

const packet_t *l2_links_front(const l2_links_t *l, unsigned stack, unsigned cls) {
  return l2_link_front(choose_sender(l, stack, cls), cls);
}

packet_t *l2_links_pop(l2_links_t *l, unsigned stack, unsigned cls) {
  l2_t *slice = choose_sender(l, stack, cls);
  l->turn[stack][cls] = (uint8_t)((slice->id + 1) % l->slices);
  return l2_link_pop(slice, cls);
}

/* Any slice may get the packet, so all must have room. */
bool l2_links_can_push(const l2_links_t *l, unsigned stack) {
  for (unsigned i = 0; i < l->slices; i++)
    if (!l2_link_can_push(&l->slice[stack * l->slices + i])) return false;
  return true;
}

void l2_links_push(l2_links_t *l, unsigned stack, packet_t *p) {
  l2_link_push(&l->slice[gpu_slice(l->slice->config, stack, p->hdr.addr)], p);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "host_link.h"

#include <stdlib.h>

#include "l2.h"

enum { PLACES = 1024 }; /* answers on their way: no more requests go out */

typedef struct {
  packet_t *packet;
  double comes;
  unsigned slice;
} answer_t;

struct host_link {
  const gpu_shared_t *sh;
  l2_t *slices;
  double up_free, down_free; /* cycles from which on that way is free */
  unsigned next;             /* slice, whose turn it is */
  answer_t answer[PLACES];   /* a ring */
  unsigned first, count;
};

host_link_t *host_link_new(const gpu_shared_t *sh, l2_t *slices) {
  host_link_t *h = calloc(1, sizeof *h);
  if (h) h->sh = sh, h->slices = slices;
  return h;
}

void host_link_free(host_link_t *h) {
  for (unsigned i = 0; h && i < h->count; i++) packet_free(h->sh->pool, h->answer[(h->first + i) % PLACES].packet);
  free(h);
}

/* The packet becomes its answer. */
static bool serve(const host_link_t *h, packet_t *p) {
  const gpu_memory_t *m = h->sh->memory;
  uint32_t line[GPU_LINE_WORDS];
  if (p->hdr.type == PKT_READ) {
    m->read(m->ctx, p->hdr.addr, line, sizeof line);
    gpu_packet_reply(p, PKT_READ_RESP, line);
    return true;
  }
  if (p->hdr.type != PKT_WRITE) {
    trouble_fail(h->sh->fault, TROUBLE_BROKEN, "a %s packet to the host", packet_type_name((unsigned)p->hdr.type));
    return false;
  }
  const unsigned bytes = 1U << p->hdr.size;
  for (uint32_t lanes = (uint32_t)p->hdr.mask; lanes; lanes &= lanes - 1) {
    const unsigned i = (unsigned)__builtin_ctz(lanes);
    m->write(m->ctx, p->hdr.addr + (p->hdr.aligned ? i * bytes : p->hdr.offs[i]), &p->data[0][i], bytes);
  }
  p->hdr.type = PKT_WRITE_ACK;
  return true;
}

static bool send(host_link_t *h, unsigned slice, uint64_t now) {
  l2_t *l2 = &h->slices[slice];
  const packet_t *front = l2_link_front(l2, 0);
  if (!front || !h->sh->pages->map->at_host(front->hdr.addr)) return false;
  packet_t *p = l2_link_pop(l2, 0);
  const double rate = h->sh->config->host.bytes, start = h->up_free > (double)now ? h->up_free : (double)now;
  h->up_free = start + packet_bytes(p) / rate;
  h->sh->stats->host_packets++;
  h->sh->stats->host_bytes += packet_bytes(p);
  if (!serve(h, p)) {
    packet_free(h->sh->pool, p);
    return true;
  }
  const double soonest = h->up_free + h->sh->config->host.latency;
  h->down_free = (h->down_free > soonest ? h->down_free : soonest) + packet_bytes(p) / rate;
  h->sh->stats->host_bytes += packet_bytes(p);
  h->answer[(h->first + h->count++) % PLACES] = (answer_t){p, h->down_free, slice};
  return true;
}

static void answer(host_link_t *h, uint64_t now) {
  while (h->count && h->answer[h->first].comes <= (double)now &&
         l2_link_can_push(&h->slices[h->answer[h->first].slice])) {
    l2_link_push(&h->slices[h->answer[h->first].slice], h->answer[h->first].packet);
    h->first = (h->first + 1) % PLACES;
    h->count--;
  }
}

void host_link_tick(host_link_t *h, uint64_t now) {
  const unsigned slices = h->sh->config->num_stacks;
  answer(h, now);
  for (unsigned i = 0; i < slices && h->up_free < (double)now + 1 && h->count < PLACES; i++)
    if (send(h, (h->next + i) % slices, now)) h->next = (h->next + i + 1) % slices;
}

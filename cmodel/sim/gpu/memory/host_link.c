/* SPDX-License-Identifier: Apache-2.0
 *
 * The link to host memory. A request is executed when it leaves; its answer then waits for its
 * time.
 */
#include "host_link.h"

#include <stdlib.h>

#include "l2.h"

enum { PLACES = 1024 }; /* most answers on their way; a full ring stops requests */

typedef struct {
  packet_t *packet;
  double comes;
  unsigned slice;
} answer_t;

struct host_link {
  const gpu_shared_t *sh;
  l2_t *slices;
  double up_free, down_free; /* cycles from which each direction is free */
  unsigned next;             /* slice that may send next */
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

/* Executes a request and turns the packet into its answer. false: not a request for memory. */
static bool execute_request(const host_link_t *h, packet_t *p) {
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

/* Sends a slice's oldest request, if it is for the host. Times are fractions of cycles, so that
 * rates need not be whole. */
static bool send_request(host_link_t *h, unsigned slice, uint64_t now) {
  l2_t *l2 = &h->slices[slice];
  const packet_t *front = l2_link_front(l2, 0);
  if (!front || !h->sh->pages->map->at_host(front->hdr.addr)) return false;
  packet_t *p = l2_link_pop(l2, 0);
  const double rate = h->sh->config->host.bytes, start = h->up_free > (double)now ? h->up_free : (double)now;
  h->up_free = start + packet_bytes(p) / rate;
  h->sh->stats->host_packets++;
  h->sh->stats->host_bytes += packet_bytes(p);
  if (!execute_request(h, p)) {
    packet_free(h->sh->pool, p);
    return true;
  }
  const double soonest = h->up_free + h->sh->config->host.latency;
  h->down_free = (h->down_free > soonest ? h->down_free : soonest) + packet_bytes(p) / rate;
  h->sh->stats->host_bytes += packet_bytes(p);
  h->answer[(h->first + h->count++) % PLACES] = (answer_t){p, h->down_free, slice};
  return true;
}

/* Delivers answers whose time has come. A full slice stops all behind. */
static void deliver_answers(host_link_t *h, uint64_t now) {
  while (h->count && h->answer[h->first].comes <= (double)now &&
         l2_link_can_push(&h->slices[h->answer[h->first].slice])) {
    l2_link_push(&h->slices[h->answer[h->first].slice], h->answer[h->first].packet);
    h->first = (h->first + 1) % PLACES;
    h->count--;
  }
}

void host_link_tick(host_link_t *h, uint64_t now) {
  const unsigned slices = h->sh->config->num_stacks;
  deliver_answers(h, now);
  for (unsigned i = 0; i < slices && h->up_free < (double)now + 1 && h->count < PLACES; i++)
    if (send_request(h, (h->next + i) % slices, now)) h->next = (h->next + i + 1) % slices;
}

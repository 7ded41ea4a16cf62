/* SPDX-License-Identifier: Apache-2.0 */
#include "packet.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 16, CHUNK = 256 };

typedef struct chunk {
  struct chunk *next;
  packet_t packets[CHUNK];
} chunk_t;

struct packet_pool {
  chunk_t *chunks;
  packet_t *free;
  uint64_t live;
};

packet_pool_t *packet_pool_new(void) {
  return calloc(1, sizeof(packet_pool_t));
}

void packet_pool_free(packet_pool_t *pool) {
  if (!pool) return;
  for (chunk_t *c = pool->chunks; c;) {
    chunk_t *next = c->next;
    free(c);
    c = next;
  }
  free(pool);
}

/* Adds CHUNK free packets. -1: out of host memory. */
static int pool_grow(packet_pool_t *pool) {
  chunk_t *c = malloc(sizeof *c);
  if (!c) return -1;
  c->next = pool->chunks;
  pool->chunks = c;
  for (int i = 0; i < CHUNK; i++) {
    c->packets[i].next = pool->free;
    pool->free = &c->packets[i];
  }
  return 0;
}

packet_t *packet_new(packet_pool_t *pool, unsigned type) {
  if (!pool->free && pool_grow(pool)) return NULL;
  packet_t *p = pool->free;
  pool->free = p->next;
  pool->live++;
  memset(p, 0, offsetof(packet_t, data));
  p->hdr.type = type;
  return p;
}

void packet_free(packet_pool_t *pool, packet_t *packet) {
  packet->next = pool->free;
  pool->free = packet;
  pool->live--;
}

uint64_t packet_pool_live(const packet_pool_t *pool) {
  return pool->live;
}

/* packet.h has the sizes. */
unsigned packet_bytes(const packet_t *packet) {
  const pkt_hdr_t *h = &packet->hdr;
  unsigned threads = (unsigned)__builtin_popcountll(h->mask);
  unsigned offsets = h->aligned ? 0 : (threads * PKT_OFFSET_BITS + 7) / 8;
  unsigned partial = h->lmask == h->mask ? 0 : 4;
  switch (h->type) {
  case PKT_CMD: return HEADER_BYTES + 5 + 4 * threads * (unsigned)h->count;
  case PKT_RDF:
  case PKT_WTA: return HEADER_BYTES + partial + offsets;
  case PKT_RDF_RESP:
    return HEADER_BYTES + partial + (packet->kept ? offsets : 0) +
           (packet->kept == PACKET_NAMES ? 0 : threads << h->size);
  case PKT_WRITE: return HEADER_BYTES + offsets + (threads << h->size);
  case PKT_OFLD_ACK: return HEADER_BYTES + 4 * threads * (unsigned)h->count;
  case PKT_READ_RESP:
  case PKT_IFILL:
  case PKT_CFILL: return HEADER_BYTES + PKT_LINE_BYTES;
  case PACKET_ATOM:
  case PACKET_ATOM_RESP: return HEADER_BYTES + 12 * threads;
  case PACKET_OWN: return packet->bytes;
  default: return HEADER_BYTES;
  }
}

const char *packet_type_name(unsigned type) {
  static const char *const inside[PACKET_TYPES - PACKET_ATOM] = {"ATOM", "ATOM_RESP", "FORGET"};
  if (type >= PACKET_ATOM && type < PACKET_TYPES) return inside[type - PACKET_ATOM];
  return type == PACKET_OWN ? "OWN" : pkt_type_name(type);
}

int packet_class(const packet_t *packet) {
  switch (packet->hdr.type) {
  case PACKET_OWN: return packet->cls;
  case PACKET_ATOM:
  case PACKET_FORGET: return 0;
  case PACKET_ATOM_RESP: return 1;
  default: return pkt_type_class((unsigned)packet->hdr.type);
  }
}

unsigned packet_flits(const packet_t *packet) {
  return (packet_bytes(packet) + PACKET_FLIT_BYTES - 1) / PACKET_FLIT_BYTES;
}

void packet_make_plain(packet_t *p) {
  p->kept = PACKET_PLAIN;
  p->hdr.aligned = 1;
  memset(p->hdr.offs, 0, sizeof p->hdr.offs);
}

unsigned packet_lines(const packet_t *packet) {
  unsigned type = (unsigned)packet->hdr.type, count = (unsigned)packet->hdr.count;
  return (type == PKT_CMD || type == PKT_OFLD_ACK) && count > 1 ? count : 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "ni_bridge.h"

#include <assert.h>
#include <string.h>

#include "describe.h"

enum { RESPONSES = 1 }; /* message class */

link_config_t ni_bridge_default_config(void) {
  link_config_t c = link_default_config();
  c.latency = 2;
  return c;
}

void ni_bridge_init(ni_bridge_t *b, const link_config_t *config) {
  memset(b, 0, sizeof *b);
  link_init(&b->to_nsu, config);
  link_init(&b->from_nsu, config);
}

void ni_bridge_set(ni_bridge_t *b, uint64_t flits, uint64_t ticks, unsigned beats, packet_pool_t *pool) {
  assert(beats <= NI_MAX_BEATS && ni_bridge_idle(b));
  link_rate(&b->to_nsu, flits, ticks);
  link_rate(&b->from_nsu, flits, ticks);
  b->beats = beats;
  b->pool = pool;
}

/* ---- merging ---- */

/* RDF responses of the same load instruction of the same warp. */
static bool are_of_one_load(const pkt_hdr_t *a, const pkt_hdr_t *b) {
  return a->type == PKT_RDF_RESP && b->type == PKT_RDF_RESP && a->sm == b->sm && a->warp == b->warp && a->seq == b->seq;
}

/* A waiting response that this one can join; NULL: none. It must have other threads: where two
 * have the same ones, the NSU is to find the fault. */
static packet_t *find_partner(const ni_bridge_t *b, const packet_t *p) {
  for (unsigned k = 0; k < b->count; k++) {
    packet_t *w = b->beat[(b->first + k) % NI_MAX_BEATS];
    if (are_of_one_load(&w->hdr, &p->hdr) && !(w->hdr.mask & p->hdr.mask) && w->hdr.lmask == p->hdr.lmask &&
        w->hdr.size == p->hdr.size)
      return w;
  }
  return NULL;
}

static void merge_response(packet_t *w, const packet_t *p) {
  for (uint32_t left = (uint32_t)p->hdr.mask; left; left &= left - 1)
    w->data[0][__builtin_ctz(left)] = p->data[0][__builtin_ctz(left)];
  w->hdr.mask |= p->hdr.mask;
}

/* The next response from the link, with the words of its read-only line. */
static packet_t *take_response(ni_bridge_t *b) {
  packet_t *p = link_pop(&b->to_nsu, RESPONSES);
  if (p) ni_lines_take(&b->lines, p);
  return p;
}

/* Takes one response from the link into a place or a partner. False: there is none, or no place. */
static bool gather_response(ni_bridge_t *b) {
  const packet_t *p = link_peek(&b->to_nsu, RESPONSES);
  packet_t *w = p ? find_partner(b, p) : NULL;
  if (!p || (!w && b->count == b->beats)) return false;
  packet_t *taken = take_response(b);
  if (!w) {
    b->beat[(b->first + b->count++) % NI_MAX_BEATS] = taken;
    return true;
  }
  merge_response(w, taken);
  packet_free(b->pool, taken);
  b->merged++;
  return true;
}

void ni_bridge_tick(ni_bridge_t *b, uint64_t now) {
  if (!link_idle(&b->to_nsu)) link_tick(&b->to_nsu, now);
  if (!link_idle(&b->from_nsu)) link_tick(&b->from_nsu, now);
  while (b->beats && gather_response(b)) continue;
}

bool ni_bridge_idle(const ni_bridge_t *b) {
  return link_idle(&b->to_nsu) && link_idle(&b->from_nsu) && !b->count;
}

const packet_t *ni_bridge_peek(const ni_bridge_t *b, unsigned cls) {
  if (cls != RESPONSES || !b->beats) return link_peek(&b->to_nsu, cls);
  return b->count ? b->beat[b->first] : NULL;
}

packet_t *ni_bridge_pop(ni_bridge_t *b, unsigned cls) {
  if (cls != RESPONSES) return link_pop(&b->to_nsu, cls);
  if (!b->beats) return take_response(b);
  if (!b->count) return NULL;
  packet_t *p = b->beat[b->first];
  b->first = (b->first + 1) % NI_MAX_BEATS;
  b->count--;
  return p;
}

size_t ni_bridge_describe_waits(const ni_bridge_t *b, const char *name, char *text, size_t size) {
  size_t used = 0;
  if (size) *text = 0;
  if (b->count)
    describe_add(text, size, &used, "%s: %u responses wait to be taken, first %s\n", name, b->count,
                 packet_type_name((unsigned)b->beat[b->first]->hdr.type));
  return used;
}

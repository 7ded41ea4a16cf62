/* SPDX-License-Identifier: Apache-2.0 */
#include "link.h"

#include <assert.h>
#include <string.h>

#include "config.h"
#include "describe.h"

#define KEYS_OF link_config_t
#define KEYS_IN
#define KEYS_AS_TABLE
#include "key_list.h"

static const config_key_t keys[] = {
#include "link_keys.def"
    {0},
};

link_config_t link_default_config(void) {
  link_config_t c, *values = &c;
#define KEYS_AS_DEFAULTS
#include "key_list.h"
#include "link_keys.def"
  return c;
}

bool link_check_config(const link_config_t *c, trouble_t *trouble) {
  return config_check(keys, c, trouble);
}

void link_init(link_t *l, const link_config_t *config) {
  assert(link_check_config(config, &(trouble_t){0}));
  memset(l, 0, sizeof *l);
  l->config = *config;
  l->flits = config->flits, l->ticks = 1;
  for (unsigned c = 0; c < LINK_CLASSES; c++) l->channel[c].credits = config->rx_flits;
}

void link_rate(link_t *l, uint64_t flits, uint64_t ticks) {
  assert(flits && ticks && ticks <= UINT64_C(1) << 56);
  l->flits = flits, l->ticks = ticks, l->free_part = 0;
}

void link_push(link_t *l, packet_t *p) {
  int cls = packet_class(p);
  assert(cls >= 0 && link_can_push(l, (unsigned)cls));
  link_channel_t *ch = &l->channel[cls];
  p->next = NULL;
  if (ch->tail) ch->tail->next = p;
  else ch->head = p;
  ch->tail = p;
  ch->waiting++;
  l->held++;
}

/* Credits of pops `latency` ticks ago. */
static void take_credits_back(link_t *l) {
  unsigned slot = (unsigned)(l->now % (LINK_MAX_LATENCY + 1));
  for (unsigned c = 0; c < LINK_CLASSES && l->owed; c++) {
    link_channel_t *ch = &l->channel[c];
    ch->credits += ch->owed[slot];
    l->owed -= ch->owed[slot];
    ch->owed[slot] = 0;
  }
}

/* Takes the wire for so many flits, from now or from the end of what is on it. Returns the tick
 * in which the last flit ends. free_part counts in 1 / flits of a tick, so that no rate drifts. */
static uint64_t take_wire(link_t *l, unsigned flits) {
  if (l->free_at < l->now) l->free_at = l->now, l->free_part = 0;
  const uint64_t end = l->free_part + flits * l->ticks;
  l->free_at += end / l->flits;
  l->free_part = end % l->flits;
  return l->free_part ? l->free_at : l->free_at - 1;
}

/* The channel's first packet goes; needs credits and a free wire. */
static void send_channel_head(link_t *l, link_channel_t *ch, unsigned flits) {
  packet_t *p = ch->head;
  ch->head = p->next;
  if (!ch->head) ch->tail = NULL;
  p->next = NULL;
  ch->waiting--;
  ch->credits -= flits;
  ch->arrival[(ch->first + ch->count++) % LINK_MAX_FLITS] =
      (link_arrival_t){p, take_wire(l, flits) + l->config.latency, flits};
  l->stats.busy += flits;
  l->stats.packets[p->hdr.type]++;
  l->stats.bytes[p->hdr.type] += packet_bytes(p);
}

/* Of the class whose turn it is, or of the other. False: none has a packet and its credits. */
static bool send_next_packet(link_t *l) {
  for (unsigned i = 0; i < LINK_CLASSES; i++) {
    unsigned c = (l->turn + i) % LINK_CLASSES;
    link_channel_t *ch = &l->channel[c];
    if (!ch->head) continue;
    unsigned flits = packet_flits(ch->head);
    assert(flits <= l->config.rx_flits);
    if (flits > ch->credits) continue;
    send_channel_head(l, ch, flits);
    l->turn = (c + 1) % LINK_CLASSES;
    return true;
  }
  return false;
}

void link_tick(link_t *l, uint64_t now) {
  l->now = now;
  take_credits_back(l);
  while (l->free_at <= now && send_next_packet(l)) continue;
}

packet_t *link_pop(link_t *l, unsigned cls) {
  packet_t *p = link_peek(l, cls);
  if (!p) return NULL;
  link_channel_t *ch = &l->channel[cls];
  unsigned flits = ch->arrival[ch->first].flits;
  ch->first = (ch->first + 1) % LINK_MAX_FLITS;
  ch->count--;
  ch->owed[(l->now + l->config.latency) % (LINK_MAX_LATENCY + 1)] += flits;
  l->owed += flits;
  l->held--;
  return p;
}

unsigned link_held(const link_t *l) {
  return l->held;
}

size_t link_describe_waits(const link_t *l, const char *name, char *text, size_t size) {
  size_t n = 0;
  if (size) *text = 0;
  for (unsigned c = 0; c < LINK_CLASSES; c++) {
    const link_channel_t *ch = &l->channel[c];
    const packet_t *arrived = link_peek(l, c);
    if (ch->head)
      describe_add(text, size, &n, "%s class %u: %u packets wait to be sent, first %s of %u flits, %u credits\n", name,
                   c, ch->waiting, packet_type_name((unsigned)ch->head->hdr.type), packet_flits(ch->head), ch->credits);
    if (arrived)
      describe_add(text, size, &n, "%s class %u: %u packets at the receiver, %s waits to be taken\n", name, c,
                   ch->count, packet_type_name((unsigned)arrived->hdr.type));
  }
  return n;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * SMs, warps and memories of a closed loop.
 *
 *                   take_warp_turn                       closed_load_receive
 *   ring of warps ------------------> accesses -- port --> memory (a queue per terminal)
 *      ^   ^  \__ instruction: back __/    \                      |  memory_latency cycles
 *      |   |_____________________________ own node _______________|
 *      |__________________________________ port __________________|  send_answer
 *
 * An SM's budget grows by `issue` instructions a cycle. It gives whole instructions to the warps of
 * its ring in turn. A slot that no warp can take is lost. A warp that waits for answers is not in
 * the ring.
 */
#include "closed_load.h"

#include <math.h>
#include <stdlib.h>

#include "ring.h"
#include "rng.h"

enum { MAX_WARPS = 64, MAX_ACCESSES = 32 };

typedef struct warp {
  uint32_t left;          /* instructions before one of memory */
  uint16_t waits;         /* answers */
  uint8_t accesses, sent; /* of its memory instruction, 0: not drawn yet */
  bool store;
  uint64_t asked_at;
} warp_t;

typedef struct sm {
  rng_t rng;
  double may;            /* instructions */
  uint64_t instructions; /* executed */
  uint16_t terminal;
  uint8_t first, ready; /* of the ring */
  uint8_t ring[MAX_WARPS];
  warp_t warp[MAX_WARPS];
} sm_t;

/* A packet's tag: the SM and the warp that asked, what they asked for, and whether the packet is a
 * request or an answer now. */
typedef union tag {
  uint64_t word;
  struct {
    uint16_t sm;
    uint8_t warp;
    uint8_t store : 1, divergent : 1, answer : 1;
  } is;
} tag_t;

typedef struct due {
  uint64_t when;
  tag_t tag;
} due_t;

struct closed_load {
  closed_config_t config;
  unsigned terminals, sms; /* sms: of all */
  double log_stay;         /* log of the share of instructions that are not of memory */
  closed_stats_t stats;
  unsigned waiting;
  sm_t *sm;
  ring_t *memory; /* [terminals]: requests that have come */
};

closed_config_t closed_config_default(void) {
  return (closed_config_t){.sms = 4,
                           .warps = 24,
                           .issue = 0.56,
                           .instructions = 60,
                           .divergent = 0.46,
                           .accesses = 8,
                           .stores = 0.15,
                           .memory_latency = 200,
                           .queue = 16,
                           .seed = 1};
}

bool closed_config_check(const closed_config_t *c, trouble_t *trouble) {
  const char *right = NULL;
  if (c->sms < 1 || c->sms > 16) right = "1 to 16 SMs a terminal";
  else if (c->warps < 1 || c->warps > MAX_WARPS) right = "1 to 64 warps an SM";
  else if (!(c->issue > 0 && c->issue <= 4)) right = "above 0 and at most 4 instructions an SM and cycle";
  else if (!(c->instructions >= 1 && c->instructions <= 1e6)) right = "1 to 1,000,000 instructions for one of memory";
  else if (!(c->divergent >= 0 && c->divergent <= 1)) right = "a divergent share of 0 to 1";
  else if (c->accesses < 2 || c->accesses > MAX_ACCESSES) right = "2 to 32 accesses of a divergent instruction";
  else if (!(c->stores >= 0 && c->stores <= 1)) right = "a share of stores of 0 to 1";
  else if (c->memory_latency > 65535) right = "a memory latency of 0 to 65535 cycles";
  else if (c->queue < 1 || c->queue > 1024) right = "a queue of 1 to 1024 requests";
  return !right || trouble_set(trouble, TROUBLE_INPUT, "%s", right);
}

/* ---- warps ---- */

/* True for this share of the draws; always draws one number. */
static bool draw_chance(sm_t *s, double share) {
  return (double)(rng_next(&s->rng) >> 11) * 0x1p-53 < share;
}

/* Instructions before the next memory instruction: geometric, so that on average one of
 * `instructions` is a memory instruction. */
static uint32_t draw_left(const closed_load_t *l, sm_t *s) {
  const double u = ((double)(rng_next(&s->rng) >> 11) + 1) * 0x1p-53; /* above 0 */
  return l->log_stay < 0 ? (uint32_t)fmin(log(u) / l->log_stay, 1e9) : 0;
}

/* Puts a warp at the end of its SM's ring. */
static void make_ready(sm_t *s, unsigned warp, unsigned warps) {
  s->ring[(s->first + s->ready++) % warps] = (uint8_t)warp;
}

closed_load_t *closed_load_new(const closed_config_t *c, unsigned terminals) {
  closed_load_t *l = calloc(1, sizeof *l);
  if (!l) return NULL;
  l->config = *c;
  l->terminals = terminals, l->sms = terminals * c->sms;
  l->log_stay = log1p(-1 / c->instructions);
  if (c->instructions <= 1) l->log_stay = 0;
  l->sm = calloc(l->sms, sizeof *l->sm);
  l->memory = calloc(terminals, sizeof *l->memory);
  if (!l->sm || !l->memory) {
    closed_load_free(l);
    return NULL;
  }
  for (unsigned t = 0; t < terminals; t++) l->memory[t].size = sizeof(due_t);
  for (unsigned i = 0; i < l->sms; i++) {
    sm_t *s = &l->sm[i];
    s->terminal = (uint16_t)(i / c->sms);
    rng_init(&s->rng, rng_mix(c->seed) + i);
    for (unsigned w = 0; w < c->warps; w++) {
      s->warp[w].left = draw_left(l, s);
      make_ready(s, w, c->warps);
    }
  }
  return l;
}

void closed_load_free(closed_load_t *l) {
  if (!l) return;
  for (unsigned t = 0; l->memory && t < l->terminals; t++) ring_deinit(&l->memory[t]);
  free(l->memory);
  free(l->sm);
  free(l);
}

/* ---- accesses ---- */

/* Queues a request at a memory. All latencies are equal, so the queue stays in order. False: out of
 * memory. */
static bool ask_memory(closed_load_t *l, unsigned terminal, tag_t tag, uint64_t now) {
  const due_t due = {now + l->config.memory_latency, tag};
  return ring_put(&l->memory[terminal], &due);
}

/* Sends one access of a warp's memory instruction. False: the terminal's source queue is full.
 * *memory becomes false when the host has no memory left. */
static bool access_one(closed_load_t *l, sm_t *s, unsigned warp, uint64_t now, const closed_port_t *port,
                       bool *memory) {
  warp_t *w = &s->warp[warp];
  if (port->waiting(port->context, s->terminal) >= l->config.queue) return false;
  const unsigned dest = (unsigned)rng_below(&s->rng, l->terminals);
  tag_t tag = {0};
  tag.is.sm = (uint16_t)(s - l->sm), tag.is.warp = (uint8_t)warp, tag.is.store = w->store,
  tag.is.divergent = w->accesses > 1;
  l->stats.accesses++;
  w->sent++;
  if (!w->store) w->waits++;
  if (dest == s->terminal) {
    l->stats.own_accesses++;
    *memory = ask_memory(l, dest, tag, now);
    return true;
  }
  port->send(port->context, &(closed_packet_t){.tag = tag.word,
                                               .source = s->terminal,
                                               .dest = (uint16_t)dest,
                                               .kind = CLOSED_REQUEST,
                                               .data = w->store,
                                               .divergent = w->accesses > 1});
  return true;
}

/* One issue slot of a warp: an ordinary instruction, or as many accesses of its memory instruction
 * as the terminal takes. Then the warp is back in the ring unless it waits. False: out of memory.
 */
static bool take_warp_turn(closed_load_t *l, sm_t *s, unsigned warp, uint64_t now, const closed_port_t *port) {
  const closed_config_t *c = &l->config;
  warp_t *w = &s->warp[warp];
  bool memory = true;
  if (w->left) {
    w->left--;
    s->instructions++;
    make_ready(s, warp, c->warps);
    return true;
  }
  if (!w->accesses) {
    w->store = draw_chance(s, c->stores);
    w->accesses = draw_chance(s, c->divergent) ? (uint8_t)rng_range(&s->rng, 2, c->accesses) : 1;
    w->sent = 0;
    w->asked_at = now;
  }
  while (memory && w->sent < w->accesses && access_one(l, s, warp, now, port, &memory)) continue;
  if (w->sent < w->accesses) {
    l->stats.full_turns++;
    make_ready(s, warp, c->warps);
    return memory;
  }
  s->instructions++;
  w->accesses = 0;
  w->left = draw_left(l, s);
  if (w->store || !w->waits) make_ready(s, warp, c->warps);
  else l->waiting++;
  return memory;
}

/* Spends an SM's budget of this cycle. False: out of memory. */
static bool issue_instructions(closed_load_t *l, sm_t *s, uint64_t now, const closed_port_t *port) {
  bool good = true;
  for (s->may += l->config.issue; s->may >= 1 && good; s->may--) {
    if (!s->ready) {
      l->stats.idle_slots++;
      continue;
    }
    const unsigned warp = s->ring[s->first];
    s->first = (uint8_t)((s->first + 1) % l->config.warps);
    s->ready--;
    good = take_warp_turn(l, s, warp, now, port);
  }
  return good;
}

/* ---- answers ---- */

/* An answer is at its warp. The warp of a load goes on after the last one. */
static void note_answer(closed_load_t *l, tag_t tag, uint64_t now) {
  sm_t *s = &l->sm[tag.is.sm];
  warp_t *w = &s->warp[tag.is.warp];
  if (tag.is.store || --w->waits || w->accesses) return; /* w->accesses: some are not sent yet */
  l->stats.loads++;
  l->stats.load_cycles += now - w->asked_at;
  l->waiting--;
  make_ready(s, tag.is.warp, l->config.warps);
}

/* A memory answers: over the network, or at once to a warp of its own node. */
static void send_answer(closed_load_t *l, unsigned terminal, tag_t tag, uint64_t now, const closed_port_t *port) {
  const unsigned home = l->sm[tag.is.sm].terminal;
  if (home == terminal) {
    note_answer(l, tag, now);
    return;
  }
  tag.is.answer = 1;
  port->send(port->context, &(closed_packet_t){.tag = tag.word,
                                               .source = (uint16_t)terminal,
                                               .dest = (uint16_t)home,
                                               .kind = CLOSED_ANSWER,
                                               .data = !tag.is.store,
                                               .divergent = tag.is.divergent});
}

bool closed_load_receive(closed_load_t *l, uint64_t word, unsigned terminal, uint64_t now) {
  const tag_t tag = {.word = word};
  if (!tag.is.answer) return ask_memory(l, terminal, tag, now);
  note_answer(l, tag, now);
  return true;
}

bool closed_load_cycle(closed_load_t *l, uint64_t now, const closed_port_t *port) {
  for (unsigned t = 0; t < l->terminals; t++)
    for (const due_t *d; (d = ring_front(&l->memory[t])) && d->when <= now;) {
      const tag_t tag = d->tag;
      ring_drop(&l->memory[t]);
      send_answer(l, t, tag, now, port);
    }
  for (unsigned i = 0; i < l->sms; i++)
    if (!issue_instructions(l, &l->sm[i], now, port)) return false;
  return true;
}

uint64_t closed_load_instructions(const closed_load_t *l, unsigned terminal) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < l->config.sms; i++) sum += l->sm[terminal * l->config.sms + i].instructions;
  return sum;
}

closed_stats_t closed_load_stats(const closed_load_t *l) {
  closed_stats_t stats = l->stats;
  for (unsigned t = 0; t < l->terminals; t++) stats.instructions += closed_load_instructions(l, t);
  return stats;
}

unsigned closed_load_waiting(const closed_load_t *l) {
  return l->waiting;
}

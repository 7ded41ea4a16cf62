/* SPDX-License-Identifier: Apache-2.0
 *
 * The TSV bus of a core: which message gets the beats down to the banks, and which the way up.
 *
 *   offers of subcores, atomics, remote, fetch --choose_down--> start_down, move_down --> NBUs
 *   NBUs: LSU-Extensions, ALUs, atomics        --choose_up----> move_up --> subcores, network
 */
#include "bits.h"
#include "core.h"

#include <string.h>

static const tsv_offer_t *bus_offer(const core_t *c, unsigned i) {
  switch (i) {
  case OFFER_FETCH: return &c->fetch_offer;
  case OFFER_REMOTE: return &c->remote_offer;
  case OFFER_ATOMICS: return &c->atomic_offer;
  default: return &c->subcore[i / SUBCORE_OFFERS].offer[i % SUBCORE_OFFERS];
  }
}

/* The unit has room: a credit of the message's class, or a place in collectors or atomic unit. */
static bool can_start_message(const core_t *c, const tsv_offer_t *o) {
  const nbu_t *n = &c->nbu[o->nbu];
  unsigned type = (unsigned)LSU_GET(o->hdr, type);
  if (type == TSV_ATOM) return nbu_atomics_room(&n->atomics, c->base.sh->config);
  return type == TSV_ATOMS || type == TSV_EXE ? type == TSV_ATOMS || nbu_exe_room(n)
                                              : n->credit[lsu_down_class(type)] > 0;
}

/* The next message that can start, in turn from next_down on; -1: none. taken: offers that have
 * gone in this cycle. */
static int choose_down(const core_t *c, uint32_t taken) {
  uint32_t before = (1u << c->next_down) - 1, left = c->offers & ~taken;
  for (uint32_t m = left & ~before; m; m &= m - 1)
    if (can_start_message(c, bus_offer(c, (unsigned)__builtin_ctz(m)))) return __builtin_ctz(m);
  for (uint32_t m = left & before; m; m &= m - 1)
    if (can_start_message(c, bus_offer(c, (unsigned)__builtin_ctz(m)))) return __builtin_ctz(m);
  return -1;
}

/* The unit gets a request's operands as its first beat leaves, and counts it when its last one
 * comes. */
static void start_atomic(core_t *c, unsigned k, nbu_t *n) {
  const bool own = k < OFFER_ATOMICS;
  c->down_entry = (uint8_t)nbu_atomics_take(&n->atomics, own ? &c->subcore[k / SUBCORE_OFFERS].atomic.packet
                                                             : core_packets_front(&c->atomics.in));
  if (!own) core_packets_pop(&c->atomics.in);
}

static mpu_use_t down_use(const core_t *c, unsigned k) {
  switch (k) {
  case OFFER_FETCH: return MPU_USE_fetches;
  case OFFER_REMOTE: return MPU_USE_remote;
  case OFFER_ATOMICS: return MPU_USE_atomics;
  default: return subcore_offer_use(&c->subcore[k / SUBCORE_OFFERS], k % SUBCORE_OFFERS);
  }
}

static void start_down(core_t *c, unsigned k, uint32_t *taken) {
  const tsv_offer_t *o = bus_offer(c, k);
  unsigned type = (unsigned)LSU_GET(o->hdr, type);
  tsv_start(&c->down, o);
  if (type == TSV_EXE) nbu_exe_reserve(&c->nbu[o->nbu]);
  else if (type == TSV_ATOM) start_atomic(c, k, &c->nbu[o->nbu]);
  else if (type != TSV_ATOMS) c->nbu[o->nbu].credit[lsu_down_class(type)]--;
  c->base.stats.tsv_beats_down[type] += o->beats;
  c->base.stats.tsv_down[down_use(c, k)] += o->beats;
  *taken |= 1u << k;
  c->next_down = (k + 1) % CORE_OFFERS;
}

/* The last beat of a message that is not the LSU-Extension's has come to the unit. */
static void finish_down_message(core_t *c, nbu_t *n, unsigned type, unsigned id) {
  if (type == TSV_EXE) nbu_exe(n, id);
  else if (type == TSV_ATOM) nbu_atomics_came(&n->atomics, c->down_entry);
  else n->smem_atomic = (nbu_smem_atomic_t){.state = SMEM_ATOMIC_WAITS, .tag = (uint8_t)id};
}

/* Moves one beat to its unit. An LSU-Extension sees all of a cycle's beats, in slots 0 and 1. */
static void send_beat(core_t *c) {
  tsv_message_t *m = &c->down;
  nbu_t *n = &c->nbu[m->nbu];
  const unsigned type = (unsigned)LSU_GET(m->beat[0], type), at = m->sent++;
  if (type >= TSV_EXE) {
    if (m->sent == m->beats) finish_down_message(c, n, type, (unsigned)LSU_GET(m->beat[0], id));
    return;
  }
  const uint64_t beat = m->beat[at];
  unsigned slot = n->in.dn_valid ? 1 : 0;
  n->in.dn_valid |= 1u << slot;
  n->in.dn_beat[2 * slot] = (uint32_t)beat;
  n->in.dn_beat[2 * slot + 1] = (uint32_t)(beat >> 32);
  n->came = true;
}

/* One cycle down: tsv_beats beats, of one message or of several. Returns the offers taken, a bit
 * each. */
static uint32_t move_down(core_t *c) {
  uint32_t taken = 0;
  for (unsigned slot = 0; slot < c->base.sh->config->tsv_beats; slot++) {
    if (c->down.sent == c->down.beats) {
      int k = choose_down(c, taken);
      if (k < 0) break;
      start_down(c, (unsigned)k, &taken);
    }
    send_beat(c);
  }
  return taken;
}

/* who: who asked, of a DRAM transfer's answer. */
static mpu_use_t up_use(const subcore_t *own, unsigned type, unsigned id, unsigned who) {
  if (type == LSU_MVR) return own->moving;
  if (type != LSU_RDR && type != LSU_WRA) return subcore_completion_use(own, id);
  if (who == CORE_FETCH) return MPU_USE_fetches;
  return who == CORE_REMOTE ? MPU_USE_remote : MPU_USE_transfers;
}

/* A whole message of a unit, to who asked for the transfer, the move engine or its instruction. */
static void deliver_up_message(core_t *c, nbu_t *n) {
  uint64_t hdr = n->up[0];
  unsigned type = (unsigned)LSU_GET(hdr, type), id = (unsigned)LSU_GET(hdr, id), who = (unsigned)LSU_GET(hdr, areg) & 7;
  uint32_t words[32];
  for (unsigned i = 1; i < n->up_need && i < 17; i++)
    words[2 * i - 2] = (uint32_t)n->up[i], words[2 * i - 1] = (uint32_t)(n->up[i] >> 32);
  subcore_t *own = &c->subcore[n->id];
  c->base.stats.tsv_beats_up[type] += n->up_need;
  c->base.stats.tsv_up[up_use(own, type, id, who)] += n->up_need;
  if (type == LSU_RDR || type == LSU_WRA) {
    const uint32_t *data = type == LSU_RDR ? words : NULL;
    if (who == CORE_FETCH) core_wake_fetched(c, core_fetch_answer(&c->fetch, &c->base, id, data));
    else if (who == CORE_REMOTE) core_remote_answer(c->remote, id, data);
    else subcore_answer(&c->subcore[who].local_answers, type == LSU_WRA, id, data);
  } else if (type == LSU_MVR) {
    own->mr_came = true;
    memcpy(own->mr_row, words, sizeof own->mr_row);
  } else if (id == SUBCORE_MOVE_ID) own->cp_came = true;
  else subcore_completed(own, id);
}

static void collect_beat(core_t *c, nbu_t *n, uint64_t beat) {
  if (!n->up_have) n->up_need = (uint8_t)tsv_up_beats((unsigned)LSU_GET(beat, type));
  n->up[n->up_have++] = beat;
  if (n->up_have < n->up_need) return;
  deliver_up_message(c, n);
  n->up_have = 0;
}

/* ---- Atomics, up ---- */

/* A finished request whose answer can leave; one to another core needs room in the queue to it. */
static nbu_atomic_t *finished_atomic(core_t *c, nbu_t *n) {
  nbu_atomic_t *a = nbu_atomics_done(&n->atomics);
  return a && (a->packet.source == c->base.id || core_packets_room(&c->atomics.out)) ? a : NULL;
}

static bool is_smem_atomic_done(const core_t *c, const nbu_t *n) {
  return n->smem_atomic.state == SMEM_ATOMIC_COMPUTES && n->smem_atomic.at <= core_now(&c->base);
}

static bool has_atomic_up(core_t *c, nbu_t *n) {
  if (!n->atomics.count && !n->smem_atomic.state) return false;
  return n->atomic_left || is_smem_atomic_done(c, n) || finished_atomic(c, n);
}

/* The first beat decides which answer the next beats are of. */
static void start_atomic_up(core_t *c, nbu_t *n) {
  n->atomic_sent = is_smem_atomic_done(c, n) ? NULL : finished_atomic(c, n);
  const unsigned beats = n->atomic_sent ? subcore_atomic_beats_up(c->base.sh->config, &n->atomic_sent->packet)
                                        : subcore_smem_atomic_beats_up(&c->subcore[n->id], n->smem_atomic.tag);
  n->atomic_left = (uint8_t)beats;
  c->base.stats.tsv_beats_up[n->atomic_sent ? TSV_ATOM : TSV_ATOMS] += beats;
  c->base.stats.tsv_up[MPU_USE_atomics] += beats;
}

/* An answer that has come up: to the subcore that asked, or back over the network. */
static void answer_atomic(core_t *c, mpu_packet_t *p) {
  if (p->source == c->base.id) {
    subcore_atomic_answer(&c->subcore[p->subcore], p);
    return;
  }
  p->dest = p->source;
  p->source = (uint8_t)c->base.id;
  p->write = !p->atomic.reply;
  core_packets_push(&c->atomics.out, p);
}

static void move_atomic_up(core_t *c, nbu_t *n) {
  if (!n->atomic_left) start_atomic_up(c, n);
  const unsigned most = c->base.sh->config->tsv_beats;
  n->atomic_left = (uint8_t)(n->atomic_left > most ? n->atomic_left - most : 0);
  if (n->atomic_left) return;
  if (n->atomic_sent) {
    answer_atomic(c, &n->atomic_sent->packet);
    nbu_atomics_free(&n->atomics, n->atomic_sent);
  } else {
    n->smem_atomic.state = SMEM_ATOMIC_NONE;
    subcore_smem_atomic_over(&c->subcore[n->id], n->smem_atomic.tag);
  }
}

/* ---- The bus ---- */

/* Sources 0 to 3: LSU-Extensions, 4 to 7: ALUs, 8 to 11: atomics; -1: none. */
enum { UP_SOURCES = 3 * MPU_SUBCORES };

static bool has_up(core_t *c, unsigned k) {
  nbu_t *n = &c->nbu[k % MPU_SUBCORES];
  switch (k / MPU_SUBCORES) {
  case 0: return n->out->up_valid != 0;
  case 1: return nbu_has_completion(n);
  default: return has_atomic_up(c, n);
  }
}

static int choose_up(core_t *c) {
  for (unsigned i = 0; i < UP_SOURCES; i++) {
    unsigned k = (c->next_up + i) % UP_SOURCES;
    if (has_up(c, k)) return (int)k;
  }
  return -1;
}

static void move_up(core_t *c, unsigned k) {
  nbu_t *n = &c->nbu[k % MPU_SUBCORES];
  c->next_up = (k + 1) % UP_SOURCES;
  if (k >= 2 * MPU_SUBCORES) {
    move_atomic_up(c, n);
    return;
  }
  if (k >= MPU_SUBCORES) { /* as many as a word has room for */
    for (unsigned slot = 0; slot < c->base.sh->config->tsv_beats && nbu_has_completion(n); slot++) {
      c->base.stats.tsv_beats_up[LSU_CPL]++;
      c->base.stats.tsv_up[MPU_USE_instructions]++;
      subcore_completed(&c->subcore[n->id], nbu_take_completion(n));
    }
    return;
  }
  for (unsigned slot = 0; slot < 2; slot++)
    if (n->out->up_valid >> slot & 1)
      collect_beat(c, n, (uint64_t)n->out->up_beat[2 * slot + 1] << 32 | n->out->up_beat[2 * slot]);
  n->in.up_take = 1;
  n->came = true;
  c->up_rest = n->out->up_valid == 3 && c->base.sh->config->tsv_beats == 1;
}

/* One cycle of the bus; returns the offers taken, a bit each. A beat left from the last cycle
 * goes first. Without duplex the directions alternate if both want it. */
uint32_t core_run_bus(core_t *c) {
  int up = c->up_rest ? -1 : choose_up(c);
  bool down = c->down.sent < c->down.beats || choose_down(c, 0) >= 0;
  if (c->up_rest) {
    c->up_rest = false;
    c->base.stats.tsv_busy++;
    return down && c->base.sh->config->tsv_duplex ? move_down(c) : 0;
  }
  if (up < 0 && !down) return 0;
  c->base.stats.tsv_busy++;
  bool go_up = up >= 0, go_down = down;
  if (go_up && go_down && !c->base.sh->config->tsv_duplex) {
    go_up = !c->last_up;
    go_down = !go_up;
  }
  c->last_up = go_up;
  uint32_t taken = go_down ? move_down(c) : 0;
  if (go_up) move_up(c, (unsigned)up);
  return taken;
}

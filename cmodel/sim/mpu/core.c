/* SPDX-License-Identifier: Apache-2.0
 *
 * A core: what its parts tell each other, packets, shared memory, the TSV bus, the cycle.
 */
#include "bits.h"
#include "core.h"

#include <stdlib.h>
#include <string.h>

/* ---- What subcores report -------------------------------------------------------------------- */

/* Opens each complete barrier of a block. A block in which nobody can go on is a fault. */
static void check_barriers(core_t *c, simt_block_t *block) {
  uint64_t waiting;
  simt_votes_t votes;
  while (simt_block_opens(block, &waiting, &votes)) {
    c->base.stats.barriers++;
    for (; waiting; waiting &= waiting - 1) {
      const unsigned at = (unsigned)__builtin_ctzll(waiting), warp = at % MPU_MAX_WARPS;
      subcore_t *s = &c->subcore[at / MPU_MAX_WARPS];
      s->warp[warp].at_barrier = false;
      simt_block_reduce(&s->warp[warp].reduction, &s->regs.warp[warp].simt[FAR], votes);
      subcore_wake(s, warp);
    }
  }
  if (simt_block_is_stuck(block)) simt_block_fail_stuck(block, &c->base.sh->run->simt, &c->base.fault);
}

/* subcore_events_t: barrier. A warp that only arrives (bar.arrive) does not wait. */
static void warp_at_barrier(void *self, unsigned subcore, unsigned warp, const mpu_inflight_t *f) {
  core_t *c = self;
  subcore_t *s = &c->subcore[subcore];
  const simt_op_t *op = f->op->op;
  simt_block_t *block = &c->base.block[s->warp[warp].block].simt;
  trouble_t wrong;
  if (!simt_block_arrive(block, op, &s->regs.warp[warp].simt[FAR], f->mask, 1ull << (subcore * MPU_MAX_WARPS + warp),
                         &wrong)) {
    subcore_fault(s, f, "%s", wrong.text);
    return;
  }
  s->warp[warp].at_barrier = !(op->flags & SIMT_ARRIVE);
  s->warp[warp].reduction = (simt_reduction_t){op->flags & SIMT_REDUCES ? op : NULL, f->mask};
  if (op->flags & SIMT_REDUCES) mpu_regs_written(&s->regs, FAR, f);
  check_barriers(c, block);
}

static void warp_exits(void *self, unsigned block) {
  core_t *c = self;
  c->base.block[block].simt.live_warps--;
  check_barriers(c, &c->base.block[block].simt);
}

static void warp_done(void *self, unsigned block) {
  core_t *c = self;
  core_block_t *b = &c->base.block[block];
  if (--b->unfinished) return;
  b->simt.live = false;
  c->live_blocks--;
  c->blocks_done++;
}

/* ---- Instruction fetch ----------------------------------------------------------------------- */

static bool fetch_instruction(void *self, unsigned subcore, unsigned warp, uint32_t pc) {
  core_t *c = self;
  return core_fetch_look(&c->fetch, &c->base, subcore, warp, pc);
}

/* The instructions of these warps (bits subcore * 16 + slot) have come. */
static void wake_fetched(core_t *c, uint64_t warps) {
  for (; warps; warps &= warps - 1) {
    const unsigned at = (unsigned)__builtin_ctzll(warps);
    subcore_fetched(&c->subcore[at / MPU_MAX_WARPS], at % MPU_MAX_WARPS);
  }
}

/* ---- Making ---------------------------------------------------------------------------------- */

int core_init(core_t *c, unsigned id, const mpu_shared_t *sh, const block_engine_t *const *engines) {
  const subcore_events_t events = {c, warp_at_barrier, warp_exits, warp_done, fetch_instruction};
  c->base.sh = sh;
  c->base.id = id;
  c->remote = core_remote_new();
  if (core_fetch_init(&c->fetch, sh->config) || !c->remote) return -1;
  for (unsigned s = 0; s < MPU_SUBCORES; s++) {
    subcore_init(&c->subcore[s], &c->base, s, &events);
    if (nbu_init(&c->nbu[s], &c->base, s, &c->subcore[s].regs, c->subcore[s].tag, engines[s])) return -1;
  }
  return 0;
}

void core_deinit(core_t *c) {
  core_remote_free(c->remote);
  core_fetch_deinit(&c->fetch);
  for (unsigned s = 0; s < MPU_SUBCORES; s++) subcore_deinit(&c->subcore[s]);
  for (unsigned s = 0; s < MPU_SUBCORES; s++)
    if (c->nbu[s].engine) nbu_deinit(&c->nbu[s]);
}

size_t core_file_bytes(const core_t *c) {
  return MPU_SUBCORES * subcore_file_bytes(&c->subcore[0]);
}

void core_start(core_t *c, uint8_t *files) {
  memset(c->base.block, 0, sizeof c->base.block);
  c->blocks_done = 0;
  c->batch = false;
  core_fetch_start(&c->fetch, c->base.sh->config);
  c->warps_per_subcore = (c->base.sh->run->simt.warps + MPU_SUBCORES - 1) / MPU_SUBCORES;
  for (unsigned s = 0; s < MPU_SUBCORES; s++)
    subcore_start(&c->subcore[s], files + s * subcore_file_bytes(&c->subcore[s]));
}

/* ---- Blocks of threads ----------------------------------------------------------------------- */

/* Warp w of a block goes to subcore w mod 4, so each needs room for a quarter of them, rounded
 * up. */
static bool has_block_room(const core_t *c) {
  if (c->live_blocks >= c->base.sh->run->blocks) return false;
  for (unsigned s = 0; s < MPU_SUBCORES; s++)
    if (!subcore_has_room(&c->subcore[s], c->warps_per_subcore)) return false;
  return true;
}

/* With `batches` a core that has no room, or has filled up, waits until all its blocks have
 * ended. */
bool core_takes_block(core_t *c) {
  if (!c->live_blocks) c->batch = false;
  const bool takes = !c->batch && has_block_room(c);
  c->batch = c->base.sh->config->batches && !takes;
  return takes;
}

/* Shared memory is cut into equal pieces of 128-byte multiples, one for each place of a block. */
void core_add_block(core_t *c, uint64_t index) {
  const simt_run_t *run = &c->base.sh->run->simt;
  unsigned b = 0;
  while (c->base.block[b].simt.live) b++;
  uint32_t shared = (run->shared_bytes + 127) / 128 * 128;
  c->base.block[b] = (core_block_t){.unfinished = run->warps, .shared_base = b * shared};
  simt_block_begin(&c->base.block[b].simt, run, index);
  memset(&c->base.smem[b * shared / 4], 0, shared);
  c->live_blocks++;
  for (unsigned w = 0; w < run->warps; w++) subcore_add_warp(&c->subcore[w % MPU_SUBCORES], b, w);
}

/* ---- Packets --------------------------------------------------------------------------------- */

static bool has_packet_room(const core_t *c, unsigned cls) {
  return c->out[cls].count < CORE_PACKETS;
}

static void send_core_packet(core_t *c, unsigned cls, const mpu_packet_t *p) {
  c->out[cls].packet[(c->out[cls].head + c->out[cls].count++) % CORE_PACKETS] = *p;
  c->base.stats.packets[cls]++;
  c->base.stats.net_flits[cls] += mpu_packet_flits(p, cls);
}

const mpu_packet_t *core_front(const core_t *c, unsigned cls) {
  return c->out[cls].count ? &c->out[cls].packet[c->out[cls].head] : NULL;
}

void core_pop(core_t *c, unsigned cls) {
  c->out[cls].head = (uint8_t)((c->out[cls].head + 1) % CORE_PACKETS);
  c->out[cls].count--;
}

bool core_can_push(const core_t *c, unsigned cls) {
  return cls || (core_remote_room(c->remote) && core_packets_room(&c->atomics.in));
}

void core_push(core_t *c, unsigned cls, const mpu_packet_t *p) {
  if (p->atomic.count && cls) subcore_atomic_answer(&c->subcore[p->subcore], p);
  else if (p->atomic.count) core_packets_push(&c->atomics.in, p);
  else if (cls && p->id >= CORE_FETCH_IDS) wake_fetched(c, core_fetch_answer(&c->fetch, &c->base, p->id, p->data));
  else if (cls) subcore_answer(&c->subcore[p->subcore].remote_answers, p->write, p->id, p->data);
  else core_remote_push(c->remote, p);
}

enum { REQUESTERS = MPU_SUBCORES + 1 };

static void send_atomic_request(core_t *c, subcore_t *s) {
  send_core_packet(c, 0, &s->atomic.packet);
  subcore_atomic_sent(s);
}

static bool send_fetch_request(core_t *c) {
  mpu_packet_t p;
  if (!core_fetch_packet(&c->fetch, &c->base, &p)) return false;
  send_core_packet(c, 0, &p);
  core_fetch_sent(&c->fetch);
  return true;
}

/* One request a cycle to other cores, subcores and instruction cache in turn; a subcore's LSU
 * first. */
static void send_requests(core_t *c) {
  if (!has_packet_room(c, 0)) return;
  for (unsigned i = 0; i < REQUESTERS; i++) {
    unsigned k = (c->next_request + i) % REQUESTERS;
    if (k == MPU_SUBCORES && !send_fetch_request(c)) continue;
    if (k == MPU_SUBCORES) {
      c->next_request = 0;
      return;
    }
    subcore_t *s = &c->subcore[k];
    const lsu_out_t *o = &s->lsu_out;
    if (!o->rq_valid && atomic_port_has_remote(&s->atomic)) {
      c->next_request = (k + 1) % REQUESTERS;
      send_atomic_request(c, s);
      return;
    }
    if (!o->rq_valid) continue;
    mpu_packet_t p = {.source = (uint8_t)c->base.id,
                      .dest = (uint8_t)o->rq_core,
                      .subcore = (uint8_t)k,
                      .id = (uint8_t)o->rq_id,
                      .nbu = (uint8_t)o->rq_nbu,
                      .write = o->rq_write != 0,
                      .addr = (uint32_t)o->rq_addr,
                      .mask = (uint32_t)o->rq_mask};
    if (p.write) memcpy(p.data, o->rq_data, sizeof p.data);
    send_core_packet(c, 0, &p);
    s->lsu_in.rq_take = 1;
    c->base.stats.remote_transfers++;
    c->next_request = (k + 1) % REQUESTERS;
    return;
  }
}

/* ---- Near-bank shared memory ----------------------------------------------------------------- */

/* A pass of an LSU-Extension: at most one word of each bank, all rows and byte masks in `out`. */
static void access_smem(core_t *c, nbu_t *n) {
  const lsu_ext_out_t *o = n->out;
  for (uint64_t banks = o->sm_banks; banks; banks &= banks - 1) {
    unsigned b = (unsigned)__builtin_ctzll(banks);
    uint32_t *word = &c->base.smem[bits_get(o->sm_row, 9 * b, 9) * LSU_SMEM_BANKS + b];
    n->sm_row[b] = *word;
    if (!o->sm_we) continue;
    unsigned bytes = (unsigned)bits_get(o->sm_wmask, 4 * b, 4);
    uint32_t mask = (bytes & 1 ? 0xffu : 0) | (bytes & 2 ? 0xff00u : 0) | (bytes & 4 ? 0xff0000u : 0) |
                    (bytes & 8 ? 0xff000000u : 0);
    *word = (*word & ~mask) | (o->sm_wdata[b] & mask);
  }
}

/* An atomic instruction keeps shared memory for all its passes. Its effect comes with the first
 * one. */
static void start_smem_atomic(core_t *c, unsigned k) {
  nbu_smem_atomic_t *a = &c->nbu[k].smem_atomic;
  a->state = SMEM_ATOMIC_COMPUTES;
  a->at = c->base.smem_free = core_now(&c->base) + subcore_smem_atomic(&c->subcore[k], a->tag);
  c->next_smem = (k + 1) % MPU_SUBCORES;
}

/* One pass a cycle, of one unit; the units take turns. */
static void serve_shared_memory(core_t *c) {
  if (c->base.smem_free > core_now(&c->base)) return;
  for (unsigned i = 0; i < MPU_SUBCORES; i++) {
    unsigned k = (c->next_smem + i) % MPU_SUBCORES;
    nbu_t *n = &c->nbu[k];
    if (n->smem_atomic.state == SMEM_ATOMIC_WAITS) {
      start_smem_atomic(c, k);
      return;
    }
    if (!n->out->sm_req) continue;
    memset(n->sm_row, 0, sizeof n->sm_row);
    access_smem(c, n);
    n->in.sm_gnt = 1;
    n->came = n->sm_read = true;
    c->next_smem = (k + 1) % MPU_SUBCORES;
    return;
  }
}

/* ---- TSV bus --------------------------------------------------------------------------------- */

enum { OFFER_ATOMICS = CORE_OFFERS - 3, OFFER_REMOTE, OFFER_FETCH };

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
    if (who == CORE_FETCH) wake_fetched(c, core_fetch_answer(&c->fetch, &c->base, id, data));
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
static uint32_t run_bus(core_t *c) {
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

/* ---- Cycle ----------------------------------------------------------------------------------- */

/* Other cores' atomics: a request that waits is an offer, an answer goes to the network. */
static void begin_atomics(core_t *c) {
  const mpu_packet_t *p = core_packets_front(&c->atomics.in);
  if (!p) return;
  c->atomic_offer = subcore_atomic_packet_offer(c->base.sh->config, p);
  c->offers |= 1u << OFFER_ATOMICS;
}

static void end_atomics(core_t *c) {
  if (!c->atomics.out.count || !has_packet_room(c, 1)) return;
  send_core_packet(c, 1, core_packets_front(&c->atomics.out));
  core_packets_pop(&c->atomics.out);
}

static void end_remote(core_t *c, bool taken) {
  mpu_packet_t answer;
  if (core_remote_end(c->remote, &c->base, taken, has_packet_room(c, 1), &answer)) send_core_packet(c, 1, &answer);
}

static void begin_fetch(core_t *c) {
  if (c->fetch.unserved) wake_fetched(c, core_fetch_retry(&c->fetch, &c->base));
  if (core_fetch_offer(&c->fetch, &c->base, &c->fetch_offer)) c->offers |= 1u << OFFER_FETCH;
}

void core_tick(core_t *c) {
  for (unsigned s = 0; s < MPU_SUBCORES; s++) nbu_begin(&c->nbu[s]);
  serve_shared_memory(c);
  c->offers =
      !core_remote_idle(c->remote) && core_remote_begin(c->remote, &c->base, &c->remote_offer) ? 1u << OFFER_REMOTE : 0;
  begin_atomics(c);
  begin_fetch(c);
  for (unsigned s = 0; s < MPU_SUBCORES; s++) c->offers |= subcore_begin(&c->subcore[s]) << (s * SUBCORE_OFFERS);
  send_requests(c);
  uint32_t taken = run_bus(c);
  if (taken >> OFFER_FETCH & 1) core_fetch_sent(&c->fetch);
  for (unsigned s = 0; s < MPU_SUBCORES; s++) {
    c->subcore[s].taken = (uint8_t)(taken >> (s * SUBCORE_OFFERS) & ((1u << SUBCORE_OFFERS) - 1));
    subcore_end(&c->subcore[s]);
  }
  if (!core_remote_idle(c->remote)) end_remote(c, taken >> OFFER_REMOTE & 1);
  end_atomics(c);
  for (unsigned s = 0; s < MPU_SUBCORES; s++) nbu_end(&c->nbu[s]);
}

bool core_quiet(const core_t *c) {
  if (c->live_blocks || c->out[0].count || c->out[1].count || c->down.sent < c->down.beats || c->up_rest ||
      !core_remote_idle(c->remote) || c->atomics.in.count || c->atomics.out.count)
    return false;
  for (unsigned s = 0; s < MPU_SUBCORES; s++)
    if (!subcore_idle(&c->subcore[s]) || !nbu_quiet(&c->nbu[s])) return false;
  return true;
}

bool core_idle(const core_t *c) {
  if (!core_quiet(c)) return false;
  for (unsigned s = 0; s < MPU_SUBCORES; s++)
    if (!nbu_engine_idle(&c->nbu[s])) return false;
  return true;
}

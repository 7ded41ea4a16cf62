/* SPDX-License-Identifier: Apache-2.0
 *
 * A core: what its parts tell each other, packets, shared memory, the cycle. The TSV bus is in
 * core_bus.c.
 */
#include "bits.h"
#include "core.h"
#include "simt_unwritten.h"

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

void core_wake_fetched(core_t *c, uint64_t warps) {
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
  simt_unwritten_fill(c->base.sh->config->uninitialised, run, index, (uint8_t *)&c->base.smem[b * shared / 4]);
  if (c->base.sh->config->check_uninitialised) simt_written_begin(&c->base.written[b * shared / 8], run);
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
  else if (cls && p->id >= CORE_FETCH_IDS) core_wake_fetched(c, core_fetch_answer(&c->fetch, &c->base, p->id, p->data));
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
  if (c->fetch.unserved) core_wake_fetched(c, core_fetch_retry(&c->fetch, &c->base));
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
  uint32_t taken = core_run_bus(c);
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

/* SPDX-License-Identifier: Apache-2.0
 *
 * Partitioned execution in an SM (NSU paper, section 4.1.1). offload_decision.h selects the
 * instances.
 *
 *   begin: CMD ------------------------+
 *   access: ldst -> emit: RDF, WTA --> pending buffer --grant--> ready buffer --> L1, crossbar
 *                                                    granted warps: directly --^
 *
 * Why there is no deadlock. The pending buffer is a pool of entries. A memory instruction of a warp
 * without grant issues only if the pool has room for all its packets, so it never waits in the
 * load/store unit. A warp with packets in the pool always asks for its entries: in the same cycle,
 * when it finds too little room, or at its block's end (offload_target.h). Packets
 * of a granted warp leave the pool from any place. (The paper's single FIFO could wait for a grant
 * that waits for packets behind it in another SM.) Later packets go to the ready buffer at once,
 * which always drains into the crossbar. A warp that holds entries of an NSU therefore always
 * finishes and frees them. Commands and empty packets stay with the warp until the grant.
 *
 * An access without threads sends an empty packet, which completes the instruction's entry at the
 * NSU. An empty packet needs no address, so it goes to the NSU directly, as an RDF response or a
 * WTA.
 */
#include "offload_nsu.h"

#include <stdlib.h>
#include <string.h>

#include "ldst.h"
#include "offload_policies.h"
#include "read_only.h"
#include "sm_warp.h"
#include "tom_learn.h"

/* A load or store of a block in the load/store unit: one packet for each word and line. */
typedef struct {
  bool store, reserved;   /* reserved: its packets have room in the pending buffer */
  uint8_t next_word, seq; /* seq: sequence number of word 0 */
  offload_access_t shape;
} nsu_access_t;

static gpu_stats_t *stats(const nsu_sm_t *s) {
  return s->port.sh->stats;
}
static const gpu_config_t *config(const nsu_sm_t *s) {
  return s->port.sh->config;
}
static const simt_kernel_t *running_kernel(const nsu_sm_t *s) {
  return s->port.sh->run->simt.kernel;
}

/* The SM must call `step` while a packet waits. */
static void update_busy(const nsu_sm_t *s) {
  *s->port.busy = s->ready_count || s->num_granted;
}

static packet_t *new_packet(const nsu_sm_t *s, unsigned type) {
  return gpu_packet_new(s->port.sh, type, s->port.id, *s->port.now);
}

static void *attach(void *die, const offload_port_t *port) {
  nsu_sm_t *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->die = die;
  s->port = *port;
  return s->die->sm[port->id] = s;
}

/* ---- Begin ----------------------------------------------------------------------------------- */

static tom_learn_t *learn(const nsu_sm_t *s) {
  return s->port.sh->learn;
}

/* While learning, no block goes; an analyzer watches its accesses. */
static bool stays_to_be_seen(nsu_sm_t *s, unsigned warp) {
  if (!learn(s) || !tom_learn_watches(learn(s))) return false;
  s->watched |= 1ull << warp;
  tom_learn_begin(learn(s), s->port.id, warp);
  stats(s)->blocks_kept++;
  return true;
}

static void watch(void *self, unsigned warp, uint32_t mask, const uint64_t *vaddr, const uint64_t *paddr) {
  const nsu_sm_t *s = self;
  if (s->watched >> warp & 1) tom_learn_access(learn(s), s->port.id, warp, mask, vaddr, paddr);
}

static void watch_end(nsu_sm_t *s, unsigned warp) {
  if (!(s->watched >> warp & 1)) return;
  s->watched &= ~(1ull << warp);
  tom_learn_end(learn(s), s->port.id, warp);
}

/* The draw depends on seed, launch, CTA, warp and the block's count in the warp, not on timing. */
static bool decide(void *self, unsigned warp, unsigned block) {
  nsu_sm_t *s = self;
  const sm_warp_t *w = &s->port.warps[warp];
  const uint64_t of_instance[] = {w->cta_index, w->first_thread, w->blocks_met};
  uint64_t state = config(s)->seed ^ s->port.sh->run->simt.id * 0x9e3779b97f4a7c15u;
  for (unsigned i = 0; i < sizeof of_instance / sizeof *of_instance; i++) {
    const uint64_t drawn = page_table_random(&state); /* changes the state, too */
    state ^= drawn + of_instance[i];
  }
  s->warp[warp].block = &s->die->kernel->blocks[block];
  if (stays_to_be_seen(s, warp)) return false;
  return offload_decision_take(&s->die->decision, s->die->kernel_at + block, page_table_random(&state));
}

/* The warp's block has ended, on the GPU or on an NSU. */
static void report_ended_block(nsu_sm_t *s, unsigned warp) {
  const offload_block_t *b = s->warp[warp].block;
  offload_decision_ended(&s->die->decision, s->port.id, b->last + 1 - b->first);
}

static void kept(void *self, unsigned warp) {
  report_ended_block(self, warp);
  watch_end(self, warp);
}

/* All registers that the command sends must be ready. */
static uint64_t needs(const void *self, unsigned warp) {
  const nsu_sm_t *s = self;
  const offload_block_t *b = s->warp[warp].block;
  uint64_t when = nsu_look_needs(s, warp);
  for (unsigned i = 0; i < b->num_sent; i++) {
    uint16_t slot = running_kernel(s)->regs[b->sent[i].reg].slot;
    if (slot != SIMT_NO_SLOT && s->port.warps[warp].ready[slot] > when) when = s->port.warps[warp].ready[slot];
  }
  return when;
}

/* Makes the command, with zeros for threads that do not take part. */
static bool begin(void *self, unsigned warp) {
  nsu_sm_t *s = self;
  nsu_warp_t *w = &s->warp[warp];
  const offload_block_t *b = w->block;
  const uint32_t mask = simt_stack_mask(&s->port.warps[warp].stack);
  packet_t *p = new_packet(s, PKT_CMD);
  if (!p) return false;
  p->hdr.warp = warp;
  p->hdr.addr = s->die->code_base + b->nsu_pc;
  p->hdr.cbase = s->die->const_base;
  p->hdr.mask = p->hdr.lmask = mask;
  p->hdr.count = b->num_sent;
  for (unsigned k = 0; k < b->num_sent; k++)
    for (unsigned i = 0; i < 32; i++)
      p->data[k][i] = mask >> i & 1 ? nsu_word_sent(running_kernel(s), &s->port.warps[warp].simt, &b->sent[k], i) : 0;
  if (!b->num_sent) memset(p->data[0], 0, sizeof p->data[0]);
  *w = (nsu_warp_t){.phase = NSU_RUNNING,
                    .block = b,
                    .mask = mask,
                    .target = OFFLOAD_NO_TARGET,
                    .command = p,
                    .begun_at = *s->port.now};
  return true;
}

/* ---- Memory instructions --------------------------------------------------------------------- */

/* Asks the manager for the block's entries at the target. */
static void ask_manager(nsu_sm_t *s, unsigned warp, unsigned target) {
  nsu_warp_t *w = &s->warp[warp];
  w->target = (int)target;
  w->asked_at = *s->port.now;
  ndp_manager_request(&s->die->manager, target,
                      (ndp_request_t){(uint16_t)s->port.id, (uint16_t)warp, (uint16_t)w->block->num_loads,
                                      (uint16_t)w->block->num_stores});
}

/* Asks unless the block has asked, or the target is not known yet. */
static void ask_manager_once(nsu_sm_t *s, unsigned warp, int target) {
  if (s->warp[warp].target == OFFLOAD_NO_TARGET && target != OFFLOAD_NO_TARGET) ask_manager(s, warp, (unsigned)target);
}

/* A granted warp with packets to send enters the list. */
static void list_granted(nsu_sm_t *s, unsigned warp) {
  nsu_warp_t *w = &s->warp[warp];
  if (!w->granted || w->listed) return;
  w->listed = true;
  s->granted[s->num_granted++] = (uint8_t)warp;
  update_busy(s);
}

static bool has_room(const nsu_sm_t *s, unsigned packets) {
  return s->pending + packets <= config(s)->nsu.pending_packets;
}

/* The access waits until so many entries are free. */
static void refuse_access(nsu_sm_t *s, unsigned warp, unsigned packets) {
  s->refused |= 1ull << warp;
  s->needs[warp] = (uint16_t)packets;
}

static void retry_accesses(nsu_sm_t *s, uint64_t warps) {
  s->refused &= ~warps;
  s->port.room(s->port.sm, warps);
}

/* An entry is free: accesses that now fit try again. */
static void free_pending(nsu_sm_t *s) {
  uint64_t fit = 0;
  s->pending--;
  for (uint64_t m = s->refused; m; m &= m - 1)
    if (has_room(s, s->needs[__builtin_ctzll(m)])) fit |= m & -m;
  if (fit) retry_accesses(s, fit);
}

/* The manager has reserved the block's entries, so its packets need no room in the pending
 * buffer. */
static void grant_block(nsu_sm_t *s, unsigned warp) {
  const uint64_t bit = 1ull << warp;
  if (s->refused & bit) retry_accesses(s, bit);
  s->warp[warp].granted = true;
  stats(s)->wait_grant_cycles += *s->port.now - s->warp[warp].asked_at;
  list_granted(s, warp);
}

static void tick_learning(nsu_die_t *d) {
  tom_learn_t *l = d->sh->learn;
  if (tom_admission_tick(&d->gate, tom_learn_seen(l), tom_learn_target(l), d->sh->fault).enough) tom_learn_enough(l);
}

/* Decisions and grants, before the SMs. */
static void tick(void *die) {
  nsu_die_t *d = die;
  if (d->gate.instance.state) tick_learning(d);
  offload_decision_tick(&d->decision);
  ndp_manager_tick(&d->manager, d->sh->fault);
  ndp_request_t r;
  for (unsigned k = 0; k < d->manager.nsus; k++)
    if (d->manager.nsu[k].count && ndp_manager_grant(&d->manager, k, &r)) grant_block(d->sm[r.sm], r.warp);
}

static offload_what_t what(const void *self, unsigned warp, const simt_op_t *op) {
  const offload_block_t *b = ((const nsu_sm_t *)self)->warp[warp].block;
  switch (b->role[op->index - b->first]) {
  case OFFLOAD_NSU: return OFFLOAD_SKIP;
  case OFFLOAD_LOAD:
  case OFFLOAD_STORE: return OFFLOAD_ACCESS;
  default: return OFFLOAD_AS_ALWAYS;
  }
}

/* Properties of an access. A granted warp's packets bypass the pending buffer. */
static nsu_access_t access_of(const nsu_sm_t *s, const nsu_warp_t *w, const simt_op_t *op) {
  const unsigned at = op->index - w->block->first;
  return (nsu_access_t){.store = w->block->role[at] == OFFLOAD_STORE,
                        .reserved = !w->granted,
                        .seq = w->block->seq[at],
                        .shape = offload_access(&running_kernel(s)->func->instrs[op->index])};
}

/* No thread accesses: each word's entry at the NSU gets an empty packet. */
static void empty_access(nsu_sm_t *s, unsigned warp, const nsu_access_t *own) {
  nsu_warp_t *w = &s->warp[warp];
  uint64_t seqs = ((1ull << own->shape.words) - 1) << own->seq;
  if (own->store) w->empty_wr |= seqs;
  else w->empty_rd |= seqs;
  list_granted(s, warp);
}

/* Queues an access in the load/store unit. false: the pending buffer has too little room. */
static bool access(void *self, unsigned warp, const simt_op_t *op, uint32_t mask, const coalesce_t *lines) {
  nsu_sm_t *s = self;
  nsu_warp_t *w = &s->warp[warp];
  const nsu_access_t own = access_of(s, w, op);
  if (!mask) {
    empty_access(s, warp, &own);
    return true;
  }
  const unsigned packets = lines->count * own.shape.words;
  if (own.reserved && !has_room(s, packets)) {
    ask_manager_once(s, warp, offload_target_so_far(&w->choice));
    refuse_access(s, warp, packets);
    return false;
  }
  if (own.store && s->port.sh->read_only)
    for (unsigned i = 0; i < lines->count; i++) read_only_write(s->port.sh->read_only, lines->line[i]);
  ldst_access_t *a = ldst_take(s->port.ldst, warp, NULL, op);
  a->kind = ACCESS_OTHER;
  a->mask = mask;
  a->lines = *lines;
  memcpy(a->blob, &own, sizeof own);
  if (own.reserved) s->pending += packets;
  w->queued++;
  ask_manager_once(s, warp, offload_target_issued(&w->choice, config(s)->nsu.target, lines));
  ldst_push(s->port.ldst, a);
  return true;
}

/* ---- Packets --------------------------------------------------------------------------------- */

/* The RDF or WTA of one word and line. */
static packet_t *make_packet(const nsu_sm_t *s, const ldst_access_t *a, const nsu_access_t *own) {
  packet_t *p = new_packet(s, own->store ? PKT_WTA : PKT_RDF);
  const unsigned bytes = own->shape.word_bytes;
  if (!p) return NULL;
  uint32_t lanes = a->lines.lanes[a->next_line];
  p->hdr.warp = a->warp;
  p->hdr.seq = own->seq + own->next_word;
  p->hdr.addr = a->lines.line[a->next_line];
  p->hdr.mask = lanes;
  p->hdr.lmask = a->mask;
  p->hdr.size = bytes == 4 ? 2 : bytes == 2;
  uint8_t offset[32] = {0};
  for (uint32_t m = lanes; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m);
    offset[i] = (uint8_t)(a->lines.offset[i] + own->next_word * bytes);
  }
  p->hdr.aligned = coalesce_aligned(offset, lanes, bytes);
  if (!p->hdr.aligned) memcpy(p->hdr.offs, offset, sizeof offset);
  return p;
}

/* Queues a packet for the target in the ready buffer. */
static void push_ready(nsu_sm_t *s, packet_t *p) {
  p->hdr.target = (unsigned)s->warp[p->hdr.warp].target;
  p->dst_unit = p->target_unit = (uint8_t)ndp_manager_unit(&s->die->manager, s->port.id, (unsigned)p->hdr.warp);
  p->next = NULL;
  if (s->ready_tail) s->ready_tail->next = p;
  else s->ready_head = p;
  s->ready_tail = p;
  s->ready_count++;
  update_busy(s);
}

static void push_pending(nsu_sm_t *s, unsigned warp, packet_t *p) {
  nsu_warp_t *w = &s->warp[warp];
  p->next = NULL;
  if (w->pending_tail) w->pending_tail->next = p;
  else w->pending_head = p;
  w->pending_tail = p;
  list_granted(s, warp);
}

/* Rule first_miss: looks up the L1's tags for the target. false: not in this cycle. */
static bool look_at_line(nsu_sm_t *s, const ldst_access_t *a, const nsu_access_t *own) {
  nsu_warp_t *w = &s->warp[a->warp];
  bool there = false;
  if (config(s)->nsu.target != GPU_TARGET_first_miss || w->target != OFFLOAD_NO_TARGET || own->next_word) return true;
  if (!own->store && !ldst_tags(s->port.ldst, a->lines.line[a->next_line], &there)) return false;
  stats(s)->target_looks += !own->store;
  offload_target_looked(&w->choice, a->lines.line[a->next_line], !there);
  return true;
}

/* An access has left the load/store unit. */
static void access_has_left(nsu_sm_t *s, unsigned warp) {
  nsu_warp_t *w = &s->warp[warp];
  w->queued--;
  if (config(s)->nsu.target == GPU_TARGET_first_miss) ask_manager_once(s, warp, offload_target_looked_all(&w->choice));
  if (w->phase == NSU_ENDED && !w->queued) ask_manager_once(s, warp, offload_target_so_far(&w->choice));
}

/* One packet a cycle: word by word, line by line. */
static bool emit(void *self, ldst_access_t *a) {
  nsu_sm_t *s = self;
  nsu_access_t *own = (nsu_access_t *)(void *)a->blob;
  if (!own->reserved && s->ready_count == config(s)->nsu.ready_packets) return false;
  packet_t *p = look_at_line(s, a, own) ? make_packet(s, a, own) : NULL;
  if (!p) return false;
  s->warp[a->warp].rdf += !own->store;
  if (own->reserved) push_pending(s, a->warp, p);
  else push_ready(s, p);
  if (++a->next_line < a->lines.count) return false;
  a->next_line = 0;
  if (++own->next_word < own->shape.words) return false;
  access_has_left(s, a->warp);
  return true;
}

/* The empty packet of the lowest sequence number. */
static packet_t *empty_packet(nsu_sm_t *s, nsu_warp_t *w, unsigned warp) {
  unsigned seq = (unsigned)__builtin_ctzll(w->empty_rd | w->empty_wr);
  packet_t *p = new_packet(s, w->empty_rd >> seq & 1 ? PKT_RDF_RESP : PKT_WTA);
  if (!p) return NULL;
  p->hdr.warp = warp, p->hdr.seq = seq, p->hdr.aligned = 1, p->hdr.size = 2;
  memset(p->data[0], 0, sizeof p->data[0]);
  w->empty_rd &= ~(1ull << seq), w->empty_wr &= ~(1ull << seq);
  return p;
}

/* Next packet of a granted warp: command, empty packets, pending buffer. NULL: none, or no
 * memory. */
static packet_t *next_waiting(nsu_sm_t *s, unsigned warp) {
  nsu_warp_t *w = &s->warp[warp];
  packet_t *p = w->command;
  w->command = NULL;
  if (p) return p;
  if (w->empty_rd | w->empty_wr) return empty_packet(s, w, warp);
  if (!(p = w->pending_head)) return NULL;
  w->pending_head = p->next;
  if (!w->pending_head) w->pending_tail = NULL;
  free_pending(s);
  return p;
}

/* One packet a cycle, in the order of grants. */
static void pending_to_ready(nsu_sm_t *s) {
  while (s->num_granted && s->ready_count < config(s)->nsu.ready_packets) {
    unsigned warp = s->granted[0];
    packet_t *p = next_waiting(s, warp);
    if (p) {
      push_ready(s, p);
      return;
    }
    s->warp[warp].listed = false;
    s->num_granted--;
    memmove(s->granted, s->granted + 1, s->num_granted);
  }
}

/* Sets a packet's destination. An RDF that hits in the L1 becomes its own response. false: not
 * in this cycle. */
static bool route_packet(nsu_sm_t *s, packet_t *p) {
  xbar_t *x = s->port.sh->xbar;
  if (p->hdr.type != PKT_RDF) {
    p->hdr.dst = p->hdr.target;
    return true;
  }
  if (!ldst_port(s->port.ldst) || !xbar_can_send(x, s->port.id, XBAR_OFFLOAD) ||
      !xbar_can_send(x, s->port.id, XBAR_RESPONSE))
    return false;
  const cache_line_t *line = ldst_look(s->port.ldst, p->hdr.addr);
  if (line) {
    stats(s)->rdf_l1_hits++;
    read_only_answer(s->port.sh->read_only, p, line->words);
    nsu_die_hit(s->die, p);
  } else p->hdr.dst = stack_of(p->hdr.addr);
  return true;
}

/* The head of the ready buffer goes into the crossbar. A WTA with threads will be answered by an
 * INVAL. */
static void send_ready(nsu_sm_t *s) {
  packet_t *p = s->ready_head;
  xbar_t *x = s->port.sh->xbar;
  if (!route_packet(s, p)) return;
  const xbar_class_t cls = p->hdr.type == PKT_RDF_RESP ? XBAR_RESPONSE : XBAR_OFFLOAD;
  if (!xbar_can_send(x, s->port.id, cls)) return;
  s->ready_head = p->next;
  if (!s->ready_head) s->ready_tail = NULL;
  s->ready_count--;
  if (p->hdr.type == PKT_WTA && p->hdr.mask) {
    s->warp[p->hdr.warp].invals++;
    s->die->wta_in_flight[stack_of(p->hdr.addr)]++;
  }
  xbar_send(x, s->port.id, cls, config(s)->num_sms + (unsigned)p->hdr.dst, p);
}

static void step(void *self) {
  nsu_sm_t *s = self;
  if (s->ready_count) send_ready(s);
  if (s->num_granted) pending_to_ready(s);
  update_busy(s);
}

/* ---- End ------------------------------------------------------------------------------------- */

static bool ends(const void *self, unsigned warp, uint32_t pc) {
  return pc == ((const nsu_sm_t *)self)->warp[warp].block->last;
}

/* The warp continues when the acknowledgement and all INVALs have arrived. */
static void resume_if_done(nsu_sm_t *s, unsigned warp) {
  nsu_warp_t *w = &s->warp[warp];
  sm_warp_t *own = &s->port.warps[warp];
  if (w->phase != NSU_ENDED || !w->ack || w->invals) return;
  const offload_block_t *b = w->block;
  for (unsigned k = 0; k < b->num_returned; k++) {
    for (unsigned i = 0; i < 32; i++)
      if (w->mask >> i & 1) nsu_word_returned(running_kernel(s), &own->simt, &b->returned[k], i, w->ack->data[k][i]);
    uint16_t slot = running_kernel(s)->regs[b->returned[k].reg].slot;
    if (slot != SIMT_NO_SLOT) own->ready[slot] = *s->port.now + 1;
  }
  packet_free(s->port.sh->pool, w->ack);
  w->ack = NULL;
  report_ended_block(s, warp);
  w->phase = NSU_OUTSIDE;
  stats(s)->wait_ack_cycles += *s->port.now - w->ended_at;
  stats(s)->block_cycles += *s->port.now - w->begun_at;
  s->port.resume(s->port.sm, warp);
}

/* A block that accesses nothing goes to a stack by the SM's number. */
static void end(void *self, unsigned warp) {
  nsu_sm_t *s = self;
  nsu_warp_t *w = &s->warp[warp];
  w->phase = NSU_ENDED;
  w->ended_at = *s->port.now;
  if (!w->queued || config(s)->nsu.target != GPU_TARGET_first_miss)
    ask_manager_once(s, warp, offload_target_so_far(&w->choice));
  if (!w->choice.accessed) ask_manager_once(s, warp, (int)(s->port.id % config(s)->num_stacks));
  resume_if_done(s, warp);
}

/* The NSU has finished the block. */
static void take_acknowledgement(nsu_sm_t *s, packet_t *p) {
  nsu_warp_t *w = &s->warp[p->hdr.warp];
  if (w->phase == NSU_OUTSIDE || w->ack || p->hdr.count != w->block->num_returned) {
    trouble_fail(s->port.sh->fault, TROUBLE_BROKEN,
                 "SM %u warp %u got an OFLD_ACK it does not wait for, or with the wrong registers", s->port.id,
                 (unsigned)p->hdr.warp);
    packet_free(s->port.sh->pool, p);
    return;
  }
  w->ack = p;
  offload_decision_measured(
      &s->die->decision,
      &(offload_measure_t){.block = s->die->kernel_at + (unsigned)(w->block - s->die->kernel->blocks),
                           .stores = w->block->num_stores,
                           .regs = (unsigned)w->block->overhead / (PKT_WORD_BITS / 8),
                           .rdf = w->rdf,
                           .hits = w->rdf_hits,
                           .hit_bytes = w->rdf_hit_bytes});
  resume_if_done(s, (unsigned)p->hdr.warp);
}

/* A write of the block is in memory. */
static void take_invalidation(nsu_sm_t *s, packet_t *p) {
  const unsigned warp = (unsigned)p->hdr.warp;
  packet_free(s->port.sh->pool, p);
  if (!s->warp[warp].invals) {
    trouble_fail(s->port.sh->fault, TROUBLE_BROKEN, "SM %u warp %u got more INVALs than it has writes under way",
                 s->port.id, warp);
    return;
  }
  s->warp[warp].invals--;
  resume_if_done(s, warp);
}

static bool packet(void *self, packet_t *p) {
  switch (p->hdr.type) {
  case PKT_OFLD_ACK: take_acknowledgement(self, p); return true;
  case PKT_INVAL: take_invalidation(self, p); return true;
  default: return false;
  }
}

/* ---- The policy ------------------------------------------------------------------------------ */

static void *compile(const ptx_module_t *module, const gpu_config_t *config) {
  (void)config;
  return offload_compile(module);
}
static void discard(void *blocks) {
  offload_free(blocks);
}

/* The mechanism is the same for all; the configuration says how it decides. */
#define NSU_POLICY(which)                                                     \
  const offload_policy_t offload_##which = {.name = #which,                   \
                                            .compile = compile,               \
                                            .discard = discard,               \
                                            .new = nsu_die_new,               \
                                            .free = nsu_die_free,             \
                                            .load = nsu_die_load,             \
                                            .forget = nsu_die_forget,         \
                                            .launch = nsu_die_launch,         \
                                            .candidates = nsu_die_candidates, \
                                            .tick = tick,                     \
                                            .arrive = nsu_die_arrive,         \
                                            .describe = nsu_waits_die,        \
                                            .credits = nsu_die_credits,       \
                                            .writes_to = nsu_die_writes,      \
                                            .hit = nsu_die_hit,               \
                                            .resized = nsu_die_resized,       \
                                            .log = nsu_die_log,               \
                                            .attach = attach,                 \
                                            .detach = free,                   \
                                            .decide = decide,                 \
                                            .kept = kept,                     \
                                            .watch = watch,                   \
                                            .needs = needs,                   \
                                            .look = nsu_look,                 \
                                            .begin = begin,                   \
                                            .what = what,                     \
                                            .access = access,                 \
                                            .emit = emit,                     \
                                            .ends = ends,                     \
                                            .end = end,                       \
                                            .packet = packet,                 \
                                            .step = step,                     \
                                            .describe_sm = nsu_waits_sm,      \
                                            .describe_warp = nsu_waits_warp};

NSU_POLICY(static)
NSU_POLICY(dynamic)
NSU_POLICY(dynamic_cache)

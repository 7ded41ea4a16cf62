/* SPDX-License-Identifier: Apache-2.0
 *
 * Partitioned execution on the GPU (NSU paper, section 4.1.1).
 *
 * Deadlock freedom. The pending buffer is a pool of entries: a memory instruction of a warp without grant is issued
 * only if the pool has room for all its packets, so it never stands in the load/store unit waiting for others. A warp
 * with packets in the pool has asked for its entries in the same cycle. Packets of a granted warp leave the pool
 * whatever stands before them (the paper's single FIFO could wait for a grant that waits for packets behind it in
 * another SM), and later ones go to the ready buffer at once, which always drains into the crossbar. So whoever holds
 * entries of an NSU always finishes and frees them. Commands and empty packets are kept with the warp until the grant.
 *
 * An empty mask is a packet without threads: it completes the instruction's entry at the NSU. It needs no address, so
 * it goes there directly: as an RDF response, or as a WTA.
 */
#include <string.h>

#include "sm.h"

/* The decision does not depend on timing: a draw for the n-th block that this warp of the grid meets. */
bool sm_offload_decide(sm_t *sm, unsigned warp) {
  sm_warp_t *w = &sm->warps[warp];
  const gpu_run_t *run = sm->sh->run;
  double ratio = sm->sh->config->offload_ratio;
  uint64_t state = sm->sh->config->seed ^ run->id * 0x9e3779b97f4a7c15u;
  state ^= page_table_random(&state) + sm->ctas[w->cta].index;
  state ^= page_table_random(&state) + w->first_thread;
  state ^= page_table_random(&state) + w->instances++;
  bool yes = (double)(page_table_random(&state) >> 11) * 0x1p-53 < ratio;
  if (yes) sm->sh->stats->blocks_offloaded++;
  else sm->sh->stats->blocks_kept++;
  return yes;
}

static uint32_t sent_word(const sm_t *sm, const sm_warp_t *w, const offload_reg_t *r, unsigned lane) {
  const simt_reg_t *reg = &sm->sh->run->kernel->regs[r->reg];
  if (reg->at == SIMT_NO_OPERAND) return 0;
  const void *from = simt_src(&w->simt, reg->at);
  if (reg->bytes == 1) return *(const uint32_t *)from >> lane & 1;
  if (reg->bytes == 4) return ((const uint32_t *)from)[lane];
  return (uint32_t)(((const uint64_t *)from)[lane] >> (r->half ? 32 : 0));
}

static void returned_word(sm_t *sm, sm_warp_t *w, const offload_reg_t *r, unsigned lane, uint32_t word) {
  const simt_reg_t *reg = &sm->sh->run->kernel->regs[r->reg];
  if (reg->at == SIMT_NO_OPERAND) return;
  void *to = simt_dst(&w->simt, reg->at);
  if (reg->bytes == 1) {
    uint32_t *p = to;
    *p = (*p & ~(1u << lane)) | (uint32_t)(word != 0) << lane;
  } else if (reg->bytes == 4) {
    bool narrow = ptx_type_bytes(sm->sh->run->kernel->func->regs[r->reg].type) < 4;
    ((uint32_t *)to)[lane] = narrow ? word & 0xffff : word;
  } else {
    uint64_t *d = (uint64_t *)to + lane;
    *d = r->half ? (*d & 0xffffffffu) | (uint64_t)word << 32 : (*d & ~0xffffffffull) | word;
  }
}

bool sm_offload_begin(sm_t *sm, unsigned warp) {
  sm_warp_t *w = &sm->warps[warp];
  const offload_block_t *b = w->block;
  packet_t *p = sm_packet(sm, PKT_CMD);
  if (!p) return false;
  w->block_mask = simt_stack_mask(&w->stack);
  p->hdr.warp = warp;
  p->hdr.addr = sm->sh->run->code_base + b->nsu_pc;
  p->hdr.cbase = sm->sh->run->const_base;
  p->hdr.mask = p->hdr.lmask = w->block_mask;
  p->hdr.count = b->num_sent;
  for (unsigned k = 0; k < b->num_sent; k++)
    for (unsigned i = 0; i < 32; i++) p->data[k][i] = w->block_mask >> i & 1 ? sent_word(sm, w, &b->sent[k], i) : 0;
  if (!b->num_sent) memset(p->data[0], 0, sizeof p->data[0]);
  w->command = p;
  w->mode = OFFLOAD_RUNNING;
  w->target = -1;
  w->granted = false;
  w->invals = 0;
  w->empty_rd = w->empty_wr = 0;
  sm->sh->stats->warp_instructions++;
  sm_prepare(sm, warp);
  return true;
}

static void ask(sm_t *sm, unsigned warp, unsigned target) {
  sm_warp_t *w = &sm->warps[warp];
  w->target = (int)target;
  w->asked_at = sm->now;
  ndp_manager_request(sm->sh->manager, target, (ndp_request_t){(uint16_t)sm->id, (uint16_t)warp,
                      (uint16_t)w->block->num_loads, (uint16_t)w->block->num_stores});
}

static void list_granted(sm_t *sm, unsigned warp) {
  sm_warp_t *w = &sm->warps[warp];
  if (!w->granted || w->in_granted) return;
  w->in_granted = true;
  sm->granted[sm->num_granted++] = (uint8_t)warp;
}

void sm_grant(sm_t *sm, unsigned warp) {
  sm_warp_t *w = &sm->warps[warp];
  w->granted = true;
  sm->sh->stats->wait_grant_cycles += sm->now - w->asked_at;
  list_granted(sm, warp);
}

static void words_of(const sm_t *sm, const simt_op_t *op, sm_access_t *a) {
  offload_access_t access = offload_access(&sm->sh->run->kernel->func->instrs[op->index]);
  a->words = access.words;
  a->word_bytes = access.word_bytes;
}

static void empty_access(sm_t *sm, unsigned warp, const simt_op_t *op, bool store) {
  sm_warp_t *w = &sm->warps[warp];
  sm_access_t a;
  words_of(sm, op, &a);
  uint64_t seqs = ((1ull << a.words) - 1) << w->block->seq[op->index - w->block->first];
  if (store) w->empty_wr |= seqs;
  else w->empty_rd |= seqs;
  list_granted(sm, warp);
}

bool sm_offload_memory(sm_t *sm, unsigned warp, const simt_op_t *op, bool store) {
  sm_warp_t *w = &sm->warps[warp];
  uint32_t mask = sm_guard(w, op);
  sm->sh->stats->warp_instructions++;
  if (!mask) {
    empty_access(sm, warp, op, store);
    sm_advance(sm, warp);
    return true;
  }
  uint64_t vaddr[32], paddr[32];
  coalesce_t lines;
  sm_access_t words;
  sm_addresses(w, op, vaddr);
  words_of(sm, op, &words);
  if (sm_global_addresses(sm, warp, op, mask, op->bytes * op->vec, vaddr, paddr)) return true;
  coalesce(&lines, paddr, mask);
  unsigned packets = lines.count * words.words;
  if (!w->granted && sm->pending + packets > sm->sh->config->pending_packets) {
    sm->sh->stats->warp_instructions--;
    return false;
  }
  sm_access_t *a = sm_new_access(sm, warp, op);
  a->kind = store ? ACCESS_WTA : ACCESS_RDF;
  a->mask = mask;
  a->lines = lines;
  a->words = words.words, a->word_bytes = words.word_bytes;
  a->seq = w->block->seq[op->index - w->block->first];
  a->reserved = !w->granted;
  if (a->reserved) sm->pending += packets;
  if (w->target < 0) ask(sm, warp, coalesce_target(&lines));
  sm->sh->stats->thread_instructions += (unsigned)__builtin_popcount(mask);
  sm_lsu_push(sm, a);
  sm_advance(sm, warp);
  return true;
}

static packet_t *make_packet(sm_t *sm, const sm_access_t *a) {
  packet_t *p = sm_packet(sm, a->kind == ACCESS_RDF ? PKT_RDF : PKT_WTA);
  if (!p) return NULL;
  uint32_t lanes = a->lines.lanes[a->next_line];
  p->hdr.warp = a->warp;
  p->hdr.seq = a->seq + a->next_word;
  p->hdr.addr = a->lines.line[a->next_line];
  p->hdr.mask = lanes;
  p->hdr.lmask = a->mask;
  p->hdr.size = a->word_bytes == 4 ? 2 : a->word_bytes == 2;
  uint8_t offset[32] = {0};
  for (uint32_t m = lanes; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m);
    offset[i] = (uint8_t)(a->lines.offset[i] + a->next_word * a->word_bytes);
  }
  p->hdr.aligned = coalesce_aligned(offset, lanes, a->word_bytes);
  if (!p->hdr.aligned) memcpy(p->hdr.offs, offset, sizeof offset);
  return p;
}

static void push_ready(sm_t *sm, packet_t *p) {
  const sm_warp_t *w = &sm->warps[p->hdr.warp];
  p->hdr.target = (unsigned)w->target;
  p->next = NULL;
  if (sm->ready_tail) sm->ready_tail->next = p;
  else sm->ready_head = p;
  sm->ready_tail = p;
  sm->ready_count++;
}

static void push_pending(sm_t *sm, sm_warp_t *w, unsigned warp, packet_t *p) {
  p->next = NULL;
  if (w->pending_tail) w->pending_tail->next = p;
  else w->pending_head = p;
  w->pending_tail = p;
  list_granted(sm, warp);
}

/* Word by word, line by line. */
bool sm_offload_emit(sm_t *sm, sm_access_t *a) {
  sm_warp_t *w = &sm->warps[a->warp];
  if (!a->reserved && sm->ready_count == sm->sh->config->ready_packets) return false;
  packet_t *p = make_packet(sm, a);
  if (!p) return false;
  if (a->reserved) push_pending(sm, w, a->warp, p);
  else push_ready(sm, p);
  if (++a->next_line < a->lines.count) return true;
  a->next_line = 0;
  a->next_word++;
  return true;
}

/* The next packet of a granted warp that waits for a place in the ready buffer; NULL: none left (or no memory). */
static packet_t *next_waiting(sm_t *sm, sm_warp_t *w, unsigned warp) {
  packet_t *p = w->command;
  if (p) {
    w->command = NULL;
    return p;
  }
  uint64_t empty = w->empty_rd | w->empty_wr;
  if (empty) {
    unsigned seq = (unsigned)__builtin_ctzll(empty);
    bool read = w->empty_rd >> seq & 1;
    if (!(p = sm_packet(sm, read ? PKT_RDF_RESP : PKT_WTA))) return NULL;
    p->hdr.warp = warp, p->hdr.seq = seq, p->hdr.aligned = 1, p->hdr.size = 2;
    memset(p->data[0], 0, sizeof p->data[0]);
    w->empty_rd &= ~(1ull << seq), w->empty_wr &= ~(1ull << seq);
    return p;
  }
  if (!(p = w->pending_head)) return NULL;
  w->pending_head = p->next;
  if (!w->pending_head) w->pending_tail = NULL;
  sm->pending--;
  return p;
}

static void pending_to_ready(sm_t *sm) {
  while (sm->num_granted && sm->ready_count < sm->sh->config->ready_packets) {
    unsigned warp = sm->granted[0];
    packet_t *p = next_waiting(sm, &sm->warps[warp], warp);
    if (p) {
      push_ready(sm, p);
      return;
    }
    sm->warps[warp].in_granted = false;
    sm->num_granted--;
    memmove(sm->granted, sm->granted + 1, sm->num_granted);
  }
}

/* An RDF that hits in the L1 becomes its own response. */
static bool answer_from_l1(sm_t *sm, packet_t *p) {
  const cache_line_t *line = cache_find(&sm->l1, p->hdr.addr);
  if (!line) return false;
  sm->sh->stats->rdf_l1_hits++;
  sm_rdf_response(p, line->words);
  return true;
}

void sm_rdf_response(packet_t *p, const uint32_t *words) {
  unsigned bytes = 1u << p->hdr.size;
  uint32_t data[32] = {0};
  for (uint32_t m = (uint32_t)p->hdr.mask; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m), at = p->hdr.aligned ? i * bytes : p->hdr.offs[i];
    memcpy(&data[i], (const uint8_t *)words + at, bytes);
  }
  gpu_packet_reply(p, PKT_RDF_RESP, data);
  p->hdr.dst = p->hdr.target;
  p->hdr.aligned = 1;
  memset(p->hdr.offs, 0, sizeof p->hdr.offs);
}

static void send_ready(sm_t *sm) {
  packet_t *p = sm->ready_head;
  sm_warp_t *w = &sm->warps[p->hdr.warp];
  xbar_t *x = sm->sh->xbar;
  unsigned first = sm->sh->config->num_sms;
  if (p->hdr.type == PKT_RDF) {
    if (sm->l1_taken) {
      sm->rdf_turn = true;
      return;
    }
    if (!xbar_can_send(x, sm->id, 0) || !xbar_can_send(x, sm->id, 1)) return;
    sm->l1_taken = true;
    if (!answer_from_l1(sm, p)) p->hdr.dst = gpu_stack_of(p->hdr.addr);
  } else p->hdr.dst = p->hdr.target;
  unsigned cls = p->hdr.type == PKT_RDF_RESP;
  if (!xbar_can_send(x, sm->id, cls)) return;
  sm->ready_head = p->next;
  if (!sm->ready_head) sm->ready_tail = NULL;
  sm->ready_count--;
  if (p->hdr.type == PKT_WTA && p->hdr.mask) {
    w->invals++;
    sm->sh->wta_in_flight[gpu_stack_of(p->hdr.addr)]++;
  }
  xbar_send(x, sm->id, cls, first + (unsigned)p->hdr.dst, p);
}

void sm_offload_step(sm_t *sm) {
  sm->rdf_turn = false;
  if (sm->ready_count) send_ready(sm);
  if (sm->num_granted) pending_to_ready(sm);
}

/* ---- End --------------------------------------------------------------------------------------------------------- */

static void resume(sm_t *sm, unsigned warp) {
  sm_warp_t *w = &sm->warps[warp];
  if (w->mode != OFFLOAD_ENDED || !w->ack || w->invals) return;
  const offload_block_t *b = w->block;
  for (unsigned k = 0; k < b->num_returned; k++) {
    for (unsigned i = 0; i < 32; i++)
      if (w->block_mask >> i & 1) returned_word(sm, w, &b->returned[k], i, w->ack->data[k][i]);
    uint16_t slot = sm->sh->run->kernel->regs[b->returned[k].reg].slot;
    if (slot != SIMT_NO_SLOT) w->ready[slot] = sm->now + 1;
  }
  packet_free(sm->sh->pool, w->ack);
  w->ack = NULL;
  w->block = NULL;
  w->mode = OFFLOAD_NONE;
  w->decided = false;
  sm->sh->stats->wait_ack_cycles += sm->now - w->ended_at;
  sm_prepare(sm, warp);
}

void sm_offload_end(sm_t *sm, unsigned warp) {
  sm_warp_t *w = &sm->warps[warp];
  w->mode = OFFLOAD_ENDED;
  w->ended_at = sm->now;
  if (w->target < 0) ask(sm, warp, sm->id % sm->sh->config->num_stacks); /* no thread accesses anything */
  resume(sm, warp);
}

void sm_offload_ack(sm_t *sm, packet_t *p) {
  sm_warp_t *w = &sm->warps[p->hdr.warp];
  if (w->mode == OFFLOAD_NONE || w->ack || p->hdr.count != w->block->num_returned) {
    gpu_fail(sm->sh->fault, 1, "SM %u warp %u got an OFLD_ACK it does not wait for, or with the wrong registers",
             sm->id, (unsigned)p->hdr.warp);
    packet_free(sm->sh->pool, p);
    return;
  }
  w->ack = p;
  resume(sm, (unsigned)p->hdr.warp);
}

void sm_offload_inval(sm_t *sm, unsigned warp) {
  sm_warp_t *w = &sm->warps[warp];
  if (!w->invals) {
    gpu_fail(sm->sh->fault, 1, "SM %u warp %u got more INVALs than it has writes under way", sm->id, warp);
    return;
  }
  w->invals--;
  resume(sm, warp);
}

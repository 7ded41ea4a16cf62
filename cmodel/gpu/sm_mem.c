/* SPDX-License-Identifier: Apache-2.0
 *
 * Load/store unit and L1. One line a cycle: a hit delivers at once (the registers are usable l1_latency later), a miss
 * takes an MSHR and asks the L2, a store goes to the L2 and updates the line if it is there.
 *
 * Shared memory is accessed at issue and holds the unit for as many cycles as its worst bank is wanted. Local memory,
 * and constants and parameters with addresses in registers, are accessed at issue too, in ideal private memories: their
 * traffic is not modelled.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "atomic.h"
#include "sm.h"

/* ---- Faults ------------------------------------------------------------------------------------------------------ */

static int fault_access(sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, unsigned bytes, uint64_t address,
                        const char *what) {
  const gpu_run_t *run = sm->sh->run;
  const ptx_instr_t *in = &run->kernel->func->instrs[op->index];
  char thread[96];
  sm_thread_name(sm, warp, lane, thread, sizeof thread);
  const char *verb = op->kind == SIMT_LOAD ? "reads" : op->kind == SIMT_STORE ? "writes" : "changes";
  return gpu_fail(sm->sh->fault, 2, "%s:%d: kernel %s: %s %s %u bytes at address 0x%" PRIx64 ", %s ('%s')",
                  run->kernel->module->file, in->line, run->kernel->func->name, thread, verb, bytes, address, what,
                  in->text);
}

/* ---- Accesses ---------------------------------------------------------------------------------------------------- */

bool sm_lsu_room(const sm_t *sm) {
  return sm->lsu_count < sm->sh->config->lsu_queue && sm->num_free;
}

sm_access_t *sm_new_access(sm_t *sm, unsigned warp, const simt_op_t *op) {
  sm_access_t *a = &sm->accesses[sm->free_access[--sm->num_free]];
  a->op = op;
  a->warp = (uint8_t)warp;
  a->total = (uint8_t)(op->bytes * op->vec);
  a->next_line = a->next_word = a->seq = 0;
  a->waiting = 0;
  a->done_at = 0;
  sm->ctas[sm->warps[warp].cta].outstanding++;
  return a;
}

void sm_free_access(sm_t *sm, sm_access_t *a) {
  a->kind = ACCESS_FREE;
  sm->free_access[sm->num_free++] = (uint16_t)(a - sm->accesses);
  sm_cta_release(sm, sm->warps[a->warp].cta);
}

void sm_lsu_push(sm_t *sm, sm_access_t *a) {
  sm->lsu[(sm->lsu_head + sm->lsu_count++) % 32] = (uint16_t)(a - sm->accesses);
}

void sm_addresses(const sm_warp_t *w, const simt_op_t *op, uint64_t *vaddr) {
  if (op->base == SIMT_NO_OPERAND) {
    for (unsigned i = 0; i < 32; i++) vaddr[i] = (uint64_t)op->imm;
  } else if (op->flags & SIMT_ADDR32) {
    const uint32_t *b = simt_src(&w->simt, op->base);
    for (unsigned i = 0; i < 32; i++) vaddr[i] = (uint32_t)(b[i] + (uint32_t)op->imm);
  } else {
    const uint64_t *b = simt_src(&w->simt, op->base);
    for (unsigned i = 0; i < 32; i++) vaddr[i] = b[i] + (uint64_t)op->imm;
  }
}

int sm_global_addresses(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, unsigned bytes,
                        const uint64_t *vaddr, uint64_t *paddr) {
  const page_entry_t *page = NULL;
  uint64_t number = 0;
  for (; mask; mask &= mask - 1) {
    unsigned i = (unsigned)__builtin_ctz(mask);
    if (vaddr[i] & (bytes - 1))
      return fault_access(sm, warp, op, i, bytes, vaddr[i], "which is not aligned to the access's size");
    if (!page || vaddr[i] >> PAGE_SHIFT != number) page = page_table_find(sm->sh->pages, vaddr[i]);
    number = vaddr[i] >> PAGE_SHIFT;
    if (!page || (vaddr[i] & (PAGE_BYTES - 1)) + bytes > page->valid)
      return fault_access(sm, warp, op, i, bytes, vaddr[i], "which is out of bounds of every allocation");
    paddr[i] = page->frame | (vaddr[i] & (PAGE_BYTES - 1));
  }
  return 0;
}

/* Element k of a thread's bytes goes into its register, extended and cut to the register. */
static void write_element(simt_warp_t *w, const simt_op_t *op, unsigned k, unsigned lane, const uint8_t *bytes) {
  if (op->v[k] == SIMT_NO_OPERAND) return;
  uint64_t x = 0;
  memcpy(&x, bytes + k * op->bytes, op->bytes);
  unsigned shift = 64 - 8 * op->bytes;
  if (op->flags & SIMT_SIGNED) x = (uint64_t)((int64_t)(x << shift) >> shift);
  if (op->reg_bytes == 8) ((uint64_t *)simt_dst(w, op->v[k]))[lane] = x;
  else ((uint32_t *)simt_dst(w, op->v[k]))[lane] = op->x == 2 || op->x == 1 ? (uint32_t)x & 0xffff : (uint32_t)x;
}

static void read_elements(const simt_warp_t *w, const simt_op_t *op, unsigned lane, uint8_t *bytes) {
  for (unsigned k = 0; k < op->vec; k++) {
    const void *from = simt_src(w, op->v[k]);
    uint64_t x = op->reg_bytes == 8 ? ((const uint64_t *)from)[lane] : ((const uint32_t *)from)[lane];
    memcpy(bytes + k * op->bytes, &x, op->bytes);
  }
}

static void deliver(sm_t *sm, const sm_access_t *a, uint32_t lanes, const uint32_t *words) {
  simt_warp_t *w = &sm->warps[a->warp].simt;
  const simt_op_t *op = a->op;
  if (op->vec == 1 && op->bytes == 4 && op->reg_bytes == 4 && op->v[0] != SIMT_NO_OPERAND) {
    uint32_t *d = simt_dst(w, op->v[0]);
    for (; lanes; lanes &= lanes - 1) {
      unsigned i = (unsigned)__builtin_ctz(lanes);
      d[i] = words[a->lines.offset[i] / 4];
    }
    return;
  }
  for (; lanes; lanes &= lanes - 1) {
    unsigned i = (unsigned)__builtin_ctz(lanes);
    for (unsigned k = 0; k < op->vec; k++) write_element(w, op, k, i, (const uint8_t *)words + a->lines.offset[i]);
  }
}

/* All data of a load or atomic are there: its registers may be used from done_at. */
static void complete(sm_t *sm, sm_access_t *a) {
  sm_warp_t *w = &sm->warps[a->warp];
  const simt_op_t *op = a->op;
  for (unsigned i = 0; i < op->num_dsts; i++) w->ready[op->dep[i]] = a->done_at;
  if (sm->wait_data >> a->warp & 1) sm_prepare(sm, a->warp);
  sm_free_access(sm, a);
}

static bool in_unit(const sm_t *sm, const sm_access_t *a) {
  return sm->lsu_count && &sm->accesses[sm->lsu[sm->lsu_head]] == a;
}

static void arrived(sm_t *sm, sm_access_t *a) {
  if (a->done_at < sm->now + 1) a->done_at = sm->now + 1;
  if (--a->waiting == 0 && !in_unit(sm, a)) complete(sm, a);
}

static void store_done(sm_t *sm, unsigned warp) {
  sm_warp_t *w = &sm->warps[warp];
  assert(w->stores);
  w->stores--;
  if (!w->stores && sm->wait_stores >> warp & 1) sm_prepare(sm, warp);
  sm_cta_release(sm, w->cta);
}

/* ---- L1 ---------------------------------------------------------------------------------------------------------- */

/* The MSHR that a load of this line may join, or -1. */
static int find_mshr(const sm_t *sm, uint64_t line) {
  for (uint64_t m = sm->mshrs_live; m; m &= m - 1)
    if (sm->mshr_line[__builtin_ctzll(m)] == line) return __builtin_ctzll(m);
  return -1;
}

/* True: there was one, and it will not be kept. */
static bool kill_fill(sm_t *sm, uint64_t line) {
  const int i = find_mshr(sm, line);
  const uint64_t bit = i >= 0 ? sm->mshrs_live & 1ull << i : 0;
  sm->mshrs_live &= ~bit;
  return bit != 0;
}

static void add_waiter(sm_t *sm, l1_mshr_t *m, sm_access_t *a, uint32_t lanes) {
  m->wait[m->count].access = (uint16_t)(a - sm->accesses);
  m->wait[m->count++].lanes = lanes;
  a->waiting++;
}

static bool send(sm_t *sm, packet_t *p, uint64_t line) {
  p->hdr.addr = line;
  p->hdr.dst = gpu_stack_of(line);
  xbar_send(sm->sh->xbar, sm->id, 0, sm->sh->config->num_sms + (unsigned)p->hdr.dst, p);
  return true;
}

static bool can_request(const sm_t *sm) {
  return (unsigned)__builtin_popcountll(sm->mshrs_used) < sm->sh->config->l1_mshrs &&
         xbar_can_send(sm->sh->xbar, sm->id, 0);
}

static bool request_line(sm_t *sm, sm_access_t *a, uint64_t line, uint32_t lanes) {
  if (!can_request(sm)) return false;
  packet_t *p = sm_packet(sm, PKT_READ);
  if (!p) return false;
  unsigned i = (unsigned)__builtin_ctzll(~sm->mshrs_used);
  sm->mshr_line[i] = line;
  sm->mshrs[i].count = 0;
  sm->mshrs_used |= 1ull << i;
  if (!(a->op->flags & SIMT_UNCACHED)) sm->mshrs_live |= 1ull << i;
  add_waiter(sm, &sm->mshrs[i], a, lanes);
  p->tag = i;
  p->hdr.warp = a->warp;
  return send(sm, p, line);
}

static bool load_line(sm_t *sm, sm_access_t *a) {
  uint64_t line = a->lines.line[a->next_line];
  uint32_t lanes = a->lines.lanes[a->next_line];
  gpu_stats_t *stats = sm->sh->stats;
  if (a->op->flags & SIMT_UNCACHED) return request_line(sm, a, line, lanes);
  const cache_line_t *hit = cache_find(&sm->l1, line);
  if (hit) {
    deliver(sm, a, lanes, hit->words);
    if (a->done_at < sm->now + sm->sh->config->l1_latency) a->done_at = sm->now + sm->sh->config->l1_latency;
    stats->l1_hits++;
    return true;
  }
  int i = find_mshr(sm, line);
  if (i >= 0) {
    l1_mshr_t *m = &sm->mshrs[i];
    if (m->count == sm->sh->config->l1_merges) return false;
    add_waiter(sm, m, a, lanes);
    stats->l1_merges++;
    return true;
  }
  if (!request_line(sm, a, line, lanes)) return false;
  stats->l1_misses++;
  return true;
}

/* Four bytes a thread or more: as words of the line. Less: each thread's bytes with its offset. */
static void fill_write(packet_t *p, const sm_access_t *a, uint32_t lanes) {
  bool words = a->total >= 4;
  p->hdr.size = words ? 2 : a->total == 2;
  p->hdr.aligned = words;
  for (; lanes; lanes &= lanes - 1) {
    unsigned i = (unsigned)__builtin_ctz(lanes), at = a->lines.offset[i];
    const uint8_t *from = a->blob + i * a->stride;
    if (words) {
      memcpy(&p->data[0][at / 4], from, a->total);
      p->hdr.mask |= ((1u << a->total / 4) - 1) << at / 4;
    } else {
      memcpy(&p->data[0][i], from, 4);
      p->hdr.offs[i] = (uint8_t)at;
      p->hdr.mask |= 1u << i;
    }
  }
  p->hdr.lmask = p->hdr.mask;
}

static void update_line(cache_line_t *line, const sm_access_t *a, uint32_t lanes) {
  for (; lanes; lanes &= lanes - 1) {
    unsigned i = (unsigned)__builtin_ctz(lanes);
    memcpy((uint8_t *)line->words + a->lines.offset[i], a->blob + i * a->stride, a->total);
  }
}

static bool store_line(sm_t *sm, sm_access_t *a) {
  uint64_t line = a->lines.line[a->next_line];
  uint32_t lanes = a->lines.lanes[a->next_line];
  if (!xbar_can_send(sm->sh->xbar, sm->id, 0)) return false;
  packet_t *p = sm_packet(sm, PKT_WRITE);
  if (!p) return false;
  p->hdr.warp = a->warp;
  fill_write(p, a, lanes);
  cache_line_t *hit = cache_find(&sm->l1, line);
  if (hit) update_line(hit, a, lanes);
  kill_fill(sm, line);
  return send(sm, p, line);
}

static bool atomic_line(sm_t *sm, sm_access_t *a) {
  uint64_t line = a->lines.line[a->next_line];
  if (!xbar_can_send(sm->sh->xbar, sm->id, 0)) return false;
  packet_t *p = sm_packet(sm, GPU_ATOM);
  if (!p) return false;
  p->hdr.warp = a->warp;
  p->hdr.mask = a->lines.lanes[a->next_line];
  p->hdr.seq = a->op->sub;
  p->hdr.count = a->op->type;
  p->tag = (uint32_t)(a - sm->accesses);
  for (unsigned i = 0; i < 32; i++) {
    p->hdr.offs[i] = a->lines.offset[i];
    for (unsigned k = 0; k < 4; k++) memcpy(&p->data[k][i], a->blob + i * a->stride + 4 * k, 4);
  }
  cache_invalidate(&sm->l1, line);
  kill_fill(sm, line);
  a->waiting++;
  return send(sm, p, line);
}

/* The head of the queue does one line or packet. */
void sm_lsu_step(sm_t *sm) {
  sm_access_t *a = &sm->accesses[sm->lsu[sm->lsu_head]];
  bool offload = a->kind == ACCESS_RDF || a->kind == ACCESS_WTA;
  if (!offload && sm->rdf_turn) return; /* the L1's port goes to an RDF in this cycle */
  switch (a->kind) {
  case ACCESS_LOAD:
    if (!load_line(sm, a)) return;
    break;
  case ACCESS_STORE:
    if (!store_line(sm, a)) return;
    break;
  case ACCESS_ATOM:
    if (!atomic_line(sm, a)) return;
    break;
  default:
    if (!sm_offload_emit(sm, a) || a->next_word < a->words) return;
    goto out;
  }
  sm->l1_taken = true;
  sm->sh->stats->lines_accessed++;
  if (++a->next_line < a->lines.count) return;
out:
  sm->lsu_head = (sm->lsu_head + 1) % 32;
  sm->lsu_count--;
  if (a->waiting) return;
  if (a->kind == ACCESS_LOAD) complete(sm, a);
  else sm_free_access(sm, a);
}

/* ---- Answers ----------------------------------------------------------------------------------------------------- */

static void fill(sm_t *sm, const packet_t *p) {
  l1_mshr_t *m = &sm->mshrs[p->tag];
  uint64_t bit = 1ull << p->tag;
  assert(sm->mshrs_used & bit && sm->mshr_line[p->tag] == p->hdr.addr);
  if (sm->mshrs_live & bit) cache_fill(&sm->l1, p->hdr.addr, p->data[0]);
  sm->mshrs_used &= ~bit;
  sm->mshrs_live &= ~bit;
  for (unsigned i = 0; i < m->count; i++) {
    sm_access_t *a = &sm->accesses[m->wait[i].access];
    deliver(sm, a, m->wait[i].lanes, p->data[0]);
    arrived(sm, a);
  }
}

static void atomic_done(sm_t *sm, const packet_t *p) {
  sm_access_t *a = &sm->accesses[p->tag];
  unsigned warp = a->warp;
  simt_warp_t *w = &sm->warps[warp].simt;
  for (uint32_t lanes = (uint32_t)p->hdr.mask; lanes; lanes &= lanes - 1) {
    unsigned i = (unsigned)__builtin_ctz(lanes);
    uint64_t old = p->data[0][i] | (uint64_t)p->data[1][i] << 32;
    uint8_t bytes[8];
    memcpy(bytes, &old, 8);
    write_element(w, a->op, 0, i, bytes);
  }
  arrived(sm, a);
  store_done(sm, warp);
}

static void invalidate(sm_t *sm, const packet_t *p) {
  cache_invalidate(&sm->l1, p->hdr.addr);
  sm->sh->stats->l1_fills_killed += kill_fill(sm, p->hdr.addr);
  sm_offload_inval(sm, (unsigned)p->hdr.warp);
}

void sm_receive(sm_t *sm, packet_t *p) {
  switch (p->hdr.type) {
  case PKT_READ_RESP: fill(sm, p); break;
  case GPU_ATOM_RESP: atomic_done(sm, p); break;
  case PKT_WRITE_ACK: store_done(sm, (unsigned)p->hdr.warp); break;
  case PKT_INVAL: invalidate(sm, p); break;
  case PKT_OFLD_ACK: sm_offload_ack(sm, p); return; /* keeps it */
  default: gpu_fail(sm->sh->fault, 1, "SM %u got a %s packet", sm->id, pkt_type_name((unsigned)p->hdr.type));
  }
  packet_free(sm->sh->pool, p);
}

/* ---- Memories that are accessed at issue ------------------------------------------------------------------------- */

static uint8_t *private_memory(sm_t *sm, unsigned warp, unsigned space, unsigned lane, uint64_t *size) {
  const gpu_run_t *run = sm->sh->run;
  uint64_t local = run->kernel->func->local_bytes;
  switch (space) {
  case PTX_SPACE_SHARED: *size = run->shared_bytes; return sm->ctas[sm->warps[warp].cta].shared;
  case PTX_SPACE_LOCAL: *size = local; return sm->local + ((size_t)warp * 32) * local + warp + lane * local;
  case PTX_SPACE_CONST: *size = run->const_bytes; return (uint8_t *)(uintptr_t)run->const_segment;
  default: *size = run->kernel->func->param_bytes; return (uint8_t *)(uintptr_t)run->params;
  }
}

static void apply_atomic(simt_warp_t *w, const simt_op_t *op, unsigned lane, uint8_t *at) {
  uint64_t old = 0, b, c = 0;
  memcpy(&old, at, op->bytes);
  const void *pb = simt_src(w, op->b), *pc = op->c == SIMT_NO_OPERAND ? NULL : simt_src(w, op->c);
  b = op->bytes == 8 ? ((const uint64_t *)pb)[lane] : ((const uint32_t *)pb)[lane];
  if (pc) c = op->bytes == 8 ? ((const uint64_t *)pc)[lane] : ((const uint32_t *)pc)[lane];
  uint64_t now = atomic_apply(op->sub, op->type, old, b, c);
  memcpy(at, &now, op->bytes);
  uint8_t bytes[8];
  memcpy(bytes, &old, 8);
  write_element(w, op, 0, lane, bytes);
}

static int access_now(sm_t *sm, unsigned warp, const simt_op_t *op, unsigned space, uint32_t mask,
                      const uint64_t *vaddr) {
  static const char *const names[] = {"generic", "global", "constant", "parameter", "shared", "local"};
  simt_warp_t *w = &sm->warps[warp].simt;
  unsigned bytes = op->bytes * op->vec;
  for (; mask; mask &= mask - 1) {
    unsigned i = (unsigned)__builtin_ctz(mask);
    uint64_t size, at = vaddr[i];
    uint8_t *memory = private_memory(sm, warp, space, i, &size);
    char what[64];
    if (at & (bytes - 1)) return fault_access(sm, warp, op, i, bytes, at, "which is not aligned to the access's size");
    if (at + bytes > size || at + bytes < at) {
      snprintf(what, sizeof what, "out of bounds of its %s memory", names[space]);
      return fault_access(sm, warp, op, i, bytes, at, what);
    }
    if (op->kind == SIMT_ATOM) apply_atomic(w, op, i, memory + at);
    else if (op->kind == SIMT_STORE) read_elements(w, op, i, memory + at);
    else
      for (unsigned k = 0; k < op->vec; k++) write_element(w, op, k, i, memory + at);
  }
  return 0;
}

/* Cycles that a shared access takes: the most different words wanted of one of the 32 banks; atomics: the most
 * accesses. */
static unsigned bank_cycles(const simt_op_t *op, uint32_t mask, const uint64_t *vaddr) {
  uint32_t words[32][64];
  uint8_t count[32] = {0};
  unsigned per = (op->bytes * op->vec + 3) / 4, most = 1;
  for (; mask; mask &= mask - 1) {
    unsigned i = (unsigned)__builtin_ctz(mask);
    for (unsigned k = 0; k < per; k++) {
      uint32_t word = (uint32_t)(vaddr[i] / 4) + k, bank = word % 32, n = 0;
      while (n < count[bank] && (words[bank][n] != word || op->kind == SIMT_ATOM)) n++;
      if (n < count[bank] || n == 64) continue;
      words[bank][n] = word;
      if (++count[bank] > most) most = count[bank];
    }
  }
  return most;
}

static int access_private(sm_t *sm, unsigned warp, const simt_op_t *op, unsigned space, uint32_t mask, uint64_t *vaddr,
                          unsigned *latency) {
  const gpu_config_t *c = sm->sh->config;
  unsigned cycles = 1, base = space == PTX_SPACE_LOCAL ? c->l1_latency : c->alu_latency;
  if (space == PTX_SPACE_SHARED) {
    cycles = bank_cycles(op, mask, vaddr);
    base = c->shared_latency;
    sm->sh->stats->shared_conflicts += cycles - 1;
  }
  if (sm->lsu_busy < sm->now + cycles) sm->lsu_busy = sm->now + cycles;
  if (*latency < base + cycles - 1) *latency = base + cycles - 1;
  return access_now(sm, warp, op, space, mask, vaddr);
}

/* Generic addresses: the lanes of each space; vaddr becomes the offset in its window. */
static void split_generic(uint32_t mask, uint64_t *vaddr, uint32_t *lanes) {
  static const uint8_t space_of[] = {PTX_SPACE_GLOBAL, PTX_SPACE_SHARED, PTX_SPACE_LOCAL, PTX_SPACE_CONST,
                                     PTX_SPACE_PARAM};
  for (; mask; mask &= mask - 1) {
    unsigned i = (unsigned)__builtin_ctz(mask);
    unsigned window = vaddr[i] < SIMT_WINDOW_END ? (unsigned)(vaddr[i] / SIMT_WINDOW_SHARED) : 0;
    lanes[space_of[window]] |= 1u << i;
    if (window) vaddr[i] &= SIMT_WINDOW_MASK;
  }
}

/* ---- Issue ------------------------------------------------------------------------------------------------------- */

static void read_operands(sm_warp_t *w, const simt_op_t *op, sm_access_t *a) {
  a->stride = op->kind == SIMT_ATOM ? 16 : a->total < 4 ? 4 : a->total;
  for (uint32_t m = a->mask; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m);
    uint8_t *to = a->blob + i * a->stride;
    if (op->kind == SIMT_STORE) {
      memset(to, 0, 4);
      read_elements(&w->simt, op, i, to);
    } else {
      for (unsigned k = 0; k < 2; k++) {
        uint32_t at = k ? op->c : op->b;
        uint64_t x = 0;
        if (at != SIMT_NO_OPERAND) memcpy(&x, (const uint8_t *)simt_src(&w->simt, at) + i * op->bytes, op->bytes);
        memcpy(to + 8 * k, &x, 8);
      }
    }
  }
}

static int issue_global(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, const uint64_t *vaddr) {
  sm_warp_t *w = &sm->warps[warp];
  uint64_t paddr[32];
  if (sm_global_addresses(sm, warp, op, mask, op->bytes * op->vec, vaddr, paddr)) return -1;
  sm_access_t *a = sm_new_access(sm, warp, op);
  a->kind = op->kind == SIMT_LOAD ? ACCESS_LOAD : op->kind == SIMT_STORE ? ACCESS_STORE : ACCESS_ATOM;
  a->mask = mask;
  coalesce(&a->lines, paddr, mask);
  if (op->kind != SIMT_LOAD) {
    read_operands(w, op, a);
    w->stores = (uint16_t)(w->stores + a->lines.count);
    sm->ctas[w->cta].outstanding += a->lines.count;
  }
  if (op->kind == SIMT_ATOM) sm->sh->stats->atomics++;
  for (unsigned i = 0; i < op->num_dsts; i++) w->ready[op->dep[i]] = SM_NEVER;
  sm_lsu_push(sm, a);
  return 0;
}

bool sm_issue_memory(sm_t *sm, unsigned warp, const simt_op_t *op) {
  sm_warp_t *w = &sm->warps[warp];
  uint32_t mask = sm_guard(w, op), lanes[6] = {0};
  uint64_t vaddr[32];
  unsigned latency = sm->sh->config->alu_latency;
  sm_addresses(w, op, vaddr);
  if (op->space == PTX_SPACE_GENERIC) split_generic(mask, vaddr, lanes);
  else lanes[op->space] = mask;
  for (unsigned space = PTX_SPACE_CONST; space <= PTX_SPACE_LOCAL; space++)
    if (lanes[space] && access_private(sm, warp, op, space, lanes[space], vaddr, &latency)) return true;
  for (unsigned i = 0; i < op->num_dsts; i++) w->ready[op->dep[i]] = sm->now + latency;
  if (lanes[PTX_SPACE_GLOBAL] && issue_global(sm, warp, op, lanes[PTX_SPACE_GLOBAL], vaddr)) return true;
  sm->sh->stats->thread_instructions += (unsigned)__builtin_popcount(mask);
  sm_advance(sm, warp);
  return true;
}

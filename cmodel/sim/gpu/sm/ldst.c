/* SPDX-License-Identifier: Apache-2.0 */
#include "ldst.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ldst_deliver.h"
#include "simt_memory.h"

int ldst_init(ldst_t *l, const gpu_shared_t *sh, unsigned id, const uint64_t *now, const ldst_events_t *events) {
  const gpu_config_t *c = sh->config;
  *l = (ldst_t){.sh = sh, .id = id, .now = now, .events = *events, .num_free = c->sm.max_loads};
  l->accesses = calloc(c->sm.max_loads, sizeof *l->accesses);
  l->free_access = calloc(c->sm.max_loads, sizeof *l->free_access);
  l->mshrs = calloc(c->l1.mshrs, sizeof *l->mshrs);
  if (!(l->kept = calloc(c->sm.max_loads, sizeof *l->kept))) return -1;
  if (c->guard && !(l->guard = line_guard_new(c->sm.guard_lines))) return -1;
  if (!c->constant.ideal && cache_init(&l->constants, c->constant.bytes, c->constant.ways)) return -1;
  if (cache_init(&l->l1, c->l1.bytes, c->l1.ways) || !l->accesses || !l->free_access || !l->mshrs) return -1;
  for (unsigned i = 0; i < c->sm.max_loads; i++) l->free_access[i] = (uint16_t)(c->sm.max_loads - 1 - i);
  return 0;
}

void ldst_deinit(ldst_t *l) {
  cache_deinit(&l->l1);
  cache_deinit(&l->constants);
  line_guard_free(l->guard);
  for (unsigned i = 0; l->kept && i < l->sh->config->sm.max_loads; i++) {
    free(l->kept[i].texels);
    free(l->kept[i].words);
    free(l->kept[i].tile);
    free(l->kept[i].copy);
  }
  free(l->kept);
  free(l->accesses);
  free(l->free_access);
  free(l->mshrs);
}

void ldst_start(ldst_t *l) {
  cache_clear(&l->l1);
  if (!l->sh->config->constant.ideal) cache_clear(&l->constants);
  l->missed = false;
}

void ldst_clear(ldst_t *l) {
  cache_clear(&l->l1);
  l->mshrs_live = 0;
}

void ldst_refresh(ldst_t *l, const gpu_memory_t *memory) {
  cache_line_t now;
  for (uint64_t i = 0; i < (uint64_t)l->l1.sets * l->l1.ways; i++) {
    if (!l->l1.tags[i]) continue;
    memory->read(memory->ctx, l->l1.tags[i] & ~1ull, &now, sizeof now);
    if (memcmp(&now, &l->l1.lines[i], sizeof now) != 0) l->l1.tags[i] = 0;
  }
  l->mshrs_live = 0;
}

/* ---- Accesses -------------------------------------------------------------------------------- */

ldst_access_t *ldst_take(ldst_t *l, unsigned warp, simt_warp_t *registers, const simt_op_t *op) {
  ldst_access_t *a = &l->accesses[l->free_access[--l->num_free]];
  a->op = op;
  a->registers = registers;
  a->warp = (uint8_t)warp;
  a->total = (uint8_t)(op->bytes * op->vec);
  a->next_line = 0;
  a->waiting = 0;
  a->came = 0;
  a->done_at = 0;
  a->texels = NULL;
  a->words = NULL;
  a->tile = NULL;
  a->copy = NULL;
  l->events.begun(l->events.ctx, warp);
  return a;
}

static void free_access(ldst_t *l, ldst_access_t *a) {
  a->copy = NULL;
  l->free_access[l->num_free++] = (uint16_t)(a - l->accesses);
  l->events.over(l->events.ctx, a->warp);
}

void ldst_push(ldst_t *l, ldst_access_t *a) {
  l->queue[(l->head + l->count++) % LDST_MAX_QUEUE] = (uint16_t)(a - l->accesses);
}

static uint64_t next_line_address(const ldst_access_t *a) {
  const unsigned i = a->next_line;
  if (a->tile) return a->tile->line[i];
  if (a->texels) return a->texels->line[i];
  if (a->words) return a->words->line[i];
  return a->lines.line[i];
}

/* What l1_mshr_t.wait.lanes keeps of the next line. */
static uint32_t next_line_lanes(const ldst_access_t *a) {
  return a->texels || a->words || a->tile ? a->next_line : a->lines.lanes[a->next_line];
}

/* Data of a store for its next line: for these threads, or pieces of a matrix, `bytes` each at
 * its offset in the line. The data of the first one are at `from`. */
typedef struct {
  uint64_t lanes;
  const uint8_t *offset, *from;
  unsigned stride, bytes;
} part_t;

static part_t next_line_part(const ldst_access_t *a) {
  const unsigned i = a->next_line;
  if (a->tile) return (part_t){a->tile->in_line[i], a->tile->offset, a->tile->bytes, a->total, a->total};
  if (!a->words) return (part_t){a->lines.lanes[i], a->lines.offset, a->blob, a->stride, a->total};
  const coalesce_words_t *w = a->words;
  const bool whole = w->word[i] == COALESCE_WHOLE;
  return (part_t){w->lanes[i], w->offset, a->blob + (whole ? 0 : 4u * w->word[i]), a->stride,
                  whole || a->total < 4 ? a->total : 4u};
}

/* Cycles from a load's first answer to its last one (NUPIM paper, Fig. 7). */
static void count_spread(const ldst_t *l, const ldst_access_t *a) {
  l->sh->stats->load_spread[spread_bin(*l->now - a->first_at)]++;
}

/* All data of a load or atomic have arrived; its registers are usable from done_at. */
static void complete_access(ldst_t *l, ldst_access_t *a) {
  if (a->texels) {
    texels_write(a->texels, a->op, a->registers);
    a->done_at += l->sh->config->sm.texture_latency;
  }
  if (a->copy) async_copy_end(a->copy);
  else if (a->tile)
    matrix_scatter(a->op->matrix, MATRIX_D, (matrix_order_t)a->op->matrix->order, a->tile->bytes, a->registers);
  if (!a->texels && a->came && a->kind == ACCESS_LOAD && !a->words && !ldst_is_constant(a)) count_spread(l, a);
  l->events.loaded(l->events.ctx, a->warp, a->op, a->done_at);
  free_access(l, a);
}

static bool is_at_head(const ldst_t *l, const ldst_access_t *a) {
  return l->count && &l->accesses[l->queue[l->head]] == a;
}

static void line_arrived(ldst_t *l, ldst_access_t *a) {
  if (a->done_at < *l->now + 1) a->done_at = *l->now + 1;
  if (!a->came++) a->first_at = *l->now;
  if (--a->waiting == 0 && !is_at_head(l, a)) complete_access(l, a);
}

/* ---- L1 -------------------------------------------------------------------------------------- */

/* MSHR that a load of this line may join, or -1. Dead fills take no new loads. */
static int find_mshr(const ldst_t *l, uint64_t line, bool constant) {
  for (uint64_t m = l->mshrs_live; m; m &= m - 1)
    if (l->mshr_line[__builtin_ctzll(m)] == line && l->mshrs[__builtin_ctzll(m)].constant == constant)
      return __builtin_ctzll(m);
  return -1;
}

/* Marks a fill under way as dead. True: there was one. */
static bool kill_fill(ldst_t *l, uint64_t line) {
  const int i = find_mshr(l, line, false);
  const uint64_t bit = i >= 0 ? l->mshrs_live & 1ull << i : 0;
  l->mshrs_live &= ~bit;
  return bit != 0;
}

static void add_waiter(ldst_t *l, l1_mshr_t *m, ldst_access_t *a, uint32_t lanes) {
  m->wait[m->count].access = (uint16_t)(a - l->accesses);
  m->wait[m->count++].lanes = lanes;
  a->waiting++;
}

static bool send_request(ldst_t *l, packet_t *p, const ldst_access_t *a) {
  p->hdr.addr = next_line_address(a);
  p->hdr.dst = stack_of(p->hdr.addr);
  p->hdr.warp = a->warp;
  p->divergent = ldst_lines(a) > 1;
  gpu_request(l->sh, l->id, p);
  return true;
}

/* Bytes of the line that a store writes, for the line guard. */
static guard_bytes_t written_bytes(const part_t *part) {
  guard_bytes_t bytes = {0};
  const uint64_t each = (UINT64_C(1) << part->bytes) - 1; /* at most 16 bytes, aligned: in one half */
  for (uint64_t m = part->lanes; m; m &= m - 1) {
    const unsigned at = part->offset[__builtin_ctzll(m)];
    *(at < 64 ? &bytes.low : &bytes.high) |= each << at % 64;
  }
  return bytes;
}

/* Asks the line guard, after everything else that a packet needs is there. */
static bool enter_guard(ldst_t *l, const ldst_access_t *a, guard_kind_t kind, guard_bytes_t bytes) {
  if (!l->guard || line_guard_enter(l->guard, next_line_address(a), kind, bytes)) return true;
  l->sh->stats->order_waits++;
  return false;
}

static void leave_guard(ldst_t *l, const packet_t *p, guard_kind_t kind) {
  if (l->guard) line_guard_leave(l->guard, p->hdr.addr, kind);
}

static bool can_request(const ldst_t *l) {
  const bool free = ~l->mshrs_used << (64 - l->sh->config->l1.mshrs);
  return free && xbar_can_send(l->sh->xbar, l->id, XBAR_REQUEST);
}

/* Takes an MSHR and sends a READ. false: not in this cycle. */
static bool request_line(ldst_t *l, ldst_access_t *a, uint64_t line, uint32_t lanes) {
  if (!can_request(l) || !enter_guard(l, a, GUARD_READ, (guard_bytes_t){0})) return false;
  packet_t *p = gpu_packet_new(l->sh, PKT_READ, l->id, *l->now);
  if (!p) return false;
  unsigned i = (unsigned)__builtin_ctzll(~l->mshrs_used);
  l->mshr_line[i] = line;
  l->mshrs[i].count = 0;
  l->mshrs[i].constant = ldst_is_constant(a);
  l->mshrs_used |= 1ull << i;
  if (!(a->op->flags & SIMT_UNCACHED)) l->mshrs_live |= 1ull << i;
  add_waiter(l, &l->mshrs[i], a, lanes);
  p->tag = i;
  return send_request(l, p, a);
}

/* Looks for the line in the cache and the MSHRs. True: the line is in one of them. *served is then
 * true if the load has its data or has joined the MSHR. If the MSHR is full, *served is false, and
 * the next cycle tries again. */
static bool look_up_line(ldst_t *l, ldst_access_t *a, uint64_t line, uint32_t lanes, bool *served) {
  const bool constant = ldst_is_constant(a);
  gpu_stats_t *stats = l->sh->stats;
  const cache_line_t *hit = cache_find(constant ? &l->constants : &l->l1, line);
  if (hit) {
    const uint64_t when = *l->now + (constant ? l->sh->config->constant.latency : l->sh->config->l1.latency);
    ldst_deliver(a, lanes, hit->words);
    if (a->done_at < when) a->done_at = when;
    *(constant ? &stats->constant_hits : &stats->l1_hits) += 1;
    return *served = true;
  }
  const int i = find_mshr(l, line, constant);
  if (i < 0) return false;
  *served = l->mshrs[i].count < l->sh->config->l1.merges;
  if (*served) {
    add_waiter(l, &l->mshrs[i], a, lanes);
    *(constant ? &stats->constant_merges : &stats->l1_merges) += 1;
  }
  return true;
}

/* The load's next line. While `missed`, the look-up would find nothing new and is left out. false:
 * not in this cycle. */
static bool load_line(ldst_t *l, ldst_access_t *a) {
  const uint64_t line = next_line_address(a);
  const uint32_t lanes = next_line_lanes(a);
  bool served;
  if (a->op->flags & SIMT_UNCACHED) return request_line(l, a, line, lanes);
  if (!l->missed && look_up_line(l, a, line, lanes, &served)) return served;
  l->missed = !request_line(l, a, line, lanes);
  if (l->missed) return false;
  *(ldst_is_constant(a) ? &l->sh->stats->constant_misses : &l->sh->stats->l1_misses) += 1;
  return true;
}

/* Data of 4 bytes or more go as words of the line, smaller ones a thread with its offset. */
static void fill_write(packet_t *p, const part_t *part) {
  const bool words = part->bytes >= 4;
  p->hdr.size = words ? 2 : part->bytes == 2;
  p->hdr.aligned = words;
  for (uint64_t m = part->lanes; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctzll(m), at = part->offset[i];
    const uint8_t *from = part->from + i * part->stride;
    if (words) {
      memcpy(&p->data[0][at / 4], from, part->bytes);
      p->hdr.mask |= ((1u << part->bytes / 4) - 1) << at / 4;
    } else {
      memcpy(&p->data[0][i], from, 4);
      p->hdr.offs[i] = (uint8_t)at;
      p->hdr.mask |= 1u << i;
    }
  }
  p->hdr.lmask = p->hdr.mask;
}

static void update_line(cache_line_t *line, const part_t *part) {
  for (uint64_t m = part->lanes; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctzll(m);
    memcpy((uint8_t *)line->words + part->offset[i], part->from + i * part->stride, part->bytes);
  }
}

/* The store's next line goes to the L2, and into the L1 if it has the line. A fill under way may
 * bring older data, so it dies. false: not in this cycle. */
static bool store_line(ldst_t *l, ldst_access_t *a) {
  const uint64_t line = next_line_address(a);
  const part_t part = next_line_part(a);
  if (!xbar_can_send(l->sh->xbar, l->id, XBAR_REQUEST) ||
      !enter_guard(l, a, GUARD_STORE, l->guard ? written_bytes(&part) : (guard_bytes_t){0}))
    return false;
  packet_t *p = gpu_packet_new(l->sh, PKT_WRITE, l->id, *l->now);
  if (!p) return false;
  fill_write(p, &part);
  cache_line_t *hit = cache_find(&l->l1, line);
  if (hit) update_line(hit, &part);
  kill_fill(l, line);
  return send_request(l, p, a);
}

/* The atomic's next line, with 16 bytes of operands a thread. false: not in this cycle. */
static bool atomic_line(ldst_t *l, ldst_access_t *a) {
  uint64_t line = a->lines.line[a->next_line];
  if (!xbar_can_send(l->sh->xbar, l->id, XBAR_REQUEST) || !enter_guard(l, a, GUARD_ATOMIC, (guard_bytes_t){0}))
    return false;
  packet_t *p = gpu_packet_new(l->sh, PACKET_ATOM, l->id, *l->now);
  if (!p) return false;
  p->hdr.mask = a->lines.lanes[a->next_line];
  p->hdr.seq = a->op->sub;
  p->hdr.count = a->op->type;
  p->tag = (uint32_t)(a - l->accesses);
  for (unsigned i = 0; i < 32; i++) {
    p->hdr.offs[i] = a->lines.offset[i];
    for (unsigned k = 0; k < 4; k++) memcpy(&p->data[k][i], a->blob + i * a->stride + 4 * k, 4);
  }
  cache_invalidate(&l->l1, line);
  kill_fill(l, line);
  a->waiting++;
  return send_request(l, p, a);
}

/* The head of the queue handles one line, or sends one packet. */
void ldst_step(ldst_t *l) {
  ldst_access_t *a = &l->accesses[l->queue[l->head]];
  if (a->kind != ACCESS_OTHER && l->others_turn) return;
  switch (a->kind) {
  case ACCESS_LOAD:
    if (!load_line(l, a)) return;
    break;
  case ACCESS_STORE:
    if (!store_line(l, a)) return;
    break;
  case ACCESS_ATOM:
    if (!atomic_line(l, a)) return;
    break;
  default:
    if (!l->events.emit(l->events.ctx, a)) return;
    goto out;
  }
  l->port_taken = true;
  l->sh->stats->lines_accessed++;
  if (a->texels) l->sh->stats->texture_lines++;
  if (a->words) l->sh->stats->local_lines++;
  if (++a->next_line < ldst_lines(a)) return;
out:
  l->head = (l->head + 1) % LDST_MAX_QUEUE;
  l->count--;
  if (a->waiting) return;
  if (a->kind == ACCESS_LOAD) complete_access(l, a);
  else free_access(l, a);
}

bool ldst_tags(ldst_t *l, uint64_t line, bool *there) {
  if (l->others_turn) return false;
  l->port_taken = true;
  *there = cache_has(&l->l1, line);
  return true;
}

bool ldst_port(ldst_t *l) {
  l->others_turn = l->port_taken;
  return !l->port_taken;
}

const cache_line_t *ldst_look(ldst_t *l, uint64_t line) {
  l->port_taken = true;
  return cache_find(&l->l1, line);
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* A line has arrived. Its waiters get the data even if the L1 may not cache them. */
static void fill_line(ldst_t *l, const packet_t *p) {
  l1_mshr_t *m = &l->mshrs[p->tag];
  uint64_t bit = 1ull << p->tag;
  assert(l->mshrs_used & bit && l->mshr_line[p->tag] == p->hdr.addr);
  if (l->mshrs_live & bit) cache_fill(m->constant ? &l->constants : &l->l1, p->hdr.addr, p->data[0]);
  l->mshrs_used &= ~bit;
  l->mshrs_live &= ~bit;
  l->missed = false;
  for (unsigned i = 0; i < m->count; i++) {
    ldst_access_t *a = &l->accesses[m->wait[i].access];
    ldst_deliver(a, m->wait[i].lanes, p->data[0]);
    line_arrived(l, a);
  }
}

/* The L2 has executed an atomic; the packet has the old values. With hears_atomics, the access
 * counts as stored only when memory acknowledges the result. */
static void atomic_done(ldst_t *l, const packet_t *p) {
  ldst_access_t *a = &l->accesses[p->tag];
  unsigned warp = a->warp;
  for (uint32_t lanes = (uint32_t)p->hdr.mask; lanes; lanes &= lanes - 1) {
    unsigned i = (unsigned)__builtin_ctz(lanes);
    uint64_t old = p->data[0][i] | (uint64_t)p->data[1][i] << 32;
    uint8_t bytes[8];
    memcpy(bytes, &old, 8);
    simt_write_element(a->registers, a->op, 0, i, bytes);
  }
  line_arrived(l, a);
  if (!l->sh->hears_atomics) l->events.stored(l->events.ctx, warp);
}

bool ldst_invalidate(ldst_t *l, uint64_t line) {
  cache_invalidate(&l->l1, line);
  return kill_fill(l, line);
}

bool ldst_receive(ldst_t *l, const packet_t *p) {
  switch (p->hdr.type) {
  case PKT_READ_RESP: leave_guard(l, p, GUARD_READ), fill_line(l, p); return true;
  case PACKET_ATOM_RESP: leave_guard(l, p, GUARD_ATOMIC), atomic_done(l, p); return true;
  case PKT_WRITE_ACK:
    leave_guard(l, p, GUARD_STORE), l->events.stored(l->events.ctx, (unsigned)p->hdr.warp);
    return true;
  default: return false;
  }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The look at a block's addresses before a warp begins the block. It answers two questions: do
 * loads read what stores of the block write (offload.h, offload_pair_t), and are all pages
 * resident?
 *
 * Pairs. The launch answers a pair whose pointers point into different allocations. For the others
 * the warp walks through the block, up to the last load in question. Each instruction that the GPU
 * executes takes an issue slot, and so does each access. These instructions depend only on known
 * registers, since a block begins after all loads of the warp have arrived. Their results go to a
 * register file aside. The addresses of all threads are compared byte by byte.
 *
 * Pages. With demand paging (pager.h) a warp walks through the whole block. The block begins when
 * all its pages are resident, and no stack that it writes takes a page. A block that holds entries
 * and a warp of an NSU therefore never waits for a page.
 */
#include "offload_nsu.h"

#include <stdlib.h>
#include <string.h>

#include "pager.h"
#include "simt_memory.h"
#include "sm_warp.h"
#include "stack_address.h"

/* The addresses of one access. */
typedef struct {
  uint32_t mask; /* threads that access */
  unsigned bytes;
  /* virtual; low, high: first byte, and the byte behind the last */
  uint64_t address[32], low, high;
} lanes_t;

/* ---- Launch ---------------------------------------------------------------------------------- */

/* True if no unmapped page lies between the two addresses. */
static bool same_allocation(const page_table_t *pages, uint64_t a, uint64_t b) {
  uint64_t at = a < b ? a : b, end = a < b ? b : a;
  while (page_table_find(pages, at) && at >> PAGE_SHIFT < end >> PAGE_SHIFT) at += PAGE_BYTES;
  return page_table_find(pages, at) && at >> PAGE_SHIFT >= end >> PAGE_SHIFT;
}

/* A pointer parameter of the launch. */
static uint64_t pointer_param(const nsu_die_t *d, int32_t param) {
  uint64_t value = 0;
  memcpy(&value, d->sh->run->simt.params + param, sizeof value);
  return value;
}

/* True if the launch's pointers show that the pair cannot overlap. */
static bool is_apart(const nsu_die_t *d, const offload_pair_t *p) {
  if (p->store_param == PTX_NONE || p->load_param == PTX_NONE || p->store_param == p->load_param) return false;
  const uint64_t st = pointer_param(d, p->store_param), ld = pointer_param(d, p->load_param);
  return page_table_find(d->sh->pages, st) && page_table_find(d->sh->pages, ld) &&
         !same_allocation(d->sh->pages, st, ld);
}

/* True if the GPU executes the instruction, or it is an access. */
static bool is_walked(const offload_block_t *b, unsigned at) {
  return b->role[at] != OFFLOAD_NSU;
}

/* Issue slots of a block's look; 0: no look. */
static unsigned count_slots(const nsu_die_t *d, const offload_block_t *b) {
  unsigned last = 0, slots = 0;
  for (uint32_t p = 0; p < b->num_pairs; p++)
    if (!is_apart(d, &b->pairs[p])) last = b->pairs[p].load;
  if (d->sh->pager) last = b->last - b->first;
  for (unsigned at = 0; last && at <= last; at++) slots += is_walked(b, at);
  return slots;
}

/* Blocks with pairs need the register file even if the launch has all answers: pairs are still
 * checked. */
int nsu_look_launch(nsu_die_t *d, trouble_t *err) {
  const offload_kernel_t *k = d->kernel;
  bool any = false;
  free(d->aside);
  d->aside = NULL;
  for (uint32_t b = 0; b < k->num_blocks; b++) {
    any |= k->blocks[b].num_pairs > 0 || d->sh->pager;
    d->look_slots[b] = (uint16_t)count_slots(d, &k->blocks[b]);
  }
  if (any && !(d->aside = aligned_alloc(64, (d->sh->run->simt.kernel->reg_bytes + 64) / 64 * 64)))
    return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  return 0;
}

/* ---- A warp ---------------------------------------------------------------------------------- */

/* Issue slots of the look at the warp's block. */
static unsigned block_slots(const nsu_sm_t *s, unsigned warp) {
  return s->die->look_slots[s->warp[warp].block - s->die->kernel->blocks];
}

static const simt_kernel_t *running_kernel(const nsu_sm_t *s) {
  return s->port.sh->run->simt.kernel;
}

/* Registers of all instructions that the look executes. */
uint64_t nsu_look_needs(const nsu_sm_t *s, unsigned warp) {
  const offload_block_t *b = s->warp[warp].block;
  uint64_t when = 0;
  for (unsigned at = 0, left = block_slots(s, warp); left; at++) {
    if (!is_walked(b, at)) continue;
    const simt_op_t *op = &running_kernel(s)->ops[b->first + at];
    for (unsigned n = 0; n < op->num_deps; n++)
      if (s->port.warps[warp].ready[op->dep[n]] > when) when = s->port.warps[warp].ready[op->dep[n]];
    left--;
  }
  return when;
}

/* The addresses of an access, in the registers of the look. */
static void find_lanes(lanes_t *l, const simt_warp_t *registers, const simt_op_t *op, uint32_t mask) {
  *l = (lanes_t){.mask = simt_guard(registers, op, mask), .bytes = op->bytes * op->vec, .low = UINT64_MAX};
  simt_addresses(registers, op, (uint64_t)op->imm, l->address);
  for (uint32_t m = l->mask; m; m &= m - 1) {
    const uint64_t a = l->address[__builtin_ctz(m)];
    if (a < l->low) l->low = a;
    if (a + l->bytes > l->high) l->high = a + l->bytes;
  }
}

/* True if two accesses share a byte, in any threads. */
static bool accesses_overlap(const lanes_t *a, const lanes_t *b) {
  if (a->low >= b->high || b->low >= a->high) return false;
  for (uint32_t m = a->mask; m; m &= m - 1)
    for (uint32_t n = b->mask; n; n &= n - 1) {
      const uint64_t x = a->address[__builtin_ctz(m)], y = b->address[__builtin_ctz(n)];
      if (x < y + b->bytes && y < x + a->bytes) return true;
    }
  return false;
}

/* State and result of a look. */
typedef struct look {
  nsu_sm_t *s;
  const offload_block_t *block;
  lanes_t lanes[1 << PKT_SEQ_BITS]; /* by sequence number */
  unsigned pair;                    /* first pair not compared yet */
  const offload_pair_t *overlap;    /* pair whose load reads what its store writes; NULL: none */
  bool away, held;                  /* a page is missing; a stack that the block writes takes a page */
} look_t;

/* Called for each access in turn, at an instruction of the block. false: enough. */
typedef bool seen_t(look_t *l, unsigned at);

/* Executes the block on the register file aside. Accesses are only seen. */
static void walk_block(look_t *l, unsigned warp, seen_t *seen) {
  nsu_sm_t *s = l->s;
  const offload_block_t *b = l->block;
  const sm_warp_t *w = &s->port.warps[warp];
  const uint32_t mask = simt_stack_mask(&w->stack);
  simt_warp_t registers = w->simt;
  registers.base[0] = s->die->aside;
  memcpy(registers.base[0], w->simt.base[0], running_kernel(s)->reg_bytes);
  for (unsigned at = 0; at <= b->last - b->first; at++) {
    const simt_op_t *op = &running_kernel(s)->ops[b->first + at];
    if (b->role[at] == OFFLOAD_LOAD || b->role[at] == OFFLOAD_STORE) {
      find_lanes(&l->lanes[b->seq[at]], &registers, op, mask);
      if (!seen(l, at)) return;
    } else if (is_walked(b, at)) {
      const uint32_t threads = simt_guard(&registers, op, mask);
      if (threads) op->fn(op, &registers, threads);
    }
  }
}

/* Compares a load with the stores of its pairs. */
static bool see_pairs(look_t *l, unsigned at) {
  const offload_block_t *b = l->block;
  for (; l->pair < b->num_pairs && b->pairs[l->pair].load == at; l->pair++) {
    if (!accesses_overlap(&l->lanes[b->seq[b->pairs[l->pair].store]], &l->lanes[b->seq[at]])) continue;
    l->overlap = &b->pairs[l->pair];
    return false;
  }
  return l->pair < b->num_pairs;
}

/* Asks for missing pages. An unmapped address faults at the access itself. */
static bool see_pages(look_t *l, unsigned at) {
  const gpu_shared_t *sh = l->s->port.sh;
  const lanes_t *lanes = &l->lanes[l->block->seq[at]];
  for (uint32_t m = lanes->mask; m; m &= m - 1) {
    const uint64_t address = lanes->address[__builtin_ctz(m)];
    const page_entry_t *page = page_table_find(sh->pages, address);
    if (!page) continue;
    l->away |= !pager_need(sh->pager, address);
    l->held |= l->block->role[at] == OFFLOAD_STORE && pager_holds(sh->pager, stack_of(page->frame));
  }
  return true;
}

/* The result of a look at pages. */
static offload_look_t look_pages(nsu_sm_t *s, unsigned warp) {
  look_t l = {.s = s, .block = s->warp[warp].block};
  walk_block(&l, warp, see_pages);
  if (l.away) return OFFLOAD_WAIT;
  return l.held ? OFFLOAD_NOT_YET : OFFLOAD_GO;
}

/* The first pair that overlaps; NULL: none. */
static const offload_pair_t *find_overlap(nsu_sm_t *s, unsigned warp) {
  look_t l = {.s = s, .block = s->warp[warp].block};
  if (l.block->num_pairs) walk_block(&l, warp, see_pairs);
  return l.overlap;
}

/* Takes the slots of the look first, then compares. A pair that the launch has excluded must not
 * overlap: an address would have left its pointer's allocation. */
offload_look_t nsu_look(void *self, unsigned warp) {
  nsu_sm_t *s = self;
  nsu_warp_t *w = &s->warp[warp];
  gpu_stats_t *stats = s->port.sh->stats;
  if (!w->block->num_pairs && !s->port.sh->pager) return OFFLOAD_GO;
  if (w->looked < block_slots(s, warp)) {
    w->looked++;
    stats->look_slots++;
    return OFFLOAD_LOOKING;
  }
  if (s->port.sh->pager) {
    const offload_look_t pages = look_pages(s, warp);
    if (pages != OFFLOAD_GO) return pages;
  }
  const bool asked = w->looked;
  const offload_pair_t *pair = find_overlap(s, warp);
  w->looked = 0;
  if (!pair) return OFFLOAD_GO;
  if (!asked) {
    const ptx_func_t *f = running_kernel(s)->func;
    const ptx_instr_t *first = &f->instrs[w->block->first];
    trouble_fail(
        s->port.sh->fault, TROUBLE_INPUT,
        "%s:%d: kernel %s: reads what line %d wrote, through a pointer into another allocation: an address leaves its "
        "pointer's allocation",
        f->file, first[pair->load].line, f->name, first[pair->store].line);
    return OFFLOAD_LOOKING;
  }
  offload_decision_stays(&s->die->decision, s->die->kernel_at + (unsigned)(w->block - s->die->kernel->blocks));
  stats->blocks_overlap++;
  return OFFLOAD_STAY;
}

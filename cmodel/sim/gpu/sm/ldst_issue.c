/* SPDX-License-Identifier: Apache-2.0
 *
 * Issue of accesses: what an instruction asks of the load/store unit, noted when it is issued. The
 * unit (ldst.c) does a line a cycle of it.
 */
#include "ldst.h"

#include <stdlib.h>
#include <string.h>

#include "read_only.h"
#include "simt_memory.h"

/* Copies each thread's store data, or operands b and c of an atomic, from registers to `blob`. */
static void read_operands(ldst_access_t *a) {
  const simt_op_t *op = a->op;
  a->stride = a->total < 4 ? 4 : a->total;
  if (op->kind == SIMT_ATOM) a->stride = 16; /* two operands of 8 bytes */
  for (uint32_t m = a->mask; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m);
    uint8_t *to = a->blob + i * a->stride;
    if (op->kind == SIMT_STORE) {
      memset(to, 0, 4);
      simt_read_elements(a->registers, op, i, to);
      continue;
    }
    for (unsigned k = 0; k < 2; k++) {
      uint32_t at = k ? op->c : op->b;
      uint64_t x = 0;
      if (at != SIMT_NO_OPERAND) memcpy(&x, (const uint8_t *)simt_src(a->registers, at) + i * op->reg_bytes, op->bytes);
      memcpy(to + 8 * k, &x, 8);
    }
  }
}

/* Lines of an instruction (NUPIM paper, Fig. 6). */
static void count_lines(const ldst_t *l, const ldst_access_t *a) {
  (a->kind == ACCESS_LOAD ? l->sh->stats->load_lines : l->sh->stats->store_lines)[lines_bin(ldst_lines(a))]++;
}

/* Number of different addresses. */
static unsigned count_addresses(const uint64_t *paddr, uint32_t mask) {
  unsigned count = 0;
  while (mask) {
    const uint64_t first = paddr[__builtin_ctz(mask)];
    for (uint32_t m = mask; m; m &= m - 1)
      if (paddr[__builtin_ctz(m)] == first) mask &= ~(m & -m);
    count++;
  }
  return count;
}

/* The constant cache handles one address a cycle. */
static void take_constant(ldst_t *l, ldst_access_t *a, const uint64_t *paddr) {
  const unsigned cycles = count_addresses(paddr, a->mask);
  ldst_hold(l, cycles);
  a->done_at = *l->now + l->sh->config->constant.latency + cycles - 1;
  l->sh->stats->constant_conflicts += cycles - 1;
}

/* Marks the pages of lines that will be written, before anything changes (read_only.h). */
static void mark_written_pages(const ldst_t *l, const ldst_access_t *a, const uint64_t *line, unsigned count) {
  if (l->sh->read_only && a->kind != ACCESS_LOAD) read_only_store(l->sh->read_only, line, count);
}

static unsigned kind_of(const simt_op_t *op) {
  switch (op->kind) {
  case SIMT_LOAD: return ACCESS_LOAD;
  case SIMT_STORE: return ACCESS_STORE;
  default: return ACCESS_ATOM;
  }
}

unsigned ldst_issue(ldst_t *l, unsigned warp, simt_warp_t *registers, const simt_op_t *op, uint32_t mask,
                    const uint64_t *paddr) {
  ldst_access_t *a = ldst_take(l, warp, registers, op);
  a->kind = kind_of(op);
  a->mask = mask;
  coalesce(&a->lines, paddr, mask);
  mark_written_pages(l, a, a->lines.line, a->lines.count);
  if (op->kind != SIMT_LOAD) read_operands(a);
  if (op->kind == SIMT_ATOM) l->sh->stats->atomics++;
  if (ldst_is_constant(a)) take_constant(l, a, paddr);
  else count_lines(l, a);
  ldst_push(l, a);
  return a->lines.count;
}

/* Copies *what to memory of the access, which stays for its next use. NULL: out of host memory. */
static void *keep_copy(void **room, const void *what, size_t bytes) {
  if (!*room) *room = malloc(bytes);
  return *room ? memcpy(*room, what, bytes) : NULL;
}

static ldst_kept_t *kept_of(const ldst_t *l, const ldst_access_t *a) {
  return &l->kept[a - l->accesses];
}

int ldst_issue_texture(ldst_t *l, unsigned warp, simt_warp_t *registers, const simt_op_t *op, const texels_t *texels) {
  ldst_access_t *a = ldst_take(l, warp, registers, op);
  if (!(a->texels = keep_copy(&kept_of(l, a)->texels, texels, sizeof *texels))) return -1;
  a->kind = ACCESS_LOAD;
  ldst_push(l, a);
  return 0;
}

unsigned ldst_issue_words(ldst_t *l, unsigned warp, simt_warp_t *registers, const simt_op_t *op, uint32_t mask,
                          const coalesce_words_t *words) {
  ldst_access_t *a = ldst_take(l, warp, registers, op);
  if (!(a->words = keep_copy(&kept_of(l, a)->words, words, sizeof *words))) return 0;
  a->kind = op->kind == SIMT_LOAD ? ACCESS_LOAD : ACCESS_STORE;
  a->mask = mask;
  mark_written_pages(l, a, words->line, words->count);
  if (op->kind == SIMT_STORE) read_operands(a);
  ldst_push(l, a);
  return words->count;
}

unsigned ldst_issue_tile(ldst_t *l, unsigned warp, simt_warp_t *registers, const simt_op_t *op, const tile_t *tile) {
  ldst_access_t *a = ldst_take(l, warp, registers, op);
  if (!(a->tile = keep_copy(&kept_of(l, a)->tile, tile, sizeof *tile))) return 0;
  a->kind = op->kind == SIMT_LOAD ? ACCESS_LOAD : ACCESS_STORE;
  mark_written_pages(l, a, tile->line, tile->lines);
  count_lines(l, a);
  ldst_push(l, a);
  return tile->lines;
}

int ldst_issue_copy(ldst_t *l, unsigned warp, simt_warp_t *registers, const simt_op_t *op, const async_copy_t *copy) {
  ldst_access_t *a = ldst_take(l, warp, registers, op);
  if (!(a->copy = keep_copy(&kept_of(l, a)->copy, copy, sizeof *copy))) return -1;
  a->kind = ACCESS_LOAD;
  a->tile = &a->copy->tile;
  count_lines(l, a);
  ldst_push(l, a);
  return 0;
}

bool ldst_copies(const ldst_t *l, unsigned warp, int64_t limit) {
  for (unsigned i = 0; i < l->sh->config->sm.max_loads; i++) {
    const ldst_access_t *a = &l->accesses[i];
    if (a->copy && a->warp == warp && a->copy->group < limit) return true;
  }
  return false;
}

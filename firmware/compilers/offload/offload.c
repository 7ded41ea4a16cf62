/* SPDX-License-Identifier: Apache-2.0
 *
 * Block identification (NSU paper, section 3.1) and the module's NSU code.
 *
 * Of every stretch of a basic block that may be offloaded at all, the sub-range with the best Score
 * becomes a block, if its Score is positive; then what is left on both sides is searched the same
 * way. Of equal Scores the one with fewer NSU instructions wins, then the shorter, then the
 * earlier. Loads left over whose addresses come from memory become blocks of their own.
 */
#include <stdlib.h>
#include <string.h>

#include "offload_internal.h"

/* A list that keeps its failure: out of memory. */
typedef struct {
  offload_block_t *blocks;
  uint32_t count, room;
  uint64_t *code;
  int32_t *source;
  uint32_t words, words_room;
  bool failed;
} build_t;

static bool reserve(void **data, uint32_t *room, uint32_t want, size_t element) {
  if (want <= *room) return true;
  uint32_t larger = *room * 2 > want ? *room * 2 : want + 16;
  void *grown = realloc(*data, larger * element);
  if (!grown) return false;
  *data = grown;
  *room = larger;
  return true;
}

static void *copy(const void *data, size_t bytes) {
  void *to = malloc(bytes ? bytes : 1);
  return to ? memcpy(to, data, bytes) : NULL;
}

/* Code goes into one image; blocks keep word offsets until it is complete. */
static void add_block(build_t *b, const plan_t *p, bool indirect) {
  uint32_t length = p->last - p->first + 1, code_room = b->words_room, source_room = b->words_room;
  if (!reserve((void **)&b->blocks, &b->room, b->count + 1, sizeof *b->blocks) ||
      !reserve((void **)&b->code, &code_room, b->words + p->num_nsu, sizeof *b->code) ||
      !reserve((void **)&b->source, &source_room, b->words + p->num_nsu, sizeof *b->source)) {
    b->failed = true;
    return;
  }
  b->words_room = code_room;
  memcpy(b->code + b->words, p->nsu, p->num_nsu * sizeof *p->nsu);
  memcpy(b->source + b->words, p->nsu_source, p->num_nsu * sizeof *p->nsu_source);
  offload_block_t *block = &b->blocks[b->count++];
  *block = (offload_block_t){.first = p->first,
                             .last = p->last,
                             .indirect = indirect,
                             .score = p->score,
                             .reduction = p->reduction,
                             .overhead = p->overhead,
                             .role = copy(p->role, length),
                             .seq = copy(p->seq, length),
                             .num_pairs = p->num_pairs,
                             .pairs = copy(p->pairs, p->num_pairs * sizeof *p->pairs),
                             .num_loads = p->num_loads,
                             .num_stores = p->num_stores,
                             .num_sent = p->num_sent,
                             .num_returned = p->num_returned,
                             .nsu_pc = b->words * ISA_INSTR_BYTES,
                             .num_nsu = p->num_nsu,
                             .count = p->count};
  memcpy(block->sent, p->sent, sizeof p->sent);
  memcpy(block->returned, p->returned, sizeof p->returned);
  b->words += p->num_nsu;
  b->failed |= !block->role || !block->seq || !block->pairs;
}

/* ---- Search ---------------------------------------------------------------------------------- */

/* The best block that starts at an instruction, found when it could end at `limit` at most. Only
 * those that are about to be chosen are written out for the NSU (fits), as most never are. */
typedef struct {
  bool known, good, fits;
  uint32_t limit, last, count;
  int32_t score;
} start_t;

typedef struct {
  const kernel_t *k;
  build_t *build;
  plan_t *trial;
  grow_t grow;
  start_t *starts;
  uint8_t *covered; /* instructions that are in a block */
} search_t;

static bool may_bound(const kernel_t *k, uint32_t i) {
  return k->facts[i].class != CLASS_ALU || k->facts[i].translates;
}

static bool better(const start_t *a, uint32_t a_first, const start_t *b, uint32_t b_first) {
  if (!b->good) return a->good && a->score > 0;
  if (!a->good || a->score != b->score) return a->good && a->score > b->score;
  if (a->count != b->count) return a->count < b->count;
  return a->last - a_first < b->last - b_first;
}

/* The best of those from `first` that are worse than `than`, if it is good. */
static void find_from(search_t *s, uint32_t first, uint32_t last, const start_t *than) {
  const kernel_t *k = s->k;
  start_t best = {.known = true, .limit = last};
  grow_begin(&s->grow, first);
  for (uint32_t b = first; b <= last && may_bound(k, first); b++) {
    const plan_result_t result = grow_add(&s->grow);
    if (result == PLAN_HOPELESS) break;
    const start_t found = {true, true, false, last, b, s->grow.count, s->grow.score};
    const bool counts = result == PLAN_OK && may_bound(k, b) && s->grow.reduction > 0 &&
                        (!than->good || better(than, first, &found, first));
    if (counts && better(&found, first, &best, first)) best = found;
  }
  s->starts[first] = best;
}

static bool plan_fits(search_t *s, uint32_t first, const start_t *e) {
  return plan_range(s->k, first, e->last, s->trial) == PLAN_OK && plan_emit(s->k, s->trial);
}

/* Whether the best block from instruction i that fits
 * into the NSU is better than the best so far. */
static bool is_better(search_t *s, uint32_t i, const start_t *best, uint32_t at) {
  start_t *e = &s->starts[i];
  while (better(e, i, best, at) && !e->fits) {
    const start_t tried = *e;
    e->fits = plan_fits(s, i, e);
    if (!e->fits) find_from(s, i, e->limit, &tried);
  }
  return better(e, i, best, at);
}

/* The best block of first .. last, which has no HARD instruction, in s->trial. What was found for a
 * start stays right when the stretch shrinks, as long as the block found still fits. */
static bool find_best(search_t *s, uint32_t first, uint32_t last) {
  static const start_t none = {0};
  const start_t *best = &none;
  uint32_t at = first;
  for (uint32_t i = first; i <= last; i++) {
    const start_t *e = &s->starts[i];
    if (!e->known || e->limit < last || (e->good && e->last > last)) find_from(s, i, last, &none);
    if (!is_better(s, i, best, at)) continue;
    best = e;
    at = i;
  }
  return best->good && plan_fits(s, at, best);
}

static void search_range(search_t *s, uint32_t first, uint32_t last) {
  while (first <= last && find_best(s, first, last)) {
    uint32_t from = s->trial->first, to = s->trial->last;
    add_block(s->build, s->trial, false);
    memset(s->covered + from, 1, to - from + 1);
    if (from > first) search_range(s, first, from - 1);
    first = to + 1;
  }
}

static void search_indirect(search_t *s) {
  for (uint32_t i = 0; i < s->k->func->num_instrs; i++) {
    if (!s->k->facts[i].indirect || s->covered[i]) continue;
    if (plan_range(s->k, i, i, s->trial) != PLAN_OK || !plan_emit(s->k, s->trial)) continue;
    add_block(s->build, s->trial, true);
    s->covered[i] = 1;
  }
}

/* Stretches without HARD instructions, basic block by basic block. */
static void search_kernel(search_t *s) {
  const ptx_func_t *f = s->k->func;
  for (uint32_t b = 0; b < f->num_blocks; b++) {
    uint32_t from = f->blocks[b].first, end = f->blocks[b].last + 1;
    if (!f->blocks[b].reachable) continue;
    for (uint32_t i = from; i <= end; i++) {
      if (i < end && s->k->facts[i].class != CLASS_HARD) continue;
      if (i > from) search_range(s, from, i - 1);
      from = i + 1;
    }
  }
  search_indirect(s);
}

/* ---- Results --------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b) {
  uint32_t x = ((const offload_block_t *)a)->first, y = ((const offload_block_t *)b)->first;
  return (x > y) - (x < y);
}

static bool compile_kernel(build_t *all, offload_kernel_t *out, const ptx_module_t *m, const ptx_func_t *f,
                           uint32_t const_offset) {
  kernel_t k;
  search_t s = {.k = &k,
                .build = all,
                .trial = malloc(sizeof(plan_t)),
                .starts = calloc(f->num_instrs + 1, sizeof(start_t)),
                .covered = calloc(f->num_instrs + 1, 1)};
  uint32_t before = all->count;
  bool ok = facts_make(&k, m, f, const_offset) && grow_make(&s.grow, &k) && s.trial && s.starts && s.covered;
  if (ok) search_kernel(&s);
  facts_free(&k);
  grow_free(&s.grow);
  free(s.trial);
  free(s.starts);
  free(s.covered);
  int32_t *block_at = malloc((f->num_instrs + 1) * sizeof *block_at);
  if (!ok || all->failed || !block_at) {
    free(block_at);
    return false;
  }
  if (all->count > before) qsort(all->blocks + before, all->count - before, sizeof *all->blocks, by_place);
  for (uint32_t i = 0; i < f->num_instrs; i++) block_at[i] = -1;
  for (uint32_t b = before; b < all->count; b++)
    for (uint32_t i = all->blocks[b].first; i <= all->blocks[b].last; i++) block_at[i] = (int32_t)(b - before);
  *out = (offload_kernel_t){f, all->count - before, NULL, block_at};
  return true;
}

typedef struct {
  offload_t out; /* first: offload_free casts back */
  offload_block_t *blocks;
  uint32_t num_blocks;
  int32_t *source;
} owner_t;

void offload_free(offload_t *offload) {
  owner_t *o = (owner_t *)offload;
  if (!o) return;
  for (uint32_t b = 0; b < o->num_blocks; b++) {
    free((void *)o->blocks[b].role);
    free((void *)o->blocks[b].seq);
    free((void *)o->blocks[b].pairs);
  }
  for (uint32_t i = 0; i < o->out.num_kernels; i++) free((void *)o->out.kernels[i].block_at);
  free(o->blocks);
  free(o->source);
  free((void *)o->out.code);
  free((void *)o->out.kernels);
  free(o);
}

/* Pointers into the image and the list of blocks, now that neither moves. */
static void settle(owner_t *o) {
  uint32_t next = 0;
  for (uint32_t b = 0; b < o->num_blocks; b++) {
    uint32_t word = o->blocks[b].nsu_pc / ISA_INSTR_BYTES;
    o->blocks[b].nsu = o->out.code + word;
    o->blocks[b].nsu_source = o->source + word;
  }
  for (uint32_t i = 0; i < o->out.num_kernels; i++) {
    offload_kernel_t *k = (offload_kernel_t *)&o->out.kernels[i];
    k->blocks = k->num_blocks ? o->blocks + next : NULL;
    next += k->num_blocks;
  }
}

offload_t *offload_compile(const ptx_module_t *m) {
  enum { LINE = PKT_LINE_BYTES };
  owner_t *o = calloc(1, sizeof *o);
  offload_kernel_t *kernels = calloc(m->num_funcs + 1, sizeof *kernels);
  build_t all = {0};
  uint64_t params = 0;
  bool ok = o && kernels;
  for (uint32_t i = 0; i < m->num_funcs; i++)
    if (m->funcs[i].is_kernel && m->funcs[i].param_bytes > params) params = m->funcs[i].param_bytes;
  uint32_t const_offset = (uint32_t)(params + LINE - 1) / LINE * LINE;
  for (uint32_t i = 0; ok && i < m->num_funcs; i++) {
    if (!m->funcs[i].is_kernel || !m->funcs[i].defined) continue;
    ok = compile_kernel(&all, &kernels[o->out.num_kernels], m, &m->funcs[i], const_offset);
    o->out.num_kernels += ok;
  }
  if (!o) {
    free(kernels);
    return NULL;
  }
  o->blocks = all.blocks;
  o->num_blocks = all.count;
  o->source = all.source;
  o->out.module = m;
  o->out.kernels = kernels;
  o->out.code = all.code;
  o->out.code_words = all.words;
  o->out.const_offset = const_offset;
  o->out.const_bytes = const_offset + (uint32_t)m->const_bytes;
  if (!ok) {
    offload_free(&o->out);
    return NULL;
  }
  settle(o);
  return &o->out;
}

const offload_kernel_t *offload_find(const offload_t *offload, const ptx_func_t *func) {
  for (uint32_t i = 0; i < offload->num_kernels; i++)
    if (offload->kernels[i].func == func) return &offload->kernels[i];
  return NULL;
}

const char *offload_role_name(offload_role_t role) {
  static const char *const names[] = {"gpu", "nsu", "both", "load", "store"};
  return role <= OFFLOAD_STORE ? names[role] : "?";
}

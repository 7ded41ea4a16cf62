/* SPDX-License-Identifier: Apache-2.0
 *
 * Block identification (NSU paper, section 3.1) and the module's NSU code.
 *
 * A basic block is cut into stretches at its CLASS_HARD instructions. Each stretch is searched for
 * its best sub-range:
 *
 *    stretch:  first ......... from ==== to ......... last
 *                 |            best Score         |
 *              search again                 search again
 *
 * The sub-range with the best Score becomes a block if its Score is positive. Then both rests are
 * searched in the same way. Ties: fewer NSU instructions win, then the shorter range, then the
 * earlier one. At last each indirect load that no block covers becomes a block alone.
 */
#include <stdlib.h>
#include <string.h>

#include "offload_internal.h"

/* The code and blocks of all kernels while they grow. `failed` keeps an allocation failure, so that
 * the search need not check each call. */
typedef struct {
  offload_block_t *blocks;
  uint32_t count, room;
  uint64_t *code;
  int32_t *source;
  uint32_t words, words_room;
  bool failed;
} build_t;

/* Makes room for `want` elements, `element` bytes each; doubles, so that appending stays linear.
 * False: out of memory, and *data is unchanged. */
static bool reserve_elements(void **data, uint32_t *room, uint32_t want, size_t element) {
  if (want <= *room) return true;
  uint32_t larger = *room * 2 > want ? *room * 2 : want + 16;
  void *grown = realloc(*data, larger * element);
  if (!grown) return false;
  *data = grown;
  *room = larger;
  return true;
}

/* Returns a heap copy. An empty array gives a pointer, too: NULL means out of memory alone. */
static void *copy_array(const void *data, size_t bytes) {
  void *to = malloc(bytes ? bytes : 1);
  return to ? memcpy(to, data, bytes) : NULL;
}

/* Appends the plan's block and its code. All code goes into one image that still moves: until
 * set_block_pointers, a block has only its offset nsu_pc. */
static void add_block(build_t *b, const plan_t *p, bool indirect) {
  uint32_t length = p->last - p->first + 1, code_room = b->words_room, source_room = b->words_room;
  if (!reserve_elements((void **)&b->blocks, &b->room, b->count + 1, sizeof *b->blocks) ||
      !reserve_elements((void **)&b->code, &code_room, b->words + p->num_nsu, sizeof *b->code) ||
      !reserve_elements((void **)&b->source, &source_room, b->words + p->num_nsu, sizeof *b->source)) {
    b->failed = true;
    return;
  }
  /* both arrays grew by the same rule */
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
                             .role = copy_array(p->role, length),
                             .seq = copy_array(p->seq, length),
                             .num_pairs = p->num_pairs,
                             .pairs = copy_array(p->pairs, p->num_pairs * sizeof *p->pairs),
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

/* The best block that starts at an instruction, of those that end at `limit` or before. Most are
 * never chosen, so only a candidate about to win is written out for the NSU (fits). */
typedef struct {
  bool known, good, fits;
  uint32_t limit, last, count;
  int32_t score;
} start_t;

/* The search of one kernel. `starts` and `covered` have an entry for each instruction. */
typedef struct {
  const kernel_t *k;
  build_t *build;
  plan_t *trial;
  grow_t grow;
  start_t *starts;
  uint8_t *covered; /* instructions that are in a block */
} search_t;

/* Can a block begin or end at the instruction? Arithmetic that the NSU lacks stays on the GPU. A
 * block that begins or ends with it is a shorter block in truth. */
static bool may_bound(const kernel_t *k, uint32_t i) {
  return k->facts[i].class != CLASS_ALU || k->facts[i].translates;
}

/* Is block a a better choice than b? Score decides, then NSU instructions, then length. A block
 * without a positive Score beats nothing. */
static bool start_beats(const start_t *a, uint32_t a_first, const start_t *b, uint32_t b_first) {
  if (!b->good) return a->good && a->score > 0;
  if (!a->good || a->score != b->score) return a->good && a->score > b->score;
  if (a->count != b->count) return a->count < b->count;
  return a->last - a_first < b->last - b_first;
}

/* Finds the best block that starts at `first` and ends at `last` or before. If `than` is good, only
 * blocks worse than `than` count: the next best after one that did not fit. */
static void find_from(search_t *s, uint32_t first, uint32_t last, const start_t *than) {
  const kernel_t *k = s->k;
  start_t best = {.known = true, .limit = last};
  grow_begin(&s->grow, first);
  for (uint32_t b = first; b <= last && may_bound(k, first); b++) {
    const plan_result_t result = grow_add(&s->grow);
    if (result == PLAN_HOPELESS) break;
    const start_t found = {true, true, false, last, b, s->grow.count, s->grow.score};
    const bool counts = result == PLAN_OK && may_bound(k, b) && s->grow.reduction > 0 &&
                        (!than->good || start_beats(than, first, &found, first));
    if (counts && start_beats(&found, first, &best, first)) best = found;
  }
  s->starts[first] = best;
}

/* Plans and encodes the block into s->trial. False: the NSU's registers or code space do not
 * suffice. */
static bool plan_fits(search_t *s, uint32_t first, const start_t *e) {
  return plan_range(s->k, first, e->last, s->trial) == PLAN_OK && plan_emit(s->k, s->trial);
}

/* Is the best block from instruction i that fits into the NSU better than the best so far? A block
 * that does not fit is replaced by the next best with the same start. */
static bool best_fit_beats(search_t *s, uint32_t i, const start_t *best, uint32_t at) {
  start_t *e = &s->starts[i];
  while (start_beats(e, i, best, at) && !e->fits) {
    const start_t tried = *e;
    e->fits = plan_fits(s, i, e);
    if (!e->fits) find_from(s, i, e->limit, &tried);
  }
  return start_beats(e, i, best, at);
}

/* Leaves the best block of first .. last in s->trial; the range has no HARD instruction. An entry
 * of s->starts stays valid when the stretch shrinks, as long as its block lies inside. */
static bool find_best(search_t *s, uint32_t first, uint32_t last) {
  static const start_t none = {0};
  const start_t *best = &none;
  uint32_t at = first;
  for (uint32_t i = first; i <= last; i++) {
    const start_t *e = &s->starts[i];
    if (!e->known || e->limit < last || (e->good && e->last > last)) find_from(s, i, last, &none);
    if (!best_fit_beats(s, i, best, at)) continue;
    best = e;
    at = i;
  }
  return best->good && plan_fits(s, at, best);
}

/* Recursion searches the rest before the chosen block, the loop the rest behind it. */
static void search_range(search_t *s, uint32_t first, uint32_t last) {
  while (first <= last && find_best(s, first, last)) {
    uint32_t from = s->trial->first, to = s->trial->last;
    add_block(s->build, s->trial, false);
    memset(s->covered + from, 1, to - from + 1);
    if (from > first) search_range(s, first, from - 1);
    first = to + 1;
  }
}

/* Each indirect load that is left over becomes a block, whatever its Score. */
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

/* Blocks of a kernel are disjoint, so their first instructions order them. */
static int by_place(const void *a, const void *b) {
  uint32_t x = ((const offload_block_t *)a)->first, y = ((const offload_block_t *)b)->first;
  return (x > y) - (x < y);
}

/* Searches one kernel and appends its blocks to `all`, sorted by place. Fills *out but for its
 * pointer to the blocks, as the list still moves. False: out of memory. */
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

/* The whole allocation behind an offload_t. */
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

/* Sets the pointers into the image and into the list of blocks, now that neither moves. */
static void set_block_pointers(owner_t *o) {
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
  /* the const segment starts behind the largest parameter block, on a line of its own */
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
  set_block_pointers(o);
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

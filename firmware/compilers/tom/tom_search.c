/* SPDX-License-Identifier: Apache-2.0
 *
 * Regions with one entry and one exit that contain no loop of known trips (D2 in README.md).
 *
 *    from:   [ .. begin ------ ]       begin moves backwards (step_up)
 *                  blocks between      the same for every begin and end
 *    last:   [ ------ end ..... ]      last goes along the blocks that post-dominate `from`
 *
 * From each basic block the walk goes along what post-dominates it. Between two such blocks lies
 * the same set of blocks, wherever the region begins and ends in them. So for an end all beginnings
 * are tried by stepping backwards. A register that becomes written, and is read behind the end, was
 * never written between. So it is alive from there on.
 *
 * What is alive where the end's block begins is alive before the blocks between, too. The exception
 * is a register that all ways from there write first. So flow_between goes through these blocks
 * twice, with nothing and with everything alive at their end. It need not go for each end and
 * beginning. From one end to the next the sets are put together from the steps: what lies between
 * each block and the next that post-dominates it. A circle that leads back needs a new pass.
 */
#include <stdlib.h>
#include <string.h>

#include "tom_internal.h"

/* Sums of a whole basic block. */
typedef struct {
  bool illegal;
  uint64_t loads, stores;
} block_sum_t;

/* The search from one first block, `from`. */
typedef struct {
  kernel_t *k;
  search_t *s;
  block_sum_t *sums;
  region_t r;    /* all blocks but the first */
  uint32_t from; /* the first block */
  bool again;    /* the first block is reached again: the region begins at its start */
  uint64_t loads, stores;
  uint32_t num_instrs, loops;
  uint64_t *alive_behind; /* alive before each instruction of the end block */
  size_t room;
  /* the three sets of flow_between for each block, up to the next that post-dominates it */
  uint64_t *steps;
  uint32_t *step_blocks;          /* blocks between these two; NOWHERE: the block cannot be in a region */
  uint32_t flowed, flowed_blocks; /* the end that k->sets describe now, NOWHERE: none; blocks before that end */
} try_t;

/* Sets of k->sets that this file uses; region_flow has SET_FLOW. SENT and WRITTEN are of the
 * region, SEED and ENDS of its end, the others of the blocks between. */
enum { SET_SENT, SET_WRITTEN, SET_SEED, SET_FLOW, SET_ALIVE, SET_THROUGH, SET_WRITTEN_BETWEEN, SET_ENDS };

static uint64_t *scratch_set(const kernel_t *k, unsigned which) {
  return k->sets + (size_t)which * k->words;
}

/* Appends a region that saves traffic; the choice comes later. */
void search_keep(search_t *s, const found_t *found) {
  if (s->count == s->room) {
    uint32_t room = s->room ? 2 * s->room : 256;
    found_t *grown = realloc(s->all, room * sizeof *grown);
    if (!grown) {
      s->failed = true;
      return;
    }
    s->all = grown;
    s->room = room;
  }
  s->all[s->count++] = *found;
}

/* A region while its beginning moves backwards: what it has and moves so far. */
typedef struct {
  uint64_t *sent, *written;  /* sets of the region that begins here */
  const uint64_t *behind;    /* alive at the end */
  tom_size_t returned, size; /* size: of sent */
  uint64_t loads, stores;
  uint32_t num_instrs;
} step_t;

static void count_access(const kernel_t *k, uint32_t i, uint64_t *loads, uint64_t *stores) {
  if (k->act[i] == ACT_LOAD) *loads += k->access[i];
  if (k->act[i] == ACT_STORE) *stores += k->access[i];
}

/* The part of instruction i's registers in the size of what is sent. Only these can change
 * in a step. */
static tom_size_t size_at(const kernel_t *k, uint32_t i, const uint64_t *sent) {
  tom_size_t size = {0};
  for (uint32_t l = k->uses[i]; l < k->uses[i + 1]; l++) {
    const uint32_t id = k->list[l];
    bool again = false;
    for (uint32_t m = k->uses[i]; m < l; m++) again |= k->list[m] == id;
    if (again || !has_id(sent, id)) continue;
    size.words += k->ids[id].words;
    size.predicates += !k->ids[id].words;
  }
  return size;
}

/* Takes instruction i into the region, at its beginning. */
static void step_up(const kernel_t *k, step_t *t, uint32_t i) {
  const tom_size_t before = size_at(k, i, t->sent);
  for (uint32_t d = k->defs[i]; d < k->uses[i + 1]; d++) {
    uint32_t id = k->list[d];
    if (has_id(t->written, id)) continue;
    add_id(t->written, id);
    if (!has_id(t->behind, id)) continue;
    add_id(t->sent, id);
    t->returned.words += k->ids[id].words;
    t->returned.predicates += !k->ids[id].words;
  }
  step_back(k, i, t->sent);
  const tom_size_t after = size_at(k, i, t->sent);
  t->size.words += after.words - before.words;
  t->size.predicates += after.predicates - before.predicates;
  count_access(k, i, &t->loads, &t->stores);
  t->num_instrs++;
}

/* Keeps the region from `begin` if it saves traffic. Notes, for the block of its first access, the
 * best change or why there is none. end: of a region in one stretch, NOWHERE otherwise. */
static void judge_region(try_t *t, const step_t *at, uint32_t begin, uint32_t end) {
  const kernel_t *k = t->k;
  uint32_t first = k->line_access[begin], block;
  if (!at->loads && !at->stores) return;
  if (first == NOWHERE || (end != NOWHERE && first >= end)) return;
  block = k->f->instrs[first].block;
  const tom_size_t sent = at->size;
  for (uint32_t i = begin; i < first; i++)
    for (uint32_t d = k->defs[i]; d < k->uses[i + 1]; d++)
      if (has_id(at->sent, k->list[d])) {
        t->s->why[block] = "a live-in is overwritten before the first access";
        t->s->why_line[block] = k->f->instrs[i].line;
        return;
      }
  if (sent.words + sent.predicates > TOM_MAX_SENT) {
    t->s->why[block] = "more than 28 words live into it";
    t->s->why_line[block] = k->f->instrs[begin].line;
    return;
  }
  tom_change_t change = tom_change(sent, at->returned, at->loads, at->stores);
  found_t found = {begin, t->r.exit, tom_sum(change), at->num_instrs, t->loops};
  if (found.change < t->s->best[block]) {
    t->s->best[block] = found.change;
    t->s->best_change[block] = change;
  }
  if (found.change < 0) search_keep(t->s, &found);
}

/* Tries all beginnings in low .. high of a block, last one first, up to an illegal instruction. */
static void try_beginnings(try_t *t, step_t *at, uint32_t low, uint32_t high, uint32_t end) {
  const kernel_t *k = t->k;
  for (uint32_t i = high + 1; i-- > low && !t->s->failed;) {
    if (is_illegal(k->act[i]) || at->num_instrs == TOM_MAX_INSTRS) return;
    step_up(k, at, i);
    judge_region(t, at, i, end);
  }
}

/* Fills t->alive_behind: what is alive before each instruction of the block. False: out of
 * memory. */
static bool fill_alive_table(try_t *t, uint32_t block) {
  const kernel_t *k = t->k;
  const ptx_block_t *b = &k->f->blocks[block];
  uint32_t n = b->last - b->first + 1;
  if ((size_t)n * k->words > t->room) {
    free(t->alive_behind);
    t->room = (size_t)n * k->words;
    t->alive_behind = malloc(t->room * sizeof *t->alive_behind);
    if (!t->alive_behind) return false;
  }
  uint64_t *at = t->alive_behind + (size_t)(n - 1) * k->words;
  alive_at(k, b->last, at);
  for (uint32_t i = b->last; i-- > b->first; at -= k->words) {
    memcpy(at - k->words, at, k->words * sizeof *at);
    step_back(k, i, at - k->words);
  }
  return true;
}

/* A region that ends before `end` and has no instruction of its first block yet. */
static step_t step_from(const try_t *t, uint32_t end_block, uint32_t end) {
  const kernel_t *k = t->k;
  step_t at = {.sent = scratch_set(k, SET_SENT),
               .written = scratch_set(k, SET_WRITTEN),
               .loads = t->loads,
               .stores = t->stores,
               .num_instrs = t->num_instrs};
  at.behind = t->alive_behind + (size_t)(end - k->f->blocks[end_block].first) * k->words;
  memset(at.sent, 0, 2 * k->words * sizeof *at.sent);
  return at;
}

/* Regions inside one block: all ends, all beginnings. */
static void search_line(try_t *t, uint32_t block) {
  const ptx_block_t *b = &t->k->f->blocks[block];
  t->loads = t->stores = t->loops = t->num_instrs = 0;
  for (uint32_t end = b->first + 1; end <= b->last && !t->s->failed; end++) {
    step_t at = step_from(t, block, end);
    t->r.exit = end;
    try_beginnings(t, &at, b->first, end - 1, end);
  }
}

/* ---- Over several blocks --------------------------------------------------------------------- */

/* Puts into r what lies between the first block and `end`. False: no region can have it, so no
 * larger one from here. */
static bool collect_between(try_t *t, uint32_t end) {
  kernel_t *k = t->k;
  const ptx_block_t *blocks = k->f->blocks;
  region_clear(&t->r);
  t->again = false;
  t->loads = t->stores = t->loops = t->num_instrs = 0;
  for (uint32_t at = 0, b = t->from;; b = t->r.blocks[at++]) {
    for (uint32_t s = 0; s < blocks[b].num_succs; s++) {
      uint32_t to = blocks[b].succs[s];
      if (to == end || t->r.from[to] != NOWHERE) continue;
      region_add(&t->r, to, blocks[to].first, blocks[to].last);
    }
    if (at == t->r.num_blocks) break;
  }
  for (uint32_t i = 0; i < t->r.num_blocks; i++) {
    uint32_t b = t->r.blocks[i];
    int32_t l = k->innermost[b];
    if (!blocks[b].num_succs) return false;
    if (l != PTX_NONE && k->loops[l].header == b) {
      if (k->loops[l].trips.kind != TRIPS_UNKNOWN) return false;
      t->loops++;
    }
    if (t->sums[b].illegal) return false;
    t->loads += t->sums[b].loads;
    t->stores += t->sums[b].stores;
    t->num_instrs += blocks[b].last - blocks[b].first + 1;
    t->again |= b == t->from;
    if (t->num_instrs > TOM_MAX_INSTRS) return false;
  }
  return true;
}

static bool inside_or_first(const try_t *t, uint32_t b) {
  return b == t->from || t->r.from[b] != NOWHERE;
}

/* Do only blocks of the region lead to b? */
static bool entered_from_inside(const try_t *t, uint32_t b) {
  const ptx_block_t *block = &t->k->f->blocks[b];
  for (uint32_t p = 0; p < block->num_preds; p++)
    if (reachable(t->k, block->preds[p]) && !inside_or_first(t, block->preds[p])) return false;
  return b != 0; /* the kernel itself is entered there */
}

/* Has the region no way in but its first block? */
static bool has_one_entry(const try_t *t) {
  for (uint32_t i = 0; i < t->r.num_blocks; i++)
    if (t->r.blocks[i] != t->from && !entered_from_inside(t, t->r.blocks[i])) return false;
  return true;
}

/* What is alive behind the first block when `ends` is alive where block `last` begins. If the first
 * block is reached again: what is alive before it. */
static void flow_with(try_t *t, uint32_t last, const uint64_t *ends, uint64_t *alive) {
  kernel_t *k = t->k;
  const ptx_block_t *from = &k->f->blocks[t->from];
  t->r.exit = k->f->blocks[last].first;
  region_flow(k, &t->r, ends);
  memset(alive, 0, k->words * sizeof *alive);
  for (uint32_t s = 0; s < (t->again ? 1 : from->num_succs); s++) {
    const uint32_t to = t->again ? t->from : from->succs[s];
    const uint64_t *there = to == last ? ends : k->flow + (size_t)to * k->words;
    for (uint32_t w = 0; w < k->words; w++) alive[w] |= there[w];
  }
}

/* For the blocks between the first and `last`: what they make alive whatever is alive at their end,
 * what they let through, what they write. */
static void flow_between(try_t *t, uint32_t last) {
  const kernel_t *k = t->k;
  uint64_t *ends = scratch_set(k, SET_ENDS), *written = scratch_set(k, SET_WRITTEN_BETWEEN);
  memset(ends, 0, k->words * sizeof *ends);
  flow_with(t, last, ends, scratch_set(k, SET_ALIVE));
  memset(ends, 0xff, k->words * sizeof *ends);
  flow_with(t, last, ends, scratch_set(k, SET_THROUGH));
  memset(written, 0, k->words * sizeof *written);
  for (uint32_t i = 0; i < t->r.num_blocks; i++)
    for (uint32_t w = 0; w < k->words; w++) written[w] |= k->written[(size_t)t->r.blocks[i] * k->words + w];
}

/* which: 0 alive, 1 through, 2 written. */
static uint64_t *sets_of_step(const try_t *t, uint32_t block, unsigned which) {
  return t->steps + ((size_t)block * 3 + which) * t->k->words;
}

/* Extends the three sets from the end `by` to the next block that post-dominates it. */
static void flow_on(const try_t *t, uint32_t by) {
  const kernel_t *k = t->k;
  const size_t at = (size_t)by * k->words;
  const uint64_t *alive_step = sets_of_step(t, by, 0), *through_step = sets_of_step(t, by, 1),
                 *written_step = sets_of_step(t, by, 2);
  uint64_t *alive = scratch_set(k, SET_ALIVE), *through = scratch_set(k, SET_THROUGH),
           *written = scratch_set(k, SET_WRITTEN_BETWEEN);
  for (uint32_t w = 0; w < k->words; w++) {
    const uint64_t nothing = k->gen[at + w] | (alive_step[w] & ~k->kill[at + w]),
                   all = k->gen[at + w] | (through_step[w] & ~k->kill[at + w]);
    const uint64_t before = alive[w];
    alive[w] = before | (through[w] & nothing);
    through[w] = before | (through[w] & all);
    written[w] |= k->written[at + w] | written_step[w];
  }
}

/* flow_between for a region that grows from end to end: by flow_on, by the first step, or from
 * scratch if a circle leads back. */
static void flow_to(try_t *t, uint32_t last) {
  const uint32_t by = t->flowed, blocks = t->r.num_blocks;
  const bool follows = by != NOWHERE && !t->again && t->step_blocks[by] != NOWHERE &&
                       blocks == t->flowed_blocks + 1 + t->step_blocks[by];
  if (follows) flow_on(t, by);
  else if (by == NOWHERE && t->step_blocks[t->from] != NOWHERE)
    memcpy(scratch_set(t->k, SET_ALIVE), sets_of_step(t, t->from, 0), 3 * t->k->words * sizeof(uint64_t));
  else flow_between(t, last);
  t->flowed = last;
  t->flowed_blocks = blocks;
}

/* Tries the regions that end before instruction `end` of block `last`. */
static void try_end(try_t *t, uint32_t last, uint32_t end) {
  const kernel_t *k = t->k;
  const ptx_block_t *from = &k->f->blocks[t->from];
  const uint64_t *alive = scratch_set(k, SET_ALIVE), *through = scratch_set(k, SET_THROUGH);
  step_t at = step_from(t, last, end);
  uint64_t *seed = scratch_set(k, SET_SEED);
  t->r.exit = end;
  memcpy(at.written, scratch_set(k, SET_WRITTEN_BETWEEN), k->words * sizeof *at.written);
  for (uint32_t j = k->f->blocks[last].first; j < end; j++) {
    for (uint32_t d = k->defs[j]; d < k->uses[j + 1]; d++) add_id(at.written, k->list[d]);
    count_access(k, j, &at.loads, &at.stores);
    at.num_instrs++;
  }
  for (uint32_t w = 0; w < k->words; w++) seed[w] = at.written[w] & at.behind[w];
  at.returned = size_of(k, seed);
  for (uint32_t j = end; j-- > k->f->blocks[last].first;) step_back(k, j, seed);
  for (uint32_t w = 0; w < k->words; w++) at.sent[w] = alive[w] | (through[w] & seed[w]);
  at.size = size_of(k, at.sent);
  if (t->again) judge_region(t, &at, from->first, NOWHERE);
  else try_beginnings(t, &at, from->first, from->last, NOWHERE);
}

/* All ends in block `last`: before its first instruction, and inside of it if only the
 * region enters it. */
static bool search_ends(try_t *t, uint32_t last) {
  kernel_t *k = t->k;
  const ptx_block_t *b = &k->f->blocks[last];
  if (!fill_alive_table(t, last)) return false;
  flow_to(t, last);
  if (!has_one_entry(t)) return true;
  try_end(t, last, b->first);
  if (!entered_from_inside(t, last)) return true;
  for (uint32_t end = b->first + 1; end <= b->last && !t->s->failed; end++) {
    if (is_illegal(k->act[end - 1]) || t->num_instrs + end - b->first > TOM_MAX_INSTRS) break;
    try_end(t, last, end);
  }
  return true;
}

/* Regions that begin in the block. False: out of memory. */
static bool search_block(try_t *t, uint32_t block) {
  const ptx_func_t *f = t->k->f;
  t->from = block;
  if (!fill_alive_table(t, block)) return false;
  search_line(t, block);
  if (is_illegal(t->k->act[f->blocks[block].last])) return true;
  t->flowed = NOWHERE;
  for (int32_t end = f->blocks[block].ipdom; end != PTX_NONE && !t->s->failed; end = f->blocks[end].ipdom) {
    if (!collect_between(t, (uint32_t)end)) break;
    if (!search_ends(t, (uint32_t)end)) return false;
  }
  return true;
}

bool search_make(const kernel_t *k, search_t *s) {
  uint32_t n = k->f->num_blocks;
  *s = (search_t){.best = malloc((n + 1) * sizeof *s->best),
                  .best_change = calloc(n + 1, sizeof *s->best_change),
                  .why = calloc(n + 1, sizeof *s->why),
                  .why_line = calloc(n + 1, sizeof *s->why_line)};
  for (uint32_t b = 0; s->best && b < n; b++) s->best[b] = INT64_MAX;
  return s->best && s->best_change && s->why && s->why_line;
}

/* Sums of each basic block: illegal, loads, stores. */
static bool sum_up(try_t *t) {
  const kernel_t *k = t->k;
  t->sums = calloc(k->f->num_blocks + 1, sizeof *t->sums);
  for (uint32_t i = 0; t->sums && i < k->f->num_instrs; i++) {
    block_sum_t *sum = &t->sums[k->f->instrs[i].block];
    sum->illegal |= is_illegal(k->act[i]);
    count_access(k, i, &sum->loads, &sum->stores);
  }
  return t->sums != NULL;
}

/* The three sets of each block up to the next that post-dominates it. */
static bool find_steps(try_t *t) {
  const kernel_t *k = t->k;
  const uint32_t n = k->f->num_blocks;
  t->steps = malloc(((size_t)n * 3 + 1) * k->words * sizeof *t->steps);
  t->step_blocks = malloc((n + 1) * sizeof *t->step_blocks);
  if (!t->steps || !t->step_blocks) return false;
  for (uint32_t b = 0; b < n; b++) {
    const int32_t end = k->f->blocks[b].ipdom;
    t->from = b;
    t->step_blocks[b] = NOWHERE;
    if (!reachable(k, b) || end == PTX_NONE || !collect_between(t, (uint32_t)end)) continue;
    flow_between(t, (uint32_t)end);
    t->step_blocks[b] = t->r.num_blocks;
    memcpy(sets_of_step(t, b, 0), scratch_set(k, SET_ALIVE), 3 * k->words * sizeof *t->steps);
  }
  return true;
}

bool search_regions(kernel_t *k, search_t *s) {
  uint32_t n = k->f->num_blocks;
  try_t t = {.k = k, .s = s};
  bool ok = region_alloc(k, &t.r) && sum_up(&t) && find_steps(&t);
  for (uint32_t b = 0; ok && b < n; b++)
    if (reachable(k, b)) ok = search_block(&t, b) && !s->failed;
  region_free(&t.r);
  free(t.alive_behind);
  free(t.sums);
  free(t.steps);
  free(t.step_blocks);
  return ok;
}

void search_free(search_t *s) {
  free(s->all);
  free(s->best);
  free(s->best_change);
  free(s->why);
  free(s->why_line);
}

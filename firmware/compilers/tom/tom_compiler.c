/* SPDX-License-Identifier: Apache-2.0
 *
 * From a kernel to its candidates (TOM paper, section 3.1):
 *
 *    facts, loops, trips -> known trips -> other regions -> refusals -> offsets -> limits
 *    kernel_make            add_loop       take_region      refuse_block          apply_limits
 *
 * A region is measured (region_t, sent, returned). Then it becomes a candidate, or a line says why
 * it does not.
 */
#include "tom_compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tom_internal.h"

/* The state of one compilation. `region`, `sent` and `returned` are of the region being
 * measured. */
typedef struct {
  kernel_t k;
  region_t region;
  search_t search;
  uint64_t *sent, *returned; /* sets of what is measured */
  uint8_t *taken;            /* of each instruction: in a region that was chosen */
  tom_program_t *p;
  uint32_t blocks_room, refused_room;
  bool failed; /* out of memory; what is added then goes here */
  tom_block_t no_block;
  tom_refused_t no_refused;
} build_t;

static const char *const regions_names[] = {"all", "loops"};

const char *tom_regions_name(tom_regions_t regions) {
  return regions_names[regions];
}

bool tom_regions_find(const char *name, tom_regions_t *regions) {
  for (unsigned i = 0; i < sizeof regions_names / sizeof *regions_names; i++) {
    if (strcmp(name, regions_names[i]) != 0) continue;
    *regions = (tom_regions_t)i;
    return true;
  }
  return false;
}

/* A component is written only for registers that are vectors: %tid.x, but %laneid. */
void tom_reg_name(const ptx_func_t *func, const tom_reg_t *reg, char *text, size_t size) {
  static const char *const parts[] = {".x", ".y", ".z", ".w"};
  if (reg->reg != PTX_NONE) {
    snprintf(text, size, "%s", func->regs[reg->reg].name);
    return;
  }
  static const ptx_sreg_t vectors[] = {PTX_SREG_tid,           PTX_SREG_ntid,          PTX_SREG_ctaid,
                                       PTX_SREG_nctaid,        PTX_SREG_clusterid,     PTX_SREG_nclusterid,
                                       PTX_SREG_cluster_ctaid, PTX_SREG_cluster_nctaid};
  bool vector = false;
  for (unsigned i = 0; i < sizeof vectors / sizeof *vectors; i++) vector |= reg->sreg == vectors[i];
  snprintf(text, size, "%%%s%s", ptx_sreg_name((ptx_sreg_t)reg->sreg), vector && reg->sel < 4 ? parts[reg->sel] : "");
}

/* ---- Lists that grow ------------------------------------------------------------------------- */

/* Makes room for one more element. Out of memory: b->failed, and the old list is returned. */
static void *grow_list(build_t *b, void *list, uint32_t count, uint32_t *room, size_t element) {
  if (count < *room) return list;
  uint32_t larger = *room ? 2 * *room : 16;
  void *grown = realloc(list, larger * element);
  b->failed |= !grown;
  if (!grown) return list;
  *room = larger;
  return grown;
}

/* Appends a line of refusal, which callers may complete. `at`: the source line of what is in the
 * way, 0 for none. */
static tom_refused_t *refuse_candidate(build_t *b, bool is_loop, uint32_t begin, int at, const char *text) {
  tom_program_t *p = b->p;
  p->refused = grow_list(b, p->refused, p->num_refused, &b->refused_room, sizeof *p->refused);
  if (b->failed) return &b->no_refused;
  tom_refused_t *r = &p->refused[p->num_refused++];
  *r = (tom_refused_t){.is_loop = is_loop, .begin = begin, .line = b->k.f->instrs[begin].line, .at = at};
  snprintf(r->text, sizeof r->text, "%s", text);
  return r;
}

/* The registers of a set as a list, ascending by id. */
static const tom_reg_t *ids_of_set(build_t *b, const uint64_t *set, uint32_t *count) {
  const kernel_t *k = &b->k;
  tom_reg_t *list = malloc((k->num_ids + 1) * sizeof *list);
  b->failed |= !list;
  *count = 0;
  for (uint32_t id = 0; list && id < k->num_ids; id++)
    if (has_id(set, id)) list[(*count)++] = k->ids[id];
  return list;
}

/* A byte for each instruction of the function: is it in the region? *count: how many are. */
static const uint8_t *mask_of_region(build_t *b, uint32_t *count) {
  const kernel_t *k = &b->k;
  const region_t *r = &b->region;
  uint8_t *inside = calloc(k->f->num_instrs + 1, 1);
  b->failed |= !inside;
  *count = 0;
  for (uint32_t i = 0; inside && i < r->num_blocks; i++)
    for (uint32_t at = r->from[r->blocks[i]]; at <= r->to[r->blocks[i]]; at++) {
      inside[at] = 1;
      ++*count;
    }
  return inside;
}

/* Makes the region measured a candidate. `loads` and `stores` are words of one trip, `times` the
 * trips that the change of traffic is counted with. */
static tom_block_t *add_block(build_t *b, uint64_t loads, uint64_t stores, uint64_t times) {
  tom_program_t *p = b->p;
  p->blocks = grow_list(b, p->blocks, p->num_blocks, &b->blocks_room, sizeof *p->blocks);
  if (b->failed) return &b->no_block;
  tom_block_t *block = &p->blocks[p->num_blocks++];
  *block = (tom_block_t){.begin = b->region.begin,
                         .exit = b->region.exit,
                         .first_access = b->k.line_access[b->region.begin],
                         .sent_size = size_of(&b->k, b->sent),
                         .returned_size = size_of(&b->k, b->returned),
                         .loads = loads,
                         .stores = stores,
                         .least_trips = 1,
                         .cond = {.start = PTX_NONE, .bound = PTX_NONE, .step = PTX_NONE}};
  block->inside = mask_of_region(b, &block->num_instrs);
  block->sent = ids_of_set(b, b->sent, &block->num_sent);
  block->returned = ids_of_set(b, b->returned, &block->num_returned);
  block->change = tom_change(block->sent_size, block->returned_size, loads * times, stores * times);
  block->saves_tx = block->change.tx < 0;
  block->saves_rx = block->change.rx < 0;
  return block;
}

/* ---- Loops ----------------------------------------------------------------------------------- */

/* Refuses a loop for its first instruction that no candidate may have. */
static bool refuse_illegal(build_t *b, const loop_t *l, uint32_t begin) {
  const kernel_t *k = &b->k;
  for (uint32_t i = 0; i < k->f->num_instrs; i++) {
    if (!l->has[k->f->instrs[i].block] || !is_illegal(k->act[i])) continue;
    refuse_candidate(b, true, begin, k->f->instrs[i].line, act_text((act_t)k->act[i]));
    return true;
  }
  return false;
}

/* Refuses a region without a straight way to its first access, or with too many live-ins. */
static bool is_candidate_size(build_t *b, bool is_loop, uint32_t begin) {
  const char *why;
  int line = region_line(&b->k, &b->region, b->sent, &why);
  if (line) {
    refuse_candidate(b, is_loop, begin, line, why);
    return false;
  }
  tom_size_t sent = size_of(&b->k, b->sent);
  if (sent.words + sent.predicates <= TOM_MAX_SENT) return true;
  char text[TOM_TEXT];
  snprintf(text, sizeof text, "%u words live into it, at most %d", sent.words + sent.predicates, TOM_MAX_SENT);
  refuse_candidate(b, is_loop, begin, 0, text);
  return false;
}

/* Makes the loop the region and measures it. False: refused. */
static bool measure_loop(build_t *b, const loop_t *l) {
  kernel_t *k = &b->k;
  uint32_t begin = k->f->blocks[l->header].first;
  if (refuse_illegal(b, l, begin)) return false;
  if (!l->single_exit || !region_collect(k, &b->region, begin, l->exit)) {
    refuse_candidate(b, true, begin, l->exit_line[1],
                     l->exit_line[0] ? "a branch leaves to another place than the first one" : "it does not end");
    return false;
  }
  region_registers(k, &b->region, b->sent, b->returned);
  return is_candidate_size(b, true, begin);
}

/* Trips are known: the loop is a candidate if they save traffic, without a condition. */
static void loop_of_constant(build_t *b, const loop_t *l, uint64_t loads, uint64_t stores) {
  tom_change_t change =
      tom_change(size_of(&b->k, b->sent), size_of(&b->k, b->returned), loads * l->trips.count, stores * l->trips.count);
  if (tom_sum(change) < 0) {
    tom_block_t *block = add_block(b, loads, stores, l->trips.count);
    block->is_loop = true;
    block->trips = l->trips.count;
    return;
  }
  char text[TOM_TEXT];
  snprintf(text, sizeof text, "its %llu trips save no traffic", (unsigned long long)l->trips.count);
  tom_refused_t *r = refuse_candidate(b, true, b->region.begin, 0, text);
  r->has_change = true;
  r->change = change;
}

/* Trips are known at entry. Each trip saves `saved`, and entering costs `fixed`: from fixed / saved
 * + 1 trips on the loop saves traffic, which becomes its condition. */
static void loop_of_registers(build_t *b, const loop_t *l, uint64_t loads, uint64_t stores) {
  tom_size_t sent = size_of(&b->k, b->sent), returned = size_of(&b->k, b->returned);
  int64_t fixed = tom_sum(tom_change(sent, returned, 0, 0)),
          saved = fixed - tom_sum(tom_change(sent, returned, loads, stores));
  tom_condition_t cond;
  const char *why;
  if (saved <= 0) {
    refuse_candidate(b, true, b->region.begin, 0, "it has no loads and stores");
    return;
  }
  uint64_t least = (uint64_t)(fixed / saved) + 1;
  if (!trips_condition(&l->trips, least, &cond, &why)) {
    refuse_candidate(b, true, b->region.begin, 0, why);
    return;
  }
  tom_block_t *block = add_block(b, loads, stores, least);
  block->is_loop = true;
  block->least_trips = (uint32_t)least;
  block->cond = cond;
}

/* Loops of unknown trips are refused here; take_region may still choose them, counted once. */
static void add_loop(build_t *b, uint32_t index) {
  const loop_t *l = &b->k.loops[index];
  uint64_t loads, stores;
  if (l->trips.kind == TRIPS_UNKNOWN) {
    char text[TOM_TEXT + 64];
    uint32_t begin = b->k.f->blocks[l->header].first;
    if (refuse_illegal(b, l, begin)) return;
    snprintf(text, sizeof text, "trips are not known at entry (%s): counted once", l->trips.why);
    refuse_candidate(b, true, begin, l->trips.line, text);
    return;
  }
  if (!measure_loop(b, l)) return;
  loop_accesses(&b->k, index, &loads, &stores);
  if (l->trips.kind == TRIPS_CONSTANT) loop_of_constant(b, l, loads, stores);
  else loop_of_registers(b, l, loads, stores);
}

/* ---- Other regions --------------------------------------------------------------------------- */

/* Lowest change first. Ties: more loops, then fewer instructions, then the earlier. */
static int by_change(const void *a, const void *b) {
  const found_t *x = a, *y = b;
  if (x->change != y->change) return x->change < y->change ? -1 : 1;
  if (x->loops != y->loops) return x->loops > y->loops ? -1 : 1;
  if (x->num_instrs != y->num_instrs) return x->num_instrs < y->num_instrs ? -1 : 1;
  if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
  return (x->exit > y->exit) - (x->exit < y->exit);
}

/* Has no chosen region taken an instruction of it? */
static bool region_is_free(const build_t *b) {
  const region_t *r = &b->region;
  for (uint32_t i = 0; i < r->num_blocks; i++)
    for (uint32_t at = r->from[r->blocks[i]]; at <= r->to[r->blocks[i]]; at++)
      if (b->taken[at]) return false;
  return true;
}

/* Chooses the region if it overlaps none chosen before. The caller goes from the best to the
 * worst. */
static void take_region(build_t *b, const found_t *found) {
  kernel_t *k = &b->k;
  uint64_t loads = 0, stores = 0;
  if (b->taken[found->begin] || b->taken[k->line_access[found->begin]]) return;
  if (!region_collect(k, &b->region, found->begin, found->exit) || !region_is_free(b)) return;
  region_registers(k, &b->region, b->sent, b->returned);
  const region_t *r = &b->region;
  for (uint32_t i = 0; i < r->num_blocks; i++) {
    for (uint32_t at = r->from[r->blocks[i]]; at <= r->to[r->blocks[i]]; at++) {
      b->taken[at] = 1;
      if (k->act[at] == ACT_LOAD) loads += k->access[at];
      if (k->act[at] == ACT_STORE) stores += k->access[at];
    }
  }
  add_block(b, loads, stores, 1);
}

/* Does the loop contain one of known trips? Such a loop is a candidate itself. */
static bool contains_known(const build_t *b, uint32_t index) {
  const kernel_t *k = &b->k;
  for (uint32_t l = index + 1; l < k->num_loops; l++)
    if (k->loops[index].has[k->loops[l].header] && k->loops[l].trips.kind != TRIPS_UNKNOWN) return true;
  return false;
}

/* With --regions loops: the loops of unknown trips, counted once. */
static void search_loops(build_t *b) {
  kernel_t *k = &b->k;
  for (uint32_t l = 0; l < k->num_loops && !b->search.failed; l++) {
    const loop_t *loop = &k->loops[l];
    const char *why;
    uint32_t begin = k->f->blocks[loop->header].first;
    bool illegal = false;
    for (uint32_t i = 0; i < k->f->num_instrs; i++)
      illegal |= loop->has[k->f->instrs[i].block] && is_illegal(k->act[i]);
    if (loop->trips.kind != TRIPS_UNKNOWN || illegal || !loop->single_exit || contains_known(b, l)) continue;
    if (!region_collect(k, &b->region, begin, loop->exit)) continue;
    region_registers(k, &b->region, b->sent, b->returned);
    tom_size_t sent = size_of(k, b->sent);
    if (region_line(k, &b->region, b->sent, &why) || sent.words + sent.predicates > TOM_MAX_SENT) continue;
    uint64_t loads, stores;
    loop_accesses(k, l, &loads, &stores);
    int64_t change = tom_sum(tom_change(sent, size_of(k, b->returned), loads, stores));
    found_t found = {begin, loop->exit, change, 0, 1};
    if (change < 0) search_keep(&b->search, &found);
  }
}

/* ---- What is refused besides loops ----------------------------------------------------------- */

static bool in_candidate(const build_t *b, uint32_t instr) {
  for (uint32_t i = 0; i < b->p->num_blocks; i++)
    if (b->p->blocks[i].inside[instr]) return true;
  return false;
}

/* Memory of any kind, legal in a candidate or not. */
static bool touches_memory(const kernel_t *k, uint32_t i) {
  act_t act = (act_t)k->act[i];
  return is_access(act) || act == ACT_SHARED || act == ACT_LOCAL || act == ACT_GENERIC || act == ACT_ORDERED ||
         act == ACT_ATOMIC;
}

/* Adds a line for a basic block whose accesses are in no candidate: what is illegal, what no region
 * can be built for, or what the best region would have moved. */
static void refuse_block(build_t *b, uint32_t block) {
  const kernel_t *k = &b->k;
  const ptx_block_t *at = &k->f->blocks[block];
  uint32_t first = NOWHERE, illegal = NOWHERE;
  for (uint32_t i = at->first; i <= at->last; i++) {
    if (!touches_memory(k, i)) continue;
    if (in_candidate(b, i)) return;
    if (first == NOWHERE) first = i;
    if (illegal == NOWHERE && is_illegal(k->act[i])) illegal = i;
  }
  if (first == NOWHERE) return;
  const search_t *s = &b->search;
  if (illegal != NOWHERE && s->best[block] == INT64_MAX) {
    refuse_candidate(b, false, first, k->f->instrs[illegal].line, act_text((act_t)k->act[illegal]));
  } else if (s->best[block] == INT64_MAX) {
    refuse_candidate(b, false, first, s->why_line[block],
                     s->why[block] ? s->why[block] : "no region begins here that has one way in and one way out");
  } else {
    tom_refused_t *r = refuse_candidate(
        b, false, first, 0, s->best[block] < 0 ? "its best region overlaps a better one" : "saves no traffic");
    r->has_change = true;
    r->change = s->best_change[block];
  }
}

/* ---- The table's limits ---------------------------------------------------------------------- */

/* The most words alive at once, over all reachable instructions. Special registers are no bits of
 * the table, so they do not count. */
static void measure_alive(build_t *b) {
  const kernel_t *k = &b->k;
  for (uint32_t block = 0; block < k->f->num_blocks; block++) {
    const ptx_block_t *at = &k->f->blocks[block];
    if (!at->reachable) continue;
    alive_at(k, at->last, b->sent);
    for (uint32_t i = at->last;; step_back(k, i, b->sent)) {
      for (uint32_t id = k->f->num_regs; id < k->num_ids; id++) b->sent[id / 64] &= ~(UINT64_C(1) << (id % 64));
      uint32_t words = size_of(k, b->sent).words;
      if (words > b->p->most_alive) {
        b->p->most_alive = words;
        b->p->most_alive_line = k->f->instrs[i].line;
      }
      if (i-- == at->first) break;
    }
  }
  b->p->too_many_alive = b->p->most_alive > TOM_MAX_REGS;
}

static void free_block(tom_block_t *block) {
  free((void *)block->inside);
  free((void *)block->sent);
  free((void *)block->returned);
  free((void *)block->accesses);
}

/* The candidates that save most come first, so the limit drops the others. */
static int by_saving(const void *a, const void *b) {
  const tom_block_t *x = a, *y = b;
  if (tom_sum(x->change) != tom_sum(y->change)) return tom_sum(x->change) < tom_sum(y->change) ? -1 : 1;
  if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
  return (x->num_instrs < y->num_instrs) - (x->num_instrs > y->num_instrs);
}

/* An outer candidate comes before an inner one with the same begin. */
static int by_begin(const void *a, const void *b) {
  const tom_block_t *x = a, *y = b;
  if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
  return (x->num_instrs < y->num_instrs) - (x->num_instrs > y->num_instrs);
}

static int by_line(const void *a, const void *b) {
  const tom_refused_t *x = a, *y = b;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  return (int)y->is_loop - (int)x->is_loop;
}

/* Drops candidates beyond the table's entries, or all if too many registers are alive;
 * sorts the rest. */
static void apply_limits(tom_program_t *p) {
  uint32_t most = p->too_many_alive ? 0 : TOM_MAX_BLOCKS;
  if (p->num_blocks) qsort(p->blocks, p->num_blocks, sizeof *p->blocks, by_saving);
  p->dropped = p->num_blocks > most && !p->too_many_alive ? p->num_blocks - most : 0;
  while (p->num_blocks > most) free_block(&p->blocks[--p->num_blocks]);
  if (p->num_blocks) qsort(p->blocks, p->num_blocks, sizeof *p->blocks, by_begin);
  if (p->num_refused) qsort(p->refused, p->num_refused, sizeof *p->refused, by_line);
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* Inner loops get their trips first, as outer ones multiply them in. False: out of memory. */
static bool build_program(build_t *b, const ptx_module_t *module, const ptx_func_t *func) {
  kernel_t *k = &b->k;
  if (!kernel_make(k, module, func) || !region_alloc(k, &b->region)) return false;
  b->sent = calloc(k->words, sizeof *b->sent);
  b->returned = calloc(k->words, sizeof *b->returned);
  b->taken = calloc(func->num_instrs + 1, 1);
  if (!b->sent || !b->returned || !b->taken || !search_make(k, &b->search)) return false;
  for (uint32_t l = k->num_loops; l-- > 0;) trips_find(k, l);
  measure_alive(b);
  for (uint32_t l = 0; l < k->num_loops; l++) add_loop(b, l);
  if (b->p->regions == TOM_REGIONS_ALL && !search_regions(k, &b->search)) return false;
  if (b->p->regions == TOM_REGIONS_LOOPS) search_loops(b);
  search_t *s = &b->search;
  if (s->count) qsort(s->all, s->count, sizeof *s->all, by_change);
  for (uint32_t i = 0; i < s->count && !b->failed; i++) take_region(b, &s->all[i]);
  if (b->p->regions == TOM_REGIONS_ALL)
    for (uint32_t block = 0; block < func->num_blocks && !b->failed; block++)
      if (reachable(k, block)) refuse_block(b, block);
  return !b->failed && !s->failed && offsets_find(k, b->p);
}

tom_program_t *tom_compile(const ptx_module_t *module, const ptx_func_t *func, tom_regions_t regions) {
  build_t b = {.p = calloc(1, sizeof *b.p)};
  if (!b.p) return NULL;
  *b.p = (tom_program_t){.func = func, .regions = regions};
  bool ok = build_program(&b, module, func);
  search_free(&b.search);
  region_free(&b.region);
  kernel_free(&b.k);
  free(b.sent);
  free(b.returned);
  free(b.taken);
  if (ok) {
    apply_limits(b.p);
    return b.p;
  }
  tom_program_free(b.p);
  return NULL;
}

void tom_program_free(tom_program_t *p) {
  if (!p) return;
  for (uint32_t i = 0; i < p->num_blocks; i++) free_block(&p->blocks[i]);
  free(p->blocks);
  free(p->refused);
  free(p);
}

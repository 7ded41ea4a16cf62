/* SPDX-License-Identifier: Apache-2.0
 *
 * A candidate that grows at its end, one instruction at a time: what plan_range says of first ..
 * last for every last, at the cost of what the new instruction changes.
 *
 * An instruction's side depends on the instructions that need its result. Two counters of each
 * instruction say how many there are: nsu_needs, gpu_needs. A new instruction changes the counters
 * of its operands' definitions, and settle_sides follows each change backwards:
 *
 *    new load or store --change_needs--> definition --settle_sides--> its operands' definitions ...
 *
 * So arithmetic before the new instruction may move to the NSU. Arithmetic that stood on the GPU
 * only for want of a reader may leave the GPU. As the needs are counted, both directions are exact.
 */
#include <stdlib.h>
#include <string.h>

#include "offload_internal.h"

/* Marks of a register in grow_t.marks. MET: the register is in the list `met`, which grow_begin
 * resets. */
enum { IN_SENT = 1, IN_UNIFORM = 2, IN_RETURNED = 4, MET = 8 };

bool grow_make(grow_t *g, const kernel_t *k) {
  const ptx_func_t *f = k->func;
  *g = (grow_t){.k = k};
  g->marks = calloc(f->num_regs + 1, sizeof *g->marks);
  g->words = malloc((f->num_regs + 1) * sizeof *g->words);
  g->last_def = malloc((f->num_regs + 1) * sizeof *g->last_def);
  g->met = malloc((f->num_regs + 1) * sizeof *g->met);
  if (!g->marks || !g->words || !g->last_def || !g->met) return false;
  for (uint32_t r = 0; r < f->num_regs; r++) {
    g->words[r] = (uint8_t)reg_words(f, (int32_t)r);
    g->last_def[r] = PTX_NONE;
  }
  return true;
}

void grow_free(grow_t *g) {
  free(g->marks);
  free(g->words);
  free(g->last_def);
  free(g->met);
}

void grow_begin(grow_t *g, uint32_t first) {
  for (uint32_t i = 0; i < g->num_met; i++) {
    g->marks[g->met[i]] = 0;
    g->last_def[g->met[i]] = PTX_NONE;
  }
  g->first = g->end = first;
  g->num_met = g->num_odd = 0;
  g->last_load = PTX_NONE;
  g->asks = g->hopeless = false;
  g->wrong_sides = g->num_loads = g->access_words = g->count = 0;
  g->sent = g->uniform = g->returned = g->both_ways = g->unsendable = 0;
  g->reduction = 0;
}

static bool is_memory(const grow_t *g, uint32_t i) {
  return g->k->facts[i].class == CLASS_LOAD || g->k->facts[i].class == CLASS_STORE;
}

/* Lists the register once for the reset. */
static void meet_register(grow_t *g, int32_t reg) {
  if (g->marks[reg] & MET) return;
  g->marks[reg] |= MET;
  g->met[g->num_met++] = reg;
}

/* ---- Registers sent and returned ------------------------------------------------------------- */

/* The NSU reads the register: counts its words once, as sent or as a uniform constant, if the value
 * comes from before the candidate. */
static void send_register(grow_t *g, const use_t *use) {
  const kernel_t *k = g->k;
  const bool uniform = k->uniform[use->reg] != PTX_NONE;
  const uint8_t mark = uniform ? IN_UNIFORM : IN_SENT;
  if (use->def >= (int32_t)g->first || g->marks[use->reg] & mark) return;
  if (use->kind == USE_OLD && !live_before(k, k->func->instrs[g->first].block, g->first, use->reg)) return;
  meet_register(g, use->reg);
  g->marks[use->reg] |= mark;
  if (uniform) {
    g->hopeless |= ++g->uniform > ISA_NUM_REGS;
    return;
  }
  g->sent += g->words[use->reg];
  g->hopeless |= !g->words[use->reg] || g->sent > PKT_MAX_CMD_REGS;
  if (g->marks[use->reg] & IN_RETURNED) g->both_ways += g->words[use->reg];
}

/* Sets or clears IN_RETURNED: written last by the candidate, on the NSU alone, and alive behind it.
 * The mark goes again when `end` moves past the last reader. */
static void update_returned(grow_t *g, int32_t reg) {
  const kernel_t *k = g->k;
  const int32_t def = g->last_def[reg];
  if (def == PTX_NONE) return;
  const uint32_t at = (uint32_t)def - g->first;
  const bool away = is_memory(g, (uint32_t)def) ? k->facts[def].class == CLASS_LOAD : g->on_nsu[at] && !g->on_gpu[at];
  const bool is = away && live_before(k, k->func->instrs[g->first].block, g->end, reg),
             was = g->marks[reg] & IN_RETURNED;
  if (is == was) return;
  const int32_t change = is ? g->words[reg] : -(int32_t)g->words[reg];
  g->marks[reg] ^= IN_RETURNED;
  g->returned += (uint32_t)change;
  if (g->marks[reg] & IN_SENT) g->both_ways += (uint32_t)change;
  if (!g->words[reg]) g->unsendable += is ? 1u : -1u;
}

/* ---- Sides ----------------------------------------------------------------------------------- */

static void settle_sides(grow_t *g, uint32_t i);

/* On the NSU, which lacks it; or on the GPU, though it computes with loaded values. */
static bool is_on_wrong_side(const grow_t *g, uint32_t i) {
  const uint32_t at = i - g->first;
  return (g->on_nsu[at] && !g->k->facts[i].translates) || (g->on_gpu[at] && g->loaded[at]);
}

/* Adds `nsu` and `gpu` (-1, 0 or 1) to the needs of a definition inside the candidate. Accesses of
 * memory have no side to settle. */
static void change_needs(grow_t *g, int32_t def, int nsu, int gpu) {
  if (def < (int32_t)g->first || is_memory(g, (uint32_t)def)) return;
  g->nsu_needs[(uint32_t)def - g->first] += (uint32_t)nsu;
  g->gpu_needs[(uint32_t)def - g->first] += (uint32_t)gpu;
  settle_sides(g, (uint32_t)def);
}

/* Moves arithmetic to the sides that need it now, and what it needs along. Without a need it stays
 * on the GPU. */
static void settle_sides(grow_t *g, uint32_t i) {
  const kernel_t *k = g->k;
  const fact_t *fact = &k->facts[i];
  const uint32_t at = i - g->first;
  const bool nsu = g->loaded[at] || g->nsu_needs[at], gpu = g->gpu_needs[at] || !nsu;
  const int to_nsu = (int)nsu - (int)g->on_nsu[at], to_gpu = (int)gpu - (int)g->on_gpu[at];
  if (!to_nsu && !to_gpu) return;
  g->wrong_sides -= is_on_wrong_side(g, i);
  g->on_nsu[at] = nsu;
  g->on_gpu[at] = gpu;
  g->wrong_sides += is_on_wrong_side(g, i);
  g->count += to_nsu && k->func->instrs[i].op != PTX_OP_ld;
  for (uint32_t d = 0; d < fact->num_defs; d++)
    if (g->last_def[k->defs[fact->first_def + d]] == (int32_t)i) update_returned(g, k->defs[fact->first_def + d]);
  for (uint32_t u = 0; u < fact->num_uses; u++) {
    const use_t *use = &k->uses[fact->first_use + u];
    if (to_nsu) send_register(g, use);
    change_needs(g, use->def, to_nsu, to_gpu);
  }
}

/* ---- One more instruction -------------------------------------------------------------------- */

/* A load or store: its address and guard are needs of the GPU, its data are needs of the NSU. An
 * address that depends on a loaded value makes the range hopeless. */
static void add_access(grow_t *g, uint32_t i) {
  const kernel_t *k = g->k;
  const fact_t *fact = &k->facts[i];
  const bool load = fact->class == CLASS_LOAD;
  const uint32_t words = offload_access(&k->func->instrs[i]).words;
  g->access_words += words;
  g->hopeless |= g->access_words > MAX_WORDS;
  g->reduction += (int32_t)ptx_access_bytes(&k->func->instrs[i]);
  g->count++;
  if (load) {
    g->num_loads += words;
    g->last_load = (int32_t)i;
    g->hopeless |= fact->always >= (int32_t)g->first;
    g->asks |= fact->asks >= (int32_t)g->first;
  }
  for (uint32_t u = 0; u < fact->num_uses; u++) {
    const use_t *use = &k->uses[fact->first_use + u];
    const bool address = use->kind == USE_ADDRESS || use->kind == USE_GUARD;
    if (address && use->def >= (int32_t)g->first && g->loaded[(uint32_t)use->def - g->first]) g->hopeless = true;
    if (use->kind == USE_DATA || (load && use->kind == USE_OLD)) send_register(g, use);
    change_needs(g, use->def, !address, address);
  }
}

/* Begins on neither side, so settle_sides passes its first needs on. */
static void add_arithmetic(grow_t *g, uint32_t i) {
  g->on_nsu[i - g->first] = g->on_gpu[i - g->first] = false;
  if (!g->k->facts[i].repeats) g->odd[g->num_odd++] = i;
  settle_sides(g, i);
}

/* The GPU computes the address of a load in question (asks) before the block begins. True:
 * something on the GPU before that load would give another result then. */
static bool must_repeat(const grow_t *g) {
  for (uint32_t o = 0; g->asks && o < g->num_odd; o++)
    if ((int32_t)g->odd[o] < g->last_load && !(g->on_nsu[g->odd[o] - g->first] && !g->on_gpu[g->odd[o] - g->first]))
      return true;
  return false;
}

plan_result_t grow_add(grow_t *g) {
  const kernel_t *k = g->k;
  const uint32_t i = g->end++, at = i - g->first;
  const fact_t *fact = &k->facts[i];
  if (at >= MAX_RANGE) return PLAN_HOPELESS;
  g->nsu_needs[at] = g->gpu_needs[at] = 0;
  g->loaded[at] = fact->class == CLASS_LOAD;
  for (uint32_t u = 0; u < fact->num_uses; u++) {
    const int32_t def = k->uses[fact->first_use + u].def;
    if (def >= (int32_t)g->first) g->loaded[at] |= g->loaded[(uint32_t)def - g->first];
  }
  for (uint32_t d = 0; d < fact->num_defs; d++) {
    meet_register(g, k->defs[fact->first_def + d]);
    g->last_def[k->defs[fact->first_def + d]] = (int32_t)i;
  }
  if (is_memory(g, i)) add_access(g, i);
  else add_arithmetic(g, i);
  for (uint32_t u = 0; u < fact->num_uses; u++) update_returned(g, k->uses[fact->first_use + u].reg);
  for (uint32_t d = 0; d < fact->num_defs; d++) update_returned(g, k->defs[fact->first_def + d]);
  if (g->hopeless || g->wrong_sides || must_repeat(g)) return PLAN_HOPELESS;
  const bool starts = is_memory(g, g->first) || g->on_nsu[0], ends = is_memory(g, i) || g->on_nsu[at];
  if (!g->num_loads || !starts || !ends || g->unsendable || g->returned > PKT_MAX_CMD_REGS) return PLAN_UNFIT;
  g->score = g->reduction - (int32_t)(g->sent + g->returned - g->both_ways) * PKT_WORD_BITS / 8;
  return PLAN_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of counters, and the text that says what waits for what.
 */
#include <stdarg.h>
#include <stdio.h>

#include "core.h"
#include "mpu.h"
#include "mpu_state.h"

/* mpu_stats_t has nothing but uint64_t. */
static void add_counters(mpu_stats_t *sum, const mpu_stats_t *stats) {
  const uint64_t *from = (const uint64_t *)stats;
  uint64_t *to = (uint64_t *)sum;
  for (size_t i = 0; i < sizeof *sum / sizeof *to; i++) to[i] += from[i];
}

static void add_dram(mpu_stats_t *sum, const nbu_t *n, uint64_t now) {
  near_mc_stats_t s = near_mc_stats(&n->mc, now);
  sum->dram_reads += s.dram.reads, sum->dram_writes += s.dram.writes;
  sum->row_hits += s.dram.row_hits, sum->row_misses += s.dram.row_misses, sum->row_conflicts += s.dram.row_conflicts;
  sum->activates += s.dram.activates, sum->refreshes += s.dram.refreshes;
}

mpu_stats_t mpu_stats(const mpu_t *m) {
  mpu_stats_t sum = {.cycles = m->cycles};
  for (unsigned c = 0; c < m->cores; c++) {
    add_counters(&sum, &m->core[c].base.stats);
    for (unsigned n = 0; n < MPU_SUBCORES; n++) add_dram(&sum, &m->core[c].nbu[n], m->now);
  }
  sum.near_instructions += sum.global_offloaded; /* where a load or store is done is known when its message goes */
  sum.far_instructions += sum.global_accesses - sum.global_offloaded;
  return sum;
}

/* ---- Waits ----------------------------------------------------------------------------------- */

/* Text of limited size; `used` counts what there would be room for, as snprintf does. */
typedef struct {
  char *text;
  size_t size, used;
} writer_t;

__attribute__((format(printf, 2, 3))) static void append_wait(writer_t *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(w->text + (w->used < w->size ? w->used : w->size), w->used < w->size ? w->size - w->used : 0,
                    format, args);
  va_end(args);
  w->used += (size_t)(n > 0 ? n : 0);
}

static const char *warp_state(const subcore_t *s, const mpu_warp_t *w) {
  if (simt_turns_spins(&w->turns, s->base->sh->run->simt.watch)) return "goes round without progress";
  if (w->at_barrier) return "waits at a barrier";
  return w->live ? "waits" : "has exited";
}

/* Where an instruction under way is. */
static const char *tag_place(const subcore_t *s, unsigned tag) {
  if (s->held && s->held_tag == tag) return ", in the offload engine";
  return s->tag[tag].near ? ", near" : "";
}

static void describe_warp(writer_t *out, const subcore_t *s, unsigned i) {
  const mpu_warp_t *w = &s->warp[i];
  const simt_kernel_t *k = s->base->sh->run->simt.kernel;
  uint32_t pc = simt_stack_pc(&w->stack);
  const simt_unit_t *unit = k->units ? simt_unit_at(k, pc) : NULL;
  const ptx_func_t *func = unit ? unit->func : k->func;
  const uint32_t at = unit ? pc - unit->first : pc;
  const bool there = at < func->num_instrs;
  const char *text = there && func->instrs[at].text ? func->instrs[at].text : "?";
  append_wait(out, "core %u subcore %u warp %u: %s at '%s' (line %d), %u instructions under way\n", s->base->id, s->id,
              i, warp_state(s, w), text, there ? func->instrs[at].line : 0, w->inflight);
}

/* Warps that go round without progress come first, if the watchdog looks. */
static void describe_loops(writer_t *out, const subcore_t *s) {
  const simt_run_t *run = &s->base->sh->run->simt;
  for (uint32_t m = s->live; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    const mpu_warp_t *w = &s->warp[i];
    char thread[96], place[600];
    if (!simt_turns_spins(&w->turns, run->watch)) continue;
    simt_block_thread(&s->base->block[w->block].simt, run, w->first_thread, thread, sizeof thread);
    simt_spin_place(run, &w->turns, place, sizeof place);
    append_wait(out, "core %u subcore %u warp %u: of %s, goes round%s\n", s->base->id, s->id, i, thread, place);
  }
}

static void describe_tags(writer_t *out, const subcore_t *s) {
  for (uint64_t m = ~s->tags_free; m; m &= m - 1) {
    unsigned tag = (unsigned)__builtin_ctzll(m);
    const mpu_inflight_t *f = &s->tag[tag];
    const ptx_instr_t *in = f->op->instr;
    append_wait(out, "core %u subcore %u: tag %u, '%s' (line %d) of warp %u%s\n", s->base->id, s->id, tag,
                in->text ? in->text : "?", in->line, f->warp, tag_place(s, tag));
  }
}

static void describe_core(writer_t *out, const core_t *c) {
  for (unsigned k = 0; k < MPU_SUBCORES; k++) {
    const subcore_t *s = &c->subcore[k];
    for (uint32_t m = s->live; m; m &= m - 1) describe_warp(out, s, (unsigned)__builtin_ctz(m));
    describe_tags(out, s);
    const nbu_t *n = &c->nbu[k];
    if (!nbu_quiet(n))
      append_wait(out, "core %u unit %u: %u instructions for the ALU, %u done; credits %u %u %u %u\n", c->base.id, k,
                  n->exe_count, n->done_count, n->credit[0], n->credit[1], n->credit[2], n->credit[3]);
  }
  if (c->down.sent < c->down.beats)
    append_wait(out, "core %u: TSV bus: %u of %u beats sent\n", c->base.id, c->down.sent, c->down.beats);
  for (unsigned cls = 0; cls < 2; cls++)
    if (c->out[cls].count)
      append_wait(out, "core %u: %u packets of class %u wait for the network\n", c->base.id, c->out[cls].count, cls);
}

void mpu_watch(mpu_t *m, uint32_t look) {
  m->run.simt.watch = look;
}

/* Warps of a subcore; one that has still to be started makes progress. */
static void note_warps(const mpu_t *m, const subcore_t *s, simt_spin_t *spin) {
  spin->warps += (unsigned)__builtin_popcount(s->starting);
  for (uint32_t l = s->live; l; l &= l - 1) {
    const mpu_warp_t *w = &s->warp[__builtin_ctz(l)];
    simt_spin_note(spin, &m->run.simt, &s->base->block[w->block].simt, w->first_thread, &w->turns, w->at_barrier);
  }
}

void mpu_spins(const mpu_t *m, simt_spin_t *spin) {
  *spin = (simt_spin_t){.progress = m->done};
  for (unsigned c = 0; c < m->cores; c++) {
    spin->progress += m->core[c].base.stats.barriers;
    for (unsigned k = 0; k < MPU_SUBCORES; k++) note_warps(m, &m->core[c].subcore[k], spin);
  }
}

size_t mpu_describe_waits(const mpu_t *m, char *text, size_t size) {
  writer_t out = {text, size, 0};
  for (unsigned c = 0; c < m->cores; c++)
    for (unsigned k = 0; k < MPU_SUBCORES; k++) describe_loops(&out, &m->core[c].subcore[k]);
  for (unsigned c = 0; c < m->cores; c++) describe_core(&out, &m->core[c]);
  return out.used;
}

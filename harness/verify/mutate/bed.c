/* SPDX-License-Identifier: Apache-2.0
 *
 * One cycle of the bed:
 *
 *   feed: inputs, model's outputs --> set_inputs --> settle --> compare probes, then outputs
 *     --> check_asserts --> clock_edge --> compare registers
 *
 * Every LOOK_EVERY cycles the bed drops lanes whose fault has been seen, and asks stop().
 */
#include "bed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_EVERY = 64 };

/* --- ports */

/* What qualifies the port, and its elements. */
static void find_terms(bed_port_t *b, const dut_t *dut, const dut_port_t *p) {
  if (p->dir == DUT_IN && p->each) return;
  b->num_terms = dut_terms(dut, p, b->terms);
  if (p->each && b->num_terms) b->element = p->width / dut->ports[b->terms[0].port].width;
}

bool bed_bit_valid(const dut_t *dut, const bed_port_t *b, unsigned k, const void *fields) {
  const unsigned element = b->element ? k / b->element : 0;
  for (unsigned i = 0; i < b->num_terms; i++) {
    uint64_t value;
    memcpy(&value, (const char *)fields + dut->ports[b->terms[i].port].offset, sizeof value);
    if ((value >> element & 1) == b->terms[i].inverted) return false;
  }
  return true;
}

bool bed_open(bed_t *bed, const dut_t *dut, const netlist_t *n, trouble_t *trouble) {
  *bed = (bed_t){.dut = dut, .netlist = n, .ports = calloc(dut->num_ports + 1, sizeof *bed->ports)};
  if (!bed->ports) return trouble_memory(trouble);
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    bed_port_t *b = &bed->ports[i];
    b->num = p->dir == DUT_IN ? netlist_port(n->inputs, n->num_inputs, p->pin, &b->bits)
                              : netlist_port(n->outputs, n->num_outputs, p->pin, &b->bits);
    find_terms(b, dut, p);
    if (p->of && b->num >= p->lsb + p->width) b->bits += p->lsb, b->num = p->width;
    if (b->num == p->width) continue;
    return trouble_set(trouble, TROUBLE_INPUT, "port %s has %u bits in the netlist, %u in the port file", p->pin,
                       b->num, p->width);
  }
  return true;
}

void bed_add_reset(bed_t *bed, const char *name, bool high) {
  const netlist_bit_t *bit;
  if (!netlist_port(bed->netlist->inputs, bed->netlist->num_inputs, name, &bit)) return;
  bed->resets[bed->num_resets++] = (bed_reset_t){bit->lit / 2, high};
}

void bed_close(bed_t *bed) {
  free(bed->ports);
  bed->ports = NULL;
}

/* --- one run */

typedef struct {
  const bed_t *bed;
  bed_run_t *run;
  lanes_t lanes;
  feed_t feed;
  uint64_t live[LANES_MANY];
  uint64_t *diverged; /* by register that matters, and word: lanes already told; NULL: not asked for */
  uint64_t cycle;
  bool something; /* compared in this cycle */
  bool assumed;   /* all assumptions have held */
} state_t;

/* Bit k of a port's field. */
static bool field_bit(const void *fields, const dut_port_t *p, unsigned k) {
  return ((const uint32_t *)((const char *)fields + p->offset))[k / 32] >> k % 32 & 1;
}

/* The inputs of a reset: zeros, but for those that count in it. */
static void set_reset_inputs(state_t *s) {
  const dut_t *dut = s->bed->dut;
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    const bed_port_t *b = &s->bed->ports[i];
    for (unsigned k = 0; p->dir == DUT_IN && k < b->num; k++)
      lanes_set(&s->lanes, b->bits[k].lit / 2, p->in_reset && field_bit(s->feed.in, p, k));
  }
}

/* Fields that are not valid keep the value of before. */
static void set_inputs(state_t *s, const void *in) {
  const dut_t *dut = s->bed->dut;
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    const bed_port_t *b = &s->bed->ports[i];
    if (p->dir != DUT_IN || !bed_bit_valid(dut, b, 0, in)) continue;
    for (unsigned k = 0; k < b->num; k++) lanes_set(&s->lanes, b->bits[k].lit / 2, field_bit(in, p, k));
  }
}

static void set_reset(state_t *s, bool active) {
  for (const bed_reset_t *r = s->bed->resets; r < s->bed->resets + s->bed->num_resets; r++)
    lanes_set(&s->lanes, r->node, active == r->high);
}

/* Records the first difference of each live lane of `differ`. port -1: an assertion fired. */
static void record_seen(state_t *s, const uint64_t *differ, int port, bool output) {
  bed_run_t *run = s->run;
  for (unsigned w = 0; w < s->lanes.words; w++)
    for (uint64_t left = differ[w] & s->live[w]; left; left &= left - 1) {
      unsigned lane = w * 64 + (unsigned)__builtin_ctzll(left);
      bed_lane_t *l = &run->lanes[lane];
      if (!l->seen) l->seen = true, l->cycle = s->cycle, l->port = port;
      if (output && !l->out_seen) l->out_seen = true, l->out_cycle = s->cycle, l->out_port = port;
      if (run->probe_cycles && port >= 0) {
        uint64_t *first = &run->probe_cycles[(size_t)lane * s->bed->dut->num_ports + (unsigned)port];
        if (!*first) *first = s->cycle + 1;
      }
    }
}

/* Compares those bits of a port that have a meaning. False: none has. */
static bool compare_bits(state_t *s, const dut_port_t *p, const bed_port_t *b, uint64_t differ[LANES_MANY]) {
  const void *out = s->feed.out;
  bool any = false;
  if (!b->element && !bed_bit_valid(s->bed->dut, b, 0, out)) return false;
  for (unsigned k = 0; k < b->num; k++) {
    if (b->element && !bed_bit_valid(s->bed->dut, b, k, out)) continue;
    lanes_differ(&s->lanes, b->bits[k].lit, field_bit(out, p, k), differ);
    any = true;
  }
  return any;
}

/* Compares all ports of a direction with the model's. The caller begins with probes: they are
 * nearer to the cause. */
static void compare_ports(state_t *s, dut_dir_t dir) {
  const dut_t *dut = s->bed->dut;
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    const bed_port_t *b = &s->bed->ports[i];
    uint64_t differ[LANES_MANY] = {0};
    if (p->dir != dir || !compare_bits(s, p, b, differ)) continue;
    s->something = true;
    record_seen(s, differ, (int)i, dir == DUT_OUT);
  }
}

/* An assertion of the RTL that fires counts as a difference in its lane. Assumptions are checked
 * in lane 0. */
static void check_asserts(state_t *s) {
  uint64_t differ[LANES_MANY] = {0};
  for (unsigned i = 0; i < s->bed->netlist->num_asserts; i++)
    lanes_differ(&s->lanes, s->bed->netlist->asserts[i], false, differ);
  record_seen(s, differ, -1, false);
  for (unsigned i = 0; i < s->bed->netlist->num_assumes; i++)
    if (lanes_value(&s->lanes, s->bed->netlist->assumes[i], 0)) s->assumed = false;
}

/* Marks a register as BED_SEEN for each of these lanes of word w. */
static void mark_diverged(state_t *s, unsigned latch, unsigned w, uint64_t lanes) {
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = w * 64 + (unsigned)__builtin_ctzll(lanes);
    s->run->diverged[lane - 1][s->lanes.places[latch]] = BED_SEEN;
  }
}

/* Finds registers that differ from lane 0, once for each lane. Proofs start from these
 * (miter.h). */
static void compare_registers(state_t *s) {
  const lanes_t *l = &s->lanes;
  unsigned words = l->words;
  for (unsigned i = 0; s->diverged && i < l->num_latches; i++) {
    const uint64_t *value = l->values + (size_t)l->latches[i] * words, good = -(*value & 1);
    uint64_t *told = s->diverged + (size_t)i * words;
    for (unsigned w = 0; w < words; w++) {
      uint64_t fresh = (value[w] ^ good) & s->live[w] & ~told[w];
      if (!fresh) continue;
      told[w] |= fresh;
      mark_diverged(s, i, w, fresh);
    }
  }
}

/* Memories follow live lanes only, so a lane that was dropped costs nothing there. */
static void clock_edge(state_t *s) {
  lanes_clock(&s->lanes, s->live);
  compare_registers(s);
}

/* Takes lanes out whose fault has been seen. Lane 0 stays. True: a lane with a fault is left. */
static bool drop_done_lanes(state_t *s) {
  bool any = false;
  for (unsigned lane = 1; lane <= s->run->num_faults; lane++) {
    const bed_lane_t *l = &s->run->lanes[lane];
    bool done = s->run->outputs_only ? l->out_seen : l->seen;
    if (done) s->live[lane / 64] &= ~(1ull << lane % 64);
    any |= !done;
  }
  return any;
}

/* The cycles of a reset, or those behind a power-up. Assertions are checked in them, too. False:
 * out of memory. */
static bool reset_bed(state_t *s) {
  const dut_t *dut = s->bed->dut;
  if (dut->powers_up && !lanes_power_up(&s->lanes)) return false;
  set_reset_inputs(s);
  set_reset(s, true);
  for (uint32_t i = 0; i < dut->reset_cycles; i++) {
    lanes_settle(&s->lanes);
    check_asserts(s);
    clock_edge(s);
  }
  set_reset(s, false);
  return true;
}

/* One cycle of the feed, or a whole reset. False: out of memory. */
static bool run_cycle(state_t *s) {
  if (s->feed.reset) return reset_bed(s);
  set_inputs(s, s->feed.in);
  lanes_settle(&s->lanes);
  s->something = false;
  compare_ports(s, DUT_PROBE);
  compare_ports(s, DUT_OUT);
  s->run->compared += s->something;
  s->run->out_of_reset++;
  check_asserts(s);
  clock_edge(s);
  return true;
}

/* The given inputs come first, then the profile. False: the model failed. */
static bool advance(state_t *s) {
  const void *const *inputs = s->run->inputs;
  if (s->cycle >= s->run->num_inputs) return feed_next(&s->feed);
  return feed_this(&s->feed, inputs[s->cycle], s->run->resets[s->cycle]);
}

static bed_end_t model_end(const feed_t *feed) {
  if (feed->crashed) return BED_CRASH;
  return feed->not_moore ? BED_KIND : BED_MODEL;
}

/* A reset, then the cycles. An assumption that fails ends the run: what follows would be illegal
 * inputs. */
static bed_end_t run_all(state_t *s) {
  bed_run_t *run = s->run;
  if (!reset_bed(s)) return BED_MEMORY;
  for (; s->cycle < run->cycles && s->assumed; s->cycle++, run->reached = s->cycle) {
    if (!advance(s)) return model_end(&s->feed);
    if (!run_cycle(s)) return BED_MEMORY;
    if (run->lanes[0].seen) return BED_DONE;
    if (s->cycle % LOOK_EVERY != LOOK_EVERY - 1) continue;
    if (run->stop && run->stop(run->context)) return BED_STOPPED;
    if (run->num_faults && !drop_done_lanes(s)) return BED_DONE;
  }
  if (!s->assumed) return BED_ENVIRONMENT;
  s->feed.driver.cycle = s->cycle;
  return BED_DONE;
}

/* Marks registers on which nothing depends: they may have any value. False: out of memory. */
static bool open_diverged(state_t *s) {
  const netlist_t *n = s->bed->netlist;
  if (!s->run->diverged) return true;
  if (!(s->diverged = calloc((size_t)s->lanes.num_latches * s->lanes.words + 1, sizeof *s->diverged))) return false;
  for (unsigned f = 0; f < s->run->num_faults; f++)
    for (unsigned k = 0, i = 0; k < n->num_latches; k++) {
      bool matters = i < s->lanes.num_latches && s->lanes.places[i] == k;
      if (matters) i++;
      else s->run->diverged[f][k] = BED_UNUSED;
    }
  return true;
}

bed_end_t bed_run(const bed_t *bed, bed_run_t *run, char *text, size_t size) {
  state_t s = {.bed = bed, .run = run, .assumed = true};
  const fault_t *faults[LANES_MANY * 64] = {0};
  unsigned words = LANES_FEW;
  while (words * 64 <= run->num_faults) words *= 2; /* lane 0 has none */
  for (unsigned i = 0; i < run->num_faults; i++) faults[i + 1] = run->faults[i];
  memset(run->lanes, 0, (run->num_faults + 1) * sizeof *run->lanes);
  for (unsigned lane = 0; lane <= run->num_faults; lane++) s.live[lane / 64] |= 1ull << lane % 64;
  bed_end_t end = BED_MEMORY;
  if (feed_open(&s.feed, bed->dut, run->seed, run->profile) &&
      lanes_open(&s.lanes, bed->netlist, words, faults, run->num_faults + 1) && lanes_power_up(&s.lanes) &&
      open_diverged(&s))
    end = run_all(&s);
  if (end == BED_MODEL || end == BED_CRASH || end == BED_KIND) snprintf(text, size, "%s", s.feed.text);
  free(s.diverged);
  lanes_close(&s.lanes);
  feed_close(&s.feed);
  return end;
}

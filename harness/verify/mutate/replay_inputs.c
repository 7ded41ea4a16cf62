/* SPDX-License-Identifier: Apache-2.0
 *
 * abc writes the registers' first values on a line, then a line for each cycle: its inputs as 0
 * and 1, in the order of their nodes. Cycles of reset become the bed's resets.
 */
#include "replay_inputs.h"

#include "file.h"
#include "stim_default.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEHIND = 500 }; /* cycles of each profile */

static const char NO_DIFFERENCE[] = "no difference in replay";

typedef struct {
  replay_t *r;
  const miter_t *m;
  unsigned *place;  /* of an input's node in a line */
  unsigned covered; /* frames of reset that the last one said stands for */
  unsigned frames;  /* read so far */
  bool second;
  bool holds;      /* the frame goes on with a reset, and keeps its inputs */
  uint64_t *reset; /* the inputs of the reset that is going on, and of the last one that was said */
  const uint64_t *said;
} reading_t;

/* frame: a line of the file. */
static bool input_is_high(const reading_t *t, const char *frame, uint32_t node) {
  return frame[t->place[node]] == '1';
}

/* Follows the registers of make_reset in miter.c: the cycles from power-up, and those of each reset
 * that begins. */
static bool in_reset(reading_t *t, const char *frame) {
  const dut_t *dut = t->r->bed->dut;
  const bool up = t->frames++ < dut->reset_cycles;
  if (dut->powers_up) return up;
  t->holds = t->second || (up && t->frames > 1);
  const bool begins = input_is_high(t, frame, t->m->reset), reset = begins || t->second || up;
  t->second = begins && !t->second;
  return reset;
}

/* The field as the frame has it. */
static void set_field(const reading_t *t, const char *frame, unsigned i, void *fields) {
  const bed_t *bed = t->r->bed;
  const bed_port_t *p = &bed->ports[i];
  uint32_t *words = (uint32_t *)((char *)fields + bed->dut->ports[i].offset);
  for (unsigned k = 0; k < p->num; k++)
    words[k / 32] |= (uint32_t)input_is_high(t, frame, t->m->inputs[p->bits + k - bed->netlist->inputs]) << k % 32;
}

/* Fields that are always valid, or qualify others, come first. Others that are not valid stay 0. */
static void set_fields(const reading_t *t, const char *frame, void *fields) {
  const bed_t *bed = t->r->bed;
  for (int pass = 0; pass < 2; pass++)
    for (unsigned i = 0; i < bed->dut->num_ports; i++) {
      const dut_port_t *port = &bed->dut->ports[i];
      const bed_port_t *p = &bed->ports[i];
      const bool later = p->num_terms && !dut_qualifies(bed->dut, port);
      if (port->dir != DUT_IN || later != pass || (later && !bed_bit_valid(bed->dut, p, 0, fields))) continue;
      set_field(t, frame, i, fields);
    }
}

/* The inputs that count in a reset, of its first frame. */
static void set_reset_fields(const reading_t *t, const char *frame) {
  const dut_t *dut = t->r->bed->dut;
  memset(t->reset, 0, dut->in_size);
  for (unsigned i = 0; i < dut->num_ports; i++)
    if (dut->ports[i].dir == DUT_IN && dut->ports[i].in_reset) set_field(t, frame, i, t->reset);
}

/* A reset of the bed is all of its cycles, so of two frames of a reset with the same inputs the
 * second adds nothing. The bed begins with one, whose inputs are 0. */
static void add_frame(reading_t *t, const char *frame) {
  replay_t *r = t->r;
  size_t words = r->bed->dut->in_size / 8;
  if (!in_reset(t, frame)) {
    void *fields = r->words + r->cycles * words;
    set_fields(t, frame, fields);
    t->covered = 0;
    r->inputs[r->cycles++] = fields;
    return;
  }
  uint64_t *fields = r->words + r->cycles * words;
  if (!t->holds) set_reset_fields(t, frame);
  const bool same = memcmp(t->reset, t->said, words * 8) == 0;
  if (t->covered && same) {
    t->covered--;
    return;
  }
  memcpy(fields, t->reset, words * 8);
  t->said = fields;
  t->covered = r->bed->dut->reset_cycles - 1;
  r->resets[r->cycles] = true;
  r->inputs[r->cycles++] = fields;
}

/* The place of each input in a line. Returns how many there are. */
static unsigned number_inputs(reading_t *t) {
  unsigned inputs = 0;
  for (uint32_t i = 1; i < t->m->gates.count; i++)
    if (t->m->gates.nodes[i].kind == NODE_INPUT) t->place[i] = inputs++;
  return inputs;
}

bool replay_open(replay_t *r, const bed_t *bed, const miter_t *m, const char *path) {
  memset(r, 0, sizeof *r);
  r->bed = bed;
  reading_t t = {.r = r, .m = m, .place = calloc(m->gates.count, sizeof *t.place), .covered = bed->dut->reset_cycles};
  unsigned inputs = t.place ? number_inputs(&t) : 0;
  char *text = file_read(path), *line = text ? strchr(text, '\n') : NULL;
  size_t room = text ? strlen(text) / (inputs + 1) + 2 : 0;
  r->words = calloc(room + 1, bed->dut->in_size + 8);
  r->inputs = calloc(room + 1, sizeof *r->inputs);
  r->resets = calloc(room + 1, sizeof *r->resets);
  t.reset = calloc(2, bed->dut->in_size + 8);
  t.said = t.reset ? t.reset + bed->dut->in_size / 8 + 1 : NULL;
  bool ok = t.place && r->words && r->inputs && r->resets && t.reset && line;
  for (; ok && line && strspn(line + 1, "01") == inputs; line = strchr(line + 1, '\n')) add_frame(&t, line + 1);
  free(text);
  free(t.place);
  free(t.reset);
  return ok && r->cycles;
}

void replay_close(replay_t *r) {
  free(r->words);
  free(r->inputs);
  free(r->resets);
  memset(r, 0, sizeof *r);
}

/* --- beside the golden model */

/* Runs the inputs and `more` cycles of a profile. Shown: the mutant differs before the block
 * itself does. */
static replay_answer_t run_inputs(const replay_t *r, const fault_t *fault, unsigned char *diverged, unsigned more,
                                  unsigned profile) {
  bed_lane_t lanes[2];
  char text[512];
  bed_run_t run = {.cycles = r->cycles + more,
                   .profile = profile,
                   .faults = &fault,
                   .num_faults = 1,
                   .lanes = lanes,
                   .diverged = diverged ? &diverged : NULL,
                   .inputs = r->inputs,
                   .resets = r->resets,
                   .num_inputs = r->cycles};
  bed_end_t end = bed_run(r->bed, &run, text, sizeof text);
  const bed_lane_t *control = &lanes[0], *mutant = &lanes[1];
  bool first = mutant->seen && (!control->seen || mutant->cycle < control->cycle);
  const char *name = more ? stim_of(r->bed->dut)->profiles[profile].name : NULL;
  if (first && (end == BED_DONE || end == BED_MODEL))
    return (replay_answer_t){true, (unsigned)mutant->cycle + 1, name, NULL};
  if (end == BED_MEMORY) return (replay_answer_t){.reason = "memory of this machine"};
  if (end == BED_MODEL) return (replay_answer_t){.reason = "inputs that the model refuses"};
  if (end == BED_ENVIRONMENT) return (replay_answer_t){.reason = "inputs that cannot be"};
  return (replay_answer_t){.reason = control->seen ? "the block itself differs" : NO_DIFFERENCE};
}

replay_answer_t replay_run(const replay_t *r, const fault_t *fault, unsigned char *diverged, bool behind) {
  replay_answer_t answer = run_inputs(r, fault, diverged, 0, 0), more;
  if (answer.shown || strcmp(answer.reason, NO_DIFFERENCE)) return answer;
  for (unsigned p = 0; behind && p < stim_of(r->bed->dut)->num_profiles; p++)
    if ((more = run_inputs(r, fault, diverged, BEHIND, p)).shown) return more;
  return answer;
}

/* --- for a person */

/* " name=1f", without leading zeros; nothing for 0. */
static void print_field(FILE *file, const dut_port_t *p, const void *fields) {
  const uint32_t *words = (const uint32_t *)((const char *)fields + p->offset);
  unsigned top = (p->width + 31) / 32;
  while (top && !words[top - 1]) top--;
  if (!top) return;
  fprintf(file, " %s=%" PRIx32, p->name, words[top - 1]);
  while (--top) fprintf(file, "%08" PRIx32, words[top - 1]);
}

bool replay_print(const replay_t *r, const replay_answer_t *answer, const char *path) {
  FILE *file = fopen(path, "w");
  if (!file) return false;
  unsigned end = answer->shown && answer->cycles < r->cycles ? answer->cycles : r->cycles;
  for (unsigned c = 0; c < end; c++) {
    fprintf(file, "%u:%s", c, r->resets[c] ? " reset" : "");
    for (unsigned i = 0; r->inputs[c] && i < r->bed->dut->num_ports; i++)
      if (r->bed->dut->ports[i].dir == DUT_IN) print_field(file, &r->bed->dut->ports[i], r->inputs[c]);
    fputc('\n', file);
  }
  if (answer->profile && answer->cycles > end)
    fprintf(file, "%u: then profile %s, to cycle %u\n", end, answer->profile, answer->cycles - 1);
  bool ok = !ferror(file);
  return fclose(file) == 0 && ok;
}

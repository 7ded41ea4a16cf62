/* SPDX-License-Identifier: Apache-2.0 */
#include "pure.h"

#include "against.h"
#include "guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEAT "the model does not repeat"

enum { FIRST = 32, EVERY = 8192 };

bool pure_open(pure_t *p, const dut_t *dut) {
  *p = (pure_t){.dut = dut};
  p->start = malloc(dut->model_size + 8);
  p->before = malloc(dut->model_size + 8);
  p->state = guard_memory(dut->model_size);
  p->in = malloc(dut->in_size + 8);
  p->out = guard_memory(dut->out_size);
  return p->start && p->before && p->state && p->in && p->out;
}

void pure_close(pure_t *p) {
  if (!p->dut) return;
  free(p->start);
  free(p->before);
  guard_free(p->state, p->dut->model_size);
  free(p->in);
  guard_free(p->out, p->dut->out_size);
  memset(p, 0, sizeof *p);
}

void pure_power_up(pure_t *p) {
  p->next = against_reference(p->dut) ? UINT64_MAX : 0; /* a device has no struct to copy */
  p->open = false;
}

/* Cycles from this stretch to the next. The distance doubles, from FIRST up to a limit that grows
 * with the struct, because a large struct takes longer to copy. */
static uint64_t stretch_distance(const pure_t *p, uint64_t cycle) {
  const uint64_t most = EVERY + p->dut->model_size;
  if (cycle < FIRST) return FIRST;
  return cycle < most ? cycle : most;
}

void pure_begin(pure_t *p, const void *model, uint64_t cycle) {
  memcpy(p->start, model, p->dut->model_size);
  p->next = cycle + stretch_distance(p, cycle);
  p->open = true;
}

/* Sets `text` to "BLOCK_CALL writes WHAT: ..." and returns false. */
static bool not_const(const pure_t *p, const char *call, const char *what, char text[PURE_TEXT]) {
  const bool step = !strcmp(call, "step");
  snprintf(text, PURE_TEXT, "%.100s_%s writes its %s: %s", p->dut->block, call, what,
           step ? "they are const" : PURE_EVAL);
  return false;
}

bool pure_kept_inputs(const pure_t *p, const char *call, const void *given, const void *now, char text[PURE_TEXT]) {
  return memcmp(given, now, p->dut->in_size) == 0 || not_const(p, call, "inputs", text);
}

bool pure_kept_state(const pure_t *p, const char *call, const void *model, char text[PURE_TEXT]) {
  return memcmp(p->start, model, p->dut->model_size) == 0 || not_const(p, call, "state", text);
}

/* Checks after `eval` or `idle` that the copy has not changed. */
static bool left_alone(const pure_t *p, const char *call, char text[PURE_TEXT]) {
  return memcmp(p->before, p->state, p->dut->model_size) == 0 || not_const(p, call, "state", text);
}

/* Describes the first difference between the outputs of the copy and the recorded ones. */
static bool other_outputs(const pure_t *p, const void *out, char text[PURE_TEXT]) {
  const dut_port_t *first = p->dut->ports;
  while (first->dir == DUT_IN ||
         !memcmp((const char *)out + first->offset, (const char *)p->out + first->offset, first->size))
    first++;
  snprintf(
      text, PURE_TEXT,
      REPEAT
      ": from the same struct and inputs it gives another %.64s (state outside of %.64s_t, such as a static variable?)",
      first->name, p->dut->block);
  return false;
}

/* Repeats one cycle of a stretch on the copy: eval, idle and step must give the same outputs and
 * leave inputs and struct alone. */
static bool one_cycle(pure_t *p, const void *in, const void *out, bool asleep, char text[PURE_TEXT]) {
  const dut_t *dut = p->dut;
  memcpy(p->in, in, dut->in_size);
  memcpy(p->before, p->state, dut->model_size);
  memset(p->out, 0, dut->out_size);
  dut->model_eval(p->state, p->in, p->out);
  if (!left_alone(p, "eval", text)) return false;
  dut->canonical(p->out);
  if (memcmp(out, p->out, dut->out_size)) return other_outputs(p, out, text);
  if (dut->model_idle) dut->model_idle(p->state);
  if (!left_alone(p, "idle", text)) return false;
  if (!asleep) dut->model_step(p->state, p->in);
  return true;
}

unsigned pure_again(pure_t *p, const pure_stretch_t *s, char text[PURE_TEXT]) {
  p->open = false;
  memcpy(p->state, p->start, p->dut->model_size);
  for (unsigned i = 0; i < s->count; i++) {
    const char *in = s->slots + (size_t)i * s->slot_size;
    if (one_cycle(p, in, in + p->dut->in_size, s->asleep >> i & 1, text)) continue;
    /* hidden state outside of the struct depends on the whole stretch */
    return strstr(text, REPEAT) ? s->count - 1 : i;
  }
  return s->count;
}

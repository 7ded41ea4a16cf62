/* SPDX-License-Identifier: Apache-2.0
 *
 * Is a golden model what stim.h and the shrinker take it for: a function of its struct and its
 * inputs? Looked at on a sample of cycles, so that it costs next to nothing: stretches of up to
 * some dozen cycles are done again on a copy of the struct as it was before them, and the outputs
 * must be the same; `eval` and `idle` must leave the struct as it was.
 *
 * Stretches begin at cycles 0, 32, 64, 128 ... after power-up, and then at distances that grow with
 * the size of the struct.
 */
#ifndef PURE_H
#define PURE_H

#include "dut.h"

typedef struct pure {
  const dut_t *dut;
  void *start;       /* the struct at the start of a stretch */
  void *state;       /* a copy that goes on from there */
  void *before, *in; /* before a call */
  void *out;         /* of the copy */
  uint64_t next;     /* the cycle from which on a stretch is due */
  bool open;         /* one is under way */
} pure_t;

/* What the model did in a stretch, cycle by cycle: inputs,
 * and canonical outputs `in_size` bytes behind them. */
typedef struct {
  const char *slots;
  uint32_t slot_size;
  unsigned count;
  uint64_t asleep; /* bit i: it was not stepped in cycle i */
} pure_stretch_t;

enum { PURE_TEXT = 256 };
#define PURE_EVAL "it must be pure, a function of struct and inputs that changes neither"

bool pure_open(pure_t *pure, const dut_t *dut); /* false: out of memory; close it all the same */
void pure_close(pure_t *pure);
void pure_power_up(pure_t *pure);

static inline bool pure_due(const pure_t *pure, uint64_t cycle) {
  return cycle >= pure->next;
}
void pure_begin(pure_t *pure, const void *model, uint64_t cycle);

/* After a call of the model, "eval" or "step", in the stretch:
 * are the inputs those that it was given? False: text. */
bool pure_kept_inputs(const pure_t *pure, const char *call, const void *given, const void *now, char text[PURE_TEXT]);
/* After eval or idle: is the struct as it was when
 * the stretch began? For a stretch of one cycle. */
bool pure_kept_state(const pure_t *pure, const char *call, const void *model, char text[PURE_TEXT]);

/* Does the stretch over again; it is closed. The number of the cycle up to which inputs show it
 * again, with text; count: all hold. A model that fails there leaves by the handler of
 * dut->on_model_assert. */
unsigned pure_again(pure_t *pure, const pure_stretch_t *stretch, char text[PURE_TEXT]);

#endif

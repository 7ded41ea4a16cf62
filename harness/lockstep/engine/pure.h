/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks that a golden model is a function of its struct and its inputs, as stim.h and the shrinker
 * assume. The check samples cycles and costs next to nothing. Stretches of up to some dozen cycles
 * are done again on a copy of the struct from their start, and the outputs must be the same. `eval`
 * and `idle` must not change the struct.
 *
 * Stretches begin at cycles 0, 32, 64, 128 and so on after power-up, later at distances that grow
 * with the size of the struct.
 */
#ifndef PURE_H
#define PURE_H

#include "dut.h"

typedef struct pure {
  const dut_t *dut;
  void *start;       /* the struct at the start of a stretch */
  void *state;       /* the copy that repeats the stretch */
  void *before, *in; /* struct and inputs before a call */
  void *out;         /* outputs of the copy */
  uint64_t next;     /* the next stretch starts from this cycle on */
  bool open;         /* a stretch is under way */
} pure_t;

/* What the model did in a stretch: for each cycle its inputs, and its canonical outputs `in_size`
 * bytes behind them. */
typedef struct {
  const char *slots;
  uint32_t slot_size;
  unsigned count;
  uint64_t asleep; /* bit i: not stepped in cycle i */
} pure_stretch_t;

enum { PURE_TEXT = 256 };
#define PURE_EVAL "it must be pure, a function of struct and inputs that changes neither"

bool pure_open(pure_t *pure, const dut_t *dut); /* false: out of memory; call pure_close anyway */
void pure_close(pure_t *pure);
void pure_power_up(pure_t *pure);

static inline bool pure_due(const pure_t *pure, uint64_t cycle) {
  return cycle >= pure->next;
}
void pure_begin(pure_t *pure, const void *model, uint64_t cycle);

/* Call this after "eval" or "step" in a stretch: has the model left its inputs unchanged? False:
 * `text` says how. */
bool pure_kept_inputs(const pure_t *pure, const char *call, const void *given, const void *now, char text[PURE_TEXT]);
/* Call this after eval or idle in a stretch of one cycle: is the struct as it was at the stretch's
 * start? */
bool pure_kept_state(const pure_t *pure, const char *call, const void *model, char text[PURE_TEXT]);

/* Repeats the stretch and closes it. Returns stretch->count if all outputs are the same. Else
 * returns the index of the last cycle whose inputs are needed to show the difference, with `text`.
 * A model that fails here leaves by the handler of dut->on_model_assert. */
unsigned pure_again(pure_t *pure, const pure_stretch_t *stretch, char text[PURE_TEXT]);

#endif

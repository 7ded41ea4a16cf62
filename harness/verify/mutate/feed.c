/* SPDX-License-Identifier: Apache-2.0
 *
 * The model runs in this process. Its assertion or crash jumps back into feed_this, which
 * returns false.
 */
#include "feed.h"

#include "guard.h"
#include "utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* file NULL: a crash. The text is what a person reads, without folders. */
static void on_model_failure(void *context, const char *file, unsigned line, const char *text) {
  feed_t *f = context;
  f->crashed = !file;
  const char *slash = file ? strrchr(file, '/') : NULL;
  if (file) snprintf(f->text, sizeof f->text, "%.200s:%u: %.280s", slash ? slash + 1 : file, line, text);
  else snprintf(f->text, sizeof f->text, "%.500s", text);
  utf8_clean(f->text);
  _longjmp(f->jump, 1);
}

bool feed_open(feed_t *f, const dut_t *dut, uint64_t seed, unsigned profile) {
  memset(f, 0, sizeof *f);
  f->dut = dut;
  f->model = guard_memory(dut->model_size);
  f->in = calloc(1, dut->in_size + 8);
  f->out = guard_memory(dut->out_size);
  f->state_out = guard_memory(dut->out_size);
  f->mask = calloc(1, dut->in_size + 8);
  if (!driver_open(&f->driver, dut, seed, profile) || !f->model || !f->in || !f->out || !f->state_out || !f->mask)
    return false;
  dut_input_mask(dut, f->mask);
  feed_this(f, NULL, true);
  f->cycle = 0;
  return true;
}

void feed_close(feed_t *f) {
  driver_close(&f->driver);
  guard_free(f->model, f->dut->model_size);
  free(f->in);
  guard_free(f->out, f->dut->out_size);
  guard_free(f->state_out, f->dut->out_size);
  free(f->mask);
}

/* Outputs in canonical form: fields that are not valid are 0. */
static void eval_model(feed_t *f, uint64_t *out) {
  memset(out, 0, f->dut->out_size);
  f->dut->model_eval(f->model, f->in, out);
  f->dut->canonical(out);
}

/* Outputs of a Moore model depend on its state only. New inputs must not change them before the
 * clock edge. Checked in every MODEL_MOORE_EVERY'th cycle. */
static bool shows_state(feed_t *f, bool look) {
  if (!look || memcmp(f->state_out, f->out, f->dut->out_size) == 0) return true;
  f->not_moore = true;
  lockstep_not_moore(f->dut, "the model's", f->out, f->state_out, f->cycle - 1, f->text, sizeof f->text);
  return false;
}

bool feed_this(feed_t *f, const void *in, bool reset) {
  const dut_t *dut = f->dut;
  const uint64_t *from = in;
  dut->on_model_assert(on_model_failure, f);
  if (_setjmp(f->jump)) return false;
  f->reset = reset;
  const bool look = !dut->mealy && f->cycle++ % MODEL_MOORE_EVERY == MODEL_MOORE_EVERY - 1;
  if (reset) {
    memset(f->out, 0, dut->out_size);
    dut->model_reset(f->model, dut_reset_inputs(dut, in, f->in));
    return true;
  }
  if (look) eval_model(f, f->state_out);
  for (uint32_t i = 0; i < dut->in_size / 8; i++) f->in[i] = from ? from[i] & f->mask[i] : 0;
  eval_model(f, f->out);
  if (!shows_state(f, look)) return false;
  dut->model_step(f->model, f->in);
  return true;
}

bool feed_next(feed_t *f) {
  bool reset = driver_next(&f->driver, f->out);
  return feed_this(f, f->driver.in, reset);
}

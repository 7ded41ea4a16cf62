/* SPDX-License-Identifier: Apache-2.0 */
#include "feed.h"

#include "guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void asserted(void *context, const char *file, unsigned line, const char *text) {
  feed_t *f = context;
  f->crashed = !file;
  const char *slash = file ? strrchr(file, '/') : NULL;
  if (file) snprintf(f->text, sizeof f->text, "%.200s:%u: %.280s", slash ? slash + 1 : file, line, text);
  else snprintf(f->text, sizeof f->text, "%.500s", text);
  _longjmp(f->jump, 1);
}

bool feed_open(feed_t *f, const dut_t *dut, uint64_t seed, unsigned profile) {
  memset(f, 0, sizeof *f);
  f->dut = dut;
  f->model = guard_memory(dut->model_size);
  f->in = calloc(1, dut->in_size + 8);
  f->out = guard_memory(dut->out_size);
  f->mask = calloc(1, dut->in_size + 8);
  if (!driver_open(&f->driver, dut, seed, profile) || !f->model || !f->in || !f->out || !f->mask) return false;
  dut_input_mask(dut, f->mask);
  return feed_this(f, NULL) || true;
}

void feed_close(feed_t *f) {
  driver_close(&f->driver);
  guard_free(f->model, f->dut->model_size);
  free(f->in);
  guard_free(f->out, f->dut->out_size);
  free(f->mask);
}

bool feed_this(feed_t *f, const void *in) {
  const dut_t *dut = f->dut;
  const uint64_t *from = in;
  dut->on_model_assert(asserted, f);
  if (_setjmp(f->jump)) return false;
  f->reset = !in;
  memset(f->out, 0, dut->out_size);
  if (!in) {
    dut->model_reset(f->model);
    return true;
  }
  for (uint32_t i = 0; i < dut->in_size / 8; i++) f->in[i] = from[i] & f->mask[i];
  dut->model_eval(f->model, f->in, f->out);
  dut->canonical(f->out);
  dut->model_step(f->model, f->in);
  return true;
}

bool feed_next(feed_t *f) {
  bool reset = driver_next(&f->driver, f->out);
  return feed_this(f, reset ? NULL : f->driver.in);
}

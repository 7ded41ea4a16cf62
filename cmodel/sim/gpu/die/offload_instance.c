/* SPDX-License-Identifier: Apache-2.0 */
#include "offload_instance.h"

#include <stdlib.h>
#include <string.h>

#include "block_engine.h"

enum { LINE = 64 };

int offload_instance_open(offload_instance_t *i, const block_engine_t *const *engines, unsigned which) {
  const block_engine_t *e = engines[which];
  const size_t size = (e->state_size + LINE - 1) / LINE * LINE;
  void *state = aligned_alloc(LINE, size);
  *i = (offload_instance_t){e, NULL};
  if (state && e->open(memset(state, 0, size), e->context, which)) i->state = state;
  else free(state);
  return i->state ? 0 : -1;
}

int offload_instance_place(const offload_instance_t *i, const char *port) {
  return i->engine->place ? i->engine->place(i->engine->context, port) : -1;
}

void offload_instance_close(offload_instance_t *i) {
  if (i->state && i->engine->close) i->engine->close(i->state);
  free(i->state);
  i->state = NULL;
}

const void *offload_instance_out(const offload_instance_t *i) {
  return i->engine->out(i->state);
}

void offload_instance_step(const offload_instance_t *i, const void *in, trouble_t *fault) {
  i->engine->step(i->state, in);
  const char *failed = i->engine->failed ? i->engine->failed(i->state) : NULL;
  if (failed) trouble_fail(fault, TROUBLE_BROKEN, "%s", failed);
}

void offload_instance_edge(const offload_instance_t *i, void *in, size_t size, bool *told, trouble_t *fault) {
  const bool rests = i->engine->idle && i->engine->idle(i->state);
  if (*told || !rests) offload_instance_step(i, in, fault);
  if (*told) memset(in, 0, size);
  *told = false;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The wires of ofld_score, and its queue. After a change of module the instance is cleared for a
 * cycle, and all blocks may go.
 */
#include "offload_score.h"

#include "ofld_score_ports.h"

int offload_score_init(offload_score_t *s, const struct block_engine *const *engines) {
  *s = (offload_score_t){.allow = UINT64_MAX};
  return offload_instance_open(&s->instance, engines, 0);
}

void offload_score_deinit(offload_score_t *s) {
  offload_instance_close(&s->instance);
}

void offload_score_clear(offload_score_t *s) {
  s->clear = true;
  s->count = 0;
  s->allow = UINT64_MAX;
}

bool offload_score_allows(const offload_score_t *s, unsigned block) {
  return block >= (Entries) || s->allow >> block & 1;
}

/* A full queue, or a block without an entry, loses the measurement. */
void offload_score_add(offload_score_t *s, const offload_measure_t *measure) {
  if (s->count == OFFLOAD_MEASURES || measure->block >= (Entries)) return;
  s->queue[(s->head + s->count++) % OFFLOAD_MEASURES] = *measure;
}

/* Puts the oldest measurement on the wires. */
static void put_measurement(offload_score_t *s, ofld_score_in_t *in) {
  if (!s->count) return;
  const offload_measure_t *m = &s->queue[s->head];
  in->upd_valid = 1;
  in->upd_block = m->block;
  in->upd_stores = m->stores;
  in->upd_regs = m->regs;
  in->upd_misses = m->rdf - m->hits;
  in->upd_hit_bytes = m->hit_bytes;
  s->head = (s->head + 1) % OFFLOAD_MEASURES;
  s->count--;
}

void offload_score_tick(offload_score_t *s, bool epoch_end, trouble_t *fault) {
  const ofld_score_out_t *out = offload_instance_out(&s->instance);
  ofld_score_in_t in = {.clear = s->clear, .epoch_end = epoch_end};
  if (!s->clear) {
    s->allow = out->allow;
    put_measurement(s, &in);
  }
  s->clear = false;
  offload_instance_step(&s->instance, &in, fault);
}

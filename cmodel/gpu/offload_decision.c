/* SPDX-License-Identifier: Apache-2.0 */
#include "offload_decision.h"

#include <stdlib.h>
#include <string.h>

#include "block_engine.h"
#include "ofld_ratio_ports.h"

enum { LINE = 64, MAX_TOLD = 65535 };

/* ---- Engines ----------------------------------------------------------------------------------------------------- */

/* One instance, reset. NULL: failed. */
static void *open_engine(const block_engine_t *e) {
  const size_t size = (e->state_size + LINE - 1) / LINE * LINE;
  void *state = aligned_alloc(LINE, size);
  if (state && e->open(memset(state, 0, size), e->context, 0)) return state;
  free(state);
  return NULL;
}

static void close_engine(const block_engine_t *e, void *state) {
  if (state && e->close) e->close(state);
  free(state);
}

static void step(const offload_decision_t *d, const block_engine_t *e, void *state, const void *in) {
  e->step(state, in);
  const char *failed = e->failed ? e->failed(state) : NULL;
  if (failed) gpu_fail(d->sh->fault, 1, "%s", failed);
}

/* ---- Making ------------------------------------------------------------------------------------------------------ */

int offload_decision_init(offload_decision_t *d, const gpu_shared_t *sh) {
  *d = (offload_decision_t){.sh = sh};
  if (!gpu_config_needs_ratio(sh->config)) return 0;
  return (d->ratio = open_engine(sh->ratio)) ? 0 : -1;
}

void offload_decision_deinit(offload_decision_t *d) {
  if (d->ratio) close_engine(d->sh->ratio, d->ratio);
  free(d->epochs);
  free(d->blocks);
}

int offload_decision_load(offload_decision_t *d, unsigned blocks) {
  free(d->blocks);
  d->num_blocks = 0;
  if (!(d->blocks = calloc(blocks + 1, sizeof *d->blocks))) return -1;
  d->num_blocks = blocks;
  return 0;
}

/* ---- Decisions --------------------------------------------------------------------------------------------------- */

static bool drawn(const offload_decision_t *d, uint64_t draw) {
  if (d->ratio) return draw >> 32 < d->threshold;
  return (double)(draw >> 11) * 0x1p-53 < d->sh->config->offload_ratio;
}

bool offload_decision_take(offload_decision_t *d, unsigned block, uint64_t draw) {
  gpu_block_t *b = &d->blocks[block];
  const bool yes = drawn(d, draw);
  b->offloaded += yes, b->kept += !yes;
  d->epoch.offloaded += yes, d->epoch.kept += !yes;
  d->sh->stats->blocks_offloaded += yes, d->sh->stats->blocks_kept += !yes;
  return yes;
}

void offload_decision_ended(offload_decision_t *d, unsigned sm, unsigned instructions) {
  d->done[sm] += instructions;
}

void offload_decision_measured(offload_decision_t *d, unsigned block, unsigned rdf, unsigned hits, unsigned hit_bytes) {
  gpu_block_t *b = &d->blocks[block];
  b->rdf += rdf, b->rdf_hits += hits, b->rdf_hit_bytes += hit_bytes;
}

/* ---- Clock ------------------------------------------------------------------------------------------------------- */

/* What is kept of the epoch that has ended; the next one is under way. */
static void keep_epoch(offload_decision_t *d, const ofld_ratio_out_t *out) {
  if (d->num_epochs == d->room_epochs) {
    const unsigned room = d->room_epochs ? 2 * d->room_epochs : 64;
    gpu_epoch_t *epochs = realloc(d->epochs, room * sizeof *epochs);
    if (!epochs) {
      gpu_fail(d->sh->fault, 3, "out of memory for epochs");
      return;
    }
    d->epochs = epochs, d->room_epochs = room;
  }
  d->epoch.cycle = d->sh->stats->core_cycles;
  d->epoch.instructions = out->probe_prev;
  d->epochs[d->num_epochs++] = d->epoch;
  d->epoch = (gpu_epoch_t){0};
}

/* What the next SM has to tell. */
static void tell(offload_decision_t *d, ofld_ratio_in_t *in) {
  uint64_t *done = &d->done[d->next_sm];
  in->done_instrs = *done < MAX_TOLD ? *done : MAX_TOLD;
  in->done_valid = *done > 0;
  *done -= in->done_instrs;
  d->next_sm = d->next_sm + 1 == d->sh->config->num_sms ? 0 : d->next_sm + 1;
}

void offload_decision_tick(offload_decision_t *d) {
  if (!d->ratio) return;
  const block_engine_t *e = d->sh->ratio;
  const ofld_ratio_out_t *out = e->out(d->ratio);
  ofld_ratio_in_t in = {.run = 1};
  if (out->epoch_end) keep_epoch(d, out);
  d->threshold = out->threshold;
  d->epoch.ratio = out->ratio;
  tell(d, &in);
  step(d, e, d->ratio, &in);
}

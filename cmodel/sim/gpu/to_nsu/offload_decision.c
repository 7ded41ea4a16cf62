/* SPDX-License-Identifier: Apache-2.0
 *
 * The decision on each instance, and the epochs of the dynamic share.
 */
#include "offload_decision.h"

#include <stdlib.h>

#include "offload_firmware.h"
#include "ofld_ratio_ports.h"

enum { MAX_TOLD = 65535, FIRST_EPOCHS = 64 };

/* ---- Making ---------------------------------------------------------------------------------- */

/* Reads the share of the current epoch. */
static void read_share(offload_decision_t *d, const ofld_ratio_out_t *out) {
  d->threshold = out->threshold;
  d->epoch.ratio = out->ratio;
}

int offload_decision_init(offload_decision_t *d, const gpu_shared_t *sh) {
  *d = (offload_decision_t){.sh = sh};
  if (gpu_config_instances(sh->config, GPU_HARDWARE_ofld_score) &&
      offload_score_init(&d->score, sh->engine[GPU_HARDWARE_ofld_score]))
    return -1;
  if (!gpu_config_instances(sh->config, GPU_HARDWARE_ofld_ratio)) return 0;
  offload_firmware_t *firmware = offload_firmware_of(sh->engine[GPU_HARDWARE_ofld_ratio][0]);
  if (firmware) offload_firmware_core(firmware, sh->engine[GPU_HARDWARE_rv_core]);
  if (offload_instance_open(&d->ratio, sh->engine[GPU_HARDWARE_ofld_ratio], 0)) return -1;
  read_share(d, offload_instance_out(&d->ratio));
  return 0;
}

void offload_decision_deinit(offload_decision_t *d) {
  offload_instance_close(&d->ratio);
  offload_score_deinit(&d->score);
  free(d->epochs);
  free(d->blocks);
}

int offload_decision_load(offload_decision_t *d, unsigned blocks) {
  free(d->blocks);
  d->num_blocks = 0;
  if (!(d->blocks = calloc(blocks + 1, sizeof *d->blocks))) return -1;
  d->num_blocks = blocks;
  offload_score_clear(&d->score);
  return 0;
}

/* ---- Decisions ------------------------------------------------------------------------------- */

/* A dynamic share compares 32 random bits, a static one 53 bits as a fraction. */
static bool draw_offloads(const offload_decision_t *d, uint64_t draw) {
  if (d->ratio.state) return draw >> 32 < d->threshold;
  return (double)(draw >> 11) * 0x1p-53 < d->sh->config->nsu.ratio;
}

/* A block that the score does not allow stays on the GPU and counts as suppressed. */
bool offload_decision_take(offload_decision_t *d, unsigned block, uint64_t draw) {
  gpu_block_t *b = &d->blocks[block];
  const bool allowed = !d->score.instance.state || offload_score_allows(&d->score, block),
             yes = allowed && draw_offloads(d, draw);
  b->suppressed += !allowed;
  b->offloaded += yes, b->kept += !yes;
  d->epoch.offloaded += yes, d->epoch.kept += !yes;
  d->sh->stats->blocks_offloaded += yes, d->sh->stats->blocks_kept += !yes;
  return yes;
}

void offload_decision_stays(offload_decision_t *d, unsigned block) {
  d->blocks[block].offloaded--, d->blocks[block].kept++;
  d->sh->stats->blocks_offloaded--, d->sh->stats->blocks_kept++;
}

void offload_decision_ended(offload_decision_t *d, unsigned sm, unsigned instructions) {
  d->done[sm] += instructions;
}

void offload_decision_measured(offload_decision_t *d, const offload_measure_t *m) {
  gpu_block_t *b = &d->blocks[m->block];
  b->rdf += m->rdf, b->rdf_hits += m->hits, b->rdf_hit_bytes += m->hit_bytes;
  if (d->score.instance.state) offload_score_add(&d->score, m);
}

/* ---- Clock ----------------------------------------------------------------------------------- */

/* Stores the finished epoch; counting starts again. */
static void keep_epoch(offload_decision_t *d, const ofld_ratio_out_t *out) {
  if (d->num_epochs == d->room_epochs) {
    const unsigned room = d->room_epochs ? 2 * d->room_epochs : FIRST_EPOCHS;
    gpu_epoch_t *epochs = realloc(d->epochs, room * sizeof *epochs);
    if (!epochs) {
      trouble_fail(d->sh->fault, TROUBLE_ENVIRONMENT, "out of memory for epochs");
      return;
    }
    d->epochs = epochs, d->room_epochs = room;
  }
  d->epoch.cycle = d->sh->stats->core_cycles;
  d->epoch.instructions = out->probe_prev;
  d->epochs[d->num_epochs++] = d->epoch;
  d->epoch = (gpu_epoch_t){0};
}

/* The report of the SM whose turn it is. A port takes MAX_TOLD at most; the rest waits for the
 * next turn. */
static void report_instructions(offload_decision_t *d, ofld_ratio_in_t *in) {
  uint64_t *done = &d->done[d->next_sm];
  in->done_instrs = *done < MAX_TOLD ? *done : MAX_TOLD;
  in->done_valid = *done > 0;
  *done -= in->done_instrs;
  d->next_sm = d->next_sm + 1 == d->sh->config->num_sms ? 0 : d->next_sm + 1;
}

/* Outputs of the last cycle first, then the inputs of this one. */
void offload_decision_tick(offload_decision_t *d) {
  if (!d->ratio.state) return;
  const ofld_ratio_out_t *out = offload_instance_out(&d->ratio);
  ofld_ratio_in_t in = {.run = 1};
  if (out->epoch_end) keep_epoch(d, out);
  read_share(d, out);
  if (d->score.instance.state) offload_score_tick(&d->score, out->epoch_end, d->sh->fault);
  report_instructions(d, &in);
  offload_instance_step(&d->ratio, &in, d->sh->fault);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_rx: beats in phits of PortBits bits, with or without gaps.
 */
#include "nsu_rx.h"

#include "nsu_stim.h"

enum { DENSE, GAPS, SINGLE, TYPES };

/* dense: a beat follows the last without a gap.
 *  gaps: valid falls within a beat.
 *  single: the collected phits stay for long.
 *  types: err of unknown types and of the wrong class. */
static const stim_profile_t profiles[] = {
    [DENSE] = {"dense", "a phit a cycle"},
    [GAPS] = {"gaps", "gaps between phits and between beats"},
    [SINGLE] = {"single", "long silence between single phits"},
    [TYPES] = {"types", "unknown types and the wrong message class"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  unsigned phit; /* the next one of the beat */
  unsigned cls;
  uint32_t beat[BEAT_WORDS];
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

/* A beat with a known type and its class; profile types also sends others. */
static void new_beat(state_t *s) {
  static const uint8_t known[] = {PKT_CMD, PKT_WTA, PKT_RDF_RESP, PKT_WRITE_ACK, PKT_IFILL, PKT_CFILL};
  unsigned type = known[rng_below(&s->rng, sizeof known)];
  if (s->profile == TYPES && chance8(&s->rng, 4)) type = (unsigned)rng_bits(&s->rng, 4);
  rng_fill(&s->rng, s->beat, BEAT_BITS);
  HDR_SET(s->beat + LINE_WORDS, type, type);
  s->cls = pkt_type_class(type) == 1;
  if (s->profile == TYPES && chance8(&s->rng, 2)) s->cls = !s->cls;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  static const unsigned rate[] = {[DENSE] = 64, [GAPS] = 32, [SINGLE] = 3, [TYPES] = 56};
  state_t *s = state;
  nsu_rx_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->in_valid = rng_chance(&s->rng, rate[s->profile], 64);
  if (!in->in_valid) return;
  if (s->phit == 0) new_beat(s);
  beat_get_phit(s->beat, s->phit, PortBits, in->in_phit, PORT_WORDS(PortBits));
  /* the bits beyond the end of the beat have no meaning */
  if (s->profile != DENSE) stim_noise(&s->rng, in->in_phit, beat_phit_bits(s->phit, PortBits), PortBits);
  s->phit = (s->phit + 1) % BEAT_PHITS;
  /* the class counts with the last phit alone */
  in->in_class = s->phit == 0 ? s->cls : rng_bits(&s->rng, 1);
}

STIM_RESET

STIM_DEFINE(nsu_rx, .reset = reset)

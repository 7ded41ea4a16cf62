/* SPDX-License-Identifier: Apache-2.0 */
#include "stim_default.h"

#include "dut_table.h"
#include "rng.h"

#include <stdlib.h>
#include <string.h>

enum { RANDOM, BUSY, SPARSE, CORNERS, RESETS };

static const stim_profile_t profiles[] = {
    [RANDOM] = {"random", "every input random, valid bits half of the time"},
    [BUSY] = {"busy", "valid bits nearly always on"},
    [SPARSE] = {"sparse", "valid bits seldom on"},
    [CORNERS] = {"corners", "data all zero, all one, or one bit"},
    [RESETS] = {"resets", "random, with a reset every few hundred cycles"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
} state_t;

/* The device of stim_of: a stimulus' functions get no pointer to the port table. `how`: by port, in
 * which way it qualifies others (DUT_PLAIN, DUT_INVERTED); NULL: out of memory. */
static const dut_t *current;
static unsigned char *how;
static bool resets_with_inputs; /* some count in a reset */

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

/* Draws an input that qualifies others so that they are valid at the profile's rate, or at even
 * odds when it qualifies some as it is and some inverted. False: it qualifies none. */
static bool draw_valid(rng_t *rng, unsigned rate, unsigned port, uint32_t *words) {
  const unsigned ways = how && current->ports[port].width == 1 ? how[port] : 0;
  if (ways == DUT_INVERTED) rate = 16 - rate;
  if (ways == (DUT_PLAIN | DUT_INVERTED)) rate = 8;
  if (ways) words[0] = rng_chance(rng, rate, 16);
  return ways;
}

/* One of four corners at random: all zero, all one, one bit, or random bits. */
static void corner(rng_t *rng, uint32_t *words, uint32_t width) {
  memset(words, 0, (width + 63) / 64 * 8);
  uint64_t kind = rng_below(rng, 4), bit = rng_below(rng, width);
  if (kind == 1)
    for (uint32_t i = 0; i < width; i++) words[i / 32] |= 1u << i % 32;
  if (kind == 2) words[bit / 32] |= 1u << bit % 32;
  if (kind == 3) rng_fill(rng, words, width);
}

/* Draws one of the labelled values of an enum. False: the port is no enum. */
static bool draw_label(rng_t *rng, const dut_port_t *port, uint32_t *words) {
  unsigned count = 0;
  for (unsigned i = 0; i < current->num_labels; i++) count += strcmp(current->labels[i].port, port->name) == 0;
  if (!count || port->shape != DUT_SCALAR) return false;
  uint64_t left = rng_below(rng, count), value = 0;
  for (unsigned i = 0; i < current->num_labels; i++)
    if (strcmp(current->labels[i].port, port->name) == 0 && !left--) value = current->labels[i].value;
  memcpy(words, &value, sizeof value);
  return true;
}

static void next(void *state, uint64_t cycle, const void *out, void *in) {
  state_t *s = state;
  static const unsigned rate[] = {[RANDOM] = 8, [BUSY] = 15, [SPARSE] = 1, [CORNERS] = 8, [RESETS] = 8};
  (void)cycle;
  (void)out;
  for (unsigned i = 0; i < current->num_ports; i++) {
    const dut_port_t *p = &current->ports[i];
    uint32_t *words = (uint32_t *)((char *)in + p->offset);
    if (p->dir != DUT_IN) continue;
    if (draw_label(&s->rng, p, words)) continue;
    if (draw_valid(&s->rng, rate[s->profile], i, words)) continue;
    if (s->profile == CORNERS) corner(&s->rng, words, p->width);
    else rng_fill(&s->rng, words, p->width);
  }
}

/* Inputs that count in a reset are 0 at power-up: a run begins with a further reset, for others. */
static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  if (!cycle && resets_with_inputs) return true;
  return s->profile == RESETS && rng_chance(&s->rng, 1, 300);
}

static const stim_t from_ports = {
    .profiles = profiles,
    .num_profiles = 5,
    .state_size = sizeof(state_t),
    .init = init,
    .next = next,
    .reset = reset,
};

const stim_t *stim_of(const dut_t *dut) {
  if (dut->stim) return dut->stim;
  if (current != dut) {
    free(how);
    how = calloc(dut->num_ports + 1, 1);
    resets_with_inputs = false;
    for (unsigned i = 0; i < dut->num_ports; i++) resets_with_inputs |= dut->ports[i].in_reset;
    for (unsigned i = 0; how && i < dut->num_ports; i++) how[i] = (unsigned char)dut_qualifies(dut, &dut->ports[i]);
  }
  current = dut;
  return &from_ports;
}

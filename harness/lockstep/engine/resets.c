/* SPDX-License-Identifier: Apache-2.0 */
#include "resets.h"

#include "rng.h"

#include <stdlib.h>
#include <string.h>

enum {
  FROM_TIME = 3,    /* times that an event is left alone, less one */
  A_EVENT = 2,      /* resets at one event */
  ALL_EVENTS = 24,  /* resets at events */
  LATEST = 4,       /* cycles from an event to its reset, less one */
  WAITING_EVERY = 8 /* cycles between questions whether the stimulus waits */
};

/* A port that says what the block is doing. */
typedef struct {
  uint32_t offset;
  bool changes; /* an enum: each change counts, not only one to 1 */
  uint64_t last;
  uint32_t times;
  uint8_t resets;
} event_t;

struct resets {
  const stim_t *stim;
  rng_t rng;
  uint64_t cycle;
  uint64_t next; /* cycle of the next one at random */
  uint64_t due;  /* of the next one at an event */
  unsigned of_events;
  unsigned num_events;
  event_t waiting, events[];
};

static bool is_enum(const dut_t *dut, const dut_port_t *port) {
  bool is = false;
  for (unsigned i = 0; i < dut->num_labels; i++) is |= strcmp(dut->labels[i].port, port->name) == 0;
  return is;
}

resets_t *resets_new(const dut_t *dut, const stim_t *stim) {
  resets_t *r = calloc(1, sizeof *r + dut->num_ports * sizeof *r->events);
  if (!r) return NULL;
  r->stim = stim;
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    if (p->dir == DUT_IN || p->shape != DUT_SCALAR) continue;
    const bool changes = p->width > 1;
    if (!changes || is_enum(dut, p)) r->events[r->num_events++] = (event_t){.offset = p->offset, .changes = changes};
  }
  return r;
}

void resets_free(resets_t *resets) {
  free(resets);
}

/* Gaps grow with the time that has passed: some thirty resets in RESETS_LAST cycles. */
static void choose_next(resets_t *r) {
  r->next = r->cycle + 1 + rng_generate(&r->rng, RNG_BELOW, 8 + r->cycle / 2, 0);
  if (r->next > RESETS_LAST) r->next = UINT64_MAX;
}

void resets_start(resets_t *r, uint64_t seed) {
  rng_init(&r->rng, seed ^ 0x7e5e75);
  r->cycle = r->of_events = 0;
  r->due = UINT64_MAX;
  r->waiting = (event_t){0};
  for (unsigned i = 0; i < r->num_events; i++)
    r->events[i] = (event_t){.offset = r->events[i].offset, .changes = r->events[i].changes};
  choose_next(r);
}

static void see_event(resets_t *r, event_t *e, uint64_t now) {
  const bool happens = now != e->last && (now || e->changes);
  e->last = now;
  if (!happens || e->times++ + 1 < FROM_TIME || e->resets == A_EVENT || r->of_events == ALL_EVENTS) return;
  if (r->due != UINT64_MAX || rng_generate(&r->rng, RNG_BELOW, 4, 0)) return;
  e->resets++, r->of_events++;
  r->due = r->cycle + rng_generate(&r->rng, RNG_BELOW, LATEST, 0);
}

static void see_events(resets_t *r, const void *state, const void *out) {
  for (unsigned i = 0; i < r->num_events; i++) {
    uint64_t now;
    memcpy(&now, (const char *)out + r->events[i].offset, sizeof now);
    if (now != r->events[i].last) see_event(r, &r->events[i], now);
  }
  if (r->stim->waiting && r->cycle % WAITING_EVERY == 0) see_event(r, &r->waiting, r->stim->waiting(state));
}

bool resets_due(resets_t *r, const void *state, const void *out) {
  if (r->of_events < ALL_EVENTS) see_events(r, state, out);
  const uint64_t cycle = r->cycle++;
  if (cycle != r->next && cycle < r->due) return false;
  if (cycle >= r->due) r->due = UINT64_MAX;
  if (cycle == r->next) choose_next(r);
  return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "link_widths.h"

#include <stdlib.h>
#include <string.h>

bool link_widths_init(link_widths_t *w, const fabric_t *f, const topology_t *t, const router_params_t *p) {
  *w = (link_widths_t){.fabric = f, .topology = t, .changes = p->Width};
  w->word = calloc(t->routers, sizeof *w->word);
  w->since = calloc(t->routers, sizeof *w->since);
  return w->word && w->since;
}

void link_widths_free(link_widths_t *w) {
  free(w->word);
  free(w->since);
  w->word = w->since = NULL;
}

/* A router's widths, two bits a port. */
static uint64_t widths_word(const fabric_t *f, unsigned router) {
  uint64_t word;
  memcpy(&word, &fabric_outputs(f, router)[fabric_layout(f)->probe_width], sizeof word);
  return word;
}

unsigned link_width_now(const fabric_t *f, unsigned router, unsigned port) {
  return widths_word(f, router) >> 2 * port & 3;
}

/* The time since the last count goes to the widths that were seen last. */
static void count_router_widths(link_widths_t *w, unsigned router) {
  const topology_t *t = w->topology;
  const uint64_t now = fabric_now(w->fabric);
  for (unsigned p = 0; p < t->ports; p++)
    if (topology_port(t, router, p)->kind == PORT_LINK)
      w->cycles[w->word[router] >> 2 * p & 3] += now - w->since[router];
  w->since[router] = now;
}

void link_widths_look(link_widths_t *w) {
  for (unsigned r = 0; w->changes && r < w->topology->routers; r++) {
    const uint64_t word = widths_word(w->fabric, r);
    if (word == w->word[r]) continue;
    count_router_widths(w, r);
    w->word[r] = word;
  }
}

void link_widths_count(link_widths_t *w) {
  for (unsigned r = 0; r < w->topology->routers; r++) count_router_widths(w, r);
}

void link_widths_clear(link_widths_t *w) {
  link_widths_count(w);
  memset(w->cycles, 0, sizeof w->cycles);
}

const char *link_width_name(unsigned width) {
  static const char *const names[LINK_WIDTHS] = {"W", "W/2", "W/4", "W/8"};
  return width < LINK_WIDTHS ? names[width] : "?";
}

double link_widths_slots(const uint64_t cycles[LINK_WIDTHS]) {
  double slots = 0;
  for (unsigned k = 0; k < LINK_WIDTHS; k++) slots += (double)cycles[k] / (1U << k);
  return slots;
}

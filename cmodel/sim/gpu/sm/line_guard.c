/* SPDX-License-Identifier: Apache-2.0
 *
 * A line's place is found by hashing, in the next places from there on; what lies behind one that
 * is given up moves up.
 */
#include "line_guard.h"

#include <assert.h>
#include <stdlib.h>

enum { LINE_SHIFT = 7, SLOTS = 2 * LINE_GUARD_MOST };

typedef struct {
  uint64_t line;
  guard_bytes_t stored;
  uint16_t under_way[GUARD_KINDS]; /* of each kind; none of any: free */
} place_t;

struct line_guard {
  unsigned places, taken;
  place_t place[SLOTS];
};

line_guard_t *line_guard_new(unsigned places) {
  line_guard_t *g = calloc(1, sizeof *g);
  if (g) g->places = places;
  return g;
}

void line_guard_free(line_guard_t *g) {
  free(g);
}

static unsigned home(uint64_t line) {
  return (unsigned)((line >> LINE_SHIFT) * UINT64_C(0x9e3779b97f4a7c15) >> 40) % SLOTS;
}

static bool is_free(const place_t *p) {
  return !p->under_way[GUARD_READ] && !p->under_way[GUARD_STORE] && !p->under_way[GUARD_ATOMIC];
}

/* Its place, or the free one where it would be. */
static unsigned find(const line_guard_t *g, uint64_t line) {
  unsigned at = home(line);
  while (!is_free(&g->place[at]) && g->place[at].line != line) at = (at + 1) % SLOTS;
  return at;
}

static bool may_go(const place_t *p, guard_kind_t kind, guard_bytes_t bytes) {
  switch (kind) {
  case GUARD_READ: return !p->under_way[GUARD_STORE] && !p->under_way[GUARD_ATOMIC];
  case GUARD_STORE:
    return !p->under_way[GUARD_READ] && !p->under_way[GUARD_ATOMIC] && !(p->stored.low & bytes.low) &&
           !(p->stored.high & bytes.high);
  default: return is_free(p);
  }
}

bool line_guard_enter(line_guard_t *g, uint64_t line, guard_kind_t kind, guard_bytes_t bytes) {
  place_t *p = &g->place[find(g, line)];
  const bool new = is_free(p);
  if (new ? g->taken == g->places : !may_go(p, kind, bytes)) return false;
  if (new) *p = (place_t){.line = line}, g->taken++;
  p->under_way[kind]++;
  if (kind == GUARD_STORE) p->stored.low |= bytes.low, p->stored.high |= bytes.high;
  return true;
}

static void give_up(line_guard_t *g, unsigned hole) {
  g->taken--;
  for (unsigned at = (hole + 1) % SLOTS; !is_free(&g->place[at]); at = (at + 1) % SLOTS) {
    const unsigned from_home = (at + SLOTS - home(g->place[at].line)) % SLOTS, from_hole = (at + SLOTS - hole) % SLOTS;
    if (from_home < from_hole) continue;
    g->place[hole] = g->place[at];
    g->place[at] = (place_t){0};
    hole = at;
  }
}

void line_guard_leave(line_guard_t *g, uint64_t line, guard_kind_t kind) {
  const unsigned at = find(g, line);
  place_t *p = &g->place[at];
  assert(p->line == line && p->under_way[kind]);
  if (!--p->under_way[kind] && kind == GUARD_STORE) p->stored = (guard_bytes_t){0};
  if (is_free(p)) give_up(g, at);
}

unsigned line_guard_lines(const line_guard_t *g) {
  return g->taken;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of the line guard: open addressing with linear probing. When a place becomes free,
 * later entries of the run move up.
 */
#include "line_guard.h"

#include <assert.h>
#include <stdlib.h>

enum { LINE_SHIFT = 7, SLOTS = 2 * LINE_GUARD_MOST };

typedef struct {
  uint64_t line;
  guard_bytes_t stored;
  uint16_t under_way[GUARD_KINDS]; /* accesses of each kind; all 0: the place is free */
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

/* First place of a line, by a multiplicative hash. */
static unsigned home_slot(uint64_t line) {
  return (unsigned)((line >> LINE_SHIFT) * UINT64_C(0x9e3779b97f4a7c15) >> 40) % SLOTS;
}

static bool is_free(const place_t *p) {
  return !p->under_way[GUARD_READ] && !p->under_way[GUARD_STORE] && !p->under_way[GUARD_ATOMIC];
}

/* The line's place, or the free place where it would go. */
static unsigned find_slot(const line_guard_t *g, uint64_t line) {
  unsigned at = home_slot(line);
  while (!is_free(&g->place[at]) && g->place[at].line != line) at = (at + 1) % SLOTS;
  return at;
}

/* The table of line_guard.h. */
static bool may_enter(const place_t *p, guard_kind_t kind, guard_bytes_t bytes) {
  switch (kind) {
  case GUARD_READ: return !p->under_way[GUARD_STORE] && !p->under_way[GUARD_ATOMIC];
  case GUARD_STORE:
    return !p->under_way[GUARD_READ] && !p->under_way[GUARD_ATOMIC] && !(p->stored.low & bytes.low) &&
           !(p->stored.high & bytes.high);
  default: return is_free(p);
  }
}

/* A free place counts only if the table is not full. SLOTS is twice the limit, so a run always
 * ends. */
bool line_guard_enter(line_guard_t *g, uint64_t line, guard_kind_t kind, guard_bytes_t bytes) {
  place_t *p = &g->place[find_slot(g, line)];
  const bool new = is_free(p);
  if (new ? g->taken == g->places : !may_enter(p, kind, bytes)) return false;
  if (new) *p = (place_t){.line = line}, g->taken++;
  p->under_way[kind]++;
  if (kind == GUARD_STORE) p->stored.low |= bytes.low, p->stored.high |= bytes.high;
  return true;
}

/* Closes the gap: an entry moves into the hole unless its home lies behind the hole. */
static void close_gap(line_guard_t *g, unsigned hole) {
  g->taken--;
  for (unsigned at = (hole + 1) % SLOTS; !is_free(&g->place[at]); at = (at + 1) % SLOTS) {
    const unsigned from_home = (at + SLOTS - home_slot(g->place[at].line)) % SLOTS,
                   from_hole = (at + SLOTS - hole) % SLOTS;
    if (from_home < from_hole) continue;
    g->place[hole] = g->place[at];
    g->place[at] = (place_t){0};
    hole = at;
  }
}

/* Bytes under way are forgotten when the line's last store is over. */
void line_guard_leave(line_guard_t *g, uint64_t line, guard_kind_t kind) {
  const unsigned at = find_slot(g, line);
  place_t *p = &g->place[at];
  assert(p->line == line && p->under_way[kind]);
  if (!--p->under_way[kind] && kind == GUARD_STORE) p->stored = (guard_bytes_t){0};
  if (is_free(p)) close_gap(g, at);
}

unsigned line_guard_lines(const line_guard_t *g) {
  return g->taken;
}

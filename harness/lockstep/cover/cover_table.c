/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of points. Strings are stored once, so points compare by pointers. A hash table finds
 * the row of a point.
 *
 *   object's lines, signals, functional points --cover_map--> rows of the table
 *   device's counters and toggles ------cover_collect-----> counts, rose, fell of these rows
 */
#include "cover_table.h"

#include "cover_auto.h"
#include "cover_where.h"
#include "vhdl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *cover_kind_name(cover_kind_t kind) {
  static const char *const names[] = {"line", "toggle", "functional"};
  return names[kind];
}

void cover_table_free(cover_table_t *t) {
  cover_strings_free(&t->strings);
  free(t->points);
  free(t->slots);
  *t = (cover_table_t){0};
}

/* --- rows */

/* A hash of everything that makes a point. Equal strings have equal addresses. */
static uint64_t hash_point(const cover_point_t *p) {
  uint64_t h = (uintptr_t)p->file ^ (uint64_t)(uintptr_t)p->name << 20;
  h = (h ^ p->kind) * 0x9e3779b97f4a7c15ull;
  h = (h ^ h >> 29 ^ p->line) * 0x9e3779b97f4a7c15ull;
  h = (h ^ h >> 31 ^ (uint64_t)p->column << 32 ^ (unsigned)p->bit) * 0x9e3779b97f4a7c15ull;
  return h ^ h >> 32;
}

/* Is it the same point, perhaps of another instance or set of parameters? */
static bool same_point(const cover_point_t *a, const cover_point_t *b) {
  return a->kind == b->kind && a->file == b->file && a->line == b->line && a->column == b->column &&
         a->name == b->name && a->bit == b->bit;
}

/* Doubles the hash table; at least half of its slots stay free. */
static bool grow_slots(cover_table_t *t) {
  unsigned n = t->num_slots ? t->num_slots * 2 : 1024;
  unsigned *slots = calloc(n, sizeof *slots);
  if (!slots) return false;
  for (unsigned i = 0; i < t->count; i++) {
    unsigned at = hash_point(&t->points[i]) & (n - 1);
    while (slots[at]) at = (at + 1) & (n - 1);
    slots[at] = i + 1;
  }
  free(t->slots);
  t->slots = slots;
  t->num_slots = n;
  return true;
}

/* The slot of a point, or the empty slot for it. The table must have slots. */
static unsigned slot_of(const cover_table_t *t, const cover_point_t *p) {
  unsigned at = hash_point(p) & (t->num_slots - 1);
  while (t->slots[at] && !same_point(&t->points[t->slots[at] - 1], p)) at = (at + 1) & (t->num_slots - 1);
  return at;
}

/* The row of a point, added if it is new; UINT32_MAX: out of memory. */
static unsigned row_of(cover_table_t *t, const cover_point_t *p) {
  if (t->count * 2 >= t->num_slots && !grow_slots(t)) return UINT32_MAX;
  unsigned at = slot_of(t, p);
  if (t->slots[at]) return t->slots[at] - 1;
  if (t->count == t->room) {
    unsigned room = t->room ? 2 * t->room : 512;
    cover_point_t *points = realloc(t->points, room * sizeof *points);
    if (!points) return UINT32_MAX;
    t->points = points;
    t->room = room;
  }
  t->points[t->count] = *p;
  t->slots[at] = ++t->count;
  return t->count - 1;
}

/* A path relative to root; a path elsewhere stays whole. */
static const char *path_below(const char *path, const char *root) {
  size_t n = strlen(root);
  return strncmp(path, root, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

/* --- an object's points */

/* Maps the object's lines and branches to rows of the table. Of VHDL there is logic, and no lines:
 * those points get UINT32_MAX. */
static bool map_lines(cover_map_t *m, const char *root) {
  const dut_point_t *points;
  unsigned n = m->dut->points(&points);
  bool ok = (m->lines = calloc(n + 1, sizeof *m->lines));
  for (unsigned i = 0; i < n && ok; i++) {
    m->lines[i] = UINT32_MAX;
    if (vhdl_is_file(points[i].file)) continue;
    cover_strings_t *s = &m->table->strings;
    cover_point_t p = {.kind = COVER_LINE,
                       .file = cover_string(s, path_below(points[i].file, root)),
                       .line = points[i].line,
                       .column = points[i].column,
                       .name = cover_string(s, points[i].name),
                       .text = cover_string(s, points[i].lines),
                       .bit = -1,
                       .waiver = -1};
    m->lines[i] = row_of(m->table, &p);
    ok = m->lines[i] != UINT32_MAX;
  }
  return ok;
}

/* Maps each bit of a signal to its row. A signal that does not count gets UINT32_MAX. */
static bool map_signal(cover_map_t *m, const dut_signal_t *s, const cover_where_t *where, const char *root,
                       unsigned *bits) {
  cover_place_t place;
  char name[1024], file[4096];
  if (!cover_place(where, s->scope, s->name, &place)) {
    for (unsigned b = 0; b < s->width; b++) bits[b] = UINT32_MAX;
    return true;
  }
  if (s->element >= 0) snprintf(name, sizeof name, "%s%s[%d]", place.scope, s->name, s->element);
  else snprintf(name, sizeof name, "%s%s", place.scope, s->name);
  snprintf(file, sizeof file, "%s", path_below(place.file, root));
  cover_strings_t *strings = &m->table->strings;
  cover_point_t p = {.kind = COVER_TOGGLE,
                     .file = cover_string(strings, file),
                     .line = place.line,
                     .name = cover_string(strings, name),
                     .module = cover_string(strings, place.module),
                     .text = "",
                     .waiver = -1};
  for (unsigned b = 0; b < s->width; b++) {
    p.bit = s->width == 1 ? -1 : s->right + s->step * (int)b;
    if ((bits[b] = row_of(m->table, &p)) == UINT32_MAX) return false;
  }
  return true;
}

/* Maps all signals; m->bits has an entry for each bit, signal after signal. */
static bool map_signals(cover_map_t *m, const cover_where_t *where, const char *root) {
  const dut_signal_t *signals;
  unsigned n = m->dut->signals(&signals), bits = 0;
  for (unsigned i = 0; i < n; i++) bits += signals[i].width;
  bool ok = (m->bits = calloc(bits + 1, sizeof *m->bits));
  for (unsigned i = 0, at = 0; i < n && ok; at += signals[i++].width)
    ok = map_signal(m, &signals[i], where, root, m->bits + at);
  return ok;
}

/* The name of a functional point: "order[read,write]". */
static void cover_name(const dut_cover_t *c, unsigned i, char *buf, size_t size) {
  if (!c->labels[0]) snprintf(buf, size, "%s", c->name);
  else if (!c->labels[1]) snprintf(buf, size, "%s[%s]", c->name, c->labels[0][i]);
  else snprintf(buf, size, "%s[%s,%s]", c->name, c->labels[0][i / c->bins[1]], c->labels[1][i % c->bins[1]]);
}

/* The row of an automatic point. Only the first parameter set adds such points: with other
 * parameters a vector may have one bit by chance. */
static unsigned automatic_row(cover_table_t *t, const cover_point_t *p, bool first) {
  return first || (t->num_slots && t->slots[slot_of(t, p)]) ? row_of(t, p) : UINT32_MAX;
}

/* Maps the port file's points, then the automatic ones. first: this is the first set of
 * parameters. */
static bool map_functional(cover_map_t *m, const char *ports, bool first) {
  cover_strings_t *s = &m->table->strings;
  cover_auto_t automatic;
  char name[512];
  bool ok = cover_auto_open(&automatic, m->dut);
  m->num_functional = m->dut->num_cover_points + automatic.num_points;
  ok = ok && (m->functional = malloc((m->num_functional + 1) * sizeof *m->functional));
  cover_point_t p = {.kind = COVER_FUNCTIONAL, .file = cover_string(s, ports), .bit = -1, .waiver = -1};
  for (unsigned i = 0; ok && i < m->dut->num_covers; i++) {
    const dut_cover_t *c = &m->dut->covers[i];
    for (unsigned k = 0; k < c->bins[0] * c->bins[1]; k++) {
      cover_name(c, k, name, sizeof name);
      p.line = c->line, p.name = cover_string(s, name), p.text = cover_string(s, c->text);
      m->functional[c->first + k] = row_of(m->table, &p);
    }
  }
  for (unsigned i = 0; ok && i < automatic.num_points; i++) {
    const char *text = cover_auto_name(&automatic, i, name, sizeof name);
    p.line = 1, p.name = cover_string(s, name), p.text = cover_string(s, cover_auto_text(&automatic, i));
    m->functional[m->dut->num_cover_points + i] = text ? automatic_row(m->table, &p, first) : UINT32_MAX;
  }
  cover_auto_close(&automatic);
  return ok;
}

bool cover_map(cover_map_t *map, cover_table_t *table, const dut_t *dut, const char *object, const char *ports,
               const char *root, trouble_t *trouble) {
  cover_where_t where;
  const bool first = !table->count;
  *map = (cover_map_t){.dut = dut, .table = table};
  if (!cover_where_read(&where, object, trouble)) return false;
  bool ok =
      map_lines(map, root) && map_signals(map, &where, root) && map_functional(map, path_below(ports, root), first);
  cover_where_free(&where);
  return ok || trouble_memory(trouble);
}

void cover_map_free(cover_map_t *map) {
  free(map->lines);
  free(map->bits);
  free(map->functional);
  *map = (cover_map_t){0};
}

/* --- what was seen */

/* Sets the row's bit, if anybody asks. */
static void mark_seen(uint64_t *seen, unsigned row) {
  if (seen) seen[row / 64] |= 1ull << row % 64;
}

/* Merges the toggles of a device into the table. */
static void collect_toggles(const cover_map_t *m, void *dev, uint64_t *seen) {
  const dut_signal_t *signals;
  dut_toggles_t t;
  const unsigned n = m->dut->signals(&signals), *bits = m->bits;
  m->dut->toggles(dev, &t);
  for (unsigned i = 0; i < n; bits += signals[i++].width) {
    const dut_signal_t *s = &signals[i];
    for (unsigned b = 0; b < s->width; b++) {
      if (bits[b] == UINT32_MAX) continue;
      cover_point_t *p = &m->table->points[bits[b]];
      const bool rose = t.rises[s->first + b / 32] >> b % 32 & 1, fell = t.falls[s->first + b / 32] >> b % 32 & 1;
      p->rose |= rose;
      p->fell |= fell;
      if (rose && fell) mark_seen(seen, bits[b]);
    }
  }
}

void cover_collect(const cover_map_t *m, void *dev, const uint32_t *functional, uint64_t *seen) {
  const dut_point_t *points;
  uint32_t count;
  const unsigned n = m->dut->points(&points);
  const uint32_t *counters = m->dut->counters(dev, &count);
  for (unsigned i = 0; i < n; i++) {
    if (m->lines[i] == UINT32_MAX) continue;
    m->table->points[m->lines[i]].count += counters[points[i].counter];
    if (counters[points[i].counter]) mark_seen(seen, m->lines[i]);
  }
  for (unsigned i = 0; i < m->num_functional; i++) {
    if (m->functional[i] == UINT32_MAX || !functional[i]) continue;
    m->table->points[m->functional[i]].count += functional[i];
    mark_seen(seen, m->functional[i]);
  }
  collect_toggles(m, dev, seen);
  for (unsigned i = 0; i < m->table->count; i++) {
    cover_point_t *p = &m->table->points[i];
    if (p->kind == COVER_TOGGLE ? p->rose && p->fell : p->count > 0) p->state = COVER_HIT;
  }
}

/* Sets the row's bit; 1 if it was not set before. */
static unsigned see_row(uint64_t *seen, unsigned row) {
  const uint64_t bit = 1ull << row % 64;
  const unsigned news = !(seen[row / 64] & bit);
  seen[row / 64] |= bit;
  return news;
}

/* The same for all bits of a signal that rose and fell; 32 bits at a time. */
static unsigned see_signal(const dut_signal_t *s, const dut_toggles_t *t, const unsigned *bits, uint64_t *seen) {
  unsigned n = 0;
  for (unsigned b = 0; b < s->width; b += 32) {
    uint32_t both = t->rises[s->first + b / 32] & t->falls[s->first + b / 32];
    for (; both; both &= both - 1) {
      const unsigned row = bits[b + (unsigned)__builtin_ctz(both)];
      if (row != UINT32_MAX) n += see_row(seen, row);
    }
  }
  return n;
}

unsigned cover_seen(const cover_map_t *m, void *dev, const uint32_t *functional, uint64_t *seen) {
  const dut_point_t *points;
  const dut_signal_t *signals;
  dut_toggles_t t;
  uint32_t count;
  unsigned n = 0, num_points = m->dut->points(&points), num_signals = m->dut->signals(&signals);
  const uint32_t *counters = m->dut->counters(dev, &count);
  for (unsigned i = 0; i < num_points; i++)
    if (m->lines[i] != UINT32_MAX && counters[points[i].counter]) n += see_row(seen, m->lines[i]);
  for (unsigned i = 0; i < m->num_functional; i++)
    if (m->functional[i] != UINT32_MAX && functional[i]) n += see_row(seen, m->functional[i]);
  m->dut->toggles(dev, &t);
  const unsigned *bits = m->bits;
  for (unsigned i = 0; i < num_signals; bits += signals[i++].width) n += see_signal(&signals[i], &t, bits, seen);
  return n;
}

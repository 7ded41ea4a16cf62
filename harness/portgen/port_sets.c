/* SPDX-License-Identifier: Apache-2.0
 *
 * The file is read once, with the fixed settings. A set that keeps ranges and rules, for which the
 * entries get its numbers, is then read as a whole: a width may be none with it.
 */
#include "port_sets.h"
#include "port_choice.h"
#include "port_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIXED_MOST = 64, STEPS = 64, NUMBER = 24 };

static bool split_fixed(port_sets_t *s, const char *fixed) {
  s->fixed = port_take(&s->arena, FIXED_MOST * sizeof *s->fixed);
  for (const char *at = fixed ? fixed : ""; *at; at += strcspn(at, ","), at += *at == ',') {
    if (s->num_fixed == FIXED_MOST) return false;
    s->fixed[s->num_fixed++] = port_copy(&s->arena, at, strcspn(at, ","));
  }
  return true;
}

static bool is_fixed(const port_sets_t *s, const char *name) {
  const size_t n = strlen(name);
  for (unsigned i = 0; i < s->num_fixed; i++)
    if (strncmp(s->fixed[i], name, n) == 0 && s->fixed[i][n] == '=') return true;
  return false;
}

/* The range of a parameter, with the numbers that the entries have now. */
static bool range_of(port_reading_t *c, const port_entry_t *e, long long *least, long long *most) {
  trouble_t trouble;
  *least = 0, *most = port_entry_is(e, "PARAM_TEXT") ? port_choice_count(e) - 1 : 0;
  return port_entry_is(e, "PARAM_TEXT") || (port_expr(port_field(e, "least"), port_name_value, c, least, &trouble) &&
                                            port_expr(port_field(e, "most"), port_name_value, c, most, &trouble));
}

static bool take_params(port_sets_t *s) {
  port_reading_t c = {.file = &s->file};
  for
    EACH(e, &c) {
      port_set_param_t p = {.name = e->args[0], .entry = e};
      if (!port_kind_begins(e, "PARAM")) continue;
      if (s->num_params == PORT_SETS_PARAMS) return false;
      p.value = strtoll(e->number, NULL, 10);
      p.fixed = is_fixed(s, p.name);
      p.seldom = port_take(&s->arena, s->file.text.num_entries);
      range_of(&c, e, &p.least, &p.most);
      s->params[s->num_params++] = p;
    }
  return true;
}

bool port_sets_open(port_sets_t *s, const char *root, const char *ports, const char *fixed, trouble_t *trouble) {
  memset(s, 0, sizeof *s);
  s->ports = port_copy(&s->arena, ports, strlen(ports));
  if (!split_fixed(s, fixed)) return trouble_set(trouble, TROUBLE_INPUT, "%s: too many settings", ports);
  if (!port_tree_read(&s->tree, root, trouble)) return false;
  if (!port_file_read(&s->file, &s->tree, s->ports, s->fixed, s->num_fixed, trouble)) return false;
  return take_params(s) ||
         trouble_set(trouble, TROUBLE_INPUT, "%s: more than %d parameters", ports, (int)PORT_SETS_PARAMS);
}

void port_sets_close(port_sets_t *s) {
  port_file_free(&s->file), port_tree_free(&s->tree);
  port_release(&s->arena);
}

/* Gives an entry another number, in `room`; returns the one that it had. */
static const char *swap_number(port_entry_t *e, long long value, char room[NUMBER]) {
  const char *own = e->number;
  snprintf(room, NUMBER, "%lld", value);
  e->number = room;
  return own;
}

bool port_sets_keep(port_sets_t *s, const long long *values) {
  port_reading_t c = {.file = &s->file};
  char rooms[PORT_SETS_PARAMS][NUMBER];
  const char *own[PORT_SETS_PARAMS];
  for (unsigned i = 0; i < s->num_params; i++) own[i] = swap_number(s->params[i].entry, values[i], rooms[i]);
  bool keeps = port_rules_hold(&c);
  for (unsigned i = 0; keeps && i < s->num_params; i++) {
    long long least, most;
    keeps = range_of(&c, s->params[i].entry, &least, &most) && values[i] >= least && values[i] <= most;
  }
  for (unsigned i = 0; i < s->num_params; i++) s->params[i].entry->number = own[i];
  return keeps;
}

/* "Depth=7"; of a text its word. */
static const char *setting_text(port_arena_t *arena, const port_set_param_t *p, long long value) {
  return port_entry_is(p->entry, "PARAM_TEXT")
             ? port_format(arena, "%s=%s", p->name, port_choice_text(arena, p->entry, (unsigned)value))
             : port_format(arena, "%s=%lld", p->name, value);
}

bool port_sets_allow(port_sets_t *s, const long long *values) {
  const char *settings[PORT_SETS_PARAMS];
  port_arena_t arena = {0};
  port_file_t file;
  trouble_t trouble;
  if (!port_sets_keep(s, values)) return false;
  for (unsigned i = 0; i < s->num_params; i++) settings[i] = setting_text(&arena, &s->params[i], values[i]);
  const bool read = port_file_read(&file, &s->tree, s->ports, settings, s->num_params, &trouble);
  port_file_free(&file);
  port_release(&arena);
  return read;
}

bool port_sets_text(const port_sets_t *s, const long long *values, char *text, size_t size) {
  port_arena_t arena = {0};
  size_t n = 0;
  *text = 0;
  for (unsigned i = 0; i < s->num_fixed && n < size; i++)
    n += (size_t)snprintf(text + n, size - n, "%s%s", n ? "," : "", s->fixed[i]);
  for (unsigned i = 0; i < s->num_params && n < size; i++) {
    const port_set_param_t *p = &s->params[i];
    if (p->fixed || values[i] == p->value) continue;
    n += (size_t)snprintf(text + n, size - n, "%s%s", n ? "," : "", setting_text(&arena, p, values[i]));
  }
  port_release(&arena);
  return n < size;
}

/* ---- widths */

/* The text of a port's or a field's width; NULL: the entry has none. */
static const char *width_text(const port_entry_t *e) {
  if (port_entry_is(e, "FIELD") || port_entry_is(e, "FIELD_V")) return port_field(e, "of");
  return port_is_port(e) ? port_field(e, "width") : NULL;
}

static bool width_at(port_sets_t *s, const port_entry_t *port, port_entry_t *param, long long value, long long *width) {
  port_reading_t c = {.file = &s->file};
  char room[NUMBER];
  trouble_t trouble;
  const char *own = swap_number(param, value, room);
  const bool is = port_expr(width_text(port), port_name_value, &c, width, &trouble);
  param->number = own;
  return is;
}

static bool changes_at(port_sets_t *s, const port_entry_t *port, port_entry_t *param, long long value) {
  long long before, after;
  return width_at(s, port, param, value - 1, &before) && width_at(s, port, param, value, &after) && before != after;
}

enum { SELDOM = 1, OFTEN };

/* True if the width changes at few values: looks at STEPS of them up from the least, once. */
static bool changes_seldom(port_sets_t *s, const port_entry_t *port, port_set_param_t *p) {
  unsigned changes = 0, looked = 0;
  unsigned char *known = &p->seldom[port - s->file.text.entries];
  if (*known) return *known == SELDOM;
  for (long long v = p->least + 1; v <= p->most && looked < STEPS; v++, looked++)
    changes += changes_at(s, port, p->entry, v);
  *known = changes * 3 <= looked ? SELDOM : OFTEN;
  return *known == SELDOM;
}

bool port_sets_step(port_sets_t *s, unsigned param, long long value) {
  port_set_param_t *p = &s->params[param];
  port_reading_t c = {.file = &s->file};
  if (value <= p->least || value > p->most) return false;
  for
    EACH(e, &c)
  if (width_text(e) && changes_at(s, e, p->entry, value) && changes_seldom(s, e, p)) return true;
  return false;
}

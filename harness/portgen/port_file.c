/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks need numbers, so parameters come first. Ports follow in two rounds, because a port may be
 * qualified by a later one.
 */
#include "port_choice.h"
#include "port_names.h"
#include "port_qualifier.h"
#include "port_rules.h"
#include "port_taken.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS_MOST = 64, VECTOR_MOST = 1 << 20, DEPTH_MOST = 64 };

const char *port_field(const port_entry_t *e, const char *name) {
  return port_entry_field(e, name, strlen(name));
}

bool port_kind_begins(const port_entry_t *e, const char *kind) {
  const size_t n = strlen(kind);
  if (port_entry_is(e, "RESET_IN")) return strcmp(kind, "RESET_IN") == 0;     /* it is about an input */
  if (port_entry_is(e, "PARAM_RULE")) return strcmp(kind, "PARAM_RULE") == 0; /* about several parameters */
  return strncmp(e->kind->name, kind, n) == 0 && (!e->kind->name[n] || e->kind->name[n] == '_');
}

bool port_is_input(const port_entry_t *e) {
  return port_kind_begins(e, "IN");
}

bool port_is_port(const port_entry_t *e) {
  return (port_is_input(e) || port_kind_begins(e, "OUT") || port_kind_begins(e, "PROBE")) && port_field(e, "valid");
}

/* A field of a port, which is no port of the RTL. */
static bool is_field_of_port(const port_entry_t *e) {
  return port_is_port(e) && port_field(e, "lsb");
}

static bool is_scalar(const port_entry_t *e) {
  const char *const ending = strchr(e->kind->name, '_');
  return port_is_port(e) && (!ending || strcmp(ending, "_FIELD") == 0);
}

/* ---- the one entry of a kind */

static bool check_single(port_reading_t *c, const char *kind) {
  const port_entry_t *found = NULL;
  for
    EACH(e, c) {
      if (!port_kind_begins(e, kind) || port_is_too(e)) continue;
      if (found) return BAD(c, e, "%s is there twice; the first is in line %u", kind, found->line);
      found = e;
    }
  return found || port_text_bad(&c->file->text, c->file->view.ports, 1,
                                "no %s entry: a port file states KIND, CLOCK and RESET", kind);
}

static bool check_words(port_reading_t *c) {
  for
    EACH(e, c) {
      const char *a = e->args[0], *level = port_field(e, "level"), *sync = port_field(e, "sync");
      if (port_entry_is(e, "KIND") && strcmp(a, "moore") && strcmp(a, "mealy"))
        return BAD(c, e, "KIND(%.80s): moore or mealy", a);
      if (level && ((strcmp(level, "low") && strcmp(level, "high")) || (strcmp(sync, "async") && strcmp(sync, "sync"))))
        return BAD(c, e, "RESET(%.80s, %.80s, %.80s): level low or high, kind async or sync", a, level, sync);
    }
  return true;
}

static bool is_quoted(const char *text) {
  const size_t n = strlen(text);
  return n >= 2 && text[0] == '"' && text[n - 1] == '"' && !strstr(text, "*/");
}

/* ERROR and OFF may name a field or an element: rsp.error, ready[1]. */
static bool is_about_port(const port_entry_t *e) {
  return port_entry_is(e, "ERROR") || port_entry_is(e, "OFF");
}

static size_t dotted_word(const char *text) {
  size_t n = port_word(text);
  for (size_t more = n; n && more; n += more) {
    const size_t digits = text[n] == '[' ? strspn(text + n + 1, "0123456789") : 0, word = port_word(text + n + 1);
    more = digits && text[n + 1 + digits] == ']' ? digits + 2 : 0;
    if (text[n] == '.' && word) more = word + 1;
  }
  return n;
}

static bool check_texts(port_reading_t *c) {
  for
    EACH(e, c) {
      const char *text = port_field(e, "text");
      if (text && !is_quoted(text))
        return BAD(c, e, "%s(%.80s, ...): the text %.80s should be in quotes, without */", e->kind->name, e->args[0],
                   text);
      if (port_entry_is(e, "PARAM_RULE")) continue; /* an expression, no name */
      const size_t n = is_about_port(e) ? dotted_word(e->args[0]) : port_word(e->args[0]);
      if ((isalpha((unsigned char)*e->args[0]) || e->args[0][0] == '_') && !e->args[0][n]) continue;
      return BAD(c, e, "%s(%.80s, ...): `%.80s` should be a name: letters, digits and _, a letter first", e->kind->name,
                 e->args[0], e->args[0]);
    }
  return true;
}

/* ---- numbers */

port_entry_t *port_find_entry(port_reading_t *c, const char *kind, const char *name, size_t length) {
  for
    EACH(e, c)
  if (port_kind_begins(e, kind) && strncmp(e->args[0], name, length) == 0 && !e->args[0][length]) return e;
  return NULL;
}

static const char *find_setting(const port_reading_t *c, const char *name) {
  const size_t n = strlen(name);
  const char *value = NULL;
  for (unsigned i = 0; i < c->num_settings; i++)
    if (strncmp(c->settings[i], name, n) == 0 && c->settings[i][n] == '=') value = c->settings[i] + n + 1;
  return value;
}

/* The text of a name's value; NULL: unknown name. */
static const char *value_text(port_reading_t *c, const char *name, size_t length) {
  const port_entry_t *param = port_find_entry(c, "PARAM", name, length);
  const port_entry_t *constant = param ? NULL : port_view_name(&c->file->view, "NAME", name, length);
  const char *set = param && !param->number ? find_setting(c, param->args[0]) : NULL;
  if (param && param->number) return param->number;
  if (param && port_entry_is(param, "PARAM_TEXT")) return NULL; /* it stands below */
  if (set || param) return set ? set : port_field(param, "value");
  return constant ? port_field(constant, "value") : NULL;
}

bool port_name_value(void *context, const char *name, size_t length, long long *value, trouble_t *trouble) {
  port_reading_t *c = context;
  const char *text = value_text(c, name, length);
  const int n = length < 80 ? (int)length : 80;
  if (!text)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "%.*s is no parameter of this file and no constant of a list; PARAM(%.*s, ...) declares one", n,
                       name, n, name);
  if (c->depth >= DEPTH_MOST) return trouble_set(trouble, TROUBLE_INPUT, "%.*s is made of itself", n, name);
  c->depth++;
  const bool ok = port_expr(text, port_name_value, c, value, trouble);
  c->depth--;
  return ok;
}

bool port_eval_number(port_reading_t *c, const port_entry_t *e, const char *what, const char *text, long long *value) {
  trouble_t trouble = {0};
  if (port_expr(text, port_name_value, c, value, &trouble)) return true;
  return BAD(c, e, "%s(%.80s, ...): the %s should be a number: %s", e->kind->name, e->args[0], what, trouble.text);
}

static void keep_number(port_reading_t *c, port_entry_t *e, long long value) {
  e->number = port_format(&c->file->text.arena, "%lld", value);
}

/* Parses a setting, a decimal number. */
static bool parse_whole(const char *text, long long *value) {
  char *end;
  errno = 0;
  *value = strtoll(text, &end, 10);
  return !errno && !*end && isdigit((unsigned char)text[*text == '-']);
}

/* The value, from a setting or the default, must be in range. */
static bool check_param(port_reading_t *c, port_entry_t *e) {
  const char *name = e->args[0], *set = find_setting(c, name), *text = port_field(e, "text");
  trouble_t *trouble = &c->file->text.trouble;
  long long value, least, most;
  if (port_entry_is(e, "PARAM_TEXT")) return port_choice_check(c, e, set);
  if (!port_eval_number(c, e, "least value", port_field(e, "least"), &least) ||
      !port_eval_number(c, e, "most value", port_field(e, "most"), &most))
    return false;
  if (set && !parse_whole(set, &value))
    return trouble_set(trouble, TROUBLE_INPUT, "%s = %.200s: a whole number from %lld to %lld (%.200s)", name, set,
                       least, most, text);
  if (!set && !port_eval_number(c, e, "value", port_field(e, "value"), &value)) return false;
  if (set && (value < least || value > most))
    return trouble_set(trouble, TROUBLE_INPUT, "%s = %.200s: from %lld to %lld (%.200s)", name, set, least, most, text);
  if (value < least || value > most)
    return BAD(c, e, "PARAM(%s, ...): the value %lld should be from the least, %lld, to the most, %lld", name, value,
               least, most);
  keep_number(c, e, value);
  return true;
}

static bool check_params(port_reading_t *c) {
  for
    EACH(e, c)
  if (port_kind_begins(e, "PARAM")) {
    const char *whose = port_text_kind(&c->file->text, e->args[0], strlen(e->args[0])) ? "a word of port files"
                                                                                       : port_taken(e->args[0]);
    if (port_find_entry(c, "PARAM", e->args[0], strlen(e->args[0])) != e)
      return BAD(c, e, "%s is there twice", e->args[0]);
    if (whose)
      return BAD(c, e,
                 "%s(%s, ...): the model has it as a macro, and the name is %s; %s(%s_, ...) here and "
                 "`parameters: {%s: %s_}` in X.yaml would be right",
                 e->kind->name, e->args[0], whose, e->kind->name, e->args[0], e->args[0], e->args[0]);
    if (!check_param(c, e)) return false;
  }
  return true;
}

/* Every setting must name a parameter. */
static bool check_settings(port_reading_t *c) {
  for (unsigned i = 0; i < c->num_settings; i++) {
    const size_t n = strcspn(c->settings[i], "=");
    port_buffer_t all = {0};
    if (port_find_entry(c, "PARAM", c->settings[i], n)) continue;
    port_add(&all, "", 0);
    for
      EACH(e, c)
    if (port_kind_begins(e, "PARAM")) port_add_text(&all, all.size ? ", " : ""), port_add_text(&all, e->args[0]);
    const char *names = port_keep(&c->file->text.arena, &all);
    return trouble_set(&c->file->text.trouble, TROUBLE_INPUT, "%s: no parameter %.*s; it has: %.600s",
                       c->file->view.ports, (int)n, c->settings[i], names);
  }
  return true;
}

/* ---- ports */

const char *port_entry_suffix(const port_entry_t *e) {
  if (port_is_input(e)) return "_i";
  return port_is_port(e) ? "_o" : "";
}

bool port_entry_is_pin(const port_entry_t *e) {
  return (port_is_port(e) && !is_field_of_port(e)) || port_entry_is(e, "CLOCK") || port_entry_is(e, "RESET") ||
         port_is_too(e);
}

/* True if both ports have the same name in the RTL. */
static bool same_rtl_name(const port_entry_t *a, const port_entry_t *b) {
  const char *const sa = port_entry_suffix(a), *const sb = port_entry_suffix(b);
  const size_t la = strlen(a->args[0]), lb = strlen(b->args[0]);
  if (la + strlen(sa) != lb + strlen(sb)) return false;
  if (la == lb) return strcmp(sa, sb) == 0 && strcmp(a->args[0], b->args[0]) == 0;
  const char *const longer = la > lb ? a->args[0] : b->args[0], *const shorter = la > lb ? b->args[0] : a->args[0];
  const size_t n = strlen(shorter);
  return strncmp(longer, shorter, n) == 0 && strcmp(longer + n, la > lb ? sb : sa) == 0;
}

/* Two pins must not have one name in the RTL. */
static bool check_twice(port_reading_t *c) {
  for
    EACH(e, c) {
      if (!port_entry_is_pin(e)) continue;
      for (const port_entry_t *before = c->file->text.entries; before < e; before++)
        if (port_entry_is_pin(before) && same_rtl_name(before, e))
          return BAD(c, e, "%s is there twice; the first is in line %u", e->args[0], before->line);
    }
  return true;
}

static bool check_struct(port_reading_t *c, const port_entry_t *e, const char **width) {
  const char *type = port_field(e, "type");
  const port_entry_t *of = port_view_name(&c->file->view, "STRUCT", type, strlen(type));
  if (!of)
    return BAD(c, e,
               "%s(%s, ...): there is no struct %.80s in the lists of rtl/, and no FIELD, ENUM or ARRAY of it here",
               e->kind->name, e->args[0], type);
  *width = port_field(of, "width");
  return true;
}

/* n elements: the width is that of all. The qualifying port has a bit for each element. */
static bool check_elements(port_reading_t *c, const port_entry_t *e, long long *width) {
  long long n;
  const int kind = (int)strcspn(e->kind->name, "_");
  if (!port_eval_number(c, e, "number of elements", port_field(e, "n"), &n)) return false;
  if (n < 1 || n > ELEMENTS_MOST)
    return BAD(c, e, "%s(%s, ...): %.80s is %lld: from 1 to %d elements", e->kind->name, e->args[0], port_field(e, "n"),
               n, ELEMENTS_MOST);
  if (*width > VECTOR_MOST / n)
    return BAD(c, e, "%s(%s, ...): %lld elements of %lld bits: a port has 1 to %d bits", e->kind->name, e->args[0], n,
               *width, VECTOR_MOST);
  if (strcmp(port_field(e, "valid"), "always") == 0)
    return BAD(c, e,
               "%s(%s, ...): is qualified by a port with a bit for each element; %.*s_V is for what is always valid",
               e->kind->name, e->args[0], kind, e->kind->name);
  *width *= n;
  return true;
}

static bool check_width(port_reading_t *c, port_entry_t *e) {
  const char *text = port_field(e, "width");
  const long long most = is_scalar(e) ? PORT_SCALAR_MOST : VECTOR_MOST;
  long long width;
  if (!text && !check_struct(c, e, &text)) return false;
  if (!port_eval_number(c, e, "width", text, &width)) return false;
  if (is_scalar(e) && (width < 1 || width > most))
    return BAD(c, e, "%s(%s, ...): %.80s is %lld: a scalar port has 1 to 64 bits; %s_V is for more", e->kind->name,
               e->args[0], text, width, e->kind->name);
  if (width < 1 || width > most)
    return BAD(c, e, "%s(%s, ...): %.80s is %lld: a port has 1 to %lld bits", e->kind->name, e->args[0], text, width,
               most);
  if (port_field(e, "n") && !check_elements(c, e, &width)) return false;
  keep_number(c, e, width);
  return true;
}

/* Where C reads the file, IN_V can be a macro for IN: a port of that name would be another one. */
static bool check_words_of_ports(port_reading_t *c) {
  for
    EACH(e, c)
  if (port_entry_is_pin(e) && port_text_kind(&c->file->text, e->args[0], strlen(e->args[0])))
    return BAD(c, e,
               "%s is a word of port files; %s(%s_, ...) here and its name in the RTL under `ports` of X.yaml "
               "would be right",
               e->args[0], e->kind->name, e->args[0]);
  return true;
}

/* RESET(none, cycles), and what a block without a clock may say. */
static bool check_clocking(port_reading_t *c) {
  port_entry_t *none = port_find_entry(c, "CLOCK_none", "none", 4),
               *unreset = port_find_entry(c, "RESET_none", "none", 4);
  const port_entry_t *moore = port_find_entry(c, "KIND", "moore", 5);
  long long cycles = 0;
  if (unreset && !port_eval_number(c, unreset, "number of cycles", port_field(unreset, "cycles"), &cycles))
    return false;
  if (cycles < 0 || cycles > PORT_UNCOMPARED_MOST)
    return BAD(c, unreset, "RESET(none, %lld): from 0 to %d cycles after power-up are not compared", cycles,
               PORT_UNCOMPARED_MOST);
  if (unreset) keep_number(c, unreset, cycles);
  if (!none) return true;
  if (moore)
    return BAD(c, moore, "KIND(moore): the outputs of a block without a clock depend on its inputs: KIND(mealy)");
  for
    EACH(e, c)
  if (port_kind_begins(e, "RESET") && (e != unreset || cycles))
    return BAD(c, e, "a block without a clock has no state to reset: RESET(none, 0)");
  return true;
}

/* An input that counts in a reset: it always has a meaning, and there is a reset. */
static bool check_reset_in(port_reading_t *c, const port_entry_t *e) {
  const char *name = e->args[0];
  const port_entry_t *in = port_find_entry(c, "IN", name, strlen(name));
  if (!in || is_field_of_port(in)) return BAD(c, e, "RESET_IN(%s): no IN of that name is in this file", name);
  if (strcmp(port_field(in, "valid"), "always"))
    return BAD(c, e, "RESET_IN(%s): it is qualified by %.80s, and there is a value in each reset: always", name,
               port_field(in, "valid"));
  if (port_find_entry(c, "RESET_none", "none", 4) || port_find_entry(c, "RESET_initial", "initial", 7))
    return BAD(c, e, "RESET_IN(%s): the block has no reset", name);
  return port_find_entry(c, "RESET_IN", name, strlen(name)) == e || BAD(c, e, "RESET_IN(%s) is there twice", name);
}

static bool check_ports(port_reading_t *c) {
  if (!check_twice(c) || !check_words_of_ports(c)) return false;
  for
    EACH(e, c)
  if (port_is_port(e) && !check_width(c, e)) return false;
  if (!port_check_qualifiers(c)) return false;
  for
    EACH(e, c) {
      bool found = !port_entry_is(e, "ERROR");
    for
      EACH(o, c) found |= port_is_port(o) && port_kind_begins(o, "OUT") && strcmp(o->args[0], e->args[0]) == 0;
    if (!found) return BAD(c, e, "ERROR(%s): no OUT of that name is in this file", e->args[0]);
    if (port_entry_is(e, "RESET_IN") && !check_reset_in(c, e)) return false;
    }
  return true;
}

/* ---- coverage */

static bool check_axis(port_reading_t *c, const port_entry_t *cross, const char *name) {
  for (const port_entry_t *e = c->file->text.entries; e < cross; e++)
    if (port_entry_is(e, "COVER_AXIS") && strcmp(e->args[0], name) == 0) return true;
  return BAD(c, cross, "%s(%s): %.80s is no COVER_AXIS before it", cross->kind->name, cross->args[0], name);
}

static bool check_cover(port_reading_t *c, const port_entry_t *e) {
  const char *name = e->args[0];
  if (!islower((unsigned char)*name) || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")])
    return BAD(c, e, "%s(%s): a name is lower case, a letter first", e->kind->name, name);
  for (const port_entry_t *before = c->file->text.entries; before < e; before++)
    if (port_kind_begins(before, "COVER") && strcmp(before->args[0], name) == 0)
      return BAD(c, e, "coverage entry %s is there twice", name);
  if (port_entry_is(e, "COVER_CROSS") &&
      (!check_axis(c, e, port_field(e, "a")) || !check_axis(c, e, port_field(e, "b"))))
    return false;
  if (!port_entry_is(e, "COVER_AXIS")) return true;
  if (e->num_args == e->kind->num_fields)
    return BAD(c, e, "COVER_AXIS(%s, ...): a label for each value of the index should follow the text", name);
  for (unsigned i = e->kind->num_fields; i < e->num_args; i++)
    if (!is_quoted(e->args[i]))
      return BAD(c, e, "COVER_AXIS(%s, ...): the label %.80s should be in quotes", name, e->args[i]);
  return true;
}

static bool check_covers(port_reading_t *c) {
  for
    EACH(e, c)
  if (port_kind_begins(e, "COVER") && !check_cover(c, e)) return false;
  return true;
}

/* ---- families */

static bool names_family(const port_view_t *names, const char *arg) {
  for (size_t n; *arg; arg += n) {
    n = port_token(arg);
    if (port_view_name(names, "NAME", arg, n) || port_view_name(names, "STRUCT", arg, n)) return true;
  }
  return false;
}

/* A family counts as used if the file has any of its names; its headers are then included. */
static void see_families(port_reading_t *c) {
  port_view_t *view = &c->file->view;
  for (unsigned i = 0; i < c->file->tree->num_families; i++) {
    const port_text_t *names = &c->file->tree->families[i].names;
    const port_view_t alone = {.names = {names}, .num_names = 1};
    bool used = false;
    for
      EACH(e, c)
    for (unsigned k = 0; k < e->num_args && !used; k++) used = names_family(&alone, e->args[k]);
    if (used) view->texts[view->num_texts++] = names;
  }
}

/* ---- all of it */

static const char *block_name_of(port_arena_t *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  return port_copy(arena, name, strcspn(name, "."));
}

static bool read_entries(port_file_t *f, const char *path) {
  static const char here[] = "#define PORTGEN\n"; /* where the kinds differ for C */
  const char *kinds = port_format(&f->text.arena, "%s/harness/portgen/gen/ports_begin.h", f->tree->root);
  int n = 0;
  for (unsigned i = 0; i < f->tree->num_families && n < PORT_INCLUDES; i++)
    f->text.folders[n++] = port_format(&f->text.arena, "%s/rtl/%s", f->tree->root, f->tree->families[i].name);
  return port_text_parse(&f->text, "", here, true) && port_text_read(&f->text, kinds, true) &&
         port_text_read(&f->text, path, false);
}

/* ---- names in the RTL */

static void keep_pins(port_reading_t *c, bool bare) {
  for
    EACH(e, c)
  if (port_kind_begins(e, "PARAM")) e->pin = e->args[0];
  else if (port_entry_is_pin(e))
    e->pin = port_format(&c->file->text.arena, "%s%s", e->args[0], bare ? "" : port_entry_suffix(e));
}

/* The port whose default name in the RTL is `name`; else the clock or reset of that name. */
static port_entry_t *entry_called(port_reading_t *c, const char *name, size_t length) {
  for
    EACH(e, c) {
      const size_t n = port_is_port(e) ? strlen(e->args[0]) : 0;
      if (n && n + 2 == length && strncmp(e->args[0], name, n) == 0 && strncmp(name + n, port_entry_suffix(e), 2) == 0)
        return e;
    }
  port_entry_t *clock = port_find_entry(c, "CLOCK", name, length);
  return clock ? clock : port_find_entry(c, "RESET", name, length);
}

/* Two pins must not have one name after renaming. */
static bool check_pins(port_reading_t *c) {
  for
    EACH(e, c)
  if (e->pin)
    for (const port_entry_t *before = c->file->text.entries; before < e; before++)
      if (before->pin && port_entry_is_pin(before) == port_entry_is_pin(e) && strcmp(before->pin, e->pin) == 0)
        return BAD(c, e, "%s is %s in the RTL, and so is %s", e->args[0], e->pin, before->args[0]);
  return true;
}

bool port_file_pins(port_file_t *f, const char *const *pins, unsigned num_pins, bool bare, trouble_t *trouble) {
  port_reading_t c = {.file = f};
  bool ok = true;
  keep_pins(&c, bare);
  for (unsigned i = 0; ok && i < num_pins; i++) {
    const char *equals = strchr(pins[i], '=');
    port_entry_t *e = equals ? entry_called(&c, pins[i], (size_t)(equals - pins[i])) : NULL;
    if (e) e->pin = port_format(&f->text.arena, "%s", equals + 1);
    else
      ok = port_text_bad(&f->text, f->view.ports, 1,
                         "no port %.*s is in this file, as which the RTL's %.200s is named; "
                         "inputs have _i behind their names, outputs _o, clock and reset nothing",
                         (int)strcspn(pins[i], "="), pins[i], equals ? equals + 1 : "");
  }
  ok = ok && check_pins(&c);
  if (!ok) *trouble = f->text.trouble;
  return ok;
}

bool port_file_params(port_file_t *f, const char *const *names, unsigned num_names, trouble_t *trouble) {
  port_reading_t c = {.file = f};
  for (unsigned i = 0; i < num_names; i++) {
    const size_t n = strcspn(names[i], "=");
    port_entry_t *e = port_find_entry(&c, "PARAM", names[i], n);
    if (!e) {
      port_text_bad(&f->text, f->view.ports, 1, "no PARAM %.*s is in this file, as which the RTL's %.200s is named",
                    (int)n, names[i], names[i] + n + (names[i][n] == '='));
      return *trouble = f->text.trouble, false;
    }
    e->pin = port_format(&f->text.arena, "%s", names[i] + n + 1);
  }
  return true;
}

bool port_file_read(port_file_t *f, port_tree_t *tree, const char *path, const char *const *settings,
                    unsigned num_settings, trouble_t *trouble) {
  port_reading_t c = {.file = f, .settings = settings, .num_settings = num_settings};
  char stem[PORT_NAME];
  *f = (port_file_t){.tree = tree};
  f->view = (port_view_t){.texts = {&f->text}, .num_texts = 1};
  f->view.ports = port_copy(&f->text.arena, path, strlen(path));
  f->view.block = block_name_of(&f->text.arena, path);
  port_name_stem(f->view.block, stem);
  f->view.stem = port_copy(&f->text.arena, stem, strlen(stem));
  for (unsigned i = 0; i < tree->num_families; i++) f->view.names[f->view.num_names++] = &tree->families[i].names;
  const bool ok = read_entries(f, path) && check_words(&c) && check_texts(&c) && check_single(&c, "KIND") &&
                  port_take_clocks(&c) && check_single(&c, "CLOCK") && check_single(&c, "RESET") &&
                  check_settings(&c) && check_params(&c) && port_check_rules(&c) && check_clocking(&c) &&
                  port_expand_fields(&c) && check_ports(&c) && port_check_offs(&c) && check_covers(&c);
  if (ok) see_families(&c), keep_pins(&c, false);
  else *trouble = f->text.trouble;
  return ok;
}

void port_file_free(port_file_t *f) {
  port_text_free(&f->text);
}

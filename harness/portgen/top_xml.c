/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads Verilator's XML line by line: each element is on a line of its own. Types come after the
 * modules, so values are decoded at the end.
 */
#include "top_xml.h"

#include "entities.h"
#include "port_memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES = 65536, CHAIN = 16, PARAMS = 1024, BITS = 64 };

typedef struct {
  top_xml_t *top;
  unsigned type[PARAMS];      /* type id of each parameter */
  char *files[TOP_XML_FILES]; /* file names by number */
  top_xml_place_t at;
  bool open; /* a parameter's value is on the next line */
} reader_t;

bool top_xml_attribute(const char *line, const char *name, char *value, size_t size) {
  char start[64];
  snprintf(start, sizeof start, " %s=\"", name);
  const char *at = strstr(line, start);
  *value = 0;
  if (!at) return false;
  at += strlen(start);
  snprintf(value, size, "%.*s", (int)strcspn(at, "\""), at);
  return true;
}

bool top_xml_name(const char *line, char *name, size_t size) {
  const bool there = top_xml_attribute(line, "name", name, size);
  entities_decode(name);
  return there;
}

unsigned top_xml_number(const char *line, const char *name) {
  char text[32];
  return top_xml_attribute(line, name, text, sizeof text) ? (unsigned)strtoul(text, NULL, 10) : 0;
}

/* What a line does to the depth: 1, it opens an element; -1, it closes one; 0, neither. */
static int nesting(const char *line) {
  const size_t n = strlen(line);
  if (line[0] != '<' || n < 3) return 0;
  if (line[1] == '/') return -1;
  return line[n - 2] == '/' || strstr(line, "</") ? 0 : 1;
}

bool top_xml_follow(top_xml_place_t *at, const char *line) {
  char top[8];
  if (strncmp(line, "<module ", 8) == 0) {
    *at = (top_xml_place_t){.inside = top_xml_attribute(line, "topModule", top, sizeof top)};
    return false;
  }
  if (strncmp(line, "</module", 8) == 0) at->inside = false;
  if (!at->inside) return false;
  const int step = nesting(line);
  const bool child = step >= 0 && !at->depth;
  at->depth += step;
  return child;
}

/* Files are numbered a, b ... z, aa, ab ...: a number with base 26. */
unsigned top_xml_file(const char *place) {
  unsigned n = 0;
  for (; *place >= 'a' && *place <= 'z' && n < TOP_XML_FILES; place++) n = n * 26 + (unsigned)(*place - 'a') + 1;
  return n < TOP_XML_FILES ? n : 0;
}

/* Notes the name of a file by its number. */
static void take_file(reader_t *r, const char *line) {
  char id[16], name[4096];
  if (!top_xml_attribute(line, "id", id, sizeof id) || !top_xml_attribute(line, "filename", name, sizeof name)) return;
  const unsigned n = top_xml_file(id);
  if (!r->files[n]) r->files[n] = strdup(strrchr(name, '/') ? strrchr(name, '/') + 1 : name);
}

/* Reads a parameter: name, type and place. Its value follows in a <const> element. */
static void take_param(reader_t *r, const char *line) {
  char text[64];
  if (!top_xml_attribute(line, "param", text, sizeof text) || r->top->num_params == PARAMS) return;
  r->type[r->top->num_params] = top_xml_number(line, "dtype_id");
  top_xml_param_t *p = &r->top->params[r->top->num_params++];
  top_xml_name(line, p->name, sizeof p->name);
  if (top_xml_attribute(line, "loc", text, sizeof text) && strchr(text, ',')) {
    const char *file = r->files[top_xml_file(text)];
    snprintf(p->place, sizeof p->place, "%.400s:%u", file ? file : "",
             (unsigned)strtoul(strchr(text, ',') + 1, NULL, 10));
  }
  r->open = true;
}

/* Reads a type: a vector with width and sign, or another name of a type. */
static void take_type(reader_t *r, const char *line) {
  static const char *const others[] = {"real", "string", "shortreal", "event", "chandle"};
  char left[32], right[32], name[32];
  const unsigned id = top_xml_number(line, "id");
  if (!id || id >= TYPES) return;
  top_xml_type_t *t = &r->top->types[id];
  if (strncmp(line, "<basicdtype ", 12) == 0) {
    const bool vector =
        top_xml_attribute(line, "left", left, sizeof left) && top_xml_attribute(line, "right", right, sizeof right);
    t->width = vector ? (unsigned)labs(strtol(left, NULL, 10) - strtol(right, NULL, 10)) + 1 : 1;
    t->is_signed = strstr(line, " signed=\"true\"") != NULL;
    top_xml_attribute(line, "name", name, sizeof name);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
      if (strcmp(name, others[i]) == 0) t->width = 0;
  } else if (strncmp(line, "<refdtype ", 10) == 0 || strncmp(line, "<enumdtype ", 11) == 0)
    t->of = top_xml_number(line, "sub_dtype_id");
}

/* Handles one line, by its element. */
static void take_line(reader_t *r, const char *line) {
  line += strspn(line, " ");
  const bool child = top_xml_follow(&r->at, line);
  if (strncmp(line, "<file ", 6) == 0) take_file(r, line);
  else if (r->open && strncmp(line, "<const ", 7) == 0) {
    top_xml_param_t *p = &r->top->params[r->top->num_params - 1];
    top_xml_attribute(line, "name", p->text, sizeof p->text);
    r->open = false;
  } else if (child && strncmp(line, "<var ", 5) == 0) take_param(r, line);
  else if (strstr(line, "dtype ") && strstr(line, " id=\"")) take_type(r, line);
}

/* ---- values */

top_xml_type_t top_xml_type(const top_xml_t *top, unsigned id) {
  unsigned steps = 0;
  while (id < TYPES && top->types[id].of && steps++ < CHAIN) id = top->types[id].of;
  return id < TYPES ? top->types[id] : (top_xml_type_t){0};
}

/* True if all bits above the lowest 64 equal `ones`. */
static bool bits_above_are(const char *digits, size_t count, unsigned width, bool ones) {
  for (size_t i = 0; i + BITS / 4 < count; i++) {
    const unsigned bits = i || width % 4 == 0 ? 4 : width % 4;
    const char digit = digits[i], *all = "137f" + bits - 1;
    if (digit != (ones ? *all : '0')) return false;
  }
  return !ones || count == (width + 3) / 4;
}

/* Decodes hexadecimal digits: "fd" of "8'hfd". False: x or z digits, or more than 64 bits. */
static bool parse_value(const char *digits, top_xml_param_t *p) {
  const size_t count = strspn(digits, "0123456789abcdef"), low = count > BITS / 4 ? count - BITS / 4 : 0;
  if (!count || digits[count]) return false; /* x, z */
  const uint64_t bits = strtoull(digits + low, NULL, 16);
  const unsigned unused = p->width < BITS ? BITS - p->width : 0;
  p->value = p->is_signed ? (long long)(bits << unused) >> unused : (long long)bits;
  return bits_above_are(digits, count, p->width, p->is_signed && p->value < 0) && (p->is_signed || p->value >= 0);
}

/* Decodes a value: "32'sh4", a real "7" or "-2.5"; a text "&quot;a&quot;" is no number. */
static void set_value(top_xml_param_t *p, top_xml_type_t type) {
  const char *quote = strstr(p->text, "&apos;"), *h = quote ? strchr(quote + 6, 'h') : NULL;
  char *end;
  p->width = type.width, p->is_signed = type.is_signed;
  if (h) {
    if (!p->width) p->width = (unsigned)strtoul(p->text, NULL, 10); /* a struct, an array: its bits */
    p->number = parse_value(h + 1, p);
    p->width = type.width;
    return;
  }
  const double real = strtod(p->text, &end);
  p->number = *p->text && !*end && real >= -0x1p53 && real <= 0x1p53 && real == (double)(long long)real;
  p->value = p->number ? (long long)real : 0;
}

void top_xml_free(top_xml_t *top) {
  free(top->params), free(top->types);
  *top = (top_xml_t){0};
}

bool top_xml_read(top_xml_t *top, const char *path) {
  *top = (top_xml_t){.params = calloc(PARAMS, sizeof *top->params), .types = calloc(TYPES, sizeof *top->types)};
  reader_t *r = calloc(1, sizeof *r);
  size_t size;
  char *text = r && top->params && top->types ? port_read_text(path, &size) : NULL, *rest = NULL;
  if (text) r->top = top;
  for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest))
    take_line(r, line);
  for (unsigned i = 0; i < top->num_params; i++) set_value(&top->params[i], top_xml_type(top, r->type[i]));
  for (int i = 0; r && i < TOP_XML_FILES; i++) free(r->files[i]);
  free(text), free(r);
  if (!text) top_xml_free(top);
  return text;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The probe has the entity's own generic clause, so that ghdl computes each default as the entity
 * has it: of other generics, of constants and functions of packages.
 */
#include "vhdl_generics.h"

#include "file.h"
#include "vhdl_scan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- reading */

typedef struct {
  vhdl_generics_t *g;
  vhdl_text_t t;
  trouble_t *trouble;
  const char *path, *clause; /* clause: where it begins in the text */
} reader_t;

static bool is(const reader_t *r, const char *word) {
  return strcmp(r->t.word, word) == 0;
}

/* Library and use clauses directly before the entity; returns at its name. False: no entity. */
static bool find_entity(reader_t *r, const char *entity) {
  const char *clauses = NULL, *begin;
  bool start = true;
  while (vhdl_word(&r->t)) {
    begin = r->t.begin;
    const bool clause = start && (is(r, "library") || is(r, "use") || is(r, "context"));
    if (start && is(r, "entity") && vhdl_word(&r->t) && strcasecmp(r->t.word, entity) == 0) {
      if (clauses) r->g->context = strndup(clauses, (size_t)(begin - clauses));
      return true;
    }
    if (clause && !clauses) clauses = begin;
    else if (start && !clause) clauses = NULL;
    start = is(r, ";");
  }
  return false;
}

static vhdl_kind_t kind_of(const char *mark) {
  static const struct {
    const char *mark;
    vhdl_kind_t kind;
  } marks[] = {{"integer", VHDL_INTEGER},
               {"natural", VHDL_INTEGER},
               {"positive", VHDL_INTEGER},
               {"boolean", VHDL_BOOLEAN},
               {"std_logic", VHDL_BIT},
               {"std_ulogic", VHDL_BIT},
               {"bit", VHDL_BIT},
               {"unsigned", VHDL_VECTOR},
               {"signed", VHDL_VECTOR},
               {"std_logic_vector", VHDL_VECTOR},
               {"bit_vector", VHDL_VECTOR},
               {"u_unsigned", VHDL_VECTOR},
               {"std_ulogic_vector", VHDL_VECTOR},
               {"u_signed", VHDL_VECTOR}};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (strcmp(mark, marks[i].mark) == 0) return marks[i].kind;
  return VHDL_OTHER;
}

/* Goes to the `;` or `)` that ends the declaration, and notes whether there is a default. */
static bool to_end(reader_t *r, bool *has_default) {
  unsigned deep = 0; /* brackets */
  while (vhdl_word(&r->t)) {
    if (!deep && (is(r, ";") || is(r, ")"))) return true;
    if (is(r, "(")) deep++;
    if (is(r, ")")) deep--;
    if (!deep && is(r, ":") && *r->t.at == '=') *has_default = true;
  }
  return false;
}

/* The last name of "ieee.std_logic_1164.std_logic"; the rest is the declaration's end. */
static bool read_mark(reader_t *r, char mark[VHDL_NAME]) {
  if (!vhdl_word(&r->t) || (is(r, "in") && !vhdl_word(&r->t))) return false;
  snprintf(mark, VHDL_NAME, "%.100s", r->t.word);
  for (vhdl_text_t next = r->t; vhdl_word(&next) && strcmp(next.word, ".") == 0;) {
    if (!vhdl_word(&next)) return false;
    r->t = next;
    snprintf(mark, VHDL_NAME, "%.100s", r->t.word);
  }
  return true;
}

/* "A, B : natural range 0 to 7 := 3", with its end. */
static bool read_names(reader_t *r) {
  vhdl_generics_t *g = r->g;
  const unsigned first = g->count;
  char mark[VHDL_NAME];
  bool has_default = false;
  do {
    if (is(r, "constant") || is(r, ",")) {
      if (!vhdl_word(&r->t)) return false;
      continue;
    }
    if (g->count == VHDL_GENERICS)
      return trouble_set(r->trouble, TROUBLE_INPUT, "%s:%u: more than %d generics", r->path, r->t.line, VHDL_GENERICS);
    vhdl_generic_t *one = &g->at[g->count++];
    *one = (vhdl_generic_t){.line = r->t.line};
    snprintf(one->name, sizeof one->name, "%.*s", (int)strlen(r->t.word), r->t.begin);
    if (!vhdl_word(&r->t)) return false;
  } while (!is(r, ":"));
  if (!read_mark(r, mark) || !to_end(r, &has_default)) return false;
  for (unsigned i = first; i < g->count; i++) {
    snprintf(g->at[i].mark, sizeof g->at[i].mark, "%s", mark);
    g->at[i].kind = kind_of(mark), g->at[i].has_default = has_default;
    g->at[i].end = (unsigned)(r->t.begin - r->clause);
  }
  return true;
}

/* Behind `entity NAME`. */
static bool read_clause(reader_t *r) {
  if (!vhdl_word(&r->t) || !is(r, "is") || !vhdl_word(&r->t) || !is(r, "generic")) return true;
  if (!vhdl_word(&r->t)) return false;
  r->clause = r->t.at;
  do {
    if (!vhdl_word(&r->t)) return false;
    if (is(r, "type") || is(r, "package") || is(r, "function") || is(r, "procedure"))
      return trouble_set(r->trouble, TROUBLE_INPUT, "%s:%u: a generic that is a %s, which a block cannot have", r->path,
                         r->t.line, r->t.word);
    if (!read_names(r)) return r->trouble->kind ? false : true; /* ghdl says what is wrong */
  } while (!is(r, ")"));
  r->g->clause = strndup(r->clause, (size_t)(r->t.begin - r->clause));
  return r->g->clause || trouble_memory(r->trouble);
}

bool vhdl_generics_read(const char *path, const char *entity, vhdl_generics_t *g, trouble_t *trouble) {
  *g = (vhdl_generics_t){0};
  char *text = file_read(path);
  if (!text) return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno));
  reader_t r = {.g = g, .t = {.at = text, .line = 1}, .trouble = trouble, .path = path};
  const bool ok = !find_entity(&r, entity) || read_clause(&r);
  free(text);
  return ok;
}

void vhdl_generics_free(vhdl_generics_t *g) {
  free(g->clause), free(g->context);
  g->clause = g->context = NULL;
}

/* ---- values */

bool vhdl_generics_given(const char *params, const vhdl_generic_t *generic, long long *value) {
  const size_t n = strlen(generic->name);
  bool found = false;
  for (const char *at = params; *at; at += strcspn(at, ","), at += *at == ',')
    if (strncasecmp(at, generic->name, n) == 0 && at[n] == '=')
      *value = strtoll(at + n + 1, NULL, 0), found = true; /* the last one holds */
  return found;
}

static const char *conversion(const vhdl_generic_t *g) {
  if (g->kind == VHDL_INTEGER) return "ieee.std_logic_1164.std_logic_vector(ieee.numeric_std.to_signed(%s, 32))";
  if (g->kind == VHDL_BOOLEAN)
    return "ieee.std_logic_1164.std_logic_vector(ieee.numeric_std.to_unsigned(boolean'pos(%s), 1))";
  if (strcmp(g->mark, "bit") == 0) return "(0 => ieee.std_logic_1164.to_stdulogic(%s))";
  if (strcmp(g->mark, "bit_vector") == 0) return "ieee.std_logic_1164.to_stdlogicvector(%s)";
  return g->kind == VHDL_BIT ? "(0 => %s)" : "ieee.std_logic_1164.std_logic_vector(%s)";
}

/* The clause. A vector without a default has one here: its value follows from its length. */
static void put_clause(const vhdl_generics_t *g, FILE *to) {
  const char *at = g->clause ? g->clause : "";
  for (unsigned i = 0; i < g->count; i++) {
    const vhdl_generic_t *one = &g->at[i], *next = one + 1;
    if (one->kind != VHDL_VECTOR || one->has_default || (i + 1 < g->count && next->end == one->end)) continue;
    fprintf(to, "%.*s := (others => '0')", (int)(g->clause + one->end - at), at);
    at = g->clause + one->end;
  }
  fputs(at, to);
}

void vhdl_generics_probe(const vhdl_generics_t *g, FILE *to) {
  const char *before = "";
  fprintf(to, "library ieee;\n%s\nentity " VHDL_PROBE " is\n  generic (", g->context ? g->context : "");
  put_clause(g, to);
  fputs(");\n  port (", to);
  for (unsigned i = 0; i < g->count; i++) {
    const vhdl_generic_t *one = &g->at[i];
    if (one->kind == VHDL_OTHER) continue;
    fprintf(to, "%slockstack_%u : out ieee.std_logic_1164.std_logic_vector(", before, i);
    if (one->kind == VHDL_VECTOR) fprintf(to, "%s'length - 1 downto 0)", one->name);
    else fprintf(to, "%d downto 0)", one->kind == VHDL_INTEGER ? 31 : 0);
    before = ";\n    ";
  }
  fputs(");\nend;\narchitecture values of " VHDL_PROBE " is\nbegin\n", to);
  for (unsigned i = 0; i < g->count; i++) {
    if (g->at[i].kind == VHDL_OTHER) continue;
    fprintf(to, "  lockstack_%u <= ", i);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    fprintf(to, conversion(&g->at[i]), g->at[i].name);
#pragma GCC diagnostic pop
    fputs(";\n", to);
  }
  fputs("end;\n", to);
}

bool vhdl_generics_values(vhdl_generics_t *g, const ghdl_gates_t *probe) {
  const gate_t *self = &probe->gates[probe->modules[probe->top].first_gate];
  unsigned k = 0;
  for (unsigned i = 0; i < g->count; i++) {
    vhdl_generic_t *one = &g->at[i];
    if (one->kind == VHDL_OTHER) continue;
    char *bits = ghdl_constant(probe, ghdl_input(probe, self, k++));
    const size_t n = bits ? strlen(bits) : 0;
    if (n && n <= VHDL_BITS && strspn(bits, "01") == n) snprintf(one->bits, sizeof one->bits, "%s", bits);
    else one->kind = VHDL_OTHER;
    free(bits);
  }
  return k == self->inputs;
}

static unsigned long long number(const char *bits) {
  return strtoull(bits, NULL, 2);
}

/* ---- as options, and as parameters */

void vhdl_generics_option(const vhdl_generic_t *g, long long value, char *text, unsigned size) {
  const size_t n = strlen(g->bits);
  *text = 0;
  if (g->kind == VHDL_INTEGER) snprintf(text, size, "-g%s=%lld", g->name, value);
  if (g->kind == VHDL_BOOLEAN && value >> 1 == 0) snprintf(text, size, "-g%s=%s", g->name, value ? "true" : "false");
  if (g->kind == VHDL_BIT && value >> 1 == 0) snprintf(text, size, "-g%s='%lld'", g->name, value);
  if (g->kind != VHDL_VECTOR || !n) return;
  const unsigned long long all = (unsigned long long)value;
  if (n < 64 && all >> n && value >> (n - 1) != -1) return;
  int at = snprintf(text, size, "-g%s=", g->name);
  for (size_t i = n; i-- && (unsigned)at + 1 < size;) text[at++] = (char)('0' + (all >> i & 1));
  text[at] = 0;
}

void vhdl_generics_parameters(const vhdl_generics_t *g, FILE *to) {
  const char *before = "";
  for (unsigned i = 0; i < g->count; i++) {
    const vhdl_generic_t *one = &g->at[i];
    const unsigned long n = strlen(one->bits);
    if (one->kind == VHDL_OTHER) continue;
    fprintf(to, "%sparameter ", before);
    if (one->kind == VHDL_INTEGER) fprintf(to, "integer %s = %d", one->name, (int)(unsigned)number(one->bits));
    else fprintf(to, "[%lu:0] %s = %lu'b%s", n - 1, one->name, n, one->bits);
    before = ", ";
  }
}

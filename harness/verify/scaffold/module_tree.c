/* SPDX-License-Identifier: Apache-2.0
 *
 * Yosys' tree of a source (read_verilog -dump_ast1), a node a line, children two blanks deeper:
 *
 *     AST_WIRE <...> [...] str='\data_i' input port=3
 *       AST_RANGE <...> [...]
 *         AST_SUB ...                              its left bound
 *           AST_IDENTIFIER ... str='\Width'
 *           AST_CONSTANT ... int=1
 *         AST_CONSTANT ...                         its right bound
 */
#include "file.h"
#include "module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* what is too long is not known, and said so */

enum { DEEP = 64 };

typedef struct {
  const module_t *m;
  char **lines;
  unsigned count;
  unsigned body, end; /* lines of the module */
} tree_t;

static unsigned depth(const char *line) {
  return (unsigned)strspn(line, " ");
}

static bool is_kind(const char *line, const char *kind) {
  const char *at = line + depth(line);
  const size_t n = strlen(kind);
  return strncmp(at, kind, n) == 0 && at[n] == ' ';
}

/* The text of str='\name'. */
static bool name_of(const char *line, char name[MODULE_NAME]) {
  const char *at = strstr(line, " str='\\");
  *name = 0;
  if (at) snprintf(name, MODULE_NAME, "%.*s", (int)strcspn(at + 7, "'"), at + 7);
  return at;
}

/* The next child of the node `of` from line i on; 0: none. */
static unsigned child(const tree_t *t, unsigned of, unsigned i) {
  for (; i < t->end && depth(t->lines[i]) > depth(t->lines[of]); i++)
    if (depth(t->lines[i]) == depth(t->lines[of]) + 2 && strstr(t->lines[i], "AST_")) return i;
  return 0;
}

static bool expression(const tree_t *t, unsigned node, unsigned deep, char text[MODULE_EXPR]);

static bool join(char text[MODULE_EXPR], const char *before, const char *a, const char *between, const char *b,
                 const char *behind) {
  return snprintf(text, MODULE_EXPR, "%s%s%s%s%s", before, a, between, b, behind) < MODULE_EXPR;
}

static const module_param_t *param(const tree_t *t, const char *name) {
  for (unsigned i = 0; i < t->m->num_params; i++)
    if (strcmp(t->m->params[i].name, name) == 0) return &t->m->params[i];
  return NULL;
}

/* The expression of a parameter or localparam; 0: there is none of the name. */
static unsigned value_of(const tree_t *t, const char *name) {
  char other[MODULE_NAME];
  for (unsigned i = child(t, t->body, t->body + 1); i; i = child(t, t->body, i + 1))
    if ((is_kind(t->lines[i], "AST_LOCALPARAM") || is_kind(t->lines[i], "AST_PARAMETER")) &&
        name_of(t->lines[i], other) && strcmp(name, other) == 0)
      return child(t, i, i + 1);
  return 0;
}

/* A parameter by its name, a localparam and a derived one by what it is made of. */
static bool identifier(const tree_t *t, unsigned node, unsigned deep, char text[MODULE_EXPR]) {
  char name[MODULE_NAME];
  if (!name_of(t->lines[node], name) || child(t, node, node + 1)) return false;
  const module_param_t *own = param(t, name);
  if (own && !own->derived) return join(text, name, "", "", "", "");
  const unsigned value = value_of(t, name);
  return value && expression(t, value, deep + 1, text);
}

/* Does the expression name a parameter, be it by way of a localparam? */
static bool names_param(const tree_t *t, unsigned node, unsigned deep) {
  char name[MODULE_NAME];
  for (unsigned i = node; i < t->end && deep < DEEP && (i == node || depth(t->lines[i]) > depth(t->lines[node])); i++) {
    if (!is_kind(t->lines[i], "AST_IDENTIFIER") || !name_of(t->lines[i], name)) continue;
    const unsigned value = value_of(t, name);
    if (param(t, name) || (value && names_param(t, value, deep + 1))) return true;
  }
  return false;
}

static void set_derived(const tree_t *t, module_param_t *p) {
  const unsigned value = value_of(t, p->name);
  p->derived = value && names_param(t, value, 0);
}

static bool constant(const char *line, char text[MODULE_EXPR]) {
  const char *at = strstr(line, " int=");
  if (strstr(line, "bits='") && strpbrk(strstr(line, "bits='") + 6, "xz'") &&
      strpbrk(strstr(line, "bits='") + 6, "xz'")[0] != '\'')
    return false;
  snprintf(text, MODULE_EXPR, "%ld", at ? strtol(at + 5, NULL, 10) : 0);
  return true;
}

/* Without the brackets around all of it: "(Width * 2)". */
static void bare(char text[MODULE_EXPR]) {
  const size_t n = strlen(text);
  int open = 0;
  if (n < 2 || *text != '(') return;
  for (size_t i = 0; i + 1 < n; i++)
    if ((open += (text[i] == '(') - (text[i] == ')')) == 0) return;
  memmove(text, text + 1, n - 2);
  text[n - 2] = 0;
}

static bool call(const tree_t *t, unsigned node, unsigned deep, char text[MODULE_EXPR]) {
  char name[MODULE_NAME], a[MODULE_EXPR];
  const unsigned of = child(t, node, node + 1);
  if (!name_of(t->lines[node], name) || strcmp(name, "$clog2") || !of) return false;
  if (!expression(t, of, deep + 1, a)) return false;
  bare(a);
  return join(text, "CLOG2(", a, "", "", ")");
}

static bool operation(const tree_t *t, unsigned node, unsigned deep, char text[MODULE_EXPR]) {
  static const char *const operators[][2] = {
      {"AST_ADD", " + "}, {"AST_SUB", " - "},         {"AST_MUL", " * "},          {"AST_DIV", " / "},
      {"AST_MOD", " % "}, {"AST_SHIFT_LEFT", " << "}, {"AST_SHIFT_RIGHT", " >> "}, {"AST_LT", " < "},
      {"AST_LE", " <= "}, {"AST_EQ", " == "},         {"AST_NE", " != "},          {"AST_GE", " >= "},
      {"AST_GT", " > "}};
  char a[MODULE_EXPR], b[MODULE_EXPR], c[MODULE_EXPR], of[MODULE_EXPR];
  const unsigned first = child(t, node, node + 1), second = first ? child(t, node, first + 1) : 0,
                 third = second ? child(t, node, second + 1) : 0;
  if (!second || !expression(t, first, deep + 1, a) || !expression(t, second, deep + 1, b)) return false;
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (is_kind(t->lines[node], operators[i][0])) return join(text, "(", a, operators[i][1], b, ")");
  if (!is_kind(t->lines[node], "AST_TERNARY") || !third || !expression(t, third, deep + 1, c)) return false;
  return join(of, "", b, " : ", c, "") && join(text, "(", a, " ? ", of, ")");
}

static bool expression(const tree_t *t, unsigned node, unsigned deep, char text[MODULE_EXPR]) {
  const char *line = t->lines[node];
  if (deep > DEEP) return false;
  if (is_kind(line, "AST_CONSTANT")) return constant(line, text);
  if (is_kind(line, "AST_IDENTIFIER")) return identifier(t, node, deep, text);
  if (is_kind(line, "AST_FCALL")) return call(t, node, deep, text);
  if (is_kind(line, "AST_TO_UNSIGNED") || is_kind(line, "AST_TO_SIGNED")) {
    const unsigned of = child(t, node, node + 1);
    return of && expression(t, of, deep + 1, text);
  }
  return operation(t, node, deep, text);
}

/* Left and right bound: [x - 1 : 0] is x, [x : 0] is x + 1.
 * What falls is taken for what it is; what rises is not. */
static bool width(const char *left, const char *right, char text[MODULE_EXPR]) {
  const size_t n = strlen(left);
  static const char less[] = " - 1)";
  if (strcmp(right, "0") != 0) return join(text, left, " - ", right, " + 1", "");
  if (n > sizeof less && *left == '(' && strcmp(left + n - (sizeof less - 1), less) == 0)
    snprintf(text, MODULE_EXPR, "%.*s", (int)(n - sizeof less), left + 1);
  else join(text, left, " + 1", "", "", "");
  bare(text);
  return true;
}

static void set_expr(const tree_t *t, unsigned node, module_port_t *port) {
  char left[MODULE_EXPR], right[MODULE_EXPR], text[MODULE_EXPR];
  const unsigned range = child(t, node, node + 1);
  if (!range || !is_kind(t->lines[range], "AST_RANGE")) return;
  const unsigned a = child(t, range, range + 1), b = a ? child(t, range, a + 1) : 0;
  if (!b || !expression(t, a, 0, left) || !expression(t, b, 0, right)) return;
  for (unsigned i = 0; i < t->m->num_params; i++)
    if (!t->m->params[i].derived && strstr(left, t->m->params[i].name) && width(left, right, text))
      memcpy(port->expr, text, sizeof port->expr);
}

static bool find_module(tree_t *t) {
  char name[MODULE_NAME];
  for (unsigned i = 0; i < t->count; i++) {
    if (!is_kind(t->lines[i], "AST_MODULE") || !name_of(t->lines[i], name) || strcmp(name, t->m->name)) continue;
    t->body = i;
    for (t->end = i + 1; t->end < t->count && depth(t->lines[t->end]) > depth(t->lines[i]);) t->end++;
    return true;
  }
  return false;
}

void module_read_tree(module_t *m, const char *path) {
  tree_t t = {.m = m};
  char *text = file_read(path), *rest = NULL, name[MODULE_NAME];
  t.lines = text ? malloc((strlen(text) / 2 + 1) * sizeof *t.lines) : NULL;
  for (char *line = t.lines ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest))
    t.lines[t.count++] = line;
  m->seen_tree = t.lines && find_module(&t);
  for (unsigned i = 0; m->seen_tree && i < m->num_params; i++) set_derived(&t, &m->params[i]);
  if (m->seen_tree)
    for (unsigned i = child(&t, t.body, t.body + 1); i; i = child(&t, t.body, i + 1)) {
      module_port_t *port = is_kind(t.lines[i], "AST_WIRE") && strstr(t.lines[i], " port=") && name_of(t.lines[i], name)
                                ? module_port(m, name)
                                : NULL;
      if (port) set_expr(&t, i, port);
    }
  free(t.lines);
  free(text);
}

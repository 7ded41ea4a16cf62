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
#include "port_names.h"

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

static unsigned node_depth(const char *line) {
  return (unsigned)strspn(line, " ");
}

static bool is_kind(const char *line, const char *kind) {
  const char *at = line + node_depth(line);
  const size_t n = strlen(kind);
  return strncmp(at, kind, n) == 0 && at[n] == ' ';
}

/* Reads str='\name', or str='$abstract\name' of a module. False: the node has no name. */
static bool node_name(const char *line, char name[MODULE_NAME]) {
  const char *at = strstr(line, " str='");
  *name = 0;
  if (!at) return false;
  at += strlen(" str='");
  if (strncmp(at, "$abstract", 9) == 0) at += 9;
  if (*at != '\\') return false;
  snprintf(name, MODULE_NAME, "%.*s", (int)strcspn(at + 1, "'"), at + 1);
  return true;
}

/* The next child of node `of`, from line i on; 0: none. */
static unsigned next_child(const tree_t *t, unsigned of, unsigned i) {
  for (; i < t->end && node_depth(t->lines[i]) > node_depth(t->lines[of]); i++)
    if (node_depth(t->lines[i]) == node_depth(t->lines[of]) + 2 && strstr(t->lines[i], "AST_")) return i;
  return 0;
}

static bool print_expression(const tree_t *t, unsigned node, unsigned deep, char text[MODULE_EXPR]);

/* False: longer than MODULE_EXPR. */
static bool join_texts(char text[MODULE_EXPR], const char *before, const char *a, const char *between, const char *b,
                       const char *behind) {
  return snprintf(text, MODULE_EXPR, "%s%s%s%s%s", before, a, between, b, behind) < MODULE_EXPR;
}

/* NULL: no parameter of that name. */
static const module_param_t *find_module_param(const tree_t *t, const char *name) {
  for (unsigned i = 0; i < t->m->num_params; i++)
    if (strcmp(t->m->params[i].name, name) == 0) return &t->m->params[i];
  return NULL;
}

/* The node of a parameter's or localparam's value; 0: there is none of that name. */
static unsigned find_value(const tree_t *t, const char *name) {
  char other[MODULE_NAME];
  for (unsigned i = next_child(t, t->body, t->body + 1); i; i = next_child(t, t->body, i + 1))
    if ((is_kind(t->lines[i], "AST_LOCALPARAM") || is_kind(t->lines[i], "AST_PARAMETER")) &&
        node_name(t->lines[i], other) && strcmp(name, other) == 0)
      return next_child(t, i, i + 1);
  return 0;
}

/* A parameter appears by name. A localparam or derived parameter appears as the expression that
 * makes it. */
static bool print_identifier(const tree_t *t, unsigned node, unsigned deep, char text[MODULE_EXPR]) {
  char name[MODULE_NAME];
  if (!node_name(t->lines[node], name) || next_child(t, node, node + 1)) return false;
  const module_param_t *own = find_module_param(t, name);
  if (own && !own->derived) return port_name_plain(name) && join_texts(text, name, "", "", "", "");
  const unsigned value = find_value(t, name);
  return value && print_expression(t, value, deep + 1, text);
}

/* Does the expression depend on a parameter, directly or through a localparam? */
static bool names_param(const tree_t *t, unsigned node, unsigned deep) {
  char name[MODULE_NAME];
  for (unsigned i = node;
       i < t->end && deep < DEEP && (i == node || node_depth(t->lines[i]) > node_depth(t->lines[node])); i++) {
    if (!is_kind(t->lines[i], "AST_IDENTIFIER") || !node_name(t->lines[i], name)) continue;
    const unsigned value = find_value(t, name);
    if (find_module_param(t, name) || (value && names_param(t, value, deep + 1))) return true;
  }
  return false;
}

static void set_derived(const tree_t *t, module_param_t *p) {
  const unsigned value = find_value(t, p->name);
  p->derived = value && names_param(t, value, 0);
}

/* False: the constant has bits x or z. */
static bool print_constant(const char *line, char text[MODULE_EXPR]) {
  const char *at = strstr(line, " int=");
  if (strstr(line, "bits='") && strpbrk(strstr(line, "bits='") + 6, "xz'") &&
      strpbrk(strstr(line, "bits='") + 6, "xz'")[0] != '\'')
    return false;
  snprintf(text, MODULE_EXPR, "%ld", at ? strtol(at + 5, NULL, 10) : 0);
  return true;
}

/* Removes brackets around the whole text: "(Width * 2)". */
static void strip_brackets(char text[MODULE_EXPR]) {
  const size_t n = strlen(text);
  int open = 0;
  if (n < 2 || *text != '(') return;
  for (size_t i = 0; i + 1 < n; i++)
    if ((open += (text[i] == '(') - (text[i] == ')')) == 0) return;
  memmove(text, text + 1, n - 2);
  text[n - 2] = 0;
}

/* $clog2 is the only function that port files know. */
static bool print_clog2(const tree_t *t, unsigned node, unsigned deep, char text[MODULE_EXPR]) {
  char name[MODULE_NAME], a[MODULE_EXPR];
  const unsigned of = next_child(t, node, node + 1);
  if (!node_name(t->lines[node], name) || strcmp(name, "$clog2") || !of) return false;
  if (!print_expression(t, of, deep + 1, a)) return false;
  strip_brackets(a);
  return join_texts(text, "CLOG2(", a, "", "", ")");
}

/* Two operands with an operator of the list, or a ? b : c. Brackets are always written. */
static bool print_operation(const tree_t *t, unsigned node, unsigned deep, char text[MODULE_EXPR]) {
  static const char *const operators[][2] = {
      {"AST_ADD", " + "}, {"AST_SUB", " - "},         {"AST_MUL", " * "},          {"AST_DIV", " / "},
      {"AST_MOD", " % "}, {"AST_SHIFT_LEFT", " << "}, {"AST_SHIFT_RIGHT", " >> "}, {"AST_LT", " < "},
      {"AST_LE", " <= "}, {"AST_EQ", " == "},         {"AST_NE", " != "},          {"AST_GE", " >= "},
      {"AST_GT", " > "}};
  char a[MODULE_EXPR], b[MODULE_EXPR], c[MODULE_EXPR], of[MODULE_EXPR];
  const unsigned first = next_child(t, node, node + 1), second = first ? next_child(t, node, first + 1) : 0,
                 third = second ? next_child(t, node, second + 1) : 0;
  if (!second || !print_expression(t, first, deep + 1, a) || !print_expression(t, second, deep + 1, b)) return false;
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (is_kind(t->lines[node], operators[i][0])) return join_texts(text, "(", a, operators[i][1], b, ")");
  if (!is_kind(t->lines[node], "AST_TERNARY") || !third || !print_expression(t, third, deep + 1, c)) return false;
  return join_texts(of, "", b, " : ", c, "") && join_texts(text, "(", a, " ? ", of, ")");
}

/* Writes an expression as a port file has it. False: too deep, too long, or an operator that
 * port files lack. */
static bool print_expression(const tree_t *t, unsigned node, unsigned deep, char text[MODULE_EXPR]) {
  const char *line = t->lines[node];
  if (deep > DEEP) return false;
  if (is_kind(line, "AST_CONSTANT")) return print_constant(line, text);
  if (is_kind(line, "AST_IDENTIFIER")) return print_identifier(t, node, deep, text);
  if (is_kind(line, "AST_FCALL")) return print_clog2(t, node, deep, text);
  if (is_kind(line, "AST_TO_UNSIGNED") || is_kind(line, "AST_TO_SIGNED")) {
    const unsigned of = next_child(t, node, node + 1);
    return of && print_expression(t, of, deep + 1, text);
  }
  return print_operation(t, node, deep, text);
}

/* The width from both bounds: [x - 1 : 0] is x, [x : 0] is x + 1. Ranges that rise are not
 * recognised. */
static bool print_width(const char *left, const char *right, char text[MODULE_EXPR]) {
  const size_t n = strlen(left);
  static const char less[] = " - 1)";
  if (strcmp(right, "0") != 0) return join_texts(text, left, " - ", right, " + 1", "");
  if (n > sizeof less && *left == '(' && strcmp(left + n - (sizeof less - 1), less) == 0)
    snprintf(text, MODULE_EXPR, "%.*s", (int)(n - sizeof less), left + 1);
  else join_texts(text, left, " + 1", "", "", "");
  strip_brackets(text);
  return true;
}

/* Sets the port's expression when its left bound names a parameter. *odd: it is none of a port
 * file's. */
static void set_expr(const tree_t *t, unsigned node, module_port_t *port, bool *odd) {
  char left[MODULE_EXPR], right[MODULE_EXPR], text[MODULE_EXPR];
  const unsigned range = next_child(t, node, node + 1);
  if (!range || !is_kind(t->lines[range], "AST_RANGE")) return;
  const unsigned a = next_child(t, range, range + 1), b = a ? next_child(t, range, a + 1) : 0;
  if (!b || !print_expression(t, a, 0, left) || !print_expression(t, b, 0, right)) {
    *odd = true;
    return;
  }
  for (unsigned i = 0; i < t->m->num_params; i++)
    if (!t->m->params[i].derived && strstr(left, t->m->params[i].name) && print_width(left, right, text))
      memcpy(port->expr, text, sizeof port->expr);
}

/* Finds the module's lines, body..end-1. */
static bool find_module(tree_t *t) {
  char name[MODULE_NAME];
  for (unsigned i = 0; i < t->count; i++) {
    if (!is_kind(t->lines[i], "AST_MODULE") || !node_name(t->lines[i], name) || strcmp(name, t->m->name)) continue;
    t->body = i;
    for (t->end = i + 1; t->end < t->count && node_depth(t->lines[t->end]) > node_depth(t->lines[i]);) t->end++;
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
    for (unsigned i = next_child(&t, t.body, t.body + 1); i; i = next_child(&t, t.body, i + 1)) {
      module_port_t *port =
          is_kind(t.lines[i], "AST_WIRE") && strstr(t.lines[i], " port=") && node_name(t.lines[i], name)
              ? module_port(m, name)
              : NULL;
      if (port) set_expr(&t, i, port, &m->odd_widths);
    }
  free(t.lines);
  free(text);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * libclang says what is an expression, of which type and where. It does not name operators of C:
 * an operator is the text between its two operands.
 */
#include "points.h"

#include "file.h"

#include <clang-c/Index.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "op: what it becomes" */
static const struct {
  const char *op, *with[POINT_MUTANTS];
} binary[] =
    {
        {"+", {"-", "left"}}, {"-", {"+", "left"}},   {"*", {"+", "left"}},   {"/", {"*", "left"}},
        {"%", {"*", "left"}}, {"<<", {">>", "left"}}, {">>", {"<<", "left"}}, {"&", {"|", "left"}},
        {"|", {"&", "left"}}, {"^", {"|", "left"}},   {"<", {"<=", ">="}},    {">", {">=", "<="}},
        {"<=", {"<", ">"}},   {">=", {">", "<"}},     {"==", {"!="}},         {"!=", {"=="}},
},
  assigned[] = {
      {"+=", {"-=", "="}}, {"-=", {"+=", "="}}, {"*=", {"+="}},      {"/=", {"*="}},      {"%=", {"/="}},
      {"<<=", {">>="}},    {">>=", {"<<="}},    {"&=", {"|=", "="}}, {"|=", {"&=", "="}}, {"^=", {"|=", "="}},
};

typedef struct {
  unsigned start, end;
} span_t;

typedef struct {
  points_t *points;
  CXFile file;
  span_t *macro; /* where the file uses macros */
  unsigned macros;
  const char *function;
  bool header; /* inside the head of a for: its steps are left alone, since what never ends shows nothing */
} walk_t;

typedef struct {
  CXCursor at[64];
  unsigned count;
} children_t;

/* More than 64 children are cut off: these have no points. */
static enum CXChildVisitResult collect_child(CXCursor cursor, CXCursor parent, CXClientData data) {
  children_t *c = data;
  (void)parent;
  if (c->count < sizeof c->at / sizeof *c->at) c->at[c->count++] = cursor;
  return CXChildVisit_Continue;
}

/* --- where things are */

/* Where the cursor is in the file. False: elsewhere, or empty. */
static bool range_of(const walk_t *w, CXCursor cursor, unsigned *start, unsigned *end, unsigned *line) {
  CXFile first, last;
  CXSourceRange range = clang_getCursorExtent(cursor);
  clang_getExpansionLocation(clang_getRangeStart(range), &first, line, NULL, start);
  clang_getExpansionLocation(clang_getRangeEnd(range), &last, NULL, NULL, end);
  return first && last && clang_File_isEqual(first, w->file) && clang_File_isEqual(last, w->file) && *start < *end;
}

/* True inside a use of a macro: the file does not have the text that clang sees there. */
static bool from_macro(const walk_t *w, unsigned start, unsigned end) {
  for (unsigned i = 0; i < w->macros; i++)
    if (w->macro[i].start <= start && end <= w->macro[i].end) return true;
  return false;
}

static value_t value_type(CXCursor cursor) {
  CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
  switch (type.kind) {
  case CXType_Bool: return VALUE_BOOL;
  case CXType_Float:
  case CXType_Double:
  case CXType_LongDouble: return VALUE_FLOAT;
  case CXType_Pointer:
  case CXType_ConstantArray:
  case CXType_IncompleteArray: return VALUE_POINTER;
  case CXType_Enum: return VALUE_NUMBER;
  default: return type.kind >= CXType_Char_U && type.kind <= CXType_Int128 ? VALUE_NUMBER : VALUE_OTHER;
  }
}

/* The text between two operands without blanks. False: more than an operator. */
static bool operator_between(const walk_t *w, unsigned from, unsigned to, char op[4]) {
  unsigned n = 0;
  for (; from < to; from++) {
    char c = w->points->text[from];
    if (isspace((unsigned char)c)) continue;
    if (!strchr("+-*/%<>=!&|^", c) || n == 3) return false;
    op[n++] = c;
  }
  op[n] = 0;
  return n > 0;
}

/* --- points */

/* A new point of this kind; NULL: no point may be here. The next add_point may move it. */
static point_t *add_point(walk_t *w, point_kind_t kind, CXCursor cursor) {
  point_t p = {.kind = kind};
  if (!w->function || !range_of(w, cursor, &p.start, &p.end, &p.line) || from_macro(w, p.start, p.end)) return NULL;
  points_t *all = w->points;
  if (!(all->count & (all->count - 1))) {
    point_t *more = realloc(all->point, (all->count ? 2 * all->count : 1) * sizeof *more);
    if (!more) abort();
    all->point = more;
  }
  snprintf(p.function, sizeof p.function, "%s", w->function);
  all->point[all->count] = p;
  return &all->point[all->count++];
}

/* Does nothing without a point. */
static void add_mutant(point_t *p, const char *with) {
  if (p) p->with[p->mutants++] = with;
}

/* Can the mutant compile, and can it matter? Pointers cannot be multiplied and floats cannot be
 * shifted. "left" needs a number on one side at least. */
static bool is_allowed(const char *with, const point_t *p) {
  bool numbers = p->left != VALUE_POINTER && p->right != VALUE_POINTER;
  if (p->left == VALUE_OTHER || p->right == VALUE_OTHER) return false;
  if (!strcmp(with, "left")) return p->left != VALUE_POINTER || p->right != VALUE_POINTER;
  if (strchr("<>=!", *with) && strcmp(with, "<<") && strcmp(with, ">>")) return true;
  if (strchr("|&^", *with) || !strcmp(with, "<<") || !strcmp(with, ">>"))
    return numbers && p->left != VALUE_FLOAT && p->right != VALUE_FLOAT;
  return numbers;
}

/* Reads both operands and the operator into p. False: not that simple. */
static bool read_operands(const walk_t *w, const children_t *c, point_t *p) {
  unsigned ignored, line;
  if (c->count != 2 || !range_of(w, c->at[0], &ignored, &p->left_end, &line)) return false;
  if (!range_of(w, c->at[1], &p->right_start, &ignored, &line) || p->left_end > p->right_start) return false;
  p->left = value_type(c->at[0]);
  p->right = value_type(c->at[1]);
  return operator_between(w, p->left_end, p->right_start, p->op);
}

static void add_binary(walk_t *w, CXCursor cursor, const children_t *c) {
  point_t shape = {0};
  if (!read_operands(w, c, &shape)) return;
  bool logical = !strcmp(shape.op, "&&") || !strcmp(shape.op, "||");
  point_t *p = NULL;
  for (unsigned i = 0; i < sizeof binary / sizeof *binary && !logical; i++) {
    if (strcmp(binary[i].op, shape.op)) continue;
    for (unsigned m = 0; m < POINT_MUTANTS && binary[i].with[m]; m++) {
      if (!is_allowed(binary[i].with[m], &shape)) continue;
      if (!p && !(p = add_point(w, POINT_BINARY, cursor))) return;
      add_mutant(p, binary[i].with[m]);
    }
  }
  if (logical && (p = add_point(w, POINT_LOGICAL, cursor))) add_mutant(p, *shape.op == '&' ? "||" : "&&");
  if (!p) return;
  p->left_end = shape.left_end, p->right_start = shape.right_start, p->left = shape.left, p->right = shape.right;
  memcpy(p->op, shape.op, sizeof p->op);
}

static void add_assign(walk_t *w, CXCursor cursor, const children_t *c) {
  point_t shape = {0};
  if (w->header || !read_operands(w, c, &shape) || shape.left != VALUE_NUMBER || shape.right == VALUE_FLOAT) return;
  for (unsigned i = 0; i < sizeof assigned / sizeof *assigned; i++) {
    if (strcmp(assigned[i].op, shape.op)) continue;
    point_t *p = add_point(w, POINT_ASSIGN, cursor);
    for (unsigned m = 0; p && m < POINT_MUTANTS && assigned[i].with[m]; m++) add_mutant(p, assigned[i].with[m]);
    if (!p) return;
    p->left_end = shape.left_end, p->right_start = shape.right_start;
    memcpy(p->op, shape.op, sizeof p->op);
  }
}

/* One more, and one less unless the literal is 0. Names of constants are no literals. */
static void add_literal(walk_t *w, CXCursor cursor) {
  point_t *p = add_point(w, POINT_LITERAL, cursor);
  if (!p) return;
  if (!isdigit((unsigned char)w->points->text[p->start])) {
    w->points->count--;
    return;
  }
  add_mutant(p, "+1");
  if (strtoull(w->points->text + p->start, NULL, 0)) add_mutant(p, "-1");
}

static void add_return(walk_t *w, CXCursor cursor, const children_t *c) {
  unsigned end, line, start;
  if (c->count != 1 || !range_of(w, c->at[0], &start, &end, &line)) return;
  value_t type = value_type(c->at[0]);
  if (type == VALUE_OTHER) return;
  point_t *p = add_point(w, POINT_RETURN, cursor);
  if (!p) return;
  p->right_start = start, p->left = type;
  static const char *const returned[] = {
      [VALUE_POINTER] = "NULL", [VALUE_FLOAT] = "negative", [VALUE_BOOL] = "negated", [VALUE_NUMBER] = "0 or 1"};
  add_mutant(p, returned[type]);
}

/* < <= > >= == and !=. */
static bool is_comparison(walk_t *w, CXCursor cursor) {
  children_t c = {.count = 0};
  point_t shape = {0};
  if (clang_getCursorKind(cursor) != CXCursor_BinaryOperator) return false;
  clang_visitChildren(cursor, collect_child, &c);
  return read_operands(w, &c, &shape) && strchr("<>=!", *shape.op) && strcmp(shape.op, "<<") && strcmp(shape.op, ">>");
}

/* A comparison has its opposite as a mutant already. */
static void add_condition(walk_t *w, CXCursor cursor) {
  point_t *p = is_comparison(w, cursor) ? NULL : add_point(w, POINT_CONDITION, cursor);
  add_mutant(p, "negated");
}

/* ++ or --, before or behind. */
static bool is_step(const walk_t *w, CXCursor cursor) {
  unsigned start, end, line;
  if (clang_getCursorKind(cursor) != CXCursor_UnaryOperator || !range_of(w, cursor, &start, &end, &line) ||
      end - start < 3)
    return false;
  const char *text = w->points->text;
  return !strncmp(text + start, "++", 2) || !strncmp(text + start, "--", 2) || !strncmp(text + end - 2, "++", 2) ||
         !strncmp(text + end - 2, "--", 2);
}

/* A statement that can be deleted: a call, an assignment, a step, break or continue. True: a
 * step, which has no further points. */
static bool add_statement(walk_t *w, CXCursor cursor) {
  bool step = is_step(w, cursor);
  switch ((int)clang_getCursorKind(cursor)) {
  case CXCursor_BinaryOperator:
  case CXCursor_CompoundAssignOperator:
  case CXCursor_CallExpr:
  case CXCursor_BreakStmt:
  case CXCursor_ContinueStmt: break;
  default:
    if (!step) return false;
  }
  add_mutant(add_point(w, POINT_DELETE, cursor), "deleted");
  return step;
}

static void add_step(walk_t *w, CXCursor cursor) {
  point_t *p = w->header ? NULL : add_point(w, POINT_STEP, cursor);
  add_mutant(p, "the other way");
}

/* --- the tree */

static void visit(walk_t *w, CXCursor cursor);
static void visit_all(walk_t *w, const children_t *c, unsigned from) {
  for (unsigned i = from; i < c->count; i++) visit(w, c->at[i]);
}

static void visit_statement(walk_t *w, CXCursor cursor) {
  walk_t body = *w;
  body.header = false;
  if (!add_statement(&body, cursor)) visit(&body, cursor);
}

/* The last child of a loop is its body; the others are its head. */
static void visit_head(walk_t *w, const children_t *c) {
  walk_t head = *w;
  head.header = true;
  for (unsigned i = 0; i + 1 < c->count; i++) visit(&head, c->at[i]);
  if (c->count) visit_statement(w, c->at[c->count - 1]);
}

/* Initial values; those of statics must stay constants, and so must sizes of arrays. */
static void visit_variable(walk_t *w, CXCursor cursor, const children_t *c) {
  if (clang_Cursor_getStorageClass(cursor) == CX_SC_Static || !c->count) return;
  CXCursor last = c->at[c->count - 1];
  enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(cursor)).kind;
  bool array = kind == CXType_ConstantArray || kind == CXType_VariableArray || kind == CXType_IncompleteArray;
  if (!array || clang_getCursorKind(last) == CXCursor_InitListExpr) visit(w, last);
}

/* Of "[index] = value" and ".name = value", visits the value alone. */
static void visit_list(walk_t *w, const children_t *c) {
  for (unsigned i = 0; i < c->count; i++) {
    children_t inner = {.count = 0};
    unsigned start, end, line;
    if (!range_of(w, c->at[i], &start, &end, &line)) continue;
    bool designated = strchr("[.", w->points->text[start]);
    if (designated) clang_visitChildren(c->at[i], collect_child, &inner);
    if (!designated) visit(w, c->at[i]);
    else if (inner.count) visit(w, inner.at[inner.count - 1]);
  }
}

/* Points at the cursor and below it. */
static void visit(walk_t *w, CXCursor cursor) {
  children_t c = {.count = 0};
  clang_visitChildren(cursor, collect_child, &c);
  switch ((int)clang_getCursorKind(cursor)) {
  case CXCursor_EnumDecl:
  case CXCursor_StructDecl:
  case CXCursor_UnionDecl:
  case CXCursor_TypedefDecl:
  case CXCursor_StaticAssert:
  case CXCursor_UnaryExpr: return; /* constants; sizeof */
  case CXCursor_CompoundStmt:
    for (unsigned i = 0; i < c.count; i++) visit_statement(w, c.at[i]);
    return;
  case CXCursor_IfStmt:
    add_condition(w, c.at[0]);
    visit(w, c.at[0]);
    for (unsigned i = 1; i < c.count; i++) visit_statement(w, c.at[i]);
    return;
  case CXCursor_ConditionalOperator: add_condition(w, c.at[0]); break;
  case CXCursor_ForStmt:
  case CXCursor_WhileStmt: visit_head(w, &c); return;
  case CXCursor_CaseStmt:
    if (c.count) visit_statement(w, c.at[c.count - 1]);
    return;
  case CXCursor_DefaultStmt:
    if (c.count) visit_statement(w, c.at[0]);
    return;
  case CXCursor_VarDecl: visit_variable(w, cursor, &c); return;
  case CXCursor_InitListExpr: visit_list(w, &c); return;
  case CXCursor_ReturnStmt: add_return(w, cursor, &c); break;
  case CXCursor_BinaryOperator: add_binary(w, cursor, &c); break;
  case CXCursor_CompoundAssignOperator: add_assign(w, cursor, &c); break;
  case CXCursor_IntegerLiteral: add_literal(w, cursor); break;
  case CXCursor_UnaryOperator:
    if (is_step(w, cursor)) add_step(w, cursor);
    break;
  }
  visit_all(w, &c, 0);
}

static void add_macro(walk_t *w, CXCursor cursor) {
  span_t at;
  unsigned line;
  if (!range_of(w, cursor, &at.start, &at.end, &line)) return;
  if (!(w->macros & (w->macros - 1)) && !(w->macro = realloc(w->macro, (w->macros ? 2 * w->macros : 1) * sizeof at)))
    abort();
  w->macro[w->macros++] = at;
}

/* libclang shows macro expansions before all functions, so the list is complete when a function
 * comes. */
static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data) {
  walk_t *w = data;
  CXFile file;
  (void)parent;
  clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
  if (clang_getCursorKind(cursor) == CXCursor_MacroExpansion) add_macro(w, cursor);
  if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl || !clang_isCursorDefinition(cursor))
    return CXChildVisit_Continue;
  if (!file || !clang_File_isEqual(file, w->file)) return CXChildVisit_Continue;
  CXString name = clang_getCursorSpelling(cursor);
  w->function = clang_getCString(name);
  children_t c = {.count = 0};
  clang_visitChildren(cursor, collect_child, &c);
  if (c.count) visit(w, c.at[c.count - 1]);
  clang_disposeString(name);
  w->function = NULL;
  return CXChildVisit_Continue;
}

/* --- the file */

/* By start; the longer point first; a statement's deletion before the other points of equal
 * place. */
static int by_place(const void *a, const void *b) {
  const point_t *x = a, *y = b;
  if (x->start != y->start) return x->start < y->start ? -1 : 1;
  if (x->end != y->end) return x->end > y->end ? -1 : 1;
  if ((x->kind == POINT_DELETE) == (y->kind == POINT_DELETE)) return (int)y->kind - (int)x->kind;
  return x->kind == POINT_DELETE ? -1 : 1;
}

/* False: clang has an error; trouble has the first one. */
static bool check_parse(CXTranslationUnit unit, const char *file, trouble_t *trouble) {
  if (!unit) return trouble_set(trouble, TROUBLE_INPUT, "%s: clang cannot parse it with these arguments", file);
  for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
    CXDiagnostic d = clang_getDiagnostic(unit, i);
    bool bad = clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error;
    CXString text = clang_formatDiagnostic(d, CXDiagnostic_DisplaySourceLocation);
    if (bad) trouble_set(trouble, TROUBLE_INPUT, "%s", clang_getCString(text));
    clang_disposeString(text);
    clang_disposeDiagnostic(d);
    if (bad) return false;
  }
  return true;
}

bool points_find(points_t *points, const char *file, const char *const *arguments, int count, trouble_t *trouble) {
  memset(points, 0, sizeof *points);
  points->text = file_read(file);
  if (!points->text) return trouble_set(trouble, TROUBLE_INPUT, "%s: cannot read", file);
  points->size = strlen(points->text);
  CXIndex index = clang_createIndex(0, 0);
  CXTranslationUnit unit =
      clang_parseTranslationUnit(index, file, arguments, count, NULL, 0, CXTranslationUnit_DetailedPreprocessingRecord);
  bool ok = check_parse(unit, file, trouble);
  if (ok) {
    walk_t walk = {.points = points, .file = clang_getFile(unit, file)};
    clang_visitChildren(clang_getTranslationUnitCursor(unit), visit_top, &walk);
    free(walk.macro);
    if (points->count) qsort(points->point, points->count, sizeof *points->point, by_place);
  }
  for (unsigned i = 0; i < points->count; i++) points->mutants += points->point[i].mutants;
  if (unit) clang_disposeTranslationUnit(unit);
  clang_disposeIndex(index);
  return ok;
}

/* --- the draw */

typedef struct {
  uint64_t hash;
  unsigned *id;
} lot_t;

static uint64_t mix_hash(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static int by_hash(const void *a, const void *b) {
  const lot_t *x = a, *y = b;
  return x->hash < y->hash ? -1 : x->hash > y->hash;
}

void points_draw(points_t *points, unsigned percent, uint64_t seed, unsigned first) {
  lot_t *lots = calloc(points->mutants + 1, sizeof *lots);
  unsigned n = 0, wanted = (points->mutants * percent + 99) / 100;
  if (!lots) abort();
  for (unsigned i = 0; i < points->count; i++)
    for (unsigned m = 0; m < points->point[i].mutants; m++, n++)
      lots[n] = (lot_t){mix_hash(mix_hash(seed) + n), &points->point[i].id[m]};
  qsort(lots, n, sizeof *lots, by_hash);
  for (unsigned i = 0; i < wanted; i++) *lots[i].id = 1;
  points->drawn = 0;
  for (unsigned i = 0; i < points->count; i++)
    for (unsigned m = 0; m < points->point[i].mutants; m++)
      if (points->point[i].id[m]) points->point[i].id[m] = first + points->drawn++;
  free(lots);
}

void points_free(points_t *points) {
  free(points->text);
  free(points->point);
}

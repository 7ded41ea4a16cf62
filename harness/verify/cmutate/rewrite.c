/* SPDX-License-Identifier: Apache-2.0
 *
 * Each operand is written once, however many mutants it has: `__auto_type` (of GCC and clang)
 * names its value. Nested points therefore do not multiply. A unary plus turns a bit field into
 * a value.
 *
 *   a + b    ({ __auto_type cm_l9 = +(a); __auto_type cm_r9 = +(b);
 *               cmutant(17) ? cm_l9 - cm_r9 : cm_l9 + cm_r9; })
 */
#include "rewrite.h"

#include <string.h>

typedef struct {
  const points_t *points;
  FILE *out;
} rewriter_t;

static void emit(const rewriter_t *r, unsigned from, unsigned to, unsigned next);

/* How many mutants of the point have an id. */
static unsigned count_drawn(const point_t *p) {
  unsigned n = 0;
  for (unsigned m = 0; m < p->mutants; m++) n += p->id[m] != 0;
  return n;
}

static void emit_binary(const rewriter_t *r, const point_t *p, unsigned next) {
  unsigned tag = p->start;
  fprintf(r->out, "({ __auto_type cm_l%u = %s(", tag, p->left == VALUE_POINTER ? "" : "+");
  emit(r, p->start, p->left_end, next);
  fprintf(r->out, "); __auto_type cm_r%u = %s(", tag, p->right == VALUE_POINTER ? "" : "+");
  emit(r, p->right_start, p->end, next);
  fputs("); ", r->out);
  for (unsigned m = 0; m < p->mutants; m++) {
    if (!p->id[m]) continue;
    if (!strcmp(p->with[m], "left")) fprintf(r->out, "cmutant(%u) ? cm_l%u : ", p->id[m], tag);
    else fprintf(r->out, "cmutant(%u) ? cm_l%u %s cm_r%u : ", p->id[m], tag, p->with[m], tag);
  }
  fprintf(r->out, "cm_l%u %s cm_r%u; })", tag, p->op, tag);
}

/* L && R is (L != 0) ? R : 0, and L || R is (L != 1) ? R : 1. The mutant swaps 0 and 1. */
static void emit_logical(const rewriter_t *r, const point_t *p, unsigned next) {
  fprintf(r->out, "({ const int cm_s%u = %scmutant(%u); (!!(", p->start, *p->op == '|' ? "!" : "", p->id[0]);
  emit(r, p->start, p->left_end, next);
  fprintf(r->out, ")) != cm_s%u ? !!(", p->start);
  emit(r, p->right_start, p->end, next);
  fprintf(r->out, ") : cm_s%u; })", p->start);
}

static void emit_literal(const rewriter_t *r, const point_t *p, unsigned next) {
  fputs("((", r->out);
  emit(r, p->start, p->end, next);
  fputs(")", r->out);
  for (unsigned m = 0; m < p->mutants; m++)
    if (p->id[m]) fprintf(r->out, " %c cmutant(%u)", *p->with[m], p->id[m]);
  fputs(")", r->out);
}

static void emit_return(const rewriter_t *r, const point_t *p, unsigned next) {
  fprintf(r->out, "return ({ __auto_type cm_v%u = (", p->start);
  emit(r, p->right_start, p->end, next);
  const char *instead = p->left == VALUE_FLOAT ? "-" : "!";
  if (p->left == VALUE_POINTER) instead = "NULL";
  fprintf(r->out, "); cmutant(%u) ? %s", p->id[0], instead);
  if (p->left != VALUE_POINTER) fprintf(r->out, "cm_v%u", p->start);
  fprintf(r->out, " : cm_v%u; })", p->start);
}

/* A step, or an assignment with an operation. It changes an object, not a value, so each mutant
 * repeats the text. */
static void emit_again(const rewriter_t *r, const point_t *p, unsigned next) {
  const char *text = r->points->text;
  bool prefix = text[p->start] == '+' || text[p->start] == '-';
  char op = prefix ? text[p->start] : text[p->end - 1], other = op == '+' ? '-' : '+';
  fprintf(r->out, "(");
  for (unsigned m = 0; m < p->mutants; m++) {
    if (!p->id[m]) continue;
    fprintf(r->out, "cmutant(%u) ? (", p->id[m]);
    if (p->kind == POINT_STEP && prefix) fprintf(r->out, "%c%c", other, other);
    emit(r, p->start + (p->kind == POINT_STEP && prefix ? 2 : 0),
         p->kind == POINT_ASSIGN ? p->left_end : p->end - (prefix ? 0 : 2), next);
    if (p->kind == POINT_STEP && !prefix) fprintf(r->out, "%c%c", other, other);
    if (p->kind == POINT_ASSIGN) {
      fprintf(r->out, " %s ", p->with[m]);
      emit(r, p->right_start, p->end, next);
    }
    fputs(") : ", r->out);
  }
  fputs("(", r->out);
  emit(r, p->start, p->end, next);
  fputs("))", r->out);
}

static void emit_point(const rewriter_t *r, const point_t *p, unsigned next) {
  switch (p->kind) {
  case POINT_BINARY: emit_binary(r, p, next); break;
  case POINT_LOGICAL: emit_logical(r, p, next); break;
  case POINT_LITERAL: emit_literal(r, p, next); break;
  case POINT_RETURN: emit_return(r, p, next); break;
  case POINT_STEP:
  case POINT_ASSIGN: emit_again(r, p, next); break;
  case POINT_CONDITION:
    fprintf(r->out, "(cmutant(%u) != !!(", p->id[0]);
    emit(r, p->start, p->end, next);
    fputs("))", r->out);
    break;
  case POINT_DELETE:
    fprintf(r->out, "if (cmutant(%u)) {} else ", p->id[0]);
    emit(r, p->start, p->end, next);
    break;
  }
}

/* Writes the text [from, to) with the points in it, from point `next` on. */
static void emit(const rewriter_t *r, unsigned from, unsigned to, unsigned next) {
  const points_t *all = r->points;
  while (next < all->count) {
    const point_t *p = &all->point[next++];
    if (p->start >= to) break;
    if (p->start < from || p->end > to || !count_drawn(p)) continue;
    fwrite(all->text + from, 1, p->start - from, r->out);
    emit_point(r, p, next);
    from = p->end;
  }
  fwrite(all->text + from, 1, to - from, r->out);
}

void rewrite(const points_t *points, const char *file, FILE *out) {
  const rewriter_t r = {points, out};
  fprintf(out, "#include \"cmutant.h\"\n#line 1 \"%s\"\n", file);
  emit(&r, 0, (unsigned)points->size, 0);
}

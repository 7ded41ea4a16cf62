/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a C file can be made wrong: points (an expression or a statement) and their mutants.
 *
 *   points_t points;
 *   if (!points_find(&points, "vault.c", compiler_arguments, count, &trouble)) ...
 *   points_draw(&points, 25, 1, 100);            a quarter of the mutants get ids, from 100 on
 *   points_free(&points);
 *
 * A point is in the file itself and inside a function. It is not in a macro (so never in an
 * assert), and not where C wants a constant.
 */
#ifndef POINTS_H
#define POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trouble.h"

typedef enum {
  POINT_BINARY,    /* L op R; the first operand alone, for "left" */
  POINT_LOGICAL,   /* L && R, L || R: the other one */
  POINT_LITERAL,   /* one more, one less */
  POINT_CONDITION, /* negated */
  POINT_DELETE,    /* the statement goes */
  POINT_RETURN,    /* not, 0 for others than 0, a null pointer, the other sign */
  POINT_STEP,      /* ++ for --, in an expression */
  POINT_ASSIGN     /* L op= R, another operation */
} point_kind_t;

typedef enum { VALUE_NUMBER, VALUE_FLOAT, VALUE_BOOL, VALUE_POINTER, VALUE_OTHER } value_t;

enum { POINT_MUTANTS = 3 };

typedef struct {
  point_kind_t kind;
  unsigned start, end;            /* bytes of the file: [start, end) */
  unsigned left_end, right_start; /* of two operands; a single one is [right_start, end) */
  unsigned line;
  value_t left, right; /* the operands' types */
  char op[4];          /* as written: "<=" */
  char function[64];
  unsigned mutants;
  const char *with[POINT_MUTANTS]; /* "<", "left", "+1", "negated", "deleted" ... */
  unsigned id[POINT_MUTANTS];      /* 0: not drawn */
} point_t;

typedef struct {
  char *text; /* the file */
  size_t size;
  point_t *point; /* by start; of the same start the longer first: a point holds the ones behind it that it overlaps */
  unsigned count;
  unsigned mutants, drawn;
} points_t;

/* Finds all points. False: INPUT, "FILE:LINE: ..." by clang; points_free is due all the same. */
bool points_find(points_t *points, const char *file, const char *const *arguments, int count, trouble_t *trouble);

/* Gives ids first, first + 1, ... to `percent` % of the mutants, to at least one if there are
 * any. The choice depends on seed and points alone. */
void points_draw(points_t *points, unsigned percent, uint64_t seed, unsigned first);

void points_free(points_t *points);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Physical registers by graph colouring (Chaitin; Briggs' optimistic order).
 *
 *    simplify_graph:  the register that its neighbours restrict least goes to a stack
 *    choose_row:      registers come back, last one first, into the lowest rows that are free
 *
 * There is no spilling: a kernel that needs more rows than there are is refused.
 *
 * Classes (near only, both, far only, predicates of each) do not share rows, so they are
 * coloured apart. Equals are taken in an order that depends on the program alone: a kernel
 * always gets the same rows.
 */
#include <stdlib.h>
#include <string.h>

#include "mpu_internal.h"

enum { NIL = -1 };

typedef struct {
  const mpu_program_t *p;
  const graph_t *g;
  int32_t *row;         /* each register's row within its class, NIL: none yet */
  int32_t *next, *prev; /* lists of registers of one degree */
  int32_t *head;        /* by degree */
  uint32_t *degree;     /* rows of the neighbours still in the graph */
  uint32_t num_degrees, lowest;
  int32_t *stack;
  uint32_t height;
  uint32_t *taken;            /* for each row: 1 + the last register that found it taken */
  uint32_t used[NUM_CLASSES]; /* rows */
} colour_t;

/* Rows that the register takes: 2 for 64 bits, 1 for others and for a predicate. */
static uint32_t rows_of_register(const colour_t *c, int32_t reg) {
  return c->p->func->regs[reg].type == PTX_PRED ? 1 : c->p->regs[reg].rows;
}

/* Registers in no reachable code need no row. */
static bool needs_row(const colour_t *c, int32_t reg) {
  return c->p->regs[reg].loc != MPU_U;
}

/* Puts the register into the list of its degree. The lists are doubly linked, so a degree
 * changes in constant time. */
static void list_by_degree(colour_t *c, int32_t reg) {
  int32_t *head = &c->head[c->degree[reg]];
  c->prev[reg] = NIL;
  c->next[reg] = *head;
  if (*head != NIL) c->prev[*head] = reg;
  *head = reg;
  if (c->degree[reg] < c->lowest) c->lowest = c->degree[reg];
}

static void unlist(colour_t *c, int32_t reg) {
  if (c->prev[reg] != NIL) c->next[c->prev[reg]] = c->next[reg];
  else c->head[c->degree[reg]] = c->next[reg];
  if (c->next[reg] != NIL) c->prev[c->next[reg]] = c->prev[reg];
}

/* Takes all registers out of the graph, those of lowest degree first. A neighbour's degree falls by
 * the rows of what is taken out. */
static void simplify_graph(colour_t *c, uint32_t num_regs) {
  uint8_t *gone = (uint8_t *)c->taken; /* not needed before rows are chosen */
  for (uint32_t r = 0; r < num_regs; r++)
    if (needs_row(c, (int32_t)r)) list_by_degree(c, (int32_t)r);
  while (c->lowest < c->num_degrees) {
    int32_t reg = c->head[c->lowest];
    if (reg == NIL) {
      c->lowest++;
      continue;
    }
    unlist(c, reg);
    gone[reg] = 1;
    c->stack[c->height++] = reg;
    for (uint32_t k = c->g->start[reg]; k < c->g->start[reg + 1]; k++) {
      int32_t other = (int32_t)c->g->list[k];
      if (gone[other]) continue;
      unlist(c, other);
      c->degree[other] -= rows_of_register(c, reg);
      list_by_degree(c, other);
    }
  }
}

/* The lowest rows that no coloured neighbour has. Pairs step by two, so they begin at even rows. */
static void choose_row(colour_t *c, int32_t reg) {
  uint32_t size = rows_of_register(c, reg), mark = (uint32_t)reg + 1, row = 0;
  unsigned class = class_of(c->p, reg);
  for (uint32_t k = c->g->start[reg]; k < c->g->start[reg + 1]; k++) {
    int32_t other = (int32_t)c->g->list[k];
    for (uint32_t i = 0; c->row[other] != NIL && i < rows_of_register(c, other); i++)
      c->taken[(uint32_t)c->row[other] + i] = mark;
  }
  while (c->taken[row] == mark || (size == 2 && c->taken[row + 1] == mark)) row += size;
  c->row[reg] = (int32_t)row;
  if (row + size > c->used[class]) c->used[class] = row + size;
}

/* Degrees first: they say how many lists there are. False: out of memory. */
static bool colour_make(colour_t *c, uint32_t num_regs) {
  size_t most = 0, n = num_regs + 1;
  c->degree = calloc(n, sizeof *c->degree);
  if (!c->degree) return false;
  for (uint32_t r = 0; r < num_regs; r++) {
    for (uint32_t k = c->g->start[r]; k < c->g->start[r + 1]; k++)
      c->degree[r] += rows_of_register(c, (int32_t)c->g->list[k]);
    if (c->degree[r] > most) most = c->degree[r];
  }
  c->num_degrees = c->lowest = (uint32_t)most + 1;
  c->row = malloc(4 * n * sizeof *c->row);
  c->head = malloc((most + 1) * sizeof *c->head);
  /* simplify_graph uses it for a byte a register; choose_row for rows, which a degree limits */
  c->taken = calloc(2 * most + 2 * n + 4, sizeof *c->taken);
  if (!c->row || !c->head || !c->taken) return false;
  c->next = c->row + n;
  c->prev = c->next + n;
  c->stack = c->prev + n;
  for (size_t i = 0; i < n; i++) c->row[i] = NIL;
  for (size_t i = 0; i <= most; i++) c->head[i] = NIL;
  return true;
}

static void colour_free(colour_t *c) {
  free(c->degree);
  free(c->row);
  free(c->head);
  free(c->taken);
}

/* ---- The layout ------------------------------------------------------------------------------ */

/* Does the class have 64-bit registers in use? */
static bool has_pairs(const mpu_program_t *p, unsigned class) {
  for (uint32_t r = 0; r < p->func->num_regs; r++)
    if (p->regs[r].rows == 2 && p->regs[r].loc != MPU_U && class_of(p, (int32_t)r) == class) return true;
  return false;
}

/* Puts the classes one behind the other: [near only][both][far only]. A part with pairs begins at
 * an even row; a row left over belongs to the last part before it that is not empty. */
static void lay_out(mpu_program_t *p, const colour_t *c) {
  uint32_t base[NUM_CLASSES] = {0}, end = c->used[CLASS_NEAR];
  bool far_pairs = has_pairs(p, CLASS_FAR);
  end += end % 2 && (has_pairs(p, CLASS_BOTH) || (!c->used[CLASS_BOTH] && far_pairs));
  base[CLASS_BOTH] = end;
  end += c->used[CLASS_BOTH];
  base[CLASS_FAR] = end += end % 2 && far_pairs;
  p->near_only = base[CLASS_BOTH];
  p->both = base[CLASS_FAR] - base[CLASS_BOTH];
  p->far_only = c->used[CLASS_FAR];
  base[CLASS_NEAR_PRED] = c->used[CLASS_PRED];
  p->near_predicates = c->used[CLASS_NEAR_PRED];
  p->predicates = c->used[CLASS_PRED] + p->near_predicates;
  p->near_rows = p->near_only + p->both;
  p->far_rows = p->both + p->far_only;
  for (uint32_t r = 0; r < p->func->num_regs; r++) {
    bool used = p->regs[r].loc != MPU_U;
    p->regs[r].row = used ? c->row[r] + (int32_t)base[class_of(p, (int32_t)r)] : -1;
  }
}

/* Sets the error "... registers ... are needed"; `least` is "at least " if the colouring
 * did not run. */
static bool too_many(const mpu_program_t *p, mpu_compile_error_t *err, const char *least, uint32_t rows, uint32_t preds,
                     int line) {
  err->line = line;
  return trouble_set(&err->trouble, TROUBLE_INPUT,
                     "kernel %s, line %d: %s%u registers of 32 bits and %u predicate%s are needed, at most %d in all",
                     p->func->name, line, least, rows, preds, preds == 1 ? "" : "s", MPU_MAX_ROWS);
}

static bool out_of_memory(const mpu_program_t *p, mpu_compile_error_t *err) {
  return trouble_set(&err->trouble, TROUBLE_ENVIRONMENT, "kernel %s: out of memory", p->func->name);
}

bool mpu_allocate(mpu_program_t *p, mpu_compile_error_t *err) {
  graph_t g;
  graph_result_t made = graph_make(&g, p);
  colour_t c = {.p = p, .g = &g};
  bool ok = made == GRAPH_OK && colour_make(&c, p->func->num_regs);
  if (ok) {
    simplify_graph(&c, p->func->num_regs);
    memset(c.taken, 0, (p->func->num_regs + 1) * sizeof *c.taken);
    while (c.height) choose_row(&c, c.stack[--c.height]);
    lay_out(p, &c);
  }
  /* 0 if the layout was not made */
  uint32_t rows = p->near_only + p->both + p->far_only;
  if (made == GRAPH_TOO_MANY)
    too_many(p, err, "at least ", g.peak[CLASS_NEAR] + g.peak[CLASS_BOTH] + g.peak[CLASS_FAR],
             g.peak[CLASS_PRED] + g.peak[CLASS_NEAR_PRED], g.peak_line);
  else if (!ok) out_of_memory(p, err);
  else if (rows + p->predicates > MPU_MAX_ROWS) ok = too_many(p, err, "", rows, p->predicates, g.peak_line);
  colour_free(&c);
  graph_free(&g);
  return ok;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Merges Liberty files into one library of the cells that synthesis may use. This module finds
 * which cells there are; Yosys says what each cell does.
 *
 *   liberty_t l = {0};
 *   if (!liberty_add(&l, path, path, &trouble) || !liberty_end(&l, &trouble)) ...
 *   const liberty_cell_t *c = liberty_find(&l, "NAND2X1");
 *   liberty_free(&l);
 */
#ifndef LIBERTY_H
#define LIBERTY_H

#include "trouble.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { LIBERTY_NAME = 256 };

typedef struct {
  char name[LIBERTY_NAME];
  double area;   /* in the file's unit; below 0: the file gives none */
  bool flipflop; /* has a register that an edge writes */
  /* Synthesis may use the cell. False: the merged text leaves the cell out, because its function is
   * unknown or the library says dont_use. */
  bool used;
  bool functions;        /* some output has a function */
  bool buffer, inverter; /* one input, one output, nothing else */
  /* Why the function is unknown, "it has a bus"; NULL: the outputs have functions. */
  const char *unknown;
  char *gate; /* The Verilog module of a clock gate; NULL: no clock gate, or a kind that is not known. */
  /* The same module with its clock passing. It tells which edge the registers behind the gate wait
   * for. */
  char *open_gate;
  char place[600]; /* "FILE:LINE" */
  char *text;      /* the cell's text in the Liberty file */
} liberty_cell_t;

typedef struct {
  liberty_cell_t *cells;
  size_t count, used;
  /* Set by liberty_end: one library of all files, without unused cells and without power and
   * current tables. */
  char *text;
  /* Used while files are added. */
  char *head, *templates, *types, *units, *paths;
  size_t head_size, templates_size;
} liberty_t;

/* Adds a file, plain or gzip; messages call it `shown`. INPUT: the file is cut off or no Liberty
 * file, or its units or a cell disagree with an earlier file. ENVIRONMENT: the file cannot
 * be read. */
bool liberty_add(liberty_t *library, const char *path, const char *shown, trouble_t *trouble);

/* Makes the text. INPUT: no cell has a function, or no cell is a flip-flop. */
bool liberty_end(liberty_t *library, trouble_t *trouble);
void liberty_free(liberty_t *library);

/* When abc ends without a netlist, Yosys' error does not mention the cells. If `trouble` is that
 * error, what abc `said` becomes the line, and the function returns true. */
bool liberty_explain(trouble_t *trouble, const char *said);

/* The smallest usable buffer, or else inverter. Synthesis and timing assume that this cell drives
 * the block's inputs. NULL: neither exists. */
const liberty_cell_t *liberty_driver(const liberty_t *library);

/* searches all cells; NULL: none */
const liberty_cell_t *liberty_any(const liberty_t *library, const char *cell);
/* Searches the cells with `used`; NULL: none. */
const liberty_cell_t *liberty_find(const liberty_t *library, const char *cell);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Liberty files: the cells that synthesis may use, as one library. What a cell does is asked of
 * Yosys; here is which cells there are.
 *
 *   liberty_t l = {0};
 *   if (!liberty_add(&l, "/home/me/stdcells.lib.gz", "/home/me/stdcells.lib.gz", &trouble) ||
 *   !liberty_end(&l, &trouble)) ... const liberty_cell_t *c = liberty_find(&l, "NAND2X1");
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
  double area;           /* the file's unit; below 0: the file does not say */
  bool flipflop;         /* has a register that an edge writes */
  bool used;             /* false: left out of the text, as nothing says what it does, or the library says not to */
  bool functions;        /* some output has one */
  bool buffer, inverter; /* of one input; with an output alone */
  /* what stands in the way of knowing what it does, "it
   * has a bus"; NULL: its outputs have functions */
  const char *unknown;
  char *gate;      /* of a clock gate: its module in Verilog; NULL: it is none, or of a kind that is not known */
  char *open_gate; /* the same while its clock passes: which edge registers behind it wait for */
  char place[600]; /* "FILE:LINE" */
  char *text;
} liberty_cell_t;

typedef struct {
  liberty_cell_t *cells;
  size_t count, used;
  /* after liberty_end: one library of all files, without cells
   * that are left out and without tables of power and current */
  char *text;
  /* while files are added */
  char *head, *templates, *types, *units, *paths;
  size_t head_size, templates_size;
} liberty_t;

/* One more file, plain or gzip; `shown` is its name in what is said. INPUT: it is cut off or no
 * Liberty file; its units, or a cell of its, are not those of an earlier file. ENVIRONMENT: it
 * cannot be read. */
bool liberty_add(liberty_t *library, const char *path, const char *shown, trouble_t *trouble);

/* Makes the text. INPUT: no cell says what it does, or none is a flip-flop. */
bool liberty_end(liberty_t *library, trouble_t *trouble);
void liberty_free(liberty_t *library);

/* Yosys' error when abc ended without a netlist says nothing of the cells.
 * Is it that one? Then what abc `said` becomes the line. */
bool liberty_explain(trouble_t *trouble, const char *said);

/* The smallest buffer, or inverter if there is none, that is used: what drives
 * a block's inputs, as synthesis and timing are told. NULL: neither. */
const liberty_cell_t *liberty_driver(const liberty_t *library);

const liberty_cell_t *liberty_any(const liberty_t *library, const char *cell); /* among all; NULL: it is none */
/* among those that are used; NULL: it is none */
const liberty_cell_t *liberty_find(const liberty_t *library, const char *cell);

#endif

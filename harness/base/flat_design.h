/* SPDX-License-Identifier: Apache-2.0
 *
 * A flat design as Yosys writes it down, before and after `proc` (DRIVERS_SCRIPT of drivers.h): its
 * wires by name, and of each bit who drives it and who looks at it.
 *
 *   flat_t design;
 *   if (flat_read(&design, before, text)) ... design.bits[i] & FLAT_DRIVEN ...
 *   flat_free(&design);
 *
 * Names and places point into the two texts, which have to live as long.
 */
#ifndef FLAT_DESIGN_H
#define FLAT_DESIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { FLAT_PLACE = 4096, FLAT_NO_BIT = UINT32_MAX, FLAT_UNDEFINED = UINT32_MAX - 1 };

typedef struct {
  const char *name, *place; /* in the text; they end at a blank, the place at '-', '|' or '"' */
  uint32_t first, width;
} flat_wire_t;

/* Of a bit. What is neither LIVE nor ASSIGNED may be a counter that loops of several processes
 * share. Behind `proc` a register is no driver any more of a net that has another name. */
enum {
  FLAT_READ = 1,        /* something takes it */
  FLAT_DRIVEN = 2,      /* something gives it a value that is not high-impedance */
  FLAT_AGAIN = 4,       /* several do */
  FLAT_TRI = 8,         /* something drives it that may be high-impedance */
  FLAT_INPUT = 16,      /* of the top module */
  FLAT_FIRST = 32,      /* it has a first value */
  FLAT_LIVE = 64,       /* outputs depend on it, where Yosys has not put a constant for it */
  FLAT_ASSIGNED = 128,  /* by what is no constant, or outside of processes */
  FLAT_TRI_AGAIN = 256, /* several drive it that may be high-impedance */
  FLAT_GIVEN = 512,     /* a value outside of processes, by what is no z */
  FLAT_PROCESS = 1024,  /* a value in a process, after the beginning */
  FLAT_SHARED = 2048,   /* a value in several processes */
  FLAT_USED = 4096,     /* its value is, where a counter's is only before loops are unrolled */
  FLAT_CELL = 8192      /* a cell before `proc` makes it */
};

typedef struct {
  flat_wire_t *wires; /* by name */
  size_t num_wires, room;
  uint16_t *bits; /* flags */
  uint32_t num_bits;
  uint32_t *edges; /* pairs: the second is high-impedance where the first may be */
  size_t num_edges, edge_room;
  bool tri; /* a driver may be high-impedance */
  /* of each bit: what it is connected to, twice, and 1 more
   * where it is the opposite; FLAT_NO_BIT: it is made by logic */
  uint32_t *sources;
  char *clock;      /* as drivers.h has it; NULL: none */
  const char *word; /* one of those of which one has several assignments; NULL: none */
} flat_t;

/* `with_processes`: before `proc`. False: no top module in them, or no memory. */
bool flat_read(flat_t *design, const char *with_processes, const char *text);
void flat_free(flat_t *design); /* also after flat_read has failed */

const flat_wire_t *flat_wire(const flat_t *design, const char *name); /* NULL: none */
const flat_wire_t *flat_named(const flat_t *design, uint32_t bit);    /* NULL: it has no name of the source */
size_t flat_name_length(const char *name);

/* ---- the text */

const char *flat_top(const char *text); /* the top module's first line; NULL: none */
const char *flat_next_line(const char *line);
bool flat_begins(const char **at, const char *with); /* *at is behind it then */

/* Of what a \src attribute has between its quotes, "y.sv:1.2-1.9|x.sv:3.14-3.15": where it is
 * declared, in the text; the same as "x.sv:3:14", into `text` or a file. */
const char *flat_place(const char *source);
const char *flat_place_text(const char *source, char *text, size_t size);
void flat_print_place(FILE *to, const char *source);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A flat design from Yosys' RTLIL, before and after `proc` (DRIVERS_SCRIPT of drivers.h): its wires
 * by name, and drivers and readers of each bit.
 *
 *   flat_t design;
 *   if (flat_read(&design, before, text)) ... design.bits[i] & FLAT_DRIVEN ...
 *   flat_free(&design);
 *
 * Names and places point into the two texts, so the texts must live as long as the design.
 */
#ifndef FLAT_DESIGN_H
#define FLAT_DESIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { FLAT_PLACE = 4096, FLAT_NO_BIT = UINT32_MAX, FLAT_UNDEFINED = UINT32_MAX - 1 };

typedef struct {
  /* Both point into the text. A name ends at a blank; a place ends at '-', '|' or '"'. */
  const char *name, *place;
  uint32_t first, width; /* the first index into flat_t.bits; width in bits */
} flat_wire_t;

/* Flags of a bit. A bit that is neither LIVE nor ASSIGNED may be a counter shared by loops of
 * several processes. Behind `proc` a register no longer counts as a driver of a net that has
 * another name. */
enum {
  FLAT_READ = 1,        /* something reads the bit */
  FLAT_DRIVEN = 2,      /* something drives the bit, never high-impedance */
  FLAT_AGAIN = 4,       /* several drivers of this kind */
  FLAT_TRI = 8,         /* a driver that may be high-impedance */
  FLAT_INPUT = 16,      /* an input of the top module */
  FLAT_FIRST = 32,      /* the bit has an initial value */
  FLAT_LIVE = 64,       /* outputs depend on the bit, unless Yosys replaced it by a constant */
  FLAT_ASSIGNED = 128,  /* assigned something other than a constant, or outside of processes */
  FLAT_TRI_AGAIN = 256, /* several drivers that may be high-impedance */
  FLAT_GIVEN = 512,     /* a value other than z, outside of processes */
  FLAT_PROCESS = 1024,  /* a value in a process, after initialisation */
  FLAT_SHARED = 2048,   /* a value in several processes */
  FLAT_USED = 4096,     /* the value is used; a loop counter's is used only before unrolling */
  FLAT_CELL = 8192,     /* a cell before `proc` makes the value */
  FLAT_FLOATS = 16384   /* a tri-state gate drives the bit, alone or by way of others */
};

typedef struct {
  flat_wire_t *wires; /* sorted by name */
  size_t num_wires, room;
  uint16_t *bits; /* FLAT_ flags of each bit */
  uint32_t num_bits;
  uint32_t *edges; /* Pairs of bits: the second is high-impedance where the first may be. */
  size_t num_edges, edge_room;
  bool tri; /* some driver may be high-impedance */
  /* The source of each bit: twice the index of the connected bit, plus 1 if inverted. FLAT_NO_BIT:
   * logic makes the bit. */
  uint32_t *sources;
  char *clock;      /* drivers_t.clock; NULL: none */
  const char *word; /* A word of a memory that has several assignments; NULL: none. */
} flat_t;

/* `with_processes`: RTLIL before `proc`; `text`: after. False: no top module, or no memory. */
bool flat_read(flat_t *design, const char *with_processes, const char *text);
void flat_free(flat_t *design); /* also after flat_read has failed */

const flat_wire_t *flat_wire(const flat_t *design, const char *name); /* NULL: none */
/* The wire with this bit that has a name in the source; NULL: none. */
const flat_wire_t *flat_named(const flat_t *design, uint32_t bit);
size_t flat_name_length(const char *name); /* up to the blank that ends the name */

/* ---- the text */

const char *flat_top(const char *text); /* the top module's first line; NULL: none */
const char *flat_next_line(const char *line);
/* True if *at begins with `with`; *at then points behind it. */
bool flat_begins(const char **at, const char *with);

/* `source` is the content of a \src attribute: "y.sv:1.2-1.9|x.sv:3.14-3.15". flat_place points at
 * the declaration in `source`. The other two write it as "x.sv:3:14", into `text` or a file. */
const char *flat_place(const char *source);
const char *flat_place_text(const char *source, char *text, size_t size);
void flat_print_place(FILE *to, const char *source);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Coverage points of a block, merged. The same line, bit or functional point of several instances,
 * runs and parameter sets is one point.
 */
#ifndef COVER_TABLE_H
#define COVER_TABLE_H

#include "cover_where.h"
#include "dut.h"

/* What a point is: a line or branch, a bit of a signal, or a functional point. */
typedef enum { COVER_LINE, COVER_TOGGLE, COVER_FUNCTIONAL, COVER_KINDS } cover_kind_t;
typedef enum { COVER_MISSED, COVER_HIT, COVER_WAIVED } cover_state_t;

/* A point. Strings live as long as the table. */
typedef struct {
  cover_kind_t kind;
  const char *file; /* relative to the tree, for files below it */
  unsigned line, column;
  const char *name;   /* "if", "i_coalesce.op[2]", "order[read,write]". */
  const char *module; /* module of a toggle point */
  const char *text;   /* Functional: the point's description. Line: the lines that execute with it. */
  int bit;            /* bit of a toggle point; -1: none */
  uint64_t count;     /* line, functional: hits */
  bool rose, fell;    /* toggle: both make a hit */
  cover_state_t state;
  int waiver;  /* index of the waiver; -1: none */
  bool proved; /* waived by a proof */
} cover_point_t;

typedef struct {
  cover_point_t *points;
  unsigned count, room;
  unsigned *slots; /* hash table of index + 1; 0: free */
  unsigned num_slots;
  cover_strings_t strings;
} cover_table_t;

/* Maps the points of an object to indices of the table. */
typedef struct {
  const dut_t *dut;
  cover_table_t *table;
  unsigned *lines;      /* of dut->points */
  unsigned *bits;       /* Of each bit of each signal, in order; UINT32_MAX: not counted. */
  unsigned *functional; /* Of the functional points, then of the automatic ones. */
  unsigned num_functional;
} cover_map_t;

const char *cover_kind_name(cover_kind_t kind);
void cover_table_free(cover_table_t *table);

/* Adds an object's points to `table`. A device of the object must exist. `object`: its path; the
 * object file holds signals.xml. */
bool cover_map(cover_map_t *map, cover_table_t *table, const dut_t *dut, const char *object, const char *ports,
               const char *root, trouble_t *trouble);
void cover_map_free(cover_map_t *map);

/* Adds the hits of a device and of the functional counts (map->num_functional points) to the table.
 * `seen` (may be NULL): gets a bit set for each point that this device alone has hit. */
void cover_collect(const cover_map_t *map, void *dev, const uint32_t *functional, uint64_t *seen);

/* Counts the points that are hit and not yet in `seen` (one bit each), and sets their bits. Toggles
 * count over the whole life of the device. */
unsigned cover_seen(const cover_map_t *map, void *dev, const uint32_t *functional, uint64_t *seen);

#endif

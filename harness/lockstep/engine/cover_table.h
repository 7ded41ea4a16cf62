/* SPDX-License-Identifier: Apache-2.0
 *
 * Coverage points of a block, merged: the same line, bit or functional point of several instances,
 * runs and sets of parameters is one point.
 */
#ifndef COVER_TABLE_H
#define COVER_TABLE_H

#include "cover_where.h"
#include "dut.h"

typedef enum { COVER_LINE, COVER_TOGGLE, COVER_FUNCTIONAL, COVER_KINDS } cover_kind_t;
typedef enum { COVER_MISSED, COVER_HIT, COVER_WAIVED } cover_state_t;

typedef struct {
  cover_kind_t kind;
  const char *file; /* from the tree's root, where it is below it */
  unsigned line, column;
  const char *name;   /* "if", "i_coalesce.op[2]", "order[read,write]" */
  const char *module; /* of a toggle */
  const char *text;   /* of a functional point: what it is; of a line: those that run with it */
  int bit;            /* of a toggle; -1: none */
  uint64_t count;     /* line, functional: how often */
  bool rose, fell;    /* toggle */
  cover_state_t state;
  int waiver;  /* its index, -1: none */
  bool proved; /* waived: by a proof */
} cover_point_t;

typedef struct {
  cover_point_t *points;
  unsigned count, room;
  unsigned *slots; /* hash table of indices + 1 */
  unsigned num_slots;
  cover_strings_t strings;
} cover_table_t;

/* Where an object's points are in the table. */
typedef struct {
  const dut_t *dut;
  cover_table_t *table;
  unsigned *lines;      /* of dut->points */
  unsigned *bits;       /* of each bit of each signal, in order; UINT32_MAX: not counted */
  unsigned *functional; /* of the functional points, then of the automatic ones */
  unsigned num_functional;
} cover_map_t;

const char *cover_kind_name(cover_kind_t kind);
void cover_table_free(cover_table_t *table);

/* Adds an object's points. A device of it has been created.
 * object: its path (signals.xml is within it). */
bool cover_map(cover_map_t *map, cover_table_t *table, const dut_t *dut, const char *object, const char *ports,
               const char *root, trouble_t *trouble);
void cover_map_free(cover_map_t *map);

/* Adds what a device and the functional counts (of map->num_functional points) have seen. seen (may
 * be NULL): one bit a point is set where this device alone has hit it. */
void cover_collect(const cover_map_t *map, void *dev, const uint32_t *functional, uint64_t *seen);

/* "rtl/lib/x.sv:12" and the point's name with its bit. */
/* Points that have been hit and are not yet in seen (a bit each), which are then set: their number.
 * Toggles count over everything that the device has done. */
unsigned cover_seen(const cover_map_t *map, void *dev, const uint32_t *functional, uint64_t *seen);

const char *cover_point_text(const cover_point_t *point, char *buf, size_t size);

#endif

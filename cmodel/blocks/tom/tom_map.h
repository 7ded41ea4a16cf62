/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of tom_map, the memory map analyser of an SM (TOM paper, sections 3.2.1 and 4.3;
 * rtl/tom/tom_map.ports). A map is a place of the stack's number in an address. For each map it
 * counts the stacks that an instance would access.
 *
 * Call tom_map_eval for the outputs of a cycle, then tom_map_step with the same inputs for its
 * clock edge. All outputs are state (Moore). Sums stop at their highest value.
 */
#ifndef TOM_MAP_H
#define TOM_MAP_H

#include <stdbool.h>

#include "tom_map_ports.h"

enum { TOM_MAP_STACKS = 8 }; /* the most stacks that StackBits allows */

/* An instance of a candidate in a warp. */
typedef struct {
  bool open;     /* it has begun and not ended */
  bool accessed; /* it has accessed a line */
  struct {
    unsigned first;               /* stack of its first access, valid with `accessed` */
    bool touched[TOM_MAP_STACKS]; /* stacks that it accessed */
  } map[Maps];
} tom_instance_t;

typedef struct {
  tom_instance_t warp[Warps];
  bool more; /* an instance ended in the last cycle */
  /* Sums: instances, accesses; by map: accesses to the first stack, stacks touched. */
  uint64_t seen, total, same[Maps], touched[Maps];
  uint64_t rd_same, rd_touched; /* the outputs: sums as they were in the last cycle */
} tom_map_t;

void tom_map_reset(tom_map_t *s);
void tom_map_eval(const tom_map_t *s, const tom_map_in_t *in, tom_map_out_t *out);
void tom_map_step(tom_map_t *s, const tom_map_in_t *in);

#endif

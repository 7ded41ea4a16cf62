/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_map -- golden model of an SM's memory map analyser; contract: rtl/tom/tom_map.ports.
 */
#ifndef TOM_MAP_H
#define TOM_MAP_H

#include <stdbool.h>

#include "tom_map_ports.h"

enum { TOM_MAP_STACKS = 8 };

typedef struct {
  bool open;
  bool accessed; /* has accessed a line */
  struct {
    unsigned first;
    bool touched[TOM_MAP_STACKS];
  } map[Maps];
} tom_instance_t;

typedef struct {
  tom_instance_t warp[Warps];
  bool more;
  uint64_t seen, total, same[Maps], touched[Maps];
  uint64_t rd_same, rd_touched;
} tom_map_t;

void tom_map_reset(tom_map_t *s);
void tom_map_eval(const tom_map_t *s, const tom_map_in_t *in, tom_map_out_t *out);
void tom_map_step(tom_map_t *s, const tom_map_in_t *in);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of the network of the MPU's cores, which its configuration has, too.
 */
#ifndef PART_MESH_H
#define PART_MESH_H

#include "composition.h"

typedef struct {
  char topology[128];  /* mesh, or any other with a terminal per core */
  unsigned vcs, depth; /* virtual channels of a message class, flits of each */
  /* cycles of a link on the chip, between processors; of a flit there */
  unsigned mesh_latency, cube_latency, cube_interval;
} part_mesh_values_t;

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * An unstructured mesh of tetrahedra: cubes of six each, corners moved a little, the cells numbered
 * anew at random, all of them or near by.
 */
#ifndef CFD_MESH_H
#define CFD_MESH_H

#include "data.h"

enum { CFD_FACES = 4, CFD_WALL = -1, CFD_FAR = -2, CFD_STRIDE = 32 };

/* Number k of cell i is at i + k * stride. `neighbour`: the cell behind each face, or CFD_WALL
 * below the mesh and CFD_FAR on its other sides. `face`: vectors into the cell, as long as the face
 * is large. Two cells that share a face have the same vector, apart from sign and rounding. */
typedef struct {
  uint32_t cells, stride; /* stride: cells, made a multiple of CFD_STRIDE */
  int32_t *neighbour;
  float *face;    /* vector k of face j: i + (j + CFD_FACES * k) * stride */
  float *surface; /* of a cell, squared */
} cfd_mesh_t;

/* data: where the arrays go, and whether they could be had. window: so many cells that follow each
 * other in the cubes' order share out their numbers at random, as in a mesh that was numbered for
 * locality. 1: all keep theirs; 0: all cells share out all numbers. */
cfd_mesh_t cfd_mesh_new(data_t *data, uint32_t cells, uint32_t window, uint64_t seed);

#endif

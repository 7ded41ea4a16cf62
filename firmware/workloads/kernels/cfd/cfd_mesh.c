/* SPDX-License-Identifier: Apache-2.0
 *
 * The mesh: cubes of six tetrahedra each.
 *
 *    corner 0 --axis a--> corner 1 --axis b--> corner 2 --axis c--> corner 3
 *
 * A cube's six tetrahedra all have its first and its last corner. Between these, each goes along
 * the cube's edges in one of the six orders of the axes. So two of a tetrahedron's faces are inside
 * the cube, where the order with two axes exchanged is. The two others are shared with the cubes
 * before and behind, whose diagonals fit.
 */
#include "cfd/cfd_mesh.h"

#include <math.h>
#include <stdlib.h>

enum { TETS = 6, AXES = 3 };

typedef struct {
  int32_t cube[AXES];  /* where */
  unsigned axis[AXES]; /* the order */
} tet_t;

typedef struct {
  double at[AXES];
} point_t;

typedef struct {
  int32_t side; /* cubes */
  uint32_t cells;
  uint64_t seed;
  const uint32_t *number; /* of each tetrahedron, in the order of cubes */
} grid_t;

/* Tetrahedron t, numbered cube by cube, x first. */
static tet_t tet_of(const grid_t *g, uint32_t t) {
  const uint32_t cube = t / TETS, order = t % TETS, side = (uint32_t)g->side, first = order / 2;
  const unsigned low = first == 0, high = first == 2 ? 1 : 2; /* the other two axes */
  return (tet_t){{(int32_t)(cube % side), (int32_t)(cube / side % side), (int32_t)(cube / side / side)},
                 {first, order % 2 ? high : low, order % 2 ? low : high}};
}

/* The tetrahedron's cell, or CFD_WALL below the mesh and CFD_FAR on its other sides. */
static int32_t cell_of(const grid_t *g, const tet_t *t) {
  if (t->cube[2] < 0) return CFD_WALL;
  for (unsigned k = 0; k < AXES; k++)
    if (t->cube[k] < 0 || t->cube[k] >= g->side) return CFD_FAR;
  const uint32_t cube = (uint32_t)(t->cube[0] + g->side * (t->cube[1] + g->side * t->cube[2]));
  const uint64_t tet = (uint64_t)cube * TETS + 2 * t->axis[0] + (t->axis[1] > t->axis[2]);
  return tet < g->cells ? (int32_t)g->number[tet] : CFD_FAR;
}

/* The neighbour behind the face opposite to corner j. */
static tet_t tet_behind(const tet_t *t, unsigned j) {
  tet_t n = *t;
  const unsigned *a = t->axis;
  if (j == 0) n = (tet_t){{t->cube[0], t->cube[1], t->cube[2]}, {a[1], a[2], a[0]}}, n.cube[a[0]]++;
  else if (j == 3) n = (tet_t){{t->cube[0], t->cube[1], t->cube[2]}, {a[2], a[0], a[1]}}, n.cube[a[2]]--;
  else n.axis[j - 1] = a[j], n.axis[j] = a[j - 1];
  return n;
}

/* Corner j, moved by at most 0.1 in each direction. The place seeds the movement, so every
 * tetrahedron gets the same corner. */
static point_t corner_point(const grid_t *g, const tet_t *t, unsigned j) {
  int32_t at[AXES] = {t->cube[0], t->cube[1], t->cube[2]};
  for (unsigned k = 0; k < j; k++) at[t->axis[k]]++;
  uint64_t state = g->seed ^ ((uint64_t)at[0] << 42 | (uint64_t)at[1] << 21 | (uint64_t)at[2]);
  point_t p;
  for (unsigned k = 0; k < AXES; k++)
    p.at[k] = at[k] + 0.1 * ((double)(int32_t)(uint32_t)data_random(&state) * 0x1p-31);
  return p;
}

static point_t point_difference(point_t a, point_t b) {
  return (point_t){{a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]}};
}

/* The vector of the face opposite to corner j: into the tetrahedron, as long as the face is
 * large. */
static point_t inward_vector(const point_t c[AXES + 1], unsigned j) {
  const point_t base = c[(j + 1) & 3], u = point_difference(c[(j + 2) & 3], base),
                v = point_difference(c[(j + 3) & 3], base), to = point_difference(c[j], base);
  point_t n;
  for (unsigned k = 0; k < AXES; k++)
    n.at[k] = 0.5 * (u.at[(k + 1) % 3] * v.at[(k + 2) % 3] - u.at[(k + 2) % 3] * v.at[(k + 1) % 3]);
  if (n.at[0] * to.at[0] + n.at[1] * to.at[1] + n.at[2] * to.at[2] < 0)
    for (unsigned k = 0; k < AXES; k++) n.at[k] = -n.at[k];
  return n;
}

/* Neighbours, faces and squared surface of one cell. */
static void make_cell(const cfd_mesh_t *m, const grid_t *g, uint32_t t) {
  const tet_t tet = tet_of(g, t);
  const uint32_t i = g->number[t];
  point_t c[AXES + 1];
  double surface = 0;
  for (unsigned j = 0; j <= AXES; j++) c[j] = corner_point(g, &tet, j);
  for (unsigned j = 0; j < CFD_FACES; j++) {
    const tet_t next = tet_behind(&tet, j);
    const point_t n = inward_vector(c, j);
    m->neighbour[i + j * m->stride] = cell_of(g, &next);
    for (unsigned k = 0; k < AXES; k++) m->face[i + (j + CFD_FACES * k) * m->stride] = (float)n.at[k];
    surface += sqrt(n.at[0] * n.at[0] + n.at[1] * n.at[1] + n.at[2] * n.at[2]);
  }
  m->surface[i] = (float)(surface * surface);
}

/* Numbers the cells anew, at random within each window: every order is equally likely there
 * (Fisher-Yates from inside out). */
static void shuffle_numbers(uint32_t *number, uint32_t count, uint32_t window, uint64_t seed) {
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t first = window ? i - i % window : 0, with = first + (uint32_t)(data_random(&seed) % (i - first + 1));
    number[i] = number[with];
    number[with] = i;
  }
}

cfd_mesh_t cfd_mesh_new(data_t *data, uint32_t cells, uint32_t window, uint64_t seed) {
  const uint32_t stride = data_blocks(cells, CFD_STRIDE) * CFD_STRIDE;
  cfd_mesh_t m = {.cells = cells, .stride = stride};
  m.neighbour = data_array(data, (size_t)CFD_FACES * stride, sizeof *m.neighbour);
  m.face = data_array(data, (size_t)AXES * CFD_FACES * stride, sizeof *m.face);
  m.surface = data_array(data, stride, sizeof *m.surface);
  uint32_t *number = data_array(data, cells, sizeof *number);
  if (data->failed) return m;
  grid_t g = {.cells = cells, .seed = seed, .number = number, .side = 1};
  while ((uint64_t)TETS * (uint64_t)g.side * (uint64_t)g.side * (uint64_t)g.side < cells) g.side++;
  shuffle_numbers(number, cells, window, seed);
  for (uint32_t t = 0; t < cells; t++) make_cell(&m, &g, t);
  return m;
}

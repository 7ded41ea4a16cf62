/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of LULESH: arrays and mesh, the clock, and the reference.
 *
 *    a step:  stress -> corner forces -> node forces; hourglass modes -> more node forces
 *             -> acceleration, velocity, position -> volumes, gradients
 *             -> viscosity, energy, pressure -> the longest next step of each block
 *
 * The cube's corner at the origin has the explosion. Nodes on the three planes through it do not
 * move across them.
 */
#include "lulesh/lulesh_host.h"

#include <math.h>
#include <string.h>

#define LULESH_FN static inline
#define lulesh_fused(a, b, c) fma(a, b, c)
#define lulesh_root(a) sqrt(a)
#define lulesh_ex2(a) (float)exp2((double)(a))
#define lulesh_lg2(a) (float)log2((double)(a))
#include "lulesh/lulesh_element.h"

static const double end_of_time = 1e-2, longest_step = 1e-2, side = 1.125;

/* ---- Data ---- */

static const struct {
  uint8_t of, numbers;
} arrays[] = {
#define LULESH_REAL(name, of, numbers) {LULESH_##of, numbers},
#include "lulesh/lulesh_lists.def"
#define LULESH_INT(name, of, numbers) {LULESH_##of, numbers},
#include "lulesh/lulesh_lists.def"
};

size_t lulesh_numbers(const lulesh_t *l, lulesh_array_t array) {
  return (size_t)l->count[arrays[array].of] * arrays[array].numbers;
}

/* All reals are one allocation and all integers another: data_t has few slots. */
static bool make_arrays(lulesh_t *l) {
  size_t numbers[2] = {0}; /* real, integer */
  for (unsigned a = 0; a < LULESH_ARRAYS; a++) numbers[a >= LULESH_REALS] += lulesh_numbers(l, a);
  double *real = data_array(&l->data, numbers[0], sizeof *real);
  int32_t *number = data_array(&l->data, numbers[1], sizeof *number);
  if (l->data.failed) return false;
  for (unsigned a = 0; a < LULESH_REALS; real += lulesh_numbers(l, a++)) l->real[a] = real;
  for (unsigned a = LULESH_REALS; a < LULESH_ARRAYS; number += lulesh_numbers(l, a++)) l->number[a] = number;
  return true;
}

/* Vector i of an array of `things` vectors, which keeps all x first, then y, then z. */
static vec_t get_vec(const double *array, size_t i, size_t things) {
  return lulesh_vec(array[i], array[i + things], array[i + 2 * things]);
}

static void put_vec(double *array, size_t i, size_t things, vec_t v) {
  array[i] = v.x;
  array[i + things] = v.y;
  array[i + 2 * things] = v.z;
}

/* Along one axis of an element's place: the neighbours before and behind it. Before the first is
 * the element itself, behind the last nothing (-1). */
static void make_neighbours(const lulesh_t *l, int32_t e, unsigned axis, uint32_t at, int32_t stride) {
  int32_t *to = l->number[LULESH_NEIGHBOUR] + e + 2 * axis * l->count[LULESH_ELEMENTS];
  to[0] = at > 0 ? e - stride : e;
  to[l->count[LULESH_ELEMENTS]] = at + 1 < l->edge ? e + stride : -1;
}

/* Corner nodes and neighbours of all elements, x first. */
static void make_elements(const lulesh_t *l) {
  const int32_t edge = (int32_t)l->edge, row = edge + 1, layer = row * row;
  const int32_t to_corner[] = {0, 1, 1 + row, row, layer, layer + 1, layer + 1 + row, layer + row};
  int32_t e = 0;
  for (int32_t z = 0; z < edge; z++)
    for (int32_t y = 0; y < edge; y++)
      for (int32_t x = 0; x < edge; x++, e++) {
        for (unsigned c = 0; c < LULESH_CORNERS; c++)
          l->number[LULESH_CORNER_NODE][(uint32_t)e + c * l->count[LULESH_ELEMENTS]] =
              (z * row + y) * row + x + to_corner[c];
        make_neighbours(l, e, 0, (uint32_t)x, 1);
        make_neighbours(l, e, 1, (uint32_t)y, edge);
        make_neighbours(l, e, 2, (uint32_t)z, edge * edge);
      }
}

/* The nodes that do not move along x, y and z: those of the three planes through the origin. */
static void make_walls(const lulesh_t *l) {
  const uint32_t row = l->edge + 1, plane = l->count[LULESH_PLANE];
  int32_t *wall = l->number[LULESH_WALL];
  for (uint32_t i = 0; i < plane; i++) {
    wall[i] = (int32_t)(i * row);
    wall[i + plane] = (int32_t)(i / row * plane + i % row);
    wall[i + 2 * plane] = (int32_t)i;
  }
}

static void place_nodes(const lulesh_t *l) {
  const uint32_t row = l->edge + 1;
  for (uint32_t n = 0; n < l->count[LULESH_NODES]; n++)
    put_vec(l->real[LULESH_POSITION], n, l->count[LULESH_NODES],
            lulesh_vec(side * (n % row) / l->edge, side * (n / row % row) / l->edge, side * (n / row / row) / l->edge));
}

/* Which element corners meet at a node, in the order of elements: counts, then places, then
 * lists. */
static void make_corners(const lulesh_t *l) {
  const uint32_t elements = l->count[LULESH_ELEMENTS], nodes = l->count[LULESH_NODES];
  int32_t *first = l->number[LULESH_NODE_FIRST], *count = l->number[LULESH_NODE_COUNT];
  for (uint32_t i = 0; i < LULESH_CORNERS * elements; i++) count[l->number[LULESH_CORNER_NODE][i]]++;
  for (uint32_t n = 1; n < nodes; n++) first[n] = first[n - 1] + count[n - 1];
  for (uint32_t n = 0; n < nodes; n++) count[n] = 0;
  for (uint32_t e = 0; e < elements; e++)
    for (uint32_t i = e; i < LULESH_CORNERS * elements; i += elements) {
      const int32_t n = l->number[LULESH_CORNER_NODE][i];
      l->number[LULESH_NODE_CORNER][first[n] + count[n]++] = (int32_t)i;
    }
}

/* Reads an array of nodes at the eight corners of element e. */
static void collect_corners(const lulesh_t *l, lulesh_array_t array, size_t e, vec_t *v) {
  for (size_t c = 0; c < LULESH_CORNERS; c++)
    v[c] = get_vec(l->real[array], (size_t)l->number[LULESH_CORNER_NODE][e + c * l->count[LULESH_ELEMENTS]],
                   l->count[LULESH_NODES]);
}

static void put_corners(const lulesh_t *l, lulesh_array_t array, size_t e, const vec_t *v) {
  for (size_t c = 0; c < LULESH_CORNERS; c++)
    put_vec(l->real[array], e + c * l->count[LULESH_ELEMENTS], LULESH_CORNERS * (size_t)l->count[LULESH_ELEMENTS],
            v[c]);
}

/* All nodes at rest, and all energy in the corner's element. The energy grows with the mesh, so the
 * explosion is the same for any edge, apart from its grain. */
void lulesh_begin(const lulesh_t *l) {
  for (unsigned a = 0; a < LULESH_REALS; a++) memset(l->real[a], 0, lulesh_numbers(l, a) * sizeof *l->real[a]);
  place_nodes(l);
  for (size_t e = 0; e < l->count[LULESH_ELEMENTS]; e++) {
    vec_t p[LULESH_CORNERS];
    collect_corners(l, LULESH_POSITION, e, p);
    const double volume = lulesh_volume(p);
    l->real[LULESH_FIRST_VOLUME][e] = l->real[LULESH_MASS][e] = volume;
    l->real[LULESH_VOLUME][e] = 1;
    for (size_t c = 0; c < LULESH_CORNERS; c++)
      l->real[LULESH_NODE_MASS][l->number[LULESH_CORNER_NODE][e + c * l->count[LULESH_ELEMENTS]]] +=
          volume / LULESH_CORNERS;
  }
  const double scale = l->edge / 45.0;
  l->real[LULESH_ENERGY][0] = 3.948746e7 * scale * scale * scale;
}

bool lulesh_make(lulesh_t *l, uint32_t edge, uint32_t block) {
  l->edge = edge;
  l->block = block;
  l->count[LULESH_ELEMENTS] = edge * edge * edge;
  l->count[LULESH_NODES] = (edge + 1) * (edge + 1) * (edge + 1);
  l->count[LULESH_PLANE] = (edge + 1) * (edge + 1);
  l->count[LULESH_BLOCKS] = data_blocks(l->count[LULESH_ELEMENTS], block);
  if (!make_arrays(l)) return false;
  make_elements(l);
  make_walls(l);
  make_corners(l);
  lulesh_begin(l);
  return true;
}

/* ---- Steps of time ---- */

/* The first step follows from the corner's element. */
lulesh_clock_t lulesh_start(const lulesh_t *l) {
  const double step = 0.5 * cbrt(l->real[LULESH_FIRST_VOLUME][0]) / sqrt(2 * l->real[LULESH_ENERGY][0]);
  return (lulesh_clock_t){.step = step, .courant = LULESH_LONG, .hydro = LULESH_LONG};
}

bool lulesh_done(const lulesh_clock_t *clock) {
  return clock->time >= end_of_time;
}

/* Half of the Courant step and two thirds of the hydro step. The step stays as it is until it may
 * grow by a tenth, and grows by a fifth at most. */
static double next_step(const lulesh_clock_t *clock) {
  double step = LULESH_LONG;
  if (clock->courant < step) step = clock->courant / 2;
  if (clock->hydro < step) step = clock->hydro * 2 / 3;
  const double ratio = step / clock->step;
  if (ratio >= 1 && ratio < 1.1) step = clock->step;
  if (ratio > 1.2) step = clock->step * 1.2;
  return step < longest_step ? step : longest_step;
}

/* Sets the step and moves the time. The last two steps are alike, so that no very short one
 * is left over. */
void lulesh_tick(lulesh_clock_t *clock) {
  double left = end_of_time - clock->time;
  if (clock->steps) clock->step = next_step(clock);
  if (left > clock->step && left < 4 * clock->step / 3) left = 2 * clock->step / 3;
  if (left < clock->step) clock->step = left;
  clock->time += clock->step;
  clock->steps++;
}

void lulesh_ask(const lulesh_t *l, const double *courant, const double *hydro, lulesh_clock_t *clock) {
  clock->courant = clock->hydro = LULESH_LONG;
  for (uint32_t b = 0; b < l->count[LULESH_BLOCKS]; b++) {
    clock->courant = fmin(clock->courant, courant[b]);
    clock->hydro = fmin(clock->hydro, hydro[b]);
  }
}

/* ---- Reference ---- */

/* The force on node n: the corners' forces, added up in the kernel's order. */
static vec_t gathered_force(const lulesh_t *l, size_t n) {
  vec_t sum = lulesh_vec(0, 0, 0);
  const int32_t *corner = l->number[LULESH_NODE_CORNER] + l->number[LULESH_NODE_FIRST][n];
  for (int32_t i = 0; i < l->number[LULESH_NODE_COUNT][n]; i++)
    sum = plus(sum, get_vec(l->real[LULESH_CORNER_FORCE], (size_t)corner[i],
                            LULESH_CORNERS * (size_t)l->count[LULESH_ELEMENTS]));
  return sum;
}

/* Corner forces from pressure and viscosity. */
static void write_stress_forces(const lulesh_t *l, size_t e) {
  const double stress = -l->real[LULESH_PRESSURE][e] - l->real[LULESH_VISCOSITY][e];
  vec_t p[LULESH_CORNERS], f[LULESH_CORNERS];
  collect_corners(l, LULESH_POSITION, e, p);
  lulesh_normals(p, f);
  for (unsigned c = 0; c < LULESH_CORNERS; c++) f[c] = times(-stress, f[c]);
  put_corners(l, LULESH_CORNER_FORCE, e, f);
}

/* Adds to f the force against hourglass mode `mode` of corners p with velocities v; d has
 * the volume's derivatives. */
static void damp_mode(unsigned mode, const vec_t *p, const vec_t *d, const vec_t *v, double volume, vec_t *f) {
  double by[LULESH_CORNERS];
  vec_t bent = lulesh_vec(0, 0, 0), speed = bent;
  for (unsigned c = 0; c < LULESH_CORNERS; c++) bent = fused_vec(lulesh_mode(mode, c), p[c], bent);
  for (unsigned c = 0; c < LULESH_CORNERS; c++) {
    by[c] = fma(-(1 / volume), dot(d[c], bent), lulesh_mode(mode, c));
    speed = fused_vec(by[c], v[c], speed);
  }
  for (unsigned c = 0; c < LULESH_CORNERS; c++) f[c] = fused_vec(by[c], speed, f[c]);
}

/* Corner forces against all hourglass modes. */
static void write_hourglass_forces(const lulesh_t *l, size_t e) {
  vec_t p[LULESH_CORNERS], d[LULESH_CORNERS], v[LULESH_CORNERS], f[LULESH_CORNERS] = {{0}};
  const double volume = l->real[LULESH_FIRST_VOLUME][e] * l->real[LULESH_VOLUME][e];
  collect_corners(l, LULESH_POSITION, e, p);
  collect_corners(l, LULESH_VELOCITY, e, v);
  for (unsigned c = 0; c < LULESH_CORNERS; c++) d[c] = lulesh_derivative(p, c);
  for (unsigned mode = 0; mode < LULESH_MODES; mode++) damp_mode(mode, p, d, v, volume, f);
  const double damping = lulesh_damping(l->real[LULESH_SOUND][e], l->real[LULESH_MASS][e], volume);
  for (unsigned c = 0; c < LULESH_CORNERS; c++) f[c] = times(damping, f[c]);
  put_corners(l, LULESH_CORNER_FORCE, e, f);
}

/* Tiny velocities become 0, as in LULESH. */
static double cut_small(double v) {
  return fabs(v) < LULESH_CUT ? 0 : v;
}

/* Acceleration, velocity and position of a node; walls hold it. */
static void move_node(const lulesh_t *l, size_t n, double step) {
  const size_t nodes = l->count[LULESH_NODES], row = l->edge + 1;
  const double mass = l->real[LULESH_NODE_MASS][n];
  const vec_t f = get_vec(l->real[LULESH_FORCE], n, nodes);
  vec_t a = lulesh_vec(f.x / mass, f.y / mass, f.z / mass);
  if (n % row == 0) a.x = 0;
  if (n / row % row == 0) a.y = 0;
  if (n / row / row == 0) a.z = 0;
  vec_t v = fused_vec(step, a, get_vec(l->real[LULESH_VELOCITY], n, nodes));
  v = lulesh_vec(cut_small(v.x), cut_small(v.y), cut_small(v.z));
  put_vec(l->real[LULESH_VELOCITY], n, nodes, v);
  put_vec(l->real[LULESH_POSITION], n, nodes, fused_vec(step, v, get_vec(l->real[LULESH_POSITION], n, nodes)));
}

static void move_nodes(const lulesh_t *l, double step) {
  const size_t elements = l->count[LULESH_ELEMENTS], nodes = l->count[LULESH_NODES];
  for (size_t e = 0; e < elements; e++) write_stress_forces(l, e);
  for (size_t n = 0; n < nodes; n++) put_vec(l->real[LULESH_FORCE], n, nodes, gathered_force(l, n));
  for (size_t e = 0; e < elements; e++) write_hourglass_forces(l, e);
  for (size_t n = 0; n < nodes; n++)
    put_vec(l->real[LULESH_FORCE], n, nodes, plus(get_vec(l->real[LULESH_FORCE], n, nodes), gathered_force(l, n)));
  for (size_t n = 0; n < nodes; n++) move_node(l, n, step);
}

/* Volume, length, gradients and strain of element e after the move. The strain is that of half
 * a step ago. */
static void update_kinematics(const lulesh_t *l, size_t e, double step) {
  const size_t elements = l->count[LULESH_ELEMENTS];
  vec_t p[LULESH_CORNERS], v[LULESH_CORNERS], b[LULESH_CORNERS / 2];
  collect_corners(l, LULESH_POSITION, e, p);
  collect_corners(l, LULESH_VELOCITY, e, v);
  const double now = lulesh_volume(p), relative = now / l->real[LULESH_FIRST_VOLUME][e];
  l->real[LULESH_NEW_VOLUME][e] = relative;
  l->real[LULESH_GROWS][e] = relative - l->real[LULESH_VOLUME][e];
  l->real[LULESH_LENGTH][e] = lulesh_length(p, now);
  const gradient_t g = lulesh_gradients_of(p, v, l->real[LULESH_FIRST_VOLUME][e] * relative);
  put_vec(l->real[LULESH_GRADIENT], e, elements, g.velocity);
  put_vec(l->real[LULESH_SPAN], e, elements, g.length);
  for (unsigned c = 0; c < LULESH_CORNERS; c++) p[c] = fused_vec(-0.5 * step, v[c], p[c]);
  const double half = lulesh_shape(p, b);
  const vec_t strain = lulesh_strain_of(b, v, half);
  l->real[LULESH_VDOV][e] = strain.x + strain.y + strain.z;
}

/* The limiter along the axis whose elements are `stride` apart; e's place along it is `at`. */
static double want_limiter(const lulesh_t *l, size_t e, size_t stride, size_t at, const double *gradient) {
  return lulesh_limiter(gradient[e], gradient[at > 0 ? e - stride : e], at + 1 < l->edge ? gradient[e + stride] : 0);
}

static viscosity_t want_viscosity(const lulesh_t *l, size_t e) {
  const size_t edge = l->edge, elements = l->count[LULESH_ELEMENTS];
  const double *gradient = l->real[LULESH_GRADIENT];
  const double x = want_limiter(l, e, 1, e % edge, gradient),
               y = want_limiter(l, e, edge, e / edge % edge, gradient + elements);
  const vec_t phi = lulesh_vec(x, y, want_limiter(l, e, edge * edge, e / edge / edge, gradient + 2 * elements));
  if (l->real[LULESH_VDOV][e] > 0) return (viscosity_t){0, 0};
  const gradient_t g = {get_vec(gradient, e, elements), get_vec(l->real[LULESH_SPAN], e, elements)};
  return lulesh_viscosity_of(
      g, phi, l->real[LULESH_MASS][e] / (l->real[LULESH_FIRST_VOLUME][e] * l->real[LULESH_NEW_VOLUME][e]));
}

/* Energy, pressure, viscosity and speed of sound of element e. */
static void update_state(const lulesh_t *l, size_t e) {
  const viscosity_t q = want_viscosity(l, e);
  element_t now = {l->real[LULESH_ENERGY][e], l->real[LULESH_PRESSURE][e], l->real[LULESH_VISCOSITY][e], q.linear,
                   q.square};
  const double volume = l->real[LULESH_NEW_VOLUME][e];
  l->real[LULESH_SOUND][e] = lulesh_next_state(&now, lulesh_volume_within(volume), l->real[LULESH_GROWS][e]);
  l->real[LULESH_ENERGY][e] = now.energy;
  l->real[LULESH_PRESSURE][e] = now.pressure;
  l->real[LULESH_VISCOSITY][e] = now.viscosity;
  l->real[LULESH_VOLUME][e] = fabs(volume - 1) < LULESH_VOLUME_CUT ? 1 : volume;
}

/* Keeps the shortest steps of e's block; the block's first element begins anew. */
static void limit_step(const lulesh_t *l, size_t e) {
  double *courant = &l->real[LULESH_COURANT][e / l->block], *hydro = &l->real[LULESH_HYDRO][e / l->block];
  const double vdov = l->real[LULESH_VDOV][e];
  *courant = fmin(e % l->block ? *courant : LULESH_LONG,
                  lulesh_courant_of(l->real[LULESH_SOUND][e], l->real[LULESH_LENGTH][e], vdov));
  *hydro = fmin(e % l->block ? *hydro : LULESH_LONG, lulesh_hydro_of(vdov));
}

void lulesh_step(lulesh_t *l, double step) {
  const size_t elements = l->count[LULESH_ELEMENTS];
  move_nodes(l, step);
  for (size_t e = 0; e < elements; e++) update_kinematics(l, e, step);
  for (size_t e = 0; e < elements; e++) update_state(l, e);
  for (size_t e = 0; e < elements; e++) limit_step(l, e);
}

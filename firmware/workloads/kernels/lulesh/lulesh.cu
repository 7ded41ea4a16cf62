/* SPDX-License-Identifier: Apache-2.0
 *
 * A step of Lagrangian shock hydrodynamics on hexahedra (the algorithm of LULESH): a thread an element or a node, in the order of lulesh_lists.def, which
 * says what each array has. Forces of an element's corners are written by elements and added up by nodes, so there are no atomics. The arithmetic is in
 * lulesh_element.h.
 */
#include "device.h"

#define LULESH_FN static __device__ inline
#define lulesh_fused(a, b, c) __nvvm_fma_rn_d(a, b, c)
#define lulesh_root(a) __nvvm_sqrt_rn_d(a)
#define lulesh_ex2(a) __nvvm_ex2_approx_f(a)
#define lulesh_lg2(a) __nvvm_lg2_approx_f(a)
#include "lulesh/lulesh_element.h"

#define BLOCK 128 /* at most */
#define KERNEL extern "C" __global__ void __launch_bounds__(BLOCK)
#define EACH_CORNER _Pragma("unroll") for (int c = 0; c < LULESH_CORNERS; c++)
#define EACH_MODE _Pragma("unroll") for (int m = 0; m < LULESH_MODES; m++)

static __device__ inline vec_t get(const double *array, int i, int things) {
  return lulesh_vec(array[i], array[i + things], array[i + 2 * things]);
}

static __device__ inline void put(double *array, int i, int things, vec_t v) {
  array[i] = v.x;
  array[i + things] = v.y;
  array[i + 2 * things] = v.z;
}

/* What an element's nodes have. */
static __device__ inline void collect(const int *corner_node, const double *array, int e, int elements, int nodes, vec_t *v) {
  EACH_CORNER v[c] = get(array, corner_node[e + c * elements], nodes);
}

static __device__ inline void put_corners(double *array, int e, int elements, const vec_t *v) {
  EACH_CORNER put(array, e + c * elements, LULESH_CORNERS * elements, v[c]);
}

KERNEL lulesh_stress(int elements, int, int, double, const double *pressure, const double *viscosity, double *stress) {
  const int e = (int)global_thread();
  if (e >= elements) return;
  const double s = -pressure[e] - viscosity[e];
  put(stress, e, elements, lulesh_vec(s, s, s));
}

KERNEL lulesh_integrate(int elements, int nodes, int, double, const int *corner_node, const double *position, const double *stress, double *force) {
  const int e = (int)global_thread();
  if (e >= elements) return;
  vec_t p[LULESH_CORNERS], b[LULESH_CORNERS];
  collect(corner_node, position, e, elements, nodes, p);
  lulesh_normals(p, b);
  const vec_t s = get(stress, e, elements);
  EACH_CORNER b[c] = lulesh_vec(-s.x * b[c].x, -s.y * b[c].y, -s.z * b[c].z);
  put_corners(force, e, elements, b);
}

/* A node's corners, added to `sum`. */
static __device__ inline vec_t gather(const int *first, const int *count, const int *corner, const double *force, int n, int elements, vec_t sum) {
  const int begin = first[n], end = begin + count[n];
  for (int i = begin; i < end; i++) sum = plus(sum, get(force, corner[i], LULESH_CORNERS * elements));
  return sum;
}

KERNEL lulesh_gather(int elements, int nodes, int, double, const int *first, const int *count, const int *corner, const double *corner_force, double *force) {
  const int n = (int)global_thread();
  if (n < nodes) put(force, n, nodes, gather(first, count, corner, corner_force, n, elements, lulesh_vec(0, 0, 0)));
}

KERNEL lulesh_gather_more(int elements, int nodes, int, double, const int *first, const int *count, const int *corner, const double *corner_force,
                          double *force) {
  const int n = (int)global_thread();
  if (n >= nodes) return;
  const vec_t more = gather(first, count, corner, corner_force, n, elements, lulesh_vec(0, 0, 0));
  put(force, n, nodes, plus(get(force, n, nodes), more));
}

KERNEL lulesh_hourglass(int elements, int nodes, int, double, const int *corner_node, const double *position, const double *first_volume, const double *volume,
                        double *corner, double *derivative, double *now) {
  const int e = (int)global_thread();
  if (e >= elements) return;
  vec_t p[LULESH_CORNERS];
  collect(corner_node, position, e, elements, nodes, p);
  EACH_CORNER {
    put(derivative, e + c * elements, LULESH_CORNERS * elements, lulesh_derivative(p, (unsigned)c));
    put(corner, e + c * elements, LULESH_CORNERS * elements, p[c]);
  }
  now[e] = first_volume[e] * volume[e];
}

/* What an element does against the four ways in which its corners can move without changing it. */
KERNEL lulesh_damp(int elements, int nodes, int, double, const int *corner_node, const double *velocity, const double *corner, const double *derivative,
                   const double *now, const double *sound, const double *mass, double *force) {
  const int e = (int)global_thread();
  if (e >= elements) return;
  vec_t bent[LULESH_MODES], speed[LULESH_MODES];
  double by[LULESH_CORNERS][LULESH_MODES];
  const double volume = now[e], inverse = 1 / volume;
  EACH_MODE bent[m] = speed[m] = lulesh_vec(0, 0, 0);
  EACH_CORNER {
    const vec_t p = get(corner, e + c * elements, LULESH_CORNERS * elements);
    EACH_MODE bent[m] = fused_vec(lulesh_mode((unsigned)m, (unsigned)c), p, bent[m]);
  }
  EACH_CORNER {
    const vec_t d = get(derivative, e + c * elements, LULESH_CORNERS * elements);
    EACH_MODE by[c][m] = lulesh_fused(-inverse, dot(d, bent[m]), lulesh_mode((unsigned)m, (unsigned)c));
  }
  EACH_CORNER {
    const vec_t v = get(velocity, corner_node[e + c * elements], nodes);
    EACH_MODE speed[m] = fused_vec(by[c][m], v, speed[m]);
  }
  const double damping = lulesh_damping(sound[e], mass[e], volume);
  EACH_CORNER {
    vec_t f = lulesh_vec(0, 0, 0);
    EACH_MODE f = fused_vec(by[c][m], speed[m], f);
    put(force, e + c * elements, LULESH_CORNERS * elements, times(damping, f));
  }
}

KERNEL lulesh_accelerate(int, int nodes, int, double, const double *force, const double *mass, double *acceleration) {
  const int n = (int)global_thread();
  if (n >= nodes) return;
  const vec_t f = get(force, n, nodes);
  const double m = mass[n];
  put(acceleration, n, nodes, lulesh_vec(f.x / m, f.y / m, f.z / m));
}

/* A thread a node of each of the three walls. */
KERNEL lulesh_hold(int, int nodes, int plane, double, const int *wall, double *acceleration) {
  const int i = (int)global_thread();
  if (i >= plane) return;
  acceleration[wall[i]] = 0;
  acceleration[wall[i + plane] + nodes] = 0;
  acceleration[wall[i + 2 * plane] + 2 * nodes] = 0;
}

static __device__ inline double cut(double v) {
  return size_of(v) < LULESH_CUT ? 0 : v;
}

KERNEL lulesh_velocity(int, int nodes, int, double step, const double *acceleration, double *velocity) {
  const int n = (int)global_thread();
  if (n >= nodes) return;
  const vec_t v = fused_vec(step, get(acceleration, n, nodes), get(velocity, n, nodes));
  put(velocity, n, nodes, lulesh_vec(cut(v.x), cut(v.y), cut(v.z)));
}

KERNEL lulesh_position(int, int nodes, int, double step, const double *velocity, double *position) {
  const int n = (int)global_thread();
  if (n < nodes) put(position, n, nodes, fused_vec(step, get(velocity, n, nodes), get(position, n, nodes)));
}

KERNEL lulesh_kinematics(int elements, int nodes, int, double step, const int *corner_node, const double *position, const double *velocity,
                         const double *first_volume, const double *volume, double *new_volume, double *grows, double *length, double *strain) {
  const int e = (int)global_thread();
  if (e >= elements) return;
  vec_t p[LULESH_CORNERS], v[LULESH_CORNERS], b[LULESH_CORNERS / 2];
  collect(corner_node, position, e, elements, nodes, p);
  const double now = lulesh_volume(p), relative = now / first_volume[e];
  new_volume[e] = relative;
  grows[e] = relative - volume[e];
  length[e] = lulesh_length(p, now);
  collect(corner_node, velocity, e, elements, nodes, v);
  EACH_CORNER p[c] = fused_vec(-0.5 * step, v[c], p[c]);
  const double half = lulesh_shape(p, b);
  put(strain, e, elements, lulesh_strain_of(b, v, half));
}

KERNEL lulesh_strain(int elements, int, int, double, double *strain, double *vdov) {
  const int e = (int)global_thread();
  if (e >= elements) return;
  const vec_t s = get(strain, e, elements);
  const double sum = s.x + s.y + s.z, third = sum / 3;
  vdov[e] = sum;
  put(strain, e, elements, minus(s, lulesh_vec(third, third, third)));
}

KERNEL lulesh_gradients(int elements, int nodes, int, double, const int *corner_node, const double *position, const double *velocity,
                        const double *first_volume, const double *new_volume, double *gradient, double *span) {
  const int e = (int)global_thread();
  if (e >= elements) return;
  vec_t p[LULESH_CORNERS], v[LULESH_CORNERS];
  collect(corner_node, position, e, elements, nodes, p);
  collect(corner_node, velocity, e, elements, nodes, v);
  const gradient_t g = lulesh_gradients_of(p, v, first_volume[e] * new_volume[e]);
  put(gradient, e, elements, g.velocity);
  put(span, e, elements, g.length);
}

static __device__ inline double limiter(const int *neighbour, const double *gradient, int e, int elements) {
  const int before = neighbour[e], behind = neighbour[e + elements];
  return lulesh_limiter(gradient[e], before < 0 ? 0 : gradient[before], behind < 0 ? 0 : gradient[behind]);
}

KERNEL lulesh_viscosity(int elements, int, int, double, const int *neighbour, const double *gradient, const double *span, const double *vdov,
                        const double *mass, const double *first_volume, const double *new_volume, double *linear, double *square) {
  const int e = (int)global_thread();
  if (e >= elements) return;
  const double x = limiter(neighbour, gradient, e, elements), y = limiter(neighbour + 2 * elements, gradient + elements, e, elements);
  const vec_t phi = lulesh_vec(x, y, limiter(neighbour + 4 * elements, gradient + 2 * elements, e, elements));
  viscosity_t q = {0, 0};
  if (vdov[e] <= 0) {
    const gradient_t g = {get(gradient, e, elements), get(span, e, elements)};
    q = lulesh_viscosity_of(g, phi, mass[e] / (first_volume[e] * new_volume[e]));
  }
  linear[e] = q.linear;
  square[e] = q.square;
}

KERNEL lulesh_state(int elements, int, int, double, const double *new_volume, const double *grows, const double *linear, const double *square, double *energy,
                    double *pressure, double *viscosity, double *sound) {
  const int e = (int)global_thread();
  if (e >= elements) return;
  element_t now = {energy[e], pressure[e], viscosity[e], linear[e], square[e]};
  sound[e] = lulesh_next_state(&now, lulesh_volume_within(new_volume[e]), grows[e]);
  energy[e] = now.energy;
  pressure[e] = now.pressure;
  viscosity[e] = now.viscosity;
}

KERNEL lulesh_volumes(int elements, int, int, double, const double *new_volume, double *volume) {
  const int e = (int)global_thread();
  if (e >= elements) return;
  const double v = new_volume[e];
  volume[e] = size_of(v - 1) < LULESH_VOLUME_CUT ? 1 : v;
}

/* A block's least; a block is a power of two. */
static __device__ inline void least(double mine, double *of_block) {
  __shared__ double list[BLOCK];
  const uint x = threadIdx.x;
  list[x] = mine;
  __syncthreads();
  for (uint half = blockDim.x / 2; half > 0; half /= 2) {
    if (x < half && list[x + half] < list[x]) list[x] = list[x + half];
    __syncthreads();
  }
  if (x == 0) of_block[blockIdx.x] = list[0];
}

KERNEL lulesh_courant(int elements, int, int, double, const double *sound, const double *length, const double *vdov, double *courant) {
  const int e = (int)global_thread();
  least(e < elements ? lulesh_courant_of(sound[e], length[e], vdov[e]) : LULESH_LONG, courant);
}

KERNEL lulesh_hydro(int elements, int, int, double, const double *vdov, double *hydro) {
  const int e = (int)global_thread();
  least(e < elements ? lulesh_hydro_of(vdov[e]) : LULESH_LONG, hydro);
}

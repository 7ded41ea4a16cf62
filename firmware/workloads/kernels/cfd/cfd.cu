/* SPDX-License-Identifier: Apache-2.0
 *
 * Compressible flow through an unstructured mesh of tetrahedra, by finite volumes (the algorithm of Rodinia's euler3d): a thread a cell. In each
 * iteration every cell's step of time (cfd_step), then three stages of a Runge-Kutta scheme, each of the fluxes through the
 * cell's four faces (cfd_flux) and of new variables (cfd_advance). Arrays are by variable, face or axis first: cell i's at i + k * stride.
 * Multiplications and additions are fused where it says so, and nowhere else can they be.
 */
#include "device.h"

#define FACES 4
#define GAMMA 1.4f
#define SMOOTHING 0.2f
#define WALL (-1) /* in the place of a neighbour; what is below: far away */

typedef struct {
  float x, y, z;
} vec_t;

typedef struct {
  float density;
  vec_t momentum;
  float energy;
} state_t;

/* What follows from a state. */
typedef struct {
  vec_t velocity;
  float pressure, carried, square, sound; /* carried: energy and pressure; square: of the speed */
} motion_t;

static __device__ inline float fused(float a, float b, float c) {
  return __nvvm_fma_rn_f(a, b, c);
}

static __device__ inline float root(float a) {
  return __nvvm_sqrt_rn_f(a);
}

static __device__ inline float dot(vec_t a, vec_t b) {
  return fused(a.z, b.z, fused(a.y, b.y, a.x * b.x));
}

static __device__ inline state_t state_of(const float *variable, uint i, uint stride) {
  const state_t s = {variable[i], {variable[i + stride], variable[i + 2 * stride], variable[i + 3 * stride]}, variable[i + 4 * stride]};
  return s;
}

static __device__ inline motion_t motion_of(state_t s) {
  motion_t m;
  m.velocity.x = s.momentum.x / s.density;
  m.velocity.y = s.momentum.y / s.density;
  m.velocity.z = s.momentum.z / s.density;
  m.square = dot(m.velocity, m.velocity);
  const float heat = fused(-0.5f * s.density, m.square, s.energy);
  m.pressure = (GAMMA - 1.0f) * heat;
  m.carried = fused(GAMMA - 1.0f, heat, s.energy);
  m.sound = root(GAMMA * m.pressure / s.density);
  return m;
}

/* Adds what a state carries through a face, times `by`. */
static __device__ inline void carry(state_t *flux, state_t s, const motion_t *m, vec_t face, float by) {
  const float through = by * dot(m->velocity, face), push = by * m->pressure;
  flux->density = fused(s.density, through, flux->density);
  flux->momentum.x = fused(push, face.x, fused(s.momentum.x, through, flux->momentum.x));
  flux->momentum.y = fused(push, face.y, fused(s.momentum.y, through, flux->momentum.y));
  flux->momentum.z = fused(push, face.z, fused(s.momentum.z, through, flux->momentum.z));
  flux->energy = fused(m->carried, through, flux->energy);
}

/* Artificial viscosity. */
static __device__ inline void smooth(state_t *flux, state_t mine, state_t other, float by) {
  flux->density = fused(by, mine.density - other.density, flux->density);
  flux->momentum.x = fused(by, mine.momentum.x - other.momentum.x, flux->momentum.x);
  flux->momentum.y = fused(by, mine.momentum.y - other.momentum.y, flux->momentum.y);
  flux->momentum.z = fused(by, mine.momentum.z - other.momentum.z, flux->momentum.z);
  flux->energy = fused(by, mine.energy - other.energy, flux->energy);
}

extern "C" __global__ void cfd_step(const float *variable, const float *area, float *step, uint cells, uint stride) {
  const uint i = global_thread();
  if (i >= cells) return;
  const motion_t m = motion_of(state_of(variable, i, stride));
  step[i] = 0.5f / (root(area[i]) * (root(m.square) + m.sound));
}

/* face: vectors into the cell, as long as the face is large. far: the state of what is far away, at rest but along x. */
extern "C" __global__ void cfd_flux(const int *neighbour, const float *face, const float *variable, float *flux, uint cells, uint stride, float far_density,
                                    float far_momentum, float far_energy) {
  const uint i = global_thread();
  if (i >= cells) return;
  const state_t mine = state_of(variable, i, stride);
  const motion_t m = motion_of(mine);
  state_t sum = {0.0f, {0.0f, 0.0f, 0.0f}, 0.0f};
#pragma unroll
  for (uint j = 0; j < FACES; j++) {
    const int to = neighbour[i + j * stride];
    const vec_t in = {face[i + j * stride], face[i + (j + FACES) * stride], face[i + (j + 2 * FACES) * stride]};
    if (to >= 0) {
      const state_t other = state_of(variable, (uint)to, stride);
      const motion_t o = motion_of(other);
      smooth(&sum, mine, other, -0.5f * SMOOTHING * root(dot(in, in)) * (root(m.square) + root(o.square) + m.sound + o.sound));
      carry(&sum, other, &o, in, 0.5f);
      carry(&sum, mine, &m, in, 0.5f);
    } else if (to == WALL) {
      sum.momentum.x = fused(m.pressure, in.x, sum.momentum.x);
      sum.momentum.y = fused(m.pressure, in.y, sum.momentum.y);
      sum.momentum.z = fused(m.pressure, in.z, sum.momentum.z);
    } else {
      const state_t other = {far_density, {far_momentum, 0.0f, 0.0f}, far_energy};
      const motion_t o = motion_of(other);
      carry(&sum, other, &o, in, 0.5f);
      carry(&sum, mine, &m, in, 0.5f);
    }
  }
  flux[i] = sum.density;
  flux[i + stride] = sum.momentum.x;
  flux[i + 2 * stride] = sum.momentum.y;
  flux[i + 3 * stride] = sum.momentum.z;
  flux[i + 4 * stride] = sum.energy;
}

/* share: of the step, by stage. */
extern "C" __global__ void cfd_advance(const float *before, float *variable, const float *step, const float *flux, uint cells, uint stride, float share) {
  const uint i = global_thread();
  if (i >= cells) return;
  const float by = step[i] * share;
  variable[i] = fused(by, flux[i], before[i]);
  variable[i + stride] = fused(by, flux[i + stride], before[i + stride]);
  variable[i + 2 * stride] = fused(by, flux[i + 2 * stride], before[i + 2 * stride]);
  variable[i + 3 * stride] = fused(by, flux[i + 3 * stride], before[i + 3 * stride]);
  variable[i + 4 * stride] = fused(by, flux[i + 4 * stride], before[i + 4 * stride]);
}

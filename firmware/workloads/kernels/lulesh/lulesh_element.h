/* SPDX-License-Identifier: Apache-2.0
 *
 * The arithmetic of LULESH (Lagrangian shock hydrodynamics on hexahedra): what is computed from an
 * element's eight corners, or from its state. Kernels and the host's reference include the same
 * text; memory, launches and loops are their own. Before it is included:
 *
 *    LULESH_FN                     static inline, for the device with __device__
 *    lulesh_fused(a, b, c)         a * b + c, rounded once
 *    lulesh_root(a)                the square root
 *    lulesh_ex2(a), lulesh_lg2(a)  of binary32, as ex2.approx and lg2.approx compute them
 *
 * Nowhere else can multiplications and additions be fused: no product is an addend of
 * a plain addition.
 *
 *         7 ------ 6
 *        /|       /|        corners 0 to 3 are the lower face, round;
 *       4 ------ 5 |        4 to 7 are above them
 *       | 3 -----|-2
 *       |/       |/
 *       0 ------ 1
 */
#ifndef LULESH_ELEMENT_H
#define LULESH_ELEMENT_H

#define LULESH_CORNERS 8
#define LULESH_TINY 1e-36
#define LULESH_LONG 1e20 /* a step that nothing asks for */

typedef struct {
  double x, y, z;
} vec_t;

LULESH_FN vec_t lulesh_vec(double x, double y, double z) {
  const vec_t v = {x, y, z};
  return v;
}

LULESH_FN vec_t plus(vec_t a, vec_t b) {
  return lulesh_vec(a.x + b.x, a.y + b.y, a.z + b.z);
}

LULESH_FN vec_t minus(vec_t a, vec_t b) {
  return lulesh_vec(a.x - b.x, a.y - b.y, a.z - b.z);
}

/* The result must not be an addend: fused_vec is for that. */
LULESH_FN vec_t times(double by, vec_t a) {
  return lulesh_vec(by * a.x, by * a.y, by * a.z);
}

/* by * a + b. */
LULESH_FN vec_t fused_vec(double by, vec_t a, vec_t b) {
  return lulesh_vec(lulesh_fused(by, a.x, b.x), lulesh_fused(by, a.y, b.y), lulesh_fused(by, a.z, b.z));
}

LULESH_FN double dot(vec_t a, vec_t b) {
  return lulesh_fused(a.z, b.z, lulesh_fused(a.y, b.y, a.x * b.x));
}

LULESH_FN vec_t cross(vec_t a, vec_t b) {
  return lulesh_vec(lulesh_fused(a.y, b.z, -(a.z * b.y)), lulesh_fused(a.z, b.x, -(a.x * b.z)),
                    lulesh_fused(a.x, b.y, -(a.y * b.x)));
}

LULESH_FN vec_t sum4(vec_t a, vec_t b, vec_t c, vec_t d) {
  return plus(plus(plus(a, b), c), d);
}

/* The absolute value. */
LULESH_FN double size_of(double a) {
  return a < 0 ? -a : a;
}

/* ---- Volumes and faces ---- */

/* Sets the derivatives of the shape functions of corners 0 to 3; those of the corners across are
 * their negatives. Returns the volume. */
LULESH_FN double lulesh_shape(const vec_t *p, vec_t *b) {
  const vec_t d60 = minus(p[6], p[0]), d53 = minus(p[5], p[3]), d71 = minus(p[7], p[1]), d42 = minus(p[4], p[2]);
  const vec_t xi = times(0.125, minus(minus(plus(d60, d53), d71), d42)),
              eta = times(0.125, minus(plus(minus(d60, d53), d71), d42));
  const vec_t zeta = times(0.125, sum4(d60, d53, d71, d42));
  const vec_t of_xi = cross(eta, zeta), of_eta = cross(zeta, xi), of_zeta = cross(xi, eta);
  b[0] = minus(minus(times(-1, of_xi), of_eta), of_zeta);
  b[1] = minus(minus(of_xi, of_eta), of_zeta);
  b[2] = minus(plus(of_xi, of_eta), of_zeta);
  b[3] = minus(minus(of_eta, of_xi), of_zeta);
  return 8 * dot(eta, of_eta);
}

/* Adds a quarter of the face i, j, k, l to each of its corners. */
LULESH_FN void lulesh_face(const vec_t *p, vec_t *b, unsigned i, unsigned j, unsigned k, unsigned l) {
  const vec_t one = times(0.5, minus(minus(plus(p[l], p[k]), p[j]), p[i])),
              other = times(0.5, minus(minus(plus(p[k], p[j]), p[l]), p[i]));
  const vec_t area = cross(one, other);
  b[i] = fused_vec(0.25, area, b[i]);
  b[j] = fused_vec(0.25, area, b[j]);
  b[k] = fused_vec(0.25, area, b[k]);
  b[l] = fused_vec(0.25, area, b[l]);
}

/* For each corner a quarter of its three faces, as vectors outwards. */
LULESH_FN void lulesh_normals(const vec_t *p, vec_t *b) {
  b[0] = b[1] = b[2] = b[3] = b[4] = b[5] = b[6] = b[7] = lulesh_vec(0, 0, 0);
  lulesh_face(p, b, 0, 1, 2, 3);
  lulesh_face(p, b, 0, 4, 5, 1);
  lulesh_face(p, b, 1, 5, 6, 2);
  lulesh_face(p, b, 2, 6, 7, 3);
  lulesh_face(p, b, 3, 7, 4, 0);
  lulesh_face(p, b, 4, 7, 6, 5);
}

LULESH_FN vec_t lulesh_by_corner(vec_t p0, vec_t p1, vec_t p2, vec_t p3, vec_t p4, vec_t p5) {
  const vec_t a = cross(plus(p1, p2), plus(p0, p1)), b = cross(plus(p0, p4), plus(p3, p4)),
              c = cross(plus(p2, p5), plus(p3, p5));
  return times(1.0 / 12, minus(plus(a, b), c));
}

/* How the volume grows with the place of a corner. */
LULESH_FN vec_t lulesh_derivative(const vec_t *p, unsigned corner) {
  switch (corner) {
  case 0: return lulesh_by_corner(p[1], p[2], p[3], p[4], p[5], p[7]);
  case 1: return lulesh_by_corner(p[2], p[3], p[0], p[5], p[6], p[4]);
  case 2: return lulesh_by_corner(p[3], p[0], p[1], p[6], p[7], p[5]);
  case 3: return lulesh_by_corner(p[0], p[1], p[2], p[7], p[4], p[6]);
  case 4: return lulesh_by_corner(p[7], p[6], p[5], p[0], p[3], p[1]);
  case 5: return lulesh_by_corner(p[4], p[7], p[6], p[1], p[0], p[2]);
  case 6: return lulesh_by_corner(p[5], p[4], p[7], p[2], p[1], p[3]);
  default: return lulesh_by_corner(p[6], p[5], p[4], p[3], p[2], p[0]);
  }
}

LULESH_FN double lulesh_volume(const vec_t *p) {
  const double a = dot(plus(minus(p[3], p[1]), minus(p[7], p[2])), cross(minus(p[6], p[3]), minus(p[2], p[0])));
  const double b = dot(plus(minus(p[4], p[3]), minus(p[5], p[7])), cross(minus(p[6], p[4]), minus(p[7], p[0])));
  const double c = dot(plus(minus(p[1], p[4]), minus(p[2], p[5])), cross(minus(p[6], p[1]), minus(p[5], p[0])));
  return (a + b + c) * (1.0 / 12);
}

/* A measure of a face's area, squared, as LULESH defines it. */
LULESH_FN double lulesh_area(vec_t p0, vec_t p1, vec_t p2, vec_t p3) {
  const vec_t one = minus(p2, p0), other = minus(p3, p1), f = minus(one, other), g = plus(one, other);
  const double both = dot(f, g);
  return lulesh_fused(dot(f, f), dot(g, g), -(both * both));
}

LULESH_FN double larger(double a, double b) {
  return a > b ? a : b;
}

/* An element's characteristic length: from its volume and its largest face. */
LULESH_FN double lulesh_length(const vec_t *p, double volume) {
  double area = lulesh_area(p[0], p[1], p[2], p[3]);
  area = larger(area, lulesh_area(p[4], p[5], p[6], p[7]));
  area = larger(area, lulesh_area(p[0], p[1], p[5], p[4]));
  area = larger(area, lulesh_area(p[1], p[2], p[6], p[5]));
  area = larger(area, lulesh_area(p[2], p[3], p[7], p[6]));
  area = larger(area, lulesh_area(p[3], p[0], p[4], p[7]));
  return 4 * volume / lulesh_root(area);
}

LULESH_FN double lulesh_along(double b0, double b1, double b2, double b3, double v06, double v17, double v24,
                              double v35) {
  return lulesh_fused(b3, v35, lulesh_fused(b2, v24, lulesh_fused(b1, v17, b0 * v06)));
}

/* How fast an element stretches along each axis, from shape functions and velocities. */
LULESH_FN vec_t lulesh_strain_of(const vec_t *b, const vec_t *v, double volume) {
  const vec_t v06 = minus(v[0], v[6]), v17 = minus(v[1], v[7]), v24 = minus(v[2], v[4]), v35 = minus(v[3], v[5]);
  const double x = lulesh_along(b[0].x, b[1].x, b[2].x, b[3].x, v06.x, v17.x, v24.x, v35.x);
  const double y = lulesh_along(b[0].y, b[1].y, b[2].y, b[3].y, v06.y, v17.y, v24.y, v35.y);
  const double z = lulesh_along(b[0].z, b[1].z, b[2].z, b[3].z, v06.z, v17.z, v24.z, v35.z);
  return times(1 / volume, lulesh_vec(x, y, z));
}

/* ---- Hourglass modes ---- */

#define LULESH_MODES 4

/* -1 or 1: the sign of a corner in an hourglass mode. */
LULESH_FN double lulesh_mode(unsigned mode, unsigned corner) {
  return 0xa5aa963cu >> (8 * mode + corner) & 1 ? -1 : 1;
}

/* Three of Newton's steps from an approximation in binary32. */
LULESH_FN double lulesh_cube_root(double a) {
  double r = (double)lulesh_ex2(lulesh_lg2((float)a) * 0.333333343f);
  r = lulesh_fused(a / (r * r) - r, 1.0 / 3, r);
  r = lulesh_fused(a / (r * r) - r, 1.0 / 3, r);
  return lulesh_fused(a / (r * r) - r, 1.0 / 3, r);
}

/* How strongly hourglass modes are damped. */
LULESH_FN double lulesh_damping(double sound, double mass, double volume) {
  return -0.03 * sound * mass / lulesh_cube_root(volume);
}

/* ---- Artificial viscosity ---- */

typedef struct {
  vec_t velocity, length; /* along xi, eta, zeta */
} gradient_t;

/* The velocity's gradient along one direction; *length is the element's length there. */
LULESH_FN double lulesh_gradient(vec_t along, vec_t velocity, double volume, double norm, double *length) {
  *length =
      volume / lulesh_root(lulesh_fused(along.z, along.z,
                                        lulesh_fused(along.y, along.y, lulesh_fused(along.x, along.x, LULESH_TINY))));
  return dot(times(norm, along), velocity);
}

/* The mean of four corners less the mean of the four across. */
LULESH_FN vec_t lulesh_across(vec_t a, vec_t b, vec_t c, vec_t d, vec_t e, vec_t f, vec_t g, vec_t h) {
  return times(0.25, minus(sum4(a, b, c, d), sum4(e, f, g, h)));
}

/* Gradients of the velocity, and lengths, along xi, eta and zeta. */
LULESH_FN gradient_t lulesh_gradients_of(const vec_t *p, const vec_t *v, double volume) {
  const double norm = 1 / (volume + LULESH_TINY);
  const vec_t i = lulesh_across(p[1], p[2], p[6], p[5], p[0], p[3], p[7], p[4]),
              iv = lulesh_across(v[1], v[2], v[6], v[5], v[0], v[3], v[7], v[4]);
  const vec_t j = lulesh_across(p[3], p[2], p[6], p[7], p[0], p[1], p[5], p[4]),
              jv = lulesh_across(v[3], v[2], v[6], v[7], v[0], v[1], v[5], v[4]);
  const vec_t k = lulesh_across(p[4], p[5], p[6], p[7], p[0], p[1], p[2], p[3]),
              kv = lulesh_across(v[4], v[5], v[6], v[7], v[0], v[1], v[2], v[3]);
  gradient_t g;
  g.velocity.z = lulesh_gradient(cross(i, j), kv, volume, norm, &g.length.z);
  g.velocity.x = lulesh_gradient(cross(j, k), iv, volume, norm, &g.length.x);
  g.velocity.y = lulesh_gradient(cross(k, i), jv, volume, norm, &g.length.y);
  return g;
}

/* From the gradients of an element and of its neighbours on either side: 0 where the gradient
 * turns, 1 where it is smooth. */
LULESH_FN double lulesh_limiter(double mine, double before, double behind) {
  const double norm = 1 / (mine + LULESH_TINY), one = before * norm, other = behind * norm;
  double phi = 0.5 * (one + other);
  if (2 * one < phi) phi = 2 * one;
  if (2 * other < phi) phi = 2 * other;
  if (phi < 0) phi = 0;
  if (phi > 1) phi = 1;
  return phi;
}

typedef struct {
  double linear, square;
} viscosity_t;

/* Both parts of the artificial viscosity; only compression has any. */
LULESH_FN viscosity_t lulesh_viscosity_of(gradient_t g, vec_t phi, double density) {
  vec_t d = lulesh_vec(g.velocity.x * g.length.x, g.velocity.y * g.length.y, g.velocity.z * g.length.z);
  if (d.x > 0) d.x = 0;
  if (d.y > 0) d.y = 0;
  if (d.z > 0) d.z = 0;
  const vec_t one = lulesh_vec(1 - phi.x, 1 - phi.y, 1 - phi.z);
  const vec_t two =
      lulesh_vec(lulesh_fused(-phi.x, phi.x, 1), lulesh_fused(-phi.y, phi.y, 1), lulesh_fused(-phi.z, phi.z, 1));
  const viscosity_t q = {-0.5 * density * dot(d, one),
                         2.0 / 3 * density * dot(lulesh_vec(d.x * d.x, d.y * d.y, d.z * d.z), two)};
  return q;
}

/* ---- Equation of state, of an ideal gas ---- */

#define LULESH_CUT 1e-7
#define LULESH_VOLUME_CUT 1e-10
#define LULESH_LEAST_VOLUME 1e-9
#define LULESH_MOST_VOLUME 1e9
#define LULESH_LEAST_ENERGY (-1e15)

typedef struct {
  double energy, pressure, viscosity, linear, square; /* linear, square: of the new viscosity */
} element_t;

typedef struct {
  double pressure, by_volume, by_energy; /* the pressure's derivatives */
} pressure_t;

/* The pressure of an ideal gas; small and negative ones are 0. */
LULESH_FN pressure_t lulesh_pressure(double energy, double compression, double volume) {
  pressure_t p;
  p.by_energy = 2.0 / 3;
  p.by_volume = 2.0 / 3 * (compression + 1);
  p.pressure = p.by_volume * energy;
  if (size_of(p.pressure) < LULESH_CUT || volume >= LULESH_MOST_VOLUME || p.pressure < 0) p.pressure = 0;
  return p;
}

/* The speed of sound, with a smallest value in place of 0. */
LULESH_FN double lulesh_sound(pressure_t p, double energy, double volume) {
  const double square = lulesh_fused(p.by_energy, energy, volume * volume * p.by_volume * p.pressure);
  return square <= 0.1111111e-36 ? 0.3333333e-18 : lulesh_root(square);
}

LULESH_FN double lulesh_energy_cut(double energy) {
  if (size_of(energy) < LULESH_CUT) energy = 0;
  return energy < LULESH_LEAST_ENERGY ? LULESH_LEAST_ENERGY : energy;
}

/* The artificial viscosity of a state; 0 if the element grows. */
LULESH_FN double lulesh_q(const element_t *e, double grows, pressure_t p, double energy, double volume) {
  return grows > 0 ? 0 : lulesh_fused(lulesh_sound(p, energy, volume), e->linear, e->square);
}

LULESH_FN double lulesh_volume_within(double volume) {
  if (volume < LULESH_LEAST_VOLUME) return LULESH_LEAST_VOLUME;
  return volume > LULESH_MOST_VOLUME ? LULESH_MOST_VOLUME : volume;
}

/* Computes energy and pressure three times: after half a step, after all of it, and with the new
 * viscosity. `volume` is relative to the volume at the start, `grows` its change in this step.
 * Returns the speed of sound. */
LULESH_FN double lulesh_next_state(element_t *e, double volume, double grows) {
  const double before = e->pressure + e->viscosity, half_volume = lulesh_fused(-0.5, grows, volume);
  const double compression = 1 / volume - 1,
               half_compression = volume <= LULESH_LEAST_VOLUME ? compression : 1 / half_volume - 1;
  double energy = lulesh_fused(-0.5 * grows, before, e->energy);
  if (energy < LULESH_LEAST_ENERGY) energy = LULESH_LEAST_ENERGY;
  pressure_t p = lulesh_pressure(energy, half_compression, volume);
  const double half = p.pressure + lulesh_q(e, grows, p, energy, 1 / (1 + half_compression));
  energy = lulesh_energy_cut(lulesh_fused(0.5 * grows, lulesh_fused(3, before, -(4 * half)), energy));
  p = lulesh_pressure(energy, compression, volume);
  const double after = p.pressure + lulesh_q(e, grows, p, energy, volume);
  energy = lulesh_energy_cut(
      lulesh_fused(-(lulesh_fused(7, before, lulesh_fused(-8, half, after)) * grows), 1.0 / 6, energy));
  p = lulesh_pressure(energy, compression, volume);
  const double q = lulesh_q(e, grows, p, energy, volume);
  e->energy = energy;
  e->pressure = p.pressure;
  e->viscosity = size_of(q) < LULESH_CUT ? 0 : q;
  return lulesh_sound(p, energy, volume);
}

/* ---- Steps of time ---- */

/* The longest step that sound allows. vdov: the volume's speed of change, relative to the
 * volume. */
LULESH_FN double lulesh_courant_of(double sound, double length, double vdov) {
  double square = sound * sound;
  if (vdov < 0) square = lulesh_fused(256 * length * length * vdov, vdov, square);
  return vdov != 0 ? length / lulesh_root(square) : LULESH_LONG;
}

/* The longest step that the volume's change allows. */
LULESH_FN double lulesh_hydro_of(double vdov) {
  return vdov != 0 ? 0.1 / (size_of(vdov) + 1e-20) : LULESH_LONG;
}

#endif

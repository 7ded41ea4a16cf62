/* SPDX-License-Identifier: Apache-2.0
 *
 * Ray tracing of spheres with shadows and reflections (the algorithm of GPGPU-Sim's RAY): a thread a pixel. A ray is followed from sphere to sphere, at
 * most `depth` times; what each level has of colour, and how much it reflects, is kept, and the pixel's colour is made of it from the last level to
 * the first. What a thread keeps is in global memory, interleaved by thread as local memory is: word i at i * pixels + pixel.
 */
#include "device.h"

/* 8 words: centre, radius, colour, share of light that is reflected. */
typedef struct {
  float x, y, z, radius, red, green, blue, mirror;
} sphere_t;

typedef struct {
  float x, y, z;
} vec_t;

#define OWN(i) own[(i)*pixels + pixel]
#define FAR 1e30f
#define LEAST 1e-3f /* a ray does not meet the sphere again that it comes from */

static __device__ inline float dot(vec_t a, vec_t b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static __device__ inline vec_t unit(vec_t a) {
  const float by = 1.0f / __nvvm_sqrt_rn_f(dot(a, a));
  const vec_t u = {a.x * by, a.y * by, a.z * by};
  return u;
}

/* How far the ray from `from` goes to the sphere; FAR: it misses. */
static __device__ inline float distance_to(const sphere_t *s, vec_t from, vec_t to) {
  const vec_t off = {from.x - s->x, from.y - s->y, from.z - s->z};
  const float half = dot(off, to), inside = half * half - (dot(off, off) - s->radius * s->radius);
  const float t = -half - __nvvm_sqrt_rn_f(inside > 0.0f ? inside : 0.0f);
  return inside > 0.0f && t > LEAST ? t : FAR;
}

static __device__ inline uint byte_of(float light) {
  const float scaled = light * 255.0f;
  return (uint)(scaled < 255.0f ? scaled : 255.0f);
}

extern "C" __global__ void ray(const sphere_t *sphere, float *own, uint *image, uint spheres, uint width, uint height, uint depth, float light_x, float light_y,
                               float light_z) {
  const uint column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const uint pixel = row * width + column, pixels = width * height;
  const vec_t light = {light_x, light_y, light_z}, through = {((float)column - 0.5f * (float)width) / (float)width,
                                                              ((float)row - 0.5f * (float)height) / (float)height, 1.0f};
  vec_t from = {0.0f, 0.0f, 0.0f}, to = unit(through);
  uint levels = 0;
  for (; levels < depth; levels++) {
    float nearest = FAR;
    uint which = 0;
    for (uint s = 0; s < spheres; s++) {
      const float t = distance_to(&sphere[s], from, to);
      if (t < nearest) which = s;
      if (t < nearest) nearest = t;
    }
    if (!(nearest < FAR)) break;
    const sphere_t *hit = &sphere[which];
    from.x = from.x + nearest * to.x;
    from.y = from.y + nearest * to.y;
    from.z = from.z + nearest * to.z;
    const vec_t out = {from.x - hit->x, from.y - hit->y, from.z - hit->z}, normal = unit(out);
    float lit = dot(normal, light);
    if (!(lit > 0.0f)) lit = 0.0f;
    for (uint s = 0; s < spheres; s++)
      if (distance_to(&sphere[s], from, light) < FAR) lit = 0.0f;
    const float bright = 0.1f + 0.9f * lit;
    OWN(4 * levels) = hit->red * bright;
    OWN(4 * levels + 1) = hit->green * bright;
    OWN(4 * levels + 2) = hit->blue * bright;
    OWN(4 * levels + 3) = hit->mirror;
    const float back = -2.0f * dot(to, normal);
    to.x = to.x + back * normal.x;
    to.y = to.y + back * normal.y;
    to.z = to.z + back * normal.z;
  }
  vec_t colour = {0.1f, 0.1f, 0.2f}; /* of the sky, and of what is behind the last level */
  while (levels-- > 0) {
    const float mirror = OWN(4 * levels + 3);
    colour.x = OWN(4 * levels) + mirror * colour.x;
    colour.y = OWN(4 * levels + 1) + mirror * colour.y;
    colour.z = OWN(4 * levels + 2) + mirror * colour.z;
  }
  image[pixel] = byte_of(colour.x) | byte_of(colour.y) << 8 | byte_of(colour.z) << 16;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * ray: ray tracing of spheres with shadows and reflections, after GPGPU-Sim's RAY. A thread is a
 * pixel. It keeps colour and mirror of each level in global memory, interleaved as local memory is;
 * the reference recurses instead.
 */
#include <math.h>
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(ray);

enum { WIDTH, HEIGHT, SPHERES, DEPTH, BLOCK_X = 16, BLOCK_Y = 8, SPHERE_WORDS = 8 };
static const workload_param_t params[] = {
    {"width", "pixels a row", 160, 1, 4096, 512},
    {"height", "rows of pixels", 120, 1, 4096, 512},
    {"spheres", "spheres", 16, 0, 1024, 0},
    {"depth", "spheres at most that a ray is followed to", 3, 0, 32, 0},
    {0},
};

typedef struct {
  float x, y, z;
} vec_t;

typedef struct {
  vec_t centre;
  float radius, red, green, blue, mirror;
} sphere_t;

typedef struct {
  data_t data;
  uint32_t width, height, spheres, depth;
  sphere_t *sphere;
  vec_t light;
  int32_t *got, *want;
} ray_t;

/* Turns eight numbers in [-1, 1) into a sphere before the eye, mostly in view, and of some size. */
static void place_sphere(sphere_t *s) {
  s->centre.x *= 2.5f;
  s->centre.y *= 2.5f;
  s->centre.z = 6.0f + 2.0f * s->centre.z;
  s->radius = 0.7f + 0.4f * s->radius;
  s->red = 0.5f + 0.5f * s->red;
  s->green = 0.5f + 0.5f * s->green;
  s->blue = 0.5f + 0.5f * s->blue;
  s->mirror = 0.4f + 0.4f * s->mirror;
}

static void *ray_create(const int64_t *values, uint64_t seed) {
  _Static_assert(sizeof(sphere_t) == SPHERE_WORDS * sizeof(float), "as the kernel has it");
  ray_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->width = (uint32_t)values[WIDTH];
  w->height = (uint32_t)values[HEIGHT];
  w->spheres = (uint32_t)values[SPHERES];
  w->depth = (uint32_t)values[DEPTH];
  w->light = (vec_t){0.48f, -0.64f, -0.6f}; /* to the light; of length 1 */
  w->sphere = (sphere_t *)data_floats(&w->data, &seed, (size_t)SPHERE_WORDS * w->spheres);
  w->got = data_array(&w->data, (size_t)w->width * w->height, sizeof *w->got);
  w->want = data_array(&w->data, (size_t)w->width * w->height, sizeof *w->want);
  for (uint32_t s = 0; w->sphere && s < w->spheres; s++) place_sphere(&w->sphere[s]);
  return data_made(w);
}

static int ray_run(void *state, const runtime_t *rt) {
  ray_t *w = state;
  const size_t pixels = (size_t)w->width * w->height;
  rt_ptr_t sphere, own, image;
  int status = data_to_device(rt, &sphere, w->sphere, w->spheres * sizeof *w->sphere);
  if (!status) status = data_to_device(rt, &own, NULL, 4 * w->depth * pixels * sizeof(float));
  if (!status) status = data_to_device(rt, &image, NULL, pixels * sizeof *w->got);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, sphere);
  rt_arg_ptr(&args, own);
  rt_arg_ptr(&args, image);
  rt_arg_u32(&args, w->spheres);
  rt_arg_u32(&args, w->width);
  rt_arg_u32(&args, w->height);
  rt_arg_u32(&args, w->depth);
  rt_arg_f32(&args, w->light.x);
  rt_arg_f32(&args, w->light.y);
  rt_arg_f32(&args, w->light.z);
  const rt_dim3_t grid = {data_blocks(w->width, BLOCK_X), data_blocks(w->height, BLOCK_Y), 1};
  const rt_launch_t launch = {"ray", grid, {BLOCK_X, BLOCK_Y, 1}, 0, args.bytes, args.size};
  status = rt->launch(rt->ctx, &launch);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, image, pixels * sizeof *w->got);
}

/* ---- Reference: a ray follows itself, so that no level has to be kept ---- */

static float dot(vec_t a, vec_t b) {
  return fmaf(a.z, b.z, fmaf(a.x, b.x, a.y * b.y));
}

/* The point `by` times `to` from `from`. */
static vec_t point_along(vec_t from, vec_t to, float by) {
  return (vec_t){fmaf(to.x, by, from.x), fmaf(to.y, by, from.y), fmaf(to.z, by, from.z)};
}

static vec_t vec_difference(vec_t a, vec_t b) {
  return (vec_t){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vec_t unit_vector(vec_t a) {
  const float by = 1 / sqrtf(dot(a, a));
  return (vec_t){a.x * by, a.y * by, a.z * by};
}

/* The nearer of the two places t where |from + t to - centre| is the radius; INFINITY: there is
 * none ahead. `to` has length 1. */
static float distance_to_sphere(const sphere_t *s, vec_t from, vec_t to) {
  const vec_t off = vec_difference(from, s->centre);
  const float half = dot(off, to), inside = fmaf(half, half, -fmaf(-s->radius, s->radius, dot(off, off)));
  if (!(inside > 0)) return INFINITY;
  const float t = -half - sqrtf(inside);
  return t > 1e-3f ? t : INFINITY;
}

/* The colour that a ray brings: of the nearest sphere, lit if nothing is in the way, and of the
 * reflection. The background if it meets none, or after `depth` spheres. */
static vec_t colour_of(const ray_t *w, vec_t from, vec_t to, uint32_t depth) {
  const sphere_t *hit = NULL;
  float nearest = INFINITY, lit;
  for (uint32_t s = 0; depth && s < w->spheres; s++) {
    const float t = distance_to_sphere(&w->sphere[s], from, to);
    if (t < nearest) nearest = t, hit = &w->sphere[s];
  }
  if (!hit) return (vec_t){0.1f, 0.1f, 0.2f};
  from = point_along(from, to, nearest);
  const vec_t normal = unit_vector(vec_difference(from, hit->centre));
  lit = fmaxf(dot(normal, w->light), 0);
  for (uint32_t s = 0; s < w->spheres; s++)
    if (distance_to_sphere(&w->sphere[s], from, w->light) < INFINITY) lit = 0;
  const float bright = fmaf(lit, 0.9f, 0.1f);
  const vec_t behind = colour_of(w, from, point_along(to, normal, dot(to, normal) * -2.0f), depth - 1);
  return point_along((vec_t){hit->red * bright, hit->green * bright, hit->blue * bright}, behind, hit->mirror);
}

/* Light of 1 and more is 255. */
static uint32_t byte_of(float light) {
  return (uint32_t)fminf(light * 255.0f, 255.0f);
}

static bool ray_check(const void *state, trouble_t *trouble) {
  const ray_t *w = state;
  const float width = (float)w->width, height = (float)w->height;
  for (uint32_t row = 0; row < w->height; row++)
    for (uint32_t column = 0; column < w->width; column++) {
      const vec_t through = {fmaf(width, -0.5f, (float)column) / width, fmaf(height, -0.5f, (float)row) / height, 1};
      const vec_t c = colour_of(w, (vec_t){0, 0, 0}, unit_vector(through), w->depth);
      w->want[(size_t)row * w->width + column] = (int32_t)(byte_of(c.x) | byte_of(c.y) << 8 | byte_of(c.z) << 16);
    }
  return data_equal_s32("image", w->got, w->want, (size_t)w->width * w->height, trouble);
}

const workload_t workload_ray = {KERNEL_WORKLOAD(ray), .params = params,   .create = ray_create,
                                 .run = ray_run,       .check = ray_check, .destroy = data_destroy};

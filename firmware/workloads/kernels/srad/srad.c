/* SPDX-License-Identifier: Apache-2.0
 *
 * srad: speckle-reducing anisotropic diffusion of an image of noise, after Rodinia's srad_v1.
 *
 *    srad_extract                   the exponent of the image
 *    iterations:  srad_prepare      pixels and their squares
 *                 srad_reduce ...   their sums
 *                 srad, srad2       what each pixel lets through, the new image
 *    srad_compress                  the logarithm again
 *
 * Each iteration's sums come back to the host, which computes how speckled the image is. Images are
 * kept by columns: pixel i is in row i % rows.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(srad);

enum { ROWS, COLUMNS, ITERATIONS };
static const workload_param_t params[] = {
    {"rows", "rows of the image", 251, 1, 8192, 502},
    {"columns", "columns", 229, 2, 8192, 458},
    {"iterations", "iterations, of five launches or more each", 2, 1, 1000, 22},
    {0},
};

enum { BLOCK = 512, DIRECTIONS = 4 }; /* a block: as the kernels have it */
enum { NORTH, SOUTH, WEST, EAST };
static const float lambda = 0.5f, log2_e = 1.44269504f, ln_2 = 0.693147182f;

typedef struct {
  data_t data;
  uint32_t rows, columns, pixels, iterations;
  int32_t *next[DIRECTIONS]; /* of each row or column, the one in that direction; its own number at the edge */
  float *start, *got, *want; /* images, by columns */
  /* apart: differences to the pixel in each direction, direction by direction; sum: of
   * pixels, of squares */
  float *apart, *through, *sum[2];
} srad_t;

/* Numbers of neighbouring rows and columns, which the kernels read from lists. */
static bool srad_lists(srad_t *w) {
  for (unsigned d = 0; d < DIRECTIONS; d++) {
    const uint32_t count = d < WEST ? w->rows : w->columns;
    w->next[d] = data_array(&w->data, count, sizeof *w->next[d]);
    for (uint32_t i = 0; w->next[d] && i < count; i++)
      w->next[d][i] = (int32_t)(d % 2 == 0 ? (i ? i - 1 : 0) : data_least(i + 1, count - 1));
  }
  return !w->data.failed;
}

static void *srad_create(const int64_t *values, uint64_t seed) {
  srad_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->rows = (uint32_t)values[ROWS];
  w->columns = (uint32_t)values[COLUMNS];
  w->pixels = w->rows * w->columns;
  w->iterations = (uint32_t)values[ITERATIONS];
  w->start = data_floats(&w->data, &seed, w->pixels);
  w->got = data_array(&w->data, w->pixels, sizeof *w->got);
  w->want = data_array(&w->data, w->pixels, sizeof *w->want);
  w->apart = data_array(&w->data, (size_t)DIRECTIONS * w->pixels, sizeof *w->apart);
  w->through = data_array(&w->data, w->pixels, sizeof *w->through);
  for (unsigned i = 0; i < 2; i++) w->sum[i] = data_array(&w->data, w->pixels, sizeof *w->sum[i]);
  if (srad_lists(w))
    for (uint32_t i = 0; i < w->pixels; i++) w->start[i] = 127.5f * (w->start[i] + 1);
  return data_made(w);
}

/* The variance of all pixels, relative to the square of their mean. */
static float srad_speckle(const srad_t *w, float sum, float squares) {
  const float mean = sum / (float)w->pixels, square = mean * mean;
  return (squares / (float)w->pixels - square) / square;
}

/* ---- Launches ---- */

typedef struct {
  const srad_t *w;
  const runtime_t *rt;
  rt_ptr_t image, through, sum[2], next[DIRECTIONS], apart[DIRECTIONS];
} device_t;

static int srad_launch(const device_t *d, const char *kernel, uint32_t threads, const rt_args_t *args) {
  return rt_launch_1d(d->rt, kernel, threads, BLOCK, args);
}

/* Kernels of the image alone. */
static int srad_each(const device_t *d, const char *kernel) {
  rt_args_t args;
  rt_args_init(&args, d->rt);
  rt_arg_u32(&args, d->w->pixels);
  rt_arg_ptr(&args, d->image);
  return srad_launch(d, kernel, d->w->pixels, &args);
}

static int srad_prepare(const device_t *d) {
  rt_args_t args;
  rt_args_init(&args, d->rt);
  rt_arg_u32(&args, d->w->pixels);
  rt_arg_ptr(&args, d->image);
  for (unsigned i = 0; i < 2; i++) rt_arg_ptr(&args, d->sum[i]);
  return srad_launch(d, "srad_prepare", d->w->pixels, &args);
}

/* One launch of the reduction: sums of BLOCK elements that are `stride` apart. */
static int srad_sums(const device_t *d, uint32_t count, uint32_t stride) {
  rt_args_t args;
  rt_args_init(&args, d->rt);
  rt_arg_u32(&args, count);
  rt_arg_u32(&args, stride);
  for (unsigned i = 0; i < 2; i++) rt_arg_ptr(&args, d->sum[i]);
  return srad_launch(d, "srad_reduce", count, &args);
}

/* Launches until one sum is left, then computes the speckle. */
static int srad_reduce(const device_t *d, float *speckle) {
  float sums[2];
  uint32_t count = d->w->pixels, stride = 1;
  int status = srad_sums(d, count, stride);
  while (!status && count > BLOCK) status = srad_sums(d, count = data_blocks(count, BLOCK), stride *= BLOCK);
  for (unsigned i = 0; !status && i < 2; i++)
    status = d->rt->memcpy_d2h(d->rt->ctx, &sums[i], d->sum[i], sizeof sums[i]);
  if (!status) *speckle = srad_speckle(d->w, sums[0], sums[1]);
  return status;
}

/* Differences to the four neighbours, and what they let through. */
static int srad_coefficients(const device_t *d, float speckle) {
  rt_args_t args;
  rt_args_init(&args, d->rt);
  rt_arg_u32(&args, d->w->rows);
  rt_arg_u32(&args, d->w->pixels);
  for (unsigned k = 0; k < DIRECTIONS; k++) rt_arg_ptr(&args, d->next[k]);
  for (unsigned k = 0; k < DIRECTIONS; k++) rt_arg_ptr(&args, d->apart[k]);
  rt_arg_f32(&args, speckle);
  rt_arg_ptr(&args, d->through);
  rt_arg_ptr(&args, d->image);
  return srad_launch(d, "srad", d->w->pixels, &args);
}

static int srad_update(const device_t *d) {
  rt_args_t args;
  rt_args_init(&args, d->rt);
  rt_arg_f32(&args, lambda);
  rt_arg_u32(&args, d->w->rows);
  rt_arg_u32(&args, d->w->pixels);
  rt_arg_ptr(&args, d->next[SOUTH]);
  rt_arg_ptr(&args, d->next[EAST]);
  for (unsigned k = 0; k < DIRECTIONS; k++) rt_arg_ptr(&args, d->apart[k]);
  rt_arg_ptr(&args, d->through);
  rt_arg_ptr(&args, d->image);
  return srad_launch(d, "srad2", d->w->pixels, &args);
}

static int srad_iterate(const device_t *d) {
  float speckle = 0;
  int status = srad_prepare(d);
  if (!status) status = srad_reduce(d, &speckle);
  if (!status) status = srad_coefficients(d, speckle);
  return status ? status : srad_update(d);
}

static int srad_memory(device_t *d) {
  const srad_t *w = d->w;
  const size_t bytes = w->pixels * sizeof *w->start;
  int status = data_to_device(d->rt, &d->image, w->start, bytes);
  for (unsigned k = 0; !status && k < DIRECTIONS; k++)
    status = data_to_device(d->rt, &d->next[k], w->next[k], (k < WEST ? w->rows : w->columns) * sizeof *w->next[k]);
  for (unsigned k = 0; !status && k < DIRECTIONS; k++) status = data_to_device(d->rt, &d->apart[k], NULL, bytes);
  for (unsigned k = 0; !status && k < 2; k++) status = data_to_device(d->rt, &d->sum[k], NULL, bytes);
  return status ? status : data_to_device(d->rt, &d->through, NULL, bytes);
}

static int srad_run(void *state, const runtime_t *rt) {
  srad_t *w = state;
  device_t d = {.w = w, .rt = rt};
  int status = srad_memory(&d);
  if (!status) status = srad_each(&d, "srad_extract");
  for (uint32_t i = 0; !status && i < w->iterations; i++) status = srad_iterate(&d);
  if (!status) status = srad_each(&d, "srad_compress");
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, d.image, w->pixels * sizeof *w->got);
}

/* ---- Reference ---- */

/* A block's sum. A tree adds neighbours, then pairs and so on, of the largest power of two
 * elements; the others follow one by one. */
static float want_block(float *sum, uint32_t count, size_t stride) {
  uint32_t whole = 1;
  while (2 * whole <= count) whole *= 2;
  float tree[BLOCK];
  for (uint32_t i = 0; i < whole; i++) tree[i] = sum[i * stride];
  for (uint32_t apart = 1; apart < whole; apart *= 2)
    for (uint32_t i = 0; i < whole; i += 2 * apart) tree[i] = tree[i + apart] + tree[i];
  float all = tree[0];
  for (uint32_t i = whole; i < count; i++) all += sum[i * stride];
  return all;
}

/* Sums of blocks, in place, until one is left. */
static float want_sum(float *sum, uint32_t count) {
  for (size_t stride = 1;; stride *= BLOCK) {
    const uint32_t blocks = data_blocks(count, BLOCK);
    for (uint32_t b = 0; b < blocks; b++)
      sum[b * BLOCK * stride] =
          want_block(&sum[b * BLOCK * stride], (uint32_t)data_least(BLOCK, count - b * BLOCK), stride);
    if (blocks == 1) return sum[0];
    count = blocks;
  }
}

static float want_speckle(const srad_t *w) {
  for (uint32_t i = 0; i < w->pixels; i++) {
    w->sum[0][i] = w->want[i];
    w->sum[1][i] = w->want[i] * w->want[i];
  }
  const float sum = want_sum(w->sum[0], w->pixels), squares = want_sum(w->sum[1], w->pixels);
  return srad_speckle(w, sum, squares);
}

/* The pixel in a direction; itself at the edge. */
static uint32_t pixel_to(const srad_t *w, uint32_t i, unsigned direction) {
  const uint32_t row = i % w->rows, column = i / w->rows;
  switch (direction) {
  case NORTH: return row > 0 ? i - 1 : i;
  case SOUTH: return row + 1 < w->rows ? i + 1 : i;
  case WEST: return column > 0 ? i - w->rows : i;
  default: return column + 1 < w->columns ? i + w->rows : i;
  }
}

/* The diffusion coefficient of pixel i, from 0 to 1; also sets its four differences. */
static float want_through(const srad_t *w, uint32_t i, float speckle) {
  const float here = w->want[i];
  float to[DIRECTIONS];
  for (unsigned d = 0; d < DIRECTIONS; d++)
    w->apart[(size_t)d * w->pixels + i] = to[d] = w->want[pixel_to(w, i, d)] - here;
  const float squares =
      fmaf(to[EAST], to[EAST], fmaf(to[WEST], to[WEST], fmaf(to[SOUTH], to[SOUTH], to[NORTH] * to[NORTH])));
  const float slope = squares / (here * here), bend = (to[NORTH] + to[SOUTH] + to[WEST] + to[EAST]) / here;
  const float over = (float)fma(-1.0 / 16, (double)(bend * bend), 0.5 * (double)slope),
              under = (float)fma(0.25, (double)bend, 1.0);
  const float excess = (over / (under * under) - speckle) / (speckle * (1 + speckle)),
              c = (float)(1.0 / (1.0 + (double)excess));
  if (c < 0) return 0;
  return c > 1 ? 1 : c;
}

/* The new image. Flows to the south and east use the coefficient of the pixel there. */
static void want_update(const srad_t *w) {
  for (uint32_t i = 0; i < w->pixels; i++) {
    const float *to = &w->apart[i];
    const size_t next = w->pixels;
    float flow = w->through[i] * to[NORTH];
    flow = fmaf(w->through[pixel_to(w, i, SOUTH)], to[SOUTH * next], flow);
    flow = fmaf(w->through[i], to[WEST * next], flow);
    flow = fmaf(w->through[pixel_to(w, i, EAST)], to[EAST * next], flow);
    w->want[i] = (float)fma(0.25 * (double)lambda, (double)flow, (double)w->want[i]);
  }
}

static bool srad_check(const void *state, trouble_t *trouble) {
  const srad_t *w = state;
  for (uint32_t i = 0; i < w->pixels; i++) w->want[i] = (float)exp2((double)(w->start[i] / 255 * log2_e));
  for (uint32_t k = 0; k < w->iterations; k++) {
    const float speckle = want_speckle(w);
    for (uint32_t i = 0; i < w->pixels; i++) w->through[i] = want_through(w, i, speckle);
    want_update(w);
  }
  for (uint32_t i = 0; i < w->pixels; i++) w->want[i] = (float)log2((double)w->want[i]) * ln_2 * 255;
  return data_equal_f32("image", w->got, w->want, w->pixels, trouble);
}

const workload_t workload_srad = {KERNEL_WORKLOAD(srad), .params = params,    .create = srad_create,
                                  .run = srad_run,       .check = srad_check, .destroy = data_destroy};

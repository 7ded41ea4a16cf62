/* SPDX-License-Identifier: Apache-2.0
 *
 * hw: points followed from image to image by correlation, after Rodinia's heartwall.
 *
 *    image f:  hw           around each point's last place, where is its template most alike?
 *              hw_template  templates are mixed with what is at their places (every 10th image)
 *
 * A template is a x a, the region around a point b x b. Their correlation is n x n with n = a + b -
 * 1. p = b + 2 a is the side of the region with zeros around it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(hw);

enum { POINTS, SIDE, FRAMES, TEMPLATE, SEARCH, MOVE, BLOCK };
static const workload_param_t params[] = {
    {"points", "points that are followed, around a disc", 16, 1, 1024, 51},
    {"side", "pixels a row and a column of the image", 128, 1, 4096, 512},
    {"frames", "images, the first of which gives the templates", 3, 1, 256, 2},
    {"template", "pixels of a template to each side of its point", 6, 0, 64, 12},
    {"search", "pixels to each side of a point's last place that are looked through", 10, 0, 128, 20},
    {"move", "pixels at most between images", 5, 0, 128, 10},
    {"block", "threads a block, which is a point", 256, 1, 512, 0},
    {0},
};

enum { REFRESH = 10 }; /* images after which templates are mixed with what is at their places */
static const float kept = 0.87f;

typedef struct {
  data_t data;
  /* a, b, n, p: sizes, as the kernel has them; words: of a block's own */
  uint32_t points, frames, a, b, n, p, move, block, words;
  int32_t side;
  float *frame, *templates, *correlation;
  int32_t *start, *got, *want; /* places of all points: at first, after each image */
  float *model, *region, *line, *strip, *sums, *squares, *product;
} hw_t;

/* `words`: what a block has of its own in device memory. */
static void hw_sizes(hw_t *w, const int64_t *values) {
  w->points = (uint32_t)values[POINTS];
  w->side = (int32_t)values[SIDE];
  w->frames = (uint32_t)values[FRAMES];
  w->a = 2 * (uint32_t)values[TEMPLATE] + 1;
  w->b = 2 * (uint32_t)values[SEARCH] + 1;
  w->move = (uint32_t)values[MOVE];
  w->block = (uint32_t)values[BLOCK];
  w->n = w->a + w->b - 1;
  w->p = w->b + 2 * w->a;
  w->words = w->a * w->a + w->b * w->b + 3 * w->n * w->n + w->p * w->p + w->n * w->p + 2 * w->a + 2 + 2 * w->n;
}

/* Noise, and a disc that is a little further in each image. */
static void draw_frames(const hw_t *w) {
  const int32_t side = w->side;
  for (uint32_t f = 0; f < w->frames; f++)
    for (int32_t y = 0; y < side; y++)
      for (int32_t x = 0; x < side; x++) {
        const int32_t down = y - side / 2 - (int32_t)(2 * f), right = x - side / 2 + (int32_t)(3 * f);
        float *at = &w->frame[((size_t)f * (size_t)side + (size_t)y) * (size_t)side + (size_t)x];
        *at = 0.1f * *at + (down * down + right * right < side * side / 16 ? 1.0f : 0.25f);
      }
}

static void *hw_create(const int64_t *values, uint64_t seed) {
  hw_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  hw_sizes(w, values);
  const size_t places = 2 * (size_t)w->points, model = (size_t)w->a * w->a, region = (size_t)w->b * w->b,
               all = (size_t)w->n * w->n;
  w->frame = data_floats(&w->data, &seed, (size_t)w->frames * (size_t)w->side * (size_t)w->side);
  w->templates = data_array(&w->data, w->points * model, sizeof *w->templates);
  w->correlation = data_array(&w->data, w->points * all, sizeof *w->correlation);
  w->start = data_array(&w->data, places, sizeof *w->start);
  w->got = data_array(&w->data, w->frames * places, sizeof *w->got);
  w->want = data_array(&w->data, w->frames * places, sizeof *w->want);
  w->model = data_array(&w->data, w->points * model, sizeof *w->model);
  w->product = data_array(&w->data, w->points * all, sizeof *w->product);
  w->region = data_array(&w->data, region + w->p + (size_t)w->n * w->p + 2 * all, sizeof *w->region);
  if (w->data.failed) return data_made(w);
  w->line = w->region + region;
  w->strip = w->line + w->p;
  w->sums = w->strip + (size_t)w->n * w->p;
  w->squares = w->sums + all;
  draw_frames(w);
  for (uint32_t i = 0; i < w->points; i++) {
    const double angle = 6.283185307179586 * i / w->points;
    w->start[2 * i] = (int32_t)(w->side / 2 + w->side / 4 * sin(angle));
    w->start[2 * i + 1] = (int32_t)(w->side / 2 + w->side / 4 * cos(angle));
  }
  return data_made(w);
}

/* ---- Launches ---- */

typedef struct {
  const runtime_t *rt;
  rt_ptr_t frame, place, templates, own;
} device_t;

static int hw_launch(const hw_t *w, const device_t *d, const char *kernel, const rt_args_t *args) {
  const rt_launch_t launch = {kernel, {w->points, 1, 1}, {w->block, 1, 1}, 0, args->bytes, args->size};
  return d->rt->launch(d->rt->ctx, &launch);
}

static int hw_template(const hw_t *w, const device_t *d, float keep) {
  rt_args_t args;
  rt_args_init(&args, d->rt);
  rt_arg_ptr(&args, d->frame);
  rt_arg_u32(&args, (uint32_t)w->side);
  rt_arg_ptr(&args, d->place);
  rt_arg_ptr(&args, d->templates);
  rt_arg_u32(&args, w->a);
  rt_arg_f32(&args, keep);
  return hw_launch(w, d, "hw_template", &args);
}

static int hw_follow(const hw_t *w, const device_t *d) {
  rt_args_t args;
  rt_args_init(&args, d->rt);
  rt_arg_ptr(&args, d->frame);
  rt_arg_u32(&args, (uint32_t)w->side);
  rt_arg_ptr(&args, d->place);
  rt_arg_ptr(&args, d->templates);
  rt_arg_ptr(&args, d->own);
  rt_arg_u32(&args, w->words);
  rt_arg_u32(&args, w->a);
  rt_arg_u32(&args, w->b);
  rt_arg_u32(&args, w->move);
  return hw_launch(w, d, "hw", &args);
}

/* The share that templates keep when they are mixed with an image: 0 takes the image alone, 1
 * leaves the template as it is. */
static float kept_share(uint32_t frame) {
  if (!frame) return 0;
  return frame % REFRESH ? 1 : kept;
}

/* Image f to the device, then the kernels, then the points' places back. */
static int hw_frame(const hw_t *w, const device_t *d, uint32_t f) {
  const size_t pixels = (size_t)w->side * (size_t)w->side, places = 2 * (size_t)w->points;
  int status = d->rt->memcpy_h2d(d->rt->ctx, d->frame, w->frame + f * pixels, pixels * sizeof *w->frame);
  if (!status && f) status = hw_follow(w, d);
  if (!status && kept_share(f) < 1) status = hw_template(w, d, kept_share(f));
  return status ? status : d->rt->memcpy_d2h(d->rt->ctx, w->got + f * places, d->place, places * sizeof *w->got);
}

/* Templates and correlations of all points, as the last image left them. */
static int hw_results(const hw_t *w, const device_t *d) {
  const size_t model = (size_t)w->a * w->a, all = (size_t)w->n * w->n, product = model + (size_t)w->b * w->b;
  int status = d->rt->memcpy_d2h(d->rt->ctx, w->templates, d->templates, w->points * model * sizeof *w->templates);
  for (uint32_t i = 0; !status && w->frames > 1 && i < w->points; i++) {
    const rt_ptr_t from = d->own + ((size_t)i * w->words + product) * sizeof *w->correlation;
    status = d->rt->memcpy_d2h(d->rt->ctx, w->correlation + i * all, from, all * sizeof *w->correlation);
  }
  return status;
}

static int hw_run(void *state, const runtime_t *rt) {
  hw_t *w = state;
  device_t d = {.rt = rt};
  int status = data_to_device(rt, &d.frame, NULL, (size_t)w->side * (size_t)w->side * sizeof *w->frame);
  if (!status) status = data_to_device(rt, &d.place, w->start, 2 * (size_t)w->points * sizeof *w->start);
  if (!status)
    status = data_to_device(rt, &d.templates, w->templates, (size_t)w->points * w->a * w->a * sizeof *w->templates);
  if (!status) status = data_to_device(rt, &d.own, NULL, (size_t)w->points * w->words * sizeof(float));
  for (uint32_t f = 0; !status && f < w->frames; f++) status = hw_frame(w, &d, f);
  return status ? status : hw_results(w, &d);
}

/* ---- Reference ---- */

/* The nearest coordinate inside the image. */
static int32_t within_image(const hw_t *w, int32_t at) {
  if (at < 0) return 0;
  return at >= w->side ? w->side - 1 : at;
}

static float frame_pixel(const hw_t *w, uint32_t f, int32_t y, int32_t x) {
  return w->frame[((size_t)f * (size_t)w->side + (size_t)within_image(w, y)) * (size_t)w->side +
                  (size_t)within_image(w, x)];
}

/* The product with the kept share is fused with the addition. */
static void want_template(const hw_t *w, uint32_t f, const int32_t *place, float *model) {
  const int32_t half = (int32_t)(w->a / 2);
  for (uint32_t y = 0; y < w->a; y++)
    for (uint32_t x = 0; x < w->a; x++) {
      const float now = frame_pixel(w, f, place[0] - half + (int32_t)y, place[1] - half + (int32_t)x);
      model[y * w->a + x] = fmaf(kept_share(f), model[y * w->a + x], (1.0f - kept_share(f)) * now);
    }
}

/* The sum of products of the template and the part of the region under it. The template's last
 * pixel is on (row, column). The order is a convolution's. */
static float want_product(const hw_t *w, const float *model, uint32_t row, uint32_t column) {
  float sum = 0;
  for (uint32_t i = 0; i < w->a && i <= row; i++)
    for (uint32_t j = 0; j < w->a && j <= column; j++)
      if (row - i < w->b && column - j < w->b)
        sum = fmaf(model[(w->a - 1 - i) * w->a + w->a - 1 - j], w->region[(row - i) * w->b + column - j], sum);
  return sum;
}

/* Turns w->line into its running sums, then writes n differences of sums that are a apart. The
 * results are `apart` words from each other. */
static void want_differences(const hw_t *w, float *sums, uint32_t apart) {
  float sum = 0;
  for (uint32_t i = 0; i < w->p; i++) w->line[i] = sum += w->line[i];
  for (uint32_t i = 0; i < w->n; i++) sums[(size_t)i * apart] = w->line[i + w->a] - w->line[i];
}

/* Sums over each a x a window of the region, or of its squares: along columns first,
 * then along rows. */
static void want_sums(const hw_t *w, float *sums, bool squares) {
  for (uint32_t x = 0; x < w->p; x++) {
    memset(w->line, 0, w->p * sizeof *w->line);
    for (uint32_t y = 0; x >= w->a && x < w->a + w->b && y < w->b; y++) {
      const float v = w->region[y * w->b + x - w->a];
      w->line[w->a + y] = squares ? v * v : v;
    }
    want_differences(w, w->strip + x, w->p);
  }
  for (uint32_t y = 0; y < w->n; y++) {
    memcpy(w->line, w->strip + (size_t)y * w->p, w->p * sizeof *w->line);
    want_differences(w, sums + (size_t)y * w->n, 1);
  }
}

/* The template's norm without its mean. *mean is the mean; both sum up columns first. */
static float want_norm(const hw_t *w, const float *model, float *mean) {
  const float count = (float)(w->a * w->a);
  float all = 0, squares = 0;
  for (uint32_t x = 0; x < w->a; x++) {
    float sum = 0, square = 0;
    for (uint32_t y = 0; y < w->a; y++) {
      sum += model[y * w->a + x];
      square = fmaf(model[y * w->a + x], model[y * w->a + x], square);
    }
    all += sum;
    squares += square;
  }
  *mean = all / count;
  return sqrtf(squares - all * all / count);
}

/* Is a place of the correlation further from its middle than points may move? */
static bool too_far(const hw_t *w, uint32_t at) {
  return at + w->move < w->n / 2 || at > w->n / 2 + w->move;
}

/* Normalised cross-correlation; -2 for places that are too far, 0 where the region has no
 * contrast. */
static void want_correlation(const hw_t *w, const float *model, float *product) {
  float mean;
  const float norm = want_norm(w, model, &mean), count = (float)(w->a * w->a);
  want_sums(w, w->sums, false);
  want_sums(w, w->squares, true);
  for (uint32_t row = 0; row < w->n; row++)
    for (uint32_t column = 0; column < w->n; column++) {
      const size_t e = (size_t)row * w->n + column;
      const float s = w->sums[e], spread = w->squares[e] - s * s / count, under = sqrtf(fmaxf(spread, 0)) * norm;
      if (too_far(w, row) || too_far(w, column)) product[e] = -2;
      else product[e] = under > 0 ? fmaf(-s, mean, want_product(w, model, row, column)) / under : 0;
    }
}

/* The largest correlation wins; of equal ones the first, column by column. */
static void want_follow(const hw_t *w, uint32_t f, uint32_t i, int32_t *place) {
  float *product = w->product + (size_t)i * w->n * w->n, best = -2;
  const int32_t half = (int32_t)(w->b / 2), middle = (int32_t)(w->n / 2);
  uint32_t row = 0, column = 0;
  for (uint32_t y = 0; y < w->b; y++)
    for (uint32_t x = 0; x < w->b; x++)
      w->region[y * w->b + x] = frame_pixel(w, f, place[0] - half + (int32_t)y, place[1] - half + (int32_t)x);
  want_correlation(w, w->model + (size_t)i * w->a * w->a, product);
  for (uint32_t x = 0; x < w->n; x++)
    for (uint32_t y = 0; y < w->n; y++)
      if (product[(size_t)y * w->n + x] > best) best = product[(size_t)y * w->n + x], row = y, column = x;
  place[0] = within_image(w, place[0] + (int32_t)row - middle);
  place[1] = within_image(w, place[1] + (int32_t)column - middle);
}

static bool hw_check(const void *state, trouble_t *trouble) {
  const hw_t *w = state;
  const size_t places = 2 * (size_t)w->points, model = (size_t)w->a * w->a, all = (size_t)w->n * w->n;
  memset(w->model, 0, w->points * model * sizeof *w->model);
  for (uint32_t f = 0; f < w->frames; f++)
    for (uint32_t i = 0; i < w->points; i++) {
      int32_t *place = w->want + f * places + 2 * (size_t)i;
      memcpy(place, f ? place - places : w->start + 2 * (size_t)i, 2 * sizeof *place);
      if (f) want_follow(w, f, i, place);
      if (kept_share(f) < 1) want_template(w, f, place, w->model + i * model);
    }
  return data_equal_s32("place", w->got, w->want, w->frames * places, trouble) &&
         data_equal_f32("correlation", w->correlation, w->product, w->points * all, trouble) &&
         data_equal_f32("template", w->templates, w->model, w->points * model, trouble);
}

const workload_t workload_hw = {KERNEL_WORKLOAD(hw), .params = params,  .create = hw_create,
                                .run = hw_run,       .check = hw_check, .destroy = data_destroy};

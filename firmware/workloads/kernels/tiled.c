/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of the workloads on many images of 32 by 32 words: one launch, at most as many
 * blocks as tiles, and the reference pixel by pixel.
 */
#include "tiled.h"

#include <stdlib.h>

enum { TILES, BLOCKS };

/* Words of all images together. */
static size_t image_words(const tiled_t *w) {
  return (size_t)w->tiles * TILE_WORDS;
}

tiled_t *tiled_create(const int64_t *values, uint64_t *seed, unsigned outputs) {
  tiled_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->tiles = (uint32_t)values[TILES];
  w->blocks = (uint32_t)values[BLOCKS];
  w->outputs = outputs;
  w->in = data_floats(&w->data, seed, image_words(w));
  w->got = data_array(&w->data, outputs * image_words(w), sizeof *w->got);
  w->want = data_array(&w->data, outputs * image_words(w), sizeof *w->want);
  return w;
}

int tiled_run(tiled_t *w, const runtime_t *rt, const char *kernel, unsigned weights) {
  const size_t bytes = image_words(w) * sizeof *w->in;
  rt_ptr_t in, out;
  int status = data_to_device(rt, &in, w->in, bytes);
  if (!status) status = data_to_device(rt, &out, NULL, w->outputs * bytes);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, in);
  rt_arg_ptr(&args, out);
  rt_arg_u32(&args, w->tiles);
  for (unsigned i = 0; i < weights; i++) rt_arg_f32(&args, w->weight[i]);
  const rt_launch_t launch = {
      kernel, {(uint32_t)data_least(w->tiles, w->blocks), 1, 1}, {TILE_THREADS, 1, 1}, 0, args.bytes, args.size};
  status = rt->launch(rt->ctx, &launch);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, out, w->outputs * bytes);
}

bool tiled_check(const tiled_t *w, tiled_pixel_t *pixel, trouble_t *trouble) {
  for (unsigned output = 0; output < w->outputs; output++)
    for (uint32_t tile = 0; tile < w->tiles; tile++)
      for (int y = 0; y < TILE; y++)
        for (int x = 0; x < TILE; x++)
          w->want[output * image_words(w) + TILES_AT(w->tiles, tile, x, y)] = pixel(w, output, tile, x, y);
  return data_equal_f32("out", w->got, w->want, w->outputs * image_words(w), trouble);
}

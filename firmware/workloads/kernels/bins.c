/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of the histograms:
 *
 *    in[n] --count--> partial[blocks][256] --sum--> bins[256] --> compared with `want`
 */
#include "bins.h"

enum { THREADS = 128, LANES = 32, SLICES = 8 };

/* A thread takes at least one word, so few elements make few blocks. */
void bins_init(bins_t *b, int64_t n, unsigned per_word, int64_t most) {
  b->n = (uint32_t)n;
  b->blocks = (uint32_t)data_least(data_blocks(data_blocks(b->n, per_word), THREADS), (uint64_t)most);
  b->got = data_array(&b->data, BINS, sizeof *b->got);
  b->want = data_array(&b->data, BINS, sizeof *b->want);
}

/* The first launch: each block leaves 256 sums. */
static int count_in_blocks(const bins_t *b, const runtime_t *rt, const char *kernel, rt_ptr_t in, rt_ptr_t partial) {
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, in);
  rt_arg_ptr(&args, partial);
  rt_arg_u32(&args, b->n);
  const rt_launch_t launch = {kernel, {b->blocks, 1, 1}, {THREADS, 1, 1}, 0, args.bytes, args.size};
  return rt->launch(rt->ctx, &launch);
}

/* The second launch: a block adds up 32 bins, in 8 slices of the blocks' sums. */
static int sum_bins(const bins_t *b, const runtime_t *rt, const char *kernel, rt_ptr_t partial, rt_ptr_t bins) {
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, partial);
  rt_arg_ptr(&args, bins);
  rt_arg_u32(&args, b->blocks);
  const rt_launch_t launch = {kernel, {BINS / LANES, 1, 1}, {LANES, SLICES, 1}, 0, args.bytes, args.size};
  return rt->launch(rt->ctx, &launch);
}

int bins_run(bins_t *b, const runtime_t *rt, const char *count, const char *sum) {
  const size_t bytes = BINS * sizeof *b->got;
  rt_ptr_t in, partial, bins;
  int status = data_to_device(rt, &in, b->in, b->bytes);
  if (!status) status = data_to_device(rt, &partial, NULL, b->blocks * bytes);
  if (!status) status = data_to_device(rt, &bins, NULL, bytes);
  if (!status) status = count_in_blocks(b, rt, count, in, partial);
  if (!status) status = sum_bins(b, rt, sum, partial, bins);
  return status ? status : rt->memcpy_d2h(rt->ctx, b->got, bins, bytes);
}

bool bins_equal(const bins_t *b, trouble_t *trouble) {
  return data_equal_s32("bins", b->got, b->want, BINS, trouble);
}

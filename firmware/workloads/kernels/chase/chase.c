/* SPDX-License-Identifier: Apache-2.0
 *
 * chase: pointers followed by one thread, to measure latency.
 *
 * Two runs that differ only in `steps` differ in their cycles by the time of these loads: the
 * quotient is the latency of a load. All lines are one ring, in an order drawn from the seed. If
 * the lines are few, the first time round brings them into a cache.
 */
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(chase);

enum { LINES, STEPS };
static const workload_param_t params[] = {
    {"lines", "lines of 128 bytes, each with the address of another", 256, 1, 1 << 22, 0},
    {"steps", "pointers that are followed", 1024, 1, 1 << 24, 0},
    {0},
};

enum { LINE_BYTES = 128, LINE_WORDS = LINE_BYTES / 8 };

typedef struct {
  data_t data;
  uint32_t lines, steps;
  uint32_t *next;      /* line behind each */
  uint64_t *memory;    /* the device's */
  uint64_t first, got; /* addresses of the device */
} chase_t;

/* One ring of all lines (Sattolo's shuffle). */
static void make_ring(chase_t *w, uint64_t *seed) {
  for (uint32_t i = 0; i < w->lines; i++) w->next[i] = i;
  for (uint32_t i = w->lines - 1; i > 0; i--) {
    const uint32_t k = (uint32_t)(data_random(seed) % i), other = w->next[k];
    w->next[k] = w->next[i], w->next[i] = other;
  }
}

static void *chase_create(const int64_t *values, uint64_t seed) {
  chase_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->lines = (uint32_t)values[LINES];
  w->steps = (uint32_t)values[STEPS];
  w->next = data_array(&w->data, w->lines, sizeof *w->next);
  w->memory = data_array(&w->data, w->lines, LINE_BYTES);
  if (w->next) make_ring(w, &seed);
  return data_made(w);
}

/* Pointers are device addresses, so they are written when the array's place is known. */
static int chase_run(void *state, const runtime_t *rt) {
  chase_t *w = state;
  rt_ptr_t last;
  int status = data_to_device(rt, &w->first, NULL, (size_t)w->lines * LINE_BYTES);
  if (!status) status = data_to_device(rt, &last, NULL, sizeof w->got);
  if (status) return status;
  for (uint32_t i = 0; i < w->lines; i++)
    w->memory[(size_t)i * LINE_WORDS] = w->first + (uint64_t)w->next[i] * LINE_BYTES;
  status = rt->memcpy_h2d(rt->ctx, w->first, w->memory, (size_t)w->lines * LINE_BYTES);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, w->first);
  rt_arg_ptr(&args, last);
  rt_arg_u32(&args, w->steps);
  status = rt_launch_1d(rt, "chase", 1, 1, &args);
  return status ? status : rt->memcpy_d2h(rt->ctx, &w->got, last, sizeof w->got);
}

static bool chase_check(const void *state, trouble_t *trouble) {
  const chase_t *w = state;
  uint32_t at = 0;
  for (uint32_t i = 0; i < w->steps; i++) at = w->next[at];
  const uint64_t want = w->first + (uint64_t)at * LINE_BYTES;
  if (w->got != want)
    trouble_set(trouble, TROUBLE_BROKEN, "last is 0x%llx; 0x%llx would be right", (unsigned long long)w->got,
                (unsigned long long)want);
  return w->got == want;
}

const workload_t workload_chase = {KERNEL_WORKLOAD(chase), .params = params,     .create = chase_create,
                                   .run = chase_run,       .check = chase_check, .destroy = data_destroy};

/* SPDX-License-Identifier: Apache-2.0
 *
 * lib: LIBOR market model by Monte Carlo, after GPGPU-Sim's LIB. A thread is a path:
 *
 *    forward     rates evolve over `steps` steps; all of them are kept in `past`
 *    portfolio   the value of the swaptions at the end
 *    backward    the derivative of the value through portfolio and path
 *
 * A thread's arrays are in global memory, interleaved as local memory is: element i of path p at i
 * * paths + p.
 */
#include <math.h>
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(lib);

enum { PATHS, STEPS, RATES, OPTIONS, BLOCK };
static const workload_param_t params[] = {
    {"paths", "paths", 2048, 1, 1 << 20, 16384},
    {"steps", "steps of time of a path, a forward rate's period each", 12, 0, 256, 40},
    {"rates", "forward rates that are left at a path's end", 12, 1, 256, 40},
    {"options", "swaptions in the portfolio", 15, 0, 1024, 0},
    {"block", "threads a block", 64, 1, 1024, 0},
    {0},
};

static const float period = 0.25f;

typedef struct {
  data_t data;
  uint32_t paths, steps, rates, all, options, block;
  float *lambda, *z, *swaprate, *rate; /* rate: of all paths, element i of path p at i * paths + p, as z */
  int32_t *maturity;
  float *value, *derivative, *want_value, *want_derivative;
  float *own; /* of one path of the reference */
} lib_t;

static void lib_fill(lib_t *w, uint64_t seed) {
  for (uint32_t i = 0; i < w->all; i++) w->lambda[i] = 0.2f + 0.05f * w->lambda[i];
  for (uint32_t k = 0; k < w->options; k++) {
    w->maturity[k] = 1 + (int32_t)(data_random(&seed) % w->rates);
    w->swaprate[k] = 0.05f + 0.01f * w->swaprate[k];
  }
  for (size_t i = 0; i < (size_t)w->all * w->paths; i++) w->rate[i] = 0.05f;
}

static void *lib_create(const int64_t *values, uint64_t seed) {
  lib_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->paths = (uint32_t)values[PATHS];
  w->steps = (uint32_t)values[STEPS];
  w->rates = (uint32_t)values[RATES];
  w->all = w->steps + w->rates;
  w->options = (uint32_t)values[OPTIONS];
  w->block = (uint32_t)values[BLOCK];
  w->lambda = data_floats(&w->data, &seed, w->all);
  w->z = data_floats(&w->data, &seed, (size_t)w->steps * w->paths);
  w->swaprate = data_floats(&w->data, &seed, w->options);
  w->maturity = data_array(&w->data, w->options, sizeof *w->maturity);
  w->rate = data_array(&w->data, (size_t)w->all * w->paths, sizeof *w->rate);
  w->value = data_array(&w->data, w->paths, sizeof *w->value);
  w->derivative = data_array(&w->data, w->paths, sizeof *w->derivative);
  w->want_value = data_array(&w->data, w->paths, sizeof *w->want_value);
  w->want_derivative = data_array(&w->data, w->paths, sizeof *w->want_derivative);
  w->own = data_array(&w->data, (size_t)(w->steps + 3) * w->all + 4 * w->rates, sizeof *w->own);
  if (!w->data.failed) lib_fill(w, seed);
  return data_made(w);
}

/* Makes the ten arrays in the order of the kernel's arguments; numbers follow them. */
static int lib_load(const lib_t *w, const runtime_t *rt, rt_ptr_t device[10]) {
  const size_t each = w->paths * sizeof(float);
  const struct {
    const void *host;
    size_t bytes;
  } array[10] = {{w->lambda, w->all * sizeof *w->lambda},
                 {w->z, w->steps * each},
                 {w->maturity, w->options * sizeof *w->maturity},
                 {w->swaprate, w->options * sizeof *w->swaprate},
                 {w->rate, w->all * each},
                 {NULL, (w->steps + 1) * w->all * each},
                 {NULL, w->all * each},
                 {NULL, 4 * w->rates * each},
                 {NULL, each},
                 {NULL, each}};
  int status = 0;
  for (unsigned i = 0; !status && i < 10; i++) status = data_to_device(rt, &device[i], array[i].host, array[i].bytes);
  return status;
}

static int lib_run(void *state, const runtime_t *rt) {
  lib_t *w = state;
  const size_t bytes = w->paths * sizeof *w->value;
  rt_ptr_t device[10];
  int status = lib_load(w, rt, device);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  for (unsigned i = 0; i < 10; i++) rt_arg_ptr(&args, device[i]);
  rt_arg_u32(&args, w->paths);
  rt_arg_u32(&args, w->steps);
  rt_arg_u32(&args, w->all);
  rt_arg_u32(&args, w->options);
  rt_arg_f32(&args, period);
  status = rt_launch_1d(rt, "lib", w->paths, w->block, &args);
  if (!status) status = rt->memcpy_d2h(rt->ctx, w->value, device[8], bytes);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->derivative, device[9], bytes);
}

/* ---- Reference: of one path, whose arrays lie one after another ---- */

typedef struct {
  float *past, *rate, *adjoint, *bond, *annuity, *by_bond, *by_annuity;
} path_t;

/* What one unit is after a period at this rate. */
static float grown_unit(float rate) {
  return fmaf(rate, period, 1.0f);
}

/* exp(x) as ex2.approx computes it: in binary64, rounded once. */
static float exp_approx(float x) {
  return (float)exp2((double)(x * 1.44269504f));
}

/* All rates of one path, step by step. */
static void want_forward(const lib_t *w, const path_t *p, uint32_t path) {
  const float root = sqrtf(period);
  for (uint32_t i = 0; i < w->all; i++) p->past[i] = p->rate[i] = w->rate[(size_t)i * w->paths + path];
  for (uint32_t n = 0; n < w->steps; n++) {
    const float shock = root * w->z[(size_t)n * w->paths + path];
    float drift = 0;
    for (uint32_t i = n + 1; i < w->all; i++) {
      const float lam = w->lambda[i - n - 1], con = lam * period;
      drift += con * p->rate[i] / grown_unit(p->rate[i]);
      p->rate[i] *= exp_approx(fmaf(lam, fmaf(con, -0.5f, shock), con * drift));
      p->past[(n + 1) * w->all + i] = p->rate[i];
    }
  }
}

/* Prices of bonds and annuities; their derivatives begin at 0. */
static void want_bonds(const lib_t *w, const path_t *p) {
  float b = 1, s = 0;
  for (uint32_t m = 0; m < w->rates; m++) {
    p->bond[m] = b = b / grown_unit(p->rate[w->steps + m]);
    p->annuity[m] = s = fmaf(b, period, s);
    p->by_bond[m] = p->by_annuity[m] = 0;
  }
}

/* The portfolio's value before it is discounted, and its derivatives by bonds and annuities. */
static float want_swaptions(const lib_t *w, const path_t *p) {
  float value = 0;
  for (uint32_t k = 0; k < w->options; k++) {
    const int32_t m = w->maturity[k] - 1;
    const float swap = fmaf(w->swaprate[k], p->annuity[m], p->bond[m]) + -1.0f;
    if (!(swap < 0)) continue;
    value = fmaf(swap, -100.0f, value);
    p->by_annuity[m] = fmaf(w->swaprate[k], -100.0f, p->by_annuity[m]);
    p->by_bond[m] += -100.0f;
  }
  return value;
}

/* The discounted value, and its derivative by each rate at the path's end. */
static float want_portfolio(const lib_t *w, const path_t *p) {
  want_bonds(w, p);
  float value = want_swaptions(w, p), after_bond = 0, after_annuity = 0, b = 1;
  for (uint32_t m = w->rates; m-- > 0;) {
    const float rate = p->rate[w->steps + m];
    after_annuity += p->by_annuity[m];
    after_bond = fmaf(after_annuity, period, p->by_bond[m] + after_bond);
    p->adjoint[w->steps + m] = -after_bond * p->bond[m] * period / grown_unit(rate);
    after_bond /= grown_unit(rate);
  }
  for (uint32_t n = 0; n < w->steps; n++) b /= grown_unit(p->rate[n]);
  value *= b;
  for (uint32_t n = 0; n < w->steps; n++) p->adjoint[n] = -value * period / grown_unit(p->rate[n]);
  for (uint32_t n = w->steps; n < w->all; n++) p->adjoint[n] *= b;
  return value;
}

/* The derivative back through the path, last step first. */
static void want_backward(const lib_t *w, const path_t *p) {
  for (uint32_t n = w->steps; n-- > 0;) {
    float drift = 0;
    for (uint32_t i = w->all - 1; i > n; i--) {
      const float lam = w->lambda[i - n - 1], before = p->past[n * w->all + i], after = p->past[(n + 1) * w->all + i],
                  factor = period / grown_unit(before);
      drift = fmaf(lam * after, p->adjoint[i], drift);
      p->adjoint[i] = fmaf(p->adjoint[i], after / before, factor * (factor * (lam * drift)));
    }
  }
}

static bool lib_check(const void *state, trouble_t *trouble) {
  const lib_t *w = state;
  float *at = w->own;
  path_t p = {.past = at};
  p.rate = at += (size_t)(w->steps + 1) * w->all;
  p.adjoint = at += w->all;
  p.bond = at += w->all;
  p.annuity = at += w->rates;
  p.by_bond = at += w->rates;
  p.by_annuity = at + w->rates;
  for (uint32_t path = 0; path < w->paths; path++) {
    want_forward(w, &p, path);
    w->want_value[path] = want_portfolio(w, &p);
    want_backward(w, &p);
    w->want_derivative[path] = p.adjoint[w->all - 1];
  }
  return data_equal_f32("value", w->value, w->want_value, w->paths, trouble) &&
         data_equal_f32("derivative", w->derivative, w->want_derivative, w->paths, trouble);
}

const workload_t workload_lib = {KERNEL_WORKLOAD(lib), .params = params,   .create = lib_create,
                                 .run = lib_run,       .check = lib_check, .destroy = data_destroy};

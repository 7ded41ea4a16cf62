/* SPDX-License-Identifier: Apache-2.0
 *
 * minife: sparse matrix times vector in ELLPACK, the product of miniFE's conjugate gradients.
 *
 *    host:    p = r = b;  repeat:  alpha = rr / (p . q);  r -= alpha q;  p = r + (rr' / rr) p
 *    device:                       q = A p
 *
 * The matrix is the stiffness of a brick of x * y * z trilinear elements, plus a lumped mass. Each
 * element has a conductivity from the seed. Element k of row i is at k * pitch + i. All products
 * are compared; the solution, which follows from them, is not made.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(minife);

enum { NX, NY, NZ, ITERATIONS, BLOCK };
static const workload_param_t params[] = {
    {"nx", "elements in x", 48, 1, 512, 128},
    {"ny", "elements in y", 40, 1, 512, 64},
    {"nz", "elements in z", 32, 1, 512, 64},
    {"iterations", "of conjugate gradients, a product each", 2, 1, 1000, 0},
    {"block", "threads a block", 256, 1, 1024, 0},
    {0},
};

enum { WIDTH = 27 }; /* a node and its neighbours */

/* The state. A row has up to 27 elements: a node and its neighbours. */
typedef struct {
  data_t data;
  uint32_t n[3], iterations, block, rows, pitch; /* n: elements, a node more in each direction */
  int32_t *column;
  float *value, *conductivity, *b;
  float *got, *want; /* the products, one after another */
  float *vectors;    /* p, r */
} minife_t;

/* Multiplies p into q, on the device or on the host. Returns a status. */
typedef int product_t(const minife_t *w, const void *with, const float *p, float *q);

/* The stiffness between two corners of a unit cube's element, by how many edges lie between
 * them. */
static float stiffness(int edges) {
  if (edges == 0) return 1.0f / 3;
  return edges == 1 ? 0 : -1.0f / 12;
}

/* The conductivity of element e; 0 outside of the brick. */
static float conductivity_of(const minife_t *w, const int64_t e[3]) {
  for (unsigned i = 0; i < 3; i++)
    if (e[i] < 0 || e[i] >= w->n[i]) return 0;
  return w->conductivity[(size_t)e[0] + w->n[0] * ((size_t)e[1] + w->n[1] * (size_t)e[2])];
}

/* The sum over the elements that have both a node and its neighbour. Corner 0 to 7 says on which
 * side of the node an element is. */
static float shared_conductivity(const minife_t *w, const int64_t node[3], const int step[3]) {
  float sum = 0;
  for (unsigned corner = 0; corner < 8; corner++) {
    int64_t e[3];
    bool both = true;
    for (unsigned i = 0; i < 3; i++) {
      const int side = (int)(corner >> i & 1) - 1;
      both = both && step[i] != (side ? 1 : -1);
      e[i] = node[i] + side;
    }
    if (both) sum += conductivity_of(w, e);
  }
  return sum;
}

/* Sets element k of a row: the neighbour that many further in x, then y, then z. Column -1: there
 * is no such node. */
static void minife_element(minife_t *w, const int64_t node[3], uint32_t row, uint32_t k) {
  const int step[3] = {(int)(k % 3) - 1, (int)(k / 3 % 3) - 1, (int)(k / 9) - 1};
  const size_t at = (size_t)k * w->pitch + row;
  w->column[at] = -1;
  int64_t to[3];
  for (unsigned i = 0; i < 3; i++) {
    to[i] = node[i] + step[i];
    if (to[i] < 0 || to[i] > w->n[i]) return;
  }
  const float shared = shared_conductivity(w, node, step);
  w->column[at] = (int32_t)(to[0] + (w->n[0] + 1) * (to[1] + (w->n[1] + 1) * to[2]));
  w->value[at] = shared * stiffness(abs(step[0]) + abs(step[1]) + abs(step[2]));
  if (k == WIDTH / 2) w->value[at] += shared / 8;
}

static void minife_matrix(minife_t *w, uint64_t *seed) {
  for (size_t e = 0; e < (size_t)w->n[0] * w->n[1] * w->n[2]; e++)
    w->conductivity[e] = 0.5f + (float)(data_random(seed) >> 40) * 0x1p-24f;
  for (uint32_t row = 0; row < w->rows; row++) {
    const int64_t node[3] = {row % (w->n[0] + 1), row / (w->n[0] + 1) % (w->n[1] + 1),
                             row / (w->n[0] + 1) / (w->n[1] + 1)};
    for (uint32_t k = 0; k < WIDTH; k++) minife_element(w, node, row, k);
  }
}

static void *minife_create(const int64_t *values, uint64_t seed) {
  minife_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  for (unsigned i = 0; i < 3; i++) w->n[i] = (uint32_t)values[NX + i];
  w->iterations = (uint32_t)values[ITERATIONS];
  w->block = (uint32_t)values[BLOCK];
  w->rows = (w->n[0] + 1) * (w->n[1] + 1) * (w->n[2] + 1);
  w->pitch = data_blocks(w->rows, 32) * 32;
  w->column = data_array(&w->data, (size_t)w->pitch * WIDTH, sizeof *w->column);
  w->value = data_array(&w->data, (size_t)w->pitch * WIDTH, sizeof *w->value);
  w->conductivity = data_array(&w->data, (size_t)w->n[0] * w->n[1] * w->n[2], sizeof *w->conductivity);
  w->b = data_floats(&w->data, &seed, w->rows);
  w->got = data_array(&w->data, (size_t)w->rows * w->iterations, sizeof *w->got);
  w->want = data_array(&w->data, (size_t)w->rows * w->iterations, sizeof *w->want);
  w->vectors = data_array(&w->data, 2 * (size_t)w->rows, sizeof *w->vectors);
  if (!w->data.failed) minife_matrix(w, &seed);
  return data_made(w);
}

/* In binary64, as sums over many rows would lose digits. */
static float dot(const float *a, const float *b, uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += (double)a[i] * (double)b[i];
  return (float)sum;
}

/* to = a * x + y */
static void combine_vectors(float *to, float a, const float *x, const float *y, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) to[i] = fmaf(a, x[i], y[i]);
}

/* Conjugate gradients; q receives the product of each iteration. */
static int minife_solve(const minife_t *w, product_t *product, const void *with, float *q) {
  float *p = w->vectors, *r = p + w->rows;
  memcpy(r, w->b, w->rows * sizeof *r);
  memcpy(p, w->b, w->rows * sizeof *p);
  float rr = dot(r, r, w->rows);
  for (uint32_t i = 0; i < w->iterations; i++, q += w->rows) {
    const int status = product(w, with, p, q);
    if (status) return status;
    const float before = rr, alpha = rr / dot(p, q, w->rows);
    combine_vectors(r, -alpha, q, r, w->rows);
    rr = dot(r, r, w->rows);
    combine_vectors(p, rr / before, p, r, w->rows);
  }
  return 0;
}

typedef struct {
  const runtime_t *rt;
  rt_ptr_t column, value, p, q;
} minife_device_t;

static int product_device(const minife_t *w, const void *with, const float *p, float *q) {
  const minife_device_t *d = with;
  const runtime_t *rt = d->rt;
  int status = rt->memcpy_h2d(rt->ctx, d->p, p, w->rows * sizeof *p);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, d->column);
  rt_arg_ptr(&args, d->value);
  rt_arg_ptr(&args, d->p);
  rt_arg_ptr(&args, d->q);
  rt_arg_u32(&args, w->rows);
  rt_arg_u32(&args, WIDTH);
  rt_arg_u32(&args, w->pitch);
  status = rt_launch_1d(rt, "minife", w->rows, w->block, &args);
  return status ? status : rt->memcpy_d2h(rt->ctx, q, d->q, w->rows * sizeof *q);
}

/* Fused multiply-adds in the order of k, as the kernel's. */
static int product_host(const minife_t *w, const void *with, const float *p, float *q) {
  (void)with;
  for (uint32_t i = 0; i < w->rows; i++) {
    q[i] = 0;
    for (size_t at = i; at < (size_t)w->pitch * WIDTH; at += w->pitch)
      if (w->column[at] != -1) q[i] = fmaf(w->value[at], p[w->column[at]], q[i]);
  }
  return 0;
}

static int minife_run(void *state, const runtime_t *rt) {
  minife_t *w = state;
  minife_device_t d = {.rt = rt};
  int status = data_to_device(rt, &d.column, w->column, (size_t)w->pitch * WIDTH * sizeof *w->column);
  if (!status) status = data_to_device(rt, &d.value, w->value, (size_t)w->pitch * WIDTH * sizeof *w->value);
  if (!status) status = data_to_device(rt, &d.p, w->b, w->rows * sizeof *w->b);
  if (!status) status = data_to_device(rt, &d.q, NULL, w->rows * sizeof *w->got);
  return status ? status : minife_solve(w, product_device, &d, w->got);
}

static bool minife_check(const void *state, trouble_t *trouble) {
  const minife_t *w = state;
  minife_solve(w, product_host, NULL, w->want);
  return data_equal_f32("q", w->got, w->want, (size_t)w->rows * w->iterations, trouble);
}

const workload_t workload_minife = {KERNEL_WORKLOAD(minife), .params = params,      .create = minife_create,
                                    .run = minife_run,       .check = minife_check, .destroy = data_destroy};

/* SPDX-License-Identifier: Apache-2.0
 *
 * Points of an image that moves are found again in the next one (the algorithm of Rodinia's heartwall): a block a point. Where the point's template is
 * most alike what is around its last place says where it is now; alike is the normalised cross-correlation, made of a convolution and
 * of running sums over rows and columns. Phases are between barriers, in each the block's threads share the elements, rows or columns.
 *
 * Templates are a x a, what is looked through is b x b; their correlation is n x n with n = a + b - 1, and p = b + 2 a is b with zeros around it.
 */
#include "device.h"

#define FOR_EACH(e, count) for (uint e = threadIdx.x; e < (count); e += blockDim.x)

static __device__ inline float pixel(const float *frame, int side, int y, int x) {
  y = y < 0 ? 0 : y >= side ? side - 1 : y;
  x = x < 0 ? 0 : x >= side ? side - 1 : x;
  return frame[y * side + x];
}

/* place: of each point its row and its column. A template keeps `keep` of what it was; 0 at first. */
extern "C" __global__ void hw_template(const float *frame, int side, const int *place, float *templates, uint a, float keep) {
  const int y = place[2 * blockIdx.x] - (int)(a / 2), x = place[2 * blockIdx.x + 1] - (int)(a / 2);
  float *model = templates + blockIdx.x * a * a;
  FOR_EACH(e, a * a) model[e] = __nvvm_fma_rn_f(keep, model[e], (1.0f - keep) * pixel(frame, side, y + (int)(e / a), x + (int)(e % a)));
}

/* The template turned round, so that the correlation is a convolution. */
static __device__ inline void turn(const float *model, float *turned, uint a) {
  FOR_EACH(e, a * a) turned[a * a - 1 - e] = model[e];
}

static __device__ inline void look(const float *frame, int side, int y, int x, float *region, uint b) {
  FOR_EACH(e, b * b) region[e] = pixel(frame, side, y - (int)(b / 2) + (int)(e / b), x - (int)(b / 2) + (int)(e % b));
}

static __device__ inline void convolve(const float *turned, const float *region, float *product, uint a, uint b, uint n) {
  FOR_EACH(e, n * n) {
    const uint row = e / n, column = e % n;
    const uint top = row < b ? 0 : row - b + 1, bottom = row < a ? row + 1 : a, left = column < b ? 0 : column - b + 1,
               right = column < a ? column + 1 : a;
    float sum = 0.0f;
    for (uint i = top; i < bottom; i++)
      for (uint j = left; j < right; j++) sum += turned[i * a + j] * region[(row - i) * b + column - j];
    product[e] = sum;
  }
}

/* Sums over a x a of the region, or of its squares: running sums of each column, their differences, running sums of these along each row. */
static __device__ inline void window_sums(const float *region, float *padded, float *strip, float *sums, uint a, uint b, uint n, uint p, bool squares) {
  FOR_EACH(e, p * p) {
    const uint row = e / p - a, column = e % p - a; /* huge: before the region */
    const float x = row < b && column < b ? region[row * b + column] : 0.0f;
    padded[e] = squares ? x * x : x;
  }
  __syncthreads();
  FOR_EACH(x, p) {
    float sum = 0.0f;
    for (uint y = 0; y < p; y++) padded[y * p + x] = sum += padded[y * p + x];
  }
  __syncthreads();
  FOR_EACH(e, n * p) strip[e] = padded[e + a * p] - padded[e];
  __syncthreads();
  FOR_EACH(y, n) {
    float sum = 0.0f;
    for (uint x = 0; x < p; x++) strip[y * p + x] = sum += strip[y * p + x];
  }
  __syncthreads();
  FOR_EACH(e, n * n) sums[e] = strip[e / n * p + e % n + a] - strip[e / n * p + e % n];
}

/* Sums of each of the template's columns, and of squares; sums[2 a] and sums[2 a + 1] become those of all. */
static __device__ inline void template_sums(const float *model, float *sums, uint a) {
  FOR_EACH(x, a) {
    float sum = 0.0f, square = 0.0f;
    for (uint y = 0; y < a; y++) {
      const float m = model[y * a + x];
      sum += m;
      square += m * m;
    }
    sums[x] = sum;
    sums[a + x] = square;
  }
  __syncthreads();
  FOR_EACH(which, 2) {
    float sum = 0.0f;
    for (uint x = 0; x < a; x++) sum += sums[which * a + x];
    sums[2 * a + which] = sum;
  }
}

/* In the product's place. What is more than `move` away from the last place is not looked for. */
static __device__ inline void correlate(float *product, const float *sums, const float *squares, const float *of_template, uint a, uint n, uint move) {
  const float count = (float)(a * a), sum = of_template[2 * a], mean = sum / count;
  const float norm = __nvvm_sqrt_rn_f(of_template[2 * a + 1] - sum * sum / count);
  FOR_EACH(e, n * n) {
    const float s = sums[e], over = product[e] - s * mean, spread = squares[e] - s * s / count;
    const float under = __nvvm_sqrt_rn_f(spread > 0.0f ? spread : 0.0f) * norm;
    const uint down = e / n + move - n / 2, right = e % n + move - n / 2;
    product[e] = down > 2 * move || right > 2 * move ? -2.0f : under > 0.0f ? over / under : 0.0f;
  }
}

/* The largest of each column, then of these; place moves by as much as it is away from the middle. */
static __device__ inline void follow(const float *product, float *most, uint *where, int *place, int side, uint n) {
  FOR_EACH(x, n) {
    float best = -2.0f;
    uint row = 0;
    for (uint y = 0; y < n; y++) {
      const float v = product[y * n + x];
      if (v > best) row = y;
      if (v > best) best = v;
    }
    most[x] = best;
    where[x] = row;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  float best = -2.0f;
  uint column = 0;
  for (uint x = 0; x < n; x++) {
    const float v = most[x];
    if (v > best) column = x;
    if (v > best) best = v;
  }
  const int y = place[0] + (int)where[column] - (int)(n / 2), x = place[1] + (int)column - (int)(n / 2);
  place[0] = y < 0 ? 0 : y >= side ? side - 1 : y;
  place[1] = x < 0 ? 0 : x >= side ? side - 1 : x;
}

/* own: `words` of each block. */
extern "C" __global__ void hw(const float *frame, int side, int *place, const float *templates, float *own, uint words, uint a, uint b, uint move) {
  const uint n = a + b - 1, p = b + 2 * a;
  const float *model = templates + blockIdx.x * a * a;
  float *turned = own + blockIdx.x * words, *region = turned + a * a, *product = region + b * b, *sums = product + n * n, *squares = sums + n * n,
        *padded = squares + n * n, *strip = padded + p * p, *of_template = strip + n * p, *most = of_template + 2 * a + 2;
  int *at = place + 2 * blockIdx.x;
  turn(model, turned, a);
  look(frame, side, at[0], at[1], region, b);
  __syncthreads();
  convolve(turned, region, product, a, b, n);
  window_sums(region, padded, strip, sums, a, b, n, p, false);
  __syncthreads();
  window_sums(region, padded, strip, squares, a, b, n, p, true);
  template_sums(model, of_template, a);
  __syncthreads();
  correlate(product, sums, squares, of_template, a, n, move);
  __syncthreads();
  follow(product, most, (uint *)(most + n), at, side, n);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * LIBOR market model by Monte Carlo, the value of swaptions and its derivative (the algorithm of GPGPU-Sim's LIB): a thread a path. Forward rates
 * evolve over `steps` steps of time, all of them kept; the swaptions are valued at the end, and the value is differentiated backwards through
 * portfolio and path. What a thread has for itself is in global memory, interleaved by thread as local memory is: element i of an array is
 * at i * paths + path.
 */
#include "device.h"

#define OWN(array, i) array[(i)*paths + path]

static __device__ inline float exponential(float x) {
  return __nvvm_ex2_approx_f(x * 1.44269504f);
}

/* past: row n has the rates before step n; of row n only those from n on are used. */
static __device__ inline void path_forward(const float *lambda, const float *z, float *rate, float *past, float delta, uint paths, uint path, uint steps,
                                           uint all) {
  const float root = __nvvm_sqrt_rn_f(delta);
  for (uint i = 0; i < all; i++) OWN(past, i) = OWN(rate, i);
  for (uint n = 0; n < steps; n++) {
    const float shock = root * OWN(z, n);
    float drift = 0.0f;
    for (uint i = n + 1; i < all; i++) {
      const float lam = lambda[i - n - 1], con = delta * lam, before = OWN(rate, i);
      drift += con * before / (1.0f + delta * before);
      const float after = before * exponential(con * drift + lam * (shock - 0.5f * con));
      OWN(rate, i) = after;
      OWN(past, (n + 1) * all + i) = after;
    }
  }
}

/* work: bonds, annuities, and the derivatives by each, `rates` of them. The value; adjoint: its derivative by each rate at the end of the path. */
static __device__ inline float portfolio(const int *maturity, const float *swaprate, const float *rate, float *adjoint, float *work, float delta, uint paths,
                                         uint path, uint steps, uint all, uint options) {
  const uint rates = all - steps;
  float *bond = work, *annuity = bond + rates * paths, *by_bond = annuity + rates * paths, *by_annuity = by_bond + rates * paths;
  float b = 1.0f, s = 0.0f, value = 0.0f;
  for (uint m = 0; m < rates; m++) {
    b = b / (1.0f + delta * OWN(rate, steps + m));
    s = s + delta * b;
    OWN(bond, m) = b;
    OWN(annuity, m) = s;
    OWN(by_bond, m) = 0.0f;
    OWN(by_annuity, m) = 0.0f;
  }
  for (uint k = 0; k < options; k++) {
    const uint m = (uint)maturity[k] - 1;
    const float swap = OWN(bond, m) + swaprate[k] * OWN(annuity, m) - 1.0f;
    if (swap < 0.0f) {
      value += -100.0f * swap;
      OWN(by_annuity, m) += -100.0f * swaprate[k];
      OWN(by_bond, m) += -100.0f;
    }
  }
  float after_bond = 0.0f, after_annuity = 0.0f; /* what the one behind leaves to it */
  for (uint m = rates; m-- > 0;) {
    const float annuity_by = OWN(by_annuity, m) + after_annuity, bond_by = OWN(by_bond, m) + after_bond + delta * annuity_by;
    const float grown = 1.0f + delta * OWN(rate, steps + m);
    OWN(adjoint, steps + m) = -bond_by * OWN(bond, m) * delta / grown;
    after_annuity = annuity_by;
    after_bond = bond_by / grown;
  }
  b = 1.0f;
  for (uint n = 0; n < steps; n++) b = b / (1.0f + delta * OWN(rate, n));
  value = b * value;
  for (uint n = 0; n < steps; n++) OWN(adjoint, n) = -value * delta / (1.0f + delta * OWN(rate, n));
  for (uint n = steps; n < all; n++) OWN(adjoint, n) = b * OWN(adjoint, n);
  return value;
}

static __device__ inline void path_backward(const float *lambda, const float *past, float *adjoint, float delta, uint paths, uint path, uint steps, uint all) {
  for (uint n = steps; n-- > 0;) {
    float drift = 0.0f;
    for (uint i = all - 1; i > n; i--) {
      const float lam = lambda[i - n - 1], before = OWN(past, n * all + i), after = OWN(past, (n + 1) * all + i), by = OWN(adjoint, i);
      const float factor = delta / (1.0f + delta * before);
      drift += lam * after * by;
      OWN(adjoint, i) = by * (after / before) + drift * lam * factor * factor;
    }
  }
}

extern "C" __global__ void lib(const float *lambda, const float *z, const int *maturity, const float *swaprate, float *rate, float *past, float *adjoint,
                               float *work, float *value, float *derivative, uint paths, uint steps, uint all, uint options, float delta) {
  const uint path = global_thread();
  if (path >= paths) return;
  path_forward(lambda, z, rate, past, delta, paths, path, steps, all);
  value[path] = portfolio(maturity, swaprate, rate, adjoint, work, delta, paths, path, steps, all, options);
  path_backward(lambda, past, adjoint, delta, paths, path, steps, all);
  derivative[path] = OWN(adjoint, all - 1);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses over stacks are multinomial. The mean of the largest count needs the chance that no
 * count is above a limit.
 */
#include "target_traffic.h"

#include <math.h>
#include <string.h>

/* The probability that no stack has more than `most` accesses. One stack after the other takes a
 * binomial share of the accesses that are left. */
static double none_above(unsigned stacks, unsigned accesses, unsigned most) {
  double left[TARGET_ACCESSES + 1] = {0}, next[TARGET_ACCESSES + 1];
  left[accesses] = 1;
  for (unsigned rest = stacks; rest > 1; rest--) {
    const double p = 1.0 / rest;
    memset(next, 0, sizeof next);
    for (unsigned n = 0; n <= accesses; n++) {
      double share = left[n] * pow(1 - p, n); /* the stack takes 0, then 1, 2 ... of n */
      for (unsigned k = 0; k <= n && k <= most; k++) {
        next[n - k] += share;
        share *= p / (1 - p) * (n - k) / (k + 1);
      }
    }
    memcpy(left, next, sizeof left);
  }
  double sum = 0;
  for (unsigned n = 0; n <= accesses && n <= most; n++) sum += left[n];
  return sum;
}

target_traffic_t target_traffic(unsigned stacks, unsigned accesses) {
  double largest = 0; /* the mean of the largest count: the sum of the probabilities that it is above 0, 1, 2 ... */
  for (unsigned most = 0; most < accesses; most++) largest += 1 - none_above(stacks, accesses, most);
  return (target_traffic_t){.first = (accesses - 1) * (1 - 1.0 / stacks), .best = accesses - largest};
}

double target_increase_percent(target_traffic_t t) {
  return t.best > 1e-9 ? 100 * (t.first / t.best - 1) : 0;
}

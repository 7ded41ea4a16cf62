/* SPDX-License-Identifier: Apache-2.0
 *
 * Models of arbiters and allocators with several parameter sets in one test: each variant is a
 * table with one instance behind it (router_variant.c, compiled once a variant;
 * cmodel/blocks/router/CMakeLists.txt lists them). An arbiter is one row of requesters.
 */
#ifndef ROUTER_VARIANT_H
#define ROUTER_VARIANT_H

#include <stdbool.h>
#include <stdint.h>

enum { VARIANT_MOST = 64 };

typedef struct {
  uint64_t req[VARIANT_MOST];                  /* rows */
  uint16_t level[VARIANT_MOST * VARIANT_MOST]; /* row-major, outs to a row; blocks with levels */
  uint8_t list[VARIANT_MOST];                  /* arb_list */
  uint64_t list_valid;
  bool update;
} variant_in_t;

typedef struct {
  uint64_t gnt[VARIANT_MOST];
  uint64_t youngest;      /* arb_matrix */
  unsigned first, streak; /* arb_age, arb_list: pointer; arb_list */
} variant_out_t;

typedef struct {
  unsigned ins, outs;                          /* an arbiter: 1 and NumReq */
  unsigned iters, bound, list_len, level_bits; /* 0: the block has none */
  void (*reset)(void);
  void (*eval)(const variant_in_t *in, variant_out_t *out);
  void (*step)(const variant_in_t *in);
} router_variant_t;

/* A whole cycle: what is seen before the clock edge. */
static inline variant_out_t variant_cycle(const router_variant_t *v, const variant_in_t *in) {
  variant_out_t out;
  v->eval(in, &out);
  v->step(in);
  return out;
}

#endif

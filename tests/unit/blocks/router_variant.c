/* SPDX-License-Identifier: Apache-2.0
 *
 * One variant of one arbiter or allocator behind the table of router_variant.h. The command line
 * gives MODEL, its parameters and VARIANT, the name of the table, and renames the model's
 * functions, so that all variants link into one test.
 */
#include "router_variant.h"

#include <string.h>

#define STR_(a) #a
#define STR(a) STR_(a)
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

#include STR(MODEL.c)
#include "bits.h"

typedef CAT(MODEL, _in_t) in_t;
typedef CAT(MODEL, _out_t) out_t;

static CAT(MODEL, _t) model;

#ifdef NumReq
enum { INS = 1, OUTS = NumReq };
#else
enum { INS = NumIn, OUTS = NumOut };
#endif

static void reset(void) {
  CAT(VARIANT, _reset)(&model);
}

/* The test's inputs as the model's, packed as wide as its parameters say. */
static in_t drive(const variant_in_t *from) {
  in_t to = {.update = from->update};
#ifdef NumReq
  to.req = from->req[0];
#else
  for (unsigned i = 0; i < INS; i++) bits_put(to.req, i * OUTS, OUTS, from->req[i]);
#endif
#ifdef LevelBits
  for (unsigned i = 0; i < INS * OUTS; i++) bits_put(to.level, i * LevelBits, LevelBits, from->level[i]);
#endif
#ifdef ListLen
  for (unsigned i = 0; i < ListLen; i++) bits_put(to.list, i * 6, 6, from->list[i]);
  to.list_valid = from->list_valid & bits_ones(ListLen);
#endif
  return to;
}

/* The model's outputs as the test's; what a block does not have stays 0. */
static void show(const out_t *from, variant_out_t *to) {
#ifdef NumReq
  to->gnt[0] = from->gnt;
#else
  for (unsigned i = 0; i < INS; i++) to->gnt[i] = bits_get(from->gnt, i * OUTS, OUTS);
#endif
#ifdef MODEL_IS_arb_matrix
  to->youngest = from->probe_youngest;
#endif
#if defined MODEL_IS_arb_age || defined MODEL_IS_arb_list
  to->first = (unsigned)from->probe_first;
#endif
#ifdef MODEL_IS_arb_list
  to->streak = (unsigned)from->probe_streak;
#endif
}

static void eval(const variant_in_t *in, variant_out_t *seen) {
  in_t driven = drive(in);
  out_t out;
  memset(&out, 0xff, sizeof out); /* eval writes every field */
  CAT(VARIANT, _eval)(&model, &driven, &out);
  *seen = (variant_out_t){0};
  show(&out, seen);
}

static void step(const variant_in_t *in) {
  in_t driven = drive(in);
  CAT(VARIANT, _step)(&model, &driven);
}

const router_variant_t VARIANT = {
    .ins = INS,
    .outs = OUTS,
#ifdef Iters
    .iters = Iters,
#endif
#ifdef ListLen
    .list_len = ListLen,
    .bound = Bound,
#endif
#ifdef LevelBits
    .level_bits = LevelBits,
#endif
    .reset = reset,
    .eval = eval,
    .step = step,
};

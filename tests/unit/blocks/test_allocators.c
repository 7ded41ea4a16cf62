/* SPDX-License-Identifier: Apache-2.0
 *
 * The promises of the router's allocators, checked on their golden models: each match is legal, its
 * size against a maximum matching, full throughput under full load, and how long a request waits.
 * Three kinds (separable, wavefront, iSLIP with 1 to 8 iterations) in seven sizes.
 */
#include "unit_test.h"

#include <string.h>

#include "matching.h"
#include "router_variant.h"

#define ISLIPS(size)                                                                                    \
  extern const router_variant_t alloc_islip_##size##_1, alloc_islip_##size##_2, alloc_islip_##size##_4, \
      alloc_islip_##size##_8;
#define SIZES(X) X(1x1) X(1x8) X(8x1) X(4x4) X(5x7) X(16x16) X(64x64)
#define OTHERS(size) extern const router_variant_t alloc_sep_if_##size, alloc_wavefront_##size;
SIZES(ISLIPS)
SIZES(OTHERS)

enum { SEP_IF, WAVEFRONT, ISLIP1, ISLIP2, ISLIP4, ISLIP8, KINDS };
static const char *const kind_names[] = {"separable", "wavefront", "iSLIP 1", "iSLIP 2", "iSLIP 4", "iSLIP 8"};

static const router_variant_t *const variants[][KINDS] = {
#define ROW(size)                                                             \
  {&alloc_sep_if_##size,    &alloc_wavefront_##size, &alloc_islip_##size##_1, \
   &alloc_islip_##size##_2, &alloc_islip_##size##_4, &alloc_islip_##size##_8},
    SIZES(ROW)};
enum { NUM_SIZES = sizeof variants / sizeof *variants };

static const unsigned densities[] = {2, 5, 10, 25, 50, 75, 100}; /* of 100 cells that ask */
enum { NUM_DENSITIES = sizeof densities / sizeof *densities };

static uint64_t seed;

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

/* Requests at random: each cell asks with a probability of `percent`. */
static void fill_requests(const router_variant_t *v, variant_in_t *in, unsigned percent) {
  for (unsigned i = 0; i < v->ins; i++) {
    in->req[i] = 0;
    for (unsigned o = 0; o < v->outs; o++) in->req[i] |= (uint64_t)(test_random(&seed) % 100 < percent) << o;
  }
}

/* The number of grants. Fails unless they are a match: no two in a row or a column, none without
 * a request. */
static unsigned count_grants(const router_variant_t *v, const variant_in_t *in, const variant_out_t *out) {
  unsigned n = 0;
  uint64_t columns = 0;
  for (unsigned i = 0; i < v->ins; i++) {
    assert_true((out->gnt[i] & ~in->req[i]) == 0);
    assert_true((out->gnt[i] & (out->gnt[i] - 1)) == 0);
    assert_true((out->gnt[i] & columns) == 0);
    columns |= out->gnt[i];
    n += out->gnt[i] != 0;
  }
  return n;
}

/* No request could be added: of every request left, the row or the column is taken. */
static bool is_maximal(const router_variant_t *v, const variant_in_t *in, const variant_out_t *out) {
  uint64_t columns = 0;
  for (unsigned i = 0; i < v->ins; i++) columns |= out->gnt[i];
  for (unsigned i = 0; i < v->ins; i++)
    if (!out->gnt[i] && in->req[i] & ~columns) return false;
  return true;
}

static bool any_request(const router_variant_t *v, const variant_in_t *in) {
  for (unsigned i = 0; i < v->ins; i++)
    if (in->req[i]) return true;
  return false;
}

/* Random requests, levels, updates and resets: each match is legal, some request is always
 * granted, and a cycle without update leaves the state alone. */
static void check_legal(const router_variant_t *v) {
  variant_in_t in = {0};
  variant_out_t again;
  for (unsigned cycle = 0; cycle < 1000; cycle++) {
    if (cycle % 300 == 0) v->reset();
    fill_requests(v, &in, densities[test_random(&seed) % NUM_DENSITIES]);
    for (unsigned i = 0; i < v->ins * v->outs; i++) in.level[i] = test_random(&seed) & 3;
    in.update = test_random(&seed) & 1;
    variant_out_t out = variant_cycle(v, &in);
    assert_int_equal(count_grants(v, &in, &out) > 0, any_request(v, &in));
    if (in.update) continue;
    v->eval(&in, &again);
    assert_memory_equal(&out, &again, sizeof out);
  }
}

static void test_legal(void **state) {
  (void)state;
  for (unsigned s = 0; s < NUM_SIZES; s++)
    for (unsigned k = 0; k < KINDS; k++) check_legal(variants[s][k]);
}

/* The size of a maximum matching by exhaustion: each row from `row` on takes each free column,
 * or none. */
static unsigned best_by_trying(const uint64_t *rows, unsigned row, unsigned num_rows, uint64_t taken) {
  if (row == num_rows) return 0;
  unsigned best = best_by_trying(rows, row + 1, num_rows, taken);
  for (uint64_t left = rows[row] & ~taken; left; left &= left - 1) {
    unsigned size = 1 + best_by_trying(rows, row + 1, num_rows, taken | (left & (0 - left)));
    if (size > best) best = size;
  }
  return best;
}

/* The reference itself: matching_maximum() against exhaustion on matrices of 6 x 5, then two by
 * hand. */
static void test_maximum_matching(void **state) {
  (void)state;
  for (unsigned n = 0; n < 3000; n++) {
    uint64_t rows[6], thin = n % 3 ? test_random(&seed) & test_random(&seed) : ~UINT64_C(0);
    for (unsigned i = 0; i < 6; i++) rows[i] = test_random(&seed) & thin >> 8 * i & 0x1f;
    assert_int_equal(matching_maximum(rows, 6), best_by_trying(rows, 0, 6, 0));
  }
  static const uint64_t chain[] = {1, 3, 6, 12}; /* the greedy order is right only when earlier rows move on */
  static const uint64_t moves[] = {3, 1, 6, 4};
  assert_int_equal(matching_maximum(chain, 4), 4);
  assert_int_equal(matching_maximum(moves, 4), 3);
}

/* The grants of each kind over the same random matrices, and what maximum matchings would grant. */
typedef struct {
  unsigned most, got[KINDS];
  unsigned not_maximal; /* separable matches that leave a request for nothing */
} quality_t;

/* Matches `matrices` random matrices with every kind. No kind grants more than the maximum. A
 * maximal match has at least half of it: the wavefront's always, iSLIP's with as many iterations
 * as the smaller side. */
static quality_t measure_matches(const router_variant_t *const *kinds, unsigned percent, unsigned matrices) {
  quality_t q = {0};
  variant_in_t in = {.update = true};
  const unsigned ends = least(kinds[0]->ins, kinds[0]->outs);
  for (unsigned k = 0; k < KINDS; k++) kinds[k]->reset();
  for (unsigned n = 0; n < matrices; n++) {
    fill_requests(kinds[0], &in, percent);
    unsigned most = matching_maximum(in.req, kinds[0]->ins);
    q.most += most;
    for (unsigned k = 0; k < KINDS; k++) {
      variant_out_t out = variant_cycle(kinds[k], &in);
      unsigned got = count_grants(kinds[k], &in, &out);
      q.got[k] += got;
      assert_true(got <= most);
      bool to_the_end = k == WAVEFRONT || (k >= ISLIP1 && kinds[k]->iters >= ends);
      q.not_maximal += k == SEP_IF && !is_maximal(kinds[k], &in, &out);
      if (to_the_end) assert_true(is_maximal(kinds[k], &in, &out) && 2 * got >= most);
    }
  }
  return q;
}

/* More iterations of iSLIP never match less in total, and the separable allocator, which has
 * only one round, leaves requests unmatched. In a single row or column every kind is at its
 * maximum. */
static void test_quality(void **state) {
  (void)state;
  seed = 1;
  for (unsigned s = 0; s < NUM_SIZES; s++) {
    const router_variant_t *const *kinds = variants[s];
    print_message("%2u x %-2u  requests", kinds[0]->ins, kinds[0]->outs);
    for (unsigned k = 0; k < KINDS; k++) print_message("%11s", kind_names[k]);
    print_message("\n");
    for (unsigned d = 0; d < NUM_DENSITIES; d++) {
      quality_t q = measure_matches(kinds, densities[d], kinds[0]->ins == 64 ? 200 : 2000);
      print_message("%16u %%", densities[d]);
      for (unsigned k = 0; k < KINDS; k++) print_message("%11.4f", q.most ? (double)q.got[k] / q.most : 1);
      print_message("\n");
      assert_true(q.got[ISLIP1] <= q.got[ISLIP2] && q.got[ISLIP2] <= q.got[ISLIP4] && q.got[ISLIP4] <= q.got[ISLIP8]);
      bool line = kinds[0]->ins == 1 || kinds[0]->outs == 1;
      assert_true(line ? q.not_maximal == 0 : q.not_maximal > 0);
      if (line) assert_int_equal(q.got[ISLIP1], q.most);
    }
  }
}

/* Cycles from the begin of full load until each match is as large as the smaller side; before
 * it, `before` cycles of random requests from reset. Fails unless it stays so to the end. */
static unsigned cycles_to_full(const router_variant_t *v, unsigned before) {
  variant_in_t in = {.update = true};
  const unsigned most = least(v->ins, v->outs), patience = 8 * VARIANT_MOST, watched = 4 * VARIANT_MOST;
  unsigned last_short = 0;
  v->reset();
  for (unsigned cycle = 0; cycle < before; cycle++) {
    fill_requests(v, &in, densities[test_random(&seed) % NUM_DENSITIES]);
    variant_cycle(v, &in);
  }
  for (unsigned i = 0; i < v->ins; i++) in.req[i] = ~UINT64_C(0) >> (64 - v->outs);
  for (unsigned cycle = 1; cycle <= patience + watched; cycle++) {
    variant_out_t out = variant_cycle(v, &in);
    if (count_grants(v, &in, &out) < most) last_short = cycle;
  }
  assert_true(last_short <= patience);
  return last_short;
}

/* Under full load no input or output stays idle: the pointers of iSLIP part, wherever they
 * start. The bounds are those of the sizes: fewer cycles than the smaller side from reset, than
 * both together from anywhere, none for the wavefront. */
static void test_full_throughput(void **state) {
  (void)state;
  for (unsigned s = 0; s < NUM_SIZES; s++) {
    const unsigned ins = variants[s][0]->ins, outs = variants[s][0]->outs;
    print_message(
        "%2u x %-2u  cycles of full requests until all matches are full, from reset (longest from elsewhere):", ins,
        outs);
    for (unsigned k = 0; k < KINDS; k++) {
      unsigned fresh = cycles_to_full(variants[s][k], 0), longest = 0;
      for (unsigned n = 0; n < 10; n++) {
        unsigned cycles = cycles_to_full(variants[s][k], 30);
        if (cycles > longest) longest = cycles;
      }
      print_message("%s %s %u (%u)", k ? "," : "", kind_names[k], fresh, longest);
      assert_true(fresh < (k == WAVEFRONT ? 1 : least(ins, outs)));
      assert_true(longest < (k == WAVEFRONT ? 1 : ins + outs));
    }
    print_message("\n");
  }
}

/* In n x n under full load, iSLIP serves each pair exactly once in n cycles. */
static void test_full_shares(void **state) {
  (void)state;
  for (unsigned s = 0; s < NUM_SIZES; s++) {
    const router_variant_t *v = variants[s][ISLIP1];
    if (v->ins != v->outs) continue;
    variant_in_t in = {.update = true};
    unsigned warm = cycles_to_full(v, 0);
    for (unsigned i = 0; i < v->ins; i++) in.req[i] = ~UINT64_C(0) >> (64 - v->outs);
    v->reset();
    for (unsigned cycle = 0; cycle < warm; cycle++) variant_cycle(v, &in);
    uint64_t served[VARIANT_MOST] = {0};
    for (unsigned cycle = 0; cycle < v->outs; cycle++) {
      variant_out_t out = variant_cycle(v, &in);
      for (unsigned i = 0; i < v->ins; i++) served[i] |= out.gnt[i];
    }
    for (unsigned i = 0; i < v->ins; i++) assert_true(served[i] == in.req[i]);
  }
}

/* The longest wait of a cell, in cycles with update. A cell asks until it is served. */
static unsigned longest_wait(const router_variant_t *v, unsigned cycles) {
  static unsigned waited[VARIANT_MOST][VARIANT_MOST];
  variant_in_t in = {0};
  unsigned longest = 0;
  memset(waited, 0, sizeof waited);
  v->reset();
  for (unsigned cycle = 0; cycle < cycles; cycle++) {
    unsigned ask = cycle % 400 < 200 ? 40 : 1; /* now nearly all cells, now few */
    in.update = test_random(&seed) % 4;
    for (unsigned i = 0; i < v->ins; i++)
      for (unsigned o = 0; o < v->outs; o++) in.req[i] |= (uint64_t)(test_random(&seed) % 100 < ask) << o;
    variant_out_t out = variant_cycle(v, &in);
    if (!in.update) continue;
    for (unsigned i = 0; i < v->ins; i++)
      for (unsigned o = 0; o < v->outs; o++) {
        waited[i][o] = (in.req[i] & ~out.gnt[i]) >> o & 1 ? waited[i][o] + 1 : 0;
        if (waited[i][o] > longest) longest = waited[i][o];
      }
    for (unsigned i = 0; i < v->ins; i++) in.req[i] &= ~out.gnt[i];
  }
  return longest;
}

/* A cell waits for a round of its output's inputs, each of which may keep it waiting for a round of
 * its own outputs; with the wavefront for its diagonal. */
static void test_nobody_starves(void **state) {
  (void)state;
  for (unsigned s = 0; s < NUM_SIZES; s++) {
    print_message("%2u x %-2u  longest wait:", variants[s][0]->ins, variants[s][0]->outs);
    for (unsigned k = 0; k < KINDS; k++) {
      const router_variant_t *v = variants[s][k];
      unsigned n = v->ins > v->outs ? v->ins : v->outs;
      unsigned longest = longest_wait(v, v->ins == 64 ? 1200 : 4000);
      print_message("%s %s %u", k ? "," : "", kind_names[k], longest);
      assert_true(longest < (k == WAVEFRONT ? n : n * n));
    }
    print_message("\n");
  }
}

/* A cell above all others is matched in every cycle, in spite
 * of all turns: equals in its row and column starve. */
static void test_islip_level(void **state) {
  (void)state;
  for (unsigned k = ISLIP1; k < KINDS; k++) {
    const router_variant_t *v = variants[4][k]; /* 5 x 7 */
    variant_in_t in = {.update = true};
    for (unsigned i = 0; i < v->ins; i++) in.req[i] = 0x7f;
    for (unsigned i = 0; i < v->ins * v->outs; i++) in.level[i] = 1;
    in.level[3 * v->outs + 4] = 2;
    v->reset();
    for (unsigned cycle = 0; cycle < 200; cycle++) assert_true(variant_cycle(v, &in).gnt[3] == 1 << 4);
    in.req[3] = 0x2f; /* it does not ask: its level counts for nothing */
    for (unsigned cycle = 0; cycle < 200; cycle++) assert_true((variant_cycle(v, &in).gnt[3] & 1 << 4) == 0);
  }
}

/* 4 x 4, all ask. One iteration: one more pair each cycle. Two:
 * pairs of the second come on top and do not move their pointers. */
static void test_islip_by_hand(void **state) {
  (void)state;
  static const uint8_t one[][4] = {{1, 0, 0, 0}, {2, 1, 0, 0}, {4, 2, 1, 0}, {8, 4, 2, 1}, {1, 8, 4, 2}, {2, 1, 8, 4}};
  static const uint8_t two[][4] = {{1, 2, 0, 0}, {2, 1, 4, 0}, {4, 2, 1, 8}, {8, 4, 2, 1}, {1, 8, 4, 2}};
  variant_in_t in = {.req = {15, 15, 15, 15}, .update = true};
  alloc_islip_4x4_1.reset();
  for (unsigned cycle = 0; cycle < sizeof one / sizeof *one; cycle++) {
    variant_out_t out = variant_cycle(&alloc_islip_4x4_1, &in);
    for (unsigned i = 0; i < 4; i++) assert_int_equal(out.gnt[i], one[cycle][i]);
  }
  alloc_islip_4x4_2.reset();
  for (unsigned cycle = 0; cycle < sizeof two / sizeof *two; cycle++) {
    variant_out_t out = variant_cycle(&alloc_islip_4x4_2, &in);
    for (unsigned i = 0; i < 4; i++) assert_int_equal(out.gnt[i], two[cycle][i]);
  }
}

/* An input whose pick loses keeps its pointer, so it
 * picks the same output again until it has it. */
static void test_sep_if_by_hand(void **state) {
  (void)state;
  static const uint8_t full[][4] = {{1, 0, 0, 0}, {2, 1, 0, 0}, {4, 2, 1, 0}, {8, 4, 2, 1}, {1, 8, 4, 2}};
  variant_in_t in = {.req = {15, 15, 15, 15}, .update = true};
  alloc_sep_if_4x4.reset();
  for (unsigned cycle = 0; cycle < sizeof full / sizeof *full; cycle++) {
    variant_out_t out = variant_cycle(&alloc_sep_if_4x4, &in);
    for (unsigned i = 0; i < 4; i++) assert_int_equal(out.gnt[i], full[cycle][i]);
  }
}

/* 5 x 7: cells of the priority diagonal are served
 * whatever else asks; diagonals take turns, all seven. */
static void test_wavefront_by_hand(void **state) {
  (void)state;
  variant_in_t in = {.update = true};
  for (unsigned i = 0; i < 5; i++) in.req[i] = 0x7f;
  alloc_wavefront_5x7.reset();
  for (unsigned cycle = 0; cycle < 15; cycle++) {
    variant_out_t out = variant_cycle(&alloc_wavefront_5x7, &in);
    for (unsigned i = 0; i < 5; i++) assert_int_equal(out.gnt[i], 1 << (cycle % 7 + 7 - i) % 7);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_legal),          cmocka_unit_test(test_maximum_matching),
      cmocka_unit_test(test_quality),        cmocka_unit_test(test_full_throughput),
      cmocka_unit_test(test_full_shares),    cmocka_unit_test(test_nobody_starves),
      cmocka_unit_test(test_islip_level),    cmocka_unit_test(test_islip_by_hand),
      cmocka_unit_test(test_sep_if_by_hand), cmocka_unit_test(test_wavefront_by_hand),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Synthetic traffic: rates, destinations of every pattern, lengths, classes and shares, the same
 * packets again, refusals.
 */
#include "unit_test.h"

#include <math.h>
#include <string.h>

#include "traffic.h"

enum { MAX = 64 };

/* What was generated: sums, counts by destination
 * and by pair, and a hash of all in order. */
typedef struct count {
  uint64_t packets, flits, divergent, second_class, dest[MAX], pair[MAX][MAX], hash;
  unsigned shortest, longest;
} count_t;

/* Counts what the traffic generates. */
static void tally_packet(void *context, const traffic_packet_t *p) {
  count_t *c = context;
  c->packets++;
  c->flits += p->flits;
  c->divergent += p->divergent;
  c->second_class += p->cls;
  c->dest[p->dest]++;
  c->pair[p->source][p->dest]++;
  if (!c->shortest || p->flits < c->shortest) c->shortest = p->flits;
  if (p->flits > c->longest) c->longest = p->flits;
  c->hash = (c->hash ^ (p->source * 64u + p->dest + p->flits * 4096u)) * 0x100000001b3u;
}

static const traffic_config_t uniform = {
    .rate = 0.2, .flits_least = 1, .flits_most = 1, .classes = 1, .divergent = 0.46, .seed = 1};

/* What `cycles` cycles generate; refused: the error is wanted. */
static count_t generate(const char *spec, traffic_config_t config, unsigned cycles, const char *refused) {
  topology_t t;
  routes_t routes;
  trouble_t trouble = {0};
  count_t c = {0};
  assert_true(topology_parse(&t, spec, &trouble));
  assert_true(routes_new(&routes, &t, &trouble));
  traffic_t *traffic = traffic_new(&config, &t, &routes, &trouble);
  if (refused) {
    assert_null(traffic);
    if (!strstr(trouble.text, refused)) fail_msg("'%s' does not say '%s'", trouble.text, refused);
  } else {
    if (!traffic) fail_msg("%s", trouble.text);
    for (unsigned i = 0; i < cycles; i++) traffic_cycle(traffic, tally_packet, &c);
  }
  traffic_free(traffic);
  routes_free(&routes);
  topology_free(&t);
  return c;
}

/* Within five standard deviations of a binomial count. */
static void assert_count_near(uint64_t got, double n, double p) {
  double wanted = n * p, slack = 5 * sqrt(n * p * (1 - p)) + 1;
  if (fabs((double)got - wanted) > slack) fail_msg("%llu, not %.0f +- %.0f", (unsigned long long)got, wanted, slack);
}

/* Packets a terminal and cycle, the share of divergent
 * packets, and equal shares of destinations. */
static void rates_and_destinations(void **state) {
  (void)state;
  enum { CYCLES = 20000 };
  static const double rate[] = {0.001, 0.2, 0.9, 1};
  for (unsigned i = 0; i < 4; i++) {
    traffic_config_t config = uniform;
    config.rate = rate[i];
    count_t c = generate("mesh:4x2", config, CYCLES, NULL);
    assert_count_near(c.packets, 8.0 * CYCLES, rate[i]);
    assert_count_near(c.divergent, (double)c.packets, 0.46);
    for (unsigned d = 0; d < 8; d++) assert_count_near(c.dest[d], (double)c.packets, 1.0 / 8);
    if (rate[i] >= 1) assert_int_equal(c.packets, 8 * CYCLES);
  }
}

/* 2 to 6 flits are 4 in the mean, so a quarter of the
 * rate's flits are packets. Classes have a half each. */
static void lengths_classes_and_shares(void **state) {
  (void)state;
  enum { CYCLES = 20000 };
  traffic_config_t config = uniform;
  config.rate = 0.9, config.flits_least = 2, config.flits_most = 6, config.classes = 2, config.divergent = 1;
  count_t c = generate("mesh:4x2", config, CYCLES, NULL);
  assert_count_near(c.packets, 8.0 * CYCLES, 0.9 / 4);
  assert_true(fabs((double)c.flits / (double)c.packets - 4) < 0.05);
  assert_int_equal(c.shortest, 2);
  assert_int_equal(c.longest, 6);
  assert_count_near(c.second_class, (double)c.packets, 0.5);
  assert_int_equal(c.divergent, c.packets);
  config.divergent = 0;
  assert_int_equal(generate("mesh:4x2", config, CYCLES, NULL).divergent, 0);
}

/* Terminal s of 16 sends to s ^ 15 (complement) or to its mirror image at the
 * diagonal (transpose). A hot spot has its share and a sixteenth of the rest. */
static void patterns(void **state) {
  (void)state;
  traffic_config_t config = uniform;
  config.pattern = TRAFFIC_BITCOMP;
  count_t c = generate("mesh:4x4", config, 2000, NULL);
  for (unsigned s = 0; s < 16; s++)
    for (unsigned d = 0; d < 16; d++) assert_int_equal(c.pair[s][d] > 0, d == (s ^ 15));
  config.pattern = TRAFFIC_TRANSPOSE;
  c = generate("mesh:4x4", config, 2000, NULL);
  for (unsigned s = 0; s < 16; s++)
    for (unsigned d = 0; d < 16; d++) assert_int_equal(c.pair[s][d] > 0, d == s % 4 * 4 + s / 4);
  config.pattern = TRAFFIC_HOTSPOT, config.hotspot = 5, config.hotspot_share = 0.3;
  c = generate("mesh:4x4", config, 20000, NULL);
  assert_count_near(c.dest[5], (double)c.packets, 0.3 + 0.7 / 16);
  assert_count_near(c.dest[4], (double)c.packets, 0.7 / 16);
}

/* On the tree of modules the centre is M0 (terminals 0 to 7): nothing
 * stays in a module or on one side of M2 (8 + 1, 4, 5) or M4. */
static void through_the_centre(void **state) {
  (void)state;
  enum { M1 = 8, M2, M3, M4, M5, M6, M7, M8 };
  traffic_config_t config = uniform;
  config.pattern = TRAFFIC_TREE_SATURATION;
  count_t c = generate("tree", config, 20000, NULL);
  static const uint8_t side[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 2, 2, 4, 4};
  for (unsigned s = 0; s < 16; s++)
    for (unsigned d = 0; d < 16; d++) assert_int_equal(c.pair[s][d] > 0, side[s] != side[d]);
  assert_count_near(c.pair[M5][M8], (double)(c.packets) / 16, 1.0 / 13);
  assert_count_near(c.pair[0][M1], (double)(c.packets) / 16, 1.0 / 8);
}

/* The same seed gives the same packets in the same order; another seed gives others. */
static void a_seed_repeats_its_packets(void **state) {
  (void)state;
  traffic_config_t config = uniform;
  uint64_t hash = generate("mesh:4x4", config, 500, NULL).hash;
  assert_true(hash == generate("mesh:4x4", config, 500, NULL).hash);
  config.seed = 2;
  assert_true(hash != generate("mesh:4x4", config, 500, NULL).hash);
}

/* Each parameter out of range, and patterns that need another number of terminals. */
static void refusals(void **state) {
  (void)state;
  traffic_config_t c = uniform;
  static const double rate[] = {0, -1, 1.001, NAN};
  for (unsigned i = 0; i < 4; i++) c.rate = rate[i], generate("mesh:2x2", c, 0, "above 0 and at most 1");
  c = uniform, c.flits_least = 0, generate("mesh:2x2", c, 0, "1 to 1023");
  c = uniform, c.flits_most = 1024, generate("mesh:2x2", c, 0, "1 to 1023");
  c = uniform, c.flits_least = 3, c.flits_most = 2, generate("mesh:2x2", c, 0, "least first");
  c = uniform, c.classes = 3, generate("mesh:2x2", c, 0, "1 or 2");
  c = uniform, c.divergent = 1.1, generate("mesh:2x2", c, 0, "0 to 1");
  c = uniform, c.pattern = TRAFFIC_BITCOMP, generate("mesh:3x2", c, 0, "power of two");
  c = uniform, c.pattern = TRAFFIC_TRANSPOSE, generate("mesh:3x2", c, 0, "square");
  c = uniform, c.pattern = TRAFFIC_HOTSPOT, c.hotspot = 4, generate("mesh:2x2", c, 0, "terminals 0 to 3");
  c = uniform, c.pattern = TRAFFIC_TREE_SATURATION, generate("mesh:1x1", c, 0, "more than one router");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rates_and_destinations),
                                     cmocka_unit_test(lengths_classes_and_shares),
                                     cmocka_unit_test(patterns),
                                     cmocka_unit_test(through_the_centre),
                                     cmocka_unit_test(a_seed_repeats_its_packets),
                                     cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

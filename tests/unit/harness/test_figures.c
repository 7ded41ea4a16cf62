/* SPDX-License-Identifier: Apache-2.0
 *
 * The arithmetic of figures, from canned results. Each expected number is worked out by hand; the
 * numbers of published figures are those of harness/evidence/reproduce/published.def.
 */
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"

/* The two agree to 1e-6; NAN agrees with nothing. */
static void assert_near(double got, double wanted) {
  if (!(fabs(got - wanted) <= 1e-6)) fail_msg("%.9g is not %.9g", got, wanted);
}

/* ---- The published figures ---- */

/* Each published figure has one id, which begins with its system. Counts are those of the lists
 * in published.def, so that none gets lost when they are edited. */
static void published_are_all_there(void **state) {
  (void)state;
  unsigned nsu = 0, mpu = 0, tom = 0, nupim = 0;
  for (unsigned i = 0; i < published_count; i++) {
    const published_t *p = &published[i];
    assert_ptr_equal(published_find(p->id), p); /* so no id is there twice */
    assert_int_equal(strncmp(p->id, p->system, strlen(p->system)), 0);
    nsu += !strcmp(p->system, "nsu") && !strcmp(p->paper, "NSU");
    mpu += !strcmp(p->system, "mpu") && !strcmp(p->paper, "MPU");
    tom += !strcmp(p->system, "tom") && !strcmp(p->paper, "TOM");
    nupim += !strcmp(p->system, "nupim") && !strcmp(p->paper, "NUPIM");
  }
  assert_int_equal(nsu, 41);
  assert_int_equal(mpu, 23);
  assert_int_equal(tom, 37);
  assert_int_equal(nupim, 20);
  assert_null(published_find("mpu-24"));
  assert_true(published_system("tom"));
  assert_false(published_system("gpu"));
}

/* Each figure that we compute has a published one or a column of its own, and refers to things
 * that exist. */
static void every_figure_is_published_once(void **state) {
  (void)state;
  for (const figure_system_t *const *s = figure_systems; *s; s++) {
    for (unsigned i = 0; i < (*s)->num_figures; i++) {
      const figure_t *f = &(*s)->figures[i];
      const published_t *p = f->id ? published_find(f->id) : NULL;
      assert_true(p || (!f->id && f->column)); /* a column that nothing is published of */
      if (p) {
        assert_string_equal(p->system, (*s)->name);
        assert_string_equal(p->why_not, "");
        assert_int_equal(figure_index(*s, f->id), i);
        assert_true(strtod(p->value, NULL) != 0 || *p->relation != '=' || f->kind == FIGURE_GAIN);
      }
      assert_true(f->group < (*s)->num_groups && f->over < (*s)->num_quantities && f->under < (*s)->num_quantities);
      assert_true(f->over_in < (*s)->num_configurations && f->under_in < (*s)->num_configurations);
      assert_true(f->column ? strlen(f->column) <= 11 : f->id != NULL);
      for (unsigned n = 0; n < (f->several ? f->several : 1); n++)
        assert_true(figure_needs(f, (f->which == FIGURE_BEST_RIVAL ? f->over_in : f->under_in) + n));
      bool has = false;
      for (unsigned w = 0; w < (*s)->num_workloads; w++) has = has || figure_has(f, (*s)->workloads[w]);
      assert_true(has);
    }
    assert_true((*s)->num_workloads <= FIGURES_WORKLOADS && (*s)->num_configurations <= FIGURES_CONFIGURATIONS);
    assert_true((*s)->num_figures <= FIGURES_MAX);
  }
}

/* What of mpu is not made says why, and the others are made. */
static void mpu_is_complete(void **state) {
  (void)state;
  for (unsigned i = 0; i < published_count; i++)
    if (!strcmp(published[i].system, "mpu"))
      assert_true((figure_index(&figures_mpu, published[i].id) >= 0) == !*published[i].why_not);
  unsigned made = 0;
  for (unsigned i = 0; i < figures_mpu.num_figures; i++) made += figures_mpu.figures[i].id != NULL;
  assert_int_equal(made, 21);
  assert_int_equal(figures_mpu.num_workloads, 12);
}

/* All 41 figures of the NSU paper are computed, on its ten workloads. */
static void nsu_is_complete(void **state) {
  (void)state;
  unsigned made = 0;
  for (unsigned i = 0; i < figures_nsu.num_figures; i++) made += figures_nsu.figures[i].id != NULL;
  assert_int_equal(made, 41);
  for (unsigned i = 0; i < published_count; i++) assert_non_null(figure_system(published[i].system));
  for (unsigned i = 0; i < published_count; i++)
    if (!strcmp(published[i].system, "nsu")) assert_true(figure_index(&figures_nsu, published[i].id) >= 0);
  assert_int_equal(figures_nsu.num_workloads, 10);
}

/* A table's columns are 11 characters wide at most: six of them and the workloads' names fit
 * into 100 characters. */
static void tables_are_no_wider_than_100(void **state) {
  (void)state;
  for (const figure_system_t *const *s = figure_systems; *s; s++) {
    unsigned columns[FIGURES_MAX] = {0};
    for (unsigned i = 0; i < (*s)->num_figures; i++)
      if ((*s)->figures[i].column) assert_true(++columns[(*s)->figures[i].group] <= 6);
  }
}

/* ---- Quantities ---- */

/* The value of a quantity in a result with this text; NAN: it has none. NULL as text: there is
 * no result. */
static double quantity(const char *paths, const char *text) {
  json_t *result = text ? json_loads(text, 0, NULL) : NULL;
  assert_true(!text || result);
  double value = figure_quantity(&(figure_quantity_t){"x", paths}, result);
  json_decref(result);
  return value;
}

/* A path into the result, sums of paths, and 1 for no path. A missing or wrong member is no
 * number. */
static void quantities(void **state) {
  (void)state;
  static const char result[] = "{\"cycles\": 12, \"dram\": {\"hits\": 3, \"misses\": 4.5}, \"name\": \"x\"}";
  assert_near(quantity("cycles", result), 12);
  assert_near(quantity("dram.misses", result), 4.5);
  assert_near(quantity("dram.hits + dram.misses + cycles", result), 19.5);
  assert_near(quantity("", result), 1);
  assert_true(isnan(quantity("", NULL)));
  assert_true(isnan(quantity("cycles", NULL)));
  assert_true(isnan(quantity("cycle", result)));
  assert_true(isnan(quantity("cycles + absent", result)));
  assert_true(isnan(quantity("name", result)));
  assert_true(isnan(quantity("dram", result)));
  assert_true(isnan(quantity("cycles.more", result)));
}

/* * goes over all members, # counts them, a number picks one. What exists only in part is no
 * number. */
static void quantities_of_arrays(void **state) {
  (void)state;
  static const char result[] =
      "{\"kernels\": [{\"blocks\": [{\"count\": 16, \"sent\": [1, 2]}, {\"count\": 4, \"sent\": []}]},"
      " {\"blocks\": []}, {\"blocks\": [{\"count\": 2, \"sent\": [7]}]}], \"bytes\": {\"A\": 1, \"B\": 2, \"of\": "
      "{\"C\": 4}}}";
  assert_near(quantity("kernels.*.blocks.*.count", result), 22);
  assert_near(quantity("kernels.*.blocks.#", result), 3);
  assert_near(quantity("kernels.*.blocks.*.sent.#", result), 3);
  assert_near(quantity("kernels.*.blocks.*.sent.*", result), 10);
  assert_near(quantity("kernels.#", result), 3);
  assert_near(quantity("kernels.0.blocks.1.count", result), 4);
  assert_near(quantity("kernels.2.blocks.0.sent.0", result), 7);
  assert_near(quantity("bytes.#", result), 3);
  assert_near(quantity("bytes.*", result), 3); /* what is no number is no summand */
  assert_true(isnan(quantity("kernels.*.blocks.*.counts", result)));
  assert_true(isnan(quantity("kernels.*.blocks", result)));
  assert_true(isnan(quantity("kernels.#.blocks", result)));
  assert_true(isnan(quantity("kernels.3.blocks.0.count", result)));
  assert_true(isnan(quantity("kernels.-1.blocks.0.count", result)));
  assert_true(isnan(quantity("kernels.first.blocks.0.count", result)));
  assert_true(isnan(quantity("kernels..blocks.0.count", result)));
  assert_true(isnan(quantity("bytes.0", result)));
  assert_true(isnan(quantity("bytes.A.#", result)));
  assert_true(isnan(quantity("bytes.A.*", result)));
}

/* ---- Figures of a system of two workloads ---- */

enum { BASE, RIVAL, CONFIGURATIONS };
enum { ONE, CYCLES, MISSES, ACCESSES, QUANTITIES };

static const char *const two[] = {"a", "b", NULL};
static const figure_configuration_t configurations[] = {{"base", "", FIGURE_SIMULATION, "mpu", {0}},
                                                        {"rival", "", FIGURE_SIMULATION, "mpu", {"x=1"}}};
static const figure_quantity_t quantities_of[] = {
    {"one", ""}, {"cycles", "cycles"}, {"misses", "miss"}, {"accesses", "miss + hit"}};
static const figure_group_t group[] = {{.name = "all", .title = "", .note = ""}};
static const figure_t figures[] = {
    /* the paper's: 1.938 */
    {"mpu-03", 0, "speedup", 1, CYCLES, RIVAL, CYCLES, BASE, NULL, FIGURE_QUOTIENT, NULL, 0, FIGURE_MEAN, FIGURE_BEST},
    /* 5.45 */
    {"mpu-11", 0, "misses", 100, MISSES, BASE, ACCESSES, BASE, NULL, FIGURE_QUOTIENT, NULL, 0, FIGURE_MEAN,
     FIGURE_BEST},
    /* 3.8 */
    {"mpu-14", 0, "share", 1, MISSES, RIVAL, ONE, RIVAL, NULL, FIGURE_QUOTIENT, NULL, 0, FIGURE_MEAN, FIGURE_BEST},
};
static const figure_system_t small = {.name = "small",
                                      .workloads = two,
                                      .configurations = configurations,
                                      .quantities = quantities_of,
                                      .groups = group,
                                      .figures = figures,
                                      .tolerance = 0.25,
                                      .num_workloads = 2,
                                      .num_configurations = CONFIGURATIONS,
                                      .num_quantities = QUANTITIES,
                                      .num_groups = 1,
                                      .num_figures = 3};

/* A figure of the small system: results of workload a in both configurations, then of b. */
static figure_result_t compute_two(unsigned figure, const char *const text[4]) {
  json_t *result[4];
  for (unsigned i = 0; i < 4; i++) result[i] = text[i] ? json_loads(text[i], 0, NULL) : NULL;
  figure_result_t r = figure_compute(&small, figure, result);
  for (unsigned i = 0; i < 4; i++) json_decref(result[i]);
  return r;
}

static const char *const canned[4] = {
    "{\"cycles\": 100, \"miss\": 1, \"hit\": 19}",
    "{\"cycles\": 250, \"miss\": 3, \"hit\": 1}",
    "{\"cycles\": 200, \"miss\": 6, \"hit\": 34}",
    "{\"cycles\": 300, \"miss\": 0, \"hit\": 4}",
};

/* 250 / 100 and 300 / 200; arithmetic mean 2, geometric sqrt(3.75); the paper's is 1.938. */
static void speedups_and_means(void **state) {
  (void)state;
  figure_result_t r = compute_two(0, canned);
  assert_near(r.value[0], 2.5);
  assert_near(r.value[1], 1.5);
  assert_int_equal(r.known, 2);
  assert_near(r.mean, 2.0);
  assert_near(r.geometric, 1.936491673);
  assert_near(r.ratio, 1.031991744); /* 2 / 1.938 */
  assert_string_equal(r.paper->id, "mpu-03");
  assert_false(figure_misses(&r));
}

/* 1 of 20 and 6 of 40 are 5 % and 15 %; the paper's 5.45 % is missed by more than the tolerance. */
static void percentages(void **state) {
  (void)state;
  figure_result_t r = compute_two(1, canned);
  assert_near(r.value[0], 5);
  assert_near(r.value[1], 15);
  assert_near(r.mean, 10);
  assert_near(r.geometric, 8.660254038);
  assert_near(r.ratio, 1.834862385); /* 10 / 5.45 */
  assert_true(figure_misses(&r));
}

/* Misses over one: 3 and 0, whose mean is 1.5; a geometric mean of a zero does not exist. 1.5 /
 * 3.8 = 0.3947. */
static void a_plain_number_and_a_zero(void **state) {
  (void)state;
  figure_result_t r = compute_two(2, canned);
  assert_near(r.value[0], 3);
  assert_near(r.value[1], 0);
  assert_near(r.mean, 1.5);
  assert_true(isnan(r.geometric)); /* of a zero there is none */
  assert_near(r.ratio, 0.394736842);
}

/* A lost result leaves its workload out of the means. Nothing known is no miss. */
static void missing_results(void **state) {
  (void)state;
  const char *one_lost[4] = {canned[0], canned[1], canned[2], NULL}, *none[4] = {0};
  figure_result_t r = compute_two(0, one_lost);
  assert_int_equal(r.known, 1);
  assert_true(isnan(r.value[1]));
  assert_near(r.mean, 2.5);
  assert_near(r.geometric, 2.5);
  r = compute_two(0, none);
  assert_int_equal(r.known, 0);
  assert_true(isnan(r.mean) && isnan(r.geometric) && isnan(r.ratio));
  assert_false(figure_misses(&r)); /* nothing is known of it */
}

/* ---- Kinds, workloads, the best of several ---- */

enum { BEFORE, AFTER, HALF, OTHER };
enum {
  GAIN,
  DROP,
  OTHERS,
  BEST,
  LARGEST,
  SMALLEST,
  FARTHEST,
  RIVALS,
  ADDED,
  LIST,
  COLUMN,
  EXACT,
  SEEDS,
  SEEDS_LARGEST,
  SEEDS_SMALLEST,
  KINDS
};

static const figure_configuration_t four[] = {{"before", "", FIGURE_SIMULATION, "baseline", {0}},
                                              {"after", "", FIGURE_SIMULATION, "nsu", {0}},
                                              {"half", "", FIGURE_SIMULATION, "nsu", {"offload.ratio=0.5"}},
                                              {"other", "", FIGURE_SIMULATION, "mine.yaml", {0}}};
static const figure_quantity_t of_parts[] = {{"cycles", "cycles"},
                                             {"lines", "stack:reads + stack:writes"},
                                             {"reads", "stack:reads"},
                                             {"all", "parts.s.counters.*"}};
static const figure_t all_kinds[] = {
    {"nsu-03", 0, "gain", 1, 0, BEFORE, 0, AFTER, NULL, FIGURE_GAIN, NULL, 0, FIGURE_MEAN, FIGURE_BEST},
    {"nsu-20", 0, "drop", 1, 1, AFTER, 1, BEFORE, NULL, FIGURE_DROP, "b", 0, FIGURE_MEAN, FIGURE_BEST},
    {"nsu-06", 0, "others", 1, 0, BEFORE, 0, AFTER, NULL, FIGURE_GAIN, "-b bb", 0, FIGURE_MEAN, FIGURE_BEST},
    {"nsu-09", 0, "best", 1, 0, BEFORE, 0, AFTER, NULL, FIGURE_GAIN, "a", 3, FIGURE_MEAN, FIGURE_BEST},
    {"nsu-05", 0, NULL, 1, 0, BEFORE, 0, AFTER, NULL, FIGURE_GAIN, NULL, 0, FIGURE_LARGEST, FIGURE_BEST},
    {"nsu-05", 0, NULL, 1, 0, BEFORE, 0, AFTER, NULL, FIGURE_GAIN, NULL, 0, FIGURE_SMALLEST, FIGURE_BEST},
    {"nupim-11", 0, NULL, 1, 0, BEFORE, 0, AFTER, NULL, FIGURE_GAIN, NULL, 0, FIGURE_FARTHEST, FIGURE_BEST},
    {"nsu-14", 0, NULL, 1, 0, AFTER, 0, BEFORE, NULL, FIGURE_GAIN, "a", 3, FIGURE_MEAN, FIGURE_BEST_RIVAL},
    {"nsu-27", 0, NULL, 1, 2, BEFORE, 1, BEFORE, NULL, FIGURE_ADDED, NULL, 0, FIGURE_MEAN, FIGURE_BEST},
    {"nsu-36", 0, NULL, 1, 3, BEFORE, 0, BEFORE, NULL, FIGURE_LIST, "b", 0, FIGURE_MEAN, FIGURE_BEST},
    {NULL, 0, "cycles", 1, 0, BEFORE, 0, AFTER, NULL, FIGURE_QUOTIENT, NULL, 0, FIGURE_MEAN, FIGURE_BEST},
    {"tom-35", 0, NULL, 1, 0, BEFORE, 2, BEFORE, NULL, FIGURE_EXACT, "a", 0, FIGURE_MEAN, FIGURE_BEST},
    {NULL, 0, "mean", 1, 0, BEFORE, 0, HALF, NULL, FIGURE_GAIN, "a", 2, FIGURE_MEAN, FIGURE_SEEDS},
    {NULL, 0, "most", 1, 0, BEFORE, 0, HALF, NULL, FIGURE_GAIN, "a", 2, FIGURE_MEAN, FIGURE_SEEDS_LARGEST},
    {NULL, 0, "least", 1, 0, BEFORE, 0, HALF, NULL, FIGURE_GAIN, "a", 2, FIGURE_MEAN, FIGURE_SEEDS_SMALLEST},
};
static const figure_system_t nsu = {.name = "nsu",
                                    .workloads = two,
                                    .configurations = four,
                                    .quantities = of_parts,
                                    .groups = group,
                                    .figures = all_kinds,
                                    .num_workloads = 2,
                                    .num_configurations = 4,
                                    .tolerance = 0.2,
                                    .num_quantities = 4,
                                    .num_groups = 1,
                                    .num_figures = KINDS};

#define RUN_OF(cycles, reads)                                                                            \
  "{\"cycles\": " #cycles ", \"parts\": {\"s\": {\"part\": \"stack\", \"counters\": {\"reads\": " #reads \
  ", \"writes\": 2}}}}"

/* A figure of the system nsu above. Results are those of a in four configurations (120, 100, 80
 * and 96 cycles), then of b; `lost` is the digit of a result that is missing. */
static figure_result_t compute_nsu(unsigned figure, const char *lost) {
  static const char *const text[8] = {RUN_OF(120, 1), RUN_OF(100, 1), RUN_OF(80, 1), RUN_OF(96, 1),
                                      RUN_OF(300, 6), RUN_OF(400, 2), RUN_OF(1, 1),  RUN_OF(1, 1)};
  json_t *result[8];
  for (unsigned i = 0; i < 8; i++)
    result[i] = lost && i == (unsigned)(*lost - '0') ? NULL : json_loads(text[i], 0, NULL);
  figure_result_t r = figure_compute(&nsu, figure, result);
  for (unsigned i = 0; i < 8; i++) json_decref(result[i]);
  return r;
}

/* A gain is the quotient less one: 120 / 100 and 300 / 400. A drop is how much less: from 8
 * lines to 4. */
static void gains_and_drops(void **state) {
  (void)state;
  figure_result_t r = compute_nsu(0, NULL);
  assert_near(r.value[0], 20);
  assert_near(r.value[1], -25);
  assert_near(r.mean, -2.5);
  assert_near(r.geometric, -5.131670195); /* sqrt(1.2 * 0.75) */
  assert_near(r.ratio, 0.975 / 1.149);
  assert_near(r.ours, -2.5);
  assert_true(figure_misses(&r)); /* 15 % off */
  r = compute_nsu(1, NULL);
  assert_true(isnan(r.value[0]));
  assert_near(r.value[1], 50); /* from 8 to 4 */
  assert_int_equal(r.known, 1);
  assert_near(r.mean, 50);
  assert_near(r.geometric, 50);
}

/* A list of workloads, or of those to leave out after a minus; names count as whole words. */
static void figures_of_some_workloads(void **state) {
  (void)state;
  assert_true(figure_has(&all_kinds[0], "a") && figure_has(&all_kinds[1], "b") && !figure_has(&all_kinds[1], "bb") &&
              !figure_has(&all_kinds[1], "a"));
  assert_true(figure_has(&all_kinds[2], "a") && !figure_has(&all_kinds[2], "b") && !figure_has(&all_kinds[2], "bb") &&
              figure_has(&all_kinds[2], "bbb"));
  figure_result_t r = compute_nsu(2, NULL);
  assert_int_equal(r.known, 1);
  assert_near(r.mean, 20);
}

/* The best of three: 120 / 80. */
static void the_best_of_configurations(void **state) {
  (void)state;
  assert_true(figure_needs(&all_kinds[3], BEFORE) && figure_needs(&all_kinds[3], HALF) &&
              figure_needs(&all_kinds[3], OTHER));
  assert_true(figure_needs(&all_kinds[0], AFTER) && !figure_needs(&all_kinds[0], HALF));
  assert_near(compute_nsu(3, NULL).mean, 50);     /* 120 / 80 */
  assert_int_equal(compute_nsu(3, "3").known, 0); /* what is lost might have been the best */
}

/* Nothing by nothing is no value, and the other workload makes the mean. */
static void division_by_nothing(void **state) {
  (void)state;
  const char *idle[4] = {"{\"cycles\": 0, \"miss\": 0, \"hit\": 0}", canned[1], canned[2], canned[3]};
  assert_true(isnan(compute_two(0, idle).value[0]));
  assert_true(isnan(compute_two(1, idle).value[0]));
  assert_near(compute_two(1, idle).mean, 15);
}

/* FIGURE_LARGEST compares the workload with the largest value with the paper's bound. */
static void the_largest_is_compared(void **state) {
  (void)state;
  figure_result_t r = compute_nsu(LARGEST, NULL); /* 20 and -25; each below 3, says the paper */
  assert_near(r.ours, 20);
  assert_near(r.mean, -2.5);
  assert_true(figure_misses(&r));
  r = compute_nsu(LARGEST, "0"); /* a's is lost: what is known is below 3 */
  assert_near(r.ours, -25);
  assert_false(figure_misses(&r));
}

/* FIGURE_SMALLEST compares the least workload with the paper. */
static void the_smallest_is_compared(void **state) {
  (void)state;
  const figure_result_t r = compute_nsu(SMALLEST, NULL);
  assert_near(r.ours, -25);
  assert_near(r.mean, -2.5);
}

/* FIGURE_FARTHEST compares the workload that is farthest from 0, of either sign. */
static void the_farthest_from_none_is_compared(void **state) {
  (void)state;
  figure_result_t r = compute_nsu(FARTHEST, NULL); /* 20 and -25; each within 1, says the paper */
  assert_near(r.ours, -25);
  assert_true(figure_misses(&r));
  assert_near(compute_nsu(FARTHEST, "4").ours, 20);
  assert_near(compute_nsu(FARTHEST, "0").ours, -25);
}

/* FIGURE_BEST_RIVAL compares with the best of several rivals; one that is lost might have been
 * it. */
static void against_the_best_rival(void **state) {
  (void)state;
  assert_true(figure_needs(&all_kinds[RIVALS], AFTER) && figure_needs(&all_kinds[RIVALS], OTHER) &&
              figure_needs(&all_kinds[RIVALS], BEFORE));
  assert_near(compute_nsu(RIVALS, NULL).mean, -100.0 / 3); /* 80, the best of 100, 80 and 96, to 120 */
  assert_int_equal(compute_nsu(RIVALS, "2").known, 0);
}

/* Pairs of runs with the same seed: 120 to 80 is 50 %, 100 to 96 is 100 / 24 %. */
static void over_seeds(void **state) {
  (void)state;
  for (unsigned c = 0; c < 4; c++) assert_true(figure_needs(&all_kinds[SEEDS], c));
  assert_true(figure_reads(&all_kinds[SEEDS], AFTER, 0) && figure_reads(&all_kinds[SEEDS], OTHER, 0) &&
              !figure_reads(&all_kinds[SEEDS], OTHER, 1));
  assert_near(compute_nsu(SEEDS, NULL).value[0], (50 + 100.0 / 24) / 2);
  assert_near(compute_nsu(SEEDS_LARGEST, NULL).value[0], 50);
  assert_near(compute_nsu(SEEDS_SMALLEST, NULL).value[0], 100.0 / 24);
  /* one seed's alone is not its mean */
  for (const char *lost = "0123"; *lost; lost++) assert_int_equal(compute_nsu(SEEDS, lost).known, 0);
}

/* How much the whole is more than without the part: 1 of 3 lines adds 1 to 2, 6 of 8 add 6 to 2. */
static void what_a_part_adds(void **state) {
  (void)state;
  figure_result_t r = compute_nsu(ADDED, NULL);
  assert_near(r.value[0], 50);   /* 1 of 3: to 2 */
  assert_near(r.value[1], 300);  /* 6 of 8 */
  assert_near(r.geometric, 100); /* sqrt(1/3 * 3/4) = 1/2 of all, which doubles the rest */
}

/* A list is compared as text, with its order. */
static void lists(void **state) {
  (void)state;
  figure_result_t r = compute_nsu(LIST, NULL);
  assert_string_equal(r.list, "6 2");
  assert_int_equal(r.known, 1);
  assert_true(isnan(r.value[1]) && isnan(r.ours));
  assert_true(figure_misses(&r)); /* the paper's: 16 4 */
  strcpy(r.list, "16 4");
  assert_false(figure_misses(&r));
  strcpy(r.list, "4 16");
  assert_true(figure_misses(&r));
  r = compute_nsu(LIST, "4");
  assert_string_equal(r.list, "");
  assert_int_equal(r.known, 0);
  assert_false(figure_misses(&r));
}

/* FIGURE_EXACT has no tolerance: 441 / 4 is the paper's 110.25, 440.999 / 4 is not. */
static void exact_numbers(void **state) {
  (void)state;
  json_t *result[8] = {0};
  figure_result_t r = figure_compute(&nsu, EXACT, result);
  assert_false(figure_misses(&r)); /* nothing is known */
  result[0] = json_loads(RUN_OF(441, 4), 0, NULL);
  r = figure_compute(&nsu, EXACT, result);
  assert_near(r.ours, 110.25);
  assert_true(r.ratio == 1);
  assert_false(figure_misses(&r));
  json_decref(result[0]);
  result[0] = json_loads(RUN_OF(440.999, 4), 0, NULL); /* far within what is let pass of what is measured */
  r = figure_compute(&nsu, EXACT, result);
  assert_true(figure_misses(&r));
  json_decref(result[0]);
}

/* A column without a published figure never misses. */
static void a_column_of_nothing_published(void **state) {
  (void)state;
  figure_result_t r = compute_nsu(COLUMN, NULL);
  assert_null(r.paper);
  assert_near(r.value[0], 1.2);
  assert_true(isnan(r.ratio));
  assert_false(figure_misses(&r));
}

/* A figure misses if the quotient of ours and the paper's is off by more than 25 %, or breaks
 * its < or <=. */
static void tolerance(void **state) {
  (void)state;
  static const published_t same = {.relation = "=", .value = "2"}, below = {.relation = "<", .value = "3"},
                           most = {.relation = "<=", .value = "3"};
  static const figure_t mean = {.kind = FIGURE_QUOTIENT};
  static const struct {
    const published_t *paper;
    double ours, ratio;
    bool misses;
  } cases[] = {{&same, 2, 1.2499, false}, {&same, 2, 1.2501, true}, {&same, 2, 0.7501, false},
               {&same, 2, 0.7499, true},  {&same, 2, NAN, true},    {&below, 2.9, 9, false},
               {&below, 3, 1, true},      {&most, 3, 1, false},     {&most, 3.1, 1, true}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    figure_result_t r = {
        &mean, cases[i].paper, .known = 1, .ours = cases[i].ours, .ratio = cases[i].ratio, .tolerance = 0.25};
    assert_int_equal(figure_misses(&r), cases[i].misses);
  }
}

/* ---- mpu's own list, on results as `run` and `offload` write them ---- */

/* The result of this configuration in a row of the MPU's results. */
static void set_result(json_t *row[], const char *configuration, const char *text) {
  for (unsigned c = 0; c < figures_mpu.num_configurations; c++)
    if (!strcmp(figures_mpu.configurations[c].name, configuration)) {
      row[c] = json_loads(text, 0, NULL);
      assert_non_null(row[c]);
      return;
    }
  fail_msg("no configuration %s", configuration);
}

/* The MPU's figure of this id in a row of results. */
static double mpu_value(json_t *const row[], const char *id) {
  return figure_value(&figures_mpu, &figures_mpu.figures[figure_index(&figures_mpu, id)], row);
}

/* The MPU's column of this name, which has no published figure. */
static double mpu_column(json_t *const row[], const char *column) {
  for (unsigned i = 0; i < figures_mpu.num_figures; i++)
    if (!figures_mpu.figures[i].id && !strcmp(figures_mpu.figures[i].column, column))
      return figure_value(&figures_mpu, &figures_mpu.figures[i], row);
  fail_msg("no column %s", column);
  return NAN;
}

/* Each figure of the MPU's list from made-up results. They were chosen so that a figure that
 * reads another configuration's or counter's number gives another value. Expected by hand, such
 * as v100's 3000 ns by base's 1000 ns for mpu-22. */
static void mpu_figures(void **state) {
  (void)state;
  json_t *row[FIGURES_CONFIGURATIONS] = {0};
#define RUN(cycles, beats, hits, misses, conflicts)                                             \
  "{\"cycles\": " #cycles ", \"tsv\": {\"beats\": " #beats "}, \"dram\": {\"row_hits\": " #hits \
  ", \"row_misses\": " #misses ", \"row_conflicts\": " #conflicts "}}"
  set_result(
      row, "v100",
      "{\"time_ns\": 3000, \"energy\": {\"total_nj\": 500}, \"parts\": {\"gpu\": {\"part\": \"gpu\", \"counters\": "
      "{\"warp_instructions\": 320}},"
      " \"stack\": {\"part\": \"stack\", \"counters\": {\"read_bursts\": 100, \"write_bursts\": 50}}}}");
  set_result(
      row, "base",
      "{\"cycles\": 1000, \"time_ns\": 1000, \"tsv\": {\"beats\": 400}, \"dram\": {\"row_hits\": 90, \"row_misses\": "
      "2, \"row_conflicts\": 8}, \"energy\": {"
      "\"total_nj\": 200, \"components\": {\"alu\": {\"nj\": 80}, \"register\": {\"nj\": 30}, \"dram\": {\"nj\": 20}, "
      "\"shared\": {\"nj\": 1},"
      " \"tsv\": {\"nj\": 40}, \"network\": {\"nj\": 10}}}}");
  set_result(row, "default", RUN(1500, 1, 1, 1, 1));
  set_result(row, "near", RUN(2500, 1, 1, 1, 1));
  set_result(row, "far", RUN(1250, 1, 1, 1, 1));
  set_result(row, "ponb", RUN(1400, 1, 1, 1, 1));
  set_result(row, "smem-far", RUN(1600, 720, 1, 1, 1));
  set_result(row, "rows-1", RUN(1200, 1, 60, 10, 30));
  set_result(row, "rows-2", RUN(1100, 1, 75, 5, 20));
  set_result(row, "compiler", "{\"mean\": {\"annotated\": {\"near\": 30.5, \"far\": 65, \"both\": 4.5}}}");
  static const struct {
    const char *id;
    double value;
  } wanted[] = {{"mpu-01", 1.5}, {"mpu-02", 2.5},         {"mpu-03", 1.25}, {"mpu-04", 1.4}, {"mpu-05", 1.6},
                {"mpu-06", 1.8}, {"mpu-07", 1.090909091}, {"mpu-08", 1.2},  {"mpu-09", 40},  {"mpu-10", 25},
                {"mpu-11", 10},  {"mpu-12", 30.5},        {"mpu-13", 65},   {"mpu-14", 4.5}, {"mpu-17", 40},
                {"mpu-18", 25},  {"mpu-19", 25},          {"mpu-20", 20},   {"mpu-21", 5},   {"mpu-22", 3},
                {"mpu-23", 2.5}};
  unsigned columns = 0;
  for (unsigned i = 0; i < figures_mpu.num_figures; i++) columns += !figures_mpu.figures[i].id;
  assert_int_equal(sizeof wanted / sizeof *wanted, figures_mpu.num_figures - columns);
  for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++)
    assert_near(mpu_value(row, wanted[i].id), wanted[i].value);
  assert_near(mpu_column(row, "B/instr"), 150 * 64 / 320.);
  assert_near(mpu_column(row, "GB/s"), 150 * 64 / 3000.);
  for (unsigned c = 0; c < figures_mpu.num_configurations; c++) json_decref(row[c]);
}

/* ---- The order of workloads by two columns ---- */

/* Orders of workloads by two columns, and their rank correlation (Spearman): 1 - 6 sum d^2 / (n
 * (n^2 - 1)). */
static void orders(void **state) {
  (void)state;
  const figure_result_t one = {.value = {3, NAN, 1, 2, 2, 9}}, same = {.value = {6, 4, 2, 4, 4, 7}},
                        turned = {.value = {1, 8, 9, 3, 2, 0}};
  unsigned order[2][FIGURES_WORKLOADS];
  double correlation;
  assert_int_equal(figure_orders(&one, &same, 6, order, &correlation), 5);
  for (unsigned i = 0; i < 5; i++) {
    static const unsigned wanted[] = {5, 0, 3, 4, 2}; /* equals as in the list, who has no value of one is in neither */
    assert_int_equal(order[0][i], wanted[i]);
    assert_int_equal(order[1][i], wanted[i]);
  }
  assert_near(correlation, 1);
  assert_int_equal(figure_orders(&turned, &one, 6, order, &correlation), 5);
  assert_int_equal(order[0][0], 2);
  assert_int_equal(order[1][0], 5);
  /* the first by one is the last by the other; two places; one; one; the last the first */
  assert_near(correlation, 1 - 6 * (16 + 4 + 1 + 1 + 16) / (5 * 24.));
  assert_int_equal(figure_orders(&one, &same, 1, order, &correlation), 1);
  assert_true(isnan(correlation));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(published_are_all_there),
                                     cmocka_unit_test(every_figure_is_published_once),
                                     cmocka_unit_test(mpu_is_complete),
                                     cmocka_unit_test(nsu_is_complete),
                                     cmocka_unit_test(tables_are_no_wider_than_100),
                                     cmocka_unit_test(quantities),
                                     cmocka_unit_test(quantities_of_arrays),
                                     cmocka_unit_test(speedups_and_means),
                                     cmocka_unit_test(percentages),
                                     cmocka_unit_test(a_plain_number_and_a_zero),
                                     cmocka_unit_test(missing_results),
                                     cmocka_unit_test(division_by_nothing),
                                     cmocka_unit_test(tolerance),
                                     cmocka_unit_test(gains_and_drops),
                                     cmocka_unit_test(figures_of_some_workloads),
                                     cmocka_unit_test(the_best_of_configurations),
                                     cmocka_unit_test(the_largest_is_compared),
                                     cmocka_unit_test(the_smallest_is_compared),
                                     cmocka_unit_test(the_farthest_from_none_is_compared),
                                     cmocka_unit_test(against_the_best_rival),
                                     cmocka_unit_test(over_seeds),
                                     cmocka_unit_test(what_a_part_adds),
                                     cmocka_unit_test(lists),
                                     cmocka_unit_test(exact_numbers),
                                     cmocka_unit_test(a_column_of_nothing_published),
                                     cmocka_unit_test(mpu_figures),
                                     cmocka_unit_test(orders)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

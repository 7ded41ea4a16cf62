/* SPDX-License-Identifier: Apache-2.0
 *
 * The workloads' host references on a device that computes nothing: each check must fail there.
 * Then their parameters and sizes, and parts of the references that can be checked alone: KNN's
 * selection, CFD's mesh, LULESH's explosion.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfd/cfd_mesh.h"
#include "knn/knn.h"
#include "lulesh/lulesh_host.h"
#include "unit_test.h"
#include "workload.h"

/* A device that only remembers: an address is a host pointer. */
static void *blocks[64];
static unsigned num_blocks, launches;

/* A runtime without a machine: memory is the host's, and kernels do nothing. */
static int fake_malloc(void *ctx, uint64_t bytes, rt_ptr_t *ptr) {
  (void)ctx;
  assert_true(num_blocks < 64);
  blocks[num_blocks] = calloc(1, bytes);
  assert_non_null(blocks[num_blocks]);
  *ptr = (rt_ptr_t)(uintptr_t)blocks[num_blocks++];
  return 0;
}

static int fake_free(void *ctx, rt_ptr_t ptr) {
  (void)ctx;
  (void)ptr;
  return 0;
}

static int fake_in(void *ctx, rt_ptr_t dst, const void *src, uint64_t bytes) {
  (void)ctx;
  memcpy((void *)(uintptr_t)dst, src, bytes);
  return 0;
}

static int fake_out(void *ctx, void *dst, rt_ptr_t src, uint64_t bytes) {
  (void)ctx;
  memcpy(dst, (void *)(uintptr_t)src, bytes);
  return 0;
}

/* Counts launches and checks that their sizes can be. */
static int fake_launch(void *ctx, const rt_launch_t *launch) {
  (void)ctx;
  assert_true(launch->grid.x && launch->grid.y && launch->grid.z &&
              launch->block.x * launch->block.y * launch->block.z <= 1024);
  launches++;
  return 0;
}

/* Each workload launches, finds that its results are wrong, and says what would be right. */
static void test_checks_fire(void **state) {
  (void)state;
  const runtime_t rt = {NULL, fake_malloc, fake_free, fake_in, fake_out, fake_launch, 8, NULL, NULL, NULL, NULL, NULL};
  for (const workload_t *const *w = workloads; *w; w++) {
    int64_t values[WORKLOAD_MAX_PARAMS];
    trouble_t trouble = {0};
    launches = 0;
    workload_defaults(*w, values);
    void *data = (*w)->create(values, 7);
    assert_non_null(data);
    assert_int_equal((*w)->run(data, &rt), 0);
    assert_true(launches > 0);
    if ((*w)->check(data, &trouble)) fail_msg("%s: nothing was computed, and the check does not notice", (*w)->name);
    if (!strstr(trouble.text, "would be right")) fail_msg("%s: '%s'", (*w)->name, trouble.text);
    (*w)->destroy(data);
    while (num_blocks) free(blocks[--num_blocks]);
  }
}

/* A runtime that has no memory. */
static int failing_malloc(void *ctx, uint64_t bytes, rt_ptr_t *ptr) {
  (void)ctx;
  (void)bytes;
  (void)ptr;
  return 3;
}

/* A call of the runtime that fails ends the workload with the call's status. */
static void test_status_is_passed_on(void **state) {
  (void)state;
  const runtime_t rt = {NULL, failing_malloc, fake_free, fake_in, fake_out, fake_launch,
                        8,    NULL,           NULL,      NULL,    NULL,     NULL};
  for (const workload_t *const *w = workloads; *w; w++) {
    int64_t values[WORKLOAD_MAX_PARAMS];
    workload_defaults(*w, values);
    void *data = (*w)->create(values, 7);
    assert_int_equal((*w)->run(data, &rt), 3);
    (*w)->destroy(data);
  }
}

/* A parameter is a whole number within its limits; a refused one keeps the old value. */
static void test_parameters(void **state) {
  (void)state;
  trouble_t trouble = {0};
  int64_t values[WORKLOAD_MAX_PARAMS];
  const workload_t *w = workload_find("vadd");
  assert_null(workload_find("vad"));
  workload_defaults(w, values);
  assert_int_equal(values[0], 1000003);
  assert_true(workload_set(w, values, "n", "17", &trouble));
  assert_int_equal(values[0], 17);
  static const char *const bad[] = {"0", "-1", "x", "", "1e3", "99999999999", "12 "};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_false(workload_set(w, values, "n", bad[i], &trouble));
    assert_non_null(strstr(trouble.text, "should be a whole number from 1"));
  }
  assert_false(workload_set(w, values, "m", "1", &trouble));
  assert_string_equal(trouble.text, "vadd has no parameter 'm'; it has workload.n, workload.block");
  assert_int_equal(values[0], 17);
}

/* Default and full sizes lie within the limits. */
static void test_sizes(void **state) {
  (void)state;
  static const workload_param_t params[] = {{"a", "", 1, 1, 9, 0}, {"b", "", 2, 1, 9, 7}, {0}};
  const workload_t made = {.name = "made", .params = params};
  int64_t values[WORKLOAD_MAX_PARAMS];
  workload_defaults(&made, values);
  assert_int_equal(values[1], 2);
  workload_full(&made, values);
  assert_int_equal(values[0], 1);
  assert_int_equal(values[1], 7);
  for (const workload_t *const *w = workloads; *w; w++)
    for (const workload_param_t *p = (*w)->params; p->name; p++) {
      assert_true(p - (*w)->params < WORKLOAD_MAX_PARAMS);
      assert_in_range(p->value, p->least, p->most);
      if (p->full) assert_in_range(p->full, p->least, p->most);
    }
}

/* The selection by distance, ties by number, for 0 to 6 of 6. Lists with an error are refused. */
static void test_nearest(void **state) {
  (void)state;
  static const float distance[] = {3, 1, 2, 1, 0, 2};
  static const int32_t sorted[] = {4, 1, 3, 2, 5, 0};
  trouble_t trouble = {0};
  for (uint32_t nearest = 0; nearest <= 6; nearest++) {
    int32_t list[6] = {0};
    knn_select(distance, 6, nearest, list);
    assert_memory_equal(list, sorted, nearest * sizeof *list);
    assert_true(knn_list_right(distance, 6, nearest, list, &trouble));
  }
  static const int32_t wrong[][3] = {{4, 3, 1}, {4, 1, 1}, {4, 1, 2}, {1, 3, 2}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_false(knn_list_right(distance, 6, 3, wrong[i], &trouble));
    assert_non_null(strstr(trouble.text, "would be right"));
  }
}

/* A component of the vector on a cell's face. */
static float vector_of(const cfd_mesh_t *m, uint32_t cell, unsigned face, unsigned axis) {
  return m->face[cell + (face + CFD_FACES * axis) * m->stride];
}

/* Of a cell's face: the neighbour has it too, from the other side, and the cell is closed. */
static void check_cell(const cfd_mesh_t *m, uint32_t cell, unsigned kinds[3]) {
  double sum[3] = {0};
  for (unsigned j = 0; j < CFD_FACES; j++) {
    const int32_t to = m->neighbour[cell + j * m->stride];
    for (unsigned k = 0; k < 3; k++) sum[k] += (double)vector_of(m, cell, j, k);
    kinds[to < 0 ? -to : 0]++;
    if (to < 0) continue;
    assert_true((uint32_t)to < m->cells && (uint32_t)to != cell);
    unsigned same = 0;
    for (unsigned i = 0; i < CFD_FACES; i++) {
      if (m->neighbour[(uint32_t)to + i * m->stride] != (int32_t)cell) continue;
      same++;
      for (unsigned k = 0; k < 3; k++)
        assert_true(fabsf(vector_of(m, cell, j, k) + vector_of(m, (uint32_t)to, i, k)) < 1e-6f);
    }
    assert_int_equal(same, 1);
  }
  for (unsigned k = 0; k < 3; k++) assert_true(fabs(sum[k]) < 1e-6);
  assert_true(m->surface[cell] > 1);
}

/* How far the numbers of neighbours lie apart, on the average. */
static double mesh_distance(uint32_t cells, uint32_t window) {
  data_t *data = calloc(1, sizeof *data);
  assert_non_null(data);
  const cfd_mesh_t m = cfd_mesh_new(data, cells, window, 1);
  double sum = 0;
  unsigned inside = 0;
  for (uint32_t i = 0; i < cells; i++)
    for (unsigned j = 0; j < CFD_FACES; j++) {
      const int32_t to = m.neighbour[i + j * m.stride];
      if (to >= 0) sum += fabs((double)to - i), inside++;
    }
  data_destroy(data);
  return sum / inside;
}

/* A window brings the numbers of neighbours nearer. Two random numbers of n lie n / 3 apart on
 * average. */
static void test_mesh_windows(void **state) {
  (void)state;
  const uint32_t cells = 6 * 8 * 8 * 8;
  const double own = mesh_distance(cells, 1), near = mesh_distance(cells, 600), all = mesh_distance(cells, 0);
  assert_true(own < near && near < all);
  assert_true(fabs(all / (cells / 3.0) - 1) < 0.05); /* of two numbers at random */
  assert_true(mesh_distance(cells, cells) == all && mesh_distance(cells, cells + 1) == all);
}

/* Meshes of 1 to 384 cells. A full cube of side s has 12 s^2 faces outside, a sixth of them at
 * the wall. */
static void test_mesh(void **state) {
  (void)state;
  for (uint32_t cells = 1; cells <= 6 * 4 * 4 * 4; cells += cells < 60 ? 1 : 27) {
    data_t *data = calloc(1, sizeof *data);
    assert_non_null(data);
    const cfd_mesh_t m = cfd_mesh_new(data, cells, cells % 8, cells);
    unsigned kinds[3] = {0}; /* inside, at the wall, far */
    uint32_t side = 1;
    while (6 * side * side * side < cells) side++;
    assert_int_equal(m.stride % CFD_STRIDE, 0);
    for (uint32_t i = 0; i < cells; i++) check_cell(&m, i, kinds);
    if (cells == 6 * side * side * side) {
      assert_int_equal(kinds[-CFD_WALL], 2 * side * side);
      assert_int_equal(kinds[-CFD_FAR], 10 * side * side);
    }
    data_destroy(data);
  }
}

/* Steps and final energy at the origin as LULESH's authors publish them to check ports; the
 * energy must be right to six digits. */
static void test_explosion(void **state) {
  (void)state;
  static const struct {
    uint32_t edge, steps;
    double energy;
  } published[] = {{5, 72, 7.853665e+03}, {10, 231, 2.720531e+04}};
  for (unsigned i = 0; i < sizeof published / sizeof *published; i++) {
    lulesh_t *l = calloc(1, sizeof *l);
    assert_non_null(l);
    assert_true(lulesh_make(l, published[i].edge, 64));
    lulesh_clock_t clock = lulesh_start(l);
    while (!lulesh_done(&clock)) {
      lulesh_tick(&clock);
      lulesh_step(l, clock.step);
      lulesh_ask(l, l->real[LULESH_COURANT], l->real[LULESH_HYDRO], &clock);
    }
    assert_int_equal(clock.steps, published[i].steps);
    assert_true(fabs(l->real[LULESH_ENERGY][0] / published[i].energy - 1) < 1e-6);
    data_destroy(l);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_checks_fire),  cmocka_unit_test(test_status_is_passed_on),
                                     cmocka_unit_test(test_parameters),   cmocka_unit_test(test_sizes),
                                     cmocka_unit_test(test_nearest),      cmocka_unit_test(test_mesh),
                                     cmocka_unit_test(test_mesh_windows), cmocka_unit_test(test_explosion)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

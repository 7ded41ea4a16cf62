/* SPDX-License-Identifier: Apache-2.0
 *
 * Every allocation of the GPU and of the MPU fails once, at each step of a launch: the step says so
 * with status 3, and what it had is given back.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "counted_kernels.h"
#include "failing_heap.h"
#include "gpu.h"
#include "mpu_rig.h"
#include "offload.h"
#include "unit_test.h"

/* ---- Steps ----------------------------------------------------------------------------------- */

typedef enum { NEW, MALLOC, COPY, LOAD, LAUNCH, TICK, STEPS } step_t;
static const char *const step_name[] = {"new", "malloc", "copy", "load", "launch", "tick"};

/* Which step fails, and at which of its allocations. */
typedef struct {
  step_t failing;
  unsigned at;
  const trouble_t *err;
} plan_t;

/* Before a step: its allocation number p->at fails, if it is the step of the plan. */
static void arm_step(const plan_t *p, step_t step) {
  heap_fail_at = step == p->failing ? heap_asked + p->at : 0;
}

/* True: the step was to fail, and an allocation did; then it must have said so. */
static bool step_failed(const plan_t *p, step_t step, const trouble_t *err) {
  heap_fail_at = 0;
  if (step == p->failing && heap_failed && (err->kind != TROUBLE_ENVIRONMENT || !*err->text))
    fail_msg("%s, allocation %u: status %d, '%s'", step_name[step], p->at, err->kind, err->text);
  if (!heap_failed && err->kind) fail_msg("%s: %s", step_name[step], err->text);
  return heap_failed;
}

/* The same of a call that says with what it returns whether it was done. */
static bool step_failed_with(const plan_t *p, step_t step, int status, const trouble_t *err) {
  const bool out = step_failed(p, step, err);
  if (out != (status != 0)) fail_msg("%s, allocation %u: returns %d", step_name[step], p->at, status);
  return out;
}

typedef void try_t(const plan_t *p, ptx_module_t *module);

/* Until a step has no allocation more. Returns how many there were. */
static unsigned fail_each(try_t *try, ptx_module_t *module, step_t step) {
  for (unsigned at = 1;; at++) {
    plan_t p = {.failing = step, .at = at};
    long had = heap_live;
    heap_failed = false;
    try(&p, module);
    if (heap_live != had)
      fail_msg("%s, allocation %u: %ld allocations are not given back", step_name[step], at, heap_live - had);
    if (!heap_failed) return at - 1;
  }
}

/* A kernel of counted_kernels.def by its name. */
static const counted_kernel_t *find_counted(const char *name) {
  unsigned i = 0;
  while (strcmp(counted_kernels[i].name, name)) i++;
  return &counted_kernels[i];
}

static ptx_module_t *parse_counted(const counted_kernel_t *k) {
  ptx_error_t bad = {0};
  ptx_module_t *module = ptx_parse(k->ptx, strlen(k->ptx), "counted.ptx", &bad);
  if (!module) fail_msg("%s", bad.trouble.text);
  return module;
}

/* ---- GPU ------------------------------------------------------------------------------------- */

static const offload_t *blocks;
static const counted_kernel_t *launched;

static void image_read(void *ctx, uint64_t paddr, void *data, size_t bytes) {
  memory_image_read(ctx, paddr, data, bytes);
}
/* The memory's own allocations are neither failed nor counted. */
static void image_write(void *ctx, uint64_t paddr, const void *data, size_t bytes) {
  unsigned at = heap_fail_at, asked = heap_asked;
  heap_fail_at = 0; /* the memory is not the GPU's */
  assert_true(memory_image_write(ctx, paddr, data, bytes));
  heap_fail_at = at, heap_asked = asked;
}

/* The steps of a launch up to LAUNCH. False: one of them has failed as planned. */
static bool gpu_start(const plan_t *p, gpu_t *g, ptx_module_t *module, const counted_kernel_t *k, trouble_t *err) {
  static uint8_t data[COUNTED_BYTES];
  arm_step(p, MALLOC);
  counted_params_t params = {.buffer = gpu_malloc(g, sizeof data, err), .number = COUNTED_NUMBER};
  if (step_failed(p, MALLOC, err)) return false;
  arm_step(p, COPY);
  gpu_copy_in(g, params.buffer, data, sizeof data, err);
  if (step_failed(p, COPY, err)) return false;
  arm_step(p, LOAD);
  if (step_failed_with(p, LOAD, gpu_load(g, module, blocks, err), err)) return false;
  gpu_launch_t l = {.shared_bytes = k->shared_bytes, .params = &params, .param_bytes = COUNTED_PARAM_BYTES};
  memcpy(l.grid, k->grid, sizeof l.grid);
  memcpy(l.block, k->block, sizeof l.block);
  arm_step(p, LAUNCH);
  return !step_failed_with(p, LAUNCH, gpu_launch(g, &l, err), err);
}

/* What it sends is taken and not answered. */
static void gpu_ticks(gpu_t *g, packet_pool_t *pool, unsigned stacks) {
  for (unsigned i = 0; i < 600 && !gpu_fault(g); i++) {
    gpu_tick_core(g);
    gpu_tick_l2(g);
    gpu_tick_xbar(g);
    for (unsigned s = 0; s < stacks; s++)
      for (unsigned cls = 0; cls < 2; cls++)
        if (gpu_front(g, s, cls)) packet_free(pool, gpu_pop(g, s, cls));
  }
}

static bool fetches; /* SMs have instruction caches */

/* All steps on a new GPU, which is freed whatever has failed. */
static void try_gpu(const plan_t *p, ptx_module_t *module) {
  gpu_config_t c = gpu_config_default();
  c.num_sms = 2, c.num_stacks = 2;
  c.nsu.ratio = blocks ? 1 : 0;
  c.l1i.ideal = !fetches;
  trouble_t err = {0};
  memory_image_t *image = memory_image_new();
  packet_pool_t *pool = packet_pool_new();
  gpu_memory_t memory = {image, image_read, image_write};
  arm_step(p, NEW);
  gpu_t *g = gpu_new(&c, &memory, pool, &err);
  bool out = step_failed(p, NEW, &err);
  assert_true(!g == out);
  if (g && gpu_start(p, g, module, launched, &err)) {
    arm_step(p, TICK);
    gpu_ticks(g, pool, c.num_stacks);
    step_failed(p, TICK, gpu_fault(g) ? gpu_fault(g) : &err);
  }
  gpu_free(g);
  packet_pool_free(pool);
  memory_image_free(image);
}

/* Each step fails at each of its allocations. `least`:
 * fewer would mean that a step tests nothing. */
static void each_step_of_gpu(const char *name, bool offload, const unsigned least[STEPS]) {
  launched = find_counted(name);
  ptx_module_t *module = parse_counted(launched);
  offload_t *made = offload ? offload_compile(module) : NULL;
  blocks = made;
  for (step_t s = NEW; s < STEPS; s++) {
    unsigned n = fail_each(try_gpu, module, s);
    if (n < least[s]) fail_msg("%s: only %u allocations", step_name[s], n);
  }
  blocks = NULL;
  if (made) offload_free(made);
  ptx_free(module);
}

static void test_gpu(void **state) {
  (void)state;
  each_step_of_gpu("variables", false,
                   (const unsigned[STEPS]){[NEW] = 20, [MALLOC] = 1, [LOAD] = 8, [LAUNCH] = 6, [TICK] = 1});
  each_step_of_gpu("atomics", false,
                   (const unsigned[STEPS]){[NEW] = 20, [MALLOC] = 1, [LOAD] = 5, [LAUNCH] = 6, [TICK] = 1});
}

static void test_gpu_with_blocks(void **state) {
  (void)state;
  each_step_of_gpu("guarded", true,
                   (const unsigned[STEPS]){[NEW] = 20, [MALLOC] = 1, [LOAD] = 7, [LAUNCH] = 7, [TICK] = 1});
}

static void test_gpu_that_fetches(void **state) {
  (void)state;
  fetches = true;
  each_step_of_gpu("variables", false,
                   (const unsigned[STEPS]){[NEW] = 26, [MALLOC] = 1, [LOAD] = 11, [LAUNCH] = 6, [TICK] = 1});
  fetches = false;
}

/* ---- MPU ------------------------------------------------------------------------------------- */

/* A launch that needs more of the cores' register files than
 * the last one takes them, and gives the old ones back. */
static void run_and_launch_larger(mpu_t *m, mpu_launch_t *l, trouble_t *err) {
  for (unsigned i = 0; i < 20000 && mpu_running(m); i++) {
    for (unsigned c = 0; c < mpu_cores(m); c++) mpu_core_tick(m, c);
    mpu_tick(m);
  }
  if (mpu_running(m)) fail_msg("the first kernel does not end");
  l->grid[0] = 1, l->block[0] = 512;
  if (mpu_launch(m, l, err)) fail_msg("%s", err->text);
}

static void try_mpu(const plan_t *p, ptx_module_t *module) { /* with an instruction cache if `fetches` */
  const block_engine_t *engines[4];
  static uint8_t data[COUNTED_BYTES];
  const counted_kernel_t *k = find_counted("variables");
  trouble_t err = {0};
  mpu_config_t c = mpu_rig_config();
  c.cubes_x = c.cubes_y = c.cores_x = c.cores_y = 1;
  c.l1i_ideal = !fetches;
  for (unsigned i = 0; i < 4; i++) engines[i] = &mpu_rig_model;
  memset(data, 1, sizeof data);
  arm_step(p, NEW);
  mpu_t *m = mpu_new(&c, engines, &err);
  assert_true(!m == step_failed(p, NEW, &err));
  if (!m) return;
  arm_step(p, MALLOC);
  counted_params_t params = {.buffer = mpu_malloc(m, sizeof data, &err), .number = COUNTED_NUMBER};
  bool out = step_failed(p, MALLOC, &err);
  arm_step(p, COPY);
  if (!out) mpu_copy_in(m, params.buffer, data, sizeof data, &err);
  out = out || step_failed(p, COPY, &err);
  arm_step(p, LOAD);
  out = out || step_failed_with(p, LOAD, mpu_load(m, module, &err), &err);
  mpu_launch_t l = {.shared_bytes = k->shared_bytes, .params = &params, .param_bytes = COUNTED_PARAM_BYTES};
  memcpy(l.grid, k->grid, sizeof l.grid);
  memcpy(l.block, k->block, sizeof l.block);
  arm_step(p, LAUNCH);
  out = out || step_failed_with(p, LAUNCH, mpu_launch(m, &l, &err), &err);
  heap_fail_at = 0;
  if (!out) run_and_launch_larger(m, &l, &err);
  mpu_free(m);
}

/* As each_step_of_gpu(), up to the launch. */
static void each_step_of_mpu(const unsigned least[STEPS]) {
  ptx_module_t *module = parse_counted(find_counted("variables"));
  for (step_t s = NEW; s <= LAUNCH; s++) {
    unsigned n = fail_each(try_mpu, module, s);
    if (n < least[s]) fail_msg("%s: only %u allocations", step_name[s], n);
  }
  ptx_free(module);
}

static void test_mpu(void **state) {
  (void)state;
  each_step_of_mpu((const unsigned[STEPS]){[NEW] = 5, [MALLOC] = 1, [COPY] = 1, [LOAD] = 10, [LAUNCH] = 3});
}

static void test_mpu_that_fetches(void **state) {
  (void)state;
  fetches = true;
  each_step_of_mpu((const unsigned[STEPS]){[NEW] = 8, [MALLOC] = 1, [COPY] = 1, [LOAD] = 11, [LAUNCH] = 3});
  fetches = false;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_gpu), cmocka_unit_test(test_gpu_with_blocks),
                                     cmocka_unit_test(test_gpu_that_fetches), cmocka_unit_test(test_mpu),
                                     cmocka_unit_test(test_mpu_that_fetches)};
  return cmocka_run_group_tests_name("out_of_memory", tests, NULL, NULL);
}

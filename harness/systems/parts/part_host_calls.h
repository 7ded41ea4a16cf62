/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's calls that a part hands on to its model unchanged, and what the model says of itself.
 * Included by a part's .c file, once:
 *
 *   #define MODEL(name) gpu_##name               the model's functions
 *   #define MODEL_OF(part) state_of(part)->gpu   the model of a part
 *   #include "part_host_calls.h"
 *
 * Then the part's part_host_t takes PART_HOST_CALLS, its part_kind_t check_rules and
 * describe_waits.
 */
#include "part.h"

static int select_module(part_t *p, const ptx_module_t *module, trouble_t *err) {
  return MODEL(select)(MODEL_OF(p), module, err);
}

static simt_variables_t *variables(part_t *p, const ptx_module_t *module) {
  return MODEL(variables)(MODEL_OF(p), module);
}

static unsigned occupancy(const part_t *p, const rt_launch_t *l, uint32_t *registers, trouble_t *err) {
  const simt_launch_t launch_of = part_launch(l, 0);
  return MODEL(occupancy)(MODEL_OF(p), &launch_of, registers, err);
}

static uint64_t allocate_in_model(part_t *p, uint64_t bytes, trouble_t *err) {
  return MODEL(malloc)(MODEL_OF(p), bytes, err);
}

static int release(part_t *p, uint64_t addr, trouble_t *err) {
  return MODEL(release)(MODEL_OF(p), addr, err);
}

static int copy_in(part_t *p, uint64_t addr, const void *data, size_t bytes, trouble_t *err) {
  return MODEL(copy_in)(MODEL_OF(p), addr, data, bytes, err);
}

static int copy_out(part_t *p, void *data, uint64_t addr, size_t bytes, trouble_t *err) {
  return MODEL(copy_out)(MODEL_OF(p), data, addr, bytes, err);
}

static int launch(part_t *p, const rt_launch_t *l, uint64_t workspace, trouble_t *err) {
  const simt_launch_t launch_of = part_launch(l, workspace);
  return MODEL(launch)(MODEL_OF(p), &launch_of, err);
}

static bool running(const part_t *p) {
  return MODEL(running)(MODEL_OF(p));
}

static double progress(const part_t *p) {
  return MODEL(progress)(MODEL_OF(p));
}

static void watch(part_t *p, uint32_t look) {
  MODEL(watch)(MODEL_OF(p), look);
}

static void spins(const part_t *p, simt_spin_t *spin) {
  MODEL(spins)(MODEL_OF(p), spin);
}

static bool check_rules(const part_t *p, trouble_t *trouble) {
  const trouble_t *fault = MODEL(fault)(MODEL_OF(p));
  if (fault) *trouble = *fault;
  return !fault;
}

static size_t describe_waits(const part_t *p, char *text, size_t size) {
  return MODEL(describe_waits)(MODEL_OF(p), text, size);
}

#define PART_HOST_CALLS                                                                                 \
  .select = select_module, .variables = variables, .occupancy = occupancy, .malloc = allocate_in_model, \
  .release = release, .copy_in = copy_in, .copy_out = copy_out, .launch = launch, .running = running,   \
  .progress = progress, .watch = watch, .spins = spins

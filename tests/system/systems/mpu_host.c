/* SPDX-License-Identifier: Apache-2.0
 *
 * A host program as Listing 1 of the MPU paper shows it: scalar-vector multiplication on a
 * simulated MPU. `mpu_host` computes and checks. `mpu_host MISTAKE` makes that mistake ("": none),
 * and ends with the status and the line of the call that refused it. `mpu_host MISTAKE baseline`
 * does the same on the GPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host_machine.h"
#include "mpu_host.h"

enum { LENGTH = 5003 };

static const rt_dim3_t GridCfg = {7, 1, 1}, BlockCfg = {96, 1, 1};
static float host_input[LENGTH], host_output[LENGTH];
static float *input, *output; /* on the MPU */

/* Allocates both arrays and fills the input. */
static void allocate_arrays(void) {
  for (int i = 0; i < LENGTH; i++) host_input[i] = 0.25f * (float)(i - 100), host_output[i] = -1;
  mpu_malloc(input, sizeof host_input);
  mpu_malloc(output, sizeof host_output);
  mpu_memcpy(input, host_input, sizeof host_input, Host2Device);
}

/* output = alpha * input for the first `length` elements, on the machine. */
static void multiply(rt_dim3_t grid, rt_dim3_t block, float alpha, int length) {
  mpu_launch(ScalarVectorMultiply, grid, block, input, output, alpha, length);
  mpu_memcpy(host_output, output, sizeof host_output, Device2Host);
}

/* What lies behind the length is as it was, which is zero. */
static int wrong_element(float alpha, int length) {
  for (int i = 0; i < LENGTH; i++)
    if (host_output[i] != (i < length ? alpha * host_input[i] : 0)) return i;
  return -1;
}

/* Two launches, the second over the first one's result, with other grids and lengths. Returns
 * the exit status. */
static int check_product(void) {
  allocate_arrays();
  multiply(GridCfg, BlockCfg, 3, LENGTH - 2);
  int wrong = wrong_element(3, LENGTH - 2);
  multiply((rt_dim3_t){1, 1, 1}, (rt_dim3_t){33, 1, 1}, -0.5f, LENGTH); /* again, over the first result */
  if (wrong < 0) wrong = wrong_element(-0.5f, LENGTH);
  mpu_free(input);
  mpu_free(output);
  if (mpu_status() || wrong < 0) return mpu_status();
  printf("element %d is wrong\n", wrong);
  return 1;
}

typedef struct {
  const char *name;
  void (*make)(void);
} mistake_t;

/* Each mistake is one call that the machine must refuse, or a kernel that must fail. */
static void no_grid(void) {
  multiply((rt_dim3_t){7, 0, 1}, BlockCfg, 1, LENGTH);
}
static void no_block(void) {
  multiply(GridCfg, (rt_dim3_t){0, 1, 1}, 1, LENGTH);
}
static void large_block(void) {
  multiply(GridCfg, (rt_dim3_t){64, 64, 1}, 1, LENGTH);
}
static void large_grid(void) {
  multiply((rt_dim3_t){1U << 31, 1U << 31, 1U << 31}, BlockCfg, 1, LENGTH);
}
static void no_kernel(void) {
  mpu_launch(VectorScalarMultiply, GridCfg, BlockCfg, input, output, 1.0f, LENGTH);
}
static void few_arguments(void) {
  mpu_launch(ScalarVectorMultiply, GridCfg, BlockCfg, input, output);
}
static void many_arguments(void) {
  mpu_launch(ScalarVectorMultiply, GridCfg, BlockCfg, input, output, 1.0f, LENGTH, LENGTH);
}
static void much_shared(void) {
  const mpu_arg_t args[] = {MPU_ARGS(input, output, 1.0f, LENGTH)};
  mpu_host_launch("ScalarVectorMultiply", GridCfg, BlockCfg, 1 << 20, args, 4);
}
static void too_long(void) {
  multiply(GridCfg, BlockCfg, 1, 1 << 20);
}
static void odd_address(void) {
  output = (float *)((char *)output + 2);
  multiply(GridCfg, BlockCfg, 1, LENGTH);
}
static void much_memory(void) {
  mpu_malloc(output, (size_t)1 << 45);
}
static void free_twice(void) {
  mpu_free(output);
  mpu_free(output);
}
static void free_inside(void) {
  mpu_free(output + 1);
}
static void use_freed(void) {
  mpu_free(output);
  multiply(GridCfg, BlockCfg, 1, LENGTH);
}
static void copy_beyond(void) {
  static char much[1 << 20];
  mpu_memcpy(input, much, sizeof much, Host2Device);
}

static const mistake_t mistakes[] = {
    {"no_grid", no_grid},
    {"no_block", no_block},
    {"large_block", large_block},
    {"large_grid", large_grid},
    {"no_kernel", no_kernel},
    {"few_arguments", few_arguments},
    {"many_arguments", many_arguments},
    {"much_shared", much_shared},
    {"too_long", too_long},
    {"odd_address", odd_address},
    {"much_memory", much_memory},
    {"free_twice", free_twice},
    {"free_inside", free_inside},
    {"use_freed", use_freed},
    {"copy_beyond", copy_beyond},
};

/* Makes the mistake of this name, or without a name computes and checks. */
static int run_part(const char *name) {
  if (!name) return check_product();
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    if (strcmp(mistakes[i].name, name)) continue;
    allocate_arrays();
    mistakes[i].make();
    return mpu_status();
  }
  fprintf(stderr, "no mistake '%s'\n", name);
  return 99;
}

int main(int argc, char **argv) {
  static const char *const settings[] = {"mpu.cubes_x=1", "mpu.cubes_y=1", "mpu.cores_x=2", "mpu.cores_y=2", NULL};
  const bool gpu = argc > 2 && !strcmp(argv[2], "baseline");
  const host_machine_config_t config = {.system = gpu ? LOCKSTACK_SOURCE_DIR "/harness/systems/configs/baseline.yaml"
                                                      : LOCKSTACK_SOURCE_DIR "/harness/systems/configs/mpu.yaml",
                                        .settings = gpu ? NULL : settings,
                                        .ptx = LOCKSTACK_SOURCE_DIR "/tests/system/programs/scalar_vector.ptx",
                                        .places = {LOCKSTACK_SOURCE_DIR, LOCKSTACK_BINARY_DIR "/dut"}};
  trouble_t trouble = {0};
  host_machine_t *machine = host_machine_open(&config, &trouble);
  if (!machine) {
    fprintf(stderr, "%s\n", trouble.text);
    return (int)trouble.kind;
  }
  mpu_use(host_machine_runtime(machine));
  int status = run_part(argc > 1 && *argv[1] ? argv[1] : NULL);
  if (mpu_status()) fprintf(stderr, "%s\n", host_machine_error(machine));
  else if (!status) printf("%llu cycles\n", (unsigned long long)host_machine_cycles(machine));
  host_machine_close(machine);
  return status;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX, and on what parses all that compiles it: for the NSU, for the MPU by each policy, for a
 * memory stack's SM, for the simulated SMs.
 */
#include "fuzz.h"

#include "mpu_compiler.h"
#include "offload.h"
#include "simt.h"
#include "tom_compiler.h"

static void compile_mpu(const ptx_func_t *func) {
  for (int policy = 0; policy < MPU_NUM_POLICIES; policy++)
    for (int near = 0; near < 2; near++) {
      mpu_compile_error_t err = {0};
      mpu_program_t *program = mpu_compile_smem(func, (mpu_policy_t)policy, near, &err);
      if (!program) fuzz_check_error(err.trouble.text);
      mpu_program_free(program);
    }
}

static void decode_kernel(const ptx_module_t *module, const ptx_func_t *func) {
  trouble_t err = {0};
  simt_kernel_t *kernel = simt_decode(module, func, &err);
  if (kernel) simt_kernel_free(kernel);
  else fuzz_check_error(err.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ptx_error_t err = {0};
  ptx_module_t *module = ptx_parse((const char *)data, size, "fuzz.ptx", &err);
  if (!module) {
    fuzz_check_error(err.trouble.text);
    return 0;
  }
  offload_free(offload_compile(module));
  for (uint32_t i = 0; i < module->num_funcs; i++) {
    const ptx_func_t *func = &module->funcs[i];
    if (!func->defined) continue;
    compile_mpu(func);
    for (int regions = TOM_REGIONS_ALL; regions <= TOM_REGIONS_LOOPS; regions++)
      tom_program_free(tom_compile(module, func, (tom_regions_t)regions));
    if (func->is_kernel) decode_kernel(module, func);
  }
  ptx_free(module);
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * output = alpha * input, the example of the MPU paper, Listing 1: the kernel that mpu_host.c launches. The .ptx beside it is made of it as the kernels'
 * are (firmware/workloads/kernels/make_ptx.sh).
 */
#include "device.h"

extern "C" __global__ void ScalarVectorMultiply(const float *input, float *output, float alpha, int len) {
  for (int i = (int)global_thread(); i < len; i += (int)grid_threads()) output[i] = alpha * input[i];
}

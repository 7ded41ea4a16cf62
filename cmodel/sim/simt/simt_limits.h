/* SPDX-License-Identifier: Apache-2.0
 *
 * Widths that every SIMT core shares: the GPU's SMs, the SMs in stacks, the MPU's cores.
 */
#ifndef SIMT_LIMITS_H
#define SIMT_LIMITS_H

enum {
  GPU_WARP_WIDTH = 32,  /* threads of a warp, one a lane */
  GPU_LINE_BYTES = 128, /* bytes of a cache line, and of the largest memory transaction */
  GPU_LINE_WORDS = 32,  /* 32-bit words of a line */
};

#endif

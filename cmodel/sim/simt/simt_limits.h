/* SPDX-License-Identifier: Apache-2.0
 *
 * Widths that every SIMT core of the project shares: the GPU's SMs, SMs in stacks, and the MPU's
 * cores.
 */
#ifndef SIMT_LIMITS_H
#define SIMT_LIMITS_H

enum {
  GPU_WARP_WIDTH = 32,  /* threads of a warp, one lane each */
  GPU_LINE_BYTES = 128, /* of a cache line, and of a memory transaction at most */
  GPU_LINE_WORDS = 32,  /* of 32 bits in a line */
};

#endif

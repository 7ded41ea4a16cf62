/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a compiled program of the near-bank processor keeps what mpu_compiler.h promises; written
 * from there, from MPU paper and from rtl/lsu/offload_engine.ports, not from the compiler. Each
 * gives NULL or what is wrong.
 */
#ifndef MPU_CHECKER_H
#define MPU_CHECKER_H

#include "mpu_compiler.h"

/* Layout, alignment, and no row in common of registers that
 * are alive together or written by one instruction. */
const char *mpu_check_rows(const mpu_program_t *p);

/* Locations of registers are Algorithm 1's (annotated policy);
 * places and hints of instructions follow from them. */
const char *mpu_check_locations(const mpu_program_t *p);

/* Executes steps instructions of two threads of a warp, each on a path of its own and in any order,
 * as *seed has it, with a track table of whole rows and two register files: every source holds the
 * value that its thread last wrote to the register, and everything read, written or moved has a row
 * where that happens. A write brings the row there first, for the other thread. */
const char *mpu_check_path(const mpu_program_t *p, uint32_t steps, uint64_t *seed);

#endif

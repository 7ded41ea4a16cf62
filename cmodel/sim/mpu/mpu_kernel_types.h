/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel as an MPU's subcores execute it: the compiler's physical registers and locations, and
 * one mpu_op_t an instruction (a vector access: one an element; with several results: one a result)
 * with what the offload engine and the scoreboard want to know.
 *
 * Registers have numbers of 8 bits: a row number of 32 bits a thread, then the predicates, one each
 * (their row is 0 or 1 in every thread's word). A 64-bit register is named by its first row. One
 * predicate that an instruction reads (its guard, or a source that is no value) is read by the
 * front end, so it is in `guard`, and goes with the instruction. MPU_ZERO reads as zero: the
 * address register of an access that has none. MPU_SINK and the number after it are nobody's: what
 * is written there is lost.
 */
#ifndef MPU_KERNEL_TYPES_H
#define MPU_KERNEL_TYPES_H

#include "mpu_compiler.h"
#include "simt.h"

enum { MPU_ZERO = 255, MPU_SINK = 254, MPU_MAX_IDS = 254, MPU_OP_SLOTS = 10, MPU_NO_ADDR = 3 };

typedef enum {
  MPU_OP_ALU, /* near or far */
  /* the subcore's LSU: global memory, generic addresses,
   * local memory and constants that are not ideal */
  MPU_OP_GLOBAL,
  MPU_OP_SHARED,
  MPU_OP_ATOMIC, /* the subcore's atomic port: global and shared memory */
  MPU_OP_FRONT   /* front end, at dispatch: branches, exit, barriers, ideal constants and local memory */
} mpu_class_t;

typedef struct mpu_op {
  const simt_op_t *op;
  const ptx_instr_t *instr;
  uint8_t cls;  /* mpu_class_t */
  uint8_t elem; /* of a vector access */
  bool last;    /* of its instruction */
  bool widens;  /* a load of the low words of a 64-bit register; the next one fills the high words in */
  bool far_op, sign;
  uint8_t hint;            /* 0 none, 1 near, 2 far */
  uint8_t size;            /* memory: log2 of an element's bytes */
  uint8_t beats;           /* of the message that takes it to the near-bank unit, all threads taking part */
  uint8_t src_valid, addr; /* bits; which source is the address, MPU_NO_ADDR: none */
  uint8_t src[3];
  bool guard_valid, dst_valid;
  bool carries; /* `guard` is a source, not a guard */
  uint8_t guard, dst;
  uint8_t wide;                /* bits: sources 0 to 2, guard, destination */
  uint64_t lookup;             /* offload_engine's lk_regs */
  uint8_t num_slots, num_dsts; /* scoreboard: the first num_dsts are written */
  uint8_t slot[MPU_OP_SLOTS];
} mpu_op_t;

/* A function: its registers have the numbers from these on. */
typedef struct {
  mpu_program_t *program;
  uint32_t row, rows, predicate, predicates; /* numbers of rows; of predicates, behind all rows */
} mpu_unit_t;

typedef struct mpu_kernel {
  simt_kernel_t *simt;
  mpu_program_t *program;
  mpu_unit_t *units; /* the kernel and what it may call: as simt->units; of a kernel that calls nothing one */
  uint32_t num_units;
  uint32_t far_rows, near_rows, near_predicates; /* of all of them together */
  /* the first of two rows for data of stores that are no register's; 0: no store has any */
  uint32_t scratch;
  mpu_op_t *ops;
  simt_op_t *parts; /* of instructions with several results, one each; of loads into wider registers */
  uint32_t num_parts;
  uint32_t *first; /* of each PTX instruction: its mpu_op_t */
  uint32_t num_ops;
  uint32_t rows, ids;                    /* numbers of rows; of rows and predicates */
  uint32_t pair_at[MPU_MAX_IDS / 2 + 1]; /* of each pair of rows that some 64-bit register has */
} mpu_kernel_t;

/* Offset of a 32-bit register or predicate of this number in a warp's register file of the simt
 * functions. 64-bit ones, which these have as 32 words of 64 bits, are elsewhere: else they would
 * overlap other threads' words of 32-bit registers that have the same rows. */
static inline uint32_t mpu_kernel_at(const mpu_kernel_t *k, unsigned id) {
  return id < k->rows ? id * 128 : k->rows * 128 + (id - k->rows) * 4;
}

/* The same of a 64-bit register that has this row. */
static inline uint32_t mpu_kernel_wide_at(const mpu_kernel_t *k, unsigned row) {
  return k->pair_at[row / 2];
}

/* Where the data of a load or store are: the row that is stored, or the one that is written. */
static inline unsigned mpu_op_data_reg(const mpu_op_t *o, bool store) {
  if (store) return o->src[1];
  return o->dst_valid ? o->dst : MPU_SINK;
}

#endif

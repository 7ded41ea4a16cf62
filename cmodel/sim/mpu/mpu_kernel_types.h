/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel as an MPU's subcores execute it: the compiler's physical registers and locations, and
 * mpu_op_t's with what offload engine and scoreboard need. An instruction is one mpu_op_t; a
 * vector access is one for each element, an instruction with several results one for each
 * result.
 *
 * A register has a number of 8 bits:
 *
 *    0 .. rows - 1      rows: 32 bits of each thread; a 64-bit register has two, named by the first
 *    rows .. ids - 1    predicates: in a row, each thread's word is 0 or 1
 *    254 MPU_SINK       nobody's, and so is 255 as a data register: what is written there is lost
 *    255 MPU_ZERO       reads as zero: the address register of an access that has none
 *
 * An instruction carries one predicate that the front end reads: its guard, or a source that is
 * not a value. `guard` names it.
 */
#ifndef MPU_KERNEL_TYPES_H
#define MPU_KERNEL_TYPES_H

#include "mpu_compiler.h"
#include "simt.h"

enum { MPU_ZERO = 255, MPU_SINK = 254, MPU_MAX_IDS = 254, MPU_OP_SLOTS = 10, MPU_NO_ADDR = 3 };

typedef enum {
  MPU_OP_ALU, /* arithmetic, near or far */
  /* The subcore's LSU: global memory, generic addresses, local memory and constants that are not
   * ideal. */
  MPU_OP_GLOBAL,
  MPU_OP_SHARED,
  MPU_OP_ATOMIC, /* the subcore's atomic port: global and shared memory */
  MPU_OP_FRONT   /* front end, at dispatch: branches, exit, barriers, ideal constants and local memory */
} mpu_class_t;

/* What a subcore issues. */
typedef struct mpu_op {
  const simt_op_t *op;
  const ptx_instr_t *instr;
  uint8_t cls;             /* mpu_class_t */
  uint8_t elem;            /* of a vector access */
  bool last;               /* the instruction's last mpu_op_t */
  bool widens;             /* loads the low words of a 64-bit register; the next mpu_op_t fills in the high words */
  bool far_op, sign;       /* executes far whatever the policy; a load that sign-extends */
  uint8_t hint;            /* the compiler's: 0 none, 1 near, 2 far */
  uint8_t size;            /* memory: log2 of an element's bytes */
  uint8_t beats;           /* of the message to the near-bank unit, if all threads take part */
  uint8_t src_valid, addr; /* bits: sources that are there; source that is the address, MPU_NO_ADDR: none */
  uint8_t src[3];
  bool guard_valid, dst_valid;
  bool carries; /* `guard` is a source, not a guard */
  uint8_t guard, dst;
  uint8_t wide;                /* bits: sources 0 to 2, guard, destination */
  uint64_t lookup;             /* offload_engine's lk_regs */
  uint8_t num_slots, num_dsts; /* scoreboard: the first num_dsts are written */
  uint8_t slot[MPU_OP_SLOTS];
} mpu_op_t;

/* A function's registers: its rows are row .. row + rows - 1 of the kernel's. Its predicates
 * count from `predicate` behind all rows. */
typedef struct {
  mpu_program_t *program;
  uint32_t row, rows, predicate, predicates;
} mpu_unit_t;

typedef struct mpu_kernel {
  simt_kernel_t *simt;
  mpu_program_t *program;
  mpu_unit_t *units; /* the kernel, then what it may call, as in simt->units */
  uint32_t num_units;
  uint32_t far_rows, near_rows, near_predicates; /* of all units together: what a warp occupies */
  /* The first of two rows for data of stores that are in no register. 0: no store has such data. */
  uint32_t scratch;
  mpu_op_t *ops;
  simt_op_t *parts; /* copies of simt_op_t for mpu_op_t's that are only a part of their instruction */
  uint32_t num_parts;
  uint32_t *first; /* of each PTX instruction: number of its first mpu_op_t */
  uint32_t num_ops;
  uint32_t rows, ids;                    /* numbers given to rows; to rows and predicates */
  uint32_t pair_at[MPU_MAX_IDS / 2 + 1]; /* mpu_kernel_wide_at, by row / 2; 0: no 64-bit register has the pair */
} mpu_kernel_t;

/* Byte offset of a 32-bit register or predicate in a warp's register file, as simt functions see
 * it. A row has 128 bytes, a predicate 4 (a bit each thread). */
static inline uint32_t mpu_kernel_at(const mpu_kernel_t *k, unsigned id) {
  return id < k->rows ? id * 128 : k->rows * 128 + (id - k->rows) * 4;
}

/* The same of a 64-bit register with this row. The simt functions keep it as 32 words of 64
 * bits, so it has a place of its own: in that of its two rows it would overlap other threads'
 * 32-bit words. */
static inline uint32_t mpu_kernel_wide_at(const mpu_kernel_t *k, unsigned row) {
  return k->pair_at[row / 2];
}

/* The row that a store reads, or that a load writes. */
static inline unsigned mpu_op_data_reg(const mpu_op_t *o, bool store) {
  if (store) return o->src[1];
  return o->dst_valid ? o->dst : MPU_SINK;
}

#endif

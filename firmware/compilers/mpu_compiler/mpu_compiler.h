/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiler backend of the near-bank processor (MPU paper, section V-B, Fig. 6): where each
 * instruction should run and each register live, and which physical registers a kernel uses.
 * Reconvergence points and liveness are the PTX reader's.
 *
 *   mpu_compile_error_t err;
 *   mpu_program_t *p = mpu_compile(kernel, MPU_ANNOTATED, &err);    NULL: err.trouble says why
 *   ... p->instrs[i].hint, p->regs[r].row ...
 *   mpu_program_free(p);
 *
 * Physical registers are rows, 32 bits of each of a warp's 32 threads, in one index space: [near
 * only][both][far only]. A warp's near-bank register file holds rows 0 .. near_rows - 1, its
 * far-bank one rows near_only .. near_only + far_rows - 1, so registers of different locations
 * never share a row. 64-bit registers have two rows, low word first, at an even row.
 *
 * What holds of a program, whatever the policy, for a machine that decides as
 * rtl/lsu/offload_engine.ports says:
 * - every register has a row at each place where an instruction may read or write it; so every move
 *   is from a row to a row;
 * - two registers that are alive together, or written by one instruction, have no row in common;
 *   nor have a vector load's results and its address;
 * - a register shares no row with a register of the other width that waiting threads hold on
 *   another path of a branch: the track table knows a pair by its first row;
 * - a value is never lost as long as a write under a partial mask (guard, divergence) counts the
 *   register written as a source too: its other threads' values must have a valid copy where the
 *   instruction writes. Rows are shared thread by thread, so this holds for registers whose old
 *   value looks dead as well.
 */
#ifndef MPU_COMPILER_H
#define MPU_COMPILER_H

#include "ptx.h"

typedef enum {
  MPU_ANNOTATED,  /* Algorithm 1 */
  MPU_HW_DEFAULT, /* no hints: near if it has sources and all have near-bank copies (IV-B1) */
  MPU_ALL_NEAR,   /* near, except the far-bank operation set */
  MPU_ALL_FAR,
  MPU_NUM_POLICIES
} mpu_policy_t;

const char *mpu_policy_name(mpu_policy_t policy);             /* "annotated", "default", "near", "far" */
bool mpu_policy_find(const char *name, mpu_policy_t *policy); /* false: no such policy */

typedef enum { MPU_U = 0, MPU_N = 1, MPU_F = 2, MPU_B = 3 } mpu_loc_t; /* unknown, near bank, far bank, both: N | F */

typedef struct {
  /* where the register may have valid copies: where code reads or writes it. Predicates: F, or N
   * for values. U: in no reachable code */
  mpu_loc_t loc;
  mpu_loc_t annotated; /* by Algorithm 1, what the paper counts in Fig. 14; with another policy the same as loc */
  int32_t row;         /* first row; of a predicate its number; -1: never used */
  uint8_t rows;        /* 1, or 2 for 64 bits; 0 for predicates */
} mpu_reg_t;

typedef struct {
  mpu_loc_t hint; /* the annotated location, N or F; U: no hint, or not reachable */
  /* the opcode is in the far-bank operation set (first policy of IV-B1), ld and st of
   * global memory included */
  bool far_op;
  mpu_loc_t place; /* where it runs by the engine's rules: N, F; B: depends on the track table; U: not reachable */
} mpu_instr_t;

typedef struct {
  uint32_t regs[4];      /* registers by loc (index: mpu_loc_t), predicates included */
  uint32_t annotated[4]; /* registers by annotated */
  uint32_t instrs[4];    /* reachable instructions by place */
} mpu_shares_t;

typedef struct {
  const ptx_func_t *func;
  mpu_policy_t policy;
  bool smem_near, local_ideal, constant_ideal;
  mpu_reg_t *regs;                    /* func->num_regs */
  mpu_instr_t *instrs;                /* func->num_instrs */
  uint32_t near_only, both, far_only; /* rows */
  uint32_t predicates;                /* numbers; the last near_predicates are values, bits of near-bank rows */
  uint32_t near_predicates;
  uint32_t near_rows, far_rows; /* of a warp's register files: near_only + both, both + far_only */
  mpu_shares_t shares;
} mpu_program_t;

enum { MPU_MAX_ROWS = 256 }; /* rows and predicates of a kernel: register numbers have 8 bits */

typedef struct {
  trouble_t trouble; /* "kernel k, line 12: what is wrong, how much, and the limit" */
  int line;          /* of the PTX; 0: none */
} mpu_compile_error_t;

/* Compiles a function that has a body, for near-bank shared memory (IV-C), and local memory and
 * constants in DRAM. A device function is treated alone. NULL: *err says why. */
mpu_program_t *mpu_compile(const ptx_func_t *func, mpu_policy_t policy, mpu_compile_error_t *err);
/* As mpu_compile, with shared memory on either die. On the base die ld.shared and
 * st.shared run far. */
mpu_program_t *mpu_compile_smem(const ptx_func_t *func, mpu_policy_t policy, bool smem_near, mpu_compile_error_t *err);
/* As mpu_compile_smem. `local_ideal` and `constant_ideal`: the front end has local memory, or
 * constants at addresses in registers; they are not accessed as global memory is. */
mpu_program_t *mpu_compile_for(const ptx_func_t *func, mpu_policy_t policy, bool smem_near, bool local_ideal,
                               bool constant_ideal, mpu_compile_error_t *err);
void mpu_program_free(mpu_program_t *program); /* NULL is allowed */

const char *mpu_loc_name(mpu_loc_t loc); /* "U", "N", "F", "B" */

/* The offload engine's in_kind: which registers go where (IV-B1, second step). GLOBAL (ld, ldu, st
 * of global and generic addresses; of local memory and unnamed constants, if they are not ideal):
 * addresses far, data near. SHARED: all where shared memory is. OTHER: all where the instruction
 * runs. Predicates are the front end's and travel with the instruction. */
typedef enum { MPU_KIND_OTHER, MPU_KIND_GLOBAL, MPU_KIND_SHARED } mpu_kind_t;
mpu_kind_t mpu_kind(const mpu_program_t *program, const ptx_instr_t *instr);
/* Are loads and stores of the space accesses as those of global memory? */
bool mpu_in_dram(const mpu_program_t *program, unsigned space);
/* Is the opcode in the far-bank operation set? */
bool mpu_far_op(const ptx_instr_t *instr);

#endif

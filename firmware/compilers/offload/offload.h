/* SPDX-License-Identifier: Apache-2.0
 *
 * The offload compiler: finds the blocks of a kernel that are worth running near the data, and
 * writes their NSU code.
 *
 * Source: NSU paper, section 3 (Score, address instructions, OFLD.BEG, OFLD.END, register lists).
 * README.md of this folder lists the rules where the paper is silent.
 *
 * What the GPU does with an offload_block_t b of a kernel, when a warp reaches instruction b->first
 * and offloads it:
 *   PAIRS if b->num_pairs: should a load read what its store wrote, all is executed as always; see
 *   offload_pair_t
 *   BEG   reserve 1 command, b->num_loads read and b->num_stores write entries; send the command:
 *         start PC = base of offload_t.code + b->nsu_pc, constants' base, the active mask,
 *         registers b->sent[k] in beat k
 *   for i in first..last, by role[i - first]:
 *     GPU    execute as always               (addresses, guards of memory instructions, loop
 *                                            counters)
 *     NSU    skip                            (marked @NSU)
 *     BOTH   execute as always; the NSU has a copy of its own
 *     LOAD   send RDFs: one sequence number a word, seq[i - first] .. + words - 1; word k of a
 *            thread is at address + k * word_bytes; the destination register is not written
 *     STORE  send WTAs likewise; the source register is not read
 *            A guard of LOAD or STORE is evaluated here; an empty mask still sends one packet a
 *            word
 *   END   wait for the acknowledgement, write beat k of it to b->returned[k] for the active
 *         threads, continue at last + 1
 * Not offloaded, the block's instructions are executed as always.
 */
#ifndef OFFLOAD_H
#define OFFLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "nsu_packet.h"
#include "ptx.h"

/* Where an instruction of an offloaded block runs; the list above says what the GPU does for
 * each. */
typedef enum { OFFLOAD_GPU, OFFLOAD_NSU, OFFLOAD_BOTH, OFFLOAD_LOAD, OFFLOAD_STORE } offload_role_t;

/* A GPU register, or one half of a 64-bit one, in a command or acknowledgement. Beats carry 32-bit
 * words: 8- and 16-bit registers are zero-extended; the receiver looks at their low bits only. A
 * predicate is sent as 0 or 1; any other number but 0 is received as true, too. */
typedef struct {
  int32_t reg;     /* register of the function */
  uint8_t half;    /* 0 bits 31..0, 1 bits 63..32 */
  uint8_t nsu_reg; /* F0 .. F15 */
} offload_reg_t;

/* A load, and a store before it in the block. Loads are sent before any store is done. So the GPU
 * must execute an instance in which any thread's load reads a byte that any thread's store writes.
 * Addresses and guards of a block depend on what is known when it begins: the block's instructions
 * of role GPU and BOTH up to the load give them. Two parameters that point into different
 * allocations are an answer for a whole launch: a pointer stays in its allocation, in C. */
typedef struct {
  uint16_t store, load; /* instructions, counted from the block's first */
  /* the pointer that the address was made from: byte in the parameter block;
   * PTX_NONE: none known */
  int32_t store_param, load_param;
} offload_pair_t;

typedef struct {
  uint32_t first, last;           /* instructions of the function, all of one basic block */
  bool indirect;                  /* a single load whose address comes from memory (section 3.1) */
  int32_t score;                  /* bytes a thread: reduction - overhead */
  int32_t reduction, overhead;    /* Equation 1 */
  const uint8_t *role;            /* offload_role_t of first .. last */
  const uint8_t *seq;             /* LOAD, STORE: sequence number of the first word */
  uint32_t num_loads, num_stores; /* words: sequence numbers, buffer entries */
  uint32_t num_sent, num_returned;
  offload_reg_t sent[PKT_MAX_CMD_REGS];
  offload_reg_t returned[PKT_MAX_CMD_REGS];
  uint32_t num_pairs;
  const offload_pair_t *pairs; /* ascending by load */
  uint32_t nsu_pc;             /* byte offset of OFLD.BEG in offload_t.code */
  uint32_t num_nsu;            /* instructions, OFLD.BEG and OFLD.END included */
  uint32_t count;              /* instructions as Table 1 counts them: loads, stores, ALU */
  const uint64_t *nsu;         /* num_nsu words, of offload_t.code */
  /* the instruction each was made from; PTX_NONE: OFLD.BEG, OFLD.END, LDC of a parameter */
  const int32_t *nsu_source;
} offload_block_t;

typedef struct {
  const ptx_func_t *func;
  uint32_t num_blocks;
  const offload_block_t *blocks; /* ascending, disjoint */
  const int32_t *block_at;       /* of each instruction: its block, or -1 */
} offload_kernel_t;

/* The constants that LDC reads. The launch's parameter block is at offset 0 of the constants' base,
 * the module's const segment at const_offset, a multiple of 128. const_bytes in all: what a launch
 * has to place in memory, 128-byte aligned. */
typedef struct offload {
  const ptx_module_t *module;
  uint32_t num_kernels;
  const offload_kernel_t *kernels;
  const uint64_t *code; /* NSU code of all blocks; to be loaded at a multiple of 128 */
  uint32_t code_words;
  uint32_t const_offset, const_bytes;
} offload_t;

/* Memory of one access of a thread as the NSU sees it. */
typedef struct {
  uint8_t words;      /* sequence numbers it takes */
  uint8_t word_bytes; /* 1, 2 or 4 */
} offload_access_t;
offload_access_t offload_access(const ptx_instr_t *instr);

offload_t *offload_compile(const ptx_module_t *module); /* NULL: out of memory */
void offload_free(offload_t *offload);
const offload_kernel_t *offload_find(const offload_t *offload, const ptx_func_t *func); /* NULL: not a kernel of it */
/* "gpu", "nsu", "both", "load", "store" */
const char *offload_role_name(offload_role_t role);

#endif

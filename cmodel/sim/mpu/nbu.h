/* SPDX-License-Identifier: Apache-2.0
 *
 * A near-bank unit on the DRAM die: LSU-Extension, memory controller, atomic unit (ours),
 * operand collectors, ALU (MPU paper, Fig. 2 (4)). The register file is its subcore's near one
 * (mpu_regs.h); here are its ports. The ALU has a port of its own (the file is banked; ours).
 *
 *    TSV bus down -> LSU-Extension <-> memory controller <-> DRAM (near_mc.h)
 *         |              |  ^                ^
 *         |              v  |                '--- atomic unit <- TSV_ATOM
 *         |         near register file, shared memory
 *         '--------> operand collectors -> ALU -> completions -> TSV bus up
 *
 * A cycle is nbu_begin, what the core does with `out` and `in`, nbu_end. A unit whose engine
 * shows nothing and does nothing sleeps until something comes in.
 */
#ifndef NBU_H
#define NBU_H

#include "block_engine.h"
#include "core_base.h"
#include "lsu_ext_ports.h"
#include "lsu_msg.h"
#include "mpu_regs.h"
#include "nbu_atomics.h"
#include "near_mc.h"

enum { NBU_EXE_MOST = 16, NBU_PIPE = 64 };

/* An atomic instruction on near-bank shared memory; a unit has one at a time.
 *    NONE -- its message came --> WAITS -- shared memory took it --> COMPUTES -- bus up --> NONE */
typedef struct {
  enum { SMEM_ATOMIC_NONE, SMEM_ATOMIC_WAITS, SMEM_ATOMIC_COMPUTES } state;
  uint8_t tag;
  uint64_t at; /* COMPUTES: the cycle in which it ends */
} nbu_smem_atomic_t;

typedef struct nbu {
  core_base_t *base;
  unsigned id;
  mpu_regs_t *regs;
  const mpu_inflight_t *tag; /* the instructions that its subcore has under way, by tag */
  const block_engine_t *engine;
  void *state;
  const lsu_ext_out_t *out; /* the engine's outputs of this cycle */
  lsu_ext_in_t in;
  bool asleep;                 /* the engine shows nothing and does nothing until something comes in */
  bool came, rf_read, sm_read; /* something comes in; rf_row, sm_row go into `in` after the clock edge */
  uint32_t rf_row[32], sm_row[32];
  uint8_t credit[LSU_CLASSES]; /* messages that the bus may still send, by class */
  near_mc_t mc;
  nbu_atomics_t atomics;
  unsigned mc_owed; /* entries of the controller's queue that the LSU-Extension uses */
  bool credit_turn; /* the next free entry is the atomic unit's, if it uses one */
  nbu_smem_atomic_t smem_atomic;
  nbu_atomic_t *atomic_sent; /* the request whose answer goes up; NULL: smem_atomic */
  uint8_t atomic_left;       /* beats of that answer that have still to go */
  /* A ring of tags whose operands are collected; exe_coming: instructions on the TSVs. */
  uint8_t exe[NBU_EXE_MOST], exe_head, exe_count, exe_coming;
  uint64_t alu_free;
  uint8_t done[NBU_PIPE], done_head, done_count; /* a ring of tags in the ALU, in order of their ends */
  uint64_t done_at[NBU_PIPE];
  /* Beats of the message that is coming up, and how many it has. */
  uint64_t up[LSU_MAX_BEATS];
  uint8_t up_have, up_need;
} nbu_t;

/* Needs n->state, the engine's memory, zeroed. -1: the engine could not be opened. */
int nbu_init(nbu_t *n, core_base_t *base, unsigned id, mpu_regs_t *regs, const mpu_inflight_t *tag,
             const block_engine_t *engine);
void nbu_deinit(nbu_t *n);
void nbu_begin(nbu_t *n);             /* memory controller, register file, ALU; shared memory's request is in `out` */
void nbu_end(nbu_t *n);               /* the engine's clock edge */
bool nbu_quiet(const nbu_t *n);       /* nothing under way; the same whatever engine computes the LSU-Extension */
bool nbu_engine_idle(const nbu_t *n); /* the engine allows that cycles are left out */
bool nbu_exe_room(const nbu_t *n);    /* for one more offloaded instruction, those on the TSVs counted */
void nbu_exe_reserve(nbu_t *n);       /* one starts down the TSVs; needs room */
void nbu_exe(nbu_t *n, unsigned tag); /* its last beat has come */
bool nbu_has_completion(const nbu_t *n); /* the ALU has ended an instruction, which waits for the bus */
unsigned nbu_take_completion(nbu_t *n);  /* its tag; needs one */

#endif

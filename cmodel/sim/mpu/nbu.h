/* SPDX-License-Identifier: Apache-2.0
 *
 * A near-bank unit on the DRAM die: LSU-Extension, memory controller, atomic unit (ours), register
 * file, operand collectors and ALU (MPU paper, Fig. 2 (4)).
 *
 * The register file is its subcore's near one (mpu_regs): here are its ports. The ALU has a port of
 * its own (the file is banked; ours).
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

/* An atomic instruction on near-bank shared memory: there is one at a time. */
typedef struct {
  enum { SMEM_ATOMIC_NONE, SMEM_ATOMIC_WAITS, SMEM_ATOMIC_COMPUTES } state;
  uint8_t tag;
  uint64_t at; /* COMPUTES: the end of it */
} nbu_smem_atomic_t;

typedef struct nbu {
  core_base_t *base;
  unsigned id;
  mpu_regs_t *regs;
  const mpu_inflight_t *tag; /* what its subcore has under way, by tag */
  const block_engine_t *engine;
  void *state;
  const lsu_ext_out_t *out; /* of this cycle */
  lsu_ext_in_t in;
  bool asleep;                 /* the engine shows nothing and does nothing until something comes in */
  bool came, rf_read, sm_read; /* something comes in; rows that `in` gets after the clock edge */
  uint32_t rf_row[32], sm_row[32];
  uint8_t credit[LSU_CLASSES]; /* messages that may be sent, by class */
  near_mc_t mc;
  nbu_atomics_t atomics;
  unsigned mc_owed; /* entries of the controller's queue that the LSU-Extension has */
  bool credit_turn; /* the next one that comes back is the atomic unit's, if it is owed one */
  nbu_smem_atomic_t smem_atomic;
  nbu_atomic_t *atomic_sent; /* goes up; NULL: the instruction on shared memory */
  uint8_t atomic_left;       /* beats still to go up of what is being sent */
  /* operand collectors and ALU */
  uint8_t exe[NBU_EXE_MOST], exe_head, exe_count, exe_coming;
  uint64_t alu_free;
  uint8_t done[NBU_PIPE], done_head, done_count; /* in order of their ends */
  uint64_t done_at[NBU_PIPE];
  /* reassembly of what comes up */
  uint64_t up[LSU_MAX_BEATS];
  uint8_t up_have, up_need;
} nbu_t;

/* n->state: the engine's memory, zeroed. -1: it failed */
int nbu_init(nbu_t *n, core_base_t *base, unsigned id, mpu_regs_t *regs, const mpu_inflight_t *tag,
             const block_engine_t *engine);
void nbu_deinit(nbu_t *n);
void nbu_begin(nbu_t *n);       /* memory controller, register file; smem request is in out */
void nbu_end(nbu_t *n);         /* clock edge */
bool nbu_quiet(const nbu_t *n); /* nothing under way, whatever computes the LSU-Extension */
bool nbu_engine_idle(const nbu_t *n);
bool nbu_exe_room(const nbu_t *n); /* for one more on its way */
void nbu_exe_reserve(nbu_t *n);
void nbu_exe(nbu_t *n, unsigned tag);    /* an offloaded instruction has come */
bool nbu_has_completion(const nbu_t *n); /* of the ALU, waiting for the bus */
unsigned nbu_take_completion(nbu_t *n);

#endif

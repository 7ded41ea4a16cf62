/* SPDX-License-Identifier: Apache-2.0
 *
 * A streaming multiprocessor: warps, schedulers, scoreboard; over the load/store unit with its L1
 * and an offload policy.
 *
 * Scheduling: `schedulers` schedulers, warp slot modulo their number; schedulers.def says whom they
 * choose; one instruction a cycle each. Execution units but the load/store unit are the SM's, or
 * each scheduler's own (`partitions`). Everything executes at issue but global loads and atomics,
 * whose destinations are written when the data come; the scoreboard keeps a register's next use
 * until its result's latency is over. Files: sm.c (issue, blocks of threads), sm_control.c (what
 * steers, at issue), sm_memory.c (memory instructions at issue). Both units report to sm.c by calls
 * that they are given.
 */
#ifndef SM_H
#define SM_H

#include "gpu_shared.h"
#include "l1i.h"
#include "ldst.h"
#include "offload_policy.h"
#include "sm_units.h"

typedef struct {
  simt_block_t block;
  uint32_t outstanding; /* accesses and stores of its warps */
  uint8_t *shared;
} sm_cta_t;

typedef struct sm {
  const gpu_shared_t *sh;
  unsigned id;
  uint64_t now;
  /* warps */
  sm_warp_t *warps;
  unsigned num_warps; /* slots of this launch, at most config->sm.threads / 32 */
  warp_sets_t sets;
  uint8_t *regs, *local; /* local: where it is ideal */
  uint64_t local_bytes;  /* of a thread */
  simt_calls_t *calls;   /* of each warp; NULL: the kernel calls no function */
  uint64_t *ready_slots;
  sm_cta_t *ctas; /* [config->sm.ctas] */
  unsigned live_ctas;
  uint8_t *shared;
  sm_units_t units;
  ldst_t ldst;
  l1i_t l1i;
  /* offload */
  const offload_policy_t *policy;
  void *offload; /* the policy's; NULL: it has nothing in an SM */
  bool offload_busy;
} sm_t;

/* -1: out of host memory */
int sm_init(sm_t *sm, unsigned id, const gpu_shared_t *sh, const offload_policy_t *policy, void *die);
void sm_deinit(sm_t *sm);
int sm_start(sm_t *sm);                      /* a launch: buffers for it, empty L1; -1: out of host memory */
bool sm_has_room(const sm_t *sm);            /* for one more CTA */
void sm_receive(sm_t *sm, packet_t *packet); /* takes it over */
bool sm_quiet(const sm_t *sm);               /* no access of its warps is under way */
void sm_add_cta(sm_t *sm, uint64_t index);

/* A warp alone, as a CTA of its own, in the midst of its kernel: in a slot that is returned, with
 * registers zeroed for the caller to fill. For a launch whose blocks have one warp (gpu_run_t). */
typedef struct {
  uint64_t cta_index;    /* linear in the grid */
  uint32_t first_thread; /* linear in the CTA */
  uint32_t pc, mask;
} sm_start_t;
void sm_add_warp(sm_t *sm, unsigned slot, const sm_start_t *at); /* the slot is free */
void sm_tick(sm_t *sm);
void sm_pages_came(sm_t *sm); /* some page has come to be there */

/* The PTX of an operation, of the kernel or of a function that it calls. */
static inline const ptx_func_t *sm_func(const sm_t *sm, const simt_op_t *op) {
  return simt_func(sm->sh->run->simt.kernel, op);
}
static inline const ptx_instr_t *sm_instr(const sm_t *sm, const simt_op_t *op) {
  return &sm_func(sm, op)->instrs[op->index];
}

/* Threads of a warp that execute the instruction. */
static inline uint32_t sm_guard(const sm_warp_t *w, const simt_op_t *op) {
  return simt_guard(&w->simt, op, simt_stack_mask(&w->stack));
}

/* Of sm.c: looks at a warp's next instruction, ready or what it waits
 * for; goes on to the next one; a block of threads is over, if it is. */
void sm_prepare(sm_t *sm, unsigned warp);
void sm_advance(sm_t *sm, unsigned warp);
void sm_finish_cta(sm_t *sm, sm_cta_t *cta);

/* sm_control.c */
int sm_fault_warp(const sm_t *sm, unsigned warp, const simt_op_t *op, const char *what); /* -1 */
/* false: it is not executed now (simt_meet.h), and what is to be done is done */
bool sm_meets(sm_t *sm, unsigned warp, const simt_op_t *op);
void sm_issue_barrier(sm_t *sm, unsigned warp, const simt_op_t *op);
void sm_issue_exit(sm_t *sm, unsigned warp, const simt_op_t *op);
void sm_issue_call(sm_t *sm, unsigned warp, const simt_op_t *op);
void sm_issue_branch(sm_t *sm, unsigned warp, const simt_op_t *op);

/* sm_memory.c; -1: an address is out of bounds or misaligned, faulted. */
/* of global memory */
int sm_lines(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, coalesce_t *lines);
/* Asks for the pages of global memory that it accesses
 * and that are with the host; true: there are none. */
bool sm_need_pages(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);
/* Bytes of a thread at a generic address that is not global; false: it is, or not all are there. */
bool sm_own_bytes(const sm_t *sm, unsigned warp, unsigned lane, uint64_t address, void *to, size_t bytes);
int sm_issue_memory(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);
int sm_issue_global(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, const uint64_t *vaddr);

/* Where these are in memory, for all who want to know; -1:
 * faulted. And: the load/store unit has so many lines of it. */
int sm_place(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, const uint64_t *vaddr, uint64_t *paddr);
void sm_under_way(sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lines);

#define SM_MISALIGNED "which is not aligned to the access's size"
/* -1 */
int sm_fault_access(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, uint64_t address,
                    const char *what);
/* A thread's bytes at `at` of a memory of its own: 0, or -1, misaligned or `outside`, faulted. */
int sm_check_place(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, uint64_t at, uint64_t size,
                   const char *outside);

/* sm_local.c; at: each thread's byte of its own local memory. */
/* -1: out of bounds or misaligned, faulted */
int sm_check_local(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, const uint64_t *at);
/* What they access, which is there; -1: out of host memory, faulted. */
int sm_local_lines(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, const uint64_t *at,
                   coalesce_words_t *lines);
/* as memory has it */
void sm_read_local(const sm_t *sm, unsigned warp, unsigned lane, uint64_t at, uint8_t *to, size_t bytes);

/* sm_texture.c, the same of textures and surfaces. */
int sm_issue_texture(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);
int sm_issue_surface(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);
bool sm_need_texels(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);

/* sm_matrix.c. All threads of the warp execute it, or none does; -1: some do, faulted. */
int sm_check_whole(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);
/* it has been computed; cycles until its result may be used */
unsigned sm_issue_product(sm_t *sm, const simt_op_t *op, uint32_t mask);
int sm_issue_matrix(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);
bool sm_need_matrix(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);

/* sm_copy.c: asynchronous copies. Threads that read anything of global
 * memory; whether some that the warp waits for are under way. */
int sm_issue_copy(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);
void sm_issue_copies(sm_t *sm, unsigned warp, const simt_op_t *op);
uint32_t sm_copy_sources(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);
bool sm_awaits_copies(const sm_t *sm, unsigned warp, const simt_op_t *op); /* op: a SIMT_COPIES */
static inline void sm_copied(sm_warp_t *w, uint64_t when) {
  if (w->copied_at < when) w->copied_at = when;
}

/* sm_call.c. Whether it takes registers to the stack
 * or back: nothing of the warp is under way then. */
bool sm_saves_registers(const sm_t *sm, unsigned warp, const simt_op_t *op);
/* false: what is wrong */
bool sm_enter(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, trouble_t *wrong);
void sm_leave(sm_t *sm, unsigned warp, uint32_t mask, bool ends);

/* sm_host.c; faults where a thread's call is wrong */
void sm_call_host(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A streaming multiprocessor: warps, schedulers, scoreboard, with a load/store unit and L1, an
 * instruction cache and an offload policy.
 *
 *   l1i --> sm_prepare --> ready set --> scheduler --> issue --> units, ldst, policy
 *              ^                                         |
 *              +-- wheel, arrivals, barriers, policy <---+
 *
 * Each of `schedulers` schedulers issues one instruction a cycle. A warp belongs to scheduler slot
 * modulo schedulers; schedulers.def has the scheduling policies. Execution units other than the
 * load/store unit belong to the SM, or to each scheduler (`partitions`). An instruction executes at
 * issue. Only global loads and atomics write their registers when the data arrive. The scoreboard
 * delays a register's next use until the latency is over.
 *
 * Files: sm.c (issue, CTAs), sm_control.c (barriers, exits, branches), sm_memory.c, sm_local.c,
 * sm_texture.c, sm_matrix.c, sm_copy.c (memory instructions), sm_call.c, sm_host.c (calls). The
 * units report to sm.c through callbacks.
 */
#ifndef SM_H
#define SM_H

#include "gpu_shared.h"
#include "l1i.h"
#include "ldst.h"
#include "offload_policy.h"
#include "sm_units.h"

/* A CTA on the SM. */
typedef struct {
  simt_block_t block;
  uint32_t outstanding; /* accesses and stores of its warps that are under way */
  uint8_t *shared;      /* its shared memory */
  uint8_t *written;     /* bits of its bytes (simt_unwritten.h); NULL: not checked */
} sm_cta_t;

/* State of an SM. The SM owns its arrays; sm_start allocates those of a launch. */
typedef struct sm {
  const gpu_shared_t *sh;
  unsigned id;
  uint64_t now;
  /* warps */
  sm_warp_t *warps;
  unsigned num_warps; /* warp slots of this launch, at most config->sm.threads / 32 */
  warp_sets_t sets;
  uint8_t *regs, *local; /* register files; local memory, if that is ideal */
  uint64_t local_bytes;  /* bytes of a thread */
  simt_calls_t *calls;   /* [num_warps]; NULL: the kernel calls no function */
  uint64_t *ready_slots; /* [num_warps][slots of the scoreboard] */
  sm_cta_t *ctas;        /* [config->sm.ctas] */
  unsigned live_ctas;
  uint8_t *shared;
  sm_units_t units;
  ldst_t ldst;
  l1i_t l1i;
  /* offload */
  const offload_policy_t *policy;
  void *offload;     /* of the policy; NULL: none */
  bool offload_busy; /* the policy wants `step` each cycle */
} sm_t;

/* -1: out of host memory. sm_deinit frees also after a failure. */
int sm_init(sm_t *sm, unsigned id, const gpu_shared_t *sh, const offload_policy_t *policy, void *die);
void sm_deinit(sm_t *sm);
/* a launch: allocates buffers, empties the L1; -1: out of host memory */
int sm_start(sm_t *sm);
bool sm_has_room(const sm_t *sm);            /* for one more CTA */
void sm_receive(sm_t *sm, packet_t *packet); /* takes the packet over */
bool sm_quiet(const sm_t *sm);               /* no access of its warps is under way */
/* starts CTA `index` of the grid; sm_has_room must hold */
void sm_add_cta(sm_t *sm, uint64_t index);

/* Start of a single warp, as a CTA of its own, in the middle of a kernel. For launches whose
 * CTAs have one warp. The slot must be free. Registers are zeroed; the caller fills them. */
typedef struct {
  uint64_t cta_index;    /* linear in the grid */
  uint32_t first_thread; /* linear in the CTA */
  uint32_t pc, mask;
} sm_start_t;
void sm_add_warp(sm_t *sm, unsigned slot, const sm_start_t *at);
void sm_tick(sm_t *sm);
void sm_pages_came(sm_t *sm); /* a page has become resident: waiting warps try again */

/* PTX function and instruction of an operation, of the kernel or of a function that it calls. */
static inline const ptx_func_t *sm_func(const sm_t *sm, const simt_op_t *op) {
  return simt_func(sm->sh->run->simt.kernel, op);
}
static inline const ptx_instr_t *sm_instr(const sm_t *sm, const simt_op_t *op) {
  return &sm_func(sm, op)->instrs[op->index];
}

/* Threads of a warp that execute an instruction. */
static inline uint32_t sm_guard(const sm_warp_t *w, const simt_op_t *op) {
  return simt_guard(&w->simt, op, simt_stack_mask(&w->stack));
}

/* In sm.c. */
/* Puts the warp into the set of ready warps, or of what its next instruction waits for. */
void sm_prepare(sm_t *sm, unsigned warp);
/* Moves the warp to its next instruction. After the last one of an offloaded block the warp waits
 * for the policy. */
void sm_advance(sm_t *sm, unsigned warp);
/* Ends a CTA, if no warp and no access of it is left. */
void sm_finish_cta(sm_t *sm, sm_cta_t *cta);

/* In sm_issue.c. */
void sm_schedule(sm_t *sm); /* each scheduler issues an instruction, or counts why not */
/* The warp executes the block at its next instruction itself. */
void sm_keep_block(const sm_t *sm, sm_warp_t *w);

/* In sm_control.c. */
int sm_fault_warp(const sm_t *sm, unsigned warp, const simt_op_t *op, const char *what); /* -1 */
/* Convergence at a membermask. false: the instruction does not execute now, and the warp has
 * been taken care of (simt_meet.h). */
bool sm_meets(sm_t *sm, unsigned warp, const simt_op_t *op);
void sm_issue_barrier(sm_t *sm, unsigned warp, const simt_op_t *op);
void sm_issue_exit(sm_t *sm, unsigned warp, const simt_op_t *op);
void sm_issue_call(sm_t *sm, unsigned warp, const simt_op_t *op);
void sm_issue_branch(sm_t *sm, unsigned warp, const simt_op_t *op);

/* In sm_memory.c. Functions return -1 after a fault: an address is out of bounds or misaligned. */
/* Coalesced lines of a global access. */
int sm_lines(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, coalesce_t *lines);
/* Asks for the missing pages or translations of a global access. True: all are there. */
bool sm_need_pages(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);
/* Reads a thread's bytes at a generic address that is not global. false: the address is global,
 * or out of bounds. */
bool sm_own_bytes(const sm_t *sm, unsigned warp, unsigned lane, uint64_t address, void *to, size_t bytes);
int sm_issue_memory(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);
int sm_issue_global(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, const uint64_t *vaddr);

/* Translates the addresses of a global access, and reports them to the profile and the policy. */
int sm_place(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, const uint64_t *vaddr, uint64_t *paddr);
/* Counts an access of so many lines that the load/store unit has taken. */
void sm_under_way(sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lines);

#define SM_MISALIGNED "which is not aligned to the access's size"
/* Reports a faulty access; returns -1. */
int sm_fault_access(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, uint64_t address,
                    const char *what);
/* Checks a thread's bytes at offset `at` of a memory of `size` bytes. Returns 0, or -1 after a
 * fault; `outside` is the text for out of bounds. */
int sm_check_place(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, uint64_t at, uint64_t size,
                   const char *outside);

/* Notes an access to the CTA's shared memory for the check of unwritten memory. -1: faulted. */
int sm_note_shared(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, uint64_t at, unsigned bytes);

/* In sm_local.c. `at` is each thread's offset in its local memory. */
/* Checks bounds and alignment; -1 after a fault. */
int sm_check_local(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, const uint64_t *at);
/* Appends the lines of a checked access; -1: out of host memory, faulted. */
int sm_local_lines(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, const uint64_t *at,
                   coalesce_words_t *lines);
/* Reads bytes of a thread as memory has them, without time. */
void sm_read_local(const sm_t *sm, unsigned warp, unsigned lane, uint64_t at, uint8_t *to, size_t bytes);

/* In sm_texture.c: textures and surfaces, as above. */
int sm_issue_texture(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);
int sm_issue_surface(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);
bool sm_need_texels(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);

/* In sm_matrix.c. -1 after a fault: only some threads of the warp execute the instruction. */
int sm_check_whole(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);
/* Counts a product that has executed. Returns the cycles until its result is usable. */
unsigned sm_issue_product(sm_t *sm, const simt_op_t *op, uint32_t mask);
int sm_issue_matrix(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);
bool sm_need_matrix(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);

/* In sm_copy.c: asynchronous copies. */
int sm_issue_copy(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);
void sm_issue_copies(sm_t *sm, unsigned warp, const simt_op_t *op);
/* Threads of a copy that read global memory. */
uint32_t sm_copy_sources(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);
/* True if copies that a SIMT_COPIES waits for are under way. */
bool sm_awaits_copies(const sm_t *sm, unsigned warp, const simt_op_t *op);
/* Results of a copy are usable from cycle `when`. */
static inline void sm_copied(sm_warp_t *w, uint64_t when) {
  if (w->copied_at < when) w->copied_at = when;
}

/* In sm_call.c. Whether the instruction saves registers to the stack or restores them. Then no
 * access of the warp may be under way. */
bool sm_saves_registers(const sm_t *sm, unsigned warp, const simt_op_t *op);
/* Calls a function. False: what is wrong with the call. */
bool sm_enter(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, trouble_t *wrong);
void sm_leave(sm_t *sm, unsigned warp, uint32_t mask, bool ends);

/* In sm_host.c: executes a host function; faults if a thread's call is wrong. */
void sm_call_host(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask);

#endif

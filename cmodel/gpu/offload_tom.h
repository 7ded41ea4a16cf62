/* SPDX-License-Identifier: Apache-2.0
 *
 * Transparent offloading on the GPU (TOM paper, sections 3.3, 4.2, 4.4.2): whole blocks of instructions go to the SM of the stack that has what they
 * access first. State on the die and in an SM, for its files: offload_tom (in an SM, and the policy as such), offload_tom_die (candidates of kernels,
 * blocks under way at each stack, whether links are busy).
 */
#ifndef OFFLOAD_TOM_H
#define OFFLOAD_TOM_H

#include "offload_policy.h"
#include "tom_job.h"
#include "tom_learn.h"

typedef struct tom_sm tom_sm_t;

/* The candidates of a module's kernels, and where warps pass them. */
typedef struct {
  const ptx_module_t *module;
  tom_program_t **program; /* of each function; NULL: not a kernel */
  int32_t **marks;         /* of each function: of each instruction, the first candidate that begins or ends there, or -1; NULL: it has none */
} tom_module_t;

/* A warp that waits for the answer of its block's stack. */
typedef struct {
  uint16_t sm, warp;
} tom_asker_t;

typedef struct {
  unsigned pending; /* blocks that the stack has been given and has not ended */
  tom_asker_t *asker;
  unsigned first, askers; /* a ring of [GPU_MAX_SMS * GPU_MAX_WARPS] */
} tom_stack_gate_t;

typedef struct {
  const gpu_shared_t *sh;
  tom_sm_t *sm[GPU_MAX_SMS];
  tom_stack_gate_t *gate; /* [stacks] */
  bool hot_tx, hot_rx;
  uint64_t window, flits[2]; /* of crossbar cycles: which one it is, and what links had carried at its start */
  const tom_module_t *blocks;
  const tom_program_t *program;      /* of the kernel that runs; NULL: nothing to offload */
  uint64_t early[TOM_MAX_BLOCKS];    /* of each block: live-ins, a bit each, that are kept aside when it begins, as their place is another's then */
  gpu_map_row_t map[TOM_WATCH_MAPS]; /* of the last `log` */
} tom_die_t;

typedef enum { TOM_OUTSIDE, TOM_BEGUN, TOM_ASKS, TOM_FENCE, TOM_PACKS, TOM_AWAY, TOM_BACK } tom_phase_t;

/* In a warp. */
typedef struct {
  tom_phase_t phase;
  unsigned number; /* of its block among the kernel's */
  tom_job_t *job;
  uint64_t stores;                 /* TOM_FENCE: warps of its CTA that have had stores under way ever since */
  unsigned watched;                /* 0, or 1 and the number of the candidate whose instance an analyzer follows */
  unsigned invals;                 /* TOM_BACK: lines that have still to be invalidated */
  uint32_t inside[TOM_MAX_BLOCKS]; /* of each candidate: threads that are in it, here */
} tom_warp_t;

/* In an SM. */
struct tom_sm {
  tom_die_t *die;
  offload_port_t port;
  tom_warp_t warp[GPU_MAX_WARPS];
  uint64_t fence, packs; /* warps, a bit each */
  uint64_t packed_at;    /* when the packet of the warp that packs is complete; 0: none packs */
  unsigned packing;
  packet_t *lines_head, *lines_tail; /* for L2 slices: lines that blocks have written */
};

void *tom_die_new(const gpu_shared_t *sh);
void tom_die_free(void *die);
int tom_die_load(void *die, const ptx_module_t *module, const void *blocks, gpu_error_t *err);
int tom_die_launch(void *die, const int32_t **first, gpu_error_t *err);
void tom_die_tick(void *die);
bool tom_die_arrive(void *die, unsigned link, const packet_t *packet);
gpu_log_t tom_die_log(const void *die);
size_t tom_die_describe(const void *die, unsigned link, char *text, size_t size);

/* A warp asks its stack; the answer comes by tom_answer, in a later cycle. */
void tom_die_ask(tom_die_t *die, unsigned stack, tom_asker_t asker);
void tom_answer(tom_sm_t *sm, unsigned warp, bool granted);

void *tom_compile_module(const ptx_module_t *module); /* NULL: out of memory */
void tom_discard_module(void *blocks);

#endif

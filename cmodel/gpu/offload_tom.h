/* SPDX-License-Identifier: Apache-2.0
 *
 * Transparent offloading on the GPU (TOM paper, sections 3.3, 4.2, 4.4.2): whole blocks of instructions go to the SM of the stack that has what they
 * access first. State on the die and in an SM, for its files: offload_tom (in an SM, and the policy as such), offload_tom_die (candidates of kernels,
 * blocks under way at each stack, whether links are busy).
 */
#ifndef OFFLOAD_TOM_H
#define OFFLOAD_TOM_H

#include "offload_policy.h"
#include "ring.h"
#include "tom_admission.h"
#include "tom_job.h"
#include "tom_learn.h"
#include "tom_links.h"

typedef struct tom_sm tom_sm_t;

/* The candidates of a module's kernels, and where warps pass them. */
typedef struct {
  const ptx_module_t *module;
  tom_program_t **program; /* of each function; NULL: not a kernel */
  int32_t **marks;         /* of each function: of each instruction, the first candidate that begins or ends there, or -1; NULL: it has none */
} tom_module_t;

typedef struct {
  const gpu_shared_t *sh;
  tom_sm_t *sm[GPU_MAX_SMS];
  tom_admission_t admission;
  tom_links_t links;
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
  ring_t asks;           /* uint8_t: warps, of which the first one's wish is on the wire to the die */
  bool asked;            /* it is */
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
void tom_die_tick_xbar(void *die);
bool tom_die_arrive(void *die, unsigned link, const packet_t *packet);
gpu_log_t tom_die_log(const void *die);
size_t tom_die_describe(const void *die, unsigned link, char *text, size_t size);

/* What the SM asked the die for. */
void tom_answer(tom_sm_t *sm, bool granted);

void *tom_compile_module(const ptx_module_t *module); /* NULL: out of memory */
void tom_discard_module(void *blocks);

#endif

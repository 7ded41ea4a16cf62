/* SPDX-License-Identifier: Apache-2.0
 *
 * Transparent offloading (TOM paper, sections 3.3, 4.2, 4.4.2): whole blocks of instructions move
 * to the SM of the stack that has their first access. This header has the state on the die and in
 * an SM.
 *
 *   OUTSIDE -> WAITS -> RUNS -> ASKS -> FENCE -> PACKS -> AWAY -> OUTSIDE
 *                 \               \
 *                  no: OUTSIDE     no: OUTSIDE
 *
 * Files: offload_tom.c (a warp, and the policy), tom_controller.c (wires of tom_ctrl),
 * offload_tom_die.c (candidates of kernels, blocks under way, busy links).
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

/* The candidates of a module's kernels, and the instructions where they begin or end. */
typedef struct {
  const ptx_module_t *module;
  tom_program_t **program; /* [functions]; NULL: not a kernel */
  tom_entry_t **entries;   /* [functions][candidates]; NULL: none */
  /* [functions][instructions]: the first candidate that begins or ends there, or -1; NULL: none */
  int32_t **marks;
} tom_module_t;

/* State on the die. */
typedef struct {
  const gpu_shared_t *sh;
  tom_sm_t *sm[GPU_MAX_SMS];
  tom_admission_t admission;
  tom_links_t links;
  const tom_module_t *blocks;
  const tom_program_t *program; /* of the running kernel; NULL: nothing to offload */
  const tom_entry_t *entries;   /* of the kernel's candidates */
  /* [candidates]: live-ins that are saved when the block begins, one bit each, because another
   * register takes their place before the first access */
  uint64_t early[TOM_MAX_BLOCKS];
  gpu_map_row_t map[TOM_WATCH_MAPS]; /* rows of the last `log` */
} tom_die_t;

/* Phase of a warp. tom_ctrl has the same phases, and is ahead by what is on the wires. */
typedef enum { TOM_OUTSIDE, TOM_WAITS, TOM_RUNS, TOM_ASKS, TOM_FENCE, TOM_PACKS, TOM_AWAY } tom_phase_t;

typedef enum { TOM_UNANSWERED, TOM_YES, TOM_NO } tom_answer_t;

/* State of a warp. */
typedef struct {
  tom_phase_t phase;
  tom_answer_t answer; /* for the candidate `number` */
  unsigned number;     /* index of its block in the kernel */
  tom_job_t *job;      /* of the block; NULL: none */
  /* TOM_FENCE: warps of its CTA whose stores have been under way ever since */
  uint64_t stores;
  unsigned watched;                /* 0, or 1 + number of the candidate that an analyzer watches */
  uint32_t inside[TOM_MAX_BLOCKS]; /* threads that are inside each candidate, on the GPU */
} tom_warp_t;

/* Events for the controller, one of each kind a cycle: a warp comes to a candidate; a warp makes
 * its first access (none: without threads). */
typedef struct {
  uint8_t warp, number;
  uint32_t mask;
} tom_begin_t;

typedef struct {
  uint8_t warp, stack;
  bool none;
} tom_first_access_t;

/* The controller of an SM, an instance of tom_ctrl (rtl/tom), and the messages on their way to
 * it and from it (tom_controller.c). */
typedef struct {
  offload_instance_t instance;
  void *in;                /* tom_ctrl_in_t of the current cycle */
  bool told;               /* `in` has a valid input */
  ring_t begins, accesses; /* waiting events */
  bool granted, refused;   /* by tom_gate, in this cycle */
  /* the controller asked for a row in the last cycle; the row is on its wires in this one */
  bool reads_operand, reads_row;
  uint32_t operand[TOM_WARP], row[TOM_WARP]; /* rows for the wires */
  /* warp whose request is arriving, beats that have arrived; credits to be returned */
  unsigned packing, beats, credits;
  uint64_t left;                 /* rows still to come, one bit each */
  ring_t requests;               /* packet_t *: complete requests that wait for the crossbar */
  packet_t *ack_head, *ack_tail; /* packets from stacks */
  unsigned ack_beats;            /* beats of the first packet that the controller has taken */
  uint64_t ack_left;             /* rows still to be given, one bit each */
  unsigned awake;                /* cycles until the controller may rest */
} tom_controller_t;

/* State of an SM. */
struct tom_sm {
  tom_die_t *die;
  offload_port_t port;
  tom_warp_t warp[GPU_MAX_WARPS];
  tom_controller_t controller;
  unsigned under_way; /* warps in phases WAITS, ASKS, FENCE and PACKS */
  uint64_t fence;     /* warps in phase FENCE, one bit each */
};

/* ---- tom_controller.c ---- */

int tom_controller_init(tom_sm_t *s); /* -1: out of host memory, or the engine failed */
void tom_controller_deinit(tom_sm_t *s);
/* loads the kernel's candidates into the table, without time */
void tom_controller_load(tom_sm_t *s);
void tom_controller_begin(tom_sm_t *s, unsigned warp, unsigned number, uint32_t mask);
void tom_controller_access(tom_sm_t *s, unsigned warp, bool none, unsigned stack);
/* a packet from a stack; takes the packet over */
void tom_controller_packet(tom_sm_t *s, packet_t *packet);
void tom_controller_step(tom_sm_t *s);
bool tom_controller_rests(const tom_sm_t *s);

/* ---- offload_tom.c: callbacks of the controller ---------------------------------------------- */

/* an analyzer watches an instance in the warp */
bool tom_warp_is_watched(const tom_sm_t *s, unsigned warp);
void tom_warp_runs(tom_sm_t *s, unsigned warp); /* the warp runs on to its first access */
/* the warp keeps the block; why: WHY_* of tom_meta.def */
void tom_warp_stays(tom_sm_t *s, unsigned warp, unsigned why);
void tom_warp_fence(tom_sm_t *s, unsigned warp);
/* true: the stores of its CTA are done, and its live-ins are there */
bool tom_warp_may_go(tom_sm_t *s, unsigned warp);
void tom_warp_resumes(tom_sm_t *s, unsigned warp, uint32_t exit);

/* ---- offload_tom_die.c ---- */

void *tom_die_new(const gpu_shared_t *sh);
void tom_die_free(void *die);
void tom_die_forget(void *die, const void *blocks);
int tom_die_load(void *die, const ptx_module_t *module, const void *blocks, trouble_t *err);
int tom_die_launch(void *die, const int32_t **first, trouble_t *err);
unsigned tom_die_candidates(const void *die, bool *any);
void tom_die_tick(void *die);
void tom_die_tick_xbar(void *die);
bool tom_die_arrive(void *die, unsigned link, const packet_t *packet);
gpu_log_t tom_die_log(const void *die);
size_t tom_die_describe(const void *die, unsigned link, char *text, size_t size);

/* NULL: out of memory */
void *tom_compile_module(const ptx_module_t *module, const gpu_config_t *config);
void tom_discard_module(void *blocks);

#endif

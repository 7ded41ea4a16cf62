/* SPDX-License-Identifier: Apache-2.0
 *
 * Transparent offloading on the GPU (TOM paper, sections 3.3, 4.2, 4.4.2): whole blocks of
 * instructions go to the SM of the stack that has what they access first. State on the die and in
 * an SM, for its files: offload_tom (in an SM, and the policy as such), offload_tom_die (candidates
 * of kernels, blocks under way at each stack, whether links are busy).
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
  tom_entry_t **entries;   /* of each function, of each candidate; NULL: it has none */
  /* of each function: of each instruction, the first candidate
   * that begins or ends there, or -1; NULL: it has none */
  int32_t **marks;
} tom_module_t;

typedef struct {
  const gpu_shared_t *sh;
  tom_sm_t *sm[GPU_MAX_SMS];
  tom_admission_t admission;
  tom_links_t links;
  const tom_module_t *blocks;
  const tom_program_t *program; /* of the kernel that runs; NULL: nothing to offload */
  const tom_entry_t *entries;   /* of its candidates */
  /* of each block: live-ins, a bit each, that are kept aside
   * when it begins, as their place is another's then */
  uint64_t early[TOM_MAX_BLOCKS];
  gpu_map_row_t map[TOM_WATCH_MAPS]; /* of the last `log` */
} tom_die_t;

/* In step with its phase in tom_ctrl, which is ahead by what is on the wires. */
typedef enum { TOM_OUTSIDE, TOM_WAITS, TOM_RUNS, TOM_ASKS, TOM_FENCE, TOM_PACKS, TOM_AWAY } tom_phase_t;

typedef enum { TOM_UNANSWERED, TOM_YES, TOM_NO } tom_answer_t;

/* In a warp. */
typedef struct {
  tom_phase_t phase;
  tom_answer_t answer; /* to the candidate `number` */
  unsigned number;     /* of its block among the kernel's */
  tom_job_t *job;
  uint64_t stores;                 /* TOM_FENCE: warps of its CTA that have had stores under way ever since */
  unsigned watched;                /* 0, or 1 and the number of the candidate whose instance an analyzer follows */
  uint32_t inside[TOM_MAX_BLOCKS]; /* of each candidate: threads that are in it, here */
} tom_warp_t;

/* To the controller, one of each a cycle. */
typedef struct {
  uint8_t warp, number;
  uint32_t mask;
} tom_begin_t;

typedef struct {
  uint8_t warp, stack;
  bool none;
} tom_first_access_t;

/* The controller of an SM, an instance of tom_ctrl (rtl/tom), and
 * what is on its way to it and from it (tom_controller.c). */
typedef struct {
  offload_instance_t instance;
  void *in;                /* tom_ctrl_in_t, of the cycle that is under way */
  bool told;               /* something valid is in it */
  ring_t begins, accesses; /* tom_begin_t, tom_first_access_t */
  bool granted, refused;   /* in this cycle, by tom_gate */
  /* in the last cycle it asked for a row, which is on its wires in this one */
  bool reads_operand, reads_row;
  uint32_t operand[TOM_WARP], row[TOM_WARP]; /* that row */
  /* whose request comes, how many beats have come; places to be given back */
  unsigned packing, beats, credits;
  uint64_t left;                 /* numbers of rows that are still to come */
  ring_t requests;               /* packet_t *: whole ones, which wait for the crossbar */
  packet_t *ack_head, *ack_tail; /* packets from stacks */
  unsigned ack_beats;            /* of the first of them: that it has taken */
  uint64_t ack_left;             /* numbers of rows that are still to be given */
  unsigned awake;                /* cycles until it may rest */
} tom_controller_t;

/* In an SM. */
struct tom_sm {
  tom_die_t *die;
  offload_port_t port;
  tom_warp_t warp[GPU_MAX_WARPS];
  tom_controller_t controller;
  unsigned under_way; /* warps between TOM_OUTSIDE and TOM_AWAY, but not TOM_RUNS */
  uint64_t fence;     /* warps, a bit each */
};

/* ---- tom_controller.c ---- */

int tom_controller_init(tom_sm_t *s); /* -1: out of host memory, or the engine cannot be had */
void tom_controller_deinit(tom_sm_t *s);
void tom_controller_load(tom_sm_t *s); /* the kernel's candidates into its table, without time */
void tom_controller_begin(tom_sm_t *s, unsigned warp, unsigned number, uint32_t mask);
void tom_controller_access(tom_sm_t *s, unsigned warp, bool none, unsigned stack);
void tom_controller_packet(tom_sm_t *s, packet_t *packet); /* from a stack, takes it over */
void tom_controller_step(tom_sm_t *s);
bool tom_controller_rests(const tom_sm_t *s);

/* ---- offload_tom.c: what it says ---- */

bool tom_warp_is_watched(const tom_sm_t *s, unsigned warp);    /* an analyzer follows an instance in it */
void tom_warp_runs(tom_sm_t *s, unsigned warp);                /* on to its first access */
void tom_warp_stays(tom_sm_t *s, unsigned warp, unsigned why); /* WHY_* of tom_meta.def */
void tom_warp_fence(tom_sm_t *s, unsigned warp);
bool tom_warp_may_go(tom_sm_t *s, unsigned warp); /* its CTA's stores have been drained, what it loads is there */
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

void *tom_compile_module(const ptx_module_t *module, const gpu_config_t *config); /* NULL: out of memory */
void tom_discard_module(void *blocks);

#endif

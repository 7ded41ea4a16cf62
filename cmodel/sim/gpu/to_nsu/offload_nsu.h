/* SPDX-License-Identifier: Apache-2.0
 *
 * Partitioned execution's state, on the die and in an SM, for its files: offload_nsu (in an SM, and
 * the policy as such), offload_nsu_die (blocks, NSU code and constants in memory, credits of the
 * NSUs' buffers), offload_nsu_look (addresses, before a block begins), offload_nsu_waits.
 */
#ifndef OFFLOAD_NSU_H
#define OFFLOAD_NSU_H

#include "ndp_manager.h"
#include "offload.h"
#include "offload_decision.h"
#include "offload_policy.h"
#include "offload_target.h"
#include "tom_admission.h"

typedef struct nsu_sm nsu_sm_t;

/* Code of a module for NSUs, in memory. */
typedef struct {
  const offload_t *of;
  uint64_t base; /* physical */
} nsu_code_t;

typedef struct {
  const gpu_shared_t *sh;
  ndp_manager_t manager;
  offload_decision_t decision;
  /* while it is learnt where data should be: says when enough
   * has been seen. Not there where SMs of stacks have one */
  tom_admission_t gate;
  uint64_t wta_in_flight[STACK_ADDRESS_STACKS]; /* writes that NSUs have still to do there */
  nsu_sm_t *sm[GPU_MAX_SMS];
  nsu_code_t *code; /* of each module that was loaded; [codes] */
  unsigned codes;
  /* the module whose kernels are launched */
  const ptx_module_t *module; /* NULL: none, or nothing of it can be offloaded */
  const offload_t *offload;
  int32_t **first;                /* of each function: of each instruction, the block that starts there, or -1 */
  uint64_t code_base, const_base; /* physical */
  const offload_kernel_t *kernel; /* that runs; NULL: no blocks */
  unsigned kernel_at;             /* number of its first block in the module */
  /* of each of its blocks: issue slots to look at addresses
   * before it begins; 0: the launch has the answer */
  uint16_t *look_slots;
  uint8_t *aside; /* registers of a warp that looks; NULL: none of the kernel's does */
} nsu_die_t;

/* In a warp. */
typedef struct {
  enum { NSU_OUTSIDE, NSU_RUNNING, NSU_ENDED } phase;
  const offload_block_t *block;
  uint16_t looked; /* slots taken to look at addresses, before it begins */
  uint32_t mask;   /* threads that began it */
  int target;      /* stack, or OFFLOAD_NO_TARGET */
  offload_target_t choice;
  uint16_t queued;      /* its accesses in the load/store unit */
  bool granted, listed; /* listed: in the SM's list of those that may send */
  uint32_t invals;      /* invalidations to come */
  packet_t *command, *ack;
  unsigned rdf, rdf_hits, rdf_hit_bytes; /* sent for this block; those that a cache answered; bytes of its answers */
  packet_t *pending_head, *pending_tail;
  uint64_t empty_rd, empty_wr; /* sequence numbers of instructions whose empty packet has still to be made */
  uint64_t begun_at, asked_at, ended_at;
} nsu_warp_t;

/* In an SM. */
struct nsu_sm {
  nsu_die_t *die;
  offload_port_t port;
  nsu_warp_t warp[GPU_MAX_WARPS];
  unsigned pending;              /* entries of the pending buffer in use or promised */
  uint64_t watched;              /* warps in a block that an analyzer follows (tom_learn.h), a bit each */
  uint64_t refused;              /* warps whose access found too few of them free, a bit each */
  uint16_t needs[GPU_MAX_WARPS]; /* how many it needs */
  packet_t *ready_head, *ready_tail;
  unsigned ready_count;
  uint8_t granted[GPU_MAX_WARPS]; /* warps with pending packets that may go, in the order of grants */
  unsigned num_granted;
};

void *nsu_die_new(const gpu_shared_t *sh);
void nsu_die_free(void *die);
int nsu_die_load(void *die, const ptx_module_t *module, const void *blocks, trouble_t *err);
void nsu_die_forget(void *die, const void *blocks);
int nsu_die_launch(void *die, const int32_t **first, trouble_t *err);
unsigned nsu_die_candidates(const void *die, bool *any);
void nsu_die_hit(void *die, const packet_t *response);
void nsu_die_resized(void *die, const packet_t *response, int bytes);
uint64_t nsu_die_writes(const void *die, unsigned stack);
gpu_log_t nsu_die_log(const void *die);
bool nsu_die_arrive(void *die, unsigned link, const packet_t *packet);
gpu_credits_t nsu_die_credits(const void *die, unsigned link);

int nsu_look_launch(nsu_die_t *die, trouble_t *err);
uint64_t nsu_look_needs(const nsu_sm_t *sm, unsigned warp); /* as offload_policy_t's needs and look */
offload_look_t nsu_look(void *sm, unsigned warp);

size_t nsu_waits_die(const void *die, unsigned link, char *text, size_t size);
size_t nsu_waits_sm(const void *sm, unsigned id, char *text, size_t size);
size_t nsu_waits_warp(const void *sm, unsigned warp, char *text, size_t size);

/* A register, or half of one, as a thread's word of a command or an acknowledgement. */
uint32_t nsu_word_sent(const simt_kernel_t *k, const simt_warp_t *w, const offload_reg_t *r, unsigned lane);
void nsu_word_returned(const simt_kernel_t *k, simt_warp_t *w, const offload_reg_t *r, unsigned lane, uint32_t word);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Partitioned execution (NSU paper, section 4.1.1): the state on the die and in an SM.
 *
 * Files: offload_nsu.c (in an SM, and the policy), offload_nsu_die.c (blocks, NSU code, constants,
 * credits), offload_nsu_look.c (addresses, before a block begins), offload_nsu_waits.c (reports).
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

/* NSU code of a module, in memory. */
typedef struct {
  const offload_t *of;
  uint64_t base; /* physical address */
} nsu_code_t;

/* State on the die. */
typedef struct {
  const gpu_shared_t *sh;
  ndp_manager_t manager;
  offload_decision_t decision;
  /* while the placement of data is learnt: says when enough instances have been seen. Not open
   * if SMs of stacks have such a gate */
  tom_admission_t gate;
  /* writes that NSUs have still to do in each stack */
  uint64_t wta_in_flight[STACK_ADDRESS_STACKS];
  nsu_sm_t *sm[GPU_MAX_SMS];
  nsu_code_t *code; /* [codes], of each module ever loaded */
  unsigned codes;
  /* the module whose kernels are launched */
  const ptx_module_t *module; /* NULL: none, or the module has nothing to offload */
  const offload_t *offload;
  int32_t **first;                /* [functions][instructions]: the block that starts there, or -1 */
  uint64_t code_base, const_base; /* physical addresses */
  const offload_kernel_t *kernel; /* the running kernel; NULL: it has no blocks */
  unsigned kernel_at;             /* number in the module of the kernel's first block */
  /* [blocks of the kernel]: issue slots of a look at addresses; 0: the launch has the answer */
  uint16_t *look_slots;
  uint8_t *aside; /* register file for a look; NULL: no block of the kernel needs a look */
} nsu_die_t;

/* State of a warp. */
typedef struct {
  enum { NSU_OUTSIDE, NSU_RUNNING, NSU_ENDED } phase;
  const offload_block_t *block;
  uint16_t looked; /* slots taken for the look, before the block begins */
  uint32_t mask;   /* threads that began the block */
  int target;      /* stack, or OFFLOAD_NO_TARGET */
  offload_target_t choice;
  uint16_t queued;      /* accesses in the load/store unit */
  bool granted, listed; /* listed: in the SM's list `granted` */
  uint32_t invals;      /* invalidations still to come */
  packet_t *command, *ack;
  /* RDFs sent for the block; those that a cache answered; bytes of these answers */
  unsigned rdf, rdf_hits, rdf_hit_bytes;
  packet_t *pending_head, *pending_tail; /* its packets in the pending buffer */
  /* sequence numbers of words whose empty packet is still to be made */
  uint64_t empty_rd, empty_wr;
  uint64_t begun_at, asked_at, ended_at;
} nsu_warp_t;

/* State of an SM. */
struct nsu_sm {
  nsu_die_t *die;
  offload_port_t port;
  nsu_warp_t warp[GPU_MAX_WARPS];
  unsigned pending;                  /* pending buffer: entries in use or reserved */
  uint64_t watched;                  /* warps whose block an analyzer watches (tom_learn.h), one bit each */
  uint64_t refused;                  /* warps whose access found too few free entries, one bit each */
  uint16_t needs[GPU_MAX_WARPS];     /* entries that each refused access needs */
  packet_t *ready_head, *ready_tail; /* the ready buffer */
  unsigned ready_count;
  /* warps with packets that may leave the pending buffer, in the order of grants */
  uint8_t granted[GPU_MAX_WARPS];
  unsigned num_granted;
};

/* Functions of the policy (offload_policy.h), on the die. */
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

/* nsu_look_launch prepares the looks of a launch. -1 with err. The others are `needs` and `look`
 * of the policy. */
int nsu_look_launch(nsu_die_t *die, trouble_t *err);
uint64_t nsu_look_needs(const nsu_sm_t *sm, unsigned warp);
offload_look_t nsu_look(void *sm, unsigned warp);

/* Reports of what waits: describe, describe_sm and describe_warp of the policy. */
size_t nsu_waits_die(const void *die, unsigned link, char *text, size_t size);
size_t nsu_waits_sm(const void *sm, unsigned id, char *text, size_t size);
size_t nsu_waits_warp(const void *sm, unsigned warp, char *text, size_t size);

/* A register, or half of one, as a thread's word of a command; and back from an acknowledgement. */
uint32_t nsu_word_sent(const simt_kernel_t *k, const simt_warp_t *w, const offload_reg_t *r, unsigned lane);
void nsu_word_returned(const simt_kernel_t *k, simt_warp_t *w, const offload_reg_t *r, unsigned lane, uint32_t word);

#endif

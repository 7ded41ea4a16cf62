/* SPDX-License-Identifier: Apache-2.0
 *
 * An offload policy: which blocks of instructions an SM gives away to be computed near the data,
 * how, and when its warp goes on. The SM knows no scheme. What it does with a warp and a policy:
 *
 *   1 At an instruction where a block starts (`first` of the launch) it asks `decide`, once. No:
 *     nothing more of this list.
 *   2 Yes: it waits until all that the warp has accessed is over (loads are there, stores
 *     acknowledged) and for the cycle that `needs` says, then `look`, if there is one, may take
 *     issue slots and say that the block is not to be given away after all; then `begin` takes a
 *     slot.
 *   3 Each instruction from there on is done as `what` says: as always, not at all (but for its
 *     slot), or by `access`, with addresses translated and coalesced.
 *   4 The instruction of which `ends` is true is the block's last: `end`; the warp stands still
 *     until the policy says `resume` (or in `end` itself).
 *
 * A policy of which a block may begin, or a warp come to a barrier, while accesses of the warp are
 * under way says so (`overlaps`), and sees to their order itself. It may make a warp stand
 * still in `access` (hold, and false), and go on there or elsewhere (go), or end it in `begin`
 * (retire).
 *
 * A policy has an object on the die, one in each SM, and keeps what it knows of a warp there; the
 * SM's packets that nobody else takes are its own. It may use the load/store unit (ldst_take,
 * ldst_port), read and write a warp's registers, and send packets into the crossbar.
 */
#ifndef OFFLOAD_POLICY_H
#define OFFLOAD_POLICY_H

#include "coalesce.h"
#include "gpu_shared.h"

struct ldst;        /* ldst.h */
struct ldst_access; /* ldst.h */
struct sm_warp;     /* sm_warp.h */

enum { OFFLOAD_HERE = UINT32_MAX }; /* no pc */

typedef enum {
  OFFLOAD_AS_ALWAYS,
  OFFLOAD_SKIP,   /* takes its issue slot as a NOP: it is done elsewhere */
  OFFLOAD_ACCESS, /* a load or store of global memory that the policy does */
} offload_what_t;

typedef enum {
  OFFLOAD_GO,      /* on to `begin`, in this slot */
  OFFLOAD_LOOKING, /* took the slot, asks for another */
  OFFLOAD_WAIT,    /* for a page that comes from the host: asks again when some page is there */
  /* as OFFLOAD_WAIT, but the block's pages are there: what
   * it waits for is busy, not missing (stall_exec) */
  OFFLOAD_NOT_YET,
  OFFLOAD_STAY,  /* the block is executed as always */
  OFFLOAD_AGAIN, /* it is; but another may begin here: `decide` is asked once more */
} offload_look_t;

/* An SM as its policy sees it. */
typedef struct {
  const gpu_shared_t *sh;
  unsigned id;
  const uint64_t *now;
  struct sm_warp *warps; /* their registers may be written, and when they may be used */
  struct ldst *ldst;
  void *sm;
  void (*resume)(void *sm, unsigned warp); /* the block is done: the warp goes on behind it */
  void (*room)(void *sm, uint64_t warps);  /* these (a bit each), which `access` refused, try again */
  void (*hold)(void *sm, unsigned warp);
  /* a warp that is held; OFFLOAD_HERE: at its next instruction, outside of any block */
  void (*go)(void *sm, unsigned warp, uint32_t pc);
  void (*retire)(void *sm, unsigned warp); /* the warp has no threads any more */
  bool *busy;                              /* the policy's: `step` is called each cycle while it is true */
} offload_port_t;

typedef struct offload_policy {
  const char *name, *text;
  /* what `load` takes; NULL: out of host memory */
  void *(*compile)(const ptx_module_t *module, const gpu_config_t *config);
  void (*discard)(void *blocks);
  /* an atomic is over for its SM when memory has what it
   * wrote, as with a store; else when the L2 has done it */
  bool hears_atomics;
  /* On the die. */
  void *(*new)(const gpu_shared_t *sh); /* NULL: out of host memory */
  void (*free)(void *die);
  /* instead of the one before; NULL, NULL: none */
  int (*load)(void *die, const ptx_module_t *module, const void *blocks, trouble_t *err);
  /* the module of these is unloaded; NULL: nothing is kept of it */
  void (*forget)(void *die, const void *blocks);
  /* *first: NULL, nothing to offload */
  int (*launch)(void *die, const int32_t **first, trouble_t *err);
  /* of the kernel that was launched; whether the module has any. With `watch` */
  unsigned (*candidates)(const void *die, bool *any);
  void (*tick)(void *die);      /* once a cycle, before the SMs */
  void (*tick_xbar)(void *die); /* once a crossbar cycle; NULL: nobody asks */
  /* over a link; false: not the policy's. The SM gets it too, unless it is a CREDIT */
  bool (*arrive)(void *die, unsigned link, const packet_t *packet);
  size_t (*describe)(const void *die, unsigned link, char *text, size_t size); /* who waits for what, as snprintf */
  gpu_credits_t (*credits)(const void *die, unsigned link);
  /* under way, of engines in stacks; NULL: never any */
  uint64_t (*writes_to)(const void *die, unsigned stack);
  /* an L2 slice answers an RDF with this packet; NULL: nobody asks */
  void (*hit)(void *die, const packet_t *response);
  /* that answer goes over its link so much longer (read_only.h); NULL: nobody asks */
  void (*resized)(void *die, const packet_t *response, int bytes);
  gpu_log_t (*log)(const void *die); /* NULL: keeps nothing */
  /* In an SM. */
  void *(*attach)(void *die, const offload_port_t *port); /* NULL: out of host memory */
  void (*detach)(void *sm);
  bool (*decide)(void *sm, unsigned warp, unsigned block);
  /* a block that `decide` chose, or a barrier; NULL: never */
  bool (*overlaps)(const void *sm, unsigned warp, bool begin);
  /* the warp has issued the last instruction of a block that `decide` kept; NULL: nobody asks */
  void (*kept)(void *sm, unsigned warp);
  /* cycle from which the warp may begin; SM_NEVER: a load has to come first */
  uint64_t (*needs)(const void *sm, unsigned warp);
  offload_look_t (*look)(void *sm, unsigned warp); /* NULL: always OFFLOAD_GO */
  bool (*begin)(void *sm, unsigned warp);          /* false: cannot now */
  offload_what_t (*what)(const void *sm, unsigned warp, const simt_op_t *op);
  /* mask 0: no thread; false: not before `room` */
  bool (*access)(void *sm, unsigned warp, const simt_op_t *op, uint32_t mask, const coalesce_t *lines);
  /* it accesses global memory itself; NULL: nobody asks */
  void (*watch)(void *sm, unsigned warp, uint32_t mask, const uint64_t *vaddr, const uint64_t *paddr);
  /* one packet of it; true: that was the last */
  bool (*emit)(void *sm, struct ldst_access *a);
  bool (*ends)(const void *sm, unsigned warp, uint32_t pc);
  void (*end)(void *sm, unsigned warp);
  bool (*packet)(void *sm, packet_t *packet); /* true: taken over */
  void (*step)(void *sm);
  size_t (*describe_sm)(const void *sm, unsigned id, char *text, size_t size); /* ends the SM's line */
  size_t (*describe_warp)(const void *sm, unsigned warp, char *text, size_t size);
} offload_policy_t;

#endif

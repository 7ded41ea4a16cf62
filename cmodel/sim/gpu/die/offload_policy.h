/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of an offload policy. A policy decides which blocks of instructions an SM gives
 * away to be computed near the data, how, and when the warp resumes. The SM knows no particular
 * scheme.
 *
 *   decide --no--> the warp executes the block itself; `kept` reports its end
 *     | yes
 *     v
 *   wait until the warp's accesses are over, and for the cycle of `needs`
 *     v
 *   look --stay--> as after no         (look may also take slots, or wait)
 *     | go
 *     v
 *   begin -> what -> what -> ... -> end -> the warp waits for `resume`
 *
 * 1. At an instruction where a block starts (`first` of the launch) the SM calls `decide` once.
 * 2. A chosen block waits: all loads of the warp have arrived, all its stores are acknowledged, and
 *    the cycle of `needs` has come. `look`, if any, may take issue slots, or keep the block on the
 *    SM after all. `begin` takes one slot.
 * 3. From then on `what` selects for each instruction: normal execution, a NOP, or `access` with
 *    translated and coalesced addresses.
 * 4. After the instruction for which `ends` is true, the SM calls `end`. The warp waits until the
 *    policy calls `resume`, possibly inside `end`.
 *
 * A policy with `overlaps` may let a block begin, or a warp pass a barrier, while accesses are
 * under way. The policy then orders them itself. `access` may stop a warp: it calls `hold` and
 * returns false; `go` resumes the warp there or elsewhere. `begin` may end a warp with `retire`.
 *
 * A policy has one object on the die and one in each SM. The SM hands over every packet that no
 * other unit takes. The policy may use the load/store unit (ldst_take, ldst_port), read and write a
 * warp's registers, and send packets into the crossbar.
 */
#ifndef OFFLOAD_POLICY_H
#define OFFLOAD_POLICY_H

#include "coalesce.h"
#include "gpu_shared.h"

struct ldst;        /* ldst.h */
struct ldst_access; /* ldst.h */
struct sm_warp;     /* sm_warp.h */

enum { OFFLOAD_HERE = UINT32_MAX }; /* for `go`: not a pc */

/* How the SM treats an instruction of a block. */
typedef enum {
  OFFLOAD_AS_ALWAYS,
  OFFLOAD_SKIP,   /* takes an issue slot as a NOP; the work is done elsewhere */
  OFFLOAD_ACCESS, /* load or store of global memory, done by the policy */
} offload_what_t;

/* Result of `look`. */
typedef enum {
  OFFLOAD_GO,      /* call `begin` in this slot */
  OFFLOAD_LOOKING, /* took the slot, needs another one */
  OFFLOAD_WAIT,    /* waits for a page of the host; call again when a page has arrived */
  /* waits for something busy, not for a page: the slot counts as stall_exec */
  OFFLOAD_NOT_YET,
  OFFLOAD_STAY,  /* the SM executes the block itself */
  OFFLOAD_AGAIN, /* the same, but another block may begin here: call `decide` again */
} offload_look_t;

/* An SM, as its policy sees it. */
typedef struct {
  const gpu_shared_t *sh;
  unsigned id;
  const uint64_t *now;
  struct sm_warp *warps; /* registers and scoreboard may be written */
  struct ldst *ldst;
  void *sm;
  void (*resume)(void *sm, unsigned warp); /* the block is done: the warp continues behind it */
  void (*room)(void *sm, uint64_t warps);  /* warps that `access` refused, one bit each, try again */
  void (*hold)(void *sm, unsigned warp);   /* stops the warp until `go` */
  /* resumes a held warp at pc; OFFLOAD_HERE: at its next instruction, outside of any block */
  void (*go)(void *sm, unsigned warp, uint32_t pc);
  void (*retire)(void *sm, unsigned warp); /* ends the warp: it has no threads any more */
  bool *busy;                              /* owned by the policy: the SM calls `step` each cycle while it is true */
} offload_port_t;

/* A policy. int functions return -1 with err. */
typedef struct offload_policy {
  const char *name, *text;
  /* finds a module's blocks, for `load`; NULL: out of host memory */
  void *(*compile)(const ptx_module_t *module, const gpu_config_t *config);
  void (*discard)(void *blocks); /* frees what `compile` returned */
  /* an atomic counts as finished for its SM when memory has the result, as with a store; false:
   * when the L2 has executed it */
  bool hears_atomics;
  /* On the die. */
  void *(*new)(const gpu_shared_t *sh); /* NULL: out of host memory */
  void (*free)(void *die);
  /* replaces the blocks of another module; NULL, NULL: none */
  int (*load)(void *die, const ptx_module_t *module, const void *blocks, trouble_t *err);
  /* the module of these blocks is unloaded; NULL: the policy keeps nothing of it */
  void (*forget)(void *die, const void *blocks);
  /* *first NULL: the kernel has nothing to offload */
  int (*launch)(void *die, const int32_t **first, trouble_t *err);
  /* number of candidates of the launched kernel; *any: the module has some. Required with
   * `watch` */
  unsigned (*candidates)(const void *die, bool *any);
  void (*tick)(void *die);      /* once a core cycle, before the SMs */
  void (*tick_xbar)(void *die); /* once a crossbar cycle; may be NULL */
  /* a packet came over a link; false: not for the policy. The SM gets it too, unless it is a
   * CREDIT */
  bool (*arrive)(void *die, unsigned link, const packet_t *packet);
  /* a line for each part that waits, with what it waits for; as snprintf */
  size_t (*describe)(const void *die, unsigned link, char *text, size_t size);
  gpu_credits_t (*credits)(const void *die, unsigned link);
  /* writes of engines in the stack that are under way; NULL: never any */
  uint64_t (*writes_to)(const void *die, unsigned stack);
  /* an L2 slice answers an RDF with this packet; may be NULL */
  void (*hit)(void *die, const packet_t *response);
  /* the answer is `bytes` longer on its link (read_only.h); may be NULL */
  void (*resized)(void *die, const packet_t *response, int bytes);
  gpu_log_t (*log)(const void *die); /* may be NULL */
  /* In an SM. */
  void *(*attach)(void *die, const offload_port_t *port); /* NULL: out of host memory */
  void (*detach)(void *sm);
  bool (*decide)(void *sm, unsigned warp, unsigned block); /* whether the warp begins the block */
  /* whether a chosen block may begin, or a barrier pass, with accesses under way; NULL: never */
  bool (*overlaps)(const void *sm, unsigned warp, bool begin);
  /* the warp has issued the last instruction of a block that `decide` kept; may be NULL */
  void (*kept)(void *sm, unsigned warp);
  /* cycle from which the block may begin; SM_NEVER: a load has to arrive first */
  uint64_t (*needs)(const void *sm, unsigned warp);
  offload_look_t (*look)(void *sm, unsigned warp); /* NULL: always OFFLOAD_GO */
  bool (*begin)(void *sm, unsigned warp);          /* false: not in this cycle */
  offload_what_t (*what)(const void *sm, unsigned warp, const simt_op_t *op);
  /* mask 0: no thread accesses; false: try again after `room` */
  bool (*access)(void *sm, unsigned warp, const simt_op_t *op, uint32_t mask, const coalesce_t *lines);
  /* the warp itself accesses global memory; may be NULL */
  void (*watch)(void *sm, unsigned warp, uint32_t mask, const uint64_t *vaddr, const uint64_t *paddr);
  /* makes one packet of an access at the unit's head; true: the last one */
  bool (*emit)(void *sm, struct ldst_access *a);
  /* whether pc is the block's last instruction */
  bool (*ends)(const void *sm, unsigned warp, uint32_t pc);
  void (*end)(void *sm, unsigned warp);
  bool (*packet)(void *sm, packet_t *packet); /* true: the policy has taken the packet */
  void (*step)(void *sm);                     /* each cycle while *busy */
  /* appends to the SM's line */
  size_t (*describe_sm)(const void *sm, unsigned id, char *text, size_t size);
  size_t (*describe_warp)(const void *sm, unsigned warp, char *text, size_t size);
} offload_policy_t;

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A streaming multiprocessor: warps, schedulers, scoreboard, load/store unit, L1, offload buffers.
 *
 * Scheduling: `schedulers` schedulers, warp slot modulo their number; greedy-then-oldest, one instruction a cycle each.
 * Everything executes at issue but global loads and atomics, whose destinations are written when the data come; the
 * scoreboard keeps a register's next use until its result's latency is over. L1: write-through, no allocation by
 * stores; a store updates the line if it is there and keeps a fill that is under way from being cached (its data may be
 * older). Files: sm.c (issue, blocks of threads), sm_mem.c (load/store unit, L1), sm_offload.c (partitioned execution).
 */
#ifndef SM_H
#define SM_H

#include "cache.h"
#include "coalesce.h"
#include "gpu.h"
#include "gpu_packet.h"
#include "ndp_manager.h"
#include "offload.h"
#include "page_table.h"
#include "simt.h"
#include "simt_stack.h"
#include "xbar.h"

/* What a launch is, for all SMs. */
typedef struct {
  const simt_kernel_t *kernel;
  const offload_kernel_t *blocks;  /* NULL: nothing to offload */
  const int32_t *block_first;      /* of each instruction: the block that starts there, or -1 */
  uint8_t *konsts;                 /* constant operands */
  const uint8_t *params, *const_segment;
  uint64_t const_bytes;
  uint64_t code_base, const_base;  /* physical: NSU code, constants */
  uint32_t grid[3], block[3];
  uint32_t threads, warps;         /* of a CTA */
  uint32_t shared_bytes, dynamic_shared;
  uint32_t ctas_per_sm;
  uint64_t num_ctas, next_cta, done_ctas;
  uint64_t id;                     /* launches so far */
} gpu_run_t;

/* What SMs share. */
typedef struct {
  const gpu_config_t *config;
  packet_pool_t *pool;
  xbar_t *xbar;
  page_table_t *pages;
  ndp_manager_t *manager;
  gpu_run_t *run;
  gpu_stats_t *stats;
  gpu_error_t *fault;
  uint64_t *wta_in_flight;         /* [stack]: writes that NSUs have still to do there */
} sm_shared_t;

/* A memory instruction in the load/store unit or waiting for data. */
typedef struct {
  const simt_op_t *op;
  uint8_t warp, total;             /* bytes a thread */
  enum { ACCESS_FREE, ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOM, ACCESS_RDF, ACCESS_WTA } kind;
  uint8_t next_line, next_word;    /* what the unit does next */
  uint8_t seq, words, word_bytes;  /* offload: sequence number of word 0, words a thread */
  bool reserved;                   /* offload: its packets have room in the pending buffer */
  uint16_t waiting;                /* lines that have been asked for and are not there */
  uint32_t mask;
  uint64_t done_at;
  coalesce_t lines;
  uint8_t stride;                  /* of blob */
  uint8_t blob[GPU_WARP_WIDTH * 32]; /* store data, atomic operands: thread i's bytes at i * stride */
} sm_access_t;

enum { L1_MAX_MERGES = 64, L1_MAX_MSHRS = 64 };
typedef struct {
  uint8_t count;
  struct {
    uint16_t access;
    uint32_t lanes;
  } wait[L1_MAX_MERGES];
} l1_mshr_t;

typedef enum { OFFLOAD_NONE, OFFLOAD_RUNNING, OFFLOAD_ENDED } offload_mode_t;

typedef struct {
  simt_warp_t simt;
  simt_stack_t stack;
  uint64_t *ready;                 /* cycle from which a register slot may be used; SM_NEVER: a load will write it */
  uint32_t first_thread;           /* linear in the CTA */
  uint8_t cta;
  bool live;                       /* has threads that have not exited */
  bool decided;                    /* the block at pc is not to be offloaded */
  uint16_t stores;                 /* lines written or atomics, not acknowledged */
  uint32_t instances;              /* offload blocks met */
  /* partitioned execution */
  offload_mode_t mode;
  const offload_block_t *block;
  uint32_t block_mask;
  int target;                      /* stack, or -1 */
  bool granted;
  uint32_t invals;                 /* invalidations to come */
  packet_t *command, *ack;
  packet_t *pending_head, *pending_tail;
  uint64_t empty_rd, empty_wr;     /* sequence numbers of instructions whose empty packet has still to be made */
  bool in_granted;                 /* in the list of the SM */
  uint64_t asked_at, ended_at;
} sm_warp_t;
#define SM_NEVER UINT64_MAX

enum { SM_BARRIERS = 16, SM_MAX_CTAS = 48, SM_WHEEL = 64 };
typedef struct {
  bool live;
  uint64_t index;                  /* linear in the grid */
  uint32_t ctaid[3];
  uint64_t warps;                  /* slots */
  uint32_t live_warps;
  uint32_t outstanding;            /* accesses and stores of its warps */
  uint8_t *shared;
  struct {
    uint64_t waiting;
    uint32_t arrived, expected;    /* warps; expected 0: all that are live */
  } barrier[SM_BARRIERS];
} sm_cta_t;

typedef struct sm {
  sm_shared_t *sh;
  unsigned id;
  uint64_t now;
  /* warps */
  sm_warp_t *warps;
  unsigned num_warps;              /* slots of this launch */
  uint64_t live, ready, next_lsu, next_sfu, next_dp, wait_data, wait_stores, wait_ack, wait_barrier;
  uint64_t wheel[SM_WHEEL], wheel_used;
  uint64_t age[GPU_MAX_WARPS], ages; /* order in which warps were started */
  int last[2];
  uint8_t *regs, *local;
  uint64_t *ready_slots;
  sm_cta_t ctas[SM_MAX_CTAS];
  unsigned live_ctas;
  uint8_t *shared;
  /* load/store unit */
  sm_access_t *accesses;
  uint16_t *free_access;
  unsigned num_free;
  uint16_t lsu[32];
  unsigned lsu_head, lsu_count;
  uint64_t lsu_busy, sfu_busy, dp_busy;
  cache_t l1;
  l1_mshr_t *mshrs;
  uint64_t mshr_line[L1_MAX_MSHRS];
  uint64_t mshrs_used;             /* bit i: MSHR i waits for its line */
  uint64_t mshrs_live;             /* of those: the line may be cached. The others' data may be stale: they serve who
                                      waits, cache nothing and take no new ones */
  bool l1_taken;                   /* by the load/store unit in this cycle */
  bool rdf_turn;
  /* offload */
  unsigned pending;                /* entries of the pending buffer in use or promised */
  packet_t *ready_head, *ready_tail;
  unsigned ready_count;
  uint8_t granted[GPU_MAX_WARPS];  /* warps with pending packets that may go, in the order of grants */
  unsigned num_granted;
} sm_t;

int sm_init(sm_t *sm, unsigned id, sm_shared_t *sh);   /* -1: out of host memory */
void sm_deinit(sm_t *sm);
int sm_start(sm_t *sm);                                /* a launch: buffers for it, empty L1; -1: out of host memory */
bool sm_has_room(const sm_t *sm);                      /* for one more CTA */
void sm_add_cta(sm_t *sm, uint64_t index);
void sm_tick(sm_t *sm);
bool sm_busy(const sm_t *sm);
void sm_grant(sm_t *sm, unsigned warp);                /* the manager has reserved this warp's entries */

/* sm.c, for the other files */
void sm_prepare(sm_t *sm, unsigned warp); /* looks at the warp's next instruction: ready, or what it waits for */
void sm_advance(sm_t *sm, unsigned warp);              /* to the next instruction */
void sm_cta_release(sm_t *sm, unsigned cta);           /* one access or store of it is over */
uint32_t sm_guard(const sm_warp_t *w, const simt_op_t *op); /* active threads whose guard holds */
packet_t *sm_packet(sm_t *sm, unsigned type);          /* NULL: out of memory, the machine has faulted */
void sm_thread_name(const sm_t *sm, unsigned warp, unsigned lane, char *text, size_t size);

/* sm_mem.c */
bool sm_issue_memory(sm_t *sm, unsigned warp, const simt_op_t *op); /* false: cannot now */
void sm_lsu_step(sm_t *sm);
void sm_receive(sm_t *sm, packet_t *packet);
sm_access_t *sm_new_access(sm_t *sm, unsigned warp, const simt_op_t *op);
int sm_global_addresses(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, unsigned bytes,
                        const uint64_t *vaddr, uint64_t *paddr); /* -1: out of bounds or misaligned, faulted */
void sm_addresses(const sm_warp_t *w, const simt_op_t *op, uint64_t *vaddr);
bool sm_lsu_room(const sm_t *sm);
void sm_lsu_push(sm_t *sm, sm_access_t *a);
void sm_free_access(sm_t *sm, sm_access_t *a);

/* sm_offload.c */
bool sm_offload_decide(sm_t *sm, unsigned warp);       /* at a block's first instruction */
bool sm_offload_begin(sm_t *sm, unsigned warp);        /* OFLD.BEG; false: cannot now */
bool sm_offload_memory(sm_t *sm, unsigned warp, const simt_op_t *op, bool store);
bool sm_offload_emit(sm_t *sm, sm_access_t *a);        /* one packet; false: no room */
void sm_offload_end(sm_t *sm, unsigned warp);          /* OFLD.END reached */
void sm_offload_ack(sm_t *sm, packet_t *packet);
void sm_offload_inval(sm_t *sm, unsigned warp);
void sm_offload_step(sm_t *sm);                        /* pending to ready, ready to the crossbar */
void sm_rdf_response(packet_t *p, const uint32_t *words); /* an RDF becomes the response with data of its line */

#endif

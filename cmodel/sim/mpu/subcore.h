/* SPDX-License-Identifier: Apache-2.0
 *
 * A subcore on the base logic die: warps, scoreboard, issue, offload engine with track table and
 * move engine, far-bank execution, LSU (MPU paper, IV-B).
 *
 * A cycle in three parts, called by the core in this order: subcore_begin (answers are in `in`;
 * messages that wait for the bus come out as offers), then the bus takes what it takes, then
 * subcore_end (dispatch, issue, clock edge).
 */
#ifndef SUBCORE_H
#define SUBCORE_H

#include "atomic_port.h"
#include "core_base.h"
#include "lsu.h"
#include "lsu_ext.h"
#include "move_engine.h"
#include "mpu_calls.h"
#include "mpu_regs.h"
#include "offload_engine.h"
#include "simt_stack.h"
#include "track_table.h"
#include "tsv.h"

enum {
  SUBCORE_TAGS = 64, /* instructions dispatched or waiting in the offload engine */
  SUBCORE_WHEEL = 128,
  SUBCORE_QUEUE = 2,  /* messages to the near-bank unit that wait for the bus */
  SUBCORE_OFFERS = 4, /* LSU, move engine, queue, atomics */
  SUBCORE_MOVE_ID = 255,
  SUBCORE_BUDGET = LSU_EXT_COMMITS - 1, /* one is the move engine's */
};

typedef struct {
  /* resolving: a branch or the like is on its way through the offload engine */
  bool live, resolving, at_barrier;
  bool acquires;                                        /* nothing issues before all that it has under way is over */
  enum { FETCH_LATER, FETCH_WAITS, FETCH_THERE } fetch; /* its next instruction, of a cache that is not ideal */
  uint8_t block, elem;
  uint32_t first_thread, full; /* linear in the block; threads it began with */
  uint32_t inflight;
  uint16_t remote_loads, remote_stores;
  uint16_t accesses[2], atomics[2]; /* under way, of global and of near-bank shared memory */
  uint64_t age;
  simt_stack_t stack;
  simt_reduction_t reduction; /* at a barrier */
  uint8_t (*score)[2];        /* scoreboard: instructions that will read, write a register */
  uint8_t *local;
} mpu_warp_t;

typedef struct {
  bool write;
  uint8_t id;
  uint32_t data[LSU_XFER_WORDS];
} subcore_answer_t;

enum { SUBCORE_ANSWERS = 64 };
typedef struct {
  subcore_answer_t entry[SUBCORE_ANSWERS];
  uint8_t head, count;
} subcore_answers_t;

/* What a subcore has to say to its core, as it happens. */
typedef struct {
  void *core;
  /* a warp that takes part has come to one */
  void (*barrier)(void *core, unsigned subcore, unsigned warp, const mpu_inflight_t *f);
  /* a warp of the block has no threads any more */
  void (*exit)(void *core, unsigned block);
  void (*done)(void *core, unsigned block); /* and nothing under way */
  /* the instruction is there; else subcore_fetched comes */
  bool (*fetch)(void *core, unsigned subcore, unsigned warp, uint32_t pc);
} subcore_events_t;

typedef struct subcore {
  core_base_t *base;
  unsigned id;
  subcore_events_t events;
  mpu_regs_t regs;
  mpu_warp_t warp[MPU_MAX_WARPS];
  mpu_calls_t calls[MPU_MAX_WARPS]; /* of kernels that call */
  uint32_t live, maybe;             /* bits: warps; those whose next instruction may be free of hazards */
  int last;
  uint64_t ages;
  uint32_t starting; /* warps that have still to be started */
  mpu_inflight_t tag[SUBCORE_TAGS];
  uint64_t tags_free;
  uint64_t wheel[SUBCORE_WHEEL];
  uint64_t sfu_free, dp_free;
  unsigned budget; /* instructions whose CPL the near-bank unit still owes */
  /* what is held in the offload engine */
  bool held, shown; /* shown: it can go, and what the engine shows stays until it does */
  uint8_t held_tag;
  offload_engine_t engine;
  offload_engine_in_t engine_in;
  offload_engine_out_t engine_out;
  track_table_t table;
  track_table_in_t table_in;
  track_table_out_t table_out;
  move_engine_t move;
  move_engine_in_t move_in;
  move_engine_out_t move_out;
  mpu_use_t moving; /* what the move engine moves a row for */
  bool frf_granted;
  uint8_t frf_warp, frf_reg;
  lsu_t lsu;
  lsu_in_t lsu_in;
  lsu_out_t lsu_out;
  struct {
    bool begun;
    uint8_t next;            /* the part that goes next, */
    uint8_t globals, locals; /* of so many: of global, then of local memory */
    uint32_t global, local;  /* threads: with addresses in global, in local memory */
    uint64_t address[32];    /* of local memory: offsets */
  } access;                  /* of the instruction held that has begun, to go to the LSU in parts */
  bool lsu_asleep, move_asleep;
  bool far_data; /* without near-bank units: the row that the LSU needs comes in the next cycle */
  subcore_answers_t local_answers, remote_answers;
  struct {
    uint64_t hdr, beat1;
    uint8_t beats;
  } queue[SUBCORE_QUEUE];
  uint8_t queued;
  tsv_offer_t offer[SUBCORE_OFFERS];
  atomic_port_t atomic;
  uint8_t taken;         /* bits: offers the bus took in this cycle */
  bool cp_came, mr_came; /* CPL and MVR of the move engine, seen in the next cycle */
  uint32_t mr_row[32];
} subcore_t;

size_t subcore_file_bytes(const subcore_t *s);    /* of its warps' register files and local memories, for the launch */
void subcore_start(subcore_t *s, uint8_t *files); /* a launch */
void subcore_deinit(subcore_t *s);
void subcore_init(subcore_t *s, core_base_t *base, unsigned id, const subcore_events_t *events);
bool subcore_has_room(const subcore_t *s, unsigned warps);
void subcore_add_warp(subcore_t *s, unsigned block, unsigned number);
unsigned subcore_begin(subcore_t *s); /* its offers, a bit each */
void subcore_end(subcore_t *s);
bool subcore_idle(const subcore_t *s);
void subcore_answer(subcore_answers_t *q, bool write, unsigned id, const uint32_t *data);
mpu_use_t subcore_offer_use(const subcore_t *s, unsigned offer);
mpu_use_t subcore_completion_use(const subcore_t *s, unsigned id); /* of a CPL with this id */
void subcore_completed(subcore_t *s, unsigned tag);                /* CPL, or the near-bank ALU's */
void subcore_wake(subcore_t *s, unsigned warp);                    /* its next instruction may be free of hazards */
void subcore_fetched(subcore_t *s, unsigned warp);                 /* its next instruction has come */

/* subcore_dispatch.c, which knows nothing of subcore.c */
bool subcore_dispatch(subcore_t *s, mpu_inflight_t *f, unsigned tag, bool near); /* false: cannot now */
/* it has a membermask; false: it does not issue now, what is to be done is done */
bool subcore_meets(subcore_t *s, unsigned warp, const mpu_op_t *op);
void subcore_release(subcore_t *s, unsigned tag); /* the instruction is over: commit */
uint64_t subcore_local_bytes(const subcore_t *s); /* of a thread, as far as calls see it */
int subcore_fault(const subcore_t *s, const mpu_inflight_t *f, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

int subcore_fault_lane(const subcore_t *s, const mpu_inflight_t *f, unsigned lane, uint64_t address, const char *what);
void subcore_addresses(const subcore_t *s, const mpu_inflight_t *f, unsigned file, uint64_t a[32]);

void subcore_release_after(subcore_t *s, unsigned tag, uint64_t cycles);
/* The addresses of an instruction's threads are good ones; else
 * false and a fault. file: where the address register is read */
bool subcore_shared_ok(subcore_t *s, const mpu_inflight_t *f, unsigned file, uint64_t a[32]);
bool subcore_smem_free(const subcore_t *s);                         /* shared memory of the base die takes an access */
void subcore_smem_use(subcore_t *s, unsigned tag, unsigned passes); /* of so many; the instruction is over then */

/* subcore_access.c: loads and stores of global memory and of local memory that is not ideal */
/* dispatch; false: cannot now, or not yet all of it */
bool subcore_access(subcore_t *s, mpu_inflight_t *f, unsigned tag);
bool subcore_global_ok(subcore_t *s, const mpu_inflight_t *f, unsigned file, uint64_t a[32]);

/* subcore_atomic.c */
bool subcore_atomic(subcore_t *s, mpu_inflight_t *f, unsigned tag); /* dispatch; false: cannot now */
tsv_offer_t subcore_atomic_offer(subcore_t *s);                     /* a request of it for the core's own units */
void subcore_atomic_sent(subcore_t *s);                             /* that has gone, or the one to another core */
void subcore_atomic_answer(subcore_t *s, const mpu_packet_t *answer);
unsigned subcore_smem_atomic(subcore_t *s, unsigned tag); /* near-bank shared memory does it; returns passes */
void subcore_smem_atomic_over(subcore_t *s, unsigned tag);
unsigned subcore_smem_atomic_beats_up(const subcore_t *s, unsigned tag);
/* Of any request of atomic operations, another core's too. */
tsv_offer_t subcore_atomic_packet_offer(const mpu_config_t *c, const mpu_packet_t *p);
unsigned subcore_atomic_beats_down(const mpu_config_t *c, const mpu_packet_t *p);
unsigned subcore_atomic_beats_up(const mpu_config_t *c, const mpu_packet_t *p);

#endif

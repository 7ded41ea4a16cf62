/* SPDX-License-Identifier: Apache-2.0
 *
 * A subcore on the base logic die: warps, scoreboard, issue, offload engine with track table and
 * move engine, far-bank execution, LSU (MPU paper, IV-B).
 *
 *    warps -> issue -> offload engine -> dispatch -+- far ALU ------> wheel ---------+-> release
 *      ^               holds one; move             +- queue --> TSV bus, NBU --------|
 *      |               engine moves rows           +- LSU ----> bus or network ------|
 *      |               that are elsewhere          +- atomic port -> bus or network -|
 *      |                                           '- front end (branches, exit) ----|
 *      '------ scoreboard, barrier ----------------------------------------------------'
 *
 * A cycle has three parts, which the core calls in this order. subcore_begin: answers go in,
 * blocks show their outputs, messages for the bus come out as offers. Then the bus takes what it
 * takes. subcore_end: dispatch, issue, clock edge.
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
#include "simt_turns.h"
#include "track_table.h"
#include "tsv.h"

enum {
  SUBCORE_TAGS = 64,                    /* instructions under way: in the offload engine, or dispatched and not over */
  SUBCORE_WHEEL = 128,                  /* cycles that the end of an instruction may be ahead, at most */
  SUBCORE_QUEUE = 2,                    /* messages to the near-bank unit that wait for the bus */
  SUBCORE_OFFERS = 4,                   /* in this order: LSU, move engine, queue, atomic port */
  SUBCORE_MOVE_ID = 255,                /* the id of the move engine's messages; instructions have their tags */
  SUBCORE_BUDGET = LSU_EXT_COMMITS - 1, /* CPLs that may be owed at once; one more is the move engine's */
};

typedef struct {
  /* resolving: a branch or the like goes through the offload engine, so the next pc is not known
   * yet. */
  bool live, resolving, at_barrier;
  bool acquires;                                        /* nothing issues until all its instructions are over */
  enum { FETCH_LATER, FETCH_WAITS, FETCH_THERE } fetch; /* the next instruction: not asked for, asked for, here */
  uint8_t block, elem;                                  /* of the core's blocks; part of the instruction that is next */
  uint32_t first_thread, full;                          /* number in the block; threads that it began with */
  uint32_t inflight;                                    /* instructions under way */
  uint16_t remote_loads, remote_stores;                 /* under way to other cores */
  uint16_t accesses[2], atomics[2];                     /* under way: [0] in global, [1] in near-bank shared memory */
  uint64_t age;                                         /* order in which warps came */
  simt_stack_t stack;
  simt_turns_t turns;
  simt_reduction_t reduction; /* what the barrier gives it: bar.red */
  uint8_t (*score)[2];        /* scoreboard, by register: instructions that will [0] read, [1] write it */
  uint8_t *local;             /* ideal local memory, a thread behind the other */
} mpu_warp_t;

/* An answer to one of the LSU's requests: of a near-bank unit, or of another core. */
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

/* What a subcore tells its core, at once. `core` is passed back. */
typedef struct {
  void *core;
  /* A warp takes part in a barrier. */
  void (*barrier)(void *core, unsigned subcore, unsigned warp, const mpu_inflight_t *f);
  /* A warp of the block has no threads any more; it may still have instructions under way. */
  void (*exit)(void *core, unsigned block);
  void (*done)(void *core, unsigned block); /* such a warp has nothing under way any more */
  /* True: the instruction is here; false: the core will call subcore_fetched. */
  bool (*fetch)(void *core, unsigned subcore, unsigned warp, uint32_t pc);
} subcore_events_t;

typedef struct subcore {
  core_base_t *base;
  unsigned id;
  subcore_events_t events;
  mpu_regs_t regs;
  mpu_warp_t warp[MPU_MAX_WARPS];
  mpu_calls_t calls[MPU_MAX_WARPS]; /* used by kernels that call functions */
  uint32_t live, maybe;             /* bits: warps; those of them whose next instruction may be able to issue */
  int last;                         /* warp that issued last, which goes first; -1: none */
  uint64_t ages;
  uint32_t starting; /* bits: warps that have still to be started, one a cycle */
  mpu_inflight_t tag[SUBCORE_TAGS];
  uint64_t tags_free;            /* bits: tags */
  uint64_t wheel[SUBCORE_WHEEL]; /* bits: tags whose instruction ends in a cycle, by cycle modulo the size */
  uint64_t sfu_free, dp_free;    /* cycle from which the far unit takes an instruction */
  unsigned budget;               /* instructions whose CPL the near-bank unit still owes */
  /* the instruction in the offload engine */
  bool held, shown; /* shown: it can go; the engine's outputs stay the same until it goes */
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
  mpu_use_t moving; /* reason of the move engine's present move */
  bool frf_granted; /* the move engine gets this row of the far file in the next cycle */
  uint8_t frf_warp, frf_reg;
  lsu_t lsu;
  lsu_in_t lsu_in;
  lsu_out_t lsu_out;
  struct {
    bool begun;
    uint8_t next;            /* number of the part that goes next */
    uint8_t globals, locals; /* how many parts: first of global, then of local memory */
    uint32_t global, local;  /* bits: threads with addresses in global, in local memory */
    uint64_t address[32];    /* device addresses; of local memory, offsets in the thread's */
  } access;                  /* the held load or store, while it goes to the LSU in parts */
  bool lsu_asleep, move_asleep;
  bool far_data; /* ponb: the row that the LSU needs comes in the next cycle */
  subcore_answers_t local_answers, remote_answers;
  struct {
    uint64_t hdr, beat1;
    uint8_t beats;
  } queue[SUBCORE_QUEUE];
  uint8_t queued;
  tsv_offer_t offer[SUBCORE_OFFERS];
  atomic_port_t atomic;
  uint8_t taken;         /* bits: offers the bus took in this cycle */
  bool cp_came, mr_came; /* CPL, MVR for the move engine, which sees them in the next cycle */
  uint32_t mr_row[32];
} subcore_t;

/* A warp's registers, for the rules of turns (simt_turns.h). */
static inline simt_state_t subcore_state(const subcore_t *s, unsigned warp) {
  const simt_warp_t *file = s->regs.warp[warp].simt;
  return (simt_state_t){s->base->sh->run->simt.kernel, {&file[FAR], &file[NEAR]}};
}

/* Host memory for the launch: its warps' register files, scoreboards, ideal local memories. */
size_t subcore_file_bytes(const subcore_t *s);
void subcore_start(subcore_t *s, uint8_t *files); /* begins a launch; files: that many bytes, aligned to 64 */
void subcore_deinit(subcore_t *s);
void subcore_init(subcore_t *s, core_base_t *base, unsigned id, const subcore_events_t *events);
bool subcore_has_room(const subcore_t *s, unsigned warps);            /* free warp slots */
void subcore_add_warp(subcore_t *s, unsigned block, unsigned number); /* number: of the warp in its block */
unsigned subcore_begin(subcore_t *s);                                 /* bits: valid ones of `offer` */
void subcore_end(subcore_t *s);
bool subcore_idle(const subcore_t *s); /* no warps, nothing under way */
/* An answer to the LSU's request `id`. data: 32 bytes, not looked at for a write. */
void subcore_answer(subcore_answers_t *q, bool write, unsigned id, const uint32_t *data);
mpu_use_t subcore_offer_use(const subcore_t *s, unsigned offer);   /* what the offer's beats are counted as */
mpu_use_t subcore_completion_use(const subcore_t *s, unsigned id); /* the same of a CPL with this id */
void subcore_completed(subcore_t *s, unsigned tag);                /* the near-bank unit is done: CPL, or its ALU */
void subcore_wake(subcore_t *s, unsigned warp);                    /* its next instruction may be able to issue */
void subcore_fetched(subcore_t *s, unsigned warp);                 /* its next instruction has come */

/* subcore_dispatch.c, which does not use subcore.c. near: where the offload engine lets the
 * instruction execute. False: it cannot go now, or it faulted. */
bool subcore_dispatch(subcore_t *s, mpu_inflight_t *f, unsigned tag, bool near);
/* Of an instruction with a membermask. True: all threads that it names are here. False: it does
 * not issue in this cycle. */
bool subcore_meets(subcore_t *s, unsigned warp, const mpu_op_t *op);
void subcore_release(subcore_t *s, unsigned tag); /* the instruction is over: scoreboard and counts let it go */
uint64_t subcore_local_bytes(const subcore_t *s); /* local memory of a thread, with that of calls */
/* A fault of an instruction, or of one thread of it at an address: names file, line, block. -1. */
int subcore_fault(const subcore_t *s, const mpu_inflight_t *f, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

int subcore_fault_lane(const subcore_t *s, const mpu_inflight_t *f, unsigned lane, uint64_t address, const char *what);
void subcore_addresses(const subcore_t *s, const mpu_inflight_t *f, unsigned file, uint64_t a[32]);

void subcore_release_after(subcore_t *s, unsigned tag, uint64_t cycles); /* 1 .. SUBCORE_WHEEL - 1 */
/* a: gets the addresses of the instruction's threads. False: one is not in the block's shared
 * memory or is misaligned, a fault. file: the file with the address register. */
bool subcore_shared_ok(subcore_t *s, const mpu_inflight_t *f, unsigned file, uint64_t a[32]);
bool subcore_smem_free(const subcore_t *s);                         /* shared memory on the base die takes an access */
void subcore_smem_use(subcore_t *s, unsigned tag, unsigned passes); /* takes it; the instruction ends after them */

/* subcore_access.c: dispatch of a load or store in DRAM. False: it cannot go now, or not all of
 * it has gone to the LSU yet. */
bool subcore_access(subcore_t *s, mpu_inflight_t *f, unsigned tag);
/* Is the whole access of a thread aligned to its size? `at` is the address of the element that this
 * part accesses; a vector is as large as all of its elements (PTX ISA, "Vectors"). */
static inline bool subcore_is_aligned(const mpu_op_t *o, uint64_t at) {
  const uint64_t first = at - ((uint64_t)o->elem << o->size), bytes = (uint64_t)o->op->vec << o->size;
  return !(first & (bytes - 1));
}

/* As subcore_shared_ok, of global memory. */
bool subcore_global_ok(subcore_t *s, const mpu_inflight_t *f, unsigned file, uint64_t a[32]);

/* subcore_atomic.c: dispatch of an atomic instruction. False: it cannot go now. */
bool subcore_atomic(subcore_t *s, mpu_inflight_t *f, unsigned tag);
tsv_offer_t subcore_atomic_offer(subcore_t *s); /* its next message for the core's own units; may be invalid */
void subcore_atomic_sent(subcore_t *s);         /* the bus or the network took the message that was ready */
void subcore_atomic_answer(subcore_t *s, const mpu_packet_t *answer);
unsigned subcore_smem_atomic(subcore_t *s, unsigned tag);  /* executes one on shared memory; passes that it takes */
void subcore_smem_atomic_over(subcore_t *s, unsigned tag); /* its answer has come up */
unsigned subcore_smem_atomic_beats_up(const subcore_t *s, unsigned tag);
/* Of any request of atomic operations, another core's too: its message, and beats of 64 bits. */
tsv_offer_t subcore_atomic_packet_offer(const mpu_config_t *c, const mpu_packet_t *p);
unsigned subcore_atomic_beats_down(const mpu_config_t *c, const mpu_packet_t *p);
unsigned subcore_atomic_beats_up(const mpu_config_t *c, const mpu_packet_t *p);

#endif

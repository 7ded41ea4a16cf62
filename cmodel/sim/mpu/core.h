/* SPDX-License-Identifier: Apache-2.0
 *
 * A core: four subcores, their near-bank units (NBUs), the TSV bus between them, near-bank
 * shared memory, the LSU-Remote, packets (MPU paper, IV-A, Fig. 2).
 *
 *    network:  requests out (class 0)   requests in (0)     answers in (1)   answers out (1)
 *                   ^                        v                    v               ^
 *               subcores, fetch     LSU-Remote, atomics    subcores, fetch   LSU-Remote, atomics
 *    base die  -----+------------------------+---------------------------------------------------
 *                         TSV bus: offers go down, words and completions come up (tsv.h)
 *    DRAM die  ----------------------------------------------------------------------------------
 *                NBU 0           NBU 1           NBU 2           NBU 3         shared memory
 *
 * One core_tick is one cycle of 1 GHz. It runs in this order, so that all parts see the same
 * cycle:
 *
 *    1 nbu_begin           memory controllers, register files, ALUs; one pass of shared memory
 *    2 subcore_begin, ..   everybody shows what waits for the bus: `offers`
 *    3 requests and bus    one packet goes to the network, beats move down and up
 *    4 subcore_end, ..     dispatch, issue, answers to the network
 *    5 nbu_end             clock edge of the LSU-Extensions
 */
#ifndef CORE_H
#define CORE_H

#include "core_atomics.h"
#include "core_fetch.h"
#include "core_remote.h"
#include "nbu.h"
#include "subcore.h"

enum {
  /* Packets of a class that wait for the network. */
  CORE_PACKETS = 4,
  /* Four of each subcore; then other cores' atomics, the LSU-Remote, the instruction cache. */
  CORE_OFFERS = MPU_SUBCORES * SUBCORE_OFFERS + 3,
  CORE_REMOTE = 4, /* the LSU-Remote's "subcore" number in RD and WR messages */
};

typedef struct core {
  core_base_t base;
  subcore_t subcore[MPU_SUBCORES];
  nbu_t nbu[MPU_SUBCORES];
  core_remote_t *remote;
  tsv_offer_t remote_offer, atomic_offer, fetch_offer;
  core_fetch_t fetch;
  core_atomics_t atomics;                  /* of other cores */
  uint8_t down_entry;                      /* the unit's atomics entry of the request on its way down */
  unsigned live_blocks, warps_per_subcore; /* warps_per_subcore: of one block */
  bool batch; /* the batch of blocks is full: the core takes no block before the last one has ended */
  uint64_t blocks_done;
  /* TSV bus */
  tsv_message_t down;
  uint32_t offers;             /* bits: messages that wait for the bus, in the order of bus_offer (core.c) */
  unsigned next_down, next_up; /* offer, source that goes first */
  bool last_up;
  bool up_rest; /* tsv_beats 1: the bus takes a word of two beats at once; its second beat is on the bus now */
  /* shared memory */
  unsigned next_smem; /* unit that shared memory serves first */
  /* Packets that wait for the network, by class: a ring each. */
  struct {
    mpu_packet_t packet[CORE_PACKETS];
    uint8_t head, count;
  } out[2];
  unsigned next_request; /* subcore, or instruction cache, that sends the next request */
} core_t;

/* engines: of the four near-bank units. -1: out of host memory, or an engine could not be
 * opened. */
int core_init(core_t *c, unsigned id, const mpu_shared_t *sh, const block_engine_t *const *engines);
void core_deinit(core_t *c);
size_t core_file_bytes(const core_t *c);    /* host memory for the warps of the launch in `run` */
void core_start(core_t *c, uint8_t *files); /* begins a launch; files: that many bytes, aligned to 64, not cleared */
bool core_takes_block(core_t *c);           /* has room for a block; ask at most once a cycle (`batch`) */
void core_add_block(core_t *c, uint64_t index);
void core_tick(core_t *c);
bool core_quiet(const core_t *c); /* nothing to do, as far as one sees from outside the LSU-Extensions */
bool core_idle(const core_t *c);  /* quiet, and the engines allow that cycles are left out */
/* To the network, by class: the oldest packet or NULL; takes it away. */
const mpu_packet_t *core_front(const core_t *c, unsigned cls);
void core_pop(core_t *c, unsigned cls);
/* From the network. Class 1 always has room; core_push needs core_can_push in the same cycle. */
bool core_can_push(const core_t *c, unsigned cls);
void core_push(core_t *c, unsigned cls, const mpu_packet_t *p);

/* For core.c and core_bus.c. */
/* Offers to the bus behind those of the subcores. */
enum { OFFER_ATOMICS = CORE_OFFERS - 3, OFFER_REMOTE, OFFER_FETCH };
/* A cycle of the bus. Returns the subcores (bits) whose offer was taken. */
uint32_t core_run_bus(core_t *c);
/* The instructions of these warps (bits subcore * 16 + slot) have come. */
void core_wake_fetched(core_t *c, uint64_t warps);

#endif

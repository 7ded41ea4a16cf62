/* SPDX-License-Identifier: Apache-2.0
 *
 * A core: four subcores and their near-bank units, the TSV bus between them, shared memory, LSU-Remote, packets (MPU paper, IV-A, Fig. 2).
 */
#ifndef CORE_H
#define CORE_H

#include "nbu.h"
#include "subcore.h"

enum {
  CORE_PACKETS = 4,        /* that wait for the network, a class */
  CORE_OFFERS = MPU_SUBCORES * SUBCORE_OFFERS + 1,
  CORE_REMOTE = 4,         /* "subcore" number of the LSU-Remote in RD and WR */
  CORE_BARRIERS = 16,
};

typedef struct {
  bool live;
  uint64_t index;          /* linear in the grid */
  uint32_t ctaid[3];
  uint32_t live_warps, unfinished; /* warps that have not exited; warps with instructions under way or not exited */
  uint32_t shared_base;    /* in the core's shared memory */
  struct {
    uint64_t waiting;      /* bit subcore * 16 + warp */
    uint32_t arrived, expected; /* warps; expected 0: all that are live */
  } barrier[CORE_BARRIERS];
} core_block_t;

typedef struct core_remote core_remote_t; /* LSU-Remote (core_remote.c) */

struct core {
  const mpu_shared_t *sh;
  unsigned id;
  mpu_stats_t stats;
  gpu_error_t fault;
  subcore_t subcore[MPU_SUBCORES];
  nbu_t nbu[MPU_SUBCORES];
  core_remote_t *remote;
  tsv_offer_t remote_offer;
  core_block_t block[MPU_MAX_BLOCKS];
  unsigned live_blocks, warps_per_subcore;
  uint64_t blocks_done;
  /* TSV bus */
  tsv_message_t down;
  uint32_t offers;         /* bits: messages that wait for the bus */
  unsigned next_down, next_up;
  bool last_up;
  bool up_rest;            /* a bus of one beat a cycle: the second beat of a word, which was taken as a whole, is on it */
  /* shared memory */
  uint32_t smem[MPU_MAX_SMEM / 4];
  unsigned next_smem;
  uint64_t smem_free;      /* on the base die: when it takes the next access */
  /* packets */
  struct {
    mpu_packet_t packet[CORE_PACKETS];
    uint8_t head, count;
  } out[2];
  unsigned next_request;
  size_t last_range;
};

int core_init(core_t *c, unsigned id, const mpu_shared_t *sh, const block_engine_t *const *engines); /* -1: out of host memory */
void core_deinit(core_t *c);
size_t core_file_bytes(const core_t *c);   /* of its warps' register files, for the launch */
void core_start(core_t *c, uint8_t *files); /* a launch; files: that many, contents undefined, aligned to 64 */
bool core_has_room(const core_t *c);
void core_add_block(core_t *c, uint64_t index);
void core_tick(core_t *c);
bool core_quiet(const core_t *c); /* has nothing to do, as far as can be seen from outside of the LSU-Extensions */
bool core_idle(const core_t *c);  /* quiet, and its engines say that cycles may be left out */
const mpu_packet_t *core_front(const core_t *c, unsigned cls);
void core_pop(core_t *c, unsigned cls);
bool core_can_push(const core_t *c, unsigned cls);
void core_push(core_t *c, unsigned cls, const mpu_packet_t *p);

/* For subcores. */
void core_barrier(core_t *c, subcore_t *s, unsigned warp, const mpu_inflight_t *f);
void core_exit(core_t *c, subcore_t *s, unsigned warp);      /* the warp has no threads any more */
void core_warp_done(core_t *c, unsigned block);              /* and nothing under way */
bool core_room(const core_t *c, unsigned cls);               /* for a packet to send */
void core_send(core_t *c, unsigned cls, const mpu_packet_t *p);
bool core_allocated(core_t *c, uint64_t address, unsigned bytes);

/* core_remote.c */
core_remote_t *core_remote_new(void);
void core_remote_free(core_remote_t *r);
bool core_remote_room(const core_remote_t *r);
void core_remote_push(core_remote_t *r, const mpu_packet_t *p);
void core_remote_begin(core_t *c);         /* its message: c->remote_offer */
void core_remote_answer(core_remote_t *r, unsigned id, const uint32_t *data);
void core_remote_end(core_t *c, bool taken);
bool core_remote_idle(const core_remote_t *r);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A core: four subcores and their near-bank units, the TSV bus between them, shared memory,
 * LSU-Remote, packets (MPU paper, IV-A, Fig. 2).
 */
#ifndef CORE_H
#define CORE_H

#include "core_atomics.h"
#include "core_fetch.h"
#include "core_remote.h"
#include "nbu.h"
#include "subcore.h"

enum {
  CORE_PACKETS = 4, /* that wait for the network, a class */
  /* and other cores' atomics', the LSU-Remote's, the instruction cache's */
  CORE_OFFERS = MPU_SUBCORES * SUBCORE_OFFERS + 3,
  CORE_REMOTE = 4, /* "subcore" number of the LSU-Remote in RD and WR */
};

typedef struct core {
  core_base_t base;
  subcore_t subcore[MPU_SUBCORES];
  nbu_t nbu[MPU_SUBCORES];
  core_remote_t *remote;
  tsv_offer_t remote_offer, atomic_offer, fetch_offer;
  core_fetch_t fetch;
  core_atomics_t atomics; /* of other cores */
  uint8_t down_entry;     /* of a unit's atomics, that goes down */
  unsigned live_blocks, warps_per_subcore;
  bool batch; /* is full: no block before the last of it has ended */
  uint64_t blocks_done;
  /* TSV bus */
  tsv_message_t down;
  uint32_t offers; /* bits: messages that wait for the bus */
  unsigned next_down, next_up;
  bool last_up;
  bool up_rest; /* a bus of one beat a cycle: the second beat of a word, which was taken as a whole, is on it */
  /* shared memory */
  unsigned next_smem;
  /* packets */
  struct {
    mpu_packet_t packet[CORE_PACKETS];
    uint8_t head, count;
  } out[2];
  unsigned next_request;
} core_t;

/* -1: out of host memory */
int core_init(core_t *c, unsigned id, const mpu_shared_t *sh, const block_engine_t *const *engines);
void core_deinit(core_t *c);
size_t core_file_bytes(const core_t *c);    /* of its warps' register files, for the launch */
void core_start(core_t *c, uint8_t *files); /* a launch; files: that many, contents undefined, aligned to 64 */
bool core_takes_block(core_t *c);           /* once a cycle */
void core_add_block(core_t *c, uint64_t index);
void core_tick(core_t *c);
bool core_quiet(const core_t *c); /* has nothing to do, as far as can be seen from outside of the LSU-Extensions */
bool core_idle(const core_t *c);  /* quiet, and its engines say that cycles may be left out */
const mpu_packet_t *core_front(const core_t *c, unsigned cls);
void core_pop(core_t *c, unsigned cls);
bool core_can_push(const core_t *c, unsigned cls);
void core_push(core_t *c, unsigned cls, const mpu_packet_t *p);

#endif

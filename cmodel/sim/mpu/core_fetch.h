/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction cache of a core (MPU paper, IV-A, Table II: 128 KB), which its four subcores
 * share, or an ideal one.
 *
 * As on the GPU (gpu/l1i.h; ours) a warp has its next instruction in a buffer of its own: each that
 * issues is looked up once, when its subcore looks at the warp after the one before it has issued,
 * and what hits costs nothing. One that misses takes an MSHR and four reads of 32 bytes, joins the
 * MSHR of its line, or waits until there is one; warps that wait for the same are served by subcore
 * and slot. A line that comes gives its instruction to all that wait.
 *
 * Reads go one after the other: to the core's own near-bank units down the TSVs, as its LSUs' do;
 * to another core as packets, which that core's LSU-Remote answers.
 *
 * Instructions are 8 bytes each, in the order of the PTX text, in memory of their own that a module
 * gets when it is loaded: as often as there are cores, each core's copy in its own units, or once
 * (ours: the paper says nothing). What is there is which one it is, so that a wrong line is found.
 */
#ifndef CORE_FETCH_H
#define CORE_FETCH_H

#include "cache.h"
#include "core_base.h"
#include "mpu_packet.h"
#include "tsv.h"

enum {
  CORE_FETCH = 5,       /* "subcore" number of the cache in RD */
  CORE_FETCH_IDS = 128, /* its requests have numbers from here on, so that packets tell them from an LSU's */
  CORE_FETCH_INSTR_BYTES = 8,
  CORE_FETCH_READS = GPU_LINE_BYTES / NEAR_MC_BYTES, /* of a line */
  CORE_FETCH_QUEUE = MPU_MAX_MSHRS * CORE_FETCH_READS,
};

typedef struct {
  uint64_t line;   /* in the code */
  uint64_t warps;  /* who wait: bits subcore * 16 + slot */
  uint8_t missing; /* reads that have not come */
  uint32_t words[GPU_LINE_WORDS];
} core_fetch_mshr_t;

typedef struct {
  cache_t cache;
  core_fetch_mshr_t mshr[MPU_MAX_MSHRS];
  uint32_t used;                             /* bits: MSHRs */
  uint64_t unserved;                         /* warps that have none */
  uint32_t pc[MPU_SUBCORES * MPU_MAX_WARPS]; /* of those that wait: for which instruction */
  uint8_t queue[CORE_FETCH_QUEUE];           /* reads that have to go, by number */
  unsigned head, queued;
} core_fetch_t;

int core_fetch_init(core_fetch_t *f, const mpu_config_t *config); /* -1: out of host memory */
void core_fetch_deinit(core_fetch_t *f);
void core_fetch_start(core_fetch_t *f, const mpu_config_t *config); /* a launch: empty */

/* True: there; false: the warp waits, until one of these two returns it. */
bool core_fetch_look(core_fetch_t *f, core_base_t *base, unsigned subcore, unsigned warp, uint32_t pc);
uint64_t core_fetch_answer(core_fetch_t *f, core_base_t *base, unsigned id, const uint32_t *data); /* of a read */
/* once a cycle while somebody is unserved */
uint64_t core_fetch_retry(core_fetch_t *f, core_base_t *base);

/* The oldest read that has not gone, to the core's own units, or
 * to another core; false: there is none, or it is not there. */
bool core_fetch_offer(const core_fetch_t *f, const core_base_t *base, tsv_offer_t *offer);
bool core_fetch_packet(const core_fetch_t *f, const core_base_t *base, mpu_packet_t *packet);
void core_fetch_sent(core_fetch_t *f);

/* The device address of byte `at` of code that a module has at `code`, as this core reads it. */
uint64_t core_fetch_address(const mpu_config_t *config, unsigned core, uint64_t code, uint64_t at);

#endif

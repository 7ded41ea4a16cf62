/* SPDX-License-Identifier: Apache-2.0
 *
 * A core's instruction cache, which its four subcores share (MPU paper, IV-A, Table II: 128 KB);
 * or an ideal one.
 *
 * As on the GPU (gpu/l1i.h; ours) each warp has a buffer for its next instruction. A subcore
 * looks an instruction up once, when it first considers the warp after the previous issue. A hit
 * costs nothing. A miss joins the MSHR of its line, or takes a free MSHR and four reads of 32
 * bytes, or waits for a free MSHR. Waiting warps are served in the order of subcore, then slot.
 * A line that arrives serves all warps that wait for it.
 *
 *    look ---- hit ------------------------------------------------> the warp can issue
 *      |---- line has an MSHR: joins it -------------.               ^
 *      |---- a free MSHR: four reads -> queue -> near-bank unit -> answer
 *      '---- no free MSHR: unserved, core_fetch_retry looks again ---^
 *
 * Reads leave one after the other. Those to the core's own units go down the TSVs as an LSU's
 * reads do; the others are packets that the other core's LSU-Remote answers.
 *
 * An instruction is 8 bytes, in the order of the PTX text, in memory that a module gets when it
 * is loaded: a copy for each core in its own units, or one for all (`l1i.copies`; ours: the
 * paper does not say). The bytes say which instruction of which function they are, so a wrong
 * line is found.
 */
#ifndef CORE_FETCH_H
#define CORE_FETCH_H

#include "cache.h"
#include "core_base.h"
#include "mpu_packet.h"
#include "tsv.h"

enum {
  CORE_FETCH = 5,       /* the cache's "subcore" number in RD messages */
  CORE_FETCH_IDS = 128, /* its requests have ids from here on, which tells its packets from an LSU's */
  CORE_FETCH_INSTR_BYTES = 8,
  CORE_FETCH_READS = GPU_LINE_BYTES / NEAR_MC_BYTES, /* of a line */
  CORE_FETCH_QUEUE = MPU_MAX_MSHRS * CORE_FETCH_READS,
};

typedef struct {
  uint64_t line;   /* byte of the kernel's code at which it begins */
  uint64_t warps;  /* warps that wait: bits subcore * 16 + slot */
  uint8_t missing; /* reads without an answer */
  uint32_t words[GPU_LINE_WORDS];
} core_fetch_mshr_t;

typedef struct {
  cache_t cache;
  core_fetch_mshr_t mshr[MPU_MAX_MSHRS];
  uint32_t used;                             /* bits: MSHRs */
  uint64_t unserved;                         /* warps that wait for a free MSHR: bits as above */
  uint32_t pc[MPU_SUBCORES * MPU_MAX_WARPS]; /* the instruction that a warp waits for */
  uint8_t queue[CORE_FETCH_QUEUE];           /* a ring of reads that have not left: mshr * 4 + part of the line */
  unsigned head, queued;
} core_fetch_t;

int core_fetch_init(core_fetch_t *f, const mpu_config_t *config); /* -1: out of host memory */
void core_fetch_deinit(core_fetch_t *f);
void core_fetch_start(core_fetch_t *f, const mpu_config_t *config); /* a launch finds the cache empty */

/* True: a hit. False: the warp waits until core_fetch_answer or core_fetch_retry returns its
 * bit. */
bool core_fetch_look(core_fetch_t *f, core_base_t *base, unsigned subcore, unsigned warp, uint32_t pc);
uint64_t core_fetch_answer(core_fetch_t *f, core_base_t *base, unsigned id, const uint32_t *data); /* 32 bytes */
/* Call once a cycle while `unserved` is not 0. */
uint64_t core_fetch_retry(core_fetch_t *f, core_base_t *base);

/* The oldest read that has not left, if it is for the core's own units (offer) or for another
 * core (packet); else false. core_fetch_sent: the bus or the network took it. */
bool core_fetch_offer(const core_fetch_t *f, const core_base_t *base, tsv_offer_t *offer);
bool core_fetch_packet(const core_fetch_t *f, const core_base_t *base, mpu_packet_t *packet);
void core_fetch_sent(core_fetch_t *f);

/* The device address of byte `at` of a function's code, as this core reads it. code: the address
 * that the module got for it (mpu_loaded_t). */
uint64_t core_fetch_address(const mpu_config_t *config, unsigned core, uint64_t code, uint64_t at);

#endif

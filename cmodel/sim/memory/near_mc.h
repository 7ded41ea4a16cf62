/* SPDX-License-Identifier: Apache-2.0
 *
 * Near-bank memory controller of one near-bank unit (MPU paper, IV-A, IV-C "Multiple Activated
 * Row-Buffers", Table II): FR-FCFS, open page, 4 banks of 16 MB behind 256-bit I/Os, 1, 2, 4 or 8
 * row buffers a bank, transfers of 32 bytes. Its client is lsu_ext's mc_ and mr_ ports
 * (rtl/lsu/lsu_dramq.ports).
 *
 * Time is an absolute count of cycles (1 GHz, so of ns). A cycle `now`, once a cycle or whenever
 * something is due:
 *
 *   near_mc_step(&mc, now);                                        // now >=
 *   near_mc_next_event(&mc), else it does nothing if ((answer = near_mc_answer(&mc, now))) mr_ =
 *   *answer;        // at most one a cycle, never refused mc_credit = near_mc_credit(&mc, now);
 *                   // 0 or 1
 *   if (mc_valid) near_mc_push(&mc, &request, now);                // needs a credit;
 *   config.vault.queue of them at first
 *
 * A request pushed in cycle c can have its first command in c + 1. Its credit comes back in the
 * cycle of its column command, when its place in the queue is free. Its data move between memory
 * image and answer when they have passed the bank's I/O; the answer, for writes too, is given in
 * that cycle, or later if other answers are before it. Answers come in any order, but two accesses
 * to the same 32 bytes, unless both read, are done in order.
 *
 * A write with `modify` writes what near_mc_t's modify makes of the bytes that are there when its
 * turn at the I/O has come, so that no other access is between: what has been written to them since
 * they were read has gone to whoever computes, too (near-bank atomics, cmodel/sim/mpu/README.md).
 *
 * Scheduler, refresh and the bound on waiting are the vault's (vault.h, README.md), where a bank's
 * row buffers are banks of their own. What is shared: by all, the command path (one command a
 * cycle), tRRD and tFAW, refresh, the answers' port; by a bank's row buffers, the I/O (tCCD, BL,
 * tWTR, tRTW). By each alone: tRCD, tRAS, tRP, tRC, tRTP, tWR. A column command names the row
 * buffer (the paper's row address latches), there is no command to choose one first. Row r opens in
 * row buffer r mod row_buffers: neighbouring rows are in different subarrays. Timings:
 * near_timing.def, with reasons. Address: {row, bank, column, byte}: with the defaults 13, 2, 6 and
 * 5 bits, so a row of a bank is 2 KB as HBM's (1 KB in pseudo channel mode), and neighbouring rows'
 *   worth of addresses go round the banks. With turn_bits it is {row, upper column, bank, lower
 *   column, byte}: with all of them banks take turns every 32 bytes, so 128 bytes are in all four
 *   at once.
 *
 * No allocation, nothing global: an idle step is one comparison.
 */
#ifndef NEAR_MC_H
#define NEAR_MC_H

#include <stdbool.h>
#include <stdint.h>

#include "memory_image.h"
#include "vault.h"

enum {
  NEAR_MC_BYTES = 32, /* of a transfer */
  NEAR_MC_BYTE_BITS = 5,
  NEAR_MC_ADDR_BITS = 26, /* 64 MB a unit */
  NEAR_MC_BANKS = 4,      /* these two: Table II */
  NEAR_MC_ROW_BUFFERS = 4,
  NEAR_MC_MAX_QUEUE = 64,
  NEAR_MC_MAX_COLUMN_BITS = 12,
#define NEAR_TIMING(name, value) NEAR_##name = value,
#include "near_timing.def"
};

typedef struct near_mc_config {
  vault_config_t vault; /* banks: a power of two; queue: McCredits, 1..64; held is not looked at */
  unsigned column_bits; /* transfers of a row, as a power of two */
  /* upper bits of the column that are above the bank's in an
   * address: banks take turns within a row; 0..column_bits */
  unsigned turn_bits;
} near_mc_config_t;

typedef struct near_mc_request {
  uint32_t addr;  /* in the unit; its byte bits are not looked at */
  uint32_t mask;  /* of a write: bit i, byte i */
  uint8_t tag;    /* comes back */
  uint8_t client; /* this, too: whose tag it is */
  bool write;
  bool modify;                 /* a write of what `modify` makes; data are not looked at */
  uint8_t data[NEAR_MC_BYTES]; /* of a write */
} near_mc_request_t;

typedef struct near_mc_answer {
  uint8_t tag, client;
  bool write; /* then the data are zero */
  uint8_t data[NEAR_MC_BYTES];
} near_mc_answer_t;

typedef struct near_mc_stats {
  vault_stats_t dram;                /* reads, writes, row_hits, row_misses, row_conflicts, activates, ... */
  uint64_t latency_sum, latency_max; /* cycles, push to answer */
  uint64_t busy_cycles;              /* with a request that has no answer yet */
} near_mc_stats_t;

typedef struct near_mc_held {
  near_mc_request_t request;
  uint16_t next; /* of the unused */
} near_mc_held_t;

/* What becomes of the 32 bytes, in place. */
typedef void near_mc_modify_t(void *ctx, uint8_t tag, uint8_t bytes[NEAR_MC_BYTES]);

typedef struct near_mc {
  uint64_t due;                  /* nothing happens before */
  uint64_t answer_at, credit_at; /* the cycle of the last answer, credit */
  near_mc_answer_t answer;
  near_mc_config_t config;
  memory_image_t *image;
  uint64_t base;
  uint64_t credited; /* requests served when the last credit was given */
  uint64_t latency_sum, latency_max, busy_cycles, busy_since;
  unsigned bank_shift, bank_bits, row_shift;
  uint16_t unused; /* the first free place of `held` */
  bool out_of_memory;
  near_mc_modify_t *modify; /* NULL: nobody asks for it */
  void *modify_ctx;
  vault_t vault;
  near_mc_held_t held[VAULT_RING];
} near_mc_t;

near_mc_config_t near_mc_config_default(void);
bool near_mc_check_config(const near_mc_config_t *config, trouble_t *trouble);
/* The unit's bytes are at base .. base + 64 MB - 1 of the image,
 * which outlives the controller; base: a multiple of 32. */
void near_mc_init(near_mc_t *mc, const near_mc_config_t *config, memory_image_t *image, uint64_t base);
/* after the step of now; needs can_push */
void near_mc_push(near_mc_t *mc, const near_mc_request_t *request, uint64_t now);
void near_mc_run(near_mc_t *mc, uint64_t now); /* near_mc_step's rare half */
near_mc_stats_t near_mc_stats(const near_mc_t *mc, uint64_t now);
void near_mc_clear_stats(near_mc_t *mc, uint64_t now); /* from now on counts begin at zero */
void near_mc_stats_add(near_mc_stats_t *sum, const near_mc_stats_t *stats);
uint32_t near_mc_addr(const near_mc_config_t *config, unsigned bank, uint32_t row, uint32_t column); /* all in range */
unsigned near_mc_row_bits(const near_mc_config_t *config);
const char *near_mc_fault(const near_mc_t *mc); /* NULL, or why memory contents are wrong from now on */

static inline void near_mc_step(near_mc_t *mc, uint64_t now) {
  if (now >= mc->due) near_mc_run(mc, now);
}

/* The next cycle in which a step does anything, if
 * nothing is pushed; with refresh there always is one. */
static inline uint64_t near_mc_next_event(const near_mc_t *mc) {
  return mc->due;
}

/* This cycle's answer, or NULL; good until the next step. */
static inline const near_mc_answer_t *near_mc_answer(const near_mc_t *mc, uint64_t now) {
  return mc->answer_at == now ? &mc->answer : NULL;
}

/* Credits that come back in this cycle: 0 or 1. */
static inline unsigned near_mc_credit(const near_mc_t *mc, uint64_t now) {
  return mc->credit_at == now;
}

static inline bool near_mc_can_push(const near_mc_t *mc) {
  return vault_can_push(&mc->vault);
}

/* No request waits for its answer. */
static inline bool near_mc_idle(const near_mc_t *mc) {
  return vault_idle(&mc->vault);
}

#endif

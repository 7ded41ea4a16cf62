/* SPDX-License-Identifier: Apache-2.0
 *
 * Near-bank memory controller of one near-bank unit (MPU paper, IV-A, IV-C "Multiple Activated
 * Row-Buffers", Table II): FR-FCFS, open page, 4 banks of 16 MB behind 256-bit I/Os, 1, 2, 4 or
 * 8 row buffers a bank, transfers of 32 bytes. Its client is lsu_ext's mc_ and mr_ ports
 * (rtl/lsu/lsu_dramq.ports).
 *
 * Time is an absolute count of cycles of 1 GHz, so of ns. One cycle `now`; cycles before
 * near_mc_next_event(&mc) may be left out, as nothing happens in them:
 *
 *    near_mc_step(&mc, now);
 *    answer = near_mc_answer(&mc, now);                // at most one a cycle, never refused
 *    credits += near_mc_credit(&mc, now);              // 0 or 1
 *    if (credits) near_mc_push(&mc, &request, now);    // config.vault.queue credits at first
 *
 * The life of a request:
 *
 *    push in cycle c -> queue -> commands from c + 1 on -> column command -> data -> answer
 *                                                          credit back       pass the bank's I/O
 *
 * Data move between memory image and answer when they have passed the bank's I/O. The answer,
 * for writes too, is given in that cycle, or later if other answers are before it. Answers come
 * in any order, but two accesses to the same 32 bytes, unless both read, are done in order.
 *
 * A write with `modify` writes what near_mc_t's modify makes of the bytes that are there when
 * the write's turn at the I/O has come. No other access is between, so whoever computes sees
 * everything that was written since it read (near-bank atomics, cmodel/sim/mpu/README.md).
 *
 * Scheduler, refresh and the bound on waiting are the vault's (vault.h, README.md), where each
 * row buffer is a bank of its own. What is shared, and by whom:
 *
 *    all of the unit          command path (one command a cycle), tRRD, tFAW, refresh, answers
 *    row buffers of a bank    the I/O: tCCD, BL, tWTR, tRTW
 *    nobody                   tRCD, tRAS, tRP, tRC, tRTP, tWR
 *
 * A column command names the row buffer (the paper's row address latches); no command chooses
 * one first. Row r opens in row buffer r mod row_buffers, so neighbouring rows are in different
 * subarrays. near_timing.def has the timings, with reasons.
 *
 *    turn_bits 0:    | row | bank | column | byte |        13, 2, 6, 5 bits by default
 *    else:           | row | upper column | bank | lower column | byte |
 *
 * By default a row of a bank is 2 KB as HBM's (1 KB in pseudo channel mode), and the next bank
 * follows it. With all column bits as turn_bits banks take turns every 32 bytes, so 128 bytes
 * are in all four.
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
  NEAR_MC_BANKS = 4,      /* defaults: Table II */
  NEAR_MC_ROW_BUFFERS = 4,
  NEAR_MC_MAX_QUEUE = 64,
  NEAR_MC_MAX_COLUMN_BITS = 12,
#define NEAR_TIMING(name, value) NEAR_##name = value,
#include "near_timing.def"
};

typedef struct near_mc_config {
  vault_config_t vault; /* banks: a power of two; queue: at least McCredits, 1..64; held is not used */
  unsigned column_bits; /* log2 of the transfers in a row, 0..12 */
  /* Upper bits of the column that are above the bank's in an address: banks take turns within a
   * row; 0..column_bits. */
  unsigned turn_bits;
} near_mc_config_t;

/* A transfer of 32 bytes. */
typedef struct near_mc_request {
  uint32_t addr;  /* in the unit; its byte bits are not used */
  uint32_t mask;  /* of a write: bit i, byte i */
  uint8_t tag;    /* the client's own; comes back with the answer */
  uint8_t client; /* comes back, too: whose tag it is */
  bool write;
  bool modify;                 /* a write of what `modify` makes; data and mask are not used */
  uint8_t data[NEAR_MC_BYTES]; /* of a write */
} near_mc_request_t;

typedef struct near_mc_answer {
  uint8_t tag, client;
  bool write; /* then the data are zero */
  uint8_t data[NEAR_MC_BYTES];
} near_mc_answer_t;

typedef struct near_mc_stats {
  vault_stats_t dram;                /* reads, writes, row_hits, row_misses, row_conflicts, activates, ... */
  uint64_t latency_sum, latency_max; /* cycles from push to answer */
  uint64_t busy_cycles;              /* cycles with a request that has no answer yet */
} near_mc_stats_t;

/* A request without an answer, or a free place in the list from `unused` on. */
typedef struct near_mc_held {
  near_mc_request_t request;
  uint16_t next; /* of the unused */
} near_mc_held_t;

/* Changes 32 bytes in place; tag is the request's. */
typedef void near_mc_modify_t(void *ctx, uint8_t tag, uint8_t bytes[NEAR_MC_BYTES]);

typedef struct near_mc {
  uint64_t due;                  /* the next cycle in which a step does anything */
  uint64_t answer_at, credit_at; /* cycle of the last answer, credit */
  near_mc_answer_t answer;
  near_mc_config_t config;
  memory_image_t *image;
  uint64_t base;
  uint64_t credited; /* requests served, as of the last credit */
  uint64_t latency_sum, latency_max, busy_cycles, busy_since;
  unsigned bank_shift, bank_bits, row_shift;
  uint16_t unused; /* the first free place of `held` */
  bool out_of_memory;
  near_mc_modify_t *modify; /* set by the owner after near_mc_init; NULL: no request has `modify` */
  void *modify_ctx;
  vault_t vault;
  near_mc_held_t held[VAULT_RING];
} near_mc_t;

near_mc_config_t near_mc_config_default(void);
/* Ranges, and that no more transfers can be under way than the vault holds. False: bad input. */
bool near_mc_check_config(const near_mc_config_t *config, trouble_t *trouble);
/* The unit's bytes are base .. base + 64 MB - 1 of the image, which outlives the controller.
 * base: a multiple of 32. */
void near_mc_init(near_mc_t *mc, const near_mc_config_t *config, memory_image_t *image, uint64_t base);
/* After the step of cycle `now`; needs near_mc_can_push. */
void near_mc_push(near_mc_t *mc, const near_mc_request_t *request, uint64_t now);
void near_mc_run(near_mc_t *mc, uint64_t now); /* what near_mc_step does when something is due */
near_mc_stats_t near_mc_stats(const near_mc_t *mc, uint64_t now);
void near_mc_clear_stats(near_mc_t *mc, uint64_t now); /* counts begin at zero in cycle now */
void near_mc_stats_add(near_mc_stats_t *sum, const near_mc_stats_t *stats);
uint32_t near_mc_addr(const near_mc_config_t *config, unsigned bank, uint32_t row, uint32_t column); /* all in range */
unsigned near_mc_row_bits(const near_mc_config_t *config);
const char *near_mc_fault(const near_mc_t *mc); /* NULL, or why memory contents are wrong from now on */

static inline void near_mc_step(near_mc_t *mc, uint64_t now) {
  if (now >= mc->due) near_mc_run(mc, now);
}

/* The next cycle in which a step does anything, if nothing is pushed. With refresh there always
 * is one. */
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

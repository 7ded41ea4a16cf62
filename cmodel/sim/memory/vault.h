/* SPDX-License-Identifier: Apache-2.0
 *
 * One vault: its controller's queue, FR-FCFS scheduler and the timing of its DRAM banks. Data
 * are elsewhere. near_mc.h makes a near-bank memory controller of it.
 *
 *    vault_push -> queue -> candidates, two a row buffer -> command -> data end -> vault_pop
 *                           (read and write that hit, or
 *                           activate, or precharge)
 *
 * Time is an absolute count of tCK. A request pushed at cycle c can have its first command at c
 * + 1. The model jumps from command to command: vault_advance(v, now) issues all commands due at
 * cycles <= now, and vault_next_event says which cycle is worth the next call. Calling in every
 * cycle gives the same result. vault_pop hands out requests whose data have ended. Two requests
 * with the same bank, row and column keep their order, unless both are reads.
 *
 *    while (more) {
 *      if (vault_can_push(&v)) vault_push(&v, &request, now);
 *      vault_advance(&v, now);
 *      while (vault_pop(&v, now, &done)) ...
 *      now = vault_next_event(&v);        // or now + 1 if something is to be pushed
 *    }
 *
 * README.md has the rules of scheduling, refresh and starvation. Source: NSU paper, Table 2;
 * Ramulator, DRAMsim3 and DRAMSys.
 */
#ifndef VAULT_H
#define VAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trouble.h"

enum {
  VAULT_MAX_BANKS = 64, /* times row buffers */
  VAULT_MAX_ROW_BUFFERS = 8,
  VAULT_MAX_QUEUE = 128,
  VAULT_QUEUE = 64, /* default of a stack's vault */
  VAULT_MAX_BYPASS = 1000000,
  VAULT_BYPASS = 128,
  VAULT_RING = 256, /* requests in the queue, under way or not yet popped */
  VAULT_HASH = 256,
};
#define VAULT_NEVER UINT64_MAX

typedef enum vault_kind {
  VAULT_NONE,
  VAULT_READ,
  VAULT_WRITE,
  VAULT_ACTIVATE,
  VAULT_PRECHARGE,
  VAULT_PRECHARGE_ALL, /* all row buffers of all banks; before a refresh */
  VAULT_REFRESH,
} vault_kind_t;

typedef struct dram_timing {
#define DRAM_TIMING(name, def, least, most, source, text) uint32_t name;
#include "dram_timing.def"
} dram_timing_t;

/* DRAM_tRP_LEAST, DRAM_tRP_MOST, ... */
enum {
#define DRAM_TIMING(name, def, least, most, source, text) DRAM_##name##_LEAST = least, DRAM_##name##_MOST = most,
#include "dram_timing.def"
};

typedef struct vault_config {
  dram_timing_t timing;
  unsigned banks;       /* 1..VAULT_MAX_BANKS */
  unsigned row_buffers; /* of each bank: 1, 2, 4 or 8; row r can be open in number r mod row_buffers */
  unsigned queue;       /* entries, 1..VAULT_MAX_QUEUE */
  unsigned held;        /* requests in the queue, under way or not yet popped: no push beyond, 1..VAULT_RING */
  unsigned bypass;      /* after this many younger requests were served, the oldest is served alone; 0: no bound */
  bool bank_io;         /* each bank has its own data path (tCCD, BL, tWTR, tRTW hold in it); else the vault has one */
  bool refresh;
} vault_config_t;

typedef struct vault_request {
  uint64_t column; /* with bank and row it is the address; requests of one address keep their order */
  uint32_t row;
  uint16_t bank;
  uint8_t bursts; /* 1..255: 64 bytes each; the request is done when the last has ended */
  bool write;
  void *user; /* comes back when done */
} vault_request_t;

typedef struct vault_done {
  void *user;
  uint64_t pushed, done; /* cycles: pushed, end of the last burst's data */
  bool write;
} vault_done_t;

typedef struct vault_stats {
#define COUNTER(name, ...) uint64_t name;
#define WORK(name, ...) uint64_t name;
#include "vault_counters.def"
  uint64_t latency_max; /* of one request, so not in the list of what adds up */
} vault_stats_t;

/* A request in the queue, or a free entry. */
typedef struct vault_entry {
  uint64_t seq, pushed, column;
  void *user;
  uint32_t row;
  uint16_t next, prev;           /* queue in order of age; next also links free entries */
  uint16_t bank_next, bank_prev; /* the same for one row buffer */
  uint16_t older;                /* older requests of the same address that must go first */
  uint8_t slot, bursts;          /* slot: which row buffer, bank * row_buffers + row mod row_buffers */
  bool write, activated, precharged;
} vault_entry_t;

typedef struct vault_bank {        /* a row buffer with the subarrays it serves; with one a bank, the bank */
  uint64_t act_at, pre_at, col_at; /* earliest cycle by its own history */
  uint32_t row;                    /* the open row */
  uint16_t hit[2];                 /* the oldest read and write that can use it now */
  uint16_t first, last;            /* its requests in order of age */
  bool open;
} vault_bank_t;

/* A command that a row buffer could have next. at: earliest cycle by the bank's history; the
 * rank's times come in later. order: lower goes first among equals. */
typedef struct vault_candidate {
  uint64_t at, order;
} vault_candidate_t;

typedef struct vault_command {
  uint64_t at;
  uint16_t entry, slot; /* request and row buffer, of a command to one row buffer */
  uint8_t kind;         /* vault_kind_t */
} vault_command_t;

/* Requests under way or not yet popped, in order of their ends. */
typedef struct vault_finish {
  vault_done_t *done; /* a ring [held] */
  unsigned head, count;
} vault_finish_t;

enum { /* bytes of what a vault's size depends on, with room to align eight arrays to cache lines */
       VAULT_STORAGE =
           VAULT_MAX_BANKS * (sizeof(vault_bank_t) + 2 * sizeof(vault_candidate_t) + 2 + 2 * sizeof(uint64_t)) +
           VAULT_MAX_QUEUE * sizeof(vault_entry_t) + 2 * VAULT_RING * sizeof(vault_done_t) + VAULT_HASH + 9 * 64,
};

/* Not to be copied: it points into itself. Its arrays lie side by side in `storage`, as long as
 * the configuration needs them, so that a vault touches few cache lines and pages; systems have
 * hundreds. */
typedef struct vault {
  uint64_t now;
  vault_command_t command;    /* the next command if nothing is pushed */
  uint64_t act_at, col_at[2]; /* rank: earliest activate; read, write */
  uint64_t busy_banks;        /* row buffers with requests, one bit each */
  uint64_t refresh_at;        /* when the next refresh is due */
  uint64_t next_seq;
  uint16_t first, last, free;   /* requests in order of age; unused entries */
  unsigned used, bypassed;      /* entries in use; younger requests served since `first` became the oldest */
  unsigned slots, slot_shift;   /* row buffers of all banks; of one bank, as a power of two */
  vault_finish_t finish[2];     /* reads, writes */
  uint64_t (*io_at)[2];         /* [banks] as col_at, of each bank's own data path */
  uint8_t *candidate_kind;      /* [2 * slots] two a row buffer */
  vault_candidate_t *candidate; /* the same */
  vault_bank_t *bank;           /* [slots] */
  vault_entry_t *entry;         /* [queue] */
  /* [VAULT_HASH] queued requests by a hash of their address. 0 or 1 says that no other has the
   * address. */
  uint8_t *same;
  uint64_t faw_at[4]; /* end of the tFAW window that each of the last four activates began */
  unsigned faw_oldest;
  vault_config_t config;
  vault_stats_t stats;
  uint64_t storage[VAULT_STORAGE / sizeof(uint64_t)];
} vault_t;

/* Table 2: 16 banks, 64 entries, refresh on. */
vault_config_t vault_default_config(void);
/* Sets a timing by name. 0; -1: no such name; -2: out of range. least and most (may be NULL) get
 * the range. */
int vault_set_timing(dram_timing_t *timing, const char *name, long value, long *least, long *most);

/* Ranges, and that refreshes leave time for requests. False: bad input. */
bool vault_check_config(const vault_config_t *config, trouble_t *trouble);

/* Can a part be like this? An activate, the row's time and a precharge are a row cycle. The model
 * takes any timing, so that each rule can be made to bind alone. INPUT: no part can. */
bool vault_check_timing(const dram_timing_t *timing, trouble_t *trouble);
void vault_stats_add(vault_stats_t *sum, const vault_stats_t *stats);
void vault_init(vault_t *vault, const vault_config_t *config);
bool vault_can_push(const vault_t *vault);
unsigned vault_queued(const vault_t *vault);                                   /* entries in use */
void vault_push(vault_t *vault, const vault_request_t *request, uint64_t now); /* needs vault_can_push */
void vault_advance(vault_t *vault, uint64_t now);                              /* now never goes back */
bool vault_pop(vault_t *vault, uint64_t now, vault_done_t *done);              /* in order of their ends */
uint64_t vault_next_event(const vault_t *vault);                               /* VAULT_NEVER: nothing to do */
bool vault_idle(const vault_t *vault);                                         /* no request waits or is under way */

#endif

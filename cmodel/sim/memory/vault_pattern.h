/* SPDX-License-Identifier: Apache-2.0
 *
 * Request patterns for one vault alone, and a run of one. They are those that Ramulator,
 * DRAMsim3 and DRAMSys were measured with, and more. Other devices with a vault inside run the
 * same patterns through pattern_device_t (near_mc_pattern.h).
 *
 * Requests have one burst. At most one is pushed a cycle, and at most `outstanding` are between
 * push and end of data. A run is a pure function of its configuration. A latency counts from the
 * push: one cycle to be seen, then the commands, then the data.
 */
#ifndef VAULT_PATTERN_H
#define VAULT_PATTERN_H

#include "vault.h"

/* clang-format off */
/*            name          enum               text */
#define VAULT_PATTERNS(X)                                                                          \
  X("isolated-closed",   ISOLATED_CLOSED,   "one read of a closed bank")                           \
  X("isolated-hit",      ISOLATED_HIT,      "one read of the open row")                            \
  X("isolated-conflict", ISOLATED_CONFLICT, "one read while another row is open")                  \
  X("stream-hit",        STREAM_HIT,        "one row of each bank, banks in turn")                 \
  X("stream-row128",     STREAM_ROW,        "a new row every --row-requests (128) requests")       \
  X("distinct-rows",     DISTINCT_ROWS,     "every request another row, banks in turn")            \
  X("ping-pong",         PING_PONG,         "--rows (2) rows of each bank by turns")               \
  X("random",            RANDOM,            "random bank, row and column")                         \
  X("trace",             TRACE,             "requests from --trace FILE")

typedef enum vault_pattern {
#define VAULT_PATTERN_ENUM(name, id, text) VAULT_PATTERN_##id,
  VAULT_PATTERNS(VAULT_PATTERN_ENUM)
#undef VAULT_PATTERN_ENUM
  VAULT_NUM_PATTERNS
} vault_pattern_t;
/* clang-format on */

typedef struct vault_run_config {
  vault_config_t vault;
  vault_pattern_t pattern;
  uint64_t requests;     /* >= 1; isolated patterns have one */
  unsigned banks;        /* used by the pattern, 1..vault.banks */
  unsigned rows;         /* used by random and ping-pong, >= 1 */
  unsigned row_requests; /* of stream-row128 before the next row, and columns of random, >= 1 */
  unsigned outstanding;  /* >= 1 */
  double reads;          /* fraction of reads, 0..1 (isolated requests are reads) */
  uint64_t seed;
  const vault_request_t *trace; /* [requests] of pattern trace */
} vault_run_config_t;

typedef struct vault_run_result {
  uint64_t requests; /* finished: fewer than asked for if it was stopped */
  uint64_t cycles;   /* from the first push to the end of the last data */
  vault_stats_t stats;
  double cycles_per_request, mean_latency, bus_utilisation; /* utilisation: of the data bus, 0..1 */
} vault_run_result_t;

const char *vault_pattern_name(vault_pattern_t pattern);
const char *vault_pattern_text(vault_pattern_t pattern);
int vault_pattern_from_name(const char *name);                 /* -1: none */
vault_run_config_t vault_run_default(vault_pattern_t pattern); /* dram.csv's: refresh off, 64 outstanding, 20000 or 1 */

/* What a pattern runs on; as a vault's functions. */
typedef struct pattern_device {
  void *context;
  bool (*can_push)(const void *context);
  void (*push)(void *context, const vault_request_t *request, uint64_t now);
  unsigned (*step)(void *context, uint64_t now); /* how many requests ended in cycle now */
  uint64_t (*next_event)(const void *context);
  void (*clear)(void *context); /* the statistics */
  vault_stats_t (*stats)(const void *context);
} pattern_device_t;

typedef bool vault_progress_t(void *context, uint64_t done); /* called now and then; false: stop */
vault_run_result_t vault_run(vault_t *vault, const vault_run_config_t *config, vault_progress_t *progress,
                             void *context);
/* The same with another device, just initialised as the configuration says. */
vault_run_result_t pattern_run(const pattern_device_t *device, const vault_run_config_t *config,
                               vault_progress_t *progress, void *context);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Counters of a GPU. A list (.def) declares each counter once, with unit and text. The list makes
 * these structs, the JSON result and the printed tables.
 */
#ifndef GPU_STATS_H
#define GPU_STATS_H

#include <stdint.h>

#include "access_bins.h"
#include "packet.h"

/* Counters of the whole die, since the GPU was made. */
typedef struct {
#define COUNTER(name, ...) uint64_t name;
#define WORK(name, ...) uint64_t name;
#define WORK_BY(name, number, ...) uint64_t name[number];
#include "gpu_counters.def"
} gpu_stats_t;

/* Credits that the NDP buffer manager holds for a stack's NSUs. The sums equal the buffer sizes
 * when nothing is in flight. */
typedef struct {
  unsigned cmd, rd, wr;
} gpu_credits_t;

/* Rows of the policy's log, for epochs and offload blocks. They are valid until the next call. */
typedef struct {
#define COUNTER(name, ...) uint64_t name;
#include "offload_epoch.def"
} gpu_epoch_t;
typedef struct {
#define COUNTER(name, ...) uint64_t name;
#include "offload_decisions.def"
} gpu_decision_t; /* of firmware that decides on an epoch */
typedef struct {
#define COUNTER(name, ...) uint64_t name;
#include "offload_blocks.def"
} gpu_block_t;
typedef struct {
#define COUNTER(name, ...) uint64_t name;
#include "tom_maps.def"
} gpu_map_row_t;
typedef struct {
#define COUNTER(name, ...) uint64_t name;
#include "gpu_pages.def"
} gpu_page_t;

/* Log of a policy. */
typedef struct {
  unsigned epochs, blocks, maps;
  const gpu_epoch_t *epoch; /* [epochs], finished ones */
  const gpu_block_t *block; /* [blocks] */
  const gpu_map_row_t *map; /* [maps] */
} gpu_log_t;

#endif

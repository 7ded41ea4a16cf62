/* SPDX-License-Identifier: Apache-2.0
 *
 * What a GPU counts while it runs: each counter is typed once, in a list (.def) with its unit and
 * text, from which come these structs, the JSON result and the printed tables.
 */
#ifndef GPU_STATS_H
#define GPU_STATS_H

#include <stdint.h>

#include "access_bins.h"
#include "packet.h"

/* Of the whole die, since the machine was made. */
typedef struct {
#define COUNTER(name, ...) uint64_t name;
#define WORK(name, ...) uint64_t name;
#define WORK_BY(name, number, ...) uint64_t name[number];
#include "gpu_counters.def"
} gpu_stats_t;

/* NDP credits the manager holds for a stack's NSUs together:
 * equal to the full buffers when nothing is in flight. */
typedef struct {
  unsigned cmd, rd, wr;
} gpu_credits_t;

/* What the policy keeps of epochs and of the module's offload
 * blocks; good until the next call of any function. */
typedef struct {
#define COUNTER(name, ...) uint64_t name;
#include "offload_epoch.def"
} gpu_epoch_t;
typedef struct {
#define COUNTER(name, ...) uint64_t name;
#include "offload_decisions.def"
} gpu_decision_t; /* kept by who decides on an epoch, if that is firmware */
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

typedef struct {
  unsigned epochs, blocks, maps;
  const gpu_epoch_t *epoch; /* [epochs], that have ended */
  const gpu_block_t *block; /* [blocks] */
  const gpu_map_row_t *map; /* [maps] */
} gpu_log_t;

#endif

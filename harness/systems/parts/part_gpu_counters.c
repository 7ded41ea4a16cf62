/* SPDX-License-Identifier: Apache-2.0
 *
 * What the GPU counts, and the tables that it keeps.
 */
#include "part_gpu.h"
#include "part_gpu_families.h"

#define COUNTERS_OF gpu_stats_t
#include "counter_list.h"

const counter_t part_gpu_counters[] = {
#include "gpu_counters.def"
    {0},
};

#undef COUNTERS_OF
#define COUNTERS_OF gpu_epoch_t
#include "counter_list.h"

static const counter_t epoch_columns[] = {
#include "offload_epoch.def"
    {0},
};

#undef COUNTERS_OF
#define COUNTERS_OF gpu_decision_t
#include "counter_list.h"

static const counter_t decision_columns[] = {
#include "offload_decisions.def"
    {0},
};

#undef COUNTERS_OF
#define COUNTERS_OF gpu_block_t
#include "counter_list.h"

static const counter_t block_columns[] = {
#include "offload_blocks.def"
    {0},
};

#undef COUNTERS_OF
#define COUNTERS_OF gpu_map_row_t
#include "counter_list.h"

static const counter_t map_columns[] = {
#include "tom_maps.def"
    {0},
};

#undef COUNTERS_OF
#define COUNTERS_OF gpu_page_t
#include "counter_list.h"

static const counter_t page_columns[] = {
#include "gpu_pages.def"
    {0},
};

void part_gpu_count(const part_t *p, uint64_t *counts) {
  gpu_stats_t *stats = (gpu_stats_t *)counts;
  *stats = gpu_stats(part_gpu_model(p));
  part_gpu_firmware_count(p, stats);
}

static unsigned epochs(const part_t *p, const uint64_t **rows) {
  const gpu_log_t log = gpu_log(part_gpu_model(p));
  *rows = (const uint64_t *)log.epoch;
  return log.epochs;
}

uint64_t part_gpu_epochs(const part_t *p, unsigned ratio) {
  const uint64_t *rows;
  (void)ratio;
  return epochs(p, &rows);
}

static unsigned decisions(const part_t *p, const uint64_t **rows) {
  const gpu_decision_t *of;
  const unsigned count = part_gpu_decisions(p, &of);
  *rows = (const uint64_t *)of;
  return count;
}

static unsigned blocks(const part_t *p, const uint64_t **rows) {
  const gpu_log_t log = gpu_log(part_gpu_model(p));
  *rows = (const uint64_t *)log.block;
  return log.blocks;
}

static unsigned maps_seen(const part_t *p, const uint64_t **rows) {
  const gpu_log_t log = gpu_log(part_gpu_model(p));
  *rows = (const uint64_t *)log.map;
  return log.maps;
}

static unsigned pages(const part_t *p, const uint64_t **rows) {
  const gpu_page_t *of;
  const unsigned count = gpu_pages(part_gpu_model(p), &of);
  *rows = (const uint64_t *)of;
  return count;
}

const part_table_t part_gpu_tables[] = {
    {"epochs", "of the offload ratio that have ended", epoch_columns, epochs, sizeof(gpu_epoch_t) / sizeof(uint64_t)},
    {"decisions", "of firmware on the offload ratio", decision_columns, decisions,
     sizeof(gpu_decision_t) / sizeof(uint64_t)},
    {"blocks", "of instructions that can be offloaded", block_columns, blocks, sizeof(gpu_block_t) / sizeof(uint64_t)},
    {"maps", "that data of offloaded blocks might have", map_columns, maps_seen,
     sizeof(gpu_map_row_t) / sizeof(uint64_t)},
    {"pages", "that SMs accessed, and where from", page_columns, pages, sizeof(gpu_page_t) / sizeof(uint64_t)},
    {0},
};

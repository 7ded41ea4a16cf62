/* SPDX-License-Identifier: Apache-2.0
 *
 * What the GPU counts, and the tables that it keeps. Each table is a list of columns (.def) over a
 * struct of uint64_t.
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

/* Fills the model's counters, and those of firmware that decides for the model. */
void part_gpu_count(const part_t *p, uint64_t *counts) {
  gpu_stats_t *stats = (gpu_stats_t *)counts;
  *stats = gpu_stats(part_gpu_model(p));
  part_gpu_firmware_count(p, stats);
}

/* Functions named _rows fill a table's slot `rows`: where the rows are, and how many. The model
 * keeps the memory. */
static unsigned epoch_rows(const part_t *p, const uint64_t **rows) {
  const gpu_log_t log = gpu_log(part_gpu_model(p));
  *rows = (const uint64_t *)log.epoch;
  return log.epochs;
}

/* There is one ratio, so its instance does not matter. */
uint64_t part_gpu_epochs(const part_t *p, unsigned ratio) {
  const uint64_t *rows;
  (void)ratio;
  return epoch_rows(p, &rows);
}

static unsigned decision_rows(const part_t *p, const uint64_t **rows) {
  const gpu_decision_t *of;
  const unsigned count = part_gpu_decisions(p, &of);
  *rows = (const uint64_t *)of;
  return count;
}

static unsigned block_rows(const part_t *p, const uint64_t **rows) {
  const gpu_log_t log = gpu_log(part_gpu_model(p));
  *rows = (const uint64_t *)log.block;
  return log.blocks;
}

static unsigned map_rows(const part_t *p, const uint64_t **rows) {
  const gpu_log_t log = gpu_log(part_gpu_model(p));
  *rows = (const uint64_t *)log.map;
  return log.maps;
}

static unsigned page_rows(const part_t *p, const uint64_t **rows) {
  const gpu_page_t *of;
  const unsigned count = gpu_pages(part_gpu_model(p), &of);
  *rows = (const uint64_t *)of;
  return count;
}

const part_table_t part_gpu_tables[] = {
    {"epochs", "of the offload ratio that have ended", epoch_columns, epoch_rows,
     sizeof(gpu_epoch_t) / sizeof(uint64_t)},
    {"decisions", "of firmware on the offload ratio", decision_columns, decision_rows,
     sizeof(gpu_decision_t) / sizeof(uint64_t)},
    {"blocks", "of instructions that can be offloaded", block_columns, block_rows,
     sizeof(gpu_block_t) / sizeof(uint64_t)},
    {"maps", "that data of offloaded blocks might have", map_columns, map_rows,
     sizeof(gpu_map_row_t) / sizeof(uint64_t)},
    {"pages", "that SMs accessed, and where from", page_columns, page_rows, sizeof(gpu_page_t) / sizeof(uint64_t)},
    {0},
};

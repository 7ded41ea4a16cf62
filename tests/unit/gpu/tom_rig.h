/* SPDX-License-Identifier: Apache-2.0
 *
 * A GPU and the SMs of its stacks, between them memory of two latencies and nothing else,
 * on which a kernel runs that was written for one question.
 *
 *         requests[k]: blocks                        from_sm[k]: reads, blocks' writes
 *   GPU ------------------------> SM of stack k  ------------------------------> memory image
 *    |  <------------------------                                                    |
 *    |   to_gpu[k]: lists of lines, ends of blocks; answers of memory                |
 *    +-------------------------- from_gpu[k]: reads and writes ----------------------+
 *
 * Each way keeps its order. Blocks do not wait behind the GPU's accesses.
 */
#ifndef TOM_RIG_H
#define TOM_RIG_H

#include "unit_test.h"

#include <string.h>

#include "gpu.h"
#include "memory_image.h"
#include "offload_tom.h"
#include "stack_address.h"
#include "stack_sm.h"

/* ROW: threads of a warp. A run takes MOST_CYCLES at most, then the test fails. */
enum { STACKS = 2, QUEUE = 8192, ROW = 32, MOST_CYCLES = 2000000 };

typedef struct {
  packet_t *packet[QUEUE];
  uint64_t due[QUEUE];
  unsigned first, count;
} way_t;

typedef struct {
  gpu_config_t config;
  gpu_t *gpu;
  stack_sm_t *sm[STACKS];
  memory_image_t *image;
  packet_pool_t *pool;
  ptx_module_t *module;
  void *blocks;
  trouble_t err;
  uint64_t now;
  way_t from_gpu[STACKS], requests[STACKS], to_gpu[STACKS], from_sm[STACKS];
  uint64_t latency, write_latency; /* of all; of the GPU's writes, besides */
  uint64_t block_latency;          /* of blocks' writes, besides */
  const char *kernel;              /* that is launched; NULL: the only one */
  unsigned lose_lines;             /* so many of each list are not named to the GPU */
  char ptx[16384];
} rig_t;

gpu_config_t rig_config(void);

/* A kernel k(a, b, n): its text, in which thread i has its number in %r1,
 * of all in %r4, the addresses of a[i], b[i] in %d4, %d5, and n in %r9. */
rig_t *rig_make(const gpu_config_t *config, const char *body);
void rig_done(rig_t *r);
void rig_tick(rig_t *r);

/* Memory of so many words, with `data` in it; NULL: what is there. */
uint64_t rig_room(rig_t *r, unsigned words, const uint32_t *data);
bool rig_begin(rig_t *r, unsigned ctas, unsigned threads, uint64_t a, uint64_t b, uint32_t n);
/* to its end, or r->err */
void rig_launch(rig_t *r, unsigned ctas, unsigned threads, uint64_t a, uint64_t b, uint32_t n);
uint32_t *rig_result(rig_t *r, uint64_t b, unsigned words); /* test_free */

/* Each instance went, or stayed for one reason. */
gpu_stats_t rig_counts(const rig_t *r);

#endif

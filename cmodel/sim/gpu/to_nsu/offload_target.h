/* SPDX-License-Identifier: Apache-2.0
 *
 * The target of a block's instance: the stack whose NSU executes the block (offload_targets.def).
 * An access without threads does not count.
 *
 * The functions return the target once their information suffices, else OFFLOAD_NO_TARGET:
 *
 *   offload_target_issued      an access issues: its lines are known
 *   offload_target_looked      the load/store unit knows whether the L1 has a line
 *   offload_target_looked_all  all lines of an access have been looked up (rule first_miss)
 *   offload_target_so_far      the best guess, if the pending buffer is full, or at the block's end
 *
 * Until then packets wait in the bounded pending buffer. With so_far no warp waits there without
 * having asked for an NSU.
 */
#ifndef OFFLOAD_TARGET_H
#define OFFLOAD_TARGET_H

#include <stdbool.h>

#include "coalesce.h"
#include "gpu_config.h"

enum { OFFLOAD_NO_TARGET = -1 };

/* What is known of an instance's accesses. */
typedef struct {
  uint16_t lines[GPU_MAX_NSU_STACKS]; /* counted lines of each stack */
  bool any;                           /* some line was counted */
  uint8_t first;                      /* target of the first access */
  bool accessed;                      /* an access has issued */
} offload_target_t;

/* rule: a gpu_target_t. */
int offload_target_issued(offload_target_t *t, unsigned rule, const coalesce_t *lines);
/* accesses_stack: the L1 lacks the line, or the access is a store. */
void offload_target_looked(offload_target_t *t, uint64_t line, bool accesses_stack);
int offload_target_looked_all(const offload_target_t *t);
int offload_target_so_far(const offload_target_t *t); /* OFFLOAD_NO_TARGET: no access has issued */

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * To which stack's NSU an instance of a block goes (offload_targets.def). An access of no thread
 * does not count.
 *
 * What is known when: the lines of an access when it issues (`issued`); which of a load's lines the
 * L1 has, one by one when the load/store unit makes its packets (`looked`, with `first_miss` only;
 *    `looked_all` behind the last). Each says the stack once it can. Before, packets wait in the
 *    pending buffer,
 * which is bounded: who needs more room there than it has takes `so_far`, and so does a block at
 * its end. So nobody waits who has not asked for an NSU.
 */
#ifndef OFFLOAD_TARGET_H
#define OFFLOAD_TARGET_H

#include <stdbool.h>

#include "coalesce.h"
#include "gpu_config.h"

enum { OFFLOAD_NO_TARGET = -1 };

typedef struct {
  uint16_t lines[GPU_MAX_NSU_STACKS]; /* that count, of each stack */
  bool any;                           /* line of these */
  uint8_t first;                      /* stack of the first access */
  bool accessed;                      /* there has been one */
} offload_target_t;

int offload_target_issued(offload_target_t *t, unsigned rule, const coalesce_t *lines);
void offload_target_looked(offload_target_t *t, uint64_t line, bool accesses_stack);
int offload_target_looked_all(const offload_target_t *t);
int offload_target_so_far(const offload_target_t *t); /* OFFLOAD_NO_TARGET: no access has issued */

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * NDP buffer manager (NSU paper, section 4.3): credits for the buffers of every stack's NSU.
 *
 * A request asks for one offload command entry and some read data and write address entries of one stack. It is granted
 * whole or not at all, in the order of requests to that stack: a small request never passes a large one (no
 * starvation). At most one grant a stack and tick (ours). Credits come back as the NSU frees entries.
 */
#ifndef NDP_MANAGER_H
#define NDP_MANAGER_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu_config.h"

typedef struct {
  uint16_t sm, warp, rd, wr;
} ndp_request_t;

typedef struct {
  unsigned cmd, rd, wr; /* free entries */
  unsigned head, count;
  ndp_request_t *queue; /* one a warp of the GPU at most */
} ndp_stack_t;

typedef struct {
  unsigned num_stacks, queue_size;
  unsigned max_cmd, max_rd, max_wr;
  ndp_stack_t stack[GPU_MAX_STACKS];
} ndp_manager_t;

int ndp_manager_init(ndp_manager_t *m, const gpu_config_t *config); /* -1: out of host memory */
void ndp_manager_deinit(ndp_manager_t *m);

/* False: more than the NSU has, can never be granted. */
bool ndp_manager_fits(const ndp_manager_t *m, unsigned rd, unsigned wr);
void ndp_manager_request(ndp_manager_t *m, unsigned stack, ndp_request_t request); /* must fit */
bool ndp_manager_grant(ndp_manager_t *m, unsigned stack,
                       ndp_request_t *granted); /* the oldest, if its credits are there */

/* False, and nothing changed: more credits than there are entries (a broken NSU). */
bool ndp_manager_credit(ndp_manager_t *m, unsigned stack, unsigned cmd, unsigned rd, unsigned wr);

#endif

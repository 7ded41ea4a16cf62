/* SPDX-License-Identifier: Apache-2.0
 *
 * What choosing a block's target by its first access costs (NSU paper, section 4.1.1, Fig. 5): each
 * access is to one of the stacks, all alike likely and each by itself; one that is not to the
 * target's stack crosses a link. Exact expectations, no draws.
 */
#ifndef TARGET_TRAFFIC_H
#define TARGET_TRAFFIC_H

enum { TARGET_STACKS_LEAST = 2, TARGET_STACKS_MOST = 256, TARGET_ACCESSES = 64 };

typedef struct {
  double first; /* accesses that cross, mean: the target is the first one's stack */
  double best;  /* and the stack that has most of them */
} target_traffic_t;

/* stacks: TARGET_STACKS_LEAST to TARGET_STACKS_MOST; accesses: 1 to TARGET_ACCESSES */
target_traffic_t target_traffic(unsigned stacks, unsigned accesses);

double target_increase_percent(target_traffic_t t); /* of first over best; nothing crosses: 0 */

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What it costs to choose a block's target by its first access (NSU paper, section 4.1.1, Fig.
 * 5). Each access goes to one of the stacks, all equally likely and independent. An access to
 * another stack than the target crosses a link. The results are exact expectations, without
 * random draws.
 */
#ifndef TARGET_TRAFFIC_H
#define TARGET_TRAFFIC_H

enum { TARGET_STACKS_LEAST = 2, TARGET_STACKS_MOST = 256, TARGET_ACCESSES = 64 };

typedef struct {
  double first; /* mean crossings when the first access picks the target */
  double best;  /* mean crossings when the busiest stack is the target */
} target_traffic_t;

/* stacks: TARGET_STACKS_LEAST to TARGET_STACKS_MOST; accesses: 1 to TARGET_ACCESSES */
target_traffic_t target_traffic(unsigned stacks, unsigned accesses);

double target_increase_percent(target_traffic_t t); /* increase of first over best; 0: nothing crosses */

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of k-means' assignment step, for every kernel that does it: points with features,
 * centres, and the nearest centre of each point.
 *
 * Arguments of the kernel: the arrays of features, centres and memberships, then the numbers of
 * points, centres and features. Feature f of point p is at f * points + p or, by points, at p *
 * features + f. Centres are kept by centre, then feature. Distances add in order of the features,
 * each square fused with the addition; of two centres at one distance the first is taken.
 */
#ifndef CENTRES_H
#define CENTRES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime.h"
#include "trouble.h"

enum { CENTRES_POINTS, CENTRES_FEATURES, CENTRES_CLUSTERS, CENTRES_BLOCK }; /* a workload's parameters, in this order */

/* Host data from the seed; features are kept by feature, or by points. NULL: out of memory.
 * data_destroy frees it. */
void *centres_create(const int64_t *values, uint64_t seed); /* ends with data_destroy */
void *centres_create_by_points(const int64_t *values, uint64_t seed);
/* Limits a launch to `blocks` blocks, whose threads go on through what is left. Returns state;
 * NULL is allowed. */
void *centres_limit(void *state, int64_t blocks);
/* Copies, launches `kernel` and copies the memberships back. Returns 0 or the failed call's
 * status. */
int centres_run(void *state, const runtime_t *rt, const char *kernel);
/* False: *trouble names the first wrong membership. */
bool centres_check(const void *state, trouble_t *trouble);

#endif

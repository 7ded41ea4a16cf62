/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of k-means' assignment step, for every kernel that does it: points with features,
 * centres, and the nearest centre of each point.
 *
 * Arguments of the kernel: features (feature f of point p at f * points + p, or, by points, at p *
 * features + f), centres (by centre, then feature), memberships, points, centres, features.
 * Distances add in order of the features, each square fused with the addition; of two centres at
 * one distance the first is taken.
 */
#ifndef CENTRES_H
#define CENTRES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime.h"
#include "trouble.h"

enum { CENTRES_POINTS, CENTRES_FEATURES, CENTRES_CLUSTERS, CENTRES_BLOCK }; /* a workload's parameters, in this order */

void *centres_create(const int64_t *values, uint64_t seed); /* ends with data_destroy */
void *centres_create_by_points(const int64_t *values, uint64_t seed);
/* state (NULL is allowed), now with so many blocks at most, which go on through what is left */
void *centres_limit(void *state, int64_t blocks);
int centres_run(void *state, const runtime_t *rt, const char *kernel);
bool centres_check(const void *state, trouble_t *trouble);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of knn and nn: which records are the nearest, given all distances. Of two records
 * at one distance the first is the nearer. `nearest` is at most `records`.
 */
#ifndef KNN_H
#define KNN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trouble.h"

/* Fills `list` with the numbers of the nearest records, the nearest first. */
void knn_select(const float *distance, uint32_t records, uint32_t nearest, int32_t *list);

/* Is the list right? False: *trouble says what is wrong. */
bool knn_list_right(const float *distance, uint32_t records, uint32_t nearest, const int32_t *list, trouble_t *trouble);

#endif

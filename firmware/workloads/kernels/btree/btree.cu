/* SPDX-License-Identifier: Apache-2.0
 *
 * Queries of a B+ tree of order 256 (the algorithm of Rodinia's b+tree): a block a query, a thread a key of the node that the query has come to. The one
 * thread between whose key and the next the query's lies says which node is next. btree_find: the value of a key's record;
 * btree_range: the first record of a range of keys, and how many there are. What is not there leaves the answer as it was.
 */
#include "device.h"

#define ORDER 256

typedef struct {
  int place;
  int index[ORDER + 1]; /* of nodes, or, of a leaf, of records */
  int key[ORDER + 1];   /* the least of each; INT_MAX behind the last, and, but for a leaf's, INT_MIN the first */
  bool leaf;
  int keys;
} node_t;

typedef struct {
  int value;
} record_t;

/* at, next: of each query; at first the root. */
extern "C" __global__ void btree_find(long height, const node_t *node, long nodes, const record_t *record, long *at, long *next, const int *key,
                                      record_t *answer) {
  const uint t = threadIdx.x, query = blockIdx.x;
  for (long level = 0; level < height; level++) {
    if (node[at[query]].key[t] <= key[query] && node[at[query]].key[t + 1] > key[query])
      if (node[next[query]].index[t] < nodes) next[query] = node[next[query]].index[t];
    __syncthreads();
    if (t == 0) at[query] = next[query];
    __syncthreads();
  }
  if (node[at[query]].key[t] == key[query]) answer[query].value = record[node[at[query]].index[t]].value;
}

extern "C" __global__ void btree_range(long height, const node_t *node, long nodes, long *first, long *first_next, long *last, long *last_next, const int *from,
                                       const int *to, int *start, int *length) {
  const uint t = threadIdx.x, query = blockIdx.x;
  for (long level = 0; level < height; level++) {
    if (node[first[query]].key[t] <= from[query] && node[first[query]].key[t + 1] > from[query])
      if (node[first[query]].index[t] < nodes) first_next[query] = node[first[query]].index[t];
    if (node[last[query]].key[t] <= to[query] && node[last[query]].key[t + 1] > to[query])
      if (node[last[query]].index[t] < nodes) last_next[query] = node[last[query]].index[t];
    __syncthreads();
    if (t == 0) {
      first[query] = first_next[query];
      last[query] = last_next[query];
    }
    __syncthreads();
  }
  if (node[first[query]].key[t] == from[query]) start[query] = node[first[query]].index[t];
  __syncthreads();
  if (node[last[query]].key[t] == to[query]) length[query] = node[last[query]].index[t] - start[query] + 1;
}

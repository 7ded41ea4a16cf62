/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth-first search, a level in two launches (the algorithm of Rodinia's bfs): the nodes of the frontier give their new neighbours
 * a level and mark them; then the marked nodes are the frontier, and *more says whether there are any. Several nodes may write one
 * neighbour's level and mark: they write the same.
 */
#include "device.h"

typedef struct {
  int first, edges;
} node_t;

extern "C" __global__ void bfs_visit(const node_t *node, const int *edge, unsigned char *frontier, unsigned char *marked, const unsigned char *seen, int *level,
                                     int nodes) {
  int i = (int)global_thread();
  if (i >= nodes || !frontier[i]) return;
  frontier[i] = 0;
  for (int k = node[i].first; k < node[i].first + node[i].edges; k++) {
    int to = edge[k];
    if (seen[to]) continue;
    level[to] = level[i] + 1;
    marked[to] = 1;
  }
}

extern "C" __global__ void bfs_advance(unsigned char *frontier, unsigned char *marked, unsigned char *seen, unsigned char *more, int nodes) {
  int i = (int)global_thread();
  if (i >= nodes || !marked[i]) return;
  frontier[i] = 1;
  seen[i] = 1;
  *more = 1;
  marked[i] = 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that take memory of the heap: lists that one kernel makes, one sums and one gives back.
 */
#include "device.h"

extern "C" __device__ void *malloc(size_t bytes);
extern "C" __device__ void free(void *at);

struct node {
  node *next;
  uint value;
};

/* Thread i makes a list of i % 4 + 1 nodes, as far as there is room; of the others it has `bytes` more each, written at their ends. */
extern "C" __global__ void make(node **lists, uint *made, uint n, uint bytes) {
  uint i = global_thread();
  if (i >= n) return;
  node *first = 0;
  uint count = 0;
  for (uint k = 0; k <= i % 4; k++) {
    node *a = (node *)malloc(sizeof(node) + bytes);
    if (!a) break;
    a->next = first;
    a->value = i + k;
    if (bytes) ((char *)a)[sizeof(node) + bytes - 1] = (char)i;
    first = a;
    count++;
  }
  lists[i] = first;
  made[i] = count;
}

extern "C" __global__ void sum(node **lists, uint *sums, uint n, uint bytes) {
  uint i = global_thread(), sum = 0;
  if (i >= n) return;
  for (node *a = lists[i]; a; a = a->next) {
    sum += a->value;
    if (bytes && ((char *)a)[sizeof(node) + bytes - 1] != (char)i) sum += 1000000;
  }
  sums[i] = sum;
}

extern "C" __global__ void give(node **lists, uint *unused, uint n, uint keep) {
  uint i = global_thread();
  if (i >= n) return;
  for (node *a = lists[i], *next; a; a = next) {
    next = a->next;
    free(a);
  }
  if (!keep) lists[i] = 0;
}

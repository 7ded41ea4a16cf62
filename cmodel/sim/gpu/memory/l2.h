/* SPDX-License-Identifier: Apache-2.0
 *
 * A memory partition: one L2 slice and the GPU's end of one link.
 *
 * From the crossbar, READ, WRITE, PACKET_ATOM (class of requests) and RDF (of offloaded blocks) go
 * through the L2; WTA and CMD straight to the link; responses (RDF_RESP of hits) to the link.
 * Requests and those of offloaded blocks have queues of their own up to the link, and take turns
 * where both could go on; one that cannot never stops the other. From the link: fills, and answers
 * for the SMs. One request and one arrival a 700 MHz cycle. A hit's answer leaves l2.latency cycles
 * later; a miss spends half of it on the way out and half on the way back. Write-through, no
 * allocation by writes; a write updates the line if it is there. Atomics are done here, on the
 * line, and written through.
 *
 * What may be stale: a write or an invalidation marks a fill under way dead: who waits for it gets
 * its data (they were asked for before), it is not cached, and later requests fetch the line again.
 * Behind an atomic that waits for its line all requests for that line queue, so that a thread's
 * accesses to one address stay in order.
 */
#ifndef L2_H
#define L2_H

#include "cache.h"
#include "gpu_shared.h"
#include "offload_policy.h"

typedef struct {
  packet_t *packet;
  uint64_t ready;
  unsigned out;
} l2_slot_t;

typedef struct {
  l2_slot_t *slots;
  unsigned head, count, size;
} l2_queue_t;

typedef struct {
  unsigned count;
  packet_t *head, *tail; /* requests */
} l2_mshr_t;

typedef struct l2 {
  unsigned id, stack; /* of all slices; whose lines it has */
  const gpu_config_t *config;
  packet_pool_t *pool;
  xbar_t *xbar;
  const nodes_t *nodes;
  gpu_stats_t *stats;
  trouble_t *fault;
  const offload_policy_t *policy;
  void *die; /* the policy's */
  struct pager *pager;
  void (*page_written)(struct pager *pager, uint64_t paddr);
  struct read_only *read_only;
  uint64_t now;
  cache_t cache;
  l2_mshr_t mshrs[64];
  uint64_t mshr_line[64];
  uint64_t used, live;                 /* bit i: MSHR i waits; its line may be cached */
  uint64_t atomic;                     /* an atomic waits: everything for this line queues */
  l2_queue_t reply;                    /* to the crossbar, responses */
  l2_queue_t out[XBAR_CLASSES], in;    /* link */
  xbar_class_t next_in, next_out;      /* of requests and those of offloaded blocks: whose turn it is */
  packet_t *fill_head, *fill_tail;     /* readers of a line that has come, answered one a cycle */
  packet_t *replay_head, *replay_tail; /* requests that queued behind an atomic */
  unsigned writes;                     /* of atomics, not acknowledged */
} l2_t;

/* -1: out of host memory */
int l2_init(l2_t *l2, unsigned id, const gpu_shared_t *sh, const offload_policy_t *policy, void *die);
void l2_deinit(l2_t *l2);
void l2_tick(l2_t *l2);
bool l2_busy(const l2_t *l2);
void l2_forget(l2_t *l2, uint64_t line); /* it has been written in memory */

/* A request of the die itself, straight to the link, behind RDF and WTA packets. */
bool l2_has_room(const l2_t *l2);
void l2_send(l2_t *l2, packet_t *packet);

const packet_t *l2_link_front(const l2_t *l2, unsigned cls);
packet_t *l2_link_pop(l2_t *l2, unsigned cls);
bool l2_link_can_push(const l2_t *l2);
void l2_link_push(l2_t *l2, packet_t *packet);

#endif

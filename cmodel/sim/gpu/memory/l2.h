/* SPDX-License-Identifier: Apache-2.0
 *
 * A memory partition: one L2 slice and the GPU's end of one link.
 *
 *   crossbar                                                     link
 *   READ, WRITE, ATOM ----> L2 ----misses, writes---> out[REQUEST]  ---> stack
 *   RDF ------------------> L2 ----misses-----------> out[OFFLOAD]  ---> stack
 *   WTA, CMD ---------------------------------------> out[OFFLOAD]  ---> stack
 *   RDF_RESP of hits -------------------------------> out[RESPONSE] ---> stack
 *   SMs <--- reply <--- hits, fills, answers <------- in            <--- stack
 *
 * Requests and packets of offloaded blocks have separate queues up to the link. They take turns,
 * and a blocked one never stops the other. The slice handles one request and one arrival each L2
 * cycle. A hit's answer leaves l2.latency cycles later. A miss spends half of the latency on the
 * way out and half on the way back. The L2 is write-through without write-allocate; a write updates
 * a cached line. The L2 executes atomics on the cached line and writes the result through.
 *
 * A write or an invalidation marks a fill under way as dead. Its waiters get its data, because they
 * came first. The line is not cached, and later requests fetch it again. All requests for a line
 * queue behind an atomic that waits for it, so one thread's accesses to an address stay in order.
 */
#ifndef L2_H
#define L2_H

#include "cache.h"
#include "gpu_shared.h"
#include "offload_policy.h"

/* A packet in a queue. */
typedef struct {
  packet_t *packet;
  uint64_t ready; /* cycle from which the packet may leave */
  unsigned out;   /* reply: crossbar port */
} l2_slot_t;

typedef struct {
  l2_slot_t *slots;
  unsigned head, count, size;
} l2_queue_t;

/* A miss, with the requests that wait for its line. */
typedef struct {
  unsigned count;
  packet_t *head, *tail; /* requests */
} l2_mshr_t;

/* A slice. The pointers are the GPU's (gpu_shared_t). */
typedef struct l2 {
  unsigned id, stack; /* number among all slices; stack whose lines the slice has */
  const gpu_config_t *config;
  packet_pool_t *pool;
  xbar_t *xbar;
  const nodes_t *nodes;
  gpu_stats_t *stats;
  trouble_t *fault;
  const offload_policy_t *policy;
  void *die; /* of the policy */
  struct pager *pager;
  void (*page_written)(struct pager *pager, uint64_t paddr);
  struct read_only *read_only;
  uint64_t now;
  cache_t cache;
  l2_mshr_t mshrs[64];
  uint64_t mshr_line[64];
  uint64_t used, live;                 /* bit i: MSHR i waits; its line may be cached */
  uint64_t atomic;                     /* bit i: an atomic waits at MSHR i, so every request for the line queues */
  l2_queue_t reply;                    /* responses to the crossbar */
  l2_queue_t out[XBAR_CLASSES], in;    /* to and from the link */
  xbar_class_t next_in, next_out;      /* class whose turn it is: XBAR_REQUEST or XBAR_OFFLOAD */
  packet_t *fill_head, *fill_tail;     /* readers of an arrived line, answered one a cycle */
  packet_t *replay_head, *replay_tail; /* requests that queued behind an atomic */
  unsigned writes;                     /* writes of atomics that are not acknowledged */
} l2_t;

/* -1: out of host memory. l2_deinit frees also after a failure. */
int l2_init(l2_t *l2, unsigned id, const gpu_shared_t *sh, const offload_policy_t *policy, void *die);
void l2_deinit(l2_t *l2);
void l2_tick(l2_t *l2);
bool l2_busy(const l2_t *l2);            /* something is inside, or a write of an atomic is under way */
void l2_forget(l2_t *l2, uint64_t line); /* drops a line that was written in memory */

/* Sends a request of the die itself to the link, behind RDF and WTA packets. */
bool l2_has_room(const l2_t *l2);
void l2_send(l2_t *l2, packet_t *packet);

/* The link's end. cls 0: requests, 1: responses. front returns NULL if nothing may leave now. */
const packet_t *l2_link_front(const l2_t *l2, unsigned cls);
packet_t *l2_link_pop(l2_t *l2, unsigned cls);
bool l2_link_can_push(const l2_t *l2);
void l2_link_push(l2_t *l2, packet_t *packet);

#endif

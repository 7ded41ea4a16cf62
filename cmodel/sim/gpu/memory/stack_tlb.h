/* SPDX-License-Identifier: Apache-2.0
 *
 * The TLB of a stack's SM (TOM paper, section 4.4.1). A missing translation comes from the page
 * table in memory, which may be in another stack. There are no shootdowns: mappings made before a
 * block is sent never change.
 *
 * Ours: the TLB is fully associative with LRU replacement. The page table is one array of 8 bytes a
 * page, placed like any GPU memory. A page walk reads one line. STACK_TLB_WALKERS walks run at a
 * time; more pages wait in FIFO order. Bounds checks take no time.
 */
#ifndef STACK_TLB_H
#define STACK_TLB_H

#include "gpu_shared.h"

/* A walk's READ has the tag STACK_TLB_TAG + walker. */
enum { STACK_TLB_WALKERS = 8, STACK_TLB_TAG = 0x40000000 };

typedef struct {
  uint64_t page, used; /* page: number + 1; 0: free. used: time of last use */
} stack_tlb_entry_t;

typedef struct {
  uint64_t page; /* number + 1; 0: idle */
  bool sent;     /* its READ is under way */
} stack_tlb_walker_t;

typedef struct stack_tlb {
  const gpu_shared_t *sh; /* of the SM: crossbar and page table */
  stack_tlb_entry_t *entry;
  unsigned entries;
  uint64_t time;
  stack_tlb_walker_t walker[STACK_TLB_WALKERS];
  ring_t waiting; /* uint64_t: page numbers */
  uint64_t walks; /* READs sent so far */
} stack_tlb_t;

int stack_tlb_init(stack_tlb_t *t, const gpu_shared_t *sh, unsigned entries); /* -1: out of host memory */
void stack_tlb_deinit(stack_tlb_t *t);

/* True: the page is in the TLB. Otherwise a walk is requested. */
bool stack_tlb_need(stack_tlb_t *t, uint64_t vaddr);
void stack_tlb_tick(stack_tlb_t *t); /* once an SM cycle: starts walks */
/* True: the packet answers a walk, and a translation has arrived. false: not for the TLB. */
bool stack_tlb_receive(stack_tlb_t *t, const packet_t *packet);

#endif

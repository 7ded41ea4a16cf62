/* SPDX-License-Identifier: Apache-2.0
 *
 * Translations that the SM of a stack keeps (TOM paper, section 4.4.1): what is not among them is
 * read from the page table in memory, which may be in another stack. There are no shootdowns: what
 * is mapped before blocks go stays.
 *
 * Ours: fully associative, the least recently used goes; the table is one array of 8 bytes a page,
 * placed as any memory of the GPU's; a walk is a read of its line, as many walks are under way as
 * there are walkers, and further pages wait in the order of asking. Bounds are checked without
 * time.
 */
#ifndef STACK_TLB_H
#define STACK_TLB_H

#include "gpu_shared.h"

enum { STACK_TLB_WALKERS = 8, STACK_TLB_TAG = 0x40000000 /* and the walker's number: tags of its READs */ };

typedef struct {
  uint64_t page, used; /* page: and one; 0: none */
} stack_tlb_entry_t;

typedef struct {
  uint64_t page; /* and one; 0: it does nothing */
  bool sent;
} stack_tlb_walker_t;

typedef struct stack_tlb {
  const gpu_shared_t *sh; /* of the SM: its crossbar, its pages */
  stack_tlb_entry_t *entry;
  unsigned entries;
  uint64_t time;
  stack_tlb_walker_t walker[STACK_TLB_WALKERS];
  ring_t waiting; /* uint64_t: pages */
  uint64_t walks; /* so far */
} stack_tlb_t;

int stack_tlb_init(stack_tlb_t *t, const gpu_shared_t *sh, unsigned entries); /* -1: out of host memory */
void stack_tlb_deinit(stack_tlb_t *t);

bool stack_tlb_need(stack_tlb_t *t, uint64_t vaddr);            /* it is there; if not, it is asked for */
void stack_tlb_tick(stack_tlb_t *t);                            /* a cycle of the SM's: walks begin */
bool stack_tlb_receive(stack_tlb_t *t, const packet_t *packet); /* false: not one of its own; else there is one more */

#endif

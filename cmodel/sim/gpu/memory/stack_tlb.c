/* SPDX-License-Identifier: Apache-2.0 */
#include "stack_tlb.h"

#include <stdlib.h>

#include "stack_address.h"

int stack_tlb_init(stack_tlb_t *t, const gpu_shared_t *sh, unsigned entries) {
  *t = (stack_tlb_t){.sh = sh, .entries = entries, .waiting = {.size = sizeof(uint64_t)}};
  return (t->entry = calloc(entries, sizeof *t->entry)) ? 0 : -1;
}

void stack_tlb_deinit(stack_tlb_t *t) {
  free(t->entry);
  ring_deinit(&t->waiting);
}

/* ---- Entries --------------------------------------------------------------------------------- */

/* True if the page is in the TLB; counts as a use. */
static bool find_page(stack_tlb_t *t, uint64_t page) {
  for (unsigned i = 0; i < t->entries; i++) {
    if (t->entry[i].page != page + 1) continue;
    t->entry[i].used = ++t->time;
    return true;
  }
  return false;
}

/* Replaces the least recently used entry. */
static void replace_entry(stack_tlb_t *t, uint64_t page) {
  stack_tlb_entry_t *oldest = t->entry;
  for (unsigned i = 1; i < t->entries; i++)
    if (t->entry[i].used < oldest->used) oldest = &t->entry[i];
  *oldest = (stack_tlb_entry_t){page + 1, ++t->time};
}

/* ---- Walks ----------------------------------------------------------------------------------- */

/* True if the page's walk is under way or waits. */
static bool is_walked(const stack_tlb_t *t, uint64_t page) {
  for (unsigned i = 0; i < STACK_TLB_WALKERS; i++)
    if (t->walker[i].page == page + 1) return true;
  for (unsigned i = 0; i < t->waiting.count; i++)
    if (*(const uint64_t *)ring_at(&t->waiting, i) == page) return true;
  return false;
}

bool stack_tlb_need(stack_tlb_t *t, uint64_t vaddr) {
  const uint64_t page = vaddr >> PAGE_SHIFT;
  if (find_page(t, page)) return true;
  if (!is_walked(t, page) && !ring_put(&t->waiting, &page))
    trouble_fail(t->sh->fault, TROUBLE_ENVIRONMENT, "out of memory");
  return false;
}

/* Sends a walk's READ, which the crossbar has room for. */
static void send_walk(stack_tlb_t *t, unsigned walker) {
  const uint64_t at = page_table_entry_at(t->sh->pages, (t->walker[walker].page - 1) << PAGE_SHIFT);
  packet_t *p = packet_new(t->sh->pool, PKT_READ);
  if (!p) {
    trouble_fail(t->sh->fault, TROUBLE_ENVIRONMENT, "out of memory");
    return;
  }
  p->hdr.addr = at - at % GPU_LINE_BYTES, p->tag = STACK_TLB_TAG + walker;
  xbar_send(t->sh->xbar, 0, XBAR_REQUEST, 1 + stack_of(p->hdr.addr), p);
  t->walker[walker].sent = true;
  t->walks++;
}

void stack_tlb_tick(stack_tlb_t *t) {
  for (unsigned i = 0; i < STACK_TLB_WALKERS; i++) {
    stack_tlb_walker_t *w = &t->walker[i];
    const uint64_t *next = ring_front(&t->waiting);
    if (!w->page && next) {
      *w = (stack_tlb_walker_t){*next + 1, false};
      ring_drop(&t->waiting);
    }
    if (w->page && !w->sent && xbar_can_send(t->sh->xbar, 0, XBAR_REQUEST)) send_walk(t, i);
  }
}

bool stack_tlb_receive(stack_tlb_t *t, const packet_t *p) {
  if (p->hdr.type != PKT_READ_RESP || p->tag < STACK_TLB_TAG) return false;
  stack_tlb_walker_t *w = &t->walker[p->tag - STACK_TLB_TAG];
  replace_entry(t, w->page - 1);
  w->page = 0;
  return true;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Demand paging. Pages asked for are in a ring, in the order of the requests. A page that becomes
 * resident early leaves the ring when those before it have left.
 */
#include "pager.h"

#include <stdlib.h>
#include <string.h>

#include "l2.h"
#include "stack_address.h"

enum { LINES = PAGE_BYTES / GPU_LINE_BYTES };

typedef enum { ELSEWHERE, AT_HOST, ASKED, THERE } where_t; /* ELSEWHERE: not managed here */

typedef struct {
  where_t where;
  uint8_t *data; /* [PAGE_BYTES]; freed when the page is resident */
} host_page_t;

typedef struct {
  uint64_t page;          /* number from PAGE_VA_BASE; UINT64_MAX: resident */
  uint64_t paddr;         /* physical address of its frame */
  uint64_t asked, comes;  /* cycles */
  unsigned sent, written; /* lines written, lines acknowledged */
  bool clear;             /* no NSU write to its stack was under way: the page's writes may go */
} fetch_t;

struct pager {
  const gpu_shared_t *sh;
  l2_t *slices;
  const offload_policy_t *policy;
  void *die;
  host_page_t *pages;
  uint64_t num_pages;
  fetch_t *fetch; /* [capacity]: a ring of pages, in the order of requests */
  unsigned first, count, capacity;
  uint64_t now, last_comes;
  uint16_t held[STACK_ADDRESS_STACKS]; /* arrived pages that are not resident yet */
};

pager_t *pager_new(const gpu_shared_t *sh, l2_t *slices, const offload_policy_t *policy, void *die) {
  pager_t *p = calloc(1, sizeof *p);
  if (p) *p = (pager_t){.sh = sh, .slices = slices, .policy = policy, .die = die};
  return p;
}

void pager_free(pager_t *p) {
  if (!p) return;
  for (uint64_t i = 0; i < p->num_pages; i++) free(p->pages[i].data);
  free(p->pages);
  free(p->fetch);
  free(p);
}

/* ---- the host's side ---- */

static uint64_t page_number(uint64_t vaddr) {
  return (vaddr - PAGE_VA_BASE) >> PAGE_SHIFT;
}

bool pager_map(pager_t *p, uint64_t vaddr, uint64_t bytes) {
  const uint64_t first = page_number(vaddr), end = page_number(vaddr + (bytes ? bytes : 1) - 1) + 1;
  if (end > p->num_pages) {
    host_page_t *pages = realloc(p->pages, end * sizeof *pages);
    if (!pages) return false;
    memset(pages + p->num_pages, 0, (end - p->num_pages) * sizeof *pages);
    p->pages = pages, p->num_pages = end;
  }
  for (uint64_t i = first; i < end; i++) {
    if (!(p->pages[i].data = calloc(1, PAGE_BYTES))) return false;
    p->pages[i].where = AT_HOST;
  }
  return true;
}

/* Page of an address; NULL: not managed here. */
static host_page_t *page_at(const pager_t *p, uint64_t vaddr) {
  const uint64_t number = page_number(vaddr);
  return number < p->num_pages ? &p->pages[number] : NULL;
}

uint8_t *pager_host_page(const pager_t *p, uint64_t vaddr) {
  const host_page_t *page = page_at(p, vaddr);
  return page && page->where == AT_HOST ? page->data : NULL;
}

/* ---- requests ---- */

/* The n-th page asked for. */
static fetch_t *fetch_at(const pager_t *p, unsigned nth) {
  return &p->fetch[(p->first + nth) % p->capacity];
}

/* Doubles the ring. false: out of host memory. */
static bool grow_fetches(pager_t *p) {
  const unsigned capacity = p->capacity ? 2 * p->capacity : 64;
  fetch_t *ring = malloc(capacity * sizeof *ring);
  if (!ring) return false;
  for (unsigned i = 0; i < p->count; i++) ring[i] = *fetch_at(p, i);
  free(p->fetch);
  p->fetch = ring, p->first = 0, p->capacity = capacity;
  return true;
}

/* Asks the host for a page, whose arrival is known at once. */
static void ask_host(pager_t *p, uint64_t number) {
  const gpu_config_t *c = p->sh->config;
  if (p->count == p->capacity && !grow_fetches(p)) {
    trouble_fail(p->sh->fault, TROUBLE_ENVIRONMENT, "out of memory");
    return;
  }
  const uint64_t soonest = p->now + c->paging.latency, next = p->last_comes + c->paging.interval;
  p->last_comes = soonest > next ? soonest : next;
  p->pages[number].where = ASKED;
  *fetch_at(p, p->count++) = (fetch_t){.page = number,
                                       .paddr = page_table_physical(p->sh->pages, p->sh->pages->entries[number].frame),
                                       .asked = p->now,
                                       .comes = p->last_comes};
}

bool pager_need(pager_t *p, uint64_t vaddr) {
  const host_page_t *page = page_at(p, vaddr);
  if (page && page->where == AT_HOST) ask_host(p, page_number(vaddr));
  return !page || page->where == ELSEWHERE || page->where == THERE;
}

/* ---- on their way ---- */

bool pager_holds(const pager_t *p, unsigned stack) {
  return p->held[stack] != 0;
}

unsigned pager_waiting(const pager_t *p) {
  return p->count;
}

/* Writes the next line of the page, if the path to its stack has room. */
static void send_line(pager_t *p, fetch_t *f) {
  l2_t *slice = &p->slices[stack_of(f->paddr)];
  if (!l2_has_room(slice)) return;
  packet_t *w = gpu_packet_new(p->sh, PKT_WRITE, PAGER_SM, p->now);
  if (!w) return;
  w->hdr.addr = f->paddr + (uint64_t)f->sent * GPU_LINE_BYTES;
  w->hdr.dst = stack_of(f->paddr);
  w->hdr.mask = w->hdr.lmask = ~0u;
  w->hdr.size = 2, w->hdr.aligned = 1;
  memcpy(w->data[0], p->pages[f->page].data + (size_t)f->sent * GPU_LINE_BYTES, GPU_LINE_BYTES);
  l2_send(slice, w);
  f->sent++;
}

/* Writes of a page are acknowledged in any order, so they are only counted. */
void pager_written(pager_t *p, uint64_t paddr) {
  for (unsigned i = 0; i < p->count; i++) {
    fetch_t *f = fetch_at(p, i);
    if (f->paddr != paddr - paddr % PAGE_BYTES || f->written == f->sent) continue;
    f->written++;
    return;
  }
  trouble_fail(p->sh->fault, TROUBLE_BROKEN, "a write that no page has sent was acknowledged");
}

/* The page is resident: the host's copy is freed. */
static void make_resident(pager_t *p, const fetch_t *f) {
  host_page_t *page = &p->pages[f->page];
  page->where = THERE;
  free(page->data);
  page->data = NULL;
  p->held[stack_of(f->paddr)]--;
  p->sh->stats->pages_in++;
  p->sh->stats->page_wait_cycles += p->now - f->asked;
}

/* A cycle of an arrived page. Once no NSU write is under way to its stack, the page's writes go.
 * True: the page is resident. */
static bool step_fetch(pager_t *p, fetch_t *f) {
  const unsigned stack = stack_of(f->paddr);
  if (f->comes == p->now) p->held[stack]++;
  if (!f->clear) f->clear = !p->policy->writes_to || !p->policy->writes_to(p->die, stack);
  if (!f->clear) p->sh->stats->page_stall_cycles++;
  else if (f->sent < LINES) send_line(p, f);
  return f->written == LINES;
}

bool pager_tick(pager_t *p, uint64_t now) {
  bool came = false;
  p->now = now;
  if (p->count && p->last_comes > now) p->sh->stats->host_cycles++;
  for (unsigned i = 0; i < p->count && fetch_at(p, i)->comes <= now; i++) {
    fetch_t *f = fetch_at(p, i);
    if (f->page == UINT64_MAX || !step_fetch(p, f)) continue;
    make_resident(p, f);
    f->page = UINT64_MAX; /* its place is free when those before it are */
    came = true;
  }
  while (p->count && p->fetch[p->first].page == UINT64_MAX) p->first = (p->first + 1) % p->capacity, p->count--;
  return came;
}

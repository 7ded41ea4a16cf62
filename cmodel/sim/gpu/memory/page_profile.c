/* SPDX-License-Identifier: Apache-2.0 */
#include "page_profile.h"

#include <stdlib.h>
#include <string.h>

struct page_profile {
  unsigned nodes;
  uint64_t pages;  /* pages that `count` has room for */
  uint32_t *count; /* [pages][nodes] */
  gpu_page_t *row;
};

page_profile_t *page_profile_new(unsigned nodes) {
  page_profile_t *p = calloc(1, sizeof *p);
  if (p) p->nodes = nodes;
  return p;
}

void page_profile_free(page_profile_t *p) {
  if (!p) return;
  free(p->count);
  free(p->row);
  free(p);
}

/* Counts for a page. false: out of host memory. */
static bool grow_profile(page_profile_t *p, uint64_t page) {
  if (page < p->pages) return true;
  const uint64_t pages = page + 1 > 2 * p->pages ? page + 1 : 2 * p->pages;
  uint32_t *count = realloc(p->count, pages * p->nodes * sizeof *count);
  if (!count) return false;
  memset(count + p->pages * p->nodes, 0, (pages - p->pages) * p->nodes * sizeof *count);
  p->count = count, p->pages = pages;
  return true;
}

bool page_profile_access(page_profile_t *p, unsigned node, uint32_t mask, const page_table_t *pages,
                         const uint64_t *vaddr, const uint64_t *paddr) {
  coalesce_t lines;
  coalesce(&lines, paddr, mask);
  for (unsigned i = 0; i < lines.count; i++) {
    const uint64_t page = page_table_find(pages, vaddr[__builtin_ctz(lines.lanes[i])])->number;
    if (!grow_profile(p, page)) return false;
    p->count[page * p->nodes + node]++;
  }
  return true;
}

/* A page's accesses, and the node with the most. */
static gpu_page_t row_of(const page_profile_t *p, uint64_t page) {
  gpu_page_t row = {.page = page};
  for (unsigned k = 0; k < p->nodes; k++) {
    const uint32_t n = p->count[page * p->nodes + k];
    row.accesses += n;
    if (n > row.of_node) row.node = k, row.of_node = n;
  }
  return row;
}

unsigned page_profile_rows(page_profile_t *p, const gpu_page_t **rows) {
  unsigned count = 0;
  free(p->row);
  *rows = p->row = malloc((p->pages + 1) * sizeof *p->row);
  for (uint64_t page = 0; p->row && page < p->pages; page++)
    if ((p->row[count] = row_of(p, page)).accesses) count++;
  return count;
}

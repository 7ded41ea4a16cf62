/* SPDX-License-Identifier: Apache-2.0
 *
 * A profile of page accesses: which node's SMs access each page most, counted in lines. The profile
 * shows where low-sharing data should be (NUPIM paper, section IV-B).
 */
#ifndef PAGE_PROFILE_H
#define PAGE_PROFILE_H

#include "coalesce.h"
#include "gpu_stats.h"
#include "page_table.h"

typedef struct page_profile page_profile_t;

page_profile_t *page_profile_new(unsigned nodes); /* NULL: out of host memory */
void page_profile_free(page_profile_t *profile);
/* Counts the lines of a warp's access from an SM of `node`. false: out of host memory. */
bool page_profile_access(page_profile_t *profile, unsigned node, uint32_t mask, const page_table_t *pages,
                         const uint64_t *vaddr, const uint64_t *paddr);
/* Number of accessed pages; *rows has them by page number, until the next call. 0 with *rows
 * NULL: out of host memory. */
unsigned page_profile_rows(page_profile_t *profile, const gpu_page_t **rows);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Which node's SMs access a page most, of lines that warps access: where low-sharing data should be
 * (NUPIM paper, section IV-B).
 */
#ifndef PAGE_PROFILE_H
#define PAGE_PROFILE_H

#include "coalesce.h"
#include "gpu_stats.h"
#include "page_table.h"

typedef struct page_profile page_profile_t;

page_profile_t *page_profile_new(unsigned nodes); /* NULL: out of host memory */
void page_profile_free(page_profile_t *profile);
/* A warp of a node's SM accesses these threads' addresses; false: out of host memory. */
bool page_profile_access(page_profile_t *profile, unsigned node, uint32_t mask, const page_table_t *pages,
                         const uint64_t *vaddr, const uint64_t *paddr);
/* pages that were accessed, by number; 0, too: out of host memory */
unsigned page_profile_rows(page_profile_t *profile, const gpu_page_t **rows);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Virtual memory of the GPU: 4 KB pages, which an address map places.
 *
 * An allocation starts on a page of its own. Unmapped pages follow it: one, or as many as the map
 * says. Bytes behind the end of an allocation are out of bounds, even in its last page.
 */
#ifndef PAGE_TABLE_H
#define PAGE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "address_map.h"

enum { PAGE_BYTES = 4096, PAGE_SHIFT = 12, PAGE_ENTRY_BYTES = 8 };
/* Nothing is mapped below PAGE_VA_BASE. The base is low enough for modules with 32-bit
 * addresses. */
#define PAGE_VA_BASE 0x10000000ull
#define PAGE_VA_END 0x8000000000ull

/* A page. */
typedef struct {
  uint64_t frame;  /* linear address of the page */
  uint32_t valid;  /* bytes of the page that may be accessed; 0: unmapped */
  uint32_t number; /* order in which pages were given out, from 0 */
} page_entry_t;

/* A page table. */
typedef struct {
  page_entry_t *entries; /* [capacity], from PAGE_VA_BASE on */
  uint64_t num_pages, capacity;
  uint32_t given_out; /* pages given out so far */
  const address_map_t *map;
  void *places; /* state of the map */
  /* virtual address of the table in memory, and the pages that it has room for; 0: none */
  uint64_t table, table_pages;
} page_table_t;

/* -1: bad sizes, or out of host memory */
int page_table_init(page_table_t *pt, const address_map_t *map, const address_map_shape_t *shape);
void page_table_deinit(page_table_t *pt);

/* Allocates virtual memory and returns its address. 0: *environment is true if host memory is
 * full, false if the simulated memory is. */
uint64_t page_table_alloc(page_table_t *pt, uint64_t bytes, bool *environment);

/* Unmaps the allocation that starts at vaddr. Its frames are not used again. false: none starts
 * there. */
bool page_table_release(page_table_t *pt, uint64_t vaddr);

/* Makes room in simulated memory for 8 bytes a page. -1: no room; *environment as above. */
int page_table_in_memory(page_table_t *pt, bool *environment);
/* Physical address of a page's entry. page_table_in_memory has made room for it. */
uint64_t page_table_entry_at(const page_table_t *pt, uint64_t vaddr);

/* Physical address of `bytes` in consecutive frames of one stack. 0: no room, or the map has no
 * such memory. */
uint64_t page_table_alloc_contiguous(page_table_t *pt, uint64_t bytes);

/* Page of a virtual address; NULL: unmapped. An access is out of bounds if (vaddr & 4095) +
 * bytes > valid. */
static inline const page_entry_t *page_table_find(const page_table_t *pt, uint64_t vaddr) {
  uint64_t page = (vaddr - PAGE_VA_BASE) >> PAGE_SHIFT; /* below the base: huge */
  return page < pt->num_pages && pt->entries[page].valid ? &pt->entries[page] : 0;
}

/* Physical address of a linear one. */
static inline uint64_t page_table_physical(const page_table_t *pt, uint64_t linear) {
  return pt->map->line ? pt->map->line(pt->places, linear) : linear;
}

uint64_t page_table_random(uint64_t *state); /* splitmix64 */

#endif

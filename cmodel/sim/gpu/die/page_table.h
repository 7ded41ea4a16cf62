/* SPDX-License-Identifier: Apache-2.0
 *
 * Virtual memory of the GPU: 4 KB pages, which an address map places.
 *
 * An allocation starts on a page of its own and is followed by an unmapped page, or as many as the
 * map says; bytes behind its end are out of bounds even within its last page.
 */
#ifndef PAGE_TABLE_H
#define PAGE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "address_map.h"

enum { PAGE_BYTES = 4096, PAGE_SHIFT = 12, PAGE_ENTRY_BYTES = 8 };
#define PAGE_VA_BASE 0x10000000ull /* below it nothing is mapped; low, so that modules of 32-bit addresses work */
#define PAGE_VA_END 0x8000000000ull

typedef struct {
  uint64_t frame;  /* linear address of the page */
  uint32_t valid;  /* bytes of it that may be accessed; 0: unmapped */
  uint32_t number; /* of pages that have been given out, in their order */
} page_entry_t;

typedef struct {
  page_entry_t *entries; /* from PAGE_VA_BASE */
  uint64_t num_pages, capacity;
  uint32_t given_out;
  const address_map_t *map;
  void *places;                /* the map's */
  uint64_t table, table_pages; /* virtual address of the entries as memory has them, of so many pages; 0: it has none */
} page_table_t;

/* -1: bad sizes, or out of host memory */
int page_table_init(page_table_t *pt, const address_map_t *map, const address_map_shape_t *shape);
void page_table_deinit(page_table_t *pt);

/* Virtual address, or 0 with *environment telling whether the
 * host (true) or the simulated memory (false) is full. */
uint64_t page_table_alloc(page_table_t *pt, uint64_t bytes, bool *environment);

/* Unmaps the allocation that starts at vaddr; its frames
 * are not given out again. False: none starts there. */
bool page_table_release(page_table_t *pt, uint64_t vaddr);

/* Room in memory for an entry of 8 bytes for each page that has
 * been given out. -1: there is none; *environment as above. */
int page_table_in_memory(page_table_t *pt, bool *environment);
/* physical address of a page's entry, for which there is room */
uint64_t page_table_entry_at(const page_table_t *pt, uint64_t vaddr);

/* Physical address of `bytes` in contiguous frames of one stack; 0 if
 * there is no room, or the map takes pages apart and has none for such. */
uint64_t page_table_alloc_contiguous(page_table_t *pt, uint64_t bytes);

/* The page of a virtual address, NULL: unmapped. Out
 * of bounds if (vaddr & 4095) + bytes > valid. */
static inline const page_entry_t *page_table_find(const page_table_t *pt, uint64_t vaddr) {
  uint64_t page = (vaddr - PAGE_VA_BASE) >> PAGE_SHIFT; /* below the base: huge */
  return page < pt->num_pages && pt->entries[page].valid ? &pt->entries[page] : 0;
}

/* Physical address of a page's frame and offset in it. */
static inline uint64_t page_table_physical(const page_table_t *pt, uint64_t linear) {
  return pt->map->line ? pt->map->line(pt->places, linear) : linear;
}

uint64_t page_table_random(uint64_t *state); /* splitmix64 */

#endif

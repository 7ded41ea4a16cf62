/* SPDX-License-Identifier: Apache-2.0 */
#include "page_table.h"

#include <stdlib.h>
#include <string.h>

#include "stack_address.h"

uint64_t page_table_random(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

int page_table_init(page_table_t *pt, const address_map_t *map, const address_map_shape_t *shape) {
  *pt = (page_table_t){.map = map};
  if (!shape->stacks || shape->stacks > STACK_ADDRESS_STACKS || shape->stack_bytes < PAGE_BYTES ||
      shape->stack_bytes > STACK_ADDRESS_BYTES)
    return -1;
  pt->places = map->new (shape);
  return pt->places ? 0 : -1;
}

void page_table_deinit(page_table_t *pt) {
  free(pt->entries);
  free(pt->places);
  memset(pt, 0, sizeof *pt);
}

/* Room for so many more entries. -1: out of host memory. */
static int grow_entries(page_table_t *pt, uint64_t pages) {
  uint64_t need = pt->num_pages + pages;
  if (need <= pt->capacity) return 0;
  uint64_t capacity = pt->capacity * 2 > need ? pt->capacity * 2 : need;
  page_entry_t *entries = realloc(pt->entries, capacity * sizeof *entries);
  if (!entries) return -1;
  pt->entries = entries;
  pt->capacity = capacity;
  return 0;
}

/* Unmapped pages behind an allocation: at least one, or up to the map's next multiple and as
 * many more. */
static uint64_t gap_behind(const page_table_t *pt, uint64_t pages) {
  const uint64_t gap = pt->map->gap;
  return gap ? gap + (gap - (pt->num_pages + pages) % gap) % gap : 1;
}

/* The map chooses each page's frame. The last page is valid only up to the allocation's end. */
uint64_t page_table_alloc(page_table_t *pt, uint64_t bytes, bool *environment) {
  *environment = false;
  if (!bytes) bytes = 1;
  if (bytes > PAGE_VA_END - PAGE_VA_BASE) return 0;
  uint64_t pages = (bytes + PAGE_BYTES - 1) >> PAGE_SHIFT;
  if (pages > pt->map->left(pt->places)) return 0;
  const uint64_t gap = gap_behind(pt, pages);
  if (pt->num_pages + pages + gap > (PAGE_VA_END - PAGE_VA_BASE) >> PAGE_SHIFT) return 0;
  if (grow_entries(pt, pages + gap)) {
    *environment = true;
    return 0;
  }
  uint64_t vaddr = PAGE_VA_BASE + (pt->num_pages << PAGE_SHIFT);
  for (uint64_t i = 0; i < pages; i++) {
    uint64_t left = bytes - (i << PAGE_SHIFT);
    const uint64_t frame =
        pt->map->at ? pt->map->at(pt->places, pt->num_pages, pt->given_out) : pt->map->pages(pt->places, 1);
    pt->entries[pt->num_pages++] =
        (page_entry_t){frame, left < PAGE_BYTES ? (uint32_t)left : PAGE_BYTES, pt->given_out++};
  }
  for (uint64_t i = 0; i < gap; i++) pt->entries[pt->num_pages++] = (page_entry_t){0};
  return vaddr;
}

/* An allocation starts behind an unmapped page, and ends at the next one. */
bool page_table_release(page_table_t *pt, uint64_t vaddr) {
  uint64_t page = (vaddr - PAGE_VA_BASE) >> PAGE_SHIFT;
  bool start = !(vaddr & (PAGE_BYTES - 1)) && page < pt->num_pages && pt->entries[page].valid &&
               (!page || !pt->entries[page - 1].valid);
  for (; start && pt->entries[page].valid; page++) pt->entries[page].valid = 0;
  return start;
}

/* The table doubles when it is full; the old one is unmapped. */
int page_table_in_memory(page_table_t *pt, bool *environment) {
  *environment = false;
  if (pt->num_pages <= pt->table_pages) return 0;
  const uint64_t pages = 2 * pt->num_pages, table = page_table_alloc(pt, pages * PAGE_ENTRY_BYTES, environment);
  if (!table) return -1;
  if (pt->table) page_table_release(pt, pt->table);
  pt->table = table, pt->table_pages = pages;
  return 0;
}

uint64_t page_table_entry_at(const page_table_t *pt, uint64_t vaddr) {
  const uint64_t at = pt->table + ((vaddr - PAGE_VA_BASE) >> PAGE_SHIFT) * PAGE_ENTRY_BYTES;
  return page_table_physical(pt, page_table_find(pt, at)->frame | at % PAGE_BYTES);
}

uint64_t page_table_alloc_contiguous(page_table_t *pt, uint64_t bytes) {
  const uint64_t pages = (bytes + PAGE_BYTES - 1) >> PAGE_SHIFT;
  if (pt->map->whole) return pt->map->whole(pt->places, pages);
  return pt->map->line ? 0 : pt->map->pages(pt->places, pages);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Virtual memory of the GPU: 4 KB pages, each on a stack drawn at random (NSU paper, section 5), from a seed.
 *
 * An allocation starts on a page of its own and is followed by an unmapped page; bytes behind its end are out of bounds
 * even within its last page. Physical frames of a stack are given out in order, contiguous runs (NSU code, constants)
 * too.
 */
#ifndef PAGE_TABLE_H
#define PAGE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum { PAGE_BYTES = 4096, PAGE_SHIFT = 12 };
#define PAGE_VA_BASE 0x10000000ull /* below it nothing is mapped; low, so that modules of 32-bit addresses work */
#define PAGE_VA_END 0x8000000000ull

typedef struct {
  uint64_t frame; /* physical address of the page */
  uint32_t valid; /* bytes of it that may be accessed; 0: unmapped */
} page_entry_t;

typedef struct {
  page_entry_t *entries; /* from PAGE_VA_BASE */
  uint64_t num_pages, capacity;
  uint64_t frames_per_stack;
  uint64_t next_frame[16]; /* of each stack */
  unsigned num_stacks;
  uint64_t random;
} page_table_t;

int page_table_init(page_table_t *pt, unsigned num_stacks, uint64_t stack_bytes, uint64_t seed); /* -1: bad sizes */
void page_table_deinit(page_table_t *pt);

/* Virtual address, or 0 with *environment telling whether the host (true) or the simulated memory (false) is full. */
uint64_t page_table_alloc(page_table_t *pt, uint64_t bytes, bool *environment);

/* Unmaps the allocation that starts at vaddr; its frames are not given out again. False: none starts there. */
bool page_table_release(page_table_t *pt, uint64_t vaddr);

/* Physical address of `bytes` in contiguous frames of one stack, drawn at random; 0 if no stack has room (frame 0 of
 * stack 0 is never given out). */
uint64_t page_table_alloc_contiguous(page_table_t *pt, uint64_t bytes);

/* The page of a virtual address, NULL: unmapped. Out of bounds if (vaddr & 4095) + bytes > valid. */
static inline const page_entry_t *page_table_find(const page_table_t *pt, uint64_t vaddr) {
  uint64_t page = (vaddr - PAGE_VA_BASE) >> PAGE_SHIFT; /* below the base: huge */
  return page < pt->num_pages && pt->entries[page].valid ? &pt->entries[page] : 0;
}

uint64_t page_table_random(uint64_t *state); /* splitmix64 */

#endif

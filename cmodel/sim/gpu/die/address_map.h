/* SPDX-License-Identifier: Apache-2.0
 *
 * Address maps: which stack has a page or a line. Implementations: memory/address_map_*.c.
 *
 *   virtual address --page table--> linear address --line()--> physical address
 *
 * `pages` or `at` gives each page of an allocation its linear address. `line` maps each line of the
 * page to a physical address, one to one. The physical address names the stack
 * (lib/stack_address.h), so coalescer, caches and links know it without the map. The memory itself
 * chooses vault, bank and row (memory/stack_map.h).
 */
#ifndef ADDRESS_MAP_H
#define ADDRESS_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "trouble.h"

/* What a map is made for. */
typedef struct {
  unsigned stacks;            /* a power of two */
  uint64_t stack_bytes, seed; /* seed: for random placement */
  /* lowest address bit of the stack number, for maps that go by bits; 0: not set */
  unsigned bit;
  /* stack of each page, for maps by page; NULL: not set. The map keeps the pointer */
  const struct page_homes *homes;
} address_map_shape_t;

/* Where a page is: by the GPU's own map, near the blocks that use it, or still in host memory. */
typedef enum { HOME_GPU, HOME_NEAR, HOME_HOST } address_map_home_t;

typedef struct address_map {
  const char *name;
  /* unmapped pages behind an allocation; the next allocation starts at a multiple of `gap`
   * pages. 0: one page, no alignment */
  unsigned gap;
  /* false: what is wrong with the shape. check itself NULL: every shape without a bit is fine */
  bool (*check)(const address_map_shape_t *shape, trouble_t *trouble);
  /* the map's state; NULL: out of host memory; the caller frees it with free() */
  void *(*new)(const address_map_shape_t *shape);
  /* linear address of `number` consecutive pages; 0: no room (address 0 belongs to nobody) */
  uint64_t (*pages)(void *map, uint64_t number);
  /* Physical address of `number` consecutive pages in one stack, for memory that is no
   * allocation. 0: no room. NULL: use `pages`; a map with `line` then has no such memory. */
  uint64_t (*whole)(void *map, uint64_t number);
  /* Linear address of one page. page: its distance from the first virtual page, in pages.
   * number: pages given out before. NULL: use `pages`. */
  uint64_t (*at)(void *map, uint64_t page, uint32_t number);
  uint64_t (*left)(const void *map); /* free pages, if taken one by one */
  /* physical address; NULL: it equals the linear one, and consecutive pages are in one stack */
  uint64_t (*line)(const void *map, uint64_t linear);
  /* For maps that learn (tom_learn.h), else NULL. */
  void (*choose)(void *map, unsigned bit); /* from now on HOME_NEAR pages go by this bit */
  /* sets the home of a page; at first it is HOME_GPU */
  void (*move)(void *map, uint64_t linear, address_map_home_t home);
  bool (*at_host)(uint64_t paddr); /* the address is in a HOME_HOST page */
} address_map_t;

/* The maps of address_map_list.def, indexed by gpu_map_t (gpu_config.h). */
extern const address_map_t *const address_maps[];

#endif

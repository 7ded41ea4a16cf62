/* SPDX-License-Identifier: Apache-2.0
 *
 * Where memory lives: which stack has a page, or a line.
 *
 * An allocation's pages get linear addresses by `pages`; each line of one that is accessed is where
 * `line` says, one to one, so that whoever has a physical address (coalescer, caches, links) knows
 * the stack from it (lib/stack_address.h). Which vault, bank and row of its stack that is, is the
 * memory's own (memory/stack_map.h).
 */
#ifndef ADDRESS_MAP_H
#define ADDRESS_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "trouble.h"

typedef struct {
  unsigned stacks; /* a power of two */
  uint64_t stack_bytes, seed;
  unsigned bit;                   /* of an address: where a map that goes by bits finds the stack; 0: none is said */
  const struct page_homes *homes; /* where a map of pages shall have them; NULL: none is said. Kept by address */
} address_map_shape_t;

/* Where a page is: as the GPU's own map says, where
 * offloaded blocks like it, or still with the host. */
typedef enum { HOME_GPU, HOME_NEAR, HOME_HOST } address_map_home_t;

typedef struct address_map {
  const char *name;
  /* pages that stay free behind an allocation, so that the next one
   * starts at a multiple of as many; 0: one, and it does not */
  unsigned gap;
  /* NULL: nothing can be wrong with it, without a bit */
  bool (*check)(const address_map_shape_t *shape, trouble_t *trouble);
  void *(*new)(const address_map_shape_t *shape); /* NULL: out of host memory; freed by free() */
  /* linear address of so many that follow each other; 0: no room (0 is nobody's) */
  uint64_t (*pages)(void *map, uint64_t number);
  /* Physical address of so many that follow each other in one stack, of what is
   * no allocation; 0: no room. NULL: `pages` says it, or with `line` nobody. */
  uint64_t (*whole)(void *map, uint64_t number);
  /* Linear address of the page that is so far behind the first virtual one
   * and is number `number` of those given out; NULL: `pages` says it. */
  uint64_t (*at)(void *map, uint64_t page, uint32_t number);
  uint64_t (*left)(const void *map); /* pages that have still room, one by one */
  /* physical address; NULL: the linear one, and pages that follow each other are in one stack */
  uint64_t (*line)(const void *map, uint64_t linear);
  /* Of a map that learns (tom_learn.h), NULL for others: the bit that HOME_NEAR goes by from now
   * on; a page's home, HOME_GPU at first; whether that is HOME_HOST of who has this physical
   * address. */
  void (*choose)(void *map, unsigned bit);
  void (*move)(void *map, uint64_t linear, address_map_home_t home);
  bool (*at_host)(uint64_t paddr);
} address_map_t;

/* Those of address_maps.def, as GPU_MAP_X (gpu_config.h) numbers them. */
extern const address_map_t *const address_maps[];

#endif

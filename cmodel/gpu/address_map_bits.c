/* SPDX-License-Identifier: Apache-2.0
 *
 * Maps that go by bits of an address, whatever page it is of (TOM paper, sections 3.2.1 and 5.1): bmap, the GPU's own, in which consecutive lines go round
 * the stacks, higher bits mixed in; fixed, in which two bits somewhere are the stack. rtl/tom/README.md has the rules.
 *
 * A linear address is the virtual one, moved: both agree in the bits of which a map is made, so that arrays whose distance is a multiple of some size are
 * that far apart in the map, too. Behind an allocation stay 256 KB, for a page alone would shift the next one by an odd distance (ours).
 */
#include <stdlib.h>

#include "page_table.h"
#include "stack_address.h"

enum { GAP_PAGES = 64, LEAST_BIT = 7, MOST_BIT = 16, WINDOW_BIT = 31 }; /* WINDOW_BIT: of an address in a stack, which of the two kinds of maps it is of */

typedef struct {
  unsigned stack_bits, cut; /* from which bit on an address says the stack */
  uint64_t pages;           /* there are, of one map's window */
  uint64_t end;             /* behind the last page that is taken */
} bits_t;

static void *make(const address_map_shape_t *shape, unsigned cut) {
  bits_t *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->stack_bits = (unsigned)__builtin_ctz(shape->stacks), m->cut = cut;
  const uint64_t window = UINT64_C(1) << WINDOW_BIT, bytes = shape->stack_bytes < window ? shape->stack_bytes : window;
  m->pages = (bytes >> PAGE_SHIFT) * shape->stacks;
  m->end = GAP_PAGES;
  return m;
}

static void *new_bmap(const address_map_shape_t *shape) {
  return make(shape, LEAST_BIT);
}

static void *new_fixed(const address_map_shape_t *shape) {
  return make(shape, shape->bit);
}

/* Page 0 is nobody's. */
static uint64_t at(void *map, uint64_t page) {
  bits_t *m = map;
  m->end = page + GAP_PAGES + 1;
  return (page + GAP_PAGES) << PAGE_SHIFT;
}

static uint64_t pages(void *map, uint64_t number) {
  (void)map, (void)number;
  return 0;
}

static uint64_t left(const void *map) {
  const bits_t *m = map;
  return m->end + 2 * GAP_PAGES < m->pages ? m->pages - m->end - 2 * GAP_PAGES : 0;
}

/* The address without the bits from `cut` on that say the stack. */
static uint64_t inside(const bits_t *m, uint64_t linear) {
  return (linear >> (m->cut + m->stack_bits) << m->cut) | (linear & ((UINT64_C(1) << m->cut) - 1));
}

static uint64_t line_bmap(const void *map, uint64_t linear) {
  const bits_t *m = map;
  const uint64_t mixed = linear >> LEAST_BIT ^ linear >> (LEAST_BIT + m->stack_bits) ^ linear >> 13 ^ linear >> 19;
  return stack_address((unsigned)(mixed & ((1U << m->stack_bits) - 1)), inside(m, linear));
}

static uint64_t line_fixed(const void *map, uint64_t linear) {
  const bits_t *m = map;
  return stack_address((unsigned)(linear >> m->cut & ((1U << m->stack_bits) - 1)), UINT64_C(1) << WINDOW_BIT | inside(m, linear));
}

static const char *check_bmap(const address_map_shape_t *shape) {
  return shape->bit ? "map.bit is for map.mode=fixed; 0 would be right" : NULL;
}

static const char *check_fixed(const address_map_shape_t *shape) {
  return shape->bit < LEAST_BIT || shape->bit > MOST_BIT ? "map.bit must be 7 to 16 with map.mode=fixed" : NULL;
}

extern const address_map_t address_map_bmap, address_map_fixed;
const address_map_t address_map_bmap = {
    .name = "bmap", .gap = GAP_PAGES, .check = check_bmap, .new = new_bmap, .pages = pages, .at = at, .left = left, .line = line_bmap};
const address_map_t address_map_fixed = {
    .name = "fixed", .gap = GAP_PAGES, .check = check_fixed, .new = new_fixed, .pages = pages, .at = at, .left = left, .line = line_fixed};

/* SPDX-License-Identifier: Apache-2.0
 *
 * Maps by address bits (TOM paper, sections 3.2.1 and 5.1); rtl/tom/README.md has their rules,
 * except hash's:
 *
 *   bmap     the GPU's own map: consecutive lines go round the stacks, with higher bits mixed in
 *   hash     lines go round all vaults of all stacks, with all higher bits folded in
 *   fixed    stack bits at a fixed position
 *   tmap     each page as in bmap or fixed, or in host memory
 *
 * A linear address is the virtual address plus a constant. Both agree in the bits that the maps
 * use. If the distance of two arrays is a multiple of some size, the map keeps that distance. 256
 * KB stay free behind an allocation; a single page would shift the next allocation by an odd
 * distance (ours).
 *
 * Memory that belongs to no allocation, such as NSU code, lies in one stack, at addresses that no
 * map uses. Stacks take turns (ours).
 *
 * Address bits in a stack:
 *
 *   bit 31 WINDOW_BIT   the map: 0 bmap and hash, 1 fixed
 *   bit 30 HOST_BIT     with bit 31 = 0: tmap's address of a line in host memory
 *   both                memory in one stack
 */
#include <stdlib.h>

#include "page_table.h"
#include "stack_address.h"

enum { GAP_PAGES = 64, LEAST_BIT = 7, MOST_BIT = 16, VAULT_BITS = 4, WINDOW_BIT = 31, HOST_BIT = 30 };
/* Bits of memory in one stack. */
#define WHOLE (UINT64_C(1) << WINDOW_BIT | UINT64_C(1) << HOST_BIT)

typedef struct {
  unsigned stack_bits, cut;             /* bits of the stack number; lowest of them in an address */
  uint64_t pages;                       /* pages of a map's window */
  uint64_t end;                         /* page behind the last one in use */
  unsigned next_stack;                  /* stack that gives the next memory in one stack */
  uint64_t whole[STACK_ADDRESS_STACKS]; /* pages of each stack in use for such memory */
  uint8_t home[];                       /* tmap: address_map_home_t of each page */
} bits_t;

/* Pages of a map's window over all stacks. */
static uint64_t window_pages(const address_map_shape_t *shape, unsigned window_bit) {
  const uint64_t window = UINT64_C(1) << window_bit, bytes = shape->stack_bytes < window ? shape->stack_bytes : window;
  return (bytes >> PAGE_SHIFT) * shape->stacks;
}

/* State of a map. homes: bytes for the pages' homes. */
static bits_t *make_map(const address_map_shape_t *shape, unsigned cut, uint64_t pages, uint64_t homes) {
  bits_t *m = calloc(1, sizeof *m + homes);
  if (!m) return NULL;
  m->stack_bits = (unsigned)__builtin_ctz(shape->stacks), m->cut = cut;
  m->pages = pages;
  m->end = GAP_PAGES;
  return m;
}

static void *new_bmap(const address_map_shape_t *shape) {
  return make_map(shape, LEAST_BIT, window_pages(shape, WINDOW_BIT), 0);
}

static void *new_fixed(const address_map_shape_t *shape) {
  return make_map(shape, shape->bit, window_pages(shape, HOST_BIT), 0);
}

static void *new_tmap(const address_map_shape_t *shape) {
  const uint64_t pages = window_pages(shape, HOST_BIT);
  return make_map(shape, LEAST_BIT, pages, pages);
}

/* Page 0 belongs to nobody, so that address 0 is no address. */
static uint64_t at(void *map, uint64_t page, uint32_t number) {
  bits_t *m = map;
  (void)number;
  m->end = page + GAP_PAGES + 1;
  return (page + GAP_PAGES) << PAGE_SHIFT;
}

/* Only `at` places pages. */
static uint64_t pages(void *map, uint64_t number) {
  (void)map, (void)number;
  return 0;
}

/* The next stack gives the memory, in order. */
static uint64_t whole(void *map, uint64_t number) {
  bits_t *m = map;
  const unsigned stack = m->next_stack;
  const uint64_t first = m->whole[stack];
  if (number > (UINT64_C(1) << (HOST_BIT - PAGE_SHIFT)) - first) return 0;
  m->next_stack = (stack + 1) % (1U << m->stack_bits);
  m->whole[stack] += number;
  return stack_address(stack, WHOLE | first << PAGE_SHIFT);
}

/* Keeps the gaps of one more allocation free. */
static uint64_t left(const void *map) {
  const bits_t *m = map;
  return m->end + 2 * GAP_PAGES < m->pages ? m->pages - m->end - 2 * GAP_PAGES : 0;
}

/* The address without the stack bits, which start at `cut`. */
static uint64_t drop_stack_bits(const bits_t *m, unsigned cut, uint64_t linear) {
  return (linear >> (cut + m->stack_bits) << cut) | (linear & ((UINT64_C(1) << cut) - 1));
}

/* rtl/tom/README.md has the mixing of bits. */
static uint64_t line_bmap(const void *map, uint64_t linear) {
  const bits_t *m = map;
  const uint64_t mixed = linear >> LEAST_BIT ^ linear >> (LEAST_BIT + m->stack_bits) ^ linear >> 13 ^ linear >> 19;
  return stack_address((unsigned)(mixed & ((1U << m->stack_bits) - 1)), drop_stack_bits(m, LEAST_BIT, linear));
}

/* Every bit of the line number changes stack and vault, so a stride of a power of two uses all
 * of them. The map is one to one: the folded bits also stay in the address. */
static uint64_t line_hash(const void *map, uint64_t linear) {
  const bits_t *m = map;
  const unsigned bits = m->stack_bits + VAULT_BITS;
  uint64_t mixed = 0;
  for (uint64_t left = linear >> LEAST_BIT; left; left >>= bits) mixed ^= left;
  const uint64_t vault = mixed >> m->stack_bits & ((1U << VAULT_BITS) - 1), vaults = ((UINT64_C(1) << VAULT_BITS) - 1)
                                                                                     << LEAST_BIT;
  return stack_address((unsigned)(mixed & ((1U << m->stack_bits) - 1)),
                       (drop_stack_bits(m, LEAST_BIT, linear) & ~vaults) | vault << LEAST_BIT);
}

static uint64_t line_fixed(const void *map, uint64_t linear) {
  const bits_t *m = map;
  return stack_address((unsigned)(linear >> m->cut & ((1U << m->stack_bits) - 1)),
                       UINT64_C(1) << WINDOW_BIT | drop_stack_bits(m, m->cut, linear));
}

/* By the home of the page. */
static uint64_t line_tmap(const void *map, uint64_t linear) {
  const bits_t *m = map;
  switch (m->home[linear >> PAGE_SHIFT]) {
  case HOME_NEAR: return line_fixed(map, linear);
  case HOME_HOST: return line_bmap(map, linear) | UINT64_C(1) << HOST_BIT;
  default: return line_bmap(map, linear);
  }
}

static void choose(void *map, unsigned bit) {
  ((bits_t *)map)->cut = bit;
}

static void move(void *map, uint64_t linear, address_map_home_t home) {
  ((bits_t *)map)->home[linear >> PAGE_SHIFT] = (uint8_t)home;
}

/* HOST_BIT without WINDOW_BIT. */
static bool at_host(uint64_t paddr) {
  return (paddr >> HOST_BIT & 3) == 1;
}

static bool check_bmap(const address_map_shape_t *shape, trouble_t *trouble) {
  if (shape->bit) return trouble_set(trouble, TROUBLE_INPUT, "map.bit is for map.mode=fixed; 0 would be right");
  return true;
}

static bool check_tmap(const address_map_shape_t *shape, trouble_t *trouble) {
  if (shape->bit) return trouble_set(trouble, TROUBLE_INPUT, "map.mode=tmap learns its bit; map.bit=0 would be right");
  return true;
}

static bool check_fixed(const address_map_shape_t *shape, trouble_t *trouble) {
  if (shape->bit < LEAST_BIT || shape->bit > MOST_BIT)
    return trouble_set(trouble, TROUBLE_INPUT, "map.bit must be 7 to 16 with map.mode=fixed");
  return true;
}

extern const address_map_t address_map_bmap, address_map_hash, address_map_fixed, address_map_tmap;
const address_map_t address_map_bmap = {.name = "bmap",
                                        .gap = GAP_PAGES,
                                        .check = check_bmap,
                                        .new = new_bmap,
                                        .pages = pages,
                                        .whole = whole,
                                        .at = at,
                                        .left = left,
                                        .line = line_bmap};
const address_map_t address_map_hash = {.name = "hash",
                                        .gap = GAP_PAGES,
                                        .check = check_bmap,
                                        .new = new_bmap,
                                        .pages = pages,
                                        .whole = whole,
                                        .at = at,
                                        .left = left,
                                        .line = line_hash};
const address_map_t address_map_fixed = {.name = "fixed",
                                         .gap = GAP_PAGES,
                                         .check = check_fixed,
                                         .new = new_fixed,
                                         .pages = pages,
                                         .whole = whole,
                                         .at = at,
                                         .left = left,
                                         .line = line_fixed};
const address_map_t address_map_tmap = {.name = "tmap",
                                        .gap = GAP_PAGES,
                                        .check = check_tmap,
                                        .new = new_tmap,
                                        .pages = pages,
                                        .whole = whole,
                                        .at = at,
                                        .left = left,
                                        .line = line_tmap,
                                        .choose = choose,
                                        .move = move,
                                        .at_host = at_host};

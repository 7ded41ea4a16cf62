/* SPDX-License-Identifier: Apache-2.0
 *
 * Maps that go by bits of an address, whatever page it is of (TOM paper, sections 3.2.1 and 5.1):
 * bmap, the GPU's own, in which consecutive lines go round the stacks, higher bits mixed in; hash,
 * in which they go round all stacks' vaults, all higher bits folded in; fixed, in which two bits
 * somewhere are the stack; tmap, in which each page is as in bmap or fixed, or with the host.
 * rtl/tom/README.md has the rules, but for hash's.
 *
 * A linear address is the virtual one, moved: both agree in the bits of which a map is made, so
 * that arrays whose distance is a multiple of some size are that far apart in the map, too. Behind
 * an allocation stay 256 KB, for a page alone would shift the next one by an odd distance (ours).
 *
 * What is no allocation's, such as the code of NSUs, is whole in a stack, where none of the maps
 * has anything; stacks take turns (ours).
 */
#include <stdlib.h>

#include "page_table.h"
#include "stack_address.h"

enum { GAP_PAGES = 64, LEAST_BIT = 7, MOST_BIT = 16, VAULT_BITS = 4, WINDOW_BIT = 31, HOST_BIT = 30 };
/* WINDOW_BIT: of an address in a stack, which of the two kinds of maps it is of; HOST_BIT: of
 * tmap's first kind, it stands for one of the host's memory; both: it is of what is whole in a
 * stack */
#define WHOLE (UINT64_C(1) << WINDOW_BIT | UINT64_C(1) << HOST_BIT)

typedef struct {
  unsigned stack_bits, cut;             /* from which bit on an address says the stack */
  uint64_t pages;                       /* there are, of one map's window */
  uint64_t end;                         /* behind the last page that is taken */
  unsigned next_stack;                  /* that gets what is whole in one */
  uint64_t whole[STACK_ADDRESS_STACKS]; /* pages of each stack that are taken for that */
  uint8_t home[];                       /* tmap, of each page: address_map_home_t */
} bits_t;

static uint64_t pages_of(const address_map_shape_t *shape, unsigned window_bit) {
  const uint64_t window = UINT64_C(1) << window_bit, bytes = shape->stack_bytes < window ? shape->stack_bytes : window;
  return (bytes >> PAGE_SHIFT) * shape->stacks;
}

static bits_t *make(const address_map_shape_t *shape, unsigned cut, uint64_t pages, uint64_t homes) {
  bits_t *m = calloc(1, sizeof *m + homes);
  if (!m) return NULL;
  m->stack_bits = (unsigned)__builtin_ctz(shape->stacks), m->cut = cut;
  m->pages = pages;
  m->end = GAP_PAGES;
  return m;
}

static void *new_bmap(const address_map_shape_t *shape) {
  return make(shape, LEAST_BIT, pages_of(shape, WINDOW_BIT), 0);
}

static void *new_fixed(const address_map_shape_t *shape) {
  return make(shape, shape->bit, pages_of(shape, HOST_BIT), 0);
}

static void *new_tmap(const address_map_shape_t *shape) {
  const uint64_t pages = pages_of(shape, HOST_BIT);
  return make(shape, LEAST_BIT, pages, pages);
}

/* Page 0 is nobody's. */
static uint64_t at(void *map, uint64_t page, uint32_t number) {
  bits_t *m = map;
  (void)number;
  m->end = page + GAP_PAGES + 1;
  return (page + GAP_PAGES) << PAGE_SHIFT;
}

static uint64_t pages(void *map, uint64_t number) {
  (void)map, (void)number;
  return 0;
}

static uint64_t whole(void *map, uint64_t number) {
  bits_t *m = map;
  const unsigned stack = m->next_stack;
  const uint64_t first = m->whole[stack];
  if (number > (UINT64_C(1) << (HOST_BIT - PAGE_SHIFT)) - first) return 0;
  m->next_stack = (stack + 1) % (1U << m->stack_bits);
  m->whole[stack] += number;
  return stack_address(stack, WHOLE | first << PAGE_SHIFT);
}

static uint64_t left(const void *map) {
  const bits_t *m = map;
  return m->end + 2 * GAP_PAGES < m->pages ? m->pages - m->end - 2 * GAP_PAGES : 0;
}

/* The address without the bits from `cut` on that say the stack. */
static uint64_t inside(const bits_t *m, unsigned cut, uint64_t linear) {
  return (linear >> (cut + m->stack_bits) << cut) | (linear & ((UINT64_C(1) << cut) - 1));
}

static uint64_t line_bmap(const void *map, uint64_t linear) {
  const bits_t *m = map;
  const uint64_t mixed = linear >> LEAST_BIT ^ linear >> (LEAST_BIT + m->stack_bits) ^ linear >> 13 ^ linear >> 19;
  return stack_address((unsigned)(mixed & ((1U << m->stack_bits) - 1)), inside(m, LEAST_BIT, linear));
}

/* Each bit of a line's number counts in the stack and vault, so that no stride of a power of two
 * keeps to few of them; one to one, as what is folded in stays in the address. */
static uint64_t line_hash(const void *map, uint64_t linear) {
  const bits_t *m = map;
  const unsigned bits = m->stack_bits + VAULT_BITS;
  uint64_t mixed = 0;
  for (uint64_t left = linear >> LEAST_BIT; left; left >>= bits) mixed ^= left;
  const uint64_t vault = mixed >> m->stack_bits & ((1U << VAULT_BITS) - 1), vaults = ((UINT64_C(1) << VAULT_BITS) - 1)
                                                                                     << LEAST_BIT;
  return stack_address((unsigned)(mixed & ((1U << m->stack_bits) - 1)),
                       (inside(m, LEAST_BIT, linear) & ~vaults) | vault << LEAST_BIT);
}

static uint64_t line_fixed(const void *map, uint64_t linear) {
  const bits_t *m = map;
  return stack_address((unsigned)(linear >> m->cut & ((1U << m->stack_bits) - 1)),
                       UINT64_C(1) << WINDOW_BIT | inside(m, m->cut, linear));
}

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

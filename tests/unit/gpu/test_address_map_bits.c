/* SPDX-License-Identifier: Apache-2.0
 *
 * Maps that go by bits of an address. Each line is where the block tom_place says, no two
 * are in one place, and allocations keep their distances. Pages of a map that learns have
 * homes of their own. Bits 7 to 16 are those that fixed and tmap choose from.
 */
#include "unit_test.h"

#include <stdlib.h>
#include <string.h>

#include "gpu_config.h"
#include "page_table.h"
#include "stack_address.h"
#include "tom_place_entry.h"

/* GAP: bytes that lie between allocations at least. */
enum { LINE = 128, GAP = 256 << 10 };

/* bytes: of a stack. The seed is 1. */
static page_table_t new_table(unsigned map, unsigned stacks, uint64_t bytes, unsigned bit) {
  page_table_t pt;
  const address_map_shape_t shape = {stacks, bytes, 1, bit, NULL};
  assert_int_equal(page_table_init(&pt, address_maps[map], &shape), 0);
  return pt;
}

/* The physical address, by way of the page. */
static uint64_t physical_of(const page_table_t *pt, uint64_t vaddr) {
  const page_entry_t *page = page_table_find(pt, vaddr);
  assert_non_null(page);
  return page_table_physical(pt, page->frame | vaddr % PAGE_BYTES);
}

/* Of four stacks, over all bits of a linear address that a map has. */
static void as_the_block_says(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (unsigned bit = 6; bit <= 16; bit++) {
    const bool ndp = bit > 6; /* 6: bmap */
    page_table_t pt = new_table(ndp ? GPU_MAP_fixed : GPU_MAP_bmap, 4, 4ull << 30, ndp ? bit : 0);
    for (unsigned i = 0; i < 2000; i++) {
      const uint64_t linear = test_random(&seed) & ((1ull << 33) - 1), physical_at = page_table_physical(&pt, linear);
      unsigned stack;
      const uint64_t place = tom_place_entry(linear / LINE, ndp, ndp ? bit - 7 : 0, &stack);
      assert_int_equal(stack_of(physical_at), stack);
      assert_int_equal(physical_at, stack_address(stack, place * LINE | linear % LINE));
    }
    page_table_deinit(&pt);
  }
}

/* For qsort: ascending. */
static int by_value(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Lines of 4 MB, on any number of stacks: all in different places, as many on each. */
static void check_one_to_one(unsigned map, unsigned stacks, unsigned bit) {
  enum { LINES = 1 << 15 };
  page_table_t pt = new_table(map, stacks, 1 << 26, bit);
  uint64_t *at = test_calloc(LINES, sizeof *at);
  unsigned on[256] = {0};
  bool environment;
  const uint64_t a = page_table_alloc(&pt, LINES * LINE, &environment);
  for (unsigned i = 0; i < LINES; i++) on[stack_of(at[i] = physical_of(&pt, a + (uint64_t)i * LINE))]++;
  for (unsigned k = 0; k < stacks; k++) assert_int_equal(on[k], LINES / stacks);
  qsort(at, LINES, sizeof *at, by_value);
  for (unsigned i = 1; i < LINES; i++) assert_true(at[i] != at[i - 1]);
  test_free(at);
  page_table_deinit(&pt);
}

/* One to eight stacks, each map, each bit. */
static void no_two_in_one_place(void **state) {
  (void)state;
  for (unsigned stacks = 1; stacks <= 8; stacks *= 2) {
    check_one_to_one(GPU_MAP_bmap, stacks, 0);
    check_one_to_one(GPU_MAP_tmap, stacks, 0);
    check_one_to_one(GPU_MAP_hash, stacks, 0);
    for (unsigned bit = 7; bit <= 16; bit++) check_one_to_one(GPU_MAP_fixed, stacks, bit);
  }
}

/* The hash of four stacks: of lines at any stride of a power of two as many go to each vault of
 * each stack, as far as there are lines; with bmap one vault may have them all. */
static void strides_are_spread(void **state) {
  (void)state;
  enum { LINES = 1 << 10, VAULTS = 16, PLACES = 4 * VAULTS };
  page_table_t pt = new_table(GPU_MAP_hash, 4, 4ull << 30, 0);
  for (unsigned shift = 7; shift <= 20; shift++) {
    unsigned on[PLACES] = {0};
    for (uint64_t i = 0; i < LINES; i++) {
      const uint64_t at = page_table_physical(&pt, i << shift);
      on[stack_of(at) * VAULTS + at / LINE % VAULTS]++;
    }
    for (unsigned k = 0; k < PLACES; k++) assert_int_equal(on[k], LINES / PLACES);
  }
  page_table_deinit(&pt);
}

/* Of a map that learns each page has a home: there the GPU's map holds, or that by the chosen bit,
 * or it is in the host's memory, which no page of another home has. Whatever homes pages have, no
 * two lines are in one place. */
static void pages_have_homes(void **state) {
  (void)state;
  enum { LINES = 1 << 15 };
  const address_map_t *map = address_maps[GPU_MAP_tmap];
  uint64_t seed = 11;
  for (unsigned bit = 7; bit <= 16; bit++)
    for (unsigned stacks = 1; stacks <= 8; stacks *= 2) {
      page_table_t pt = new_table(GPU_MAP_tmap, stacks, 1 << 26, 0), bmap = new_table(GPU_MAP_bmap, stacks, 1 << 26, 0),
                   fixed = new_table(GPU_MAP_fixed, stacks, 1 << 26, bit);
      uint64_t *at = test_calloc(LINES, sizeof *at);
      unsigned homes[3] = {0};
      bool environment;
      const uint64_t a = page_table_alloc(&pt, LINES * LINE, &environment);
      map->choose(pt.places, bit);
      for (unsigned i = 0; i < LINES; i++) {
        const uint64_t linear =
            page_table_find(&pt, a + (uint64_t)i * LINE)->frame | (a + (uint64_t)i * LINE) % PAGE_BYTES;
        static address_map_home_t home;
        if (linear % PAGE_BYTES == 0) {
          home = (address_map_home_t)(test_random(&seed) % 3);
          if (home != HOME_GPU || test_random(&seed) & 1) map->move(pt.places, linear, home);
        }
        homes[home]++;
        at[i] = page_table_physical(&pt, linear);
        assert_int_equal(map->at_host(at[i]), home == HOME_HOST);
        if (home == HOME_GPU) assert_int_equal(at[i], page_table_physical(&bmap, linear));
        if (home == HOME_NEAR) assert_int_equal(at[i], page_table_physical(&fixed, linear));
      }
      assert_true(homes[HOME_GPU] && homes[HOME_NEAR] && homes[HOME_HOST]);
      qsort(at, LINES, sizeof *at, by_value);
      for (unsigned i = 1; i < LINES; i++) assert_true(at[i] != at[i - 1]);
      test_free(at);
      page_table_deinit(&pt), page_table_deinit(&bmap), page_table_deinit(&fixed);
    }
}

/* Arrays of 1 MB and of one byte more: the next one starts 256 KB further
 * at least, at a multiple of as much, in linear addresses, too. */
static void distances_are_kept(void **state) {
  (void)state;
  page_table_t pt = new_table(GPU_MAP_fixed, 4, 1ull << 30, 16);
  bool environment;
  const uint64_t a = page_table_alloc(&pt, 1 << 20, &environment),
                 b = page_table_alloc(&pt, (1 << 20) + 1, &environment);
  const uint64_t c = page_table_alloc(&pt, 1, &environment);
  assert_int_equal(b - a, (1 << 20) + GAP);
  assert_int_equal(c - b, (1 << 20) + 2 * GAP);
  assert_int_equal(page_table_find(&pt, b)->frame - page_table_find(&pt, a)->frame, b - a);
  assert_int_equal(page_table_find(&pt, a)->frame % GAP, a % GAP);
  assert_null(page_table_find(&pt, a + (1 << 20))); /* and nothing is between */
  assert_null(page_table_find(&pt, b - 1));
  assert_true(page_table_release(&pt, b) && !page_table_find(&pt, b) && page_table_find(&pt, c));
  assert_false(page_table_release(&pt, b + PAGE_BYTES));
  page_table_deinit(&pt);
}

/* What does not fit is refused, and all that was given out has a place in its stack's memory. */
static void memory_ends(void **state) {
  (void)state;
  const uint64_t bytes = 1 << 22;
  page_table_t pt = new_table(GPU_MAP_bmap, 2, bytes, 0);
  bool environment;
  uint64_t last = 0, a;
  unsigned allocations = 0;
  while ((a = page_table_alloc(&pt, 100000, &environment))) last = a, allocations++;
  assert_false(environment);
  /* 8 MB in all, and 512 KB from one start to the next (distances_are_kept): 16 at most */
  assert_true(allocations > 10);
  assert_true((physical_of(&pt, last + 99999) & (STACK_ADDRESS_BYTES - 1)) < bytes);
  assert_int_equal(page_table_alloc(&pt, 2 * bytes, &environment), 0);
  page_table_deinit(&pt);
}

/* What is no allocation's follows each other in one stack, stacks take turns,
 * and no line of an allocation has a place of it, whatever its home. */
static void whole_in_a_stack(void **state) {
  (void)state;
  static const unsigned maps[] = {GPU_MAP_bmap, GPU_MAP_fixed, GPU_MAP_tmap};
  uint64_t seed = 9;
  for (unsigned i = 0; i < 3; i++) {
    page_table_t pt = new_table(maps[i], 4, 4ull << 30, maps[i] == GPU_MAP_fixed ? 12 : 0);
    const uint64_t a = page_table_alloc_contiguous(&pt, 3 * PAGE_BYTES + 1), first = a & (STACK_ADDRESS_BYTES - 1);
    assert_true(a && a % PAGE_BYTES == 0);
    for (unsigned turn = 1; turn < 4; turn++)
      assert_int_equal(page_table_alloc_contiguous(&pt, 1), stack_address((stack_of(a) + turn) % 4, first));
    assert_int_equal(page_table_alloc_contiguous(&pt, 1), a + 4 * PAGE_BYTES);
    const uint64_t pages = pt.map->left(pt.places);
    for (unsigned n = 0; n < 4000; n++) {
      const uint64_t linear = test_random(&seed) % (pages << PAGE_SHIFT);
      if (maps[i] == GPU_MAP_tmap) pt.map->choose(pt.places, 7 + n % 10), pt.map->move(pt.places, linear, n % 3);
      assert_true((page_table_physical(&pt, linear) & (STACK_ADDRESS_BYTES - 1)) < first);
    }
    assert_int_equal(page_table_alloc_contiguous(&pt, 2ull << 30), 0);
    page_table_deinit(&pt);
  }
}

/* Messages of gpu_config_check(): only fixed has a bit, and it must be 7 to 16. */
static void settings(void **state) {
  (void)state;
  static const struct {
    unsigned map, bit;
    const char *wrong;
  } cases[] = {{GPU_MAP_fixed, 7, NULL},
               {GPU_MAP_fixed, 16, NULL},
               {GPU_MAP_fixed, 6, "map.bit must be 7 to 16 with map.mode=fixed"},
               {GPU_MAP_fixed, 0, "map.bit must be 7 to 16 with map.mode=fixed"},
               {GPU_MAP_fixed, 17, "map.bit: 17 is out of range; from 0 to 16 would be right"},
               {GPU_MAP_bmap, 0, NULL},
               {GPU_MAP_bmap, 7, "map.bit is for map.mode=fixed; 0 would be right"},
               {GPU_MAP_hash, 0, NULL},
               {GPU_MAP_hash, 7, "map.bit is for map.mode=fixed; 0 would be right"},
               {GPU_MAP_tmap, 0, NULL},
               {GPU_MAP_tmap, 7, "map.mode=tmap learns its bit; map.bit=0 would be right"},
               {GPU_MAP_pages, 0, NULL},
               {GPU_MAP_pages, 7, "map.bit is for map.mode=fixed; 0 would be right"}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    gpu_config_t c = gpu_config_default();
    c.map.mode = cases[i].map, c.map.bit = cases[i].bit;
    const char *wrong = REFUSAL(gpu_config_check, &c);
    if (cases[i].wrong) assert_string_equal(wrong, cases[i].wrong);
    else assert_null(wrong);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_block_says),  cmocka_unit_test(no_two_in_one_place),
                                     cmocka_unit_test(strides_are_spread), cmocka_unit_test(pages_have_homes),
                                     cmocka_unit_test(distances_are_kept), cmocka_unit_test(memory_ends),
                                     cmocka_unit_test(whole_in_a_stack),   cmocka_unit_test(settings)};
  return cmocka_run_group_tests_name("address_map_bits", tests, NULL, NULL);
}

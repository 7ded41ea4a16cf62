/* SPDX-License-Identifier: Apache-2.0
 *
 * A map by page. Each page is on a random stack (NSU paper, section 5), from a seed, or where a
 * file of homes says (NUPIM paper, section IV-B). Frames of a stack are given out in order. If a
 * stack is full, the next stack with room takes the page.
 */
#include <stdlib.h>

#include "page_homes.h"
#include "page_table.h"
#include "stack_address.h"

typedef struct {
  unsigned stacks;
  uint64_t frames_per_stack;
  uint64_t random;
  const page_homes_t *homes;
  uint64_t next_frame[]; /* of each stack; frame 0 of stack 0 is never given out */
} pages_t;

static void *new (const address_map_shape_t *shape) {
  pages_t *m = calloc(1, sizeof *m + shape->stacks * sizeof *m->next_frame);
  if (!m) return NULL;
  m->stacks = shape->stacks, m->frames_per_stack = shape->stack_bytes >> PAGE_SHIFT, m->random = shape->seed,
  m->homes = shape->homes;
  m->next_frame[0] = 1;
  return m;
}

/* Consecutive frames of a stack, `first` or a following one. 0: no room. */
static uint64_t take_frames(pages_t *m, unsigned first, uint64_t number) {
  for (unsigned i = 0; i < m->stacks; i++) {
    unsigned stack = (first + i) % m->stacks;
    if (m->frames_per_stack - m->next_frame[stack] < number) continue;
    uint64_t frame = m->next_frame[stack];
    m->next_frame[stack] += number;
    return stack_address(stack, frame << PAGE_SHIFT);
  }
  return 0;
}

static uint64_t pages(void *map, uint64_t number) {
  pages_t *m = map;
  return take_frames(m, (unsigned)(page_table_random(&m->random) % m->stacks), number);
}

/* A page with a home does not draw a random number. */
static uint64_t at(void *map, uint64_t page, uint32_t number) {
  pages_t *m = map;
  (void)page;
  const bool said = m->homes && number < m->homes->pages && m->homes->home[number] != PAGE_HOME_NONE;
  return said ? take_frames(m, m->homes->home[number], 1) : pages(map, 1);
}

static uint64_t left(const void *map) {
  const pages_t *m = map;
  uint64_t frames = 0;
  for (unsigned s = 0; s < m->stacks; s++) frames += m->frames_per_stack - m->next_frame[s];
  return frames;
}

extern const address_map_t address_map_pages;
const address_map_t address_map_pages = {.name = "pages", .new = new, .pages = pages, .at = at, .left = left};

/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash table with open addressing and linear probing: a power of two of slots, at most half of
 * them in use. Nothing is ever removed.
 */
#include "memory_image.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_BITS = 12, PAGE = 1 << PAGE_BITS, LINE = 128, FIRST_SLOTS = 1024 };

typedef struct slot {
  uint64_t number;
  uint8_t *bytes; /* NULL: unused */
} slot_t;

struct memory_image {
  slot_t *slots;
  size_t mask, used;
};

static const uint8_t zeros[PAGE];

memory_image_t *memory_image_new(void) {
  memory_image_t *m = malloc(sizeof *m);
  if (!m) return NULL;
  *m = (memory_image_t){.slots = calloc(FIRST_SLOTS, sizeof(slot_t)), .mask = FIRST_SLOTS - 1};
  if (m->slots) return m;
  free(m);
  return NULL;
}

void memory_image_free(memory_image_t *m) {
  if (!m) return;
  for (size_t i = 0; i <= m->mask; i++) free(m->slots[i].bytes);
  free(m->slots);
  free(m);
}

/* The slot of a page's number, or the free one where it would be. */
static slot_t *find_slot(slot_t *slots, size_t mask, uint64_t number) {
  size_t i = (size_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;
  while (slots[i].bytes && slots[i].number != number) i = (i + 1) & mask;
  return &slots[i];
}

/* Twice the slots. False: out of memory, and nothing changed. */
static bool grow_image(memory_image_t *m) {
  size_t mask = 2 * m->mask + 1;
  slot_t *slots = calloc(mask + 1, sizeof *slots);
  if (!slots) return false;
  for (size_t i = 0; i <= m->mask; i++)
    if (m->slots[i].bytes) *find_slot(slots, mask, m->slots[i].number) = m->slots[i];
  free(m->slots);
  m->slots = slots;
  m->mask = mask;
  return true;
}

/* A page that was never written is one page of zeros, shared by all. */
static const uint8_t *page_to_read(const memory_image_t *m, uint64_t number) {
  const uint8_t *bytes = find_slot(m->slots, m->mask, number)->bytes;
  return bytes ? bytes : zeros;
}

/* Makes the page if it is not there. NULL: out of memory. */
static uint8_t *page_to_write(memory_image_t *m, uint64_t number) {
  slot_t *s = find_slot(m->slots, m->mask, number);
  if (s->bytes) return s->bytes;
  if (2 * (m->used + 1) > m->mask) {
    if (!grow_image(m)) return NULL;
    s = find_slot(m->slots, m->mask, number);
  }
  s->bytes = calloc(1, PAGE);
  if (!s->bytes) return NULL;
  s->number = number;
  m->used++;
  return s->bytes;
}

/* Bytes from addr to the end of its page, at most `count`. */
static size_t rest_of_page(uint64_t addr, size_t count) {
  size_t rest = PAGE - (size_t)(addr % PAGE);
  return count < rest ? count : rest;
}

bool memory_image_write(memory_image_t *m, uint64_t addr, const void *bytes, size_t count) {
  for (const uint8_t *from = bytes; count;) {
    size_t n = rest_of_page(addr, count);
    uint8_t *page = page_to_write(m, addr >> PAGE_BITS);
    if (!page) return false;
    memcpy(page + addr % PAGE, from, n);
    from += n, addr += n, count -= n;
  }
  return true;
}

void memory_image_read(const memory_image_t *m, uint64_t addr, void *bytes, size_t count) {
  for (uint8_t *to = bytes; count;) {
    size_t n = rest_of_page(addr, count);
    memcpy(to, page_to_read(m, addr >> PAGE_BITS) + addr % PAGE, n);
    to += n, addr += n, count -= n;
  }
}

const uint8_t *memory_image_line(const memory_image_t *m, uint64_t addr) {
  return page_to_read(m, addr >> PAGE_BITS) + addr % PAGE / LINE * LINE;
}

uint8_t *memory_image_line_to_write(memory_image_t *m, uint64_t addr) {
  uint8_t *page = page_to_write(m, addr >> PAGE_BITS);
  return page ? page + addr % PAGE / LINE * LINE : NULL;
}

size_t memory_image_pages(const memory_image_t *m) {
  return m->used;
}

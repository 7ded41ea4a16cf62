/* SPDX-License-Identifier: Apache-2.0
 *
 * The wrapped allocators. The allocation whose number is heap_fail_at returns NULL. All others
 * go to the real heap, and their blocks count as live until they are freed.
 */
#include "failing_heap.h"

#include <stddef.h>

unsigned heap_fail_at, heap_asked;
bool heap_failed;
long heap_live;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *block);

/* Counts this allocation. True if it is the one that has to fail. */
static bool allocation_fails(void) {
  if (++heap_asked != heap_fail_at) return false;
  return heap_failed = true;
}

/* heap_live: blocks that nobody has freed. */
static void *count_block(void *block) {
  heap_live += block != NULL;
  return block;
}

void *__wrap_malloc(size_t size) {
  return allocation_fails() ? NULL : count_block(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
  return allocation_fails() ? NULL : count_block(__real_calloc(count, size));
}

/* A block that grows stays one live block. Only realloc of NULL makes a new one. */
void *__wrap_realloc(void *old, size_t size) {
  if (allocation_fails()) return NULL;
  return old ? __real_realloc(old, size) : count_block(__real_realloc(old, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  return allocation_fails() ? NULL : count_block(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void *block) {
  heap_live -= block != NULL;
  __real_free(block);
}

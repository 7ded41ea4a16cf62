/* SPDX-License-Identifier: Apache-2.0
 *
 * Where pages shall be, from a file that `lockstack run --profile` writes: lines of
 * page,node,accesses,of_node behind comments and a line of these names.
 */
#ifndef PAGE_HOMES_H
#define PAGE_HOMES_H

#include <stddef.h>
#include <stdint.h>

enum { PAGE_HOME_NONE = 0xffff };

typedef struct page_homes {
  uint64_t pages; /* by their numbers in the order in which they were allocated */
  uint16_t *home; /* [pages]: the stack, or PAGE_HOME_NONE */
} page_homes_t;

/* 0, or the exit status: 2 with one line (file, line, what is wrong and
 * would be right), 3 out of host memory. homes: NULL: only looks. */
int page_homes_read(page_homes_t *homes, const char *path, unsigned stacks, char *error, size_t size);
void page_homes_free(page_homes_t *homes);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Where pages shall be, from a file that `lockstack run --profile` writes: lines of
 * page,node,accesses,of_node behind comments and a line of these names.
 */
#ifndef PAGE_HOMES_H
#define PAGE_HOMES_H

#include <stdbool.h>
#include <stdint.h>

#include "trouble.h"

enum { PAGE_HOME_NONE = 0xffff };

typedef struct page_homes {
  uint64_t pages; /* by their numbers in the order in which they were allocated */
  uint16_t *home; /* [pages]: the stack, or PAGE_HOME_NONE */
} page_homes_t;

/* homes: NULL: only looks. */
bool page_homes_read(page_homes_t *homes, const char *path, unsigned stacks, trouble_t *trouble);
void page_homes_free(page_homes_t *homes);

#endif

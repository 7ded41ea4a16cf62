/* SPDX-License-Identifier: Apache-2.0
 *
 * A placement of pages on stacks, read from a file of `lockstack run --profile`. The file has
 * comments (#), the header page,node,accesses,of_node, and one line of numbers a page.
 */
#ifndef PAGE_HOMES_H
#define PAGE_HOMES_H

#include <stdbool.h>
#include <stdint.h>

#include "trouble.h"

enum { PAGE_HOME_NONE = 0xffff };

typedef struct page_homes {
  uint64_t pages; /* entries of home; a page's number is its order of allocation */
  uint16_t *home; /* [pages]: stack, or PAGE_HOME_NONE */
} page_homes_t;

/* Reads a file. False: INPUT with one line (file, line, what is wrong), or MEMORY. homes NULL: only
 * checks the file. The caller frees *homes. */
bool page_homes_read(page_homes_t *homes, const char *path, unsigned stacks, trouble_t *trouble);
void page_homes_free(page_homes_t *homes);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers for names of nets, in the order of their first use.
 */
#ifndef NETS_H
#define NETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  char **names;
  unsigned count, room;
  uint32_t *table; /* number + 1 by hash; 0: free */
  unsigned table_size;
} nets_t;

enum { NETS_NONE = 0xffffffff };

uint32_t nets_add(nets_t *nets, const char *name);        /* returns the net's number; NETS_NONE: out of memory */
uint32_t nets_find(const nets_t *nets, const char *name); /* NETS_NONE: not there */
void nets_free(nets_t *nets);

#endif

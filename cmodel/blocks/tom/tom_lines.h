/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_lines -- golden model of the lists of written lines; contract: rtl/tom/tom_lines.ports.
 */
#ifndef TOM_LINES_H
#define TOM_LINES_H

#include <stdbool.h>

#include "tom_lines_ports.h"

typedef struct {
  unsigned count;
  uint64_t line[Lines];
} tom_list_t;

typedef struct {
  tom_list_t list[Warps];
  bool push, end;   /* what is being done, or waits; an end behind a push */
  bool ahead, last; /* the list that is on its way out */
  bool fetch;       /* an end is next, its list is looked up */
  bool read;        /* a list was looked up in the last cycle */
  unsigned push_warp, end_warp;
  uint64_t line;
} tom_lines_t;

void tom_lines_reset(tom_lines_t *s);
void tom_lines_eval(const tom_lines_t *s, const tom_lines_in_t *in, tom_lines_out_t *out);
void tom_lines_step(tom_lines_t *s, const tom_lines_in_t *in);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of tom_lines: the lines that each warp of a stack's SM wrote, to be invalidated in
 * the GPU's caches (TOM paper, sections 4.2 and 4.4.2; rtl/tom/tom_lines.ports).
 *
 * Call tom_lines_eval for the outputs of a cycle, then tom_lines_step with the same inputs for its
 * clock edge. All outputs are state (Moore), so tom_lines_eval takes NULL for `in`.
 */
#ifndef TOM_LINES_H
#define TOM_LINES_H

#include <stdbool.h>

#include "tom_lines_ports.h"

/* A warp's list: the first `count` lines, in the order in which they came. */
typedef struct {
  unsigned count;
  uint64_t line[Lines];
} tom_list_t;

typedef struct {
  tom_list_t list[Warps];
  bool push, end;               /* a push is in work; an end waits behind it */
  bool ahead, last;             /* a list is on list_: ahead of its block's end; with it */
  bool fetch;                   /* the list of an end is read in this cycle */
  bool read;                    /* a list was read in the last cycle (probe_read) */
  unsigned push_warp, end_warp; /* whose push and end */
  uint64_t line;                /* the line that is pushed */
} tom_lines_t;

void tom_lines_reset(tom_lines_t *s);
void tom_lines_eval(const tom_lines_t *s, const tom_lines_in_t *in, tom_lines_out_t *out);
void tom_lines_step(tom_lines_t *s, const tom_lines_in_t *in);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Clock and reset of a block by the text of its port file, for those who need no more of it:
 *
 *   CLOCK(clk_i)  RESET(rst_ni, low, async)
 *   CLOCK(none)   RESET(none, 3)  RESET(initial)   there is none
 */
#ifndef CLOCKING_H
#define CLOCKING_H

#include <stdbool.h>

typedef struct {
  char clock[256], reset[256]; /* names in the port file; "": none */
  char clocks[1024];           /* all entries CLOCK, with blanks between; `clock` is the first */
  bool low, async;             /* of the reset */
  bool initial;                /* RESET(initial) */
  unsigned reset_line;         /* of the entry; 0: there is no entry RESET */
} clocking_t;

/* text NULL: a block without both. */
void clocking_read(const char *text, clocking_t *clocking);

/* The same for a file; one that cannot be read is as one without entries. */
void clocking_of_file(const char *path, clocking_t *clocking);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Clocks and resets of a block by the text of its port file, for those who need no more of it:
 *
 *   CLOCK(clk_i)  RESET(rst_ni, low, async)
 *   RESET(s_rst, high, sync)  RESET(m_rst_n, low, async)   one reset: asserted together
 *   CLOCK(none)   RESET(none, 3)  RESET(initial)   there is none
 */
#ifndef CLOCKING_H
#define CLOCKING_H

#include <stdbool.h>

/* portgen refuses a file with more of them. */
enum { CLOCKING_RESETS = 8 };

typedef struct {
  char name[256]; /* in the port file */
  bool low, async;
  unsigned line; /* of its entry */
} clocking_reset_t;

typedef struct {
  char clock[256];   /* name in the port file; "": none */
  char clocks[1024]; /* all entries CLOCK, with blanks between; `clock` is the first */
  clocking_reset_t resets[CLOCKING_RESETS];
  unsigned num_resets; /* 0: none, also for RESET(none, n) and RESET(initial) */
  bool initial;        /* RESET(initial) */
  unsigned reset_line; /* of the first entry RESET of any form; 0: there is none */
} clocking_t;

/* text NULL: a block without both. */
void clocking_read(const char *text, clocking_t *clocking);

/* The same for a file; one that cannot be read is as one without entries. */
void clocking_of_file(const char *path, clocking_t *clocking);

#endif

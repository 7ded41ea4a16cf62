/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenSTA as a child: a netlist, Liberty files and a script of synth/ in, lines of words out.
 *
 * Wires have no load and the clock no tree. Times are in the cells' unit (cells.h: FO4 of ge, else
 * ns).
 */
#ifndef STA_H
#define STA_H

#include "cells.h"
#include "trouble.h"

typedef struct {
  const char *top, *netlist; /* module; text of the netlist and of its parts */
  const cells_t *cells;      /* open; logic is mapped onto these */
  const char *libraries;     /* Liberty files instead of the cells' own, a corner's, as lists of rtl.h; NULL: theirs */
  const char *clocking;      /* side file clocking.txt of an object: its clock and reset, which no cell drives */
  double period;             /* of the clock, in the cells' unit; 0: the shortest one */
  const char *sdc;           /* constraints of this file instead of ours; NULL: ours */
  unsigned paths;            /* how many of the worst ones of setup and of hold */
  const char *work;          /* a folder of a plain name (plain.h) for files */
  const char *script;        /* of synth/, which answers in lines of words with tabs between and ends with `end` */
  bool (*stop)(void *context);
  void *context;
} sta_ask_t;

enum { STA_FIELDS = 8 };

/* What the script answered, to be freed; NULL: INPUT, the sdc or a Liberty file says what is not
 * so; ENVIRONMENT: no OpenSTA, stopped. log: what OpenSTA said, to be freed. */
char *sta_run(const sta_ask_t *ask, char **log, trouble_t *trouble);

/* Calls take() with the words of each line before `end`; words that a line
 * has not are "". False: take() said so, or an `error`, or no `end`. */
bool sta_lines(const sta_ask_t *ask, char *answer,
               bool (*take)(void *context, char *const field[STA_FIELDS], trouble_t *trouble), void *context,
               trouble_t *trouble);

/* "cells0.lib, line 3 TEXT" behind "Warning: " or "Error: ": is it of
 * a file of the user's? Then trouble has it with that file's name. */
bool sta_placed(const sta_ask_t *ask, const char *text, trouble_t *trouble);

/* Parts of Liberty files that the log says OpenSTA goes on without;
 * first: "FILE:LINE: why", to be freed, NULL: there are none. */
unsigned sta_left_out(const sta_ask_t *ask, const char *log, char **first);

#endif

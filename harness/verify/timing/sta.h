/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenSTA as a child process: a netlist, Liberty files and a script of synth/ go in, lines of
 * words come out.
 *
 * Wires have no load, and the clock no tree. Times are in the cells' unit (cells.h): FO4 for ge,
 * else ns.
 */
#ifndef STA_H
#define STA_H

#include "cells.h"
#include "trouble.h"

typedef struct {
  const char *top, *netlist; /* module; text of the netlist and of its parts */
  const cells_t *cells;      /* open; the cells of the netlist */
  const char *libraries;     /* Liberty files instead of the cells' own, a corner's, as lists of rtl.h; NULL: theirs */
  const char *clocking;      /* side file clocking.txt of an object: its clock and reset, which no cell drives */
  double period;             /* clock period in the cells' unit; 0: the shortest one */
  const char *sdc;           /* file of constraints; NULL: our own constraints */
  unsigned paths;            /* number of worst paths, each for setup and hold */
  const char *work;          /* a folder of a plain name (plain.h) for files */
  const char *script;        /* of synth/, which answers in lines of words with tabs between and ends with `end` */
  bool (*stop)(void *context);
  void *context;
} sta_ask_t;

/* Words of a line, with the keyword. */
enum { STA_FIELDS = 8 };

/* Returns the script's answer and sets *log to OpenSTA's own output; the caller frees both.
 * NULL: INPUT, the sdc or a Liberty file is wrong; ENVIRONMENT, no OpenSTA, or stopped. */
char *sta_run(const sta_ask_t *ask, char **log, trouble_t *trouble);

/* Calls take() with the words of each line before `end`. Words that a line lacks are "". False:
 * take() said so, the answer has an `error` line, or no `end`. Writes into `answer`. */
bool sta_lines(const sta_ask_t *ask, char *answer,
               bool (*take)(void *context, char *const field[STA_FIELDS], trouble_t *trouble), void *context,
               trouble_t *trouble);

/* Is a message about one of the user's files? text is what follows "Warning: " or "Error: ",
 * such as "cells0.lib, line 3 TEXT". True: trouble has the message with the user's name of that
 * file. */
bool sta_placed(const sta_ask_t *ask, const char *text, trouble_t *trouble);

/* How many parts of Liberty files OpenSTA left out, by its warnings. *first is "FILE:LINE: why",
 * which the caller frees; NULL: none. */
unsigned sta_left_out(const sta_ask_t *ask, const char *log, char **first);

#endif

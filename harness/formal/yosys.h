/* SPDX-License-Identifier: Apache-2.0
 *
 * Yosys as a child: scripts written in a work folder (harness/base/work.h), run with a log beside them, errors told in one line.
 *
 * What a script writes is named by yosys_writes. It is removed before Yosys starts, and needed whole behind it: a Yosys that does nothing, is killed or
 * meets a full disk never leaves an answer.
 */
#ifndef YOSYS_H
#define YOSYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "rtl.h"

typedef enum {
  ANSWER_HOLDS,   /* property proved, cover reached */
  ANSWER_REFUTED, /* property refuted, cover not reached */
  ANSWER_UNKNOWN, /* no answer in the time given */
  ANSWER_STOPPED, /* stop() said so */
  ANSWER_BAD,     /* error says what is wrong with the sources */
  ANSWER_INFRA    /* error says what the environment lacks */
} answer_t;

enum { YOSYS_SECONDS = 3600 }; /* a run that takes longer is given up: ANSWER_UNKNOWN */

/* work/STEM.ys to be written; NULL with a line in error when it cannot be. */
FILE *yosys_open(const char *work, const char *stem, char *error, size_t size);

/* HOLDS: what was written is there. */
answer_t yosys_close(FILE *file, const char *work, char *error, size_t size);

/* Behind the commands that write work/NAME, at the beginning of a line. A list, one that `tee` or `-map` writes, gets a last line more. */
void yosys_writes(FILE *script, const char *work, const char *name);

/* For who runs a script by himself: removes what it writes; afterwards the first of these files that is not there to its end, NULL: all are. */
bool yosys_forget(const char *script);
const char *yosys_unwritten(const char *script, char *path, size_t size);

/* Runs it, its log is work/STEM.yosys.log, and work/STEM.deps has the names of what it read, as a line of a makefile.
 * HOLDS: it ended well, and all that it writes is whole. */
answer_t yosys_run(bool (*stop)(void *context), void *context, const char *work, const char *stem, char *error, size_t size);

answer_t yosys_run_for(double seconds, bool (*stop)(void *context), void *context, const char *work, const char *stem, char *error,
                       size_t size); /* the longest that it may take */

/* What a tool's exit status and log (text, NULL: none) mean when it did not end well. */
answer_t yosys_complain(int status, const char *tool, const char *log, const char *text, char *error, size_t size);

/* `before` and the path, for every path that the pattern fits. (Yosys takes no quoted paths in -I and -libdir.) */
void yosys_print_each(FILE *file, const char *folder, const char *pattern, const char *before);

/* The words behind `read_verilog` for each of these files, further commands in lines of their own; folders of `include and defines hold for what is
 * read later, too. A file of the same name in one of the folders (NULL: none) is taken instead. */
void yosys_print_rtl(FILE *file, const rtl_t *rtl, const char *const instead[2]);

/* `-libdir` of each library. */
void yosys_print_libraries(FILE *file, const rtl_t *rtl);

/* The line that gives a module its parameters, "Name=Value" with blanks or commas between; nothing when there are none. Before `hierarchy`, whose own -chparam
 * fails an assertion of Yosys 0.23 where a part is there twice; and after it `rename -top`, which undoes what chparam calls the module. */
void yosys_print_params(FILE *file, const char *params, const char *module);

#endif

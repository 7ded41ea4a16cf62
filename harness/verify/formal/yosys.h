/* SPDX-License-Identifier: Apache-2.0
 *
 * Yosys as a child process: scripts in a work folder (harness/base/work.h), each with its log
 * beside it, and errors in one line.
 *
 *   FILE *s = yosys_open(work, "elaborate", trouble);             work/elaborate.ys
 *   fprintf(s, "...\nwrite_rtlil %s/words.il\n", work);
 *   yosys_writes(s, work, "words.il");                            declares the output
 *   if (yosys_close(s, work, trouble) == ANSWER_HOLDS)
 *     answer = yosys_run(stop, context, work, "elaborate", trouble);
 *
 * A run removes its declared outputs first and needs each of them complete afterwards. A Yosys
 * that does nothing, is killed or meets a full disk therefore never leaves an answer.
 */
#ifndef YOSYS_H
#define YOSYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "plain.h"
#include "rtl.h"
#include "trouble.h"

typedef enum {
  ANSWER_HOLDS,   /* property proved, cover reached */
  ANSWER_REFUTED, /* property refuted, cover not reached */
  ANSWER_UNKNOWN, /* no answer in the time given */
  ANSWER_STOPPED, /* stop() said so */
  ANSWER_BAD,     /* trouble says what is wrong with the sources: INPUT */
  ANSWER_INFRA    /* trouble says what the environment lacks: ENVIRONMENT */
} answer_t;

enum { YOSYS_SECONDS = 3600 }; /* a longer run ends with ANSWER_UNKNOWN */

/* Opens work/STEM.ys for writing. NULL: trouble is ENVIRONMENT. */
FILE *yosys_open(const char *work, const char *stem, trouble_t *trouble);

/* HOLDS: the script is on disk. INFRA: it could not be written; trouble is ENVIRONMENT. */
answer_t yosys_close(FILE *file, const char *work, trouble_t *trouble);

/* Declares work/NAME as an output. Call it right behind the commands that write NAME, at the
 * beginning of a line. Lists (of `tee` or `-map`) get a last line, which shows that they are
 * complete. */
void yosys_writes(FILE *script, const char *work, const char *name);

/* For a caller that runs the script itself. Before: remove the declared outputs. After: the
 * first output that is incomplete, in path; NULL: all are complete. A script that declares
 * nothing fails both. */
bool yosys_forget(const char *script);
const char *yosys_unwritten(const char *script, char *path, size_t size);

/* Runs the script. work/STEM.yosys.log is its log. work/STEM.deps lists the files that it read,
 * as a makefile does. HOLDS: Yosys ended well and all declared outputs are complete. */
answer_t yosys_run(bool (*stop)(void *context), void *context, const char *work, const char *stem, trouble_t *trouble);

answer_t yosys_run_for(double seconds, bool (*stop)(void *context), void *context, const char *work, const char *stem,
                       trouble_t *trouble); /* the longest that it may take */

/* Says what a tool's exit status and log (text; NULL: none) mean when the tool did not end well.
 * STOPPED and UNKNOWN (time over) set no trouble. */
answer_t yosys_complain(int status, const char *tool, const char *log, const char *text, trouble_t *trouble);

/* Prints `before` and the path for each path that folder/pattern matches. Yosys takes no quoted
 * paths in -I and -libdir, so a path must have no blanks. */
void yosys_print_each(FILE *file, const char *folder, const char *pattern, const char *before);

/* The path for a script of Yosys, which takes a blank for its end: a plain name for it
 * (harness/base/plain.h), in `plain` if it needs one. */
const char *yosys_path(const char *path, char plain[PLAIN_PATH]);

/* Continues `verilog_defaults -add`: the tree's folders of include files, and lines that read its
 * generated packages. RTL of a block outside of the tree (`own`; NULL: a block of the tree) sees
 * neither: its own names are all that it has, but for modules of rtl/lib. */
void yosys_print_tree(FILE *file, const char *source, const char *gen, const rtl_t *own);

/* Continues a script behind `read_verilog `, with a command for each file. Include folders and
 * defines also hold for what is read later. A file of the same name in one of the two folders
 * (NULL: none) replaces the RTL's. */
void yosys_print_rtl(FILE *file, const rtl_t *rtl, const char *const instead[2]);

/* `-libdir` of each library. */
void yosys_print_libraries(FILE *file, const rtl_t *rtl);

/* Behind `proc`: makes assertions the cells $assert, $assume and $cover. Later Yosys writes them
 * as $check with a flavour. What $display left is removed. An assertion behind an asynchronous
 * reset has no such form and makes the run ANSWER_BAD. source: the tree, or the folder of its
 * installed files. */
void yosys_print_checks(FILE *file, const char *source, const char *work);

/* ---- Parameters: "Name=Value", with blanks or commas between. A tool is told
 * every one of the port file, so that the RTL's own default decides nothing. */

/* " #(.Name(Value), ...)", each as port_literal writes it; nothing if there is none. */
void yosys_print_settings(FILE *file, const char *params);

/* Elaborates the module as the top with these values. Call yosys_print_top, print libraries as
 * options (" -libdir X"), then call yosys_print_top_end. `hierarchy -top` and chparam would do
 * the same, but chparam makes values unsigned and first elaborates the module with its own
 * defaults. */
void yosys_print_top(FILE *file, const char *module, const char *params);
void yosys_print_top_end(FILE *file, const char *module);

/* The same for a block of the tree, whose parameters are all int. It uses `chparam`, for those
 * values only that differ from the RTL's own (yosys_other_params). Cells then have equal numbers
 * however a value was set. Print it before `hierarchy`, and `rename -top` after that: chparam
 * changes the module's name. (-chparam of `hierarchy` fails an assertion of Yosys 0.23 where a
 * module has two instances.) */
void yosys_print_params(FILE *file, const char *params, const char *module);

/* Asks Yosys for the values that a module of the tree has by itself: `other` are
 * those of `params` that it has not. options: of read_verilog, "-formal". */
typedef struct {
  /* folder, the tree, generated packages, the module's file */
  const char *work, *source, *gen, *rtl, *module, *options;
  bool (*stop)(void *context);
  void *context;
} yosys_module_t;
answer_t yosys_other_params(const yosys_module_t *module, const char *params, char *other, size_t other_size,
                            trouble_t *trouble);

/* Finds a parameter in "Name=Value,..." and reads its number. False: it is not there. */
bool yosys_param(const char *params, const char *name, long long *value);

/* Reads a `dump -m` and calls `see` for each numeric parameter of each module. module is its
 * plain name. Each module begins with one call where name is NULL: a module with other
 * parameters has the same name. Yosys does not say whether the `width` bits have a sign. Values
 * of 32 bits are read as signed. */
typedef void yosys_see_param_t(void *context, const char *module, const char *name, long long value, unsigned width);
bool yosys_is_value(long long value, unsigned width, long long wanted); /* signed or unsigned */
void yosys_each_param(char *dump, yosys_see_param_t *see, void *context);

#endif

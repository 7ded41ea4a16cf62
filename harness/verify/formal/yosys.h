/* SPDX-License-Identifier: Apache-2.0
 *
 * Yosys as a child: scripts written in a work folder (harness/base/work.h), run with a log beside
 * them, errors told in one line.
 *
 * What a script writes is named by yosys_writes. It is removed before Yosys starts, and needed
 * whole behind it: a Yosys that does nothing, is killed or meets a full disk never leaves an
 * answer.
 */
#ifndef YOSYS_H
#define YOSYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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

enum { YOSYS_SECONDS = 3600 }; /* a run that takes longer is given up: ANSWER_UNKNOWN */

/* work/STEM.ys to be written; NULL: ENVIRONMENT. */
FILE *yosys_open(const char *work, const char *stem, trouble_t *trouble);

/* HOLDS: what was written is there. */
answer_t yosys_close(FILE *file, const char *work, trouble_t *trouble);

/* Behind the commands that write work/NAME, at the beginning of a line.
 * A list, one that `tee` or `-map` writes, gets a last line more. */
void yosys_writes(FILE *script, const char *work, const char *name);

/* For who runs a script by himself: removes what it writes; afterwards the
 * first of these files that is not there to its end, NULL: all are. */
bool yosys_forget(const char *script);
const char *yosys_unwritten(const char *script, char *path, size_t size);

/* Runs it, its log is work/STEM.yosys.log, and work/STEM.deps has the names of what it read, as a
 * line of a makefile. HOLDS: it ended well, and all that it writes is whole. */
answer_t yosys_run(bool (*stop)(void *context), void *context, const char *work, const char *stem, trouble_t *trouble);

answer_t yosys_run_for(double seconds, bool (*stop)(void *context), void *context, const char *work, const char *stem,
                       trouble_t *trouble); /* the longest that it may take */

/* What a tool's exit status and log (text, NULL: none) mean when it did not end well. */
answer_t yosys_complain(int status, const char *tool, const char *log, const char *text, trouble_t *trouble);

/* `before` and the path, for every path that the pattern
 * fits. (Yosys takes no quoted paths in -I and -libdir.) */
void yosys_print_each(FILE *file, const char *folder, const char *pattern, const char *before);

/* The same of the tree's packages, without those that the
 * block's own files declare (NULL: a block of the tree). */
void yosys_print_packages(FILE *file, const char *gen, const rtl_t *own, const char *before);

/* The words behind `read_verilog` for each of these files, further commands in lines of their own;
 * folders of `include and defines hold for what is read later, too. A file of the same name in one
 * of the folders (NULL: none) is taken instead. */
void yosys_print_rtl(FILE *file, const rtl_t *rtl, const char *const instead[2]);

/* `-libdir` of each library. */
void yosys_print_libraries(FILE *file, const rtl_t *rtl);

/* Behind `proc`: assertions as cells $assert, $assume and $cover, which later Yosys keep as $check
 * with a flavour; what $display left is removed. An assertion behind an asynchronous reset, which
 * those do not follow, is ANSWER_BAD of the run. source: the tree, or where it was installed. */
void yosys_print_checks(FILE *file, const char *source, const char *work);

/* ---- Parameters: "Name=Value", with blanks or commas between. A tool is told
 * every one of the port file, so that the RTL's own default decides nothing. */

/* " #(.Name(Value), ...)", each as port_literal writes it; nothing if there is none. */
void yosys_print_settings(FILE *file, const char *params);

/* Elaborates the module as the top, with these values: the first one, libraries as options ("
 * -libdir X"), the second one. It is what `hierarchy -top` would do; but chparam makes each value
 * an unsigned number, and elaborates the module as it is by itself first. */
void yosys_print_top(FILE *file, const char *module, const char *params);
void yosys_print_top_end(FILE *file, const char *module);

/* The same for a block of the tree, whose parameters are of type int: `chparam`, of those alone
 * whose value is not the RTL's own, as yosys_other_params says, so that cells are numbered alike
 * however the values were said. Before `hierarchy`, whose own -chparam fails an assertion of Yosys
 * 0.23 where a part is there twice; and after it `rename -top`, which undoes what chparam calls the
 * module. */
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

/* The number that a parameter has among these; false: it is not there. */
bool yosys_param(const char *params, const char *name, long long *value);

/* What `dump -m` says of modules' parameters that are numbers. module: without what Yosys puts
 * around its name. Before those of a module, name is NULL once: a module of other parameters is
 * another one of that name. Whether the `width` bits have a sign it does not say: value is as if 32
 * have one. */
typedef void yosys_see_param_t(void *context, const char *module, const char *name, long long value, unsigned width);
bool yosys_is_value(long long value, unsigned width, long long wanted); /* with a sign or without */
void yosys_each_param(char *dump, yosys_see_param_t *see, void *context);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Which sources `lockstack new` takes beside those that options name: of a project's list
 * (--filelist), of the project around, and what it says about missing ones.
 */
#ifndef NEW_SOURCES_H
#define NEW_SOURCES_H

#include "file_list.h"
#include "rtl.h"

#include <stdio.h>

typedef struct {
  const char *list; /* --filelist; NULL: none */
  words_t targets;
  bool only_named;      /* --no-find */
  char from[LIST_PATH]; /* the file that has the module, of the list */
  file_list_t read;
  unsigned taken; /* files of the list */
} new_sources_t;

/* Reads the list and adds what module `name` needs of it to `rtl`. `from`: the file that has the
 * module; NULL: the one of the list that has. 0, or an exit code after a line. */
int new_sources_read(new_sources_t *s, rtl_t *rtl, const char *name, const char *from);

/* Adds what is missing, if that may be the reason of the trouble, and only one file of the project
 * around has, and prints it. False: nothing was added. */
bool new_sources_find(const new_sources_t *s, rtl_t *rtl, const char *top, const trouble_t *trouble, FILE *out);

/* Says why a tool could not read the module: all that is missing, a line each, with the options
 * that would add it; else the tool's own line. Returns the exit code. */
int new_sources_trouble(const new_sources_t *s, const rtl_t *rtl, const char *name, const char *top,
                        const trouble_t *trouble);

/* Says the trouble, in the words of `new` if it is about a parameter. Returns the exit code. */
int new_sources_parameter(const char *name, const trouble_t *trouble);

/* What of the list was taken and left out, for people. */
void new_sources_print(const new_sources_t *s, FILE *out);

#endif

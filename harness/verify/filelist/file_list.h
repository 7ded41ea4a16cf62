/* SPDX-License-Identifier: Apache-2.0
 *
 * What a project's own list of its sources says: a .f file of Verilator or Icarus, a .core of
 * FuseSoC, a Bender.yml.
 *
 *   file_list_t list = {0};
 *   ok = file_list_read("rtl/list.f", &targets, &list, trouble);
 *   file_list_free(&list);
 *
 * Errors are one line, "LIST:LINE: what is wrong". All paths are absolute and exist.
 */
#ifndef FILE_LIST_H
#define FILE_LIST_H

#include "trouble.h"
#include "words.h"

#include <stdbool.h>

typedef struct {
  words_t files;     /* sources in the order of reading */
  words_t vhdl;      /* the same in VHDL; for a module in Verilog they are left out */
  words_t spare;     /* of `-v`: sources that are only read for a module that is missing */
  words_t libraries; /* folders with a module in a file of its name */
  words_t includes, defines;
  words_t flags;    /* options of Verilator about warnings */
  words_t left_out; /* what a list has and is not taken, each "LIST:LINE: word: why" */
  words_t absent;   /* names of cores and packages that it depends on, which the tree around does not have */
  words_t read;     /* the lists themselves */
} file_list_t;

/* True if the name is one of a list: .f, .core, Bender.yml. */
bool file_list_is(const char *path);

/* Reads the list (absolute path) and those that it names. `targets`: names that conditions of the
 * list ask for; none: the list's default. */
bool file_list_read(const char *path, const words_t *targets, file_list_t *list, trouble_t *trouble);
void file_list_free(file_list_t *list);

/* ---- for the readers */

bool list_f_read(const char *path, file_list_t *list, trouble_t *trouble);
bool list_core_read(const char *path, const words_t *targets, file_list_t *list, trouble_t *trouble);
bool list_bender_read(const char *path, const words_t *targets, file_list_t *list, trouble_t *trouble);

enum { LIST_PATH = 4096 };

/* Adds a file by its ending: a source, or the folder of an include file. `place`: "LIST:LINE".
 * Other files are left out. False: there is no such file. */
bool file_list_add(file_list_t *list, const char *place, const char *path, trouble_t *trouble);
void file_list_add_vhdl(file_list_t *list, const char *path);
bool file_list_add_folder(words_t *folders, const char *place, const char *path, trouble_t *trouble);

#endif

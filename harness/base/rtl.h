/* SPDX-License-Identifier: Apache-2.0
 *
 * The RTL sources of a block outside of the tree. Each list is a text with one word a line.
 *
 *   const char *at = rtl->files;
 *   while (rtl_next(&at, path, sizeof path)) ...
 */
#ifndef RTL_H
#define RTL_H

#include <stdbool.h>
#include <stddef.h>

enum { RTL_LIST = 32768 };

typedef struct {
  char files[RTL_LIST]; /* read in this order */
  /* Folders of libraries: a module that no file declares is in X.sv or X.v of one of them. */
  char libraries[RTL_LIST];
  char includes[RTL_LIST]; /* folders of `include */
  char defines[RTL_LIST];  /* NAME or NAME=VALUE */
  char flags[RTL_LIST];    /* extra options of Verilator */
  char pins[RTL_LIST];     /* "add_i=tx_add": the port file's add is tx_add in the RTL */
  char params[RTL_LIST];   /* "IN_=IN": the port file's parameter IN_ is IN in the RTL */
  bool bare;               /* ports have no suffixes _i and _o in the RTL */
  bool verilog;            /* the files are Verilog 2005: SystemVerilog keywords are plain names */
} rtl_t;

/* Copies the next word and moves `list` behind it. False: no more words. A word that does not fit
 * is cut. */
bool rtl_next(const char **list, char *word, size_t size);

/* Appends a word. False: the list is full, or the word is empty or has several lines. */
bool rtl_add(char list[RTL_LIST], const char *word);

/* True if the list has this word. */
bool rtl_has(const char *list, const char *word);

/* Writes parameters "IN_=4,Depth=2" of the port file with the RTL's names, "IN=4,Depth=2". False:
 * `to` is too small. */
bool rtl_named_params(const rtl_t *rtl, const char *params, char *to, size_t size);

/* Writes the RTL's name of the port file's clock or reset. */
void rtl_named_clock(const rtl_t *rtl, const char *name, char *to, size_t size);

/* True if the text declares this parameter, alone (`parameter int Depth = 4`) or later in a list of
 * parameters. */
bool rtl_declares(const char *text, const char *parameter);

/* True if the file declares a `kind` ("module", "package") of this name. Comments and strings do
 * not count. */
bool rtl_file_has(const char *path, const char *kind, const char *name);

/* True if one of the files declares this package. */
bool rtl_has_package(const rtl_t *rtl, const char *name);

/* True if the module is declared by one of the files, or has a file of its name in one of the
 * libraries. The file `but` does not count. */
bool rtl_finds(const rtl_t *rtl, const char *module, const char *but);

/* Advice on RTL that a tool cannot read. `error`: "PATH:LINE: what is wrong", and the line that it
 * is about. "": no advice is known. */
typedef enum { RTL_VERILATOR, RTL_OTHER } rtl_tool_t;
const char *rtl_advice(const char *error, rtl_tool_t tool);

#endif

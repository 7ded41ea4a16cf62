/* SPDX-License-Identifier: Apache-2.0
 *
 * What the RTL of a block outside of the tree is read from. Each list is a text, a word a line.
 *
 *   const char *at = rtl->files;
 *   while (rtl_next(&at, path, sizeof path)) ...
 */
#ifndef RTL_H
#define RTL_H

#include <stdbool.h>
#include <stddef.h>

enum { RTL_LIST = 8192 };

typedef struct {
  char files[RTL_LIST];     /* read in this order */
  char libraries[RTL_LIST]; /* folders: a module that no file has is in X.sv or X.v of one of them */
  char includes[RTL_LIST];  /* folders of `include */
  char defines[RTL_LIST];   /* NAME or NAME=VALUE */
  char flags[RTL_LIST];     /* Verilator's */
  char pins[RTL_LIST];      /* "add_i=tx_add": the port file's add is tx_add in the RTL */
  bool bare;                /* ports have no _i and _o in the RTL */
  bool verilog;             /* its files are Verilog 2005, in which words of SystemVerilog are names */
} rtl_t;

/* The next word, and `list` behind it; false: there is none. A word that does not fit is cut. */
bool rtl_next(const char **list, char *word, size_t size);

/* One more word; false: no room, it is empty or has several lines. */
bool rtl_add(char list[RTL_LIST], const char *word);

/* Is this one of its words? */
bool rtl_has(const char *list, const char *word);

/* Does this text declare a parameter of that name: `parameter
 * int Depth = 4`, or further on in such a list? */
bool rtl_declares(const char *text, const char *parameter);

/* Does the file declare a "module", a "package" of
 * this name? Words in comments and texts are none. */
bool rtl_file_has(const char *path, const char *kind, const char *name);

/* Does one of the files declare this package? */
bool rtl_has_package(const rtl_t *rtl, const char *name);

/* What to do about RTL that a tool cannot read: of its error, "PATH:LINE:
 * what is wrong", and the line it is about; "": nothing is known. */
typedef enum { RTL_VERILATOR, RTL_OTHER } rtl_tool_t;
const char *rtl_advice(const char *error, rtl_tool_t tool);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Macros of the port language: #define and expansion. Only port_text.c and port_macro.c use this
 * header.
 */
#ifndef PORT_MACRO_H
#define PORT_MACRO_H

#include "port_text.h"

typedef struct port_macro {
  struct port_macro *next;
  const char *name;
  const char **params; /* names of the parameters */
  unsigned num_params;
  bool function, rest; /* takes arguments; the last one is ... */
  const char *body;
} port_macro_t;

/* Text that is being read, with its position. Inside of a macro's body the position stays that of
 * the call. */
typedef struct {
  const char *p, *file; /* the next byte; the name for messages */
  unsigned line;
  bool begins; /* only blanks so far on this line */
  bool fixed;  /* the position does not move: text of a macro */
} port_source_t;

port_macro_t *port_macro_find(const port_text_t *text, const char *name, size_t length);

/* `line` is the text behind the directive's word: "NAME(a, b) body". False: an error is in
 * text->trouble. */
bool port_macro_define(port_text_t *text, const port_source_t *at, const char *line);
bool port_macro_undef(port_text_t *text, const port_source_t *at, const char *line);

/* Skips blanks, comments and joined lines. False: a comment does not end. */
bool port_blank(port_text_t *text, port_source_t *s);

/* Parses "(a, b)" at `s`. `call` names the macro for messages. One empty argument counts
 * as none. */
bool port_args(port_text_t *text, port_source_t *s, const char *call, const char ***args, unsigned *num_args);

/* The macro's body with the arguments put in; macros in it are not expanded yet. The text lives in
 * text->arena. NULL: error. */
char *port_macro_body(port_text_t *text, const port_macro_t *macro, const port_source_t *at, const char **args,
                      unsigned num_args);

/* The text with all its macros expanded, in text->arena. NULL: error. */
char *port_macro_expand(port_text_t *text, const port_source_t *at, const char *bytes);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Macros of the port language: #define and its uses. Inside of port_text.c.
 */
#ifndef PORT_MACRO_H
#define PORT_MACRO_H

#include "port_text.h"

typedef struct port_macro {
  struct port_macro *next;
  const char *name;
  const char **params;
  unsigned num_params;
  bool function, rest;
  const char *body;
} port_macro_t;

/* Text that is being read, with its place. In a macro's
 * text the place stays that of the macro's use. */
typedef struct {
  const char *p, *file;
  unsigned line;
  bool begins; /* nothing but blanks since the line's begin */
  bool fixed;
} port_source_t;

port_macro_t *port_macro_find(const port_text_t *text, const char *name, size_t length);

/* Of a directive's text behind the word: "NAME(a, b) body". */
bool port_macro_define(port_text_t *text, const port_source_t *at, const char *line);
bool port_macro_undef(port_text_t *text, const port_source_t *at, const char *line);

/* Blanks, comments and joined lines. False: a comment is not closed. */
bool port_blank(port_text_t *text, port_source_t *s);

/* "(a, b)" at s; what names the call is for messages. One empty argument is none. */
bool port_args(port_text_t *text, port_source_t *s, const char *call, const char ***args, unsigned *num_args);

/* The macro's body with these arguments; its macros are not expanded yet. NULL: error. */
char *port_macro_body(port_text_t *text, const port_macro_t *macro, const port_source_t *at, const char **args,
                      unsigned num_args);

/* Text with all its macros expanded; NULL: error. */
char *port_macro_expand(port_text_t *text, const port_source_t *at, const char *bytes);

#endif

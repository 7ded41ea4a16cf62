/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses lists of entries KIND(argument, ...): port files (X.ports) and shared lists (X.def). The
 * result is what C's preprocessor would make where C includes the same file. The language has
 * comments; #include "file"; #define, #undef and macros with #, ## and ...; #ifdef, #ifndef, #if,
 * #elif, #else, #endif.
 *
 *   port_text_t text = {0};
 *   port_text_read(&text, "ports_begin.h", true)     declares kinds of entries: each macro with
 *                                                    arguments and an empty body
 *   port_text_read(&text, "X.ports", false)          reads entries of these kinds
 *   ... text.entries ...
 *   port_text_free(&text)
 */
#ifndef PORT_TEXT_H
#define PORT_TEXT_H

#include "port_memory.h"
#include "trouble.h"

#include <stdbool.h>

enum { PORT_INCLUDES = 8 };

typedef struct port_kind {
  struct port_kind *next;
  const char *name;
  const char **fields; /* names of the arguments */
  unsigned num_fields;
  bool rest; /* takes any number of further arguments */
} port_kind_t;

typedef struct {
  const port_kind_t *kind;
  const char **args; /* Arguments without comments, with macros expanded and runs of blanks as one. */
  unsigned num_args;
  const char *file; /* where the entry is */
  unsigned line;
  const char *number; /* Set by port_file.c: the value of a parameter or the width of a port; else NULL. */
  const char *word;   /* set by port_choice.c: the value of PARAM_TEXT, in quotes; else NULL */
  const char *pin;    /* set by port_file.c: the RTL's name of the port; else NULL */
} port_entry_t;

typedef struct {
  port_entry_t *entries;
  unsigned num_entries, room;
  port_kind_t *kinds, **last_kind; /* in the order of their declarations */
  struct port_macro *macros;
  /* Folders for #include, searched after the folder of the including file. */
  const char *folders[PORT_INCLUDES];
  port_arena_t arena;
  bool declares;       /* the file being read declares kinds */
  unsigned depth;      /* nesting of files and macros; limited */
  unsigned expansions; /* macro expansions so far; limited */
  size_t bytes;        /* bytes of files so far; limited */
  trouble_t trouble;   /* the first error */
} port_text_t;

/* Appends the entries of a file, or of the text `bytes` that messages call `path`. False:
 * text->trouble has "path:line: ...". */
bool port_text_read(port_text_t *text, const char *path, bool declares);
bool port_text_parse(port_text_t *text, const char *path, const char *bytes, bool declares);
void port_text_free(port_text_t *text);

port_entry_t *port_text_end(const port_text_t *text); /* behind the last entry */

/* True for kinds that stand in no file, because portgen makes them of others (port_fields.c). */
bool port_kind_is_made(const char *kind);
const port_kind_t *port_text_kind(const port_text_t *text, const char *name, size_t length); /* NULL: none */

/* The argument of this name; NULL: the entry's kind has none. */
const char *port_entry_field(const port_entry_t *entry, const char *field, size_t length);
bool port_entry_is(const port_entry_t *entry, const char *kind);

/* Sets text->trouble to "file:line: ..." unless there is an error already. Returns false. */
bool port_text_bad(port_text_t *text, const char *file, unsigned line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

size_t port_word(const char *text);  /* length of the name or number that begins here; 0: none */
size_t port_token(const char *text); /* the same; also a quoted text; any other character: 1 */

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of entries KIND(argument, ...), one language for port files (X.ports) and shared lists
 * (X.def): what C's preprocessor makes of them where C includes them is what is read here.
 * Comments; #include "file"; #define, #undef and macros with #, ## and ...; #ifdef, #ifndef, #if,
 * #elif, #else, #endif.
 *
 *   port_text_t text = {0};
 *   port_text_read(&text, "ports_begin.h", true)     declares: a macro with arguments and nothing
 *                                                    behind them is a kind of entry
 *   port_text_read(&text, "X.ports", false)          entries of these kinds
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
  bool rest; /* any number of arguments more */
} port_kind_t;

typedef struct {
  const port_kind_t *kind;
  const char **args; /* without comments, blanks in a row as one, macros expanded */
  unsigned num_args;
  const char *file;
  unsigned line;
  const char *number; /* set by port_file.c: value of a parameter, width of a port; else NULL */
  const char *pin;    /* set by port_file.c: what the RTL calls the port; else NULL */
} port_entry_t;

typedef struct {
  port_entry_t *entries;
  unsigned num_entries, room;
  port_kind_t *kinds, **last_kind; /* in the order of their declarations */
  struct port_macro *macros;
  /* where included files are looked for, after the folder of the file that includes them */
  const char *folders[PORT_INCLUDES];
  port_arena_t arena;
  bool declares;
  unsigned depth;      /* of files and macros inside of each other */
  unsigned expansions; /* of macros, so far */
  size_t bytes;        /* of files, so far */
  trouble_t trouble;   /* the first error */
} port_text_t;

/* Adds a file's entries, or those of `text`, called `path` in
 * messages. False with one line "path:line: ..." in text->trouble. */
bool port_text_read(port_text_t *text, const char *path, bool declares);
bool port_text_parse(port_text_t *text, const char *path, const char *bytes, bool declares);
void port_text_free(port_text_t *text);

port_entry_t *port_text_end(const port_text_t *text); /* behind the last entry */

const port_kind_t *port_text_kind(const port_text_t *text, const char *name, size_t length); /* NULL: none */

/* The argument of this name; NULL: the kind has none. */
const char *port_entry_field(const port_entry_t *entry, const char *field, size_t length);
bool port_entry_is(const port_entry_t *entry, const char *kind);

/* Sets text->trouble to "file:line: ...", once. Returns false. */
bool port_text_bad(port_text_t *text, const char *file, unsigned line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

size_t port_word(const char *text);  /* length of the name or number that begins here; 0: none does */
size_t port_token(const char *text); /* the same, or of what is in quotes, or 1 */

#endif

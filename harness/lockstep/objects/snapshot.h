/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of the sources of a build, each taken once: tools read the copies, so that an edit
 * meanwhile cannot matter, and what is built is of just these bytes. The folder is beneath the
 * working folder and named relative to it, so that tools that run there see the same names for each
 * checkout: a file of the tree, TREE/rtl/lib/fifo.sv, becomes src/tree/rtl/lib/fifo.sv, any other
 * one, /home/a b/x.sv, src/at/home/a_x20b/x.sv (tools take only letters, digits and _ . / - in
 * paths).
 *
 *   snapshot_begin(&s, work, tree);         work is in the cache, where links to folders of odd
 *                                           names are kept
 *   snapshot_take(&s, "/home/me/x.sv", SNAPSHOT_VERILOG, &trouble) ...      a second time is
 *   nothing
 *   snapshot_end(&s);                       what earlier builds copied and this one did not is
 *                                           removed
 */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include "content.h"
#include "words.h"

/* A copy of Verilog begins with a `line directive, so
 * that tools and what they make name the original. */
typedef enum { SNAPSHOT_PLAIN, SNAPSHOT_VERILOG } snapshot_kind_t;

typedef struct {
  char work[4096], tree[4096];
  bool bare;       /* no `line in copies: Icarus takes its number for that of the line itself */
  content_t taken; /* the originals, and the sums of what was copied */
  words_t links;   /* folders of odd names, "LINK FOLDER": tools take only plain ones in a `line */
  words_t copies;  /* of each, in the same order */
} snapshot_t;

enum { SNAPSHOT_PATH = 4096 };

/* "/a/./b/../c" as "/a/c": by the text alone, as copies have no links among them. */
void snapshot_plain(const char *path, char to[SNAPSHOT_PATH]);

void snapshot_begin(snapshot_t *s, const char *work, const char *tree);
void snapshot_free(snapshot_t *s);

/* The name of a file's or a folder's copy, taken or not; `words` keeps it. */
const char *snapshot_name(const snapshot_t *s, const char *original, words_t *words);

/* False: it cannot be read, or the copy not written. */
bool snapshot_take(snapshot_t *s, const char *original, snapshot_kind_t kind, trouble_t *trouble);

/* The original of a copy's name; NULL: no such copy was taken. */
const content_file_t *snapshot_original(const snapshot_t *s, const char *copy);

/* Removes other files from the folder of copies. */
void snapshot_end(const snapshot_t *s);

/* A text that a tool wrote, with the originals' names; to be freed. */
char *snapshot_say(const snapshot_t *s, const char *text);

#endif

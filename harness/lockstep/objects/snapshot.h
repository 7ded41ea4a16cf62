/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies each source of a build once. Tools read the copies, so edits during a build have no
 * effect, and the object is made of exactly these bytes. The copies live below the working folder,
 * and their names are relative to it. Tools that run there thus see the same names in each
 * checkout:
 *
 *   TREE/rtl/lib/fifo.sv      src/tree/rtl/lib/fifo.sv
 *   /home/a b/x.sv            src/at/home/a_x20b/x.sv     (tools take letters, digits and _ . / -)
 *
 *   snapshot_begin(&s, work, tree);                                   work is in the cache
 *   snapshot_take(&s, "/home/me/x.sv", SNAPSHOT_VERILOG, &trouble)    a second call does nothing
 *   snapshot_end(&s);                                                 removes other copies
 */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include "content.h"
#include "words.h"

/* A copy of Verilog begins with a `line directive, so that messages and made files name the
 * original. */
typedef enum { SNAPSHOT_PLAIN, SNAPSHOT_VERILOG } snapshot_kind_t;

typedef struct {
  char work[4096], tree[4096];
  /* No `line in the copies, because Icarus miscounts: it takes the number as that of the
   * directive's own line. */
  bool bare;
  content_t taken; /* the originals, and the checksums of their copies */
  /* "LINK FOLDER": links to folders with odd names. Tools accept only plain names in `line. */
  words_t links;
  words_t copies; /* of each original, in the same order */
} snapshot_t;

enum { SNAPSHOT_PATH = 4096 };

/* "/a/./b/../c" becomes "/a/c". Works on the text alone, since copies contain no links. */
void snapshot_plain(const char *path, char to[SNAPSHOT_PATH]);

void snapshot_begin(snapshot_t *s, const char *work, const char *tree);
void snapshot_free(snapshot_t *s);

/* The name of the copy of a file or folder, taken or not; `words` owns it. */
const char *snapshot_name(const snapshot_t *s, const char *original, words_t *words);

/* Copies a file. False: the original cannot be read, or the copy not written. */
bool snapshot_take(snapshot_t *s, const char *original, snapshot_kind_t kind, trouble_t *trouble);

/* The original of a copy; NULL: no such copy was taken. */
const content_file_t *snapshot_original(const snapshot_t *s, const char *copy);

/* Removes all files from the copies' folder that were not taken. */
void snapshot_end(const snapshot_t *s);

/* A tool's message with the names of the originals; the caller frees it. */
char *snapshot_say(const snapshot_t *s, const char *text);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What a result was made of: a list of paths, each with the SHA-256 of the file's content.
 * CONTENT_NONE stands for a file that did not exist and whose absence matters.
 *
 *   content_t made_of = {0};
 *   content_note(&made_of, "rtl/lib/fifo.sv", &trouble);      the file is read now
 *   content_note_none(&made_of, "rtl/nsu/fifo.sv");           would be read instead, if it existed
 *   const content_file_t *other = content_changed(&made_of);  NULL: each file is as it was
 *   content_free(&made_of);
 *
 * A path that ends in / is a folder. The content of a folder is its resolved path, so a link that
 * comes to lead elsewhere is a change.
 *
 * As in git's index, file times may save a read but never decide. content_changed reads a file
 * again unless size, inode, mtime and ctime are those of the last read. Both times must also have
 * been older than CONTENT_SETTLED seconds at that read, so that a later write must change them.
 * CONTENT_SETTLED is longer than the kernel keeps a page written through mmap: a further write to
 * such a page changes no time. On file systems whose times say less (tmpfs, network), every file is
 * read. Not thread-safe.
 */
#ifndef CONTENT_H
#define CONTENT_H

#include "trouble.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { CONTENT_SUM = 65, CONTENT_SETTLED = 60 };
#define CONTENT_NONE "-"

/* What stat said when the file was read. `device` includes the mount. `size` -1: the stamp proves
 * nothing, read the file again. */
typedef struct {
  uint64_t device, inode;
  int64_t size, mtime_ns, ctime_ns;
} content_stamp_t;

typedef struct {
  char *path;
  char sum[CONTENT_SUM]; /* 64 hexadecimal digits, or CONTENT_NONE */
  content_stamp_t stamp;
} content_file_t;

typedef struct {
  content_file_t *files; /* owned; so is each path */
  size_t count, room;
  bool failed; /* out of memory: the list is not whole */
} content_t;

/* The stamp of an open file. If the file was written a moment ago, `size` is -1. */
content_stamp_t content_stamp(int descriptor);
bool content_look(const char *path, content_stamp_t *now); /* the stamp of a path; false: errno */
bool content_same_stamp(const content_stamp_t *was, const content_stamp_t *now);

void content_free(content_t *content); /* frees the list and zeroes `content` */

/* The SHA-256 of a file, or of bytes, in hexadecimal. False: errno says why the file cannot be
 * read. */
bool content_sum(const char *path, char sum[CONTENT_SUM]);
bool content_sum_stamp(const char *path, char sum[CONTENT_SUM], content_stamp_t *stamp);
void content_sum_bytes(const void *bytes, size_t size, char sum[CONTENT_SUM]);

/* Adds a file. A path that is in the list already keeps its first entry. False: the file cannot be
 * read, or there is no memory. */
bool content_note(content_t *content, const char *path, trouble_t *trouble);
/* adds a file that does not exist, as CONTENT_NONE */
void content_note_none(content_t *content, const char *path);
/* adds a file that was read before */
void content_note_sum(content_t *content, const char *path, const char *sum);
content_file_t *content_find(const content_t *content, const char *path); /* NULL: not noted */

/* The first file that is not as it was noted (changed, gone, or new); NULL: none. content_changed
 * renews the stamps of files that it had to read and found unchanged. *read (may be NULL) counts
 * the new stamps that can be trusted; a caller may want to store them. */
const content_file_t *content_changed(content_t *content, size_t *read);

/* One checksum over all paths and sums, in the order of the paths. The order of the notes does not
 * matter. */
void content_key(content_t *content, char key[CONTENT_SUM]);

/* The list as text, one line a file: "SUM DEVICE INODE SIZE MTIME CTIME PATH". content_read adds
 * the lines of a text to `content`. False: a line has another form. */
void content_write(const content_t *content, FILE *file);
bool content_read(content_t *content, const char *text);

#endif

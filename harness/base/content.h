/* SPDX-License-Identifier: Apache-2.0
 *
 * What something was made of: files by their content. A list of paths, each with the SHA-256 of
 * what the file held, or with CONTENT_NONE for a file that was not there and whose absence counts.
 *
 *   content_t made_of = {0};
 *   content_note(&made_of, "rtl/lib/fifo.sv", &trouble);          read now
 *   content_note_none(&made_of, "rtl/nsu/fifo.sv");               would be read instead, if it were
 *   there ...
 *   const content_file_t *other = content_changed(&made_of);      NULL: each file is as it was
 *   content_free(&made_of);
 *
 * A path that ends in / is a folder, and its content is where it leads: a link may come to lead
 * elsewhere.
 *
 * A file's times and inode may save a read, as in git's index, and never decide: a file is read
 * again unless its size, inode, mtime and ctime are those of the last read and both times were over
 * by CONTENT_SETTLED seconds then, so that a write after the read must show. That is longer than
 * the kernel keeps a page that was written through mmap: until then, one more write to the page has
 * no time. Where times say less (a tmpfs, a network's file system), each file is read. Not for more
 * than one thread.
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

/* What stat said when the file was read, `device` with the mount it was in; `size` -1: do not
 * believe it, read again. */
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
  content_file_t *files;
  size_t count, room;
  bool failed; /* out of memory: the list is not whole */
} content_t;

/* not to be believed when the file was written a moment ago */
content_stamp_t content_stamp(int descriptor);
bool content_look(const char *path, content_stamp_t *now); /* false: errno */
bool content_same_stamp(const content_stamp_t *was, const content_stamp_t *now);

void content_free(content_t *content);

/* The checksum of a file, or of bytes. False: errno says why it cannot be read. */
bool content_sum(const char *path, char sum[CONTENT_SUM]);
bool content_sum_stamp(const char *path, char sum[CONTENT_SUM], content_stamp_t *stamp);
void content_sum_bytes(const void *bytes, size_t size, char sum[CONTENT_SUM]);

/* One more file; a path that is there already stays as it was
 * noted first. False: it cannot be read, or there is no memory. */
bool content_note(content_t *content, const char *path, trouble_t *trouble);
void content_note_none(content_t *content, const char *path);
void content_note_sum(content_t *content, const char *path, const char *sum); /* of what was read before */
content_file_t *content_find(const content_t *content, const char *path);     /* NULL: not noted */

/* The first file that is not as it was noted (changed, gone, or there now); NULL: none. Stamps of
 * files that had to be read and are the same are new then: *read says how many may be believed,
 * which a caller may want to keep (NULL: nobody asks). */
const content_file_t *content_changed(content_t *content, size_t *read);

/* One checksum of all: paths and sums, in the order of
 * the paths, whatever the order they were noted in. */
void content_key(content_t *content, char key[CONTENT_SUM]);

/* As text, a line a file: "SUM DEVICE INODE SIZE MTIME CTIME PATH".
 * content_read adds the lines of a text; false: one is none. */
void content_write(const content_t *content, FILE *file);
bool content_read(content_t *content, const char *text);

#endif

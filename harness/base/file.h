/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole files and folders. whole.h writes files atomically; plain.h has paths that tools accept.
 */
#ifndef FILE_H
#define FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { FILE_MOST = 1 << 30 }; /* the most bytes that file_read reads */

/* The whole file as text with a zero byte behind it; the caller frees it. NULL: errno says why. A
 * file of more than FILE_MOST (file_rest: `most`) bytes gives EFBIG. */
char *file_read(const char *path);
/* The rest of an open file from its current position; `size` may be NULL. */
char *file_rest(FILE *file, size_t most, size_t *size);

/* Reads or writes all of these bytes, also through a pipe. False: end of file, or errno. */
bool file_get(int descriptor, void *data, size_t size);
bool file_put(int descriptor, const void *data, size_t size);

bool file_folder(const char *path); /* makes the folder and its parents; true: it exists now */
/* The path that realpath gives, also for a file that does not exist yet; the caller frees it. NULL:
 * no such folder, or errno. */
char *file_whole_path(const char *path);
void file_drop(const char *path);       /* unlinks a file that could not be written; keeps errno */
bool file_remove_all(const char *path); /* removes a folder with all its files; true: it is gone */

/* The part of `path` behind `folder` and its slash. NULL: `path` is not in `folder`, or `folder` is
 * "". Compares names only and looks at no file. */
const char *file_within(const char *path, const char *folder);

/* The relative path from `folder` to `path`, both absolute and without links: "../b", or "." for
 * the folder itself. The caller frees it. NULL: no memory. */
char *file_way(const char *folder, const char *path);

/* The CRC-32 of a file. False: a read failed, and *crc covers the bytes before. */
bool file_crc32(const char *path, uint32_t *crc);

#endif

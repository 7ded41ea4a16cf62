/* SPDX-License-Identifier: Apache-2.0
 *
 * Files and folders, whole. What is written so that it appears whole or not at all: whole.h; paths
 * as tools take them: plain.h.
 */
#ifndef FILE_H
#define FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { FILE_MOST = 1 << 30 }; /* bytes that file_read reads */

/* All of a file as text, a zero byte behind it, to be freed;
 * NULL: errno says why not. More than `most` bytes are EFBIG. */
char *file_read(const char *path);
char *file_rest(FILE *file, size_t most, size_t *size); /* of an open one, from where it stands; size may be NULL */

/* All of these bytes through a pipe or a file; false: its end, or errno. */
bool file_get(int descriptor, void *data, size_t size);
bool file_put(int descriptor, const void *data, size_t size);

bool file_folder(const char *path); /* makes it and those above it; true: it is there */
/* as realpath has it, also of a file that is not there
 * yet, to be freed; NULL: no such folder, or errno */
char *file_whole_path(const char *path);
void file_drop(const char *path);       /* unlinks a file that could not be written; errno stays */
bool file_remove_all(const char *path); /* with all that is in it; true: it is gone */

/* What stands behind the folder and its /, a part of path; NULL: path is not in it, or folder is
 * "". Of names alone: no file is looked at. */
const char *file_within(const char *path, const char *folder);

/* The way from a folder to a path, both absolute and without links:
 * "../b", "." for the folder itself. To be freed; NULL: no memory. */
char *file_way(const char *folder, const char *path);

bool file_crc32(const char *path, uint32_t *crc); /* false: cannot be read; *crc is that of what could */

#endif

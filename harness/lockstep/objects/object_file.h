/* SPDX-License-Identifier: Apache-2.0
 *
 * The file format of a loadable object. The file holds the linker's output, the side files, and the
 * manifest of everything that the build read. One rename publishes them together, so no part exists
 * without the others. The dynamic loader reads only the ELF part.
 *
 *   ELF | side files | manifest | footer
 *
 * The manifest is text: a line each with format, request, tools and sums of the parts before it,
 * then the files (content.h). Files of the tree start with "@/" in place of the tree's path, so
 * objects of a build stay valid in an installed tree. The footer has a fixed size and holds length
 * and sum of the manifest. A file without a valid footer is no object.
 *
 * X.stamps beside the object caches what stat said when the files were last read. The file may be
 * missing.
 */
#ifndef OBJECT_FILE_H
#define OBJECT_FILE_H

#include "content.h"

typedef struct {
  /* Key of the request and all files: two objects with one key are made of the same bytes. */
  char key[CONTENT_SUM];
  char *request; /* one line */
  char *tools;   /* One line, "gcc 12.2.0, verilator 5.006": shown, and part of the key. */
  content_t files;
} manifest_t;

void manifest_free(manifest_t *manifest);
void manifest_key(manifest_t *manifest); /* computes `key` */

/* Reads the manifest of an object. False: no object, cut short, another version, or damaged. */
bool object_file_read(const char *object, const char *tree, manifest_t *manifest);

/* Appends side files, manifest and footer to the linker's output at `path`. `sides`: names of files
 * in `folder`, for object_file_side. */
bool object_file_finish(const char *path, const char *tree, const char *folder, const char *const *sides,
                        manifest_t *manifest, trouble_t *trouble);

/* True if the object is whole and every file is unchanged; stores new stamps. missing_tools:
 * missing files outside of the tree and of `own` (the block's folder, or "") count as unchanged,
 * for installed objects. */
bool object_file_fresh(const char *object, const char *tree, const char *own, bool missing_tools, manifest_t *manifest);

/* The text of a side file, which the caller frees; NULL: none of this name. */
char *object_file_side(const char *object, const char *name);

#endif

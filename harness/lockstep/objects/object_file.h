/* SPDX-License-Identifier: Apache-2.0
 *
 * A loadable object as a file: what the linker made, side files, and the manifest of all that the
 * build read, in one, so that one rename publishes them together and no part can be there without
 * the others. The loader looks at the linker's part alone.
 *
 *   ELF | side files | manifest | footer
 *
 * The manifest is text: a line with the format, the request, the tools, the sums of what stands
 * before it, and the files (content.h), those of the tree with "@/" in place of the tree's path, so
 * that an installed tree's objects are as good as those of a build. The footer has a fixed size and
 * the manifest's length and sum. An object without a whole one is none.
 *
 * Beside the object, X.stamps keeps what stat said of the files when they were last read: a
 * shortcut, nothing more. It may be missing.
 */
#ifndef OBJECT_FILE_H
#define OBJECT_FILE_H

#include "content.h"

typedef struct {
  char key[CONTENT_SUM]; /* of the request and of all files: two objects of one key are made of the same bytes */
  char *request;         /* one line */
  char *tools;           /* one line, "gcc 12.2.0, verilator 5.006": shown, and part of the key */
  content_t files;
} manifest_t;

void manifest_free(manifest_t *manifest);
void manifest_key(manifest_t *manifest); /* fills in `key` */

/* Reads an object's manifest. False: no object, cut short,
 * of another version, or not what its footer says. */
bool object_file_read(const char *object, const char *tree, manifest_t *manifest);

/* Appends to what the linker made at `path`; `sides`: names of
 * files in `folder`, each found by object_file_side later. */
bool object_file_finish(const char *path, const char *tree, const char *folder, const char *const *sides,
                        manifest_t *manifest, trouble_t *trouble);

/* Is each file as it was, and the object whole? Keeps stamps that are new. missing_tools: files
 * outside of the tree and of `own` (a block's folder, or "") that are not there count as they were,
 * for objects that were installed. */
bool object_file_fresh(const char *object, const char *tree, const char *own, bool missing_tools, manifest_t *manifest);

/* A side file's text, to be freed; NULL: none of this name. */
char *object_file_side(const char *object, const char *name);

#endif

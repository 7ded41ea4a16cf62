/* SPDX-License-Identifier: Apache-2.0
 *
 * The key of an object (object_file.h) names the folders that its files lie in, so an object of a
 * copied project has another one. The content here has the machine's files and those of the tree by
 * their paths, and all others by name and bytes. Of the request it has what no file says.
 */
#include "file.h"
#include "object.h"
#include "object_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Notes a file by "SUM NAME". Files that the build keeps for the object are made of the others. */
static bool note_file(content_t *files, const content_file_t *file, const char *kept) {
  const char *slash = strrchr(file->path, '/');
  const bool by_path = !slash || object_is_of_machine(file->path, "");
  char *text;
  if (!strcmp(file->sum, CONTENT_NONE) || file_within(file->path, kept)) return true;
  if (asprintf(&text, "%s %s", file->sum, by_path ? file->path : slash + 1) < 0) return false;
  content_note_sum(files, text, file->sum);
  free(text);
  return !files->failed;
}

/* Adds the words of a request from the one that begins with `from` up to one of these ends. */
static void add_words(FILE *to, const char *request, const char *from, const char *const ends[]) {
  const char *at = strstr(request, from), *stop = at ? at + strlen(at) : NULL;
  for (; at && *ends; ends++) {
    const char *end = strstr(at, *ends);
    if (end && end < stop) stop = end;
  }
  if (at) fprintf(to, "%.*s\n", (int)(stop - at), at);
}

/* What the request says beside paths and tools (object_request.c). */
static void add_request(FILE *to, const char *request) {
  static const char *const folder[] = {" folder=", NULL}, *const lists[] = {" cells=", " files=", " gcc=", NULL},
                           *const tools[] = {" gcc=", NULL};
  add_words(to, request, "request ", folder);
  add_words(to, request, " cflags=", lists);
  add_words(to, request, " defines=", tools);
}

bool object_content(const char *object, const char *tree, char sum[CONTENT_SUM]) {
  manifest_t m;
  content_t files = {0};
  char folder[OBJECT_PATH], *text = NULL;
  size_t size = 0;
  const char *slash = strrchr(object, '/');
  if (!slash || !object_file_read(object, tree, &m)) return false;
  snprintf(folder, sizeof folder, "%.*s", (int)(slash - object), object);
  bool ok = true;
  for (size_t i = 0; ok && i < m.files.count; i++) ok = note_file(&files, &m.files.files[i], folder);
  FILE *to = ok ? open_memstream(&text, &size) : NULL;
  if (to) {
    content_key(&files, sum);
    add_request(to, m.request);
    fprintf(to, "%s\n%s\n", m.tools, sum);
    fclose(to);
    content_sum_bytes(text, size, sum);
  }
  free(text), content_free(&files), manifest_free(&m);
  return to != NULL;
}

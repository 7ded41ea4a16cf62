/* SPDX-License-Identifier: Apache-2.0
 *
 * judged.h collects files and surroundings in one list; a path that begins with $ is no file.
 */
#include "content_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "judged.h"
#include "surroundings.h"

/* ---- writing */

/* Moves entries that are no files out of the list, into an object of name and sum. */
static json_t *surroundings_of(content_t *content) {
  json_t *all = json_object();
  size_t files = 0;
  for (size_t i = 0; i < content->count; i++) {
    content_file_t *f = &content->files[i];
    if (*f->path != '$') {
      content->files[files++] = *f;
      continue;
    }
    json_object_set_new(all, f->path, strcmp(f->sum, CONTENT_NONE) ? json_string(f->sum) : json_null());
    free(f->path);
  }
  content->count = files;
  return all;
}

/* NULL: a path is not UTF-8, so JSON cannot hold it. */
static json_t *files_of(const content_t *content) {
  json_t *list = json_array();
  for (size_t i = 0; i < content->count; i++) {
    const content_file_t *f = &content->files[i];
    json_t *sum = strcmp(f->sum, CONTENT_NONE) ? json_string(f->sum) : json_null();
    json_t *file = json_pack("{s:s, s:o}", "path", f->path, "sha256", sum);
    if (file && judged_is_option(f->path)) json_object_set_new(file, "option", json_true());
    json_array_append_new(list, file);
  }
  return json_array_size(list) == content->count ? list : (json_decref(list), NULL);
}

/* Versions are told for people. The surroundings decide whether a tool has changed. */
static json_t *tools_json(void) {
  char version[JUDGED_VERSION];
  json_t *all = json_object();
  const char *name;
  for (unsigned i = 0; (name = judged_tool_at(i)); i++)
    json_object_set_new(all, name, json_string(judged_version(name, version)));
  return all;
}

/* One sum of the program and all files. Sorts the files. */
static void digest_of(content_t *content, char digest[CONTENT_SUM]) {
  char both[2 * CONTENT_SUM + 2];
  content_key(content, digest);
  snprintf(both, sizeof both, "%s %s", judged_program(), digest);
  content_sum_bytes(both, strlen(both), digest);
}

/* No content is better than an incomplete one: a result without content is stale at once, an
 * incomplete one would stay valid for ever. */
json_t *content_json(void) {
  content_t content = {0};
  char digest[CONTENT_SUM];
  json_t *json = NULL, *files;
  if (judged_all(&content) && *judged_program()) {
    json_t *around = surroundings_of(&content);
    digest_of(&content, digest);
    if ((files = files_of(&content)))
      json = json_pack("{s:s, s:s, s:o, s:O, s:o}", "digest", digest, "program", judged_program(), "tools",
                       tools_json(), "surroundings", around, "files", files);
    json_decref(around);
  }
  content_free(&content);
  return json;
}

/* Files keep the sums that the document has, not those of now: the verdict was about those. */
void content_judged_too(const json_t *document) {
  const json_t *content = json_object_get(document, "content"), *files = json_object_get(content, "files"), *file,
               *version;
  const json_t *sum_of;
  content_t said = {0};
  const char *tool, *name;
  size_t i;
  if (!judged_wanted()) return;
  if (!json_is_array(files)) judged_unknown();
  json_object_foreach(json_object_get((json_t *)content, "surroundings"), name, sum_of)
      content_note_sum(&said, name, json_is_string(sum_of) ? json_string_value(sum_of) : CONTENT_NONE);
  json_array_foreach(files, i, file) {
    const char *path = json_string_value(json_object_get(file, "path")),
               *sum = json_string_value(json_object_get(file, "sha256"));
    if (path) content_note_sum(&said, path, sum ? sum : CONTENT_NONE);
  }
  judged_add(&said);
  content_free(&said);
  json_object_foreach(json_object_get((json_t *)content, "tools"), tool, version) judged_tool(tool);
}

/* ---- comparing */

/* The sum of the file now: CONTENT_NONE when it does not exist, "" when it cannot be read. A
 * path that ends in a slash is a folder. */
static const char *sum_now(content_now_t *now, const char *path) {
  char sum[CONTENT_SUM] = CONTENT_NONE;
  struct stat info;
  const char *known = json_string_value(json_object_get(now->sums, path));
  if (known) return known;
  const bool there = stat(path, &info) == 0, folder = there && S_ISDIR(info.st_mode) && path[strlen(path) - 1] == '/';
  if (there && ((!S_ISREG(info.st_mode) && !folder) || !content_sum(path, sum))) *sum = 0;
  if (!now->sums) now->sums = json_object();
  json_object_set_new(now->sums, path, json_string(sum));
  known = json_string_value(json_object_get(now->sums, path));
  return known ? known : "";
}

/* False: trouble says "PATH is there now", "has changed" or "is gone". */
static bool is_unchanged(content_now_t *now, const json_t *file, trouble_t *trouble) {
  const char *path = json_string_value(json_object_get(file, "path")),
             *sum = json_string_value(json_object_get(file, "sha256"));
  if (!path) return trouble_set(trouble, TROUBLE_BROKEN, "it does not say of what it is");
  const char *is = sum_now(now, path), *was = sum ? sum : CONTENT_NONE;
  if (strcmp(is, was) == 0) return true;
  const char *what = strcmp(is, CONTENT_NONE) ? "has changed" : "is gone";
  return trouble_set(trouble, TROUBLE_BROKEN, "%s %s", path, sum ? what : "is there now");
}

bool content_files_are_now(content_now_t *now, const json_t *document, trouble_t *trouble) {
  const json_t *content = json_object_get(document, "content"), *files = json_object_get(content, "files"), *file;
  size_t i;
  if (!json_is_array(files)) return trouble_set(trouble, TROUBLE_BROKEN, "it does not say of what it is");
  json_array_foreach(files, i, file) if (!is_unchanged(now, file, trouble)) return false;
  return true;
}

/* A file that is missing does not count: the result may come from another machine. */
bool content_options_are_now(content_now_t *now, const json_t *document, trouble_t *trouble) {
  const json_t *file;
  size_t i;
  json_array_foreach(json_object_get(json_object_get(document, "content"), "files"), i, file) {
    const char *path = json_string_value(json_object_get(file, "path"));
    if (json_is_true(json_object_get(file, "option")) && path && access(path, F_OK) == 0 &&
        !is_unchanged(now, file, trouble))
      return false;
  }
  return true;
}

/* Names the program's path as it is now, so that a user sees which one differs. */
static bool surrounding_unchanged(const char *name, const char *was, trouble_t *trouble) {
  char sum[CONTENT_SUM], path[PLAIN_PATH];
  const char *program = surroundings_program(name);
  surroundings_sum(name, sum);
  if (strcmp(sum, was) == 0) return true;
  if (program && strcmp(sum, CONTENT_NONE) && surroundings_find(program, path))
    return trouble_set(trouble, TROUBLE_BROKEN, "%s has changed", path);
  if (program) return trouble_set(trouble, TROUBLE_BROKEN, "%s is gone from the PATH", program);
  return trouble_set(trouble, TROUBLE_BROKEN, "the environment's %s has changed", name + 1);
}

bool content_surroundings_are_now(const json_t *document, trouble_t *trouble) {
  const json_t *content = json_object_get(document, "content"), *was;
  const char *name;
  json_object_foreach(json_object_get((json_t *)content, "surroundings"), name,
                      was) if (!surrounding_unchanged(name, json_is_string(was) ? json_string_value(was) : CONTENT_NONE,
                                                      trouble)) return false;
  return true;
}

bool content_is_now(content_now_t *now, const json_t *document, trouble_t *trouble) {
  const char *program = json_string_value(json_object_get(json_object_get(document, "content"), "program"));
  if (program && strcmp(program, judged_program()))
    return trouble_set(trouble, TROUBLE_BROKEN, "it was made by another build of lockstack");
  return content_files_are_now(now, document, trouble) && content_surroundings_are_now(document, trouble);
}

void content_now_free(content_now_t *now) {
  json_decref(now->sums);
  now->sums = NULL;
}

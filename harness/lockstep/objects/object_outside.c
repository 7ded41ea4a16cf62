/* SPDX-License-Identifier: Apache-2.0 */
#include "object_outside.h"

#include "content.h"
#include "file.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

static void outside_path(const object_request_t *ask, char path[RECIPE_PATH + 16]) {
  snprintf(path, RECIPE_PATH + 16, "%.4000s/outside.list", ask->cache);
}

void object_outside_load(recipe_t *r) {
  char path[RECIPE_PATH + 16];
  outside_path(r->ask, path);
  char *text = file_read(path);
  if (text && !content_read(&r->outside, text)) content_free(&r->outside);
  free(text);
}

/* Removes files of earlier releases that no program reads any more. */
static void drop_versions(const recipe_t *r) {
  char pattern[RECIPE_PATH + 16];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%.4000s/version-*", r->ask->cache);
  if (glob(pattern, 0, NULL, &found)) return;
  for (size_t i = 0; i < found.gl_pathc; i++) unlink(found.gl_pathv[i]);
  globfree(&found);
}

void object_outside_save(recipe_t *r) {
  char path[RECIPE_PATH + 16], part[RECIPE_PATH + 40];
  content_t there = {0};
  if (!r->outside_new) return;
  drop_versions(r);
  for (size_t i = 0; i < r->outside.count; i++) { /* without files that are gone */
    content_file_t *f = &r->outside.files[i];
    const size_t before = there.count;
    if (access(f->path, F_OK) == 0) content_note_sum(&there, f->path, f->sum);
    if (there.count > before) there.files[before].stamp = f->stamp;
  }
  outside_path(r->ask, path);
  snprintf(part, sizeof part, "%s.%ld", path, (long)getpid());
  FILE *file = fopen(part, "we");
  if (file) content_write(&there, file);
  if (!file || fclose(file) || rename(part, path)) unlink(part);
  content_free(&there);
}

bool recipe_outside(recipe_t *r, const char *path, char sum[CONTENT_SUM], content_stamp_t *stamp) {
  content_stamp_t now;
  content_file_t *known = content_find(&r->outside, path);
  if (!content_look(path, &now)) return false;
  if (!known || !content_same_stamp(&known->stamp, &now)) {
    if (!content_sum_stamp(path, sum, &now)) return false;
    if (known) snprintf(known->sum, sizeof known->sum, "%s", sum);
    else content_note_sum(&r->outside, path, sum), known = content_find(&r->outside, path);
    if (!known) return false;
    known->stamp = now;
    r->outside_new = true;
  }
  *stamp = known->stamp;
  snprintf(sum, CONTENT_SUM, "%s", known->sum);
  return true;
}

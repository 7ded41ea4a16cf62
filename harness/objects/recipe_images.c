/* SPDX-License-Identifier: Apache-2.0
 *
 * images.h of an object (harness/dut/images.c): the texts of the RTL that may name a file which the RTL opens when it runs, each with the
 * folder of the source that it stands in; after them the folders of all sources, for names that are put together.
 */
#include "recipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 255 };

void recipe_c_text(FILE *to, const char *text, size_t length) {
  putc('"', to);
  for (size_t i = 0; i < length; i++) {
    if (strchr("\"\\", text[i])) putc('\\', to);
    putc(text[i], to);
  }
  putc('"', to);
}

static void add_image(FILE *to, words_t *seen, recipe_t *r, const char *name, size_t length, const char *folder, size_t folder_length) {
  const char *both = recipe_text(r, "%.*s\n%.*s", (int)length, name, (int)folder_length, folder);
  if (!words_add_new(seen, both)) return;
  fputs(" \\\n  IMAGE(", to);
  recipe_c_text(to, name, length);
  fputs(", ", to);
  recipe_c_text(to, folder, folder_length);
  putc(')', to);
}

/* The text constant at `p`, a quote; its length, and where reading goes on. */
static const char *text_end(const char *p) {
  for (p++; *p && *p != '"' && *p != '\n'; p++)
    if (*p == '\\' && p[1]) p++;
  return p;
}

/* A name has no blank and nothing that $sformat replaces. */
static bool may_name_file(const char *text, size_t length) {
  return length && length <= NAME_MOST && strcspn(text, " \t%\\\"\n") >= length;
}

static const char *after_comment(const char *p) {
  if (p[1] == '/') return strchrnul(p, '\n');
  const char *end = strstr(p + 2, "*/");
  return end ? end + 2 : p + strlen(p);
}

static void add_texts(recipe_t *r, FILE *to, words_t *seen, const char *source, const char *text) {
  const size_t folder = (size_t)(strrchr(source, '/') - source);
  for (const char *p = text; *p;) {
    if (*p == '/' && (p[1] == '/' || p[1] == '*')) p = after_comment(p);
    else if (*p == '"') {
      const char *end = text_end(p);
      if (*end == '"' && may_name_file(p + 1, (size_t)(end - p - 1))) add_image(to, seen, r, p + 1, (size_t)(end - p - 1), source, folder);
      p = end + (*end == '"');
    } else p++;
  }
}

bool recipe_images(recipe_t *r) {
  char *made = NULL;
  size_t size = 0;
  words_t seen = {0}, read = {0};
  FILE *to = open_memstream(&made, &size);
  if (!to) return recipe_bad(r, TROUBLE_ENVIRONMENT, "out of memory");
  fputs("#define IMAGES", to);
  words_add_all(&read, &r->ports_read), words_add_all(&read, &r->rtl_read);
  for (size_t i = 0; i < read.count; i++) {
    const content_file_t *source = snapshot_original(&r->snapshot, read.at[i]);
    char *text = source ? recipe_read(r, read.at[i]) : NULL;
    if (text) add_texts(r, to, &seen, source->path, text);
    free(text);
  }
  for (size_t i = 0; i < read.count; i++) {
    const content_file_t *source = snapshot_original(&r->snapshot, read.at[i]);
    if (source) add_image(to, &seen, r, "", 0, source->path, (size_t)(strrchr(source->path, '/') - source->path));
  }
  fputs("\n", to);
  fclose(to);
  words_free(&seen), words_free(&read);
  const bool ok = recipe_write(r, "images.h", made);
  free(made);
  return ok;
}

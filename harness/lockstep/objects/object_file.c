/* SPDX-License-Identifier: Apache-2.0 */
#include "object_file.h"

#include "file.h"
#include "whole.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FORMAT "lockstack-object 1"
#define FOOTER "\nlockstack-manifest %012zu %s\n"
enum { FOOTER_SIZE = 98, PATH = 4096 + 16, SIDES_MOST = 8 };

void manifest_free(manifest_t *manifest) {
  free(manifest->request);
  free(manifest->tools);
  content_free(&manifest->files);
  *manifest = (manifest_t){0};
}

/* ---- names in the tree, and the key */

static char *portable(const char *path, const char *tree) {
  const size_t n = strlen(tree);
  char *text = NULL;
  if (strncmp(path, tree, n) == 0 && path[n] == '/') return asprintf(&text, "@%s", path + n) < 0 ? NULL : text;
  return strdup(path);
}

/* Paths of the tree with @ (or, back, with the tree's own); false: no memory. */
static bool rename_files(content_t *files, const char *tree, bool back) {
  for (size_t i = 0; i < files->count; i++) {
    char *path = files->files[i].path, *other = NULL;
    if (back && strncmp(path, "@/", 2) == 0 && asprintf(&other, "%s%s", tree, path + 1) < 0) return false;
    if (!back && !(other = portable(path, tree))) return false;
    if (!other) continue;
    free(path);
    files->files[i].path = other;
  }
  return true;
}

void manifest_key(manifest_t *m) {
  char *text = NULL;
  size_t size = 0;
  content_key(&m->files, m->key);
  FILE *stream = open_memstream(&text, &size);
  if (!stream) return;
  fprintf(stream, "%s\n%s\n%s\n%s\n", FORMAT, m->request, m->tools, m->key);
  fclose(stream);
  content_sum_bytes(text, size, m->key);
  free(text);
}

/* ---- writing */

typedef struct {
  const char *name;
  size_t size;
} side_t;

static bool append_side(FILE *object, const char *folder, const char *name, side_t *side, trouble_t *trouble) {
  char path[PATH];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "re");
  char *text = file ? file_rest(file, FILE_MOST, &side->size) : NULL;
  const int error = errno;
  side->name = name;
  if (file) fclose(file);
  if (!text) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(error));
  fwrite(text, 1, side->size, object);
  free(text);
  return true;
}

static char *manifest_text(const manifest_t *m, const char *sum, size_t elf, const side_t *sides, size_t *size) {
  char *text = NULL;
  FILE *stream = open_memstream(&text, size);
  if (!stream) return NULL;
  fprintf(stream, "%s\n%s\n%s\n%s\n%s %zu\n", FORMAT, m->key, m->request, m->tools, sum, elf);
  for (; sides->name; sides++) fprintf(stream, "side %zu %s\n", sides->size, sides->name);
  fputs("files\n", stream);
  content_write(&m->files, stream);
  fclose(stream);
  return text;
}

static bool append(FILE *object, const char *path, const char *folder, const char *const *names, manifest_t *m,
                   trouble_t *trouble) {
  char sum[CONTENT_SUM], footer[FOOTER_SIZE + 1];
  side_t sides[SIDES_MOST + 1] = {0};
  size_t size, elf = (size_t)ftell(object);
  for (unsigned i = 0; names[i] && i < SIDES_MOST; i++)
    if (!append_side(object, folder, names[i], &sides[i], trouble)) return false;
  if (fflush(object) || !content_sum(path, sum))
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(errno));
  char *text = manifest_text(m, sum, elf, sides, &size);
  if (!text) return trouble_memory(trouble);
  fwrite(text, 1, size, object);
  content_sum_bytes(text, size, sum);
  free(text);
  snprintf(footer, sizeof footer, FOOTER, size, sum);
  fwrite(footer, 1, strlen(footer), object);
  if (fflush(object) || ferror(object))
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(errno));
  return true;
}

bool object_file_finish(const char *path, const char *tree, const char *folder, const char *const *sides, manifest_t *m,
                        trouble_t *trouble) {
  FILE *object = fopen(path, "r+e");
  if (!object) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(errno));
  bool ok = fseek(object, 0, SEEK_END) == 0 && rename_files(&m->files, tree, false);
  if (ok) manifest_key(m), ok = append(object, path, folder, sides, m, trouble);
  if (fclose(object) && ok) ok = trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(errno));
  return ok && (rename_files(&m->files, tree, true) || trouble_memory(trouble));
}

/* ---- reading */

typedef struct {
  char *text;         /* of the manifest */
  char *rest;         /* where reading goes on in it */
  size_t elf, before; /* bytes of the linker's part, and of all before the manifest */
  char sum[CONTENT_SUM];
  struct stat info;
  content_stamp_t own; /* of the object */
} reader_t;

static char *take_line(reader_t *r) {
  char *line = r->rest, *end = line ? strchr(line, '\n') : NULL;
  if (!end) return r->rest = NULL;
  *end = 0;
  r->rest = end + 1;
  return line;
}

static bool read_footer(FILE *file, reader_t *r, size_t *size, char sum[CONTENT_SUM]) {
  char footer[FOOTER_SIZE + 1] = "";
  if (fstat(fileno(file), &r->info) || r->info.st_size < FOOTER_SIZE || fseek(file, -FOOTER_SIZE, SEEK_END))
    return false;
  if (fread(footer, 1, FOOTER_SIZE, file) != FOOTER_SIZE ||
      sscanf(footer, "\nlockstack-manifest %12zu %64[0-9a-f]\n", size, sum) != 2)
    return false;
  r->own = content_stamp(fileno(file));
  return *size + FOOTER_SIZE <= (size_t)r->info.st_size;
}

static bool read_text(FILE *file, reader_t *r) {
  char want[CONTENT_SUM], is[CONTENT_SUM];
  size_t size;
  if (!read_footer(file, r, &size, want)) return false;
  r->before = (size_t)r->info.st_size - FOOTER_SIZE - size;
  r->text = malloc(size + 1);
  if (!r->text || fseek(file, (long)r->before, SEEK_SET) || fread(r->text, 1, size, file) != size) return false;
  r->text[size] = 0;
  r->rest = r->text;
  content_sum_bytes(r->text, size, is);
  return strcmp(is, want) == 0;
}

static bool read_head(reader_t *r, manifest_t *m) {
  const char *format = take_line(r), *key = take_line(r), *request = take_line(r), *tools = take_line(r),
             *sums = take_line(r);
  if (!sums || strcmp(format, FORMAT) || strlen(key) != CONTENT_SUM - 1) return false;
  snprintf(m->key, sizeof m->key, "%s", key);
  m->request = strdup(request);
  m->tools = strdup(tools);
  return m->request && m->tools && sscanf(sums, "%64s %zu", r->sum, &r->elf) == 2;
}

static bool open_object(const char *object, reader_t *r, manifest_t *m) {
  FILE *file = fopen(object, "re");
  const bool ok = file && read_text(file, r) && read_head(r, m);
  if (file) fclose(file);
  return ok;
}

static bool read_files(reader_t *r, const char *tree, manifest_t *m) {
  const char *line;
  while ((line = take_line(r)) && strcmp(line, "files")) continue;
  return line && content_read(&m->files, r->rest) && rename_files(&m->files, tree, true);
}

bool object_file_read(const char *object, const char *tree, manifest_t *m) {
  reader_t r = {0};
  *m = (manifest_t){0};
  const bool ok = open_object(object, &r, m) && read_files(&r, tree, m);
  free(r.text);
  if (!ok) manifest_free(m);
  return ok;
}

char *object_file_side(const char *object, const char *name) {
  reader_t r = {0};
  manifest_t m = {0};
  const char *line;
  char *text = NULL, *found = NULL;
  size_t size, at;
  bool ok = open_object(object, &r, &m);
  at = r.elf;
  while (ok && !found && (line = take_line(&r)) && sscanf(line, "side %zu", &size) == 1) {
    if (strcmp(strrchr(line, ' ') + 1, name) == 0) found = malloc(size + 1);
    if (!found) at += size;
  }
  FILE *file = found ? fopen(object, "re") : NULL;
  if (file && fseek(file, (long)at, SEEK_SET) == 0 && fread(found, 1, size, file) == size)
    found[size] = 0, text = found, found = NULL;
  if (file) fclose(file);
  free(found);
  free(r.text);
  manifest_free(&m);
  return text;
}

/* ---- fresh? */

static void stamps_path(const char *object, char path[PATH]) {
  snprintf(path, PATH, "%.4000s.stamps", object);
}

/* Its first line is the key of the manifest that they belong to. */
static bool read_stamps(const char *object, const char *key, content_t *stamps) {
  char path[PATH];
  stamps_path(object, path);
  char *text = file_read(path);
  const bool ok = text && strncmp(text, key, CONTENT_SUM - 1) == 0 && text[CONTENT_SUM - 1] == '\n' &&
                  content_read(stamps, text + CONTENT_SUM);
  free(text);
  if (!ok) content_free(stamps);
  return ok;
}

static void write_stamps(const char *object, const char *key, const content_t *stamps) {
  char path[PATH];
  whole_t w;
  stamps_path(object, path);
  FILE *file = fopen(whole_begin(&w, path), "we");
  if (file) fprintf(file, "%s\n", key), content_write(stamps, file);
  whole_end(&w, file ? whole_close(file, 0) : errno);
}

/* The object's own bytes before its manifest: read once, then known by their stamp. */
static bool is_whole(const char *object, const reader_t *r) {
  char sum[CONTENT_SUM];
  FILE *file = fopen(object, "re");
  char *text = file ? malloc(r->before + 1) : NULL;
  const bool ok = text && fread(text, 1, r->before, file) == r->before;
  if (ok) content_sum_bytes(text, r->before, sum);
  if (file) fclose(file);
  free(text);
  return ok && strcmp(sum, r->sum) == 0;
}

/* Tools of the machine that built it, and what was not there on that machine. */
static void forget_missing(content_t *files, const char *tree, const char *own) {
  size_t kept = 0;
  for (size_t i = 0; i < files->count; i++) {
    content_file_t *f = &files->files[i];
    if (!file_within(f->path, tree) && !file_within(f->path, own) &&
        (!strcmp(f->sum, CONTENT_NONE) || access(f->path, F_OK)))
      free(f->path);
    else files->files[kept++] = *f;
  }
  files->count = kept;
}

static bool all_same(const char *object, const reader_t *r, manifest_t *m) {
  content_t stamps = {0};
  size_t read = 0;
  const bool known = read_stamps(object, m->key, &stamps) && stamps.count == m->files.count + 1 &&
                     content_same_stamp(&stamps.files[0].stamp, &r->own);
  for (size_t i = 0; known && i < m->files.count; i++)
    if (strcmp(stamps.files[i + 1].path, m->files.files[i].path) == 0)
      m->files.files[i].stamp = stamps.files[i + 1].stamp;
  bool ok = (known || is_whole(object, r)) && !content_changed(&m->files, &read);
  content_free(&stamps);
  if (!ok || (known && !read)) return ok;
  if (r->own.size < 0) return content_free(&stamps), true;
  content_note_sum(&stamps, object, r->sum);
  if (stamps.count) stamps.files[0].stamp = r->own;
  for (size_t i = 0; i < m->files.count && !stamps.failed; i++) {
    content_note_sum(&stamps, m->files.files[i].path, m->files.files[i].sum);
    stamps.files[stamps.count - 1].stamp = m->files.files[i].stamp;
  }
  if (!stamps.failed) write_stamps(object, m->key, &stamps);
  content_free(&stamps);
  return true;
}

bool object_file_fresh(const char *object, const char *tree, const char *own, bool missing_tools, manifest_t *m) {
  reader_t r = {0};
  *m = (manifest_t){0};
  bool ok = open_object(object, &r, m) && read_files(&r, tree, m);
  if (ok && missing_tools) forget_missing(&m->files, tree, own);
  ok = ok && all_same(object, &r, m);
  free(r.text);
  if (!ok) manifest_free(m);
  return ok;
}

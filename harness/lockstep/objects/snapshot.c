/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot.h"

#include "file.h"
#include "plain.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

enum { PATH = SNAPSHOT_PATH };

void snapshot_begin(snapshot_t *s, const char *work, const char *tree) {
  *s = (snapshot_t){0};
  snprintf(s->work, sizeof s->work, "%s", work);
  snprintf(s->tree, sizeof s->tree, "%s", tree);
}

void snapshot_free(snapshot_t *s) {
  content_free(&s->taken);
  words_free(&s->copies);
  words_free(&s->links);
}

/* ---- names */

/* Other signs as _xHH: names stay different, as a sign of its own
 * in a name never ends in such a way by chance of two files. */
static void add_plain(char *to, size_t size, const char *path) {
  size_t n = 0;
  for (; *path && n + 6 < size; path++) {
    const char one[2] = {*path, 0};
    if (plain_path(one)) to[n++] = *path;
    else n += (size_t)snprintf(to + n, size - n, "_x%02x", (unsigned char)*path);
  }
  to[n] = 0;
}

static void name_of(const snapshot_t *s, const char *original, char name[PATH]) {
  const size_t n = strlen(s->tree);
  const bool in_tree = strncmp(original, s->tree, n) == 0 && (original[n] == '/' || !original[n]);
  const char *base = in_tree ? "src/tree" : "src/at";
  snprintf(name, PATH, "%s", base);
  add_plain(name + strlen(base), PATH - strlen(base), in_tree ? original + n : original);
}

const char *snapshot_name(const snapshot_t *s, const char *original, words_t *words) {
  char name[PATH];
  name_of(s, original, name);
  return words_add(words, "%s", name);
}

const content_file_t *snapshot_original(const snapshot_t *s, const char *copy) {
  for (size_t i = 0; i < s->copies.count; i++)
    if (strcmp(s->copies.at[i], copy) == 0) return &s->taken.files[i];
  return NULL;
}

/* ---- copies */

void snapshot_plain(const char *path, char to[SNAPSHOT_PATH]) {
  size_t n = 0;
  for (const char *p = path; *p && n + 2 < SNAPSHOT_PATH;) {
    const size_t length = strcspn(p, "/");
    if (length == 2 && strncmp(p, "..", 2) == 0) {
      while (n && to[n - 1] != '/') n--;
      if (n) n--;
    } else if (length && !(length == 1 && *p == '.')) {
      to[n++] = '/';
      for (size_t i = 0; i < length && n + 1 < SNAPSHOT_PATH; i++) to[n++] = p[i];
    }
    p += length;
    p += *p == '/';
  }
  to[n] = 0;
}

/* The name of a file without "..", if it is the same file
 * by that name: a folder on the way may be a link. */
static void own_name(const char *path, char name[SNAPSHOT_PATH]) {
  struct stat plain, given;
  snapshot_plain(path, name);
  if (stat(name, &plain) || stat(path, &given) || plain.st_dev != given.st_dev || plain.st_ino != given.st_ino)
    snprintf(name, SNAPSHOT_PATH, "%s", path);
}

static char *read_bytes(const char *path, size_t *size, trouble_t *trouble) {
  FILE *file = fopen(path, "re");
  struct stat info;
  char *text = NULL;
  if (file && fstat(fileno(file), &info) == 0 && S_ISDIR(info.st_mode)) errno = EISDIR;
  else if (file) text = file_rest(file, FILE_MOST, size);
  const int error = errno;
  if (file) fclose(file);
  if (!text) trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(error));
  return text;
}

/* The file by a name that tools take: in a folder of another name, by a link to it. */
static void tool_name(snapshot_t *s, const char *original, char name[PATH]) {
  char folder[PATH], cache[PATH], link[PATH];
  trouble_t trouble;
  snprintf(name, PATH, "%s", original);
  if (plain_path(original)) return;
  const char *file = strrchr(original, '/');
  snprintf(folder, sizeof folder, "%.*s", (int)(file - original), original);
  snprintf(cache, sizeof cache, "%.*s", (int)(strrchr(s->work, '/') - s->work), s->work);
  if (!plain_path(file) || !plain_folder(folder, cache, link, sizeof link, &trouble)) return;
  snprintf(name, PATH, "%s%s", link, file);
  char *pair = NULL;
  if (asprintf(&pair, "%s %s", link, folder) > 0) words_add_new(&s->links, pair);
  free(pair);
}

/* What a copy begins with that its original does not. */
static size_t first_line(snapshot_t *s, const char *original, snapshot_kind_t kind, char *line, size_t size) {
  char name[PATH];
  *line = 0;
  if (kind != SNAPSHOT_VERILOG || s->bare) return 0;
  tool_name(s, original, name);
  return plain_path(name) ? (size_t)snprintf(line, size, "`line 1 \"%s\" 0\n", name) : 0;
}

static bool is_copied(const char *path, const char *line, size_t length, const char *text, size_t size) {
  FILE *file = fopen(path, "re");
  size_t there = 0;
  char *old = file ? file_rest(file, FILE_MOST, &there) : NULL;
  const bool same =
      old && there == length + size && memcmp(old, line, length) == 0 && memcmp(old + length, text, size) == 0;
  free(old);
  if (file) fclose(file);
  return same;
}

/* Tools that go by times must see that a copy is another
 * one: it is removed first, never written over. */
static bool write_copy(const char *path, const char *line, size_t length, const char *text, size_t size,
                       trouble_t *trouble) {
  char folder[PATH];
  if (is_copied(path, line, length, text, size)) return true;
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
  file_folder(folder);
  unlink(path);
  FILE *file = fopen(path, "we");
  bool ok = file && fwrite(line, 1, length, file) == length && fwrite(text, 1, size, file) == size;
  if (file && fclose(file)) ok = false;
  if (ok) return true;
  const int error = errno;
  unlink(path);
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(error));
}

/* A warning that the build takes as an error is none that a comment of the RTL switches off: it
 * then speaks of another one, so that lines and columns stay. */
static void keep_errors(char *text) {
  static const char *const classes[] = {"UNOPTFLAT", "MULTIDRIVEN", "USERFATAL", "USERERROR", "MODDUP"};
  static const char word[] = "lint_off", harmless[] = "UNUSED";
  for (char *p = text; (p = strstr(p, word));) {
    p += sizeof word - 1;
    p += strspn(p, " \t\r\n");
    if (strncmp(p, "-rule", 5) == 0) p += 5 + strspn(p + 5, " \t\r\n"); /* behind a `verilator_config */
    const size_t n = strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
      if (strlen(classes[i]) == n && strncmp(p, classes[i], n) == 0)
        memset(p, ' ', n), memcpy(p, harmless, sizeof harmless - 1);
  }
}

bool snapshot_take(snapshot_t *s, const char *file, snapshot_kind_t kind, trouble_t *trouble) {
  char original[PATH], place[PATH], name[PATH], path[2 * PATH], line[2 * PATH], sum[CONTENT_SUM];
  size_t size;
  own_name(file, original);
  if (content_find(&s->taken, original)) return true;
  char *text = read_bytes(original, &size, trouble);
  if (!text) return false;
  snapshot_plain(original, place);
  name_of(s, place, name);
  snprintf(path, sizeof path, "%s/%s", s->work, name);
  content_sum_bytes(text, size, sum);
  if (kind == SNAPSHOT_VERILOG) keep_errors(text);
  const bool ok = write_copy(path, line, first_line(s, original, kind, line, sizeof line), text, size, trouble);
  free(text);
  if (!ok) return false;
  content_note_sum(&s->taken, original, sum);
  words_add(&s->copies, "%s", name);
  return true;
}

/* ---- what is left of earlier builds */

static const snapshot_t *keeper;

static int drop_other(const char *path, const struct stat *info, int type, struct FTW *where) {
  (void)info, (void)where;
  const char *name = path + strlen(keeper->work) + 1;
  if (type == FTW_DP) rmdir(path); /* where it is empty */
  else if (!snapshot_original(keeper, name)) unlink(path);
  return 0;
}

void snapshot_end(const snapshot_t *s) {
  char folder[PATH + 8];
  snprintf(folder, sizeof folder, "%s/src", s->work);
  keeper = s;
  nftw(folder, drop_other, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- texts */

typedef struct {
  const char *from, *to;
} exchange_t;

static char *exchange(char *text, exchange_t e) {
  const size_t from = strlen(e.from), to = strlen(e.to);
  char *made = NULL, *at = text, *found;
  size_t size = 0;
  if (!from || !strstr(text, e.from)) return text;
  FILE *stream = open_memstream(&made, &size);
  if (!stream) return text;
  for (; (found = strstr(at, e.from)); at = found + from) {
    fwrite(at, 1, (size_t)(found - at), stream);
    fwrite(e.to, 1, to, stream);
  }
  fputs(at, stream);
  fclose(stream);
  free(text);
  return made;
}

char *snapshot_say(const snapshot_t *s, const char *text) {
  char *said = strdup(text);
  for (size_t i = 0; said && i < s->copies.count; i++)
    if (strstr(s->copies.at[i], "_x")) said = exchange(said, (exchange_t){s->copies.at[i], s->taken.files[i].path});
  for (size_t i = 0; said && i < s->links.count; i++) {
    char link[PATH];
    snprintf(link, sizeof link, "%.*s", (int)strcspn(s->links.at[i], " "), s->links.at[i]);
    said = exchange(said, (exchange_t){link, strchr(s->links.at[i], ' ') + 1});
  }
  if (said) said = exchange(said, (exchange_t){"src/tree", s->tree});
  if (said) said = exchange(said, (exchange_t){"src/at/", "/"});
  return said;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The list is an anonymous file that forked copies of the process inherit. Each process appends
 * lines, one write each: files in content_write's form, and tools behind a "!". A process does not
 * repeat lines that it knows. If two processes report a path, the first report counts.
 */
#include "judged.h"

#include "file.h"
#include "plain.h"
#include "process.h"
#include "surroundings.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
  int list; /* descriptor + 1 */
  bool failed;
  content_t known;   /* the part of the list that this process knows */
  content_t options; /* of judged_option, paths alone */
  char tools[JUDGED_TOOLS][32];
} judged;

bool judged_begin(void) {
  if (judged.list) return true;
  const int descriptor = memfd_create("judged", MFD_CLOEXEC);
  if (descriptor < 0 || fcntl(descriptor, F_SETFL, O_APPEND)) return false;
  judged.list = descriptor + 1;
  return true;
}

bool judged_wanted(void) {
  return judged.list != 0;
}

/* The absolute path as named. Links stay in it: another target is another content. */
static const char *absolute_path(const char *path, char buf[PLAIN_PATH]) {
  char here[PLAIN_PATH];
  while (path[0] == '.' && path[1] == '/') path += 2;
  if (*path == '/' || !getcwd(here, sizeof here)) return path;
  const int length = snprintf(buf, PLAIN_PATH, "%s%s%s", here, here[1] ? "/" : "", path);
  return length < PLAIN_PATH ? buf : path;
}

static void say_unjudged(content_file_t *file) {
  const content_t one = {.files = file, .count = 1};
  char *line = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&line, &size);
  if (out) content_write(&one, out);
  const bool ok = out && fclose(out) == 0 && write(judged.list - 1, line, size) == (ssize_t)size;
  judged.failed = judged.failed || !ok;
  free(line);
}

/* Writes the list's last entry if it is new. */
static void say_new(size_t before) {
  judged.failed = judged.failed || judged.known.failed;
  if (judged.known.count > before) say_unjudged(&judged.known.files[before]);
}

/* Notes a file. A pipe's content is gone after reading, so a pipe counts as changed next time. */
static void note(const char *path) {
  static const char never[] = "0000000000000000000000000000000000000000000000000000000000000000";
  trouble_t trouble;
  struct stat info;
  const bool there = stat(path, &info) == 0, folder = there && S_ISDIR(info.st_mode) && path[strlen(path) - 1] == '/';
  if (there && !S_ISREG(info.st_mode) && !folder) content_note_sum(&judged.known, path, never);
  else if (!there || !content_note(&judged.known, path, &trouble)) content_note_none(&judged.known, path);
}

void judged_file(const char *path) {
  char buf[PLAIN_PATH];
  const int error = errno;
  const size_t before = judged.known.count;
  if (!judged.list || !*path) return;
  note(absolute_path(path, buf));
  say_new(before);
  errno = error;
}

void judged_option(const char *path) {
  char buf[PLAIN_PATH];
  judged_file(path);
  if (judged.list && *path) content_note_none(&judged.options, absolute_path(path, buf));
}

bool judged_is_option(const char *path) {
  for (size_t i = 0; i < judged.options.count; i++)
    if (strcmp(judged.options.files[i].path, path) == 0) return true;
  return false;
}

void judged_none(const char *path) {
  char buf[PLAIN_PATH];
  const size_t before = judged.known.count;
  if (!judged.list || !*path) return;
  content_note_none(&judged.known, absolute_path(path, buf));
  say_new(before);
}

void judged_add(const content_t *content) {
  for (size_t i = 0; judged.list && i < content->count; i++) {
    const size_t before = judged.known.count;
    content_note_sum(&judged.known, content->files[i].path, content->files[i].sum);
    if (judged.known.count > before) judged.known.files[before].stamp = content->files[i].stamp;
    say_new(before);
  }
  judged.failed = judged.failed || content->failed;
}

/* Appends a line that is no entry, so that no process takes the list for complete. */
void judged_unknown(void) {
  static bool said;
  judged.failed = true;
  if (judged.list && !said) said = write(judged.list - 1, "?\n", 2) == 2;
}

/* Adds a tool; true: it was unknown. */
static bool know_tool(const char *name) {
  unsigned i = 0;
  while (i < JUDGED_TOOLS && *judged.tools[i] && strcmp(judged.tools[i], name)) i++;
  if (i == JUDGED_TOOLS || *judged.tools[i]) return false;
  snprintf(judged.tools[i], sizeof *judged.tools, "%s", name);
  return true;
}

static char *list_text(void) {
  struct stat info;
  if (fstat(judged.list - 1, &info)) return NULL;
  char *text = malloc((size_t)info.st_size + 1);
  const ssize_t n = text ? pread(judged.list - 1, text, (size_t)info.st_size, 0) : -1;
  if (n != info.st_size) return free(text), NULL;
  text[n] = 0;
  return text;
}

/* Takes a line "!yosys", which names a tool; false: the line is of a file. */
static bool take_tool(const char *line, size_t length) {
  char name[sizeof *judged.tools];
  if (*line != '!' || length > sizeof name) return false;
  snprintf(name, sizeof name, "%.*s", (int)length - 1, line + 1);
  know_tool(name);
  return true;
}

/* Takes the tools out of the text, which keeps the lines of files. */
static void take_tools(char *text) {
  char *to = text;
  for (const char *line = text; *line;) {
    const size_t length = strcspn(line, "\n"), whole_line = length + (line[length] == '\n');
    if (!take_tool(line, length)) memmove(to, line, whole_line), to += whole_line;
    line += whole_line;
  }
  *to = 0;
}

bool judged_all(content_t *into) {
  content_t said = {0};
  char *text = judged.list && !judged.failed ? list_text() : NULL;
  if (text) take_tools(text);
  bool ok = text && content_read(&said, text);
  for (size_t i = 0; ok && i < said.count; i++) content_note_sum(into, said.files[i].path, said.files[i].sum);
  ok = ok && !said.failed && !into->failed;
  content_free(&said);
  free(text);
  return ok;
}

/* ---- the program */

const char *judged_program(void) {
  static char text[CONTENT_SUM];
  size_t size;
  const uint8_t *id = process_build_id(&size);
  if (*text) return text;
  for (size_t i = 0; id && i < size && 2 * i + 2 < sizeof text; i++) snprintf(text + 2 * i, 3, "%02x", id[i]);
  if (!id && !content_sum(process_self(), text)) *text = 0;
  return text;
}

/* ---- tools */

static void say_surroundings(const char *tool) {
  const surrounding_t *s = surroundings;
  char sum[CONTENT_SUM];
  while (s->tool && strcmp(s->tool, tool)) s++;
  for (const char *const *name = s->names; *name; name++) {
    const size_t before = judged.known.count;
    surroundings_sum(*name, sum);
    content_note_sum(&judged.known, *name, sum);
    say_new(before);
  }
}

void judged_tool(const char *name) {
  char line[sizeof *judged.tools + 2];
  if (!judged.list || !know_tool(name)) return;
  const int length = snprintf(line, sizeof line, "!%.*s\n", (int)sizeof *judged.tools - 1, name);
  judged.failed = write(judged.list - 1, line, (size_t)length) != length || judged.failed;
  say_surroundings(name);
}

const char *judged_tool_at(unsigned index) {
  return index < JUDGED_TOOLS && *judged.tools[index] ? judged.tools[index] : NULL;
}

/* The first word that starts with a digit: 0.23 of "Yosys 0.23 (git sha1 ...)". */
static void first_number(const char *text, char version[JUDGED_VERSION]) {
  const char *p = text + strcspn(text, "\n0123456789");
  snprintf(version, JUDGED_VERSION, "%.*s", (int)(isdigit((unsigned char)*p) ? strcspn(p, " \t\n,)") : 0), p);
}

static void ask_version(const char *name, char version[JUDGED_VERSION]) {
  char *argv[] = {(char *)name, strcmp(name, "yosys") && strcmp(name, "iverilog") ? "--version" : "-V", NULL};
  int status;
  char *text = process_answer(argv, &status);
  /* gcc: "gcc (Debian 12.2.0-14) 12.2.0": what stands behind the brackets */
  const char *from = text ? text : "", *end = strcmp(name, "gcc") ? NULL : strstr(from, ") ");
  first_number(end ? end : from, version);
  free(text);
}

/* Looks in lines "PATH SIZE INODE MTIME CTIME VERSION"; the last line of a path counts. */
static bool is_kept(FILE *kept, const char *path, const struct stat *s, char version[JUDGED_VERSION]) {
  char line[PLAIN_PATH + 200], key[PLAIN_PATH + 120];
  bool found = false;
  const int n = snprintf(key, sizeof key, "%s %jd %ju %jd %jd ", path, (intmax_t)s->st_size, (uintmax_t)s->st_ino,
                         (intmax_t)s->st_mtime, (intmax_t)s->st_ctime);
  while (fgets(line, sizeof line, kept)) {
    if (strncmp(line, key, (size_t)n) || !strchr(line, '\n')) continue;
    snprintf(version, JUDGED_VERSION, "%.*s", (int)strcspn(line + n, "\n"), line + n);
    found = true;
  }
  return found;
}

static void keep_version(const char *file, const char *path, const struct stat *s, const char *version) {
  FILE *out = fopen(file, "ae");
  if (!out) return; /* asked again */
  fprintf(out, "%s %jd %ju %jd %jd %s\n", path, (intmax_t)s->st_size, (uintmax_t)s->st_ino, (intmax_t)s->st_mtime,
          (intmax_t)s->st_ctime, version);
  fclose(out);
}

const char *judged_version(const char *tool, char version[JUDGED_VERSION]) {
  char path[PLAIN_PATH], folder[PLAIN_PATH], file[PLAIN_PATH + 16];
  struct stat info;
  *version = 0;
  if (!surroundings_find(tool, path) || stat(path, &info)) return version;
  const bool cache = plain_cache(NULL, folder);
  snprintf(file, sizeof file, "%s/versions", folder);
  FILE *kept = cache ? fopen(file, "re") : NULL;
  const bool found = kept && is_kept(kept, path, &info, version);
  if (kept) fclose(kept);
  if (found) return version;
  ask_version(tool, version);
  if (cache && *version) keep_version(file, path, &info, version);
  return version;
}

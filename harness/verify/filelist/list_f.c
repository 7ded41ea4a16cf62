/* SPDX-License-Identifier: Apache-2.0
 *
 * .f files of Verilator, Icarus and others that do as they do.
 *
 * A relative path starts at the working folder. In a file of -F it starts at that file's folder.
 * Where the working folder has no such file, the list's own folder is looked in, as projects
 * expect the command to run in different places; where both have one, nobody can tell.
 */
#include "file_list.h"

#include "file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH = 20, WORD = 4096 };

typedef struct {
  file_list_t *list;
  const char *path; /* of this file */
  bool beside;      /* -F: paths start at its folder */
  unsigned depth, line;
  const char *at;
  trouble_t *trouble;
} reader_t;

static bool read_list(const char *path, bool beside, unsigned depth, file_list_t *list, trouble_t *trouble);

static bool wrong(reader_t *r, const char *word, const char *what) {
  return trouble_set(r->trouble, TROUBLE_INPUT, "%s:%u: %.300s: %s", r->path, r->line, word, what);
}

/* ---- words */

static void skip(reader_t *r, size_t n) {
  for (; n && *r->at; n--) r->line += *r->at++ == '\n';
}

/* Moves over blanks and comments: // and # to the end of the line, and what stands between the
 * signs of C. */
static void skip_blanks(reader_t *r) {
  for (;;) {
    if (isspace((unsigned char)*r->at)) skip(r, 1);
    else if (*r->at == '\\' && (r->at[1] == '\n' || r->at[1] == '\r')) skip(r, 2);
    else if (strncmp(r->at, "//", 2) == 0 || *r->at == '#') skip(r, strcspn(r->at, "\n"));
    else if (strncmp(r->at, "/*", 2) == 0) {
      const char *end = strstr(r->at + 2, "*/");
      skip(r, end ? (size_t)(end + 2 - r->at) : strlen(r->at));
    } else return;
  }
}

/* Appends the value of $NAME, ${NAME} or $(NAME) and moves behind it. */
static bool take_variable(reader_t *r, char *word, size_t *n) {
  char name[128];
  const char *begin = r->at + 1, close = *begin == '{' ? '}' : ')';
  const bool bare = *begin != '{' && *begin != '(';
  if (!bare) begin++;
  size_t length = 0;
  while (isalnum((unsigned char)begin[length]) || begin[length] == '_') length++;
  if (!length || length >= sizeof name || (!bare && begin[length] != close))
    return wrong(r, "$", "$NAME, ${NAME} or $(NAME) would be right");
  snprintf(name, sizeof name, "%.*s", (int)length, begin);
  const char *value = getenv(name);
  if (!value)
    return trouble_set(r->trouble, TROUBLE_INPUT, "%s:%u: $%s is not set; `%s=... lockstack new` would set it", r->path,
                       r->line, name, name);
  const int added = snprintf(word + *n, WORD - *n, "%s", value);
  *n += (size_t)added < WORD - *n ? (size_t)added : WORD - 1 - *n;
  r->at = begin + length + !bare;
  return true;
}

/* The next word, without quotes; an empty one at the end. */
static bool take_word(reader_t *r, char word[WORD]) {
  size_t n = 0;
  char quote = 0;
  skip_blanks(r);
  while (*r->at && (quote || !isspace((unsigned char)*r->at))) {
    const char c = *r->at;
    const bool escapes = c == '\\' && r->at[1] && r->at[1] != '\n' && r->at[1] != '\r';
    if (!quote && ((c == '\\' && !escapes) || (strncmp(r->at, "//", 2) == 0 && n && word[n - 1] != ':'))) break;
    if (c == '"' || (c == quote && quote)) {
      quote = quote ? 0 : c;
      r->at++;
    } else if (c == '$' && r->at[1] && (isalpha((unsigned char)r->at[1]) || strchr("_{(", r->at[1]))) {
      if (!take_variable(r, word, &n)) return false;
    } else {
      r->at += escapes;
      if (n + 1 < WORD) word[n++] = *r->at;
      skip(r, 1);
    }
  }
  word[n] = 0;
  return true;
}

/* ---- paths */

static bool is_there(const char *path) {
  return access(path, F_OK) == 0;
}

static bool are_same(const char *a, const char *b) {
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* The path that a word means. False: two files or folders could be meant, or none. */
static bool find_path(reader_t *r, const char *word, const char *what, char path[LIST_PATH]) {
  char beside[LIST_PATH], here[LIST_PATH - 1024] = "";
  const int folder = (int)(strrchr(r->path, '/') - r->path);
  snprintf(beside, sizeof beside, "%.*s/%s", *word == '/' ? 0 : folder, r->path, *word == '/' ? word + 1 : word);
  snprintf(path, LIST_PATH, "%s", r->beside ? beside : word);
  if (!is_there(path) && !is_there(beside)) {
    if (*word != '/' && !r->beside && getcwd(here, sizeof here))
      return trouble_set(r->trouble, TROUBLE_INPUT,
                         "%s:%u: no %s %s, neither in the working folder %s nor beside the list", r->path, r->line,
                         what, word, here);
    return trouble_set(r->trouble, TROUBLE_INPUT, "%s:%u: no %s %s", r->path, r->line, what, path);
  }
  if (is_there(path) && is_there(beside) && !are_same(path, beside))
    return trouble_set(r->trouble, TROUBLE_INPUT,
                       "%s:%u: %s is there twice, in the working folder and beside the list (%s); run the command in "
                       "the list's folder",
                       r->path, r->line, word, beside);
  if (!is_there(path)) snprintf(path, LIST_PATH, "%s", beside);
  return true;
}

static bool add_file(reader_t *r, const char *word, bool spare) {
  char path[LIST_PATH], place[LIST_PATH];
  snprintf(place, sizeof place, "%.4000s:%u", r->path, r->line);
  if (!find_path(r, word, "file", path)) return false;
  if (!spare) return file_list_add(r->list, place, path, r->trouble);
  char *real = realpath(path, NULL);
  if (real) words_add_new(&r->list->spare, real);
  free(real);
  return true;
}

/* Folders that are not there hold nothing: tools warn at most. */
static bool add_folder(reader_t *r, const char *word, words_t *folders) {
  char path[LIST_PATH], place[LIST_PATH];
  trouble_t none = {0};
  snprintf(place, sizeof place, "%.4000s:%u", r->path, r->line);
  trouble_t *const kept = r->trouble;
  r->trouble = &none;
  const bool found = find_path(r, word, "folder", path);
  r->trouble = kept;
  if (!found && strstr(none.text, "twice")) return *r->trouble = none, false;
  if (!found) return words_add(&r->list->left_out, "%s: %s: no such folder", place, word), true;
  return file_list_add_folder(folders, place, path, r->trouble);
}

/* ---- options */

/* +incdir+A+B and +define+A=1+B. */
static bool add_each(reader_t *r, const char *text, bool folders) {
  char part[WORD];
  for (bool ok = true; ok && *text; text += strspn(text, "+")) {
    const size_t n = strcspn(text, "+");
    snprintf(part, sizeof part, "%.*s", (int)n, text);
    if (folders) ok = add_folder(r, part, &r->list->includes);
    else words_add_new(&r->list->defines, part);
    if (!ok) return false;
    text += n;
  }
  return true;
}

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* The word behind an option. */
static bool take_argument(reader_t *r, const char *option, char word[WORD]) {
  *word = 0;
  if (!take_word(r, word)) return false;
  return *word || wrong(r, option, "its argument is missing");
}

typedef enum { WITH_NOTHING, WITH_FOLDER, WITH_SPARE, WITH_LIST, WITH_LIST_BESIDE, WITH_INCLUDE, WITH_IGNORED } with_t;

/* Options whose argument is a word of its own. */
static with_t argument_of(const char *option) {
  static const struct {
    const char *option;
    with_t with;
  } all[] = {{"-y", WITH_FOLDER},
             {"-v", WITH_SPARE},
             {"-f", WITH_LIST},
             {"-c", WITH_LIST},
             {"-F", WITH_LIST_BESIDE},
             {"-I", WITH_INCLUDE},
             {"--top-module", WITH_IGNORED},
             {"-top-module", WITH_IGNORED},
             {"--top", WITH_IGNORED},
             {"-top", WITH_IGNORED},
             {"-s", WITH_IGNORED},
             {"-o", WITH_IGNORED},
             {"--Mdir", WITH_IGNORED},
             {"-Mdir", WITH_IGNORED},
             {"--prefix", WITH_IGNORED},
             {"--threads", WITH_IGNORED},
             {"-j", WITH_IGNORED},
             {"-l", WITH_IGNORED},
             {"--timescale", WITH_IGNORED},
             {"-CFLAGS", WITH_IGNORED},
             {"-LDFLAGS", WITH_IGNORED},
             {"--language", WITH_IGNORED},
             {"--default-language", WITH_IGNORED}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(option, all[i].option) == 0) return all[i].with;
  return WITH_NOTHING;
}

static bool leave_out(reader_t *r, const char *word, const char *why) {
  words_add(&r->list->left_out, "%s:%u: %s: %s", r->path, r->line, word, why);
  return true;
}

static bool read_nested(reader_t *r, const char *word, bool beside) {
  char path[LIST_PATH];
  if (r->depth == DEPTH) return wrong(r, word, "lists name each other in a circle");
  if (!find_path(r, word, "file", path)) return false;
  char *real = realpath(path, NULL);
  const bool ok = real ? read_list(real, beside, r->depth + 1, r->list, r->trouble) : wrong(r, word, strerror(errno));
  free(real);
  return ok;
}

static bool take_with(reader_t *r, const char *option, with_t with) {
  char word[WORD] = "";
  if (!take_argument(r, option, word)) return false;
  switch (with) {
  case WITH_FOLDER: return add_folder(r, word, &r->list->libraries);
  case WITH_INCLUDE: return add_folder(r, word, &r->list->includes);
  case WITH_SPARE: return add_file(r, word, true);
  case WITH_LIST:
  case WITH_LIST_BESIDE: return read_nested(r, word, with == WITH_LIST_BESIDE);
  default: return leave_out(r, option, "says nothing about sources");
  }
}

static bool take_option(reader_t *r, const char *word) {
  const with_t with = argument_of(word);
  if (with != WITH_NOTHING) return take_with(r, word, with);
  if (begins(word, "+incdir+")) return add_each(r, word + 8, true);
  if (begins(word, "+define+")) return add_each(r, word + 8, false);
  if (begins(word, "-D")) return words_add_new(&r->list->defines, word + 2), true;
  if (begins(word, "-I")) return add_folder(r, word + 2, &r->list->includes);
  if (begins(word, "-G") || begins(word, "-pvalue+"))
    return wrong(r, word, "a parameter of the module: --set NAME=VALUE would be right");
  if (begins(word, "-W")) return words_add_new(&r->list->flags, word), true;
  return leave_out(r, word, "says nothing about sources");
}

static bool read_words(reader_t *r) {
  char word[WORD] = "";
  for (bool ok = true;;) {
    *word = 0;
    if (!take_word(r, word)) return false;
    if (!*word) return true;
    ok = *word == '-' || *word == '+' ? take_option(r, word) : add_file(r, word, false);
    if (!ok) return false;
  }
}

static bool read_list(const char *path, bool beside, unsigned depth, file_list_t *list, trouble_t *trouble) {
  char *text = file_read(path);
  if (!text) return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno));
  reader_t r = {
      .list = list, .path = path, .beside = beside, .depth = depth, .line = 1, .at = text, .trouble = trouble};
  words_add_new(&list->read, path);
  const bool ok = read_words(&r);
  free(text);
  return ok;
}

bool list_f_read(const char *path, file_list_t *list, trouble_t *trouble) {
  return read_list(path, false, 0, list, trouble);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "file_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *base_name(const char *path) {
  return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

static const char *ending_of(const char *path) {
  const char *dot = strrchr(base_name(path), '.');
  return dot ? dot : "";
}

bool file_list_is(const char *path) {
  const char *ending = ending_of(path);
  return strcmp(base_name(path), "Bender.yml") == 0 || strcmp(ending, ".core") == 0 || strcmp(ending, ".f") == 0;
}

bool file_list_read(const char *path, const words_t *targets, file_list_t *list, trouble_t *trouble) {
  if (strcmp(base_name(path), "Bender.yml") == 0) return list_bender_read(path, targets, list, trouble);
  if (strcmp(ending_of(path), ".core") == 0) return list_core_read(path, targets, list, trouble);
  if (targets->count)
    return trouble_set(trouble, TROUBLE_INPUT, "--target %s: goes with a .core or a Bender.yml, not with %s",
                       targets->at[0], path);
  return list_f_read(path, list, trouble);
}

void file_list_free(file_list_t *list) {
  words_t *const all[] = {&list->files, &list->spare,    &list->libraries, &list->includes, &list->defines,
                          &list->flags, &list->left_out, &list->absent,    &list->read,     &list->vhdl};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) words_free(all[i]);
}

static bool is_among(const char *word, const char *const *words) {
  for (; *words; words++)
    if (strcmp(word, *words) == 0) return true;
  return false;
}

bool file_list_add_folder(words_t *folders, const char *place, const char *path, trouble_t *trouble) {
  char *real = realpath(path, NULL);
  struct stat info;
  const bool ok = real && stat(real, &info) == 0 && S_ISDIR(info.st_mode);
  if (ok) words_add_new(folders, real);
  else trouble_set(trouble, TROUBLE_INPUT, "%s: no folder %s", place, path);
  free(real);
  return ok;
}

void file_list_add_vhdl(file_list_t *list, const char *path) {
  char *real = realpath(path, NULL);
  if (real) words_add_new(&list->vhdl, real);
  free(real);
}

bool file_list_add(file_list_t *list, const char *place, const char *path, trouble_t *trouble) {
  static const char *const sources[] = {".v", ".sv", NULL}, *const headers[] = {".svh", ".vh",  ".svi",
                                                                                ".h",   ".inc", NULL},
                           *const vhdl[] = {".vhd", ".vhdl", NULL};
  char *real = realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;
  struct stat info;
  if (!real || access(real, R_OK) || stat(real, &info) || !S_ISREG(info.st_mode)) {
    free(real);
    return trouble_set(trouble, TROUBLE_INPUT, "%s: no file %s", place, path);
  }
  if (is_among(ending_of(path), vhdl)) file_list_add_vhdl(list, path);
  if (is_among(ending_of(path), sources)) words_add_new(&list->files, real);
  else if (!is_among(ending_of(path), headers))
    words_add(&list->left_out, "%s: %s: no Verilog by its name", place, base_name(path));
  else *slash = 0, words_add_new(&list->includes, real);
  free(real);
  return true;
}

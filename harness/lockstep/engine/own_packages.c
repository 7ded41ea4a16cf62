/* SPDX-License-Identifier: Apache-2.0
 *
 * Simulators look for a module in a file of its name, but want packages in order before their
 * users. A package in a file of its name is found here as a module is, and put before the files.
 */
#include "own.h"

#include "file.h"
#include "rtl_units.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over BUILD_PATH fail when they are opened */

typedef struct {
  const rtl_t *rtl;
  words_t macros;
  words_t packages, modules; /* that the files declare */
  words_t named;             /* "p NAME" and "m NAME", in the order of the text */
  words_t made;              /* files of packages, each behind what it needs */
} search_t;

static void see(void *context, unit_t kind, const char *name, unsigned line) {
  search_t *s = context;
  (void)line;
  if (kind == UNIT_PACKAGE) words_add_new(&s->packages, name);
  else if (kind == UNIT_MODULE) words_add_new(&s->modules, name);
  else if (kind != UNIT_INCLUDES) {
    char word[512];
    snprintf(word, sizeof word, "%c %.500s", kind == UNIT_NAMES_PACKAGE ? 'p' : 'm', name);
    words_add_new(&s->named, word);
  }
}

/* The file NAME.sv or NAME.v of the first library that declares it. */
static bool find_file(const search_t *s, const char *kind, const char *name, char path[BUILD_PATH]) {
  static const char *const endings[] = {"v", "sv"};
  char folder[BUILD_PATH];
  for (const char *at = s->rtl->libraries; rtl_next(&at, folder, sizeof folder);)
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
      snprintf(path, BUILD_PATH, "%s/%.200s.%s", folder, name, endings[i]);
      if (access(path, R_OK) == 0 && rtl_file_has(path, kind, name)) return true;
    }
  return false;
}

static void find_named(search_t *s, const words_t *named);

/* Goes on in what a file of a library names. */
static void follow(search_t *s, const char *path) {
  words_t before = s->named;
  s->named = (words_t){0};
  rtl_units_read(path, &s->macros, see, s);
  words_t named = s->named;
  s->named = before;
  find_named(s, &named);
  words_free(&named);
}

static void find_named(search_t *s, const words_t *named) {
  char path[BUILD_PATH];
  for (size_t i = 0; i < named->count; i++) {
    const char *name = named->at[i] + 2;
    const bool package = *named->at[i] == 'p';
    /* noted first: two packages may name each other */
    if (!words_add_new(package ? &s->packages : &s->modules, name)) continue;
    if (!find_file(s, package ? "package" : "module", name, path)) continue;
    follow(s, path);
    if (package) words_add_new(&s->made, path);
  }
}

bool own_packages(rtl_t *rtl) {
  char path[BUILD_PATH], files[RTL_LIST] = "";
  search_t s = {.rtl = rtl};
  words_t defines = {0};
  bool ok = true;
  words_split(&defines, rtl->defines, "\n");
  for (size_t i = 0; i < defines.count; i++)
    words_add(&s.macros, "%.*s", (int)strcspn(defines.at[i], "="), defines.at[i]);
  words_add(&s.macros, "VERILATOR");
  for (const char *at = rtl->files; rtl_next(&at, path, sizeof path);) rtl_units_read(path, &s.macros, see, &s);
  words_t named = s.named;
  s.named = (words_t){0};
  find_named(&s, &named);
  for (size_t i = 0; ok && i < s.made.count; i++)
    ok = rtl_has(rtl->files, s.made.at[i]) || rtl_add(files, s.made.at[i]);
  for (const char *at = rtl->files; ok && *files && rtl_next(&at, path, sizeof path);) ok = rtl_add(files, path);
  if (ok && *files) snprintf(rtl->files, sizeof rtl->files, "%s", files);
  words_free(&named), words_free(&defines), words_free(&s.macros), words_free(&s.packages), words_free(&s.modules);
  words_free(&s.named), words_free(&s.made);
  return ok;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rtl.h"

#include "file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool rtl_next(const char **list, char *word, size_t size) {
  const size_t n = strcspn(*list, "\n");
  if (!**list) return false;
  snprintf(word, size, "%.*s", (int)n, *list);
  *list += n + ((*list)[n] == '\n');
  return true;
}

bool rtl_add(char list[RTL_LIST], const char *word) {
  const size_t n = strlen(list);
  if (!*word || strchr(word, '\n') || n + strlen(word) + 2 > RTL_LIST) return false;
  snprintf(list + n, RTL_LIST - n, "%s%s", n ? "\n" : "", word);
  return true;
}

bool rtl_has(const char *list, const char *word) {
  char one[RTL_LIST];
  while (rtl_next(&list, one, sizeof one))
    if (strcmp(one, word) == 0) return true;
  return false;
}

/* The RTL's name in a list of "NAME HERE=NAME IN THE RTL"; the same name if the list has none. */
static void named(const char *at, const char *name, size_t length, char *to, size_t size) {
  char one[RTL_LIST];
  snprintf(to, size, "%.*s", (int)length, name);
  while (rtl_next(&at, one, sizeof one))
    if (strncmp(one, name, length) == 0 && one[length] == '=') snprintf(to, size, "%s", one + length + 1);
}

bool rtl_named_params(const rtl_t *rtl, const char *params, char *to, size_t size) {
  char name[1024];
  size_t n = 0;
  *to = 0;
  while (*params && n < size) {
    const size_t length = strcspn(params, "="), whole = strcspn(params, ",");
    named(rtl->params, params, length, name, sizeof name);
    n += (size_t)snprintf(to + n, size - n, "%s%s%.*s", n ? "," : "", name, (int)(whole - length), params + length);
    params += whole + (params[whole] == ',');
  }
  return n < size;
}

void rtl_named_clock(const rtl_t *rtl, const char *name, char *to, size_t size) {
  named(rtl->pins, name, strlen(name), to, size);
}

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* The position behind a comment that begins here; p itself if there is none. */
static const char *skip_comment(const char *p) {
  if (p[0] == '/' && p[1] == '/') return p + strcspn(p, "\n");
  const char *end = p[0] == '/' && p[1] == '*' ? strstr(p + 2, "*/") : NULL;
  return end ? end + 2 : p;
}

/* Looks at each word before a `=`; the last `parameter` or `localparam` before the word decides. */
bool rtl_declares(const char *text, const char *parameter) {
  const size_t length = strlen(parameter);
  bool declares = false;
  for (const char *p = text, *after; *p; p = after) {
    if ((after = skip_comment(p)) != p) continue;
    while (is_word(*after)) after++;
    const size_t n = (size_t)(after - p);
    if (n == 9 && strncmp(p, "parameter", n) == 0) declares = true;
    else if (n == 10 && strncmp(p, "localparam", n) == 0) declares = false;
    const char *next = after + strspn(after, " \t\r\n");
    if (declares && n == length && strncmp(p, parameter, n) == 0 && next[0] == '=' && next[1] != '=') return true;
    if (*p == ';') declares = false;
    if (!n) after++;
  }
  return false;
}

static bool is_word_at(const char *p, size_t n, const char *word) {
  return n == strlen(word) && strncmp(p, word, n) == 0;
}

bool rtl_file_has(const char *path, const char *kind, const char *name) {
  char *text = file_read(path);
  bool after = false, found = false;
  for (const char *p = text ? text : "", *next; *p && !found; p = next) {
    if ((next = skip_comment(p)) != p) continue;
    while (is_word(*next)) next++;
    const size_t n = (size_t)(next - p);
    if (is_word_at(p, n, "automatic") || is_word_at(p, n, "static")) continue;
    if (n) found = after && is_word_at(p, n, name), after = is_word_at(p, n, kind);
    else if (*p == '"') next = p + 1 + strcspn(p + 1, "\"\n"), next += *next != 0;
    else next = p + 1;
  }
  free(text);
  return found;
}

bool rtl_has_package(const rtl_t *rtl, const char *name) {
  char path[4096];
  for (const char *at = rtl->files; rtl_next(&at, path, sizeof path);)
    if (rtl_file_has(path, "package", name)) return true;
  return false;
}

bool rtl_finds(const rtl_t *rtl, const char *module, const char *but) {
  static const char *const endings[] = {"v", "sv"};
  char path[4096], file[4096 + 256];
  for (const char *at = rtl->files; rtl_next(&at, path, sizeof path);)
    if (strcmp(path, but) && rtl_file_has(path, "module", module)) return true;
  for (const char *at = rtl->libraries; rtl_next(&at, path, sizeof path);)
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
      snprintf(file, sizeof file, "%s/%.200s.%s", path, module, endings[i]);
      if (strcmp(file, but) && access(file, R_OK) == 0) return true;
    }
  return false;
}

/* The source line that the error "PATH:LINE..." is about. */
static bool source_line_of(const char *error, char *line, size_t size) {
  const char *colon = error;
  char path[4096];
  do colon = strchr(colon + 1, ':');
  while (colon && strspn(colon + 1, "0123456789") == 0);
  if (!colon) return false;
  snprintf(path, sizeof path, "%.*s", (int)(colon - error), error);
  long number = strtol(colon + 1, NULL, 10);
  FILE *file = fopen(path, "r");
  bool found = false;
  while (file && number > 0 && (found = fgets(line, (int)size, file))) number--;
  if (file) fclose(file);
  return found && number == 0;
}

const char *rtl_advice(const char *error, rtl_tool_t tool) {
  static const char *const concurrent[] = {"property", "sequence", "endsequence", "##", "|->", "|=>", "covergroup"};
  char line[1024];
  if (strstr(error, "undefined reference to `"))
    return "; where that is an import \"DPI-C\", a function in SystemVerilog would be right: no device has C of the "
           "RTL's own";
  if (strstr(error, "--timing"))
    return "; what waits for time or events is a testbench's: put it between `ifdef TESTBENCH and `endif";
  if (strstr(error, "Interfaced port on top level module"))
    return "; a modport says which of its signals are inputs: bus_if.slave s in the place of bus_if s would be right";
  if (!source_line_of(error, line, sizeof line)) return "";
  for (size_t i = 0; i < sizeof concurrent / sizeof *concurrent; i++)
    if (strstr(line, concurrent[i]))
      return tool == RTL_OTHER
                 ? "; Yosys and Icarus read no concurrent assertions: put them between `ifdef VERILATOR and `endif"
                 : "; this Verilator does not read this concurrent assertion: put it between `ifdef SVA and `endif, "
                   "or write an immediate assert";
  return "";
}

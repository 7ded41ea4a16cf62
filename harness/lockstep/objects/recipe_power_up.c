/* SPDX-License-Identifier: Apache-2.0
 *
 * Names the variable of each statement in which Verilator's C++ draws what the block begins with
 * (--x-initial unique, --x-assign unique). power_up.h says why, and has the class:
 *
 *   vlSelf->q = VL_RAND_RESET_I(8);
 *   { const lockstack::power_up drawn{vlSelf, "q"};
 *     vlSelf->q = VL_RAND_RESET_I(8);
 *   }
 *
 * A statement of a function begins with four blanks. It goes on in lines with more of them, and to
 * a line with its closing brace.
 */
#include "recipe.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char draws[] = "VL_RAND_RESET";

static const char *next_line(const char *line) {
  const char *end = strchr(line, '\n');
  return end ? end + 1 : line + strlen(line);
}

static bool is_statement(const char *line) {
  return strncmp(line, "    ", 4) == 0 && line[4] != ' ' && line[4] != '}' && line[4] != '\n';
}

static bool goes_on(const char *line) {
  return *line == '\n' || strncmp(line, "     ", 5) == 0 || strncmp(line, "    }", 5) == 0;
}

/* The variable of the block that the statement gives a value; else its first word. */
static const char *variable_of(const char *statement, const char *end, size_t *length) {
  static const char *const of[] = {"vlSelf->", "vlSelfRef."};
  const char *name = statement + strspn(statement, " ");
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    const char *found = memmem(statement, (size_t)(end - statement), of[i], strlen(of[i]));
    if (found) name = found + strlen(of[i]);
  }
  for (*length = 0; isalnum((unsigned char)name[*length]) || name[*length] == '_';) ++*length;
  return name;
}

static void write_statement(FILE *to, const char *statement, const char *end) {
  size_t length;
  const bool draw = memmem(statement, (size_t)(end - statement), draws, sizeof draws - 1);
  const char *name = variable_of(statement, end, &length);
  if (draw) fprintf(to, "    { const lockstack::power_up drawn{vlSelf, \"%.*s\"};\n", (int)length, name);
  fwrite(statement, 1, (size_t)(end - statement), to);
  if (draw) fputs("    }\n", to);
}

/* The header comes behind Verilator's own, which may be compiled already. */
static void write_named(FILE *to, const char *text, const char *header) {
  const char *last = text;
  for (const char *line = text; *line; line = next_line(line))
    if (strncmp(line, "#include ", 9) == 0) last = next_line(line);
  fwrite(text, 1, (size_t)(last - text), to);
  fprintf(to, "#include \"%s%s\"\n", *header == '/' ? "" : "../", header);
  for (const char *line = last, *end; *line; line = end) {
    end = next_line(line);
    if (!is_statement(line)) {
      fwrite(line, 1, (size_t)(end - line), to);
      continue;
    }
    while (*end && goes_on(end)) end = next_line(end);
    write_statement(to, line, end);
  }
}

static bool name_in(recipe_t *r, const char *path, const char *header) {
  char *text = recipe_read(r, path), *named = NULL;
  size_t size = 0;
  if (!text) return false;
  FILE *to = strstr(text, draws) ? open_memstream(&named, &size) : NULL;
  if (to) write_named(to, text, header), fclose(to);
  const bool ok = !to || (named && recipe_write(r, path, named));
  free(text), free(named);
  return ok;
}

bool recipe_power_up(recipe_t *r) {
  const char *header = recipe_copy(r, recipe_text(r, "%s/harness/lockstep/dut/power_up.h", r->ask->tree));
  const char *files = recipe_text(r, "%s/verilated/Vdut_%s*__Slow.cpp", r->work, r->ask->block);
  glob_t found;
  bool ok = true;
  if (r->gates || glob(files, 0, NULL, &found)) return true; /* gates begin as 0 */
  for (size_t i = 0; ok && i < found.gl_pathc; i++) ok = name_in(r, found.gl_pathv[i], header);
  globfree(&found);
  return ok;
}

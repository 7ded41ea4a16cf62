/* SPDX-License-Identifier: Apache-2.0 */
#include "object_request.h"

#include "cells.h"
#include "plain.h"
#include "recipe.h"
#include "surroundings.h"
#include "vhdl.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

/* Adds " name=text" with @ in place of the tree's path, so requests are the same in
 * every checkout. */
static void add_text(FILE *to, const char *name, const char *text, const char *tree) {
  const size_t n = strlen(tree);
  fprintf(to, " %s=", name);
  for (; text && *text; text++) {
    if (strncmp(text, tree, n) == 0 && (text[n] == '/' || !text[n])) putc('@', to), text += n - 1;
    else putc(*text == '\n' ? ';' : *text, to);
  }
}

static void add_program(FILE *to, const char *program) {
  char path[RECIPE_PATH], real[PATH_MAX];
  fprintf(to, " %s=%s", program, surroundings_find(program, path) ? realpath(path, real) ? real : path : "");
}

/* Adds the programs that the PATH leads to, and the variables that are set. Another program of the
 * same name is another tool. */
static void add_surroundings(FILE *to, const char *tree) {
  for (const surrounding_t *s = surroundings; s->tool; s++)
    for (const char *const *name = s->names; s->builds && *name; name++) {
      const char *program = surroundings_program(*name), *value = program ? NULL : getenv(*name + 1);
      if (program) add_program(to, program);
      else if (value) add_text(to, *name + 1, value, tree);
    }
}

/* Adds the cells. A library's name may mean the tree's file or the user's. If neither is right, the
 * error becomes part of the line, and the step that reads the cells reports it. */
static void add_cells(FILE *to, const object_request_t *ask) {
  char path[PLAIN_PATH];
  trouble_t trouble;
  if (!ask->cells || !*ask->cells) return;
  add_text(to, "cells", ask->cells, ask->tree);
  if (cells_is_name(ask->cells))
    add_text(to, "library", cells_find(ask->tree, ask->cells, path, &trouble) ? path : trouble.text, ask->tree);
}

char *object_request_line(const object_request_t *ask) {
  char *text = NULL;
  size_t size = 0;
  FILE *to = open_memstream(&text, &size);
  if (!to) return NULL;
  const char *const words[][2] = {{"block", ask->block},     {"kind", ask->kind},     {"params", ask->params},
                                  {"folder", ask->folder},   {"rtl", ask->rtl},       {"ports", ask->ports},
                                  {"model", ask->model},     {"stim", ask->stim},     {"map", ask->map},
                                  {"instead", ask->instead}, {"beside", ask->beside}, {"cflags", ask->cflags}};
  /* Raise this number when a build checks more than before: objects of the same files are then
   * judged again. */
  fputs("request 2", to);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) add_text(to, words[i][0], words[i][1], ask->tree);
  if (strcmp(ask->kind, "rtl+wave") == 0) fputs(" registers=1", to); /* older objects have none */
  add_cells(to, ask);
  if (ask->read && *ask->folder) {
    const rtl_t *read = ask->read;
    const char *const lists[][2] = {{"files", read->files},       {"libraries", read->libraries},
                                    {"includes", read->includes}, {"defines", read->defines},
                                    {"flags", read->flags},       {"pins", read->pins},
                                    {"parameters", read->params}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists - !*read->params; i++)
      add_text(to, lists[i][0], lists[i][1], ask->tree);
    fprintf(to, " bare=%d verilog=%d", read->bare, read->verilog);
    if (vhdl_is(read)) add_program(to, "ghdl");
  }
  add_surroundings(to, ask->tree);
  fclose(to);
  return text;
}

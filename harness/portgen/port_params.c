/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the port file twice, with and without the settings; the second reading has the defaults to
 * compare with.
 */
#include "port_params.h"
#include "port_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTINGS_MOST = 512 };

typedef struct {
  const char *words[SETTINGS_MOST];
  unsigned count;
  char *text;
} settings_t;

/* Splits "Depth=4,Width=8" at commas and blanks. */
static bool split_settings(settings_t *s, const char *text) {
  char *rest;
  s->text = strdup(text);
  for (char *w = s->text ? strtok_r(s->text, ", ", &rest) : NULL; w; w = strtok_r(NULL, ", ", &rest)) {
    if (s->count == SETTINGS_MOST) return false;
    s->words[s->count++] = w;
  }
  return s->text;
}

/* Appends "NAME=VALUE" of a parameter, if it is wanted and its value differs from `own`. */
static bool add_param(const port_entry_t *e, const port_entry_t *own, port_params_t which, char *text, size_t size) {
  const size_t length = strlen(text);
  if (port_entry_is(e, "PARAM_TEXT") && (which == PORT_PARAMS_ALL || strcmp(e->number, own->number))) {
    const bool quotes = which == PORT_PARAMS_ALL; /* as tools have it */
    return snprintf(text + length, size - length, "%s%s=%.*s", length ? "," : "", e->args[0],
                    (int)strlen(e->word) - 2 * !quotes, e->word + !quotes) < (int)(size - length);
  }
  if (!port_entry_is(e, "PARAM") || (which == PORT_PARAMS_CHANGED && strcmp(e->number, own->number) == 0)) return true;
  return snprintf(text + length, size - length, "%s%s=%s", length ? "," : "", e->args[0], e->number) <
         (int)(size - length);
}

/* Both files have the same entries: settings are values alone. */
static bool print_params(const port_file_t *file, const port_file_t *own, port_params_t which, char *text,
                         size_t size) {
  bool ok = true;
  *text = 0;
  for (unsigned i = 0; ok && i < file->text.num_entries; i++)
    ok = add_param(&file->text.entries[i], &own->text.entries[i], which, text, size);
  return ok;
}

bool port_params(const char *root, const char *ports, const char *settings, port_params_t which, char *text,
                 size_t size, trouble_t *trouble) {
  settings_t s = {.count = 0};
  port_tree_t tree;
  port_file_t file = {0}, own = {0};
  bool ok = port_tree_read(&tree, root, trouble);
  if (ok && !split_settings(&s, settings)) ok = trouble_set(trouble, TROUBLE_INPUT, "%s: too many settings", ports);
  ok = ok && port_file_read(&own, &tree, ports, NULL, 0, trouble) &&
       port_file_read(&file, &tree, ports, s.words, s.count, trouble);
  if (ok && !print_params(&file, &own, which, text, size))
    ok = trouble_set(trouble, TROUBLE_INPUT, "%s: too many parameters", ports);
  port_file_free(&file), port_file_free(&own), port_tree_free(&tree);
  free(s.text);
  return ok;
}

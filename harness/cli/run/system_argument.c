/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the file of a system. A word with a slash, or that ends in .yaml, is a file unless the tree
 * has a system of this name.
 */
#include "system_argument.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "names.h"

static const char *const systems[] = {
#define SYSTEM(name, ...) name,
#include "lists.def"
    NULL,
};

const char *system_folder(void) {
  return cli_data("harness/systems/configs");
}

/* Does it look like a file: a slash in it, or .yaml behind it? */
static bool is_file(const char *text) {
  const char *dot = strrchr(text, '.');
  return strchr(text, '/') || (dot && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml")));
}

int system_argument(const char *text, composition_t *c) {
  char path[COMPOSITION_PATH];
  trouble_t trouble = {0};
  const char *const *name = systems;
  while (*name && strcmp(*name, text) != 0) name++;
  if (*name) snprintf(path, sizeof path, "%s/%s.yaml", system_folder(), text);
  else if (is_file(text)) snprintf(path, sizeof path, "%s", text);
  else
    return cli_error(EXIT_BAD,
                     "unknown system '%s'; `lockstack list systems` names them, and a FILE.yaml is one, too%s", text,
                     names_nearest("systems", text));
  if (strlen(text) >= sizeof path) return cli_error(EXIT_BAD, "no file's name is as long as '%.60s...'", text);
  return composition_load(c, path, &trouble) ? 0 : cli_trouble(&trouble);
}

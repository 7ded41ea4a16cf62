/* SPDX-License-Identifier: Apache-2.0 */
#include "port_file.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

port_view_t port_family_view(const port_tree_t *tree, const port_family_t *family) {
  port_view_t view = {.texts = {&family->lists}, .num_texts = 1, .block = "", .stem = "", .ports = ""};
  for (unsigned i = 0; i < tree->num_families; i++) view.names[view.num_names++] = &tree->families[i].names;
  return view;
}

/* Expands gen/X_names.in over the family's lists; the result is a list again. */
static bool read_names(port_tree_t *tree, port_family_t *family, trouble_t *trouble) {
  const port_view_t view = {.texts = {&family->lists}, .num_texts = 1, .block = "", .stem = "", .ports = ""};
  const char *path = port_format(&tree->arena, "%s/harness/portgen/gen/%s_names.in", tree->root, family->name);
  port_buffer_t made = {0};
  if (access(path, R_OK)) return true;
  port_add(&made, "", 0);
  bool ok = port_template(path, &view, &made, trouble);
  const char *text = port_keep(&tree->arena, &made);
  if (!ok || port_text_parse(&family->names, path, text, true)) return ok;
  *trouble = family->names.trouble;
  return false;
}

/* The family of rtl/X/Y.def, made when it is new; NULL: too many. */
static port_family_t *family_of(port_tree_t *tree, const char *path) {
  const char *end = strrchr(path, '/'), *begin = end;
  while (begin > path && begin[-1] != '/') begin--;
  const char *name = port_copy(&tree->arena, begin, (size_t)(end - begin));
  for (unsigned i = 0; i < tree->num_families; i++)
    if (strcmp(tree->families[i].name, name) == 0) return &tree->families[i];
  if (tree->num_families == PORT_TEXTS - 1) return NULL;
  port_family_t *family = &tree->families[tree->num_families++];
  family->name = name;
  return family;
}

/* Reads a list into its family. */
static bool read_list(port_tree_t *tree, const char *path, trouble_t *trouble) {
  port_family_t *family = family_of(tree, path);
  if (!family) return trouble_set(trouble, TROUBLE_INPUT, "%s: more than %d folders have lists", path, PORT_TEXTS - 1);
  if (port_text_read(&family->lists, path, true)) return true;
  *trouble = family->lists.trouble;
  return false;
}

/* Reads all lists, then makes the names of each family, which may use other families' lists. */
bool port_tree_read(port_tree_t *tree, const char *root, trouble_t *trouble) {
  glob_t found;
  bool ok = true;
  *tree = (port_tree_t){0};
  tree->root = port_copy(&tree->arena, root, strlen(root));
  const char *pattern = port_format(&tree->arena, "%s/rtl/*/*.def", root);
  if (glob(pattern, 0, NULL, &found) == 0) {
    for (size_t i = 0; ok && i < found.gl_pathc; i++) ok = read_list(tree, found.gl_pathv[i], trouble);
    globfree(&found);
  }
  for (unsigned i = 0; ok && i < tree->num_families; i++) ok = read_names(tree, &tree->families[i], trouble);
  return ok;
}

void port_tree_free(port_tree_t *tree) {
  for (unsigned i = 0; i < tree->num_families; i++) {
    port_text_free(&tree->families[i].lists);
    port_text_free(&tree->families[i].names);
  }
  port_release(&tree->arena);
}

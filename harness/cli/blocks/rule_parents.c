/* SPDX-License-Identifier: Apache-2.0
 *
 * An instance is the module's name at a line's beginning, then its parameters or its own name.
 */
#include "rule_parents.h"

#include "file.h"

#include <glob.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds the stem of .../X.sv, if there is room. */
static void add_stem(const char *path, char list[RULE_PARENTS]) {
  const char *stem = strrchr(path, '/') + 1;
  const size_t used = strlen(list);
  snprintf(list + used, RULE_PARENTS - used, "%s%.*s", used ? " " : "", (int)strcspn(stem, "."), stem);
}

bool rule_parents(const char *rtl, const char *block, char list[RULE_PARENTS], trouble_t *trouble) {
  char pattern[4300], instance[256];
  regex_t expression;
  glob_t found;
  snprintf(list, RULE_PARENTS, "%.100s", block);
  snprintf(pattern, sizeof pattern, "%.4000s/*/%.100s.sv", rtl, block);
  if (glob(pattern, 0, NULL, &found)) return true;
  snprintf(pattern, sizeof pattern, "%.*s/*.sv", (int)(strrchr(found.gl_pathv[0], '/') - found.gl_pathv[0]),
           found.gl_pathv[0]);
  globfree(&found);
  snprintf(instance, sizeof instance, "^ *%.100s +(#\\(|[a-z_0-9]+ *\\()", block);
  if (regcomp(&expression, instance, REG_EXTENDED | REG_NEWLINE | REG_NOSUB))
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "out of memory");
  if (glob(pattern, 0, NULL, &found)) found.gl_pathc = 0;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    char *text = file_read(found.gl_pathv[i]);
    if (text && !regexec(&expression, text, 0, NULL, 0)) add_stem(found.gl_pathv[i], list);
    free(text);
  }
  if (found.gl_pathc) globfree(&found);
  regfree(&expression);
  return true;
}

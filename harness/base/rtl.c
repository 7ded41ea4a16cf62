/* SPDX-License-Identifier: Apache-2.0 */
#include "rtl.h"

#include <stdio.h>
#include <string.h>

bool rtl_next(const char **list, char *word, size_t size) {
  const size_t n = strcspn(*list, ";");
  if (!**list) return false;
  snprintf(word, size, "%.*s", (int)n, *list);
  *list += n + ((*list)[n] == ';');
  return true;
}

bool rtl_add(char list[RTL_LIST], const char *word) {
  const size_t n = strlen(list);
  if (!*word || strchr(word, ';') || n + strlen(word) + 2 > RTL_LIST) return false;
  snprintf(list + n, RTL_LIST - n, "%s%s", n ? ";" : "", word);
  return true;
}

bool rtl_has(const char *list, const char *word) {
  char one[RTL_LIST];
  while (rtl_next(&list, one, sizeof one))
    if (strcmp(one, word) == 0) return true;
  return false;
}

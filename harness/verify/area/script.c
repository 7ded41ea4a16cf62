/* SPDX-License-Identifier: Apache-2.0
 *
 * A template's text goes through unchanged but for its places. A value may be empty.
 */
#include "script.h"

#include <string.h>

/* The value of a name that need not end in 0. NULL: unknown. */
static const char *find_script_word(const script_word_t *words, const char *name, size_t length) {
  for (; words->name; words++)
    if (strlen(words->name) == length && strncmp(words->name, name, length) == 0) return words->value;
  return NULL;
}

bool script_fill(FILE *out, const char *text, const script_word_t *words, trouble_t *trouble) {
  for (const char *at = text, *open; *at;) {
    open = strchrnul(at, '@');
    fwrite(at, 1, (size_t)(open - at), out);
    if (!*open) break;
    const char *close = strchrnul(open + 1, '@'),
               *value = find_script_word(words, open + 1, (size_t)(close - open - 1));
    if (!*close || !value)
      return trouble_set(trouble, TROUBLE_ENVIRONMENT, "synthesis script: nothing is known of '%.*s'",
                         (int)(close - open), open);
    fputs(value, out);
    at = close + 1;
  }
  return true;
}

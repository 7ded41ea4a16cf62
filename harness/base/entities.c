/* SPDX-License-Identifier: Apache-2.0 */
#include "entities.h"

#include <stdlib.h>
#include <string.h>

static const struct {
  const char *entity;
  char letter;
} entities[] = {{"&quot;", '"'}, {"&apos;", '\''}, {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}};

/* The length of the entity at `text`, and its character; 0: there is none. */
static size_t take(const char *text, char *letter) {
  char *end;
  if (*text != '&') return 0;
  for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
    *letter = entities[i].letter;
    if (strncmp(text, entities[i].entity, strlen(entities[i].entity)) == 0) return strlen(entities[i].entity);
  }
  if (text[1] != '#') return 0;
  *letter = (char)strtol(text + 2, &end, 10);
  return end > text + 2 && *end == ';' ? (size_t)(end - text) + 1 : 0;
}

void entities_decode(char *text) {
  char *to = text, letter;
  for (const char *from = text; *from; to++) {
    const size_t n = take(from, &letter);
    *to = n ? letter : *from;
    from += n ? n : 1;
  }
  *to = 0;
}

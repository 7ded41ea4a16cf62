/* SPDX-License-Identifier: Apache-2.0 */
#include "liberty_named.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Characters of a Verilog name; no escaped names. */
static bool is_of_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Looks up every word of the text, without parsing: a superset does no harm. */
void liberty_named(const liberty_t *l, const char *verilog, words_t *names) {
  char word[LIBERTY_NAME];
  for (const char *p = verilog; *p;) {
    size_t n = 0;
    while (is_of_name(p[n])) n++;
    snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : 0), p);
    if (*word && liberty_any(l, word)) words_add_new(names, word);
    p += n ? n : 1;
  }
}

char *liberty_some(const liberty_t *l, const words_t *names, bool known) {
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to) return NULL;
  fprintf(to, "library (cells) {\n%s%s%s", l->head ? l->head : "", l->templates ? l->templates : "",
          l->types ? l->types : "");
  for (size_t i = 0; i < names->count; i++) {
    const liberty_cell_t *c = liberty_any(l, names->at[i]);
    if (c && !(known && c->unknown)) fprintf(to, "cell (%s) {\n%s}\n", c->name, c->text);
  }
  fputs("}\n", to);
  if (!fclose(to)) return text;
  free(text);
  return NULL;
}

/* A module reaches from "module" to "endmodule" at the begin of a line, the layout that Yosys
 * writes. */
bool liberty_modules(const char *verilog, liberty_see_t *see, void *context) {
  static const char begin[] = "\nmodule ", end[] = "\nendmodule\n";
  char name[LIBERTY_NAME];
  for (const char *module = verilog; (module = strstr(module, begin));) {
    const char *word = module + sizeof begin - 1, *last = strstr(word, end);
    if (!last) return true;
    last += sizeof end - 1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + (*word == '\\'), " (;\n"), word + (*word == '\\'));
    if (!see(context, name, module + 1, (size_t)(last - module - 1))) return false;
    module = last - 1;
  }
  return true;
}

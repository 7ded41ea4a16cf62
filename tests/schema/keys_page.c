/* SPDX-License-Identifier: Apache-2.0
 *
 * keys_page check|write PAGE: docs/keys.md, made of the lists of keys that parts have. `check` ends
 * with 1 when the page is not that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "composition.h"
#include "part.h"

/* In a cell of a table. */
static void print_cell(FILE *out, const char *text) {
  fputs(" ", out);
  for (; *text; text++) {
    if (strchr("|*_<", *text)) fputc('\\', out);
    fputc(*text, out);
  }
  fputs(" |", out);
}

/* What a key may be: from least to most, names, or a text of so many characters. */
static void print_range(FILE *out, const config_key_t *key) {
  char text[512] = "";
  size_t used = 0;
  if (key->type == CONFIG_BOOL) snprintf(text, sizeof text, "false, true");
  if (key->type == CONFIG_TEXT) snprintf(text, sizeof text, "up to %zu characters", key->size - 1);
  for (unsigned i = 0; key->type == CONFIG_ENUM && key->names[i]; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? ", " : "", key->names[i]);
  if (key->type < CONFIG_BOOL) snprintf(text, sizeof text, "%.10g to %.10g", key->least, key->most);
  print_cell(out, text);
}

/* A row for each key, with the defaults that `values` has. */
static void print_table(FILE *out, const config_key_t *keys, const void *values) {
  char value[CONFIG_TEXT_SIZE];
  fputs("| key | range | default | unit | source | what it is |\n|---|---|---|---|---|---|\n", out);
  for (const config_key_t *key = keys; key->key; key++) {
    config_text(key, values, value, sizeof value);
    fprintf(out, "| `%s` |", key->key);
    print_range(out, key);
    print_cell(out, value);
    print_cell(out, key->unit);
    print_cell(out, key->source);
    print_cell(out, key->text);
    fputs("\n", out);
  }
}

/* A part's section, with the defaults of its model; false: no memory. */
static bool print_kind(FILE *out, const part_kind_t *kind) {
  void *values = calloc(1, kind->values_size);
  if (!values) return false;
  kind->defaults(values);
  fprintf(out, "\n## `%s`: %s\n\n", kind->name, kind->text);
  print_table(out, kind->keys, values);
  free(values);
  return true;
}

/* The section of the keys that every system has. */
static void print_system(FILE *out) {
  static composition_t own;
  composition_t *values = &own;
  const void *of;
  config_key_t keys[8] = {{0}};
#define KEYS_AS_DEFAULTS
#include "key_list.h"
#include "system_keys.def"
  for (unsigned i = 0; i + 1 < sizeof keys / sizeof *keys && composition_key(&own, i, &of); i++)
    keys[i] = *composition_key(&own, i, &of);
  fputs("\n## Every system\n\n", out);
  print_table(out, keys, &own);
}

/* The whole page; false: no memory. */
static bool print_page(FILE *out) {
  bool ok = true;
  fputs(
      "<!-- SPDX-License-Identifier: Apache-2.0 -->\n<!-- Long file: a row for each key. -->\n"
      "# Keys of systems\n\n"
      "Every key that a system's file, `--config` or `--set` takes, by the kind of part that has it.\n"
      "The default is the model's own; a system's file may say something else, and "
      "`./lockstack run SYSTEM --print-config` shows what.\n"
      "Sources: T1, T2 and T3 are tables of the paper of that part, S its authors' simulator, N the NUPIM paper, D3 the "
      "DDR3 standard; \"ours\" is a choice of our own.\n"
      "`keys_page write docs/keys.md` makes this page of the lists of keys; test schema.keys holds it true.\n",
      out);
  print_system(out);
  for (const part_kind_t *const *kind = part_kinds; *kind && ok; kind++)
    if ((*kind)->keys) ok = print_kind(out, *kind);
  return ok;
}

int main(int argc, char **argv) {
  char *text = NULL, *there;
  size_t size = 0, length = 0;
  if (argc != 3 || (strcmp(argv[1], "check") && strcmp(argv[1], "write")))
    return fprintf(stderr, "usage: keys_page check|write PAGE\n"), 2;
  FILE *out = open_memstream(&text, &size);
  const bool made = out && print_page(out);
  if (!out || fclose(out) || !made) return fprintf(stderr, "out of memory\n"), 3;
  const bool write = !strcmp(argv[1], "write");
  FILE *page = fopen(argv[2], write ? "w" : "r");
  bool good = page != NULL;
  if (good && write) good = fwrite(text, 1, size, page) == size;
  if (page && !write) {
    there = calloc(1, size + 2);
    length = there ? fread(there, 1, size + 1, page) : 0;
    good = there && length == size && !memcmp(there, text, size);
    free(there);
  }
  if (page && fclose(page)) good = false;
  if (!good)
    fprintf(stderr,
            write ? "%s: cannot write it\n" : "%s: is not what the lists of keys say; keys_page write %s makes it\n",
            argv[2], argv[2]);
  free(text);
  if (good) return 0;
  return write ? 3 : 1;
}

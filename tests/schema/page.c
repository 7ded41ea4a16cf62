/* SPDX-License-Identifier: Apache-2.0
 *
 * schema_page check|write SCHEMAS PAGE: docs/json.md, made of docs/schema. `check` ends with 1 when
 * PAGE is not what the schemas say.
 *
 * A schema is a section. Its properties are rows; those of what lies in them follow, `list[].key`
 * and `names.*.key`. Neighbours with one description are one row. A `$defs` entry with a title is a
 * table of its own; common.json's are sections at the end, which other types are linked to.
 */
#include <errno.h>
#include <glob.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 512, TYPE = 512 };

typedef struct {
  FILE *out;
  const json_t *schema;
  bool common;
} page_t;

/* The text at this key, NULL: there is none. */
static const char *text_of(const json_t *node, const char *key) {
  return json_string_value(json_object_get(node, key));
}

/* The node that a reference names, if its keys have no table or section of their own, otherwise
 * NULL. A node without a reference is itself. */
static const json_t *keys_of(const page_t *page, const json_t *node) {
  static const char local[] = "#/$defs/";
  const char *ref = text_of(node, "$ref");
  if (!ref) return node;
  if (page->common || strncmp(ref, local, strlen(local))) return NULL;
  const json_t *found = json_object_get(json_object_get(page->schema, "$defs"), ref + strlen(local));
  return text_of(found, "title") ? NULL : found;
}

/* Appends to a type's text as far as there is room. */
static void add_text(char *type, const char *text) {
  strncat(type, text, TYPE - strlen(type) - 1);
}

static void add_type(const page_t *page, const json_t *node, char *type);

/* `"a"`, `"b"` or `null` */
static void add_values(const json_t *values, char *type) {
  size_t i;
  const json_t *value;
  json_array_foreach(values, i, value) {
    char *text = json_dumps(value, JSON_ENCODE_ANY);
    if (i) add_text(type, i + 1 == json_array_size(values) ? " or " : ", ");
    add_text(type, "`");
    add_text(type, text ? text : "?");
    add_text(type, "`");
    free(text);
  }
}

/* `list of integers`, `list of (integer or null)`: the type of items, in the plural if it is one
 * word. */
static void add_list(const page_t *page, const json_t *node, char *type) {
  char items[TYPE] = "";
  if (!json_object_get(node, "items")) return add_text(type, "list");
  add_type(page, json_object_get(node, "items"), items);
  const bool word = !strpbrk(items, " `["), several = strpbrk(items, " ") && *items != '[';
  add_text(type, several ? "list of (" : "list of ");
  add_text(type, items);
  if (word) add_text(type, "s");
  else if (several) add_text(type, ")");
}

/* A type by its name, with its range if it has a largest number. */
static void add_plain(const page_t *page, const json_t *node, const char *name, char *type) {
  const json_t *most = json_object_get(node, "maximum");
  char range[32];
  if (strcmp(name, "null") == 0) add_text(type, "`null`");
  else if (strcmp(name, "array") == 0) add_list(page, node, type);
  else add_text(type, name);
  if (!json_is_integer(most) || strcmp(name, "null") == 0) return;
  snprintf(range, sizeof range, ", 0 to %d", (int)json_integer_value(most));
  add_text(type, range);
}

/* The choices, with `or` between them. Names share the node's range. */
static void add_choice(const page_t *page, const json_t *choices, const json_t *node, char *type) {
  size_t i;
  const json_t *one;
  json_array_foreach(choices, i, one) {
    if (i) add_text(type, " or ");
    if (json_is_string(one)) add_plain(page, node, json_string_value(one), type);
    else add_type(page, one, type);
  }
}

/* A link to the section of a type in common.json. A type of the schema's own is an object, whose
 * table stands beside. */
static void add_reference(const page_t *page, const json_t *node, char *type) {
  const char *name = strrchr(text_of(node, "$ref"), '/') + 1;
  char link[128];
  bool own = !page->common && *text_of(node, "$ref") == '#';
  snprintf(link, sizeof link, "[%.50s](#%.50s)", name, name);
  add_text(type, own ? "object" : link);
}

static void add_type(const page_t *page, const json_t *node, char *type) {
  const json_t *name = json_object_get(node, "type"), *values = json_object_get(node, "enum"),
               *fixed = json_object_get(node, "const");
  const json_t *choices = json_object_get(node, "anyOf");
  if (text_of(node, "$ref")) add_reference(page, node, type);
  else if (values) add_values(values, type);
  else if (choices) add_choice(page, choices, node, type);
  else if (json_is_array(name)) add_choice(page, name, node, type);
  else if (json_is_string(name)) add_plain(page, node, json_string_value(name), type);
  else if (!fixed) add_text(type, "any");
  else {
    json_t *one = json_pack("[O]", fixed);
    add_values(one, type);
    json_decref(one);
  }
}

/* A cell of a table, in which | needs a backslash. */
static void print_cell(FILE *out, const char *text) {
  for (; *text; text++) fputs(*text == '|' ? "\\|" : (char[]){*text, 0}, out);
}

static void print_rows(const page_t *page, const json_t *properties, const char *before);

/* The rows of what lies in a node: `path[]` in a list, `path.*` where keys are names. */
static void print_inner(const page_t *page, const json_t *node, const char *path) {
  char inner[PATH];
  const json_t *more, *choice;
  size_t i;
  node = keys_of(page, node);
  json_array_foreach(json_object_get(node, "anyOf"), i, choice) print_inner(page, choice, path);
  if ((more = json_object_get(node, "items"))) {
    snprintf(inner, sizeof inner, "%s[]", path);
    print_inner(page, more, inner);
  }
  if (json_is_object(more = json_object_get(node, "additionalProperties"))) {
    snprintf(inner, sizeof inner, "%s.*", path);
    print_inner(page, more, inner);
  }
  if (!json_is_object(json_object_get(node, "properties"))) return;
  snprintf(inner, sizeof inner, "%s.", path);
  print_rows(page, json_object_get(node, "properties"), inner);
}

typedef struct {
  char keys[2 * PATH], types[TYPE];
  const char *said;
} row_t;

/* Prints a row unless it is empty. */
static void print_key_row(const page_t *page, const row_t *row) {
  if (!row->said) return;
  fprintf(page->out, "| %s | ", row->keys);
  print_cell(page->out, row->types);
  fputs(" | ", page->out);
  print_cell(page->out, row->said);
  fputs(" |\n", page->out);
}

/* Adds a key to a row, and its type if it differs from those of the keys before it. */
static void add_key(const page_t *page, row_t *row, const json_t *node, const char *path) {
  char type[TYPE] = "", key[PATH + 8];
  snprintf(key, sizeof key, "%s`%s`", *row->keys ? ", " : "", path);
  strncat(row->keys, key, sizeof row->keys - strlen(row->keys) - 1);
  add_type(page, node, type);
  if (strstr(row->types, type)) return;
  if (*row->types) add_text(row->types, "; ");
  add_text(row->types, type);
}

/* Is it a key of which common.json says the same for all verbs? */
static bool is_common(const page_t *page, const char *name) {
  return !page->common && (!strcmp(name, "schema") || !strcmp(name, "provenance") || !strcmp(name, "interrupted") ||
                           !strcmp(name, "content"));
}

/* A node with keys or items inside ends its row, because their rows follow. */
static bool ends_row(const page_t *page, const json_t *node) {
  const json_t *inner = keys_of(page, node);
  return json_object_get(inner, "properties") || json_object_get(inner, "items") ||
         json_object_get(inner, "additionalProperties");
}

/* Rows of a schema's properties, with `before` in front of each name. A key that common.json
 * describes is left out, and one without a description is not shown itself. */
static void print_rows(const page_t *page, const json_t *properties, const char *before) {
  const char *name;
  json_t *node;
  row_t row = {.said = NULL};
  json_object_foreach((json_t *)properties, name, node) {
    const char *said = text_of(node, "description");
    char path[PATH];
    if (!*before && is_common(page, name) && json_object_get(node, "$ref")) continue;
    if (!*before && is_common(page, name) && !said) continue;
    snprintf(path, sizeof path, "%s%s", before, name);
    if (!said || !row.said || strcmp(said, row.said)) print_key_row(page, &row), row = (row_t){.said = said};
    if (said) add_key(page, &row, node, path);
    if (!ends_row(page, node)) continue;
    print_key_row(page, &row), row = (row_t){.said = NULL};
    print_inner(page, node, path);
  }
  print_key_row(page, &row);
}

/* A table, unless it is empty; in a string first, so that this is known. */
static void print_table(const page_t *page, const char *title, const json_t *node) {
  char *text = NULL;
  size_t size = 0;
  page_t inner = *page;
  if (!(inner.out = open_memstream(&text, &size))) return;
  if (json_object_get(node, "properties")) print_rows(&inner, json_object_get(node, "properties"), "");
  else print_inner(&inner, node, "");
  fclose(inner.out);
  if (size)
    fprintf(page->out, "%s%s| key | type | value |\n|---|---|---|\n%s\n", title ? title : "", title ? "\n\n" : "",
            text);
  free(text);
}

/* A verb's section: its text, its own table, then the tables of its own types that have titles. */
static void print_verb(FILE *out, const json_t *schema) {
  page_t page = {out, schema, false};
  const char *name, *said = text_of(schema, "description");
  json_t *table;
  fprintf(out, "## `%s`\n\n", text_of(schema, "title"));
  if (said) fprintf(out, "%s\n\n", said);
  print_table(&page, NULL, schema);
  json_object_foreach(json_object_get(schema, "$defs"), name, table) if (text_of(table, "title"))
      print_table(&page, text_of(table, "title"), table);
}

/* Links to the sections: an anchor is a title without its marks. */
static void print_contents(FILE *out, const json_t *verbs) {
  size_t i;
  const json_t *schema;
  fputs("Sections:", out);
  json_array_foreach(verbs, i, schema) {
    const char *title = text_of(schema, "title"), *name = strchr(title, '.') + 1;
    fprintf(out, " [%.*s](#", (int)strcspn(name, "/"), name);
    for (const char *c = title; *c; c++)
      if (!strchr("./", *c)) fputc(*c, out);
    fputs("),", out);
  }
  fputs(" [shapes](#shapes-that-several-results-have).\n\n", out);
}

/* The page's first lines and the keys that every result begins with. */
static void print_head(FILE *out, const json_t *common) {
  page_t page = {out, common, true};
  fprintf(out,
          "<!-- SPDX-License-Identifier: Apache-2.0 -->\n<!-- Long file: a section for each verb. -->\n# %s\n\n%s\n\n",
          text_of(common, "title"), text_of(common, "description"));
  fputs("Made by `schema_page write` from [schema](schema), JSON Schemas (draft 2020-12) that results can be held "
        "against; test schema.page holds it true. "
        "`a[].b` is\na key of each object of a list, `a.*` of an object whose keys are names.\n\n"
        "These come first everywhere:\n\n",
        out);
  print_table(&page, NULL, common);
}

/* The sections of types that several results share. */
static void print_shapes(FILE *out, const json_t *common) {
  page_t page = {out, common, true};
  const char *name;
  json_t *shape;
  fputs("## Shapes that several results have\n\n", out);
  json_object_foreach(json_object_get(common, "$defs"), name, shape) {
    if (strcmp(name, "interrupted") == 0) continue; /* a boolean, which stands above */
    fprintf(out, "### %s\n\n%s\n\n", name, text_of(shape, "description"));
    print_table(&page, NULL, shape);
  }
}

/* A schema, whose title contains `mark`; NULL: a line has said why not. */
static json_t *load_schema(const char *path, const char *mark) {
  json_error_t error;
  json_t *json = json_load_file(path, 0, &error);
  const char *title = text_of(json, "title");
  if (!json) return fprintf(stderr, "%s:%d: %s\n", path, error.line, error.text), NULL;
  if (title && strstr(title, mark)) return json;
  fprintf(stderr, "%s: the title should be a text with '%s' in it\n", path, mark);
  json_decref(json);
  return NULL;
}

/* The schemas of verbs, in the order of the files' names;
 * NULL: a file cannot be read, or there is none. */
static json_t *load_verbs(const char *folder) {
  char path[PATH];
  glob_t found;
  snprintf(path, sizeof path, "%.400s/*.json", folder);
  if (glob(path, 0, NULL, &found)) return NULL;
  json_t *verbs = json_array();
  for (size_t i = 0; verbs && i < found.gl_pathc; i++) {
    if (strstr(found.gl_pathv[i], "/common.json")) continue;
    json_t *schema = load_schema(found.gl_pathv[i], "lockstack.");
    if (json_array_append_new(verbs, schema)) json_decref(verbs), verbs = NULL;
  }
  globfree(&found);
  return verbs;
}

/* The whole page of a folder of schemas; false: one of them cannot be read. */
static bool print_page(FILE *out, const char *folder) {
  char path[PATH];
  size_t i;
  const json_t *schema;
  snprintf(path, sizeof path, "%.400s/common.json", folder);
  json_t *common = load_schema(path, ""), *verbs = common ? load_verbs(folder) : NULL;
  if (verbs) {
    print_head(out, common);
    print_contents(out, verbs);
    json_array_foreach(verbs, i, schema) print_verb(out, schema);
    print_shapes(out, common);
  }
  json_decref(common);
  json_decref(verbs);
  return verbs != NULL;
}

/* Is the file exactly this text? One byte more is asked for, so that a longer file shows. */
static bool page_equals(const char *path, const char *text, size_t size) {
  FILE *file = fopen(path, "r");
  char *now = malloc(size + 1);
  bool equal = file && now && fread(now, 1, size + 1, file) == size && memcmp(now, text, size) == 0;
  free(now);
  if (file) fclose(file);
  return equal;
}

/* Writes the file; 3: it cannot be written. */
static int write_page(const char *path, const char *text, size_t size) {
  FILE *file = fopen(path, "w");
  bool ok = file && fwrite(text, 1, size, file) == size;
  if (file && fclose(file)) ok = false;
  if (!ok) fprintf(stderr, "%s: cannot write: %s\n", path, strerror(errno));
  return ok ? 0 : 3;
}

int main(int argc, char **argv) {
  char *text = NULL;
  size_t size = 0;
  if (argc != 4 || (strcmp(argv[1], "check") && strcmp(argv[1], "write")))
    return fprintf(stderr, "usage: schema_page check|write SCHEMAS PAGE\n"), 2;
  FILE *out = open_memstream(&text, &size);
  bool ok = out && print_page(out, argv[2]);
  if (out) fclose(out);
  if (size) size--; /* the empty line behind the last table */
  int code = 2;
  if (ok && strcmp(argv[1], "write") == 0) code = write_page(argv[3], text, size);
  else if (ok) code = !page_equals(argv[3], text, size);
  if (ok && code == 1)
    fprintf(stderr, "%s: is not what %s says; %s write %s %s makes it\n", argv[3], argv[2], argv[0], argv[2], argv[3]);
  free(text);
  return code;
}

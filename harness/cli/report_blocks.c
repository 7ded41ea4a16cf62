/* SPDX-License-Identifier: Apache-2.0 */
#include "report_blocks.h"

#include "block_rows.h"
#include "block_table.h"
#include "fingerprint.h"
#include "html.h"
#include "lockstep_verbs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char csv[] = "docs/blocks.csv", page[] = "README.md";

static char *read_page(void) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = fopen(cli_data(page), "r");
  if (file && getdelim(&text, &size, 0, file) < 0) free(text), text = NULL;
  if (file) fclose(file);
  return text;
}

/* Rows and the page's text, both as they are. 0, or an exit code after a line. */
static int read_both(json_t **rows, char **text) {
  char error[1024];
  if (!(*rows = block_rows_read(cli_data(csv), error, sizeof error))) return cli_error(EXIT_BAD, "%s", error);
  if ((*text = read_page())) return 0;
  json_decref(*rows);
  return cli_error(EXIT_BAD, "%s: %s", cli_data(page), errno ? strerror(errno) : "is empty");
}

static int no_marks(void) {
  return cli_error(EXIT_BAD, "%s: has no place for the table of blocks: its two marks are missing", cli_data(page));
}

static int write_rows(const json_t *rows, const json_t *list) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out) block_rows_write(out, rows, list);
  bool ok = out && !ferror(out);
  if (out && fclose(out)) ok = false;
  int code = ok ? cli_write_text(cli_data(csv), text, size) : cli_error(EXIT_ENV, "out of memory");
  free(text);
  return code;
}

int report_blocks_write(cli_t *cli, const json_t *facts, const json_t *list) {
  json_t *rows;
  char *text, *made;
  int code = read_both(&rows, &text);
  if (code) return code;
  block_rows_update(rows, facts);
  if (!(made = block_table_in(text, list, rows))) code = no_marks();
  if (!code) code = write_rows(rows, list);
  if (!code) code = cli_write_text(cli_data(page), made, strlen(made));
  if (!code) fprintf(cli->out, "%s, %s: %zu blocks\n", csv, page, json_array_size(list));
  free(made);
  free(text);
  json_decref(rows);
  return code;
}

/* --- has it gone stale? */

static void stale(cli_t *cli, json_t *found, const char *block, const char *what, const char *why) {
  json_array_append_new(found, json_pack("{s:s, s:s, s:s}", "block", block, "what", what, "why", why));
  fprintf(cli->out, "%s: %s: %s\n", block, what, why);
}

static void check_row(cli_t *cli, json_t *found, const json_t *row, const char *name) {
  static const struct {
    const char *column, *verb;
  } measured[] = {{"cover_sources", "cover"}, {"mutate_sources", "mutate"}, {"area_sources", "area"}};
  const places_t places = verbs_places();
  char sources[FINGERPRINT_TEXT], error[4096];
  block_t block;
  if (block_find(&block, &places, name, NULL, error, sizeof error) != OUTCOME_PASS ||
      !block_fingerprint(&block, &places, sources, error, sizeof error)) {
    stale(cli, found, name, "sources", error);
    return;
  }
  for (unsigned i = 0; i < sizeof measured / sizeof *measured; i++) {
    const char *then = fact_text(row, measured[i].column);
    if (!then) stale(cli, found, name, measured[i].verb, "never measured");
    else if (strcmp(then, sources) != 0) stale(cli, found, name, measured[i].verb, "measured of other sources than those of the tree");
  }
}

int report_blocks_check(cli_t *cli, json_t *root, const json_t *list) {
  json_t *rows, *found = json_array(), *entry;
  char *text, *made;
  size_t i;
  json_object_set_new(root, "stale", found);
  int code = read_both(&rows, &text);
  if (code) return code;
  if (!(made = block_table_in(text, list, rows))) code = no_marks();
  else if (strcmp(made, text) != 0) stale(cli, found, page, "table", "is not what docs/blocks.csv says: `lockstack report --blocks` makes it anew");
  json_array_foreach(list, i, entry) check_row(cli, found, json_object_get(rows, fact_text(entry, "name")), fact_text(entry, "name"));
  if (!code && json_array_size(found)) code = EXIT_BROKEN;
  if (!code) fprintf(cli->out, "%zu blocks: the table and docs/blocks.csv are of the tree's sources\n", json_array_size(list));
  free(made);
  free(text);
  json_decref(rows);
  return code;
}

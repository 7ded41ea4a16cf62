/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of blocks.
 *
 *   results (database, or FILE.json) --> facts --> rows of docs/blocks.csv --> tables in pages
 *   check: row's checksum = checksum of the tree?   table in the page = table made from the rows?
 */
#include "report_blocks.h"

#include "block_rows.h"
#include "block_table.h"
#include "facts.h"
#include "file.h"
#include "fingerprint.h"
#include "html.h"
#include "lockstep_verbs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char csv[] = "docs/blocks.csv";

static const struct {
  const char *name;
  block_table_t what;
} pages[] = {{"docs/blocks.md", BLOCK_TABLE}, {"README.md", BLOCK_SUMS}};
enum { PAGES = sizeof pages / sizeof *pages };

/* Reads a page (*text), and makes it anew from the rows (*made). Both are to be freed. 0, or an
 * exit code after a line, and then both are NULL. */
static int make_page(unsigned p, const json_t *list, const json_t *rows, char **text, char **made) {
  const char *page = pages[p].name;
  *made = NULL;
  if (!(*text = file_read(cli_data(page)))) return cli_error(EXIT_BAD, "%s: %s", cli_data(page), strerror(errno));
  if ((*made = block_table_in(*text, pages[p].what, list, rows))) return 0;
  free(*text);
  *text = NULL;
  return cli_error(EXIT_BAD, "%s: has no place for what was measured of the blocks: its two marks are missing",
                   cli_data(page));
}

/* The rows of the CSV file by block; NULL after a line. */
static json_t *read_rows(void) {
  trouble_t trouble;
  json_t *rows = block_rows_read(cli_data(csv), &trouble);
  if (!rows) cli_trouble(&trouble);
  return rows;
}

/* Writes the CSV file, whole or not at all. */
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

/* --- has it gone stale? */

/* What can be measured: its column of checksums, the verb, the sources it depends on, its
 * figures. */
static const struct {
  const char *column, *verb;
  fingerprint_of_t of;
  const char *figures[5];
} measured[] = {{"cover_sources", "cover", FINGERPRINT_COVER, {"points", "hit", "waived", "proved"}},
                {"mutate_sources", "mutate", FINGERPRINT_MUTATE, {"mutants", "killed", "equivalent", "undecided"}},
                {"area_sources", "area", FINGERPRINT_HARDWARE, {"cells", "ge"}},
                {"prove_sources", "prove", FINGERPRINT_PROVE, {"properties"}},
                {"check_sources", "check", FINGERPRINT_CHECK, {"cycles"}}};
enum { MEASURED = sizeof measured / sizeof *measured };
static const char other_sources[] = "measured of other sources than those of the tree";

const char *report_sources(const char *block, const char *verb) {
  static char text[FINGERPRINT_TEXT];
  trouble_t trouble;
  for (unsigned i = 0; i < MEASURED; i++)
    if (strcmp(verb, measured[i].verb) == 0)
      return verbs_fingerprint(block, measured[i].of, text, &trouble) ? text : NULL;
  return verbs_fingerprint(block, FINGERPRINT_CHECK, text, &trouble) ? text : NULL; /* of faults */
}

/* A block's checksums, one of each kind, each made once. */
typedef struct {
  char of[FINGERPRINTS][FINGERPRINT_TEXT];
} sums_t;

/* The checksums of a block's sources as they are now, one for each kind of measurement. */
static bool make_sums(sums_t *sums, const char *name, trouble_t *trouble) {
  bool ok = true;
  for (unsigned of = 0; ok && of < FINGERPRINTS; of++)
    ok = verbs_fingerprint(name, (fingerprint_of_t)of, sums->of[of], trouble);
  return ok;
}

/* Why the row's figures of this kind are not of the tree; NULL: they are. */
static const char *stale_figures(const json_t *row, const sums_t *sums, unsigned kind) {
  const char *then = fact_text(row, measured[kind].column);
  if (!then) return "never measured";
  return strcmp(then, sums->of[measured[kind].of]) == 0 ? NULL : other_sources;
}

/* --- writing */

/* Removes figures from the row that are no longer of the tree: no figure is better than a wrong
 * one. Says so. */
static void drop_stale(cli_t *cli, json_t *row, const char *name) {
  trouble_t trouble;
  sums_t sums;
  bool known = row && make_sums(&sums, name, &trouble);
  for (unsigned i = 0; known && i < MEASURED; i++) {
    if (stale_figures(row, &sums, i) != other_sources) continue;
    fprintf(cli->out, "%s: %s: left out, %s\n", name, measured[i].verb, other_sources);
    json_object_del(row, measured[i].column);
    for (const char *const *figure = measured[i].figures; *figure; figure++) json_object_del(row, *figure);
  }
}

int report_blocks_write(cli_t *cli, const json_t *facts, const json_t *list) {
  json_t *rows = read_rows(), *entry;
  char *text[PAGES] = {NULL}, *made[PAGES] = {NULL};
  size_t i;
  if (!rows) return EXIT_BAD;
  int code = 0;
  block_rows_update(rows, facts);
  json_array_foreach(list, i, entry)
      drop_stale(cli, json_object_get(rows, fact_text(entry, "name")), fact_text(entry, "name"));
  for (unsigned p = 0; !code && p < PAGES; p++) code = make_page(p, list, rows, &text[p], &made[p]);
  if (!code) code = write_rows(rows, list);
  for (unsigned p = 0; !code && p < PAGES; p++)
    code = cli_write_text(cli_data(pages[p].name), made[p], strlen(made[p]));
  for (unsigned p = 0; !code && p < PAGES; p++) fprintf(cli->out, "%s, ", pages[p].name);
  if (!code) fprintf(cli->out, "%s: %zu blocks\n", csv, json_array_size(list));
  for (unsigned p = 0; p < PAGES; p++) free(made[p]), free(text[p]);
  json_decref(rows);
  return code;
}

/* --- results in files */

/* Why a document says nothing about a block of the list; NULL: it does. */
static const char *why_document_useless(const json_t *document, const json_t *list) {
  static const char *const schemas[] = {"lockstack.cover/1", "lockstack.mutate/1", "lockstack.area/1",
                                        "lockstack.prove/1"};
  const char *schema = fact_text(document, "schema"), *block = fact_text(document, "block");
  bool known = false, listed = !block;
  const json_t *entry;
  size_t i;
  for (i = 0; schema && i < sizeof schemas / sizeof *schemas; i++) known |= strcmp(schema, schemas[i]) == 0;
  json_array_foreach(list, i, entry) listed |= block && strcmp(block, fact_text(entry, "name")) == 0;
  if (!known) return "should be what `cover`, `mutate`, `area` or `prove` write with --json";
  if (!listed) return "is of a block that is not in `list blocks`";
  return fact_true(document, "interrupted") ? "is of a measurement that was interrupted" : NULL;
}

int report_blocks_read(json_t *root, char *const *files, const json_t *list) {
  json_t *documents = json_array();
  const facts_sources_t sources = {list, cli_data, documents, report_sources};
  int code = 0;
  for (; !code && *files; files++) {
    json_error_t error;
    json_t *document = json_load_file(*files, 0, &error);
    const char *why = document ? why_document_useless(document, list) : error.text;
    if (why && !document && error.line > 0) code = cli_error(EXIT_BAD, "%s:%d: %s", *files, error.line, why);
    else if (why) code = cli_error(EXIT_BAD, "%s: %s", *files, why);
    else json_array_append(documents, document);
    json_decref(document);
  }
  if (!code) json_object_set_new(root, "blocks", facts_blocks(NULL, &sources));
  json_decref(documents);
  return code;
}

/* --- checking */

/* Adds what is stale to `found`, and prints it. */
static void record_stale_row(cli_t *cli, json_t *found, const char *block, const char *what, const char *why) {
  json_array_append_new(found, json_pack("{s:s, s:s, s:s}", "block", block, "what", what, "why", why));
  fprintf(cli->out, "%s: %s: %s\n", block, what, why);
}

/* Compares all checksums of a block's row with the tree's. */
static void check_row(cli_t *cli, json_t *found, const json_t *row, const char *name) {
  trouble_t trouble;
  sums_t sums;
  bool known = make_sums(&sums, name, &trouble);
  if (!known) record_stale_row(cli, found, name, "sources", trouble.text);
  for (unsigned i = 0; known && i < MEASURED; i++) {
    const char *why = stale_figures(row, &sums, i);
    if (why) record_stale_row(cli, found, name, measured[i].verb, why);
  }
}

/* Compares a page with what the rows would make of it. 0, or an exit code after a line. */
static int check_page(cli_t *cli, json_t *found, unsigned p, const json_t *list, const json_t *rows) {
  char *text, *made;
  int code = make_page(p, list, rows, &text, &made);
  if (!code && strcmp(made, text) != 0)
    record_stale_row(cli, found, pages[p].name, "table",
                     "is not what docs/blocks.csv says: `lockstack report --blocks` makes it anew");
  free(made);
  free(text);
  return code;
}

int report_blocks_check(cli_t *cli, json_t *root, const json_t *list) {
  json_t *rows = read_rows(), *found = json_array(), *entry;
  size_t i;
  int code = rows ? 0 : EXIT_BAD;
  json_object_set_new(root, "stale", found);
  for (unsigned p = 0; !code && p < PAGES; p++) code = check_page(cli, found, p, list, rows);
  if (rows)
    json_array_foreach(list, i, entry)
        check_row(cli, found, json_object_get(rows, fact_text(entry, "name")), fact_text(entry, "name"));
  if (!code && json_array_size(found)) code = EXIT_BROKEN;
  if (!code)
    fprintf(cli->out, "%zu blocks: their pages and docs/blocks.csv are of the tree's sources\n", json_array_size(list));
  json_decref(rows);
  return code;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Results as JSON: the document's head, and where it is written. A result goes to a file or to
 * standard output, and a copy goes to LOCKSTACK_JSON_KEEP for the tests of docs/schema.
 */
#include "cli.h"
#include "clock.h"
#include "content_json.h"
#include "version.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

json_t *cli_provenance(void) {
  return json_pack("{s:s, s:s, s:b, s:s, s:s, s:s}", "version", LOCKSTACK_VERSION, "commit", LOCKSTACK_COMMIT, "dirty",
                   LOCKSTACK_DIRTY, "compiler", LOCKSTACK_COMPILER, "verilator", LOCKSTACK_VERILATOR, "systemc",
                   LOCKSTACK_SYSTEMC);
}

json_t *cli_json(const char *verb, int version) {
  char schema[64];
  snprintf(schema, sizeof schema, "lockstack.%s/%d", verb, version);
  return json_pack("{s:s, s:o}", "schema", schema, "provenance", cli_provenance());
}

/* The document as it is written: indented by 2, keys in the order in which they were added,
 * reals with 9 digits. To be freed; NULL: out of memory. */
static char *json_file_text(json_t *root) {
  char *json = json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9)), *text = NULL;
  if (json && asprintf(&text, "%s\n", json) < 0) text = NULL;
  free(json);
  return text;
}

static int stdout_failed(void) {
  return cli_error(EXIT_ENV, "standard output: cannot write: %s", strerror(errno));
}

/* LOCKSTACK_JSON_KEEP names a folder: every result is copied there, so that the tests can
 * compare what the verbs write with docs/schema. The name has the process and the time, so
 * copies never collide. */
static int keep_json_copy(const char *text, const json_t *root) {
  const char *folder = getenv("LOCKSTACK_JSON_KEEP"), *schema = json_string_value(json_object_get(root, "schema"));
  if (!folder || !*folder || !schema) return 0;
  char *path = NULL;
  if (asprintf(&path, "%s/%.*s-%ld-%.0f.json", folder, (int)strcspn(schema, "/"), schema, (long)getpid(),
               1e9 * clock_seconds()) < 0)
    return cli_error(EXIT_ENV, "out of memory");
  int result = cli_write_text(path, text, strlen(text));
  free(path);
  return result;
}

/* Writes the document where --json asked for it, then the copy. 0, or an exit code after a line. */
static int write_json(const cli_t *cli, json_t *root) {
  char *text = json_file_text(root);
  if (!text) return cli_error(EXIT_ENV, "out of memory");
  int result = 0;
  if (!cli->machine) result = cli_write_text(cli->json, text, strlen(text));
  else if (fputs(text, cli->machine) < 0 || fflush(cli->machine)) result = stdout_failed();
  if (!result) result = keep_json_copy(text, root);
  free(text);
  return result;
}

int cli_dry_run(cli_t *cli, const char *schema, unsigned results) {
  json_t *root = cli_json(schema, 1);
  json_object_set_new(root, "dry_run", json_true());
  json_object_set_new(root, "results", json_integer(results));
  fprintf(cli->out, "%u result%s, and nothing ran\n", results, results == 1 ? "" : "s");
  return cli_finish(cli, root, EXIT_HELD);
}

int cli_finish(cli_t *cli, json_t *root, cli_exit_t code) {
  int result = 0;
  json_t *content = root && cli->json ? content_json() : NULL;
  if (content) json_object_set_new(root, "content", content);
  if (root && cli_interrupted) json_object_set_new(root, "interrupted", json_boolean(code == EXIT_ENV));
  if (cli->json && !root) result = cli_error(EXIT_ENV, "out of memory");
  else if (cli->json) result = write_json(cli, root);
  json_decref(root);
  if (!result && cli->out && (fflush(cli->out) || ferror(cli->out))) result = stdout_failed();
  return result ? result : (int)code;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Results of a user's own blocks alone: then the report speaks of these, and not of the tree.
 */
#include "facts.h"

#include "html.h"
#include "question.h"

#include <string.h>

/* True if every job is about a folder: its command names one by its path. */
static bool are_folders(struct sqlite3 *db) {
  json_t *rows = question(
      db, "SELECT COUNT(*) AS jobs, TOTAL(verb IN ('run', 'network', 'memory', 'offload', 'reproduce', 'sweep', 'test')"
          " OR (key NOT LIKE '% /%' AND key NOT LIKE '% ''/%' AND key NOT LIKE '% \"/%')) AS others FROM job");
  const json_t *row = json_array_get(rows, 0);
  const bool are = fact_number(row, "jobs") > 0 && fact_number(row, "others") == 0;
  json_decref(rows);
  return are;
}

/* A part that a verb measured, or a list of such parts, is not null. */
static bool has_any_result(const json_t *block) {
  static const char *const parts[] = {"check", "coverage", "guided",   "mutation", "proofs",
                                      "area",  "faults",   "hardware", NULL};
  for (const char *const *part = parts; *part; part++)
    if (json_object_get(block, *part) && !json_is_null(json_object_get(block, *part))) return true;
  return false;
}

bool facts_only_own(const json_t *root, struct sqlite3 *db) {
  size_t i;
  const json_t *block;
  if (fact_count(root, "networks") || fact_count(root, "figures") || !are_folders(db)) return false;
  json_array_foreach(json_object_get(root, "blocks"), i,
                     block) if (fact_true(block, "listed") && has_any_result(block)) return false;
  return true;
}

void facts_drop_listed(json_t *root) {
  json_t *blocks = json_object_get(root, "blocks");
  for (size_t i = json_array_size(blocks); i-- > 0;)
    if (fact_true(json_array_get(blocks, i), "listed")) json_array_remove(blocks, i);
}

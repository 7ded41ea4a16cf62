/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything that the report says, as one JSON document (docs/json.md, lockstack.report/1). The
 * sources are the database of results and the list of blocks. The page (page.h) is drawn from
 * this document alone.
 *
 *    stale      results that are not of the present sources: how many, and the newest
 *    blocks     files, and the results of each verb
 *    runs       one for each `regress`
 *    failures   buckets of one fault each, with the first divergence
 *    trends     jobs that ran more than once
 *    networks   the latest document of each `network` command
 *    figures    the latest document of each `reproduce` command
 *    own        all results are of blocks outside of the tree: then `blocks` has these alone
 *    totals     sums
 */
#ifndef FACTS_H
#define FACTS_H

#include "json_sure.h"
#include "trouble.h"

struct sqlite3;

typedef struct {
  const json_t *blocks;              /* as `list` has them: [{name, family, rtl, ...}] */
  const char *(*path)(const char *); /* where a file of the list is, to count lines; NULL: do not count */
  const json_t *documents;           /* results outside the database, latest last; NULL: none */
  /* The checksum of the block's present sources, as this verb's results have it in `sources`.
   * NULL: the block is not here. */
  const char *(*now)(const char *block, const char *verb);
} facts_sources_t;

/* Adds all keys to `root`. False: the database could not be read; trouble says why. */
bool facts_gather(json_t *root, struct sqlite3 *db, const facts_sources_t *sources, trouble_t *trouble);

/* ---- the parts ---- */

/* Finds jobs whose results are of other content than the present one. Returns {results, first:
 * {key, why}}. Call it first: it makes the table temp.stale, and all other parts leave these
 * jobs out, but for the history. NULL: the database could not be read. */
json_t *facts_stale(struct sqlite3 *db, const facts_sources_t *sources);
/* Removes stale blocks from a document's own lists of blocks (verb: of the document). */
void facts_drop_stale(json_t *document, const char *verb, const facts_sources_t *sources);

/* NULL: the database could not be read. facts_blocks takes a NULL database: only the list and
 * `documents` count. */
json_t *facts_blocks(struct sqlite3 *db, const facts_sources_t *sources);
json_t *facts_runs(struct sqlite3 *db);     /* newest first */
json_t *facts_failures(struct sqlite3 *db); /* buckets, those that still fail first */
json_t *facts_trends(struct sqlite3 *db);   /* jobs that ran more than once */

/* True if the database has results, and all of them are of blocks outside of the tree. `root` has
 * the other parts. */
bool facts_only_own(const json_t *root, struct sqlite3 *db);
void facts_drop_listed(json_t *root); /* removes the blocks of the tree */

/* Copies the members `keys` (ended by NULL) of a document into `object`. Missing ones become
 * null. */
void facts_copy(json_t *object, const json_t *document, const char *const *keys);

#endif

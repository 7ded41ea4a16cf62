/* SPDX-License-Identifier: Apache-2.0
 *
 * All that the report says, as one JSON document (docs/json.md, lockstack.report/1), from the
 * database of results and the list of blocks. The page is drawn from it alone.
 */
#ifndef FACTS_H
#define FACTS_H

#include "json_sure.h"
#include "trouble.h"

struct sqlite3;

typedef struct {
  const json_t *blocks;              /* as `list` has them: [{name, family, rtl, ...}] */
  const char *(*path)(const char *); /* of a file that the list names: to count its lines; NULL: leave it */
  const json_t *documents;           /* results of verbs that are in no database, latest last; NULL: none */
  /* The checksum of what a block is made of now, as results of this
   * verb have it in `sources`; NULL: there is no such block here. */
  const char *(*now)(const char *block, const char *verb);
} facts_sources_t;

/* Adds the keys to `root`. False: the database could not be read. */
bool facts_gather(json_t *root, struct sqlite3 *db, const facts_sources_t *sources, trouble_t *trouble);

/* ---- the parts ---- */

/* {results, first: {key, why}}: of jobs whose results are of other content than what is there now.
 * Makes the table temp.stale of their numbers, which the others need: they leave these out, all but
 * history. */
json_t *facts_stale(struct sqlite3 *db, const facts_sources_t *sources);
/* from its lists of blocks */
void facts_drop_stale(json_t *document, const char *verb, const facts_sources_t *sources);

/* NULL: the database (which may be NULL) could not be read; so below */
json_t *facts_blocks(struct sqlite3 *db, const facts_sources_t *sources);
json_t *facts_runs(struct sqlite3 *db);     /* newest first */
json_t *facts_failures(struct sqlite3 *db); /* buckets, those that still fail first */
json_t *facts_trends(struct sqlite3 *db);   /* jobs that ran more than once */

/* Members of a document that are kept, into `object`;
 * missing ones become null. `keys` ends with NULL. */
void facts_copy(json_t *object, const json_t *document, const char *const *keys);

#endif

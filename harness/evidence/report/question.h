/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to the database whose answers are JSON: an array with an object a row. Text is made
 * valid (text.h); a column whose name ends in `_json` is parsed and loses that ending, null where
 * it is no JSON.
 */
#ifndef QUESTION_H
#define QUESTION_H

#include "json_sure.h"

struct sqlite3;

json_t *question(struct sqlite3 *db, const char *sql); /* NULL: sqlite3_errmsg(db) says why */

#endif

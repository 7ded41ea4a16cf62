/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks the database and returns JSON: an array with an object for each row.
 *
 * Text becomes valid UTF-8 (text.h). A column whose name ends in `_json` is parsed and loses
 * that ending; text that is no JSON becomes null.
 */
#ifndef QUESTION_H
#define QUESTION_H

#include "json_sure.h"

struct sqlite3;

json_t *question(struct sqlite3 *db, const char *sql); /* NULL: sqlite3_errmsg(db) says why */

#endif

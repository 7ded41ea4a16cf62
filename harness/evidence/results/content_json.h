/* SPDX-License-Identifier: Apache-2.0
 *
 * The content that a result judges, as the member `content` of its document (docs/json.md).
 *
 *   program       by its build ID            --+
 *   files         each by its SHA-256        --+--> digest
 *   tools         their versions: told, but they decide nothing
 *   surroundings  of the tools (surroundings.h): programs found and environment
 *
 *   json_object_set_new(root, "content", content_json());           at the end of a verb
 *   ...
 *   content_now_t now = {0};                                        reads each file once
 *   if (!content_is_now(&now, document, &trouble)) ...              "rtl/lib/fifo.sv has changed"
 *   content_now_free(&now);
 */
#ifndef CONTENT_JSON_H
#define CONTENT_JSON_H

#include "json_sure.h"
#include "trouble.h"

/* The content of all that this process has judged (judged.h). NULL: not known as a whole, so a
 * result has none. */
json_t *content_json(void);

/* This process' verdict depends on the document's: adds the document's content to ours. A
 * document without one leaves ours unknown. */
void content_judged_too(const json_t *document);

/* What files hold now: {path: sum}. */
typedef struct {
  json_t *sums;
} content_now_t;

/* Is all that the document judged the same now, with the program and the tools' surroundings?
 * False: trouble says what differs first. */
bool content_is_now(content_now_t *now, const json_t *document, trouble_t *trouble);
/* The same for the files alone. */
bool content_files_are_now(content_now_t *now, const json_t *document, trouble_t *trouble);
/* The same for files that an option named (a library of cells, constraints, vectors), as far as
 * they exist. */
bool content_options_are_now(content_now_t *now, const json_t *document, trouble_t *trouble);
/* The same for the tools' surroundings alone. */
bool content_surroundings_are_now(const json_t *document, trouble_t *trouble);
void content_now_free(content_now_t *now);

#endif

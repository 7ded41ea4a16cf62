/* SPDX-License-Identifier: Apache-2.0
 *
 * The content of what a result judges, as the member `content` of its document (docs/json.md): the
 * program by its build ID, each file by the SHA-256 of its bytes, one digest of both, and the
 * tools: their versions, which decide nothing, and their surroundings (surroundings.h). Tools are
 * in no digest.
 *
 *   json_object_set_new(root, "content", content_json());                     the end of a verb
 *   ...
 *   content_now_t now = {0};                                                  files are read once
 *   if (!content_is_now(&now, document, &trouble)) ...                        trouble.text:
 *   "rtl/lib/fifo.sv has changed" content_now_free(&now);
 */
#ifndef CONTENT_JSON_H
#define CONTENT_JSON_H

#include "json_sure.h"
#include "trouble.h"

/* Of all that this process has judged (judged.h); NULL: not
 * known as a whole, and then a result says nothing of it. */
json_t *content_json(void);

/* What this document's verdict is about, this process' verdict is
 * about, too. A document that does not say leaves ours unknown. */
void content_judged_too(const json_t *document);

/* What files hold now: {path: sum}. */
typedef struct {
  json_t *sums;
} content_now_t;

/* Is all that this document judged what is there now, the program and the tools included? False:
 * why not, of the first that differs. */
bool content_is_now(content_now_t *now, const json_t *document, trouble_t *trouble);
/* The same of the files alone; of the tools alone. */
bool content_files_are_now(content_now_t *now, const json_t *document, trouble_t *trouble);
/* The same of those files that an option named, as far as they
 * are there: a library of cells, constraints, vectors. */
bool content_options_are_now(content_now_t *now, const json_t *document, trouble_t *trouble);
bool content_surroundings_are_now(const json_t *document, trouble_t *trouble);
void content_now_free(content_now_t *now);

#endif

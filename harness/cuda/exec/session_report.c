/* SPDX-License-Identifier: Apache-2.0
 *
 * What was counted, as JSON or as one number of it. options->report makes the JSON; without it, as
 * in exec, such requests are refused.
 */
#include <stdlib.h>
#include <string.h>

#include "quantity.h"
#include "session_internal.h"

json_t *session_counted(session_t *s, wire_status_t *status) {
  const session_options_t *o = s->options;
  static system_stats_t stats;
  trouble_t trouble = {0};
  json_t *root = NULL;
  *status = WIRE_DONE;
  if (!o->report) *status = session_fail(s, WIRE_REFUSED, "no such request of a program that exec started");
  else if (!system_stats(s->system, &stats)) *status = session_fail(s, WIRE_BROKEN, "out of memory");
  else if (!(root = o->report(o->report_ctx, &stats, &trouble))) *status = session_fail(s, WIRE_REFUSED, trouble.text);
  system_stats_free(&stats);
  return root;
}

wire_status_t session_report(session_t *s) {
  wire_status_t status;
  json_t *root = session_counted(s, &status);
  if (!root) return status;
  char *text = json_dumps(root, JSON_INDENT(2));
  const size_t size = text ? strlen(text) : 0;
  char *out = text && size <= WIRE_MOST ? session_answer(s, size) : NULL;
  if (out) memcpy(out, text, size);
  else status = session_fail(s, WIRE_BROKEN, "out of memory");
  free(text);
  json_decref(root);
  return status;
}

/* The bytes behind the request are an expression (quantity.h). */
wire_status_t session_count(session_t *s) {
  char missing[QUANTITY_NAME], line[QUANTITY_NAME + 32];
  wire_status_t status;
  json_t *root = session_counted(s, &status);
  if (!root) return status;
  double value, *out = session_answer(s, sizeof value);
  if (!out) status = session_fail(s, WIRE_BROKEN, "out of memory");
  else if (quantity((const char *)s->data, root, &value, missing)) *out = value;
  else {
    snprintf(line, sizeof line, "the report has no number '%s'", missing);
    status = session_fail(s, WIRE_NOT_FOUND, line);
  }
  json_decref(root);
  return status;
}

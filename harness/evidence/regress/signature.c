/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a document says what is wrong, that is used. Else the first line of output that looks
 * like a complaint decides, else the last line.
 */
#include "signature.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

enum { LINE = 400, CUT = 160 };

static bool name_char(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* Length of a number that begins here: decimal with points and commas, or 0x and hexadecimal
 * digits. 0: none. */
static size_t number_length(const char *from, char before) {
  if (!isdigit((unsigned char)*from) || name_char(before)) return 0;
  if (from[0] == '0' && from[1] == 'x') return 2 + strspn(from + 2, "0123456789abcdefABCDEF");
  size_t n = strspn(from, "0123456789,.");
  while (n && !isdigit((unsigned char)from[n - 1])) n--;
  return n;
}

/* Reads and writes the same text. Writing never overtakes reading, because each step writes at
 * most what it read. */
void signature_normalise(char *line) {
  char *to = line, *word = line, before = ' ';
  for (const char *from = line; *from && to - line < CUT;) {
    size_t n = number_length(from, before);
    before = *from;
    if (n) {
      *to++ = 'N';
      from += n;
      before = '0';
    } else if (isspace((unsigned char)*from)) {
      if (to > line && to[-1] != ' ') *to++ = ' ';
      word = to;
      from++;
    } else {
      if (*from == '/') to = word; /* keep the path's last part */
      else *to++ = *from;
      from++;
    }
  }
  while (to > line && to[-1] == ' ') to--;
  *to = 0;
}

static const char *text_at(const json_t *root, const char *key) {
  return json_string_value(json_object_get(root, key));
}

/* The member `result` of the first object in the list whose `key` is `wanted`. */
static const char *first_with(const json_t *list, const char *key, const char *wanted, const char *result) {
  size_t i;
  json_t *one;
  json_array_foreach(list, i, one) {
    const char *value = text_at(one, key);
    if (value && !strcmp(value, wanted)) return text_at(one, result);
  }
  return NULL;
}

/* The first instance of a system that diverged. */
static const char *first_divergence(const json_t *root) {
  size_t i;
  json_t *one;
  json_array_foreach(json_object_get(json_object_get(root, "lockstep"), "instances"), i, one) {
    const char *what = text_at(json_object_get(one, "first"), "what");
    if (what) return what;
  }
  return NULL;
}

/* What is wrong, for the verbs whose documents say it in a place of their own. NULL: none of
 * these places. */
static const char *detail_of(const json_t *root) {
  const json_t *failure = json_object_get(root, "failure");
  const char *detail = text_at(failure, "port");
  if (!detail) detail = text_at(failure, "text");
  if (!detail) detail = first_divergence(root);
  if (!detail) detail = first_with(json_object_get(root, "properties"), "status", "refuted", "name");
  if (!detail) detail = first_with(json_object_get(root, "properties"), "status", "unknown", "name");
  if (!detail) detail = first_with(json_object_get(root, "properties"), "status", "vacuous", "name");
  if (!detail && json_is_false(json_object_get(root, "result_ok"))) detail = "memory differs from the host reference";
  if (!detail && json_integer_value(json_object_get(root, "survived")) > 0) detail = "mutants survived";
  return detail;
}

/* A line with " left" is progress. */
static bool is_complaint(const char *line) {
  static const char *const words[] = {"lockstack", "rror",  "ssert",        "FAIL",    "WRONG",
                                      "DIVERGED",  "STUCK", "NOT_COMPARED", "refuted", "MISSED"};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(line, words[i]) && !strstr(line, " left")) return true;
  return false;
}

/* Lines that a command prints while it waits for a build. */
static bool is_progress(const char *line) {
  static const char *const begins[] = {"lockstack: building ", "lockstack: reading ",
                                       "lockstack: another build of this block "};
  for (unsigned i = 0; i < sizeof begins / sizeof *begins; i++)
    if (strncmp(line, begins[i], strlen(begins[i])) == 0) return true;
  return false;
}

/* The first line that complains, else the last one. */
static void complaint_line(const char *output, char line[LINE]) {
  *line = 0;
  for (const char *p = output; p && *p;) {
    size_t n = strcspn(p, "\n");
    char one[LINE];
    snprintf(one, sizeof one, "%.*s", n < LINE ? (int)n : LINE - 1, p);
    p += n + (p[n] == '\n');
    if (is_progress(one)) continue;
    if (strspn(one, " \t\r") < strlen(one)) strcpy(line, one);
    if (is_complaint(one)) return;
  }
}

/* The document's detail is best: it names a port or a property. Without it, a killed job is
 * sorted by its signal. Only then does the output decide. A verb's own outcome (DIVERGED)
 * replaces FAIL. */
char *signature_of(const char *verb, const char *subject, const char *outcome, int exit_code, const json_t *root,
                   const char *output) {
  char line[LINE] = "", *text;
  const char *own = text_at(root, "outcome"), *detail = detail_of(root);
  if (detail) snprintf(line, sizeof line, "%s", detail);
  else if (!strcmp(outcome, "KILLED")) snprintf(line, sizeof line, "%s", strsignal(exit_code - 128));
  else if (!strcmp(outcome, "TIMEOUT")) strcpy(line, "time over");
  else complaint_line(output, line);
  signature_normalise(line);
  if (!strcmp(outcome, "FAIL") && own && *own) outcome = own;
  int n = asprintf(&text, "%s%s%s: %s%s%s", verb, *subject ? " " : "", subject, outcome, *line ? " " : "", line);
  return n < 0 ? NULL : utf8_clean(text); /* the cut may split a character */
}

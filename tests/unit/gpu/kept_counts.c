/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows and columns of the file of kept counts (kept_counts.h). An empty field is 0.
 */
#include "kept_counts.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"

enum { LINE = 4096 };

/* Field k of a row; empty: there is none. */
static const char *csv_field(const char *row, size_t k, char *text, size_t size) {
  for (; k && row; k--) row = strchr(row, ',') ? strchr(row, ',') + 1 : NULL;
  snprintf(text, size, "%.*s", row ? (int)strcspn(row, ",\n") : 0, row ? row : "");
  return text;
}

/* The column's names and the run's row. */
static bool find_row(const char *file, const char *run, char *head, char *row) {
  FILE *in = fopen(file, "r");
  char name[200];
  bool found = false;
  *head = 0;
  while (in && !found && fgets(row, LINE, in)) {
    if (*row == '#') continue;
    if (!*head) snprintf(head, LINE, "%s", row);
    else found = !strcmp(csv_field(row, 0, name, sizeof name), run);
  }
  if (in) fclose(in);
  return found;
}

void kept_counts_compare(const char *file, const char *run, const kept_count_t *counts, size_t n, char *text,
                         size_t size) {
  static char head[LINE], row[LINE];
  char name[100], value[100];
  size_t used = 0;
  *text = 0;
  if (!find_row(file, run, head, row)) {
    snprintf(text, size, "%s has no row %s", file, run);
    return;
  }
  for (size_t k = 0; k < n && used < size; k++) {
    uint64_t kept = strtoull(csv_field(row, k + 1, value, sizeof value), NULL, 10);
    if (strcmp(csv_field(head, k + 1, name, sizeof name), counts[k].name)) {
      snprintf(text, size, "%s: column %zu is %s, should be %s", file, k + 1, *name ? name : "missing", counts[k].name);
      return;
    }
    if (kept != counts[k].value)
      used += (size_t)snprintf(text + used, size - used, "%s%s %" PRIu64 ", kept %" PRIu64, used ? "; " : "", name,
                               counts[k].value, kept);
  }
}

/* A new row at the file's end; the first one writes the columns' names before it. */
static void add_row(const char *file, const char *run, const kept_count_t *counts, size_t n, bool first) {
  FILE *out = fopen(file, "a");
  if (!out) fail_msg("%s cannot be written", file);
  if (first) {
    fprintf(out, "# SPDX-License-Identifier: Apache-2.0\nrun");
    for (size_t k = 0; k < n; k++) fprintf(out, ",%s", counts[k].name);
    fputc('\n', out);
  }
  fputs(run, out);
  for (size_t k = 0; k < n; k++)
    if (counts[k].value) fprintf(out, ",%" PRIu64, counts[k].value);
    else fputc(',', out);
  fputc('\n', out);
  if (fclose(out)) fail_msg("%s cannot be written", file);
}

void kept_counts_hold(const char *file, const char *run, const kept_count_t *counts, size_t n) {
  static char head[LINE], row[LINE];
  char text[2000];
  const char *make = getenv("KEPT_COUNTS");
  if (make && !strcmp(make, "make") && !find_row(file, run, head, row)) add_row(file, run, counts, n, !*head);
  kept_counts_compare(file, run, counts, n, text, sizeof text);
  if (*text) fail_msg("%s: %s", run, text);
}

uint64_t kept_counts_of(const char *file, const char *run, const char *count) {
  static char head[LINE], row[LINE];
  char text[100];
  if (!find_row(file, run, head, row)) fail_msg("%s has no row %s", file, run);
  for (size_t k = 1; *csv_field(head, k, text, sizeof text); k++)
    if (!strcmp(text, count)) return strtoull(csv_field(row, k, text, sizeof text), NULL, 10);
  fail_msg("%s has no column %s", file, count);
  return 0;
}

/* Offset basis and prime of FNV-1a. */
uint64_t kept_counts_hash(const void *data, size_t bytes) {
  uint32_t hash = 2166136261u;
  for (const uint8_t *p = data; bytes--; p++) hash = (hash ^ *p) * 16777619u;
  return hash;
}

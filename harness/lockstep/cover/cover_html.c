/* SPDX-License-Identifier: Apache-2.0
 *
 * HTML pages, by genhtml from a tracefile in lcov's format.
 *
 *   SF:rtl/lib/fifo.sv     a file
 *   BRDA:12,1,0,3          line 12, kind of point, number of the point there, hits
 *   DA:12,3                line 12 ran three times
 *   end_of_record
 *
 * Lines and branches of the RTL are lines and branches there, too. A bit of a signal, or a
 * functional point, is a branch of the line that declares it. Waived points are left out.
 */
#include "cover_report.h"
#include "file.h"
#include "process.h"
#include "whole.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* By file, then by line. */
static int by_place(const void *a, const void *b) {
  const cover_point_t *p = *(const cover_point_t *const *)a, *q = *(const cover_point_t *const *)b;
  int order = strcmp(p->file, q->file);
  return order ? order : (p->line > q->line) - (p->line < q->line);
}

/* Hits of a point. A bit has one hit when it both rose and fell. */
static uint64_t times_hit(const cover_point_t *p) {
  return p->kind == COVER_TOGGLE ? p->rose && p->fell : p->count;
}

/* Writes the points of one line: its count (for a declaration, whether all bits toggled), and a
 * branch for each point. */
static void put_line(FILE *out, const cover_point_t *const *points, unsigned n) {
  uint64_t most = 0;
  bool waived = true, line = false;
  for (unsigned i = 0; i < n; i++) {
    const cover_point_t *p = points[i];
    if (p->kind == COVER_LINE && !line) most = 0, line = true;
    if ((p->kind == COVER_LINE || !line) && times_hit(p) > most) most = times_hit(p);
    waived &= p->state == COVER_WAIVED;
    if (p->state != COVER_WAIVED)
      fprintf(out, "BRDA:%u,%u,%u,%llu\n", p->line, p->kind, i, (unsigned long long)times_hit(p));
  }
  if (!waived) fprintf(out, "DA:%u,%llu\n", points[0]->line, (unsigned long long)most);
}

/* Writes the tracefile. `base` stands before paths that are relative. False: errno, and there is no
 * file. */
static bool put_info(const char *path, const cover_table_t *table, const char *base) {
  const cover_point_t **order = calloc(table->count + 1, sizeof *order);
  FILE *out = fopen(path, "w");
  if (!order || !out) {
    free(order);
    if (out) fclose(out);
    return false;
  }
  for (unsigned i = 0; i < table->count; i++) order[i] = &table->points[i];
  qsort(order, table->count, sizeof *order, by_place);
  for (unsigned i = 0, n; i < table->count; i += n) {
    if (!i || order[i]->file != order[i - 1]->file) {
      const bool whole = *order[i]->file == '/';
      fprintf(out, "%sTN:\nSF:%s%s%s\n", i ? "end_of_record\n" : "", whole ? "" : base, whole ? "" : "/",
              order[i]->file);
    }
    for (n = 1; i + n < table->count && by_place(&order[i], &order[i + n]) == 0;) n++;
    put_line(out, order + i, n);
  }
  fprintf(out, "end_of_record\n");
  free(order);
  if (!ferror(out) && fflush(out) == 0) return fclose(out) == 0;
  int error = errno;
  fclose(out);
  unlink(path);
  errno = error;
  return false;
}

/* True if this is genhtml's first page, which genhtml writes last. */
static bool is_page(const char *path) {
  char *text = file_read(path);
  const bool whole = text && strstr(text, "</html>");
  free(text);
  return whole;
}

bool cover_html(const char *folder, const char *block, const cover_result_t *r, trouble_t *trouble) {
  char info[4200], log[4200], page[4200];
  if (!file_folder(folder)) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", folder, strerror(errno));
  snprintf(info, sizeof info, "%s/cover.info", folder);
  snprintf(log, sizeof log, "%s/genhtml.log", folder);
  snprintf(page, sizeof page, "%s/index.html", folder);
  if (!put_info(info, &r->table, r->base))
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", info, strerror(errno));
  char *argv[] = {"genhtml",     "--branch-coverage",  "--quiet",      "--title",
                  (char *)block, "--output-directory", (char *)folder, info,
                  NULL};
  unlink(page); /* of another run */
  int status = process_run(argv, log, 0, NULL, NULL);
  if (status == PROCESS_NOT_STARTED)
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "genhtml is not installed: package lcov; %s is written", info);
  const bool whole = status == 0 && is_page(page);
  int room = whole ? 0 : whole_no_room(info);
  if (whole) return unlink(log), true;
  if (!room) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "genhtml failed: see %s", log);
  unlink(info), unlink(log);
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write the pages: %s", folder, strerror(room));
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `cover`, for people and as JSON.
 */
#include "cover_report.h"
#include "basis.h"
#include "number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* True if the point is the next bit of the row's signal, in the same state. */
static bool joins_row(const cover_row_t *row, const cover_point_t *p) {
  const cover_point_t *f = row->first;
  return p->kind == COVER_TOGGLE && f->kind == COVER_TOGGLE && p->bit >= 0 && f->file == p->file &&
         f->name == p->name && p->bit == row->msb + 1 && f->waiver == p->waiver && f->proved == p->proved &&
         f->rose == p->rose && f->fell == p->fell;
}

cover_row_t *cover_rows(const cover_table_t *table, cover_state_t state, unsigned *count) {
  cover_row_t *rows = calloc(table->count + 1, sizeof *rows);
  *count = 0;
  for (unsigned i = 0; rows && i < table->count; i++) {
    const cover_point_t *p = &table->points[i];
    if (p->state != state) continue;
    if (*count && joins_row(&rows[*count - 1], p)) {
      rows[*count - 1].msb = p->bit;
      rows[*count - 1].points++;
    } else rows[(*count)++] = (cover_row_t){p, 1, p->bit, p->bit};
  }
  return rows;
}

const char *cover_row_name(const cover_row_t *row, char *buf, size_t size) {
  if (row->msb < 0) snprintf(buf, size, "%s", row->first->name);
  else if (row->msb == row->lsb) snprintf(buf, size, "%s[%d]", row->first->name, row->msb);
  else snprintf(buf, size, "%s[%d:%d]", row->first->name, row->msb, row->lsb);
  return buf;
}

/* Sums over all kinds of points (kind -1), or those of one kind. */
static cover_sum_t total_points(const cover_result_t *r, int kind) {
  cover_sum_t sum = {0};
  for (int k = 0; k < COVER_KINDS; k++) {
    if (kind >= 0 && k != kind) continue;
    sum.points += r->sums[k].points;
    sum.hit += r->sums[k].hit;
    sum.waived += r->sums[k].waived;
    sum.proved += r->sums[k].proved;
  }
  return sum;
}

double cover_percent(const cover_result_t *r, int kind) {
  const cover_sum_t s = total_points(r, kind);
  return s.points > s.waived ? 100.0 * s.hit / (s.points - s.waived) : 100;
}

/* Are more than COVER_MOST_WAIVED % of all points waived without a proof? */
static bool too_many_waived(const cover_result_t *r) {
  const cover_sum_t s = total_points(r, -1);
  return (s.waived - s.proved) * 100 > COVER_MOST_WAIVED * s.points;
}

/* Number of stale waivers. */
static unsigned count_stale(const cover_result_t *r) {
  unsigned n = 0;
  for (unsigned i = 0; i < r->waivers.count; i++) n += waiver_stale(&r->waivers.list[i]) != NULL;
  return n;
}

bool cover_held(const cover_result_t *r, double least) {
  return r->outcome == OUTCOME_PASS && !r->stopped && cover_percent(r, -1) >= least && !too_many_waived(r) &&
         !count_stale(r);
}

/* Are there too few cycles for a reliable percentage (basis.h)? */
static bool is_few_cycles(const cover_result_t *r) {
  return r->cycles < BASIS_CYCLES;
}

/* --- for people */

/* What a missed bit did; it never did both. */
static const char *toggle_text(const cover_point_t *p) {
  if (p->rose) return "never fell";
  return p->fell ? "never rose" : "never changed";
}

/* One line for each row of missed points. */
static void print_misses(FILE *out, const cover_result_t *r) {
  char name[1200];
  unsigned n;
  cover_row_t *rows = cover_rows(&r->table, COVER_MISSED, &n);
  for (unsigned i = 0; rows && i < n; i++) {
    const cover_point_t *p = rows[i].first;
    fprintf(out, "  missed %-10s %s:%u  %s", cover_kind_name(p->kind), p->file, p->line,
            cover_row_name(&rows[i], name, sizeof name));
    if (p->kind == COVER_TOGGLE) fprintf(out, "  %s", toggle_text(p));
    else if (*p->text) fprintf(out, "  %s%s", p->kind == COVER_LINE ? "lines " : "", p->text);
    fputc('\n', out);
  }
  free(rows);
}

/* The ranked runs: few runs that reach the same coverage. */
static void print_ranked(FILE *out, const cover_result_t *r) {
  bool first = true;
  for (unsigned rank = 1;; rank++) {
    const cover_run_t *run = NULL;
    for (unsigned i = 0; i < r->num_runs && !run; i++)
      if (r->runs[i].rank == rank) run = &r->runs[i];
    if (!run) return;
    if (first)
      fprintf(out, "  fewest runs for the same:\n    %8s  %-20s %10s %8s\n", "seed", "profile", "cycles", "new");
    first = false;
    fprintf(out, "    %8" PRIu64 "  %-20s %10" PRIu64 " %8u%s%s\n", run->seed, run->profile, run->cycles, run->gain,
            *run->params ? "  " : "", run->params);
  }
}

/* Stale waivers, and a line if too much is waived. */
static void print_waivers(FILE *out, const cover_result_t *r) {
  for (unsigned i = 0; i < r->waivers.count; i++) {
    const waiver_t *v = &r->waivers.list[i];
    if (waiver_stale(v))
      fprintf(out, "  stale waiver %s:%u: %s %s\n", r->waivers.path, v->line, v->pattern, waiver_stale(v));
  }
  if (too_many_waived(r))
    fprintf(out, "  more than %d %% of the points are waived without a proof\n", COVER_MOST_WAIVED);
}

static const char *cover_verdict(const cover_result_t *r, double least) {
  if (r->stopped) return "INTERRUPTED";
  return cover_held(r, least) ? "PASS" : "FAIL";
}

void cover_print(FILE *out, const char *block, const cover_result_t *r, double least) {
  char cycles[28];
  if (r->outcome != OUTCOME_PASS) {
    const cover_run_t *run = &r->runs[r->num_runs - 1];
    fprintf(out, "%s %s: %s, cycle %" PRIu64 " of profile %s, seed %" PRIu64 "%s%s; `lockstack check` has more\n",
            outcome_name(r->outcome), block,
            r->failure.port >= 0 ? r->dut->ports[r->failure.port].name : r->failure.text, r->failure.cycle,
            run->profile, run->seed, *run->params ? ", " : "", run->params);
    return;
  }
  print_misses(out, r);
  print_ranked(out, r);
  print_waivers(out, r);
  fprintf(out, "  %-10s %8s %8s %8s %8s %8s\n", "", "points", "hit", "waived", "proved", "%");
  for (int k = 0; k < COVER_KINDS; k++)
    fprintf(out, "  %-10s %8u %8u %8u %8u %8.2f\n", cover_kind_name((cover_kind_t)k), r->sums[k].points, r->sums[k].hit,
            r->sums[k].waived, r->sums[k].proved, cover_percent(r, k));
  fprintf(out, "%s %s: %.2f %% of what is not waived, %u run%s, %s cycles in lockstep%s, %.1f s\n",
          cover_verdict(r, least), block, cover_percent(r, -1), r->num_runs, r->num_runs == 1 ? "" : "s",
          number_text(r->cycles, cycles), is_few_cycles(r) ? " (few)" : "", r->seconds);
}

/* --- for programs */

/* A row of points as JSON, with the reason of its waiver. */
static json_t *row_json(const cover_result_t *r, const cover_row_t *row) {
  char name[1200];
  const cover_point_t *p = row->first;
  json_t *json = json_pack("{s:s, s:s, s:i, s:s, s:i}", "kind", cover_kind_name(p->kind), "file", p->file, "line",
                           (int)p->line, "name", cover_row_name(row, name, sizeof name), "points", (int)row->points);
  if (p->kind == COVER_TOGGLE)
    json_object_set_new(json, "rose", json_boolean(p->rose)), json_object_set_new(json, "fell", json_boolean(p->fell));
  else if (*p->text) json_object_set_new(json, "text", json_string(p->text));
  if (p->waiver < 0 && p->proved) json_object_set_new(json, "reason", json_string("cannot rise and fall, proved"));
  if (p->waiver >= 0) json_object_set_new(json, "reason", json_string(r->waivers.list[p->waiver].reason));
  if (p->state == COVER_WAIVED) json_object_set_new(json, "proved", json_boolean(p->proved));
  return json;
}

/* The points in a state, row by row. */
static json_t *rows_json(const cover_result_t *r, cover_state_t state) {
  json_t *list = json_array();
  unsigned n;
  cover_row_t *rows = cover_rows(&r->table, state, &n);
  for (unsigned i = 0; rows && i < n; i++) json_array_append_new(list, row_json(r, &rows[i]));
  free(rows);
  return list;
}

/* The ranked runs, best first. */
static json_t *ranked_json(const cover_result_t *r) {
  json_t *list = json_array();
  for (unsigned rank = 1; rank <= r->num_runs; rank++)
    for (unsigned i = 0; i < r->num_runs; i++)
      if (r->runs[i].rank == rank)
        json_array_append_new(list, json_pack("{s:I, s:s, s:s, s:I, s:i, s:i}", "seed", (json_int_t)r->runs[i].seed,
                                              "profile", r->runs[i].profile, "params", r->runs[i].params, "cycles",
                                              (json_int_t)r->runs[i].cycles, "hit", (int)r->runs[i].hit, "new",
                                              (int)r->runs[i].gain));
  return list;
}

/* The stale waivers, with the reason. */
static json_t *stale_json(const cover_result_t *r) {
  json_t *list = json_array();
  for (unsigned i = 0; i < r->waivers.count; i++) {
    const waiver_t *v = &r->waivers.list[i];
    if (waiver_stale(v))
      json_array_append_new(
          list, json_pack("{s:i, s:s, s:s}", "line", (int)v->line, "pattern", v->pattern, "why", waiver_stale(v)));
  }
  return list;
}

void cover_json(json_t *root, const cover_result_t *r) {
  for (int k = 0; k < COVER_KINDS; k++) {
    const cover_sum_t *s = &r->sums[k];
    json_object_set_new(root, cover_kind_name((cover_kind_t)k),
                        json_pack("{s:i, s:i, s:i, s:i, s:f}", "points", (int)s->points, "hit", (int)s->hit, "waived",
                                  (int)s->waived, "proved", (int)s->proved, "percent", cover_percent(r, k)));
  }
  json_object_update_new(
      root, json_pack("{s:s, s:b, s:i, s:I, s:f, s:o, s:o, s:o, s:o, s:f}", "outcome",
                      outcome_name(r->stopped && r->outcome == OUTCOME_PASS ? OUTCOME_INTERRUPTED : r->outcome), "few",
                      is_few_cycles(r), "runs", (int)r->num_runs, "cycles", (json_int_t)r->cycles, "percent",
                      cover_percent(r, -1), "misses", rows_json(r, COVER_MISSED), "waivers", rows_json(r, COVER_WAIVED),
                      "stale", stale_json(r), "ranked", ranked_json(r), "seconds", r->seconds));
}

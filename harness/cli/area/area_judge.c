/* SPDX-License-Identifier: Apache-2.0
 *
 * The ratchet and the papers' figures: what `area` compares its measurements with.
 */
#include "area_judge.h"
#include "cli.h"
#include "published.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT = 4096 };

/* ---- the ratchet */

int ratchet_open(ratchet_t *r, const char *path, const char *reason, bool update) {
  trouble_t trouble;
  *r = (ratchet_t){.path = path, .reason = reason, .update = update};
  return budget_read(&r->budget, path, &trouble) ? 0 : cli_trouble(&trouble);
}

/* What was measured, as a line of the budget. A block outside the tree is named by its path from
 * the budget's folder, so that both may move together. */
static budget_line_t make_budget_line(const ratchet_t *r, const area_job_t *j, const area_t *a, double period) {
  budget_line_t l = {.period = period > 0 ? period : 0,
                     .cells = a->cells,
                     .flipflops = a->flipflops,
                     .area = a->area,
                     .path = a->path < 0 ? -1 : a->path,
                     .macro_bits = area_macro_bits(a)};
  snprintf(l.library, sizeof l.library, "%s", j->target->name);
  if (!j->own || !budget_place(r->path, j->ports, j->block, l.block)) snprintf(l.block, sizeof l.block, "%s", j->block);
  snprintf(l.params, sizeof l.params, "%s", j->params);
  return l;
}

static const char *verdict_name(budget_verdict_t v) {
  static const char *const names[] = {"held", "smaller", "grown", "none"};
  return names[v];
}

/* Updates the budget's line of this block if it may; true: it did. A block that shrank keeps its
 * old reason. A line without a period gets one for nothing, as long as the rest holds. */
static bool update_line(ratchet_t *r, budget_verdict_t v, budget_line_t *now) {
  const budget_line_t *was = budget_find(&r->budget, now->library, now->block, now->params);
  const bool first = v == BUDGET_HELD && now->period > 0 && was && !(was->period > 0);
  if (was && !(now->period > 0)) now->period = was->period;
  if (!r->update || (v == BUDGET_HELD && !first) || (!r->reason && v != BUDGET_SMALLER && !first)) return false;
  if (first) { /* all else stays as it was */
    const double period = now->period;
    *now = *was, now->period = period;
    return budget_set(&r->budget, now);
  }
  snprintf(now->reason, sizeof now->reason, "%s", r->reason ? r->reason : was->reason);
  return budget_set(&r->budget, now);
}

/* The end of a row's budget line: what the user can do about this verdict. */
static const char *update_advice(budget_verdict_t v, bool updated) {
  if (updated) return "; line written";
  if (v == BUDGET_SMALLER) return "; --update would keep it so";
  if (v == BUDGET_NONE) return "; --update --reason TEXT gives it one";
  return "; if that has to be: --update --reason TEXT";
}

void ratchet_row(ratchet_t *r, FILE *out, const area_job_t *j, const area_t *a, double period, json_t *row) {
  char why[TEXT];
  budget_line_t now = make_budget_line(r, j, a, period);
  budget_verdict_t v = budget_judge(budget_find(&r->budget, now.library, now.block, now.params), &now, why, sizeof why);
  bool updated = update_line(r, v, &now);
  unsigned *const count[] = {&r->held, &r->smaller, &r->grown, &r->none};
  if (updated) r->changed++;
  else (*count[v])++;
  if (v != BUDGET_HELD) fprintf(out, "    budget: %s%s\n", why, update_advice(v, updated));
  json_object_set_new(row, "budget",
                      json_pack("{s:s, s:s, s:b}", "verdict", verdict_name(v), "why", why, "updated", updated));
}

bool ratchet_failed(const ratchet_t *r) {
  return r->grown || r->none;
}

int ratchet_close(ratchet_t *r, FILE *out) {
  trouble_t trouble;
  int code = 0;
  if (r->changed && !budget_write(&r->budget, r->path, &trouble)) code = cli_trouble(&trouble);
  fprintf(out, "Budget %s: %u held, %u smaller, %u grown, %u without a line, %u lines written\n", r->path, r->held,
          r->smaller, r->grown, r->none, r->changed);
  budget_free(&r->budget);
  return code;
}

/* ---- the papers */

json_t *papers_json(const char *block, const area_t *a, const area_rules_t *rules) {
  json_t *list = json_array();
  for (const paper_t *p = papers; p < papers + papers_count; p++) {
    if (strcmp(p->block, block ? block : "") != 0) continue;
    const published_t *paper = published_find(p->id);
    double theirs = strtod(*p->value ? p->value : paper->value, NULL);
    double ours = paper_ours(p, a, rules->target->cells->nm, &rules->factors, &rules->fit);
    json_array_append_new(list, json_pack("{s:s, s:s, s:f, s:o, s:s, s:o, s:s, s:s, s:b}", "what", p->what, "id", p->id,
                                          "published", theirs, "ours", ours < 0 ? json_null() : json_real(ours), "unit",
                                          p->unit, "ratio", ours < 0 ? json_null() : json_real(ours / theirs), "source",
                                          p->source, "note", p->note, "has_rtl", *p->block != 0));
  }
  return list;
}

void papers_print(FILE *out, const json_t *list) {
  size_t at;
  const json_t *p;
  if (!json_array_size(list)) return;
  fprintf(out, "\n%-48s  %10s  %10s  %6s  unit  source; note\n", "the papers' areas and storage, and ours", "published",
          "ours", "ratio");
  json_array_foreach(list, at, p) {
    const json_t *ours = json_object_get(p, "ours");
    fprintf(out, "%-48s  %10.4g  ", json_string_value(json_object_get(p, "what")),
            json_number_value(json_object_get(p, "published")));
    if (json_is_number(ours))
      fprintf(out, "%10.4g  %6.2f  ", json_number_value(ours), json_number_value(json_object_get(p, "ratio")));
    else fprintf(out, "%10s  %6s  ", "-", "-");
    fprintf(out, "%-4s  %s; %s\n", json_string_value(json_object_get(p, "unit")),
            json_string_value(json_object_get(p, "source")), json_string_value(json_object_get(p, "note")));
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "waive.h"

#include "judged.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORM "a waiver is: line|toggle|functional PATTERN reason"

/* The trouble of a line of the file. Returns false. */
static bool wrong_waiver(const waivers_t *w, unsigned line, const char *what, trouble_t *trouble) {
  return trouble_set(trouble, TROUBLE_INPUT, "%s:%u: %s", w->path, line, what);
}

/* Moves the bits of "addr_q[31:28]" or "full[]" from the pattern into the waiver. Brackets with
 * other content stay. */
static void take_bits(waiver_t *v) {
  int msb, lsb, n = 0;
  char *open = strrchr(v->pattern, '[');
  v->msb = v->lsb = -1;
  if (!open || v->kind != COVER_TOGGLE) return;
  if (sscanf(open, "[%d:%d]%n", &msb, &lsb, &n) == 2 && n && !open[n]) v->msb = msb, v->lsb = lsb;
  else if (n = 0, sscanf(open, "[%d]%n", &msb, &n) == 1 && n && !open[n]) v->msb = v->lsb = msb;
  else v->scalar = strcmp(open, "[]") == 0;
  if (v->msb >= 0 || v->scalar) *open = 0;
}

/* Parses one line: kind, pattern, reason. Skips empty lines and comments. */
static bool read_line(waivers_t *w, char *text, unsigned line, trouble_t *trouble) {
  char *rest, *kind = strtok_r(text, " \t\n", &rest), *pattern = strtok_r(NULL, " \t\n", &rest);
  waiver_t v = {.line = line};
  if (!kind || *kind == '#') return true;
  while (v.kind < COVER_KINDS && strcmp(kind, cover_kind_name(v.kind))) v.kind++;
  if (v.kind == COVER_KINDS) return wrong_waiver(w, line, FORM, trouble);
  char *reason = pattern && rest ? rest + strspn(rest, " \t") : NULL;
  if (reason) reason[strcspn(reason, "\n")] = 0;
  if (!reason || !*reason) return wrong_waiver(w, line, "a reason is missing; " FORM, trouble);
  waiver_t *list = realloc(w->list, (w->count + 1) * sizeof *list);
  if (!list) return trouble_memory(trouble);
  w->list = list;
  v.pattern = strdup(pattern);
  v.reason = strdup(reason);
  if (!v.pattern || !v.reason) return trouble_memory(trouble);
  take_bits(&v);
  w->list[w->count++] = v;
  return true;
}

bool waivers_read(waivers_t *w, const char *path, trouble_t *trouble) {
  char *text = NULL;
  size_t room = 0;
  unsigned line = 0;
  bool ok = true;
  *w = (waivers_t){0};
  snprintf(w->path, sizeof w->path, "%s", path);
  judged_file(path);
  FILE *file = fopen(path, "r");
  if (!file && errno == ENOENT) return true;
  if (!file) return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno));
  while (ok && getline(&text, &room, file) > 0) ok = read_line(w, text, ++line, trouble);
  free(text);
  fclose(file);
  return ok;
}

void waivers_free(waivers_t *w) {
  for (unsigned i = 0; i < w->count; i++) {
    free(w->list[i].pattern);
    free(w->list[i].reason);
  }
  free(w->list);
}

/* Matches a pattern in which `*` stands for any text; brackets match themselves. */
static bool pattern_fits(const char *pattern, const char *text) {
  for (; *pattern != '*'; pattern++, text++) {
    if (*pattern != *text) return false;
    if (!*text) return true;
  }
  for (; pattern_fits(pattern + 1, text) == false; text++)
    if (!*text) return false;
  return true;
}

/* True if the waiver's pattern matches the point, and its bits include the point's bit. */
static bool waiver_covers(const waiver_t *v, const cover_point_t *p) {
  char text[2048];
  if (p->kind != v->kind) return false;
  if (p->kind == COVER_FUNCTIONAL) return pattern_fits(v->pattern, p->name);
  if (p->kind == COVER_LINE) snprintf(text, sizeof text, "%s:%u:%s", p->file, p->line, p->name);
  else snprintf(text, sizeof text, "%s:%s", p->file, p->name);
  if (!pattern_fits(v->pattern, text)) return false;
  if (v->scalar) return p->bit < 0;
  const int bit = p->bit < 0 ? 0 : p->bit;
  return v->msb < 0 || (bit <= v->msb && bit >= v->lsb);
}

void waivers_apply(waivers_t *w, cover_table_t *t) {
  for (unsigned k = 0; k < w->count; k++) {
    waiver_t *v = &w->list[k];
    v->matched = v->hit = 0;
    for (unsigned i = 0; i < t->count; i++) {
      cover_point_t *p = &t->points[i];
      if (!waiver_covers(v, p)) continue;
      v->matched++;
      v->hit += p->state == COVER_HIT;
      if (p->state != COVER_MISSED) continue;
      p->state = COVER_WAIVED;
      p->waiver = (int)k;
    }
  }
}

bool waiver_claims(const waiver_t *v) {
  return strncmp(v->reason, "unreachable", strlen("unreachable")) == 0;
}

const char *waiver_stale(const waiver_t *v) {
  if (!v->matched) return "matches no point";
  if (v->hit) return "matches a point that is hit";
  return v->refuted ? "claims what a proof refutes" : NULL;
}

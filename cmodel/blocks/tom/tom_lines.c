/* SPDX-License-Identifier: Apache-2.0
 *
 * One push or end in work at a time. Numbers in brackets are rules of the port file.
 */
#include "tom_lines.h"

#include <string.h>

#include "bits.h"

void tom_lines_reset(tom_lines_t *s) {
  memset(s, 0, sizeof *s);
}

/* The list has this line. */
static bool has(const tom_list_t *list, uint64_t line) {
  for (unsigned i = 0; i < list->count; i++)
    if (list->line[i] == line) return true;
  return false;
}

/* No push or end is in work: both ready outputs [1]. */
static bool is_free(const tom_lines_t *s) {
  return !s->push && !s->ahead && !s->fetch && !s->last;
}

/* The beat of rule 5: number of lines, then the lines. */
static void show_list(const tom_list_t *list, uint32_t *beat) {
  bits_put(beat, 0, TOM_LIST_COUNT_W, list->count);
  for (unsigned i = 0; i < list->count; i++) bits_put(beat, TOM_LIST_COUNT_W + i * (LineBits), LineBits, list->line[i]);
}

void tom_lines_eval(const tom_lines_t *s, const tom_lines_in_t *in, tom_lines_out_t *out) {
  (void)in;
  memset(out, 0, sizeof *out);
  out->push_ready = out->end_ready = is_free(s);
  out->list_valid = s->ahead || s->last;
  out->list_last = s->last;
  out->list_warp = s->last ? s->end_warp : s->push_warp;
  show_list(&s->list[out->list_warp], out->list_beat);
  out->probe_read = s->read;
  out->probe_done = s->push;
  out->probe_added = !has(&s->list[s->push_warp], s->line);
  out->probe_count = s->list[s->push_warp].count;
}

/* The push is done; an end that came with it follows [4]. */
static void go_on(tom_lines_t *s) {
  s->push = s->ahead = false;
  s->fetch = s->end;
  s->end = false;
}

/* An end alone shows its list in the next cycle; with a push it waits [1, 4]. */
static void accept(tom_lines_t *s, const tom_lines_in_t *in) {
  s->push = in->push_valid;
  s->end = in->push_valid && in->end_valid;
  s->last = !in->push_valid && in->end_valid;
  s->push_warp = (unsigned)in->push_warp;
  s->end_warp = (unsigned)in->end_warp;
  s->line = in->push_line;
}

/* A line that the list has is not added again [2]. A full list goes ahead of a new line [3]. */
static void add(tom_lines_t *s) {
  tom_list_t *list = &s->list[s->push_warp];
  const bool known = has(list, s->line);
  if (!known && list->count == (Lines)) {
    s->push = false;
    s->ahead = true;
    return;
  }
  if (!known) list->line[list->count++] = s->line;
  go_on(s);
}

/* A list that is taken becomes empty; behind a list sent ahead the new line is its first [3]. */
void tom_lines_step(tom_lines_t *s, const tom_lines_in_t *in) {
  s->read = s->fetch || (is_free(s) && (in->push_valid || in->end_valid));
  if (is_free(s)) {
    accept(s, in);
  } else if (s->push) {
    add(s);
  } else if (s->fetch) {
    s->fetch = false;
    s->last = true;
  } else if (in->list_ready && s->ahead) {
    s->list[s->push_warp].line[0] = s->line;
    s->list[s->push_warp].count = 1;
    go_on(s);
  } else if (in->list_ready) {
    s->list[s->end_warp].count = 0;
    s->last = false;
  }
}

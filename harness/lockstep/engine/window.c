/* SPDX-License-Identifier: Apache-2.0 */
#include "window.h"

#include "report.h"
#include "telling.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void window_free(window_t *w) {
  for (size_t i = 0; i < w->num_lines; i++) {
    free(w->lines[i].inputs);
    free(w->lines[i].packets);
    free(w->lines[i].before);
  }
  free(w->lines);
  free(w->in);
  free(w->model);
  free(w->rtl);
  free(w->after);
  free(w->text);
  memset(w, 0, sizeof *w);
}

const void *window_fields(const window_t *w, const dut_port_t *port, size_t cycle, bool rtl) {
  if (w->reset[cycle] && !port->in_reset) return NULL;
  if (port->dir == DUT_IN) return w->in + cycle * w->dut->in_size;
  if (w->no_outputs && cycle + 1 == w->count) return NULL;
  return (rtl ? w->rtl : w->model) + cycle * w->dut->out_size;
}

/* The first cycle with a line. From there on, cycles with packets alone have one, too. */
static size_t first_told(const trace_t *trace, const bool *shown) {
  size_t from = 0;
  while (from < trace->count && !shown[from]) from++;
  return from;
}

/* The output of write(out, a, b) as a string; NULL: empty, or out of memory. */
static char *printed_text(void (*write)(FILE *, const void *, const void *), const void *a, const void *b) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  write(out, a, b);
  if (fclose(out) == 0 && size) return text;
  free(text);
  return NULL;
}

static void write_inputs(FILE *out, const void *dut, const void *cycle) {
  report_inputs(out, dut, cycle);
}

static void write_packets(FILE *out, const void *ls, const void *unused) {
  (void)unused;
  report_packets(out, ls);
}

static void write_failure(FILE *out, const void *ls, const void *failure) {
  report_failure(out, ls, failure);
}

/* What the cycles behind the last line have, up to cycle `to`; NULL: there are none. */
static char *told_between(const window_t *w, const trace_t *trace, size_t to) {
  char text[TELLING_TEXT];
  const size_t from = w->num_lines ? (size_t)w->lines[w->num_lines - 1].cycle + 1 : 0;
  return *telling_between(w->dut, trace, from, to, text) ? strdup(text) : NULL;
}

/* Appends a line and takes over both texts, also on failure. */
static bool add_line(window_t *w, const trace_t *trace, uint64_t cycle, char *inputs, char *packets) {
  if (!inputs && !packets) return true;
  window_line_t *more = realloc(w->lines, (w->num_lines + 1) * sizeof *more);
  if (!more) {
    free(inputs);
    free(packets);
    return false;
  }
  w->lines = more;
  const window_line_t line = {cycle, inputs, packets, told_between(w, trace, (size_t)cycle)};
  w->lines[w->num_lines++] = line;
  return true;
}

/* Stores inputs and outputs of one cycle. If the pair has not diverged, the RTL's outputs equal the
 * model's. */
static void keep_values(window_t *w, const lockstep_t *ls, const trace_cycle_t *cycle, size_t at) {
  const dut_t *dut = w->dut;
  w->reset[at] = cycle->reset;
  if (cycle->in) memcpy(w->in + at * dut->in_size, cycle->in, dut->in_size);
  if (cycle->reset) return;
  memcpy(w->model + at * dut->out_size, ls->out, dut->out_size);
  memcpy(w->rtl + at * dut->out_size, ls->outcome == OUTCOME_DIVERGED ? ls->rtl_out : ls->out, dut->out_size);
  w->no_outputs = outcome_of_model(ls->outcome);
}

/* Room for WINDOW_CYCLES cycles; the rest stays zero. */
static bool make_room(window_t *w) {
  const dut_t *dut = w->dut;
  w->in = calloc(WINDOW_CYCLES, dut->in_size + 8);
  w->model = calloc(WINDOW_CYCLES, dut->out_size + 8);
  w->rtl = calloc(WINDOW_CYCLES, dut->out_size + 8);
  return w->in && w->model && w->rtl;
}

/* Plays the recording; near its end stores values and lines cycle by cycle. */
static bool play_to_window(window_t *w, lockstep_t *ls, const trace_t *trace, const bool *shown) {
  size_t told = first_told(trace, shown), from = told < w->from ? told : (size_t)w->from;
  run_cycles(ls, trace->cycles, 0, from, 0);
  for (size_t i = from; i < trace->count; i++) {
    const trace_cycle_t *c = &trace->cycles[i];
    run_cycles(ls, trace->cycles, i, i + 1, 0);
    if (i >= w->from) keep_values(w, ls, c, i - (size_t)w->from);
    if (i < told) continue;
    char *inputs = shown[i] ? printed_text(write_inputs, w->dut, c) : NULL;
    char *packets = !c->reset && ls->outcome == OUTCOME_PASS ? printed_text(write_packets, ls, NULL) : NULL;
    if (!add_line(w, trace, i, inputs, packets)) return false;
  }
  w->after = told_between(w, trace, trace->count - 1);
  return true;
}

bool window_take(window_t *w, lockstep_t *ls, const trace_t *trace, const failure_t *failure) {
  memset(w, 0, sizeof *w);
  w->dut = ls->dut;
  w->from = trace->count > WINDOW_CYCLES ? trace->count - WINDOW_CYCLES : 0;
  w->to = trace->count ? trace->count - 1 : 0;
  bool *shown = telling_choose(w->dut, trace);
  bool ok = shown && trace->count > 0 && make_room(w) && lockstep_power_up(ls) && play_to_window(w, ls, trace, shown);
  free(shown);
  if (!ok) {
    window_free(w);
    return false;
  }
  w->count = (size_t)(w->to - w->from) + 1;
  bool again =
      failure->outcome == OUTCOME_DIVERGED ? ls->outcome == OUTCOME_DIVERGED : failure->outcome != OUTCOME_PASS;
  if (again) w->text = printed_text(write_failure, ls, failure);
  return true;
}

void window_print(FILE *out, const window_t *w) {
  if (!w->num_lines && !w->after) {
    fprintf(out, "  no inputs before it: in cycle %" PRIu64 ", the first, all are 0\n", w->to);
    return;
  }
  fprintf(out, "  last inputs before it:\n");
  for (size_t i = 0; i < w->num_lines; i++) {
    const window_line_t *line = &w->lines[i];
    if (line->before) fprintf(out, "      ... %s\n", line->before);
    if (line->inputs) fprintf(out, "    cycle %-6" PRIu64 " %s\n", line->cycle, line->inputs);
    for (const char *p = line->packets; p && *p;) {
      const char *end = strchrnul(p, '\n');
      fprintf(out, "                   %.*s\n", (int)(end - p), p);
      p = *end ? end + 1 : end;
    }
  }
  if (w->after) fprintf(out, "      ... %s\n", w->after);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "window.h"

#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void window_free(window_t *w) {
  for (size_t i = 0; i < w->num_lines; i++) {
    free(w->lines[i].inputs);
    free(w->lines[i].packets);
  }
  free(w->lines);
  free(w->in);
  free(w->model);
  free(w->rtl);
  free(w->text);
  memset(w, 0, sizeof *w);
}

const void *window_fields(const window_t *w, const dut_port_t *port, size_t cycle, bool rtl) {
  if (w->reset[cycle] && !port->in_reset) return NULL;
  if (port->dir == DUT_IN) return w->in + cycle * w->dut->in_size;
  if (w->no_outputs && cycle + 1 == w->count) return NULL;
  return (rtl ? w->rtl : w->model) + cycle * w->dut->out_size;
}

/* The first cycle to print: from there on, WINDOW_INPUTS cycles bring something. */
static size_t first_told(const dut_t *dut, const trace_t *trace) {
  size_t from = trace->count, found = 0;
  while (from > 0 && found < WINDOW_INPUTS) found += report_brings(dut, trace, --from);
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

/* Appends a line and takes over both texts, also on failure. */
static bool add_line(window_t *w, uint64_t cycle, char *inputs, char *packets) {
  if (!inputs && !packets) return true;
  window_line_t *more = realloc(w->lines, (w->num_lines + 1) * sizeof *more);
  if (!more) {
    free(inputs);
    free(packets);
    return false;
  }
  w->lines = more;
  w->lines[w->num_lines++] = (window_line_t){cycle, inputs, packets};
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
static bool play_to_window(window_t *w, lockstep_t *ls, const trace_t *trace) {
  size_t told = first_told(w->dut, trace), from = told < w->from ? told : (size_t)w->from;
  run_cycles(ls, trace->cycles, 0, from, 0);
  for (size_t i = from; i < trace->count; i++) {
    const trace_cycle_t *c = &trace->cycles[i];
    run_cycles(ls, trace->cycles, i, i + 1, 0);
    if (i >= w->from) keep_values(w, ls, c, i - (size_t)w->from);
    if (i < told) continue;
    char *inputs = report_brings(w->dut, trace, i) ? printed_text(write_inputs, w->dut, c) : NULL;
    char *packets = !c->reset && ls->outcome == OUTCOME_PASS ? printed_text(write_packets, ls, NULL) : NULL;
    if (!add_line(w, i, inputs, packets)) return false;
  }
  return true;
}

bool window_take(window_t *w, lockstep_t *ls, const trace_t *trace, const failure_t *failure) {
  memset(w, 0, sizeof *w);
  w->dut = ls->dut;
  w->from = trace->count > WINDOW_CYCLES ? trace->count - WINDOW_CYCLES : 0;
  w->to = trace->count ? trace->count - 1 : 0;
  bool ok = trace->count > 0 && make_room(w) && lockstep_power_up(ls) && play_to_window(w, ls, trace);
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
  for (size_t i = 0; i < w->num_lines; i++) {
    const window_line_t *line = &w->lines[i];
    if (line->inputs) fprintf(out, "    cycle %-6" PRIu64 " %s\n", line->cycle, line->inputs);
    for (const char *p = line->packets; p && *p;) {
      const char *end = strchrnul(p, '\n');
      fprintf(out, "                   %.*s\n", (int)(end - p), p);
      p = *end ? end + 1 : end;
    }
  }
}

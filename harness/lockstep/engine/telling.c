/* SPDX-License-Identifier: Apache-2.0 */
#include "telling.h"

#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_idle(const dut_t *dut, const trace_cycle_t *c) {
  const char *in = (const char *)c->in;
  size_t i = 0;
  while (in && i < dut->in_size && !in[i]) i++;
  return !c->reset && (!in || i == dut->in_size);
}

/* True if cycle `at` has the inputs of the cycle before. */
static bool is_repeated(const dut_t *dut, const trace_t *trace, size_t at) {
  if (!at || at >= trace->count) return false;
  const trace_cycle_t *a = &trace->cycles[at - 1], *b = &trace->cycles[at];
  if (a->reset || b->reset) return a->reset == b->reset;
  if (!a->in || !b->in) return is_idle(dut, a) && is_idle(dut, b);
  return memcmp(a->in, b->in, dut->in_size) == 0;
}

bool *telling_choose(const dut_t *dut, const trace_t *trace) {
  bool *shown = calloc(trace->count + 1, sizeof *shown);
  size_t count = 0;
  for (size_t i = 0; shown && i < trace->count; i++) {
    shown[i] = report_brings(dut, trace, i) && !(is_repeated(dut, trace, i) && is_repeated(dut, trace, i + 1));
    count += shown[i];
  }
  const size_t hidden = count > TELLING_ALL ? count - TELLING_LAST : 0;
  for (size_t i = 0, n = 0; n < hidden; i++)
    if (shown[i]) shown[i] = false, n++;
  return shown;
}

const char *telling_between(const dut_t *dut, const trace_t *trace, size_t from, size_t to, char text[TELLING_TEXT]) {
  size_t idle = 0, same = 0, n = to > from ? to - from : 0;
  const char *s = n == 1 ? "" : "s";
  for (size_t i = from; i < to; i++) {
    idle += is_idle(dut, &trace->cycles[i]);
    same += is_repeated(dut, trace, i);
  }
  *text = 0;
  if (n && idle == n) snprintf(text, TELLING_TEXT, "%zu idle cycle%s", n, s);
  else if (n && from && same == n) snprintf(text, TELLING_TEXT, "%zu cycle%s with the inputs of the one before", n, s);
  else if (n && idle) snprintf(text, TELLING_TEXT, "%zu cycle%s, %zu of them idle", n, s, idle);
  else if (n) snprintf(text, TELLING_TEXT, "%zu cycle%s with other inputs", n, s);
  return text;
}

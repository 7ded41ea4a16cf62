/* SPDX-License-Identifier: Apache-2.0 */
#include "legal.h"

#include "against.h"
#include "guard.h"
#include "lockstep.h"

#include <stdlib.h>
#include <string.h>

static const legal_t *rules_of(const dut_t *dut) {
  return dut->stim ? dut->stim->legal : NULL;
}

bool legal_open(legal_run_t *legal, const dut_t *dut) {
  memset(legal, 0, sizeof *legal);
  if (!rules_of(dut)) return false;
  legal->dut = dut;
  legal->state = malloc(rules_of(dut)->state_size + 1);
  legal->model = guard_memory(dut->model_size);
  legal->out = guard_memory(dut->out_size);
  legal->in = calloc(1, dut->in_size + 8);
  legal->mask = calloc(1, dut->in_size + 8);
  legal->errors = calloc(1, dut->out_size + 8);
  if (legal->state && legal->model && legal->out && legal->in && legal->mask && legal->errors) {
    dut_input_mask(dut, legal->mask);
    return true;
  }
  legal_close(legal);
  return false;
}

void legal_close(legal_run_t *legal) {
  if (!legal->dut) return;
  free(legal->state);
  against_end(legal->dut, legal->model);
  guard_free(legal->model, legal->dut->model_size);
  guard_free(legal->out, legal->dut->out_size);
  free(legal->in);
  free(legal->mask);
  free(legal->errors);
  memset(legal, 0, sizeof *legal);
}

/* Handler of a model that asserts or crashes: leaves the call. */
static void on_model_left(void *context, const char *file, unsigned line, const char *text) {
  (void)file;
  (void)line;
  (void)text;
  _longjmp(((legal_run_t *)context)->jump, 1);
}

static void reset_legal(legal_run_t *legal, const void *in) {
  memset(legal->state, 0, rules_of(legal->dut)->state_size);
  legal->dut->model_reset(legal->model, in);
}

static bool break_rule(legal_run_t *legal, const char *rule, size_t cycle) {
  legal->rule = rule;
  legal->cycle = cycle;
  return false;
}

/* The name of an error output that rises and did not in the recording taken. NULL: none. */
static const char *new_error(legal_run_t *legal) {
  for (unsigned i = 0; i < legal->dut->num_ports; i++) {
    const dut_port_t *p = &legal->dut->ports[i];
    if (!p->error) continue;
    for (uint32_t k = p->offset; k < p->offset + p->size; k++) {
      const char now = ((const char *)legal->out)[k];
      if (!legal->taking && (now & ~legal->errors[k])) return p->name;
      legal->errors[k] |= now;
    }
  }
  return NULL;
}

/* One cycle: model outputs first, then the rules on inputs and outputs together. */
static bool cycle_of(legal_run_t *legal, const uint64_t *in, size_t at) {
  const dut_t *dut = legal->dut;
  uint64_t *trimmed = legal->in;
  for (uint32_t w = 0; w < dut->in_size / 8; w++) trimmed[w] = in ? in[w] & ((const uint64_t *)legal->mask)[w] : 0;
  memset(legal->out, 0, dut->out_size);
  dut->model_eval(legal->model, trimmed, legal->out);
  dut->canonical(legal->out);
  const char *error = new_error(legal);
  if (error) return break_rule(legal, error, at);
  const int rule = rules_of(dut)->broken(legal->state, trimmed, legal->out);
  if (rule >= 0) return break_rule(legal, rules_of(dut)->rules[rule], at);
  dut->model_step(legal->model, trimmed);
  return true;
}

bool legal_holds(legal_run_t *legal, const trace_cycle_t *cycles, size_t count) {
  legal->rule = NULL;
  legal->dut->on_model_assert(on_model_left, legal);
  if (_setjmp(legal->jump)) return true;
  against_end(legal->dut, legal->model);
  memset(legal->model, 0, legal->dut->model_size);
  reset_legal(legal, NULL);
  for (size_t i = 0; i < count; i++) {
    if (cycles[i].reset) reset_legal(legal, cycles[i].in);
    else if (!cycle_of(legal, cycles[i].in, i)) return false;
  }
  return true;
}

bool legal_take(legal_run_t *legal, const trace_cycle_t *cycles, size_t count) {
  memset(legal->errors, 0, legal->dut->out_size);
  legal->taking = true;
  const bool holds = legal_holds(legal, cycles, count);
  legal->taking = false;
  return holds;
}

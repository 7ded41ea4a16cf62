/* SPDX-License-Identifier: Apache-2.0
 *
 * `run --power INSTANCE`: an instance's gates run in lockstep with its model inside the system and
 * count toggles; power_report.c makes power of them.
 */
#include "run_power.h"

#include "cli.h"
#include "draw.h"
#include "lockstep_verbs.h"
#include "power_report.h"
#include "process.h"

#include <inttypes.h>

int run_power_choose(const run_power_t *w, system_options_t *system) {
  trouble_t trouble = {0};
  if (!w->instance) return 0;
  if (!system_set_gates(system, w->instance, &trouble))
    return cli_error((cli_exit_t)trouble.kind, "--power: %s", trouble.text);
  snprintf(system->gates.cells, sizeof system->gates.cells, "%s", w->cells);
  if (!process_there("sta"))
    return cli_error(EXIT_ENV, "--power: OpenSTA (sta) is not installed: package opensta has it");
  return w->pictures && !draw_check(w->pictures, &trouble) ? cli_trouble(&trouble) : 0;
}

/* While a tool runs: whether to stop. */
static bool stop_power_run(void *context) {
  (void)context;
  return cli_interrupted;
}

/* Cycles of the instance's clock in the time that was simulated. */
static uint64_t clock_cycles(const system_gates_facts_t *facts, const simulate_result_t *r) {
  return (uint64_t)(r->stats.time_ns / facts->period + 0.5);
}

/* Leakage in cycles in which the block rests. Systems give some blocks no clock edge while they
 * rest: the model leaves such cycles out, and nothing toggles in them. null: cells of no
 * process. */
static json_t *resting_joules(const system_gates_facts_t *facts, const json_t *power, const simulate_result_t *r) {
  const json_t *all = json_object_get(json_object_get(power, "power"), "all");
  const uint64_t clock = clock_cycles(facts, r), counted = r->toggles.cycles;
  if (!json_is_object(all)) return json_null();
  return json_real(clock > counted ? json_number_value(json_object_get(all, "leakage")) * (double)(clock - counted) *
                                         facts->period * 1e-9
                                   : 0);
}

/* Energy of the run and of each piece of its work. Cells of no process (`joules` is null) have unit
 * loads instead. */
static void print_work(FILE *out, const json_t *power, const simulate_result_t *r) {
  char text[2][32];
  const double loads = json_number_value(json_object_get(json_object_get(power, "power"), "switched_loads")),
               cycles = (double)r->toggles.cycles;
  const json_t *joules = json_object_get(power, "joules");
  const bool real = json_is_number(joules), counted = *r->counter && r->counted;
  const double all = real ? json_number_value(joules) : loads * cycles;
  if (real) fprintf(out, "  %sJ in the run's %" PRIu64 " cycles", power_scaled(all, text[0]), r->toggles.cycles);
  else fprintf(out, "  %.0f unit loads in the run's %" PRIu64 " cycles", all, r->toggles.cycles);
  if (counted && real)
    fprintf(out, ", %sJ for each of its %" PRIu64 " %s", power_scaled(all / (double)r->counted, text[1]), r->counted,
            r->counter);
  else if (counted)
    fprintf(out, ", %.1f for each of its %" PRIu64 " %s", all / (double)r->counted, r->counted, r->counter);
  fputs("\n", out);
  const uint64_t clock = (uint64_t)json_integer_value(json_object_get(power, "clock_cycles"));
  if (clock <= r->toggles.cycles + clock / 100) return;
  fprintf(out, "  it rests, without a clock edge, in %" PRIu64 " more of its clock's %" PRIu64 " cycles",
          clock - r->toggles.cycles, clock);
  if (real)
    fprintf(out, ", and leaks %sJ in these",
            power_scaled(json_number_value(json_object_get(power, "resting_joules")), text[0]));
  fputs("\n", out);
}

/* The counter that says what work is, and joules for each piece; null: the block has no such
 * counter. */
static json_t *work_json(const simulate_result_t *r, const json_t *joules) {
  if (!*r->counter) return json_null();
  return json_pack("{s:s, s:I, s:o}", "counter", r->counter, "count", (json_int_t)r->counted, "joules",
                   json_is_number(joules) && r->counted ? json_real(json_number_value(joules) / (double)r->counted)
                                                        : json_null());
}

/* The start of `power`: what was measured. power_report adds what `power --json` has. */
static json_t *run_power_to_json(const system_gates_facts_t *facts, const char *cells, double period,
                                 const simulate_result_t *r) {
  return json_pack("{s:s, s:s, s:s, s:o, s:f, s:o}", "instance", facts->name, "block", facts->block, "params",
                   facts->params, "cells", verbs_cells_json(cells), "period_ns", period, "activity",
                   power_activity_json(&r->toggles));
}

/* Prints and adds everything. 0, or an exit code after a line. */
static int report_power(const run_power_t *w, const system_gates_facts_t *facts, const simulate_result_t *r,
                        json_t *root, FILE *out) {
  trouble_t trouble = {0};
  const double period = w->period > 0 ? w->period : facts->period;
  const power_wish_t wish = {.period = period,
                             .clock_asked = w->period > 0,
                             .folder = w->pictures,
                             .stop = stop_power_run,
                             .block = facts->block,
                             .title = facts->name,
                             .cells = w->cells,
                             .object = facts->object,
                             .work = w->folder};
  json_t *power = run_power_to_json(facts, w->cells, period, r);
  fprintf(out, "Power of %s (%s%s%s)\n", facts->name, facts->block, *facts->params ? ", " : "", facts->params);
  power_activity_print(out, &r->toggles);
  if (!power_report(&wish, out, &r->toggles, power, &trouble)) return json_decref(power), cli_trouble(&trouble);
  const json_t *cycle = json_object_get(json_object_get(power, "power"), "joules_per_cycle");
  json_t *joules =
      json_is_number(cycle) ? json_real(json_number_value(cycle) * (double)r->toggles.cycles) : json_null();
  json_object_set_new(power, "work", work_json(r, joules));
  json_object_set_new(power, "joules", joules);
  json_object_set_new(power, "clock_cycles", json_integer((json_int_t)clock_cycles(facts, r)));
  json_object_set_new(power, "resting_joules", resting_joules(facts, power, r));
  json_object_set_new(root, "power", power);
  print_work(out, power, r);
  return 0;
}

int run_power_report(const run_power_t *w, const simulate_job_t *job, const simulate_result_t *r, json_t *root,
                     FILE *out) {
  trouble_t trouble = {0};
  system_gates_facts_t facts;
  if (!w->instance) return 0;
  json_object_set_new(root, "power", json_null());
  if (!system_gates_facts(&job->system, &facts, &trouble)) return cli_trouble(&trouble);
  if (r->toggles.cycles) return report_power(w, &facts, r, root, out);
  fprintf(out, "No power of %s: %s\n", facts.name,
          r->stats.instance[job->system.gates.family][job->system.gates.instance].diverged
              ? "its gates do not do what its model does"
              : "it had no cycle");
  return 0;
}

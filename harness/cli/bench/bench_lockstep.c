/* SPDX-License-Identifier: Apache-2.0
 *
 * What lockstep costs, in CPU time. The same object gets the same recorded inputs, once as bare RTL
 * and once with the golden model beside it:
 *
 *   run_bare       inputs -> falling edge -> rising edge
 *   run_lockstep   the same, plus model, plus every output and probe compared
 *   the figure     seconds of lockstep / seconds of bare RTL
 */
#include "bench.h"
#include "clock.h"
#include "lockstep.h"
#include "lockstep_verbs.h"
#include "progress.h"
#include "trace.h"

#include <stdlib.h>
#include <string.h>

enum { CYCLES = 50000 };

int bench_record(const dut_t *dut, unsigned profile, uint64_t cycles, trace_t *trace) {
  uint64_t *model = calloc(1, dut->model_size), *in = calloc(1, dut->in_size), *out = calloc(1, dut->out_size);
  void *state = calloc(1, dut->stim->state_size + 1);
  int code = model && in && out && state ? 0 : cli_error(EXIT_ENV, "out of memory");
  if (!code) {
    dut->stim->init(state, 1, profile);
    dut->model_reset(model, NULL);
  }
  for (uint64_t cycle = 0; !code && cycle < cycles; cycle++) {
    memset(in, 0, dut->in_size);
    dut->stim->next(state, cycle, out, in);
    if (!trace_add(trace, in)) code = cli_error(EXIT_ENV, "out of memory");
    dut->model_eval(model, in, out);
    dut->canonical(out);
    dut->model_step(model, in);
  }
  free(model), free(in), free(out), free(state);
  return code;
}

/* CPU seconds of the RTL alone; -1: it could not be created. */
static double run_bare(const dut_t *dut, const trace_t *trace, const void *zero) {
  void *dev = dut->create();
  if (!dev) return -1;
  dut->reset(dev, NULL);
  double start = clock_cpu();
  for (size_t i = 0; i < trace->count; i++) {
    dut->set_inputs(dev, trace->cycles[i].in ? (const void *)trace->cycles[i].in : zero);
    dut->eval(dev);
    dut->step(dev);
  }
  double seconds = clock_cpu() - start;
  dut->destroy(dev);
  return seconds;
}

/* CPU seconds with the model; -1: it did not pass. */
static double run_lockstep(const dut_t *dut, const trace_t *trace, const void *zero) {
  lockstep_t ls;
  if (!lockstep_open(&ls, dut)) return -1;
  double start = clock_cpu();
  for (size_t i = 0; i < trace->count && ls.outcome == OUTCOME_PASS; i++)
    lockstep_ahead(&ls, trace->cycles[i].in ? (const void *)trace->cycles[i].in : zero);
  lockstep_catch_up(&ls);
  double seconds = clock_cpu() - start;
  bool passed = ls.outcome == OUTCOME_PASS;
  lockstep_close(&ls);
  return passed ? seconds : -1;
}

/* Pairs of runs; both figures are of the same pairs. zero: the inputs of a cycle in which none is
 * on. */
static int measure_lockstep_cost(bench_t *bench, const dut_t *dut, const trace_t *trace, const void *zero,
                                 const char *ratio_name, const char *rate_name) {
  double ratio[BENCH_SAMPLES], rate[BENCH_SAMPLES];
  progress_t progress;
  unsigned done = 0;
  progress_start(&progress, "bench lockstep", "pairs", bench->samples);
  run_bare(dut, trace, zero); /* warms the caches for both */
  for (; done < bench->samples && !cli_interrupted; done++) {
    double bare = run_bare(dut, trace, zero), both = run_lockstep(dut, trace, zero);
    if (bare <= 0 || both <= 0) {
      progress_end(&progress);
      return cli_error(EXIT_BROKEN, "bench: %s does not pass; see lockstack check %s", dut->block, dut->block);
    }
    ratio[done] = both / bare;
    rate[done] = (double)trace->count / both;
    progress_update(&progress, done + 1);
  }
  progress_end(&progress);
  if (!done) return cli_error(EXIT_ENV, "interrupted");
  bench_add(bench, ratio_name, "times the CPU time", ratio, done, GOAL_AT_MOST, 1.25);
  bench_add(bench, rate_name, "cycles/s", rate, done, GOAL_NONE, 0);
  return 0;
}

/* Loads the shared object of a block, records CYCLES cycles of its stimulus, and measures with
 * them, so that no figure has the cost of the stimulus in it. 0, or an exit code after a line. */
static int bench_object(bench_t *bench, const char *path, const char *ratio_name, const char *rate_name) {
  trouble_t trouble;
  const dut_t *dut;
  trace_t trace;
  if (!dut_load(path, &dut, &trouble)) return cli_trouble(&trouble);
  if (!dut->stim) return cli_error(EXIT_ENV, "%s: has no stimulus", path);
  trace_init(&trace, dut->in_size);
  void *zero = calloc(1, dut->in_size);
  int code = zero ? bench_record(dut, 0, CYCLES, &trace) : cli_error(EXIT_ENV, "out of memory");
  if (!code) code = measure_lockstep_cost(bench, dut, &trace, zero, ratio_name, rate_name);
  free(zero);
  trace_free(&trace);
  return code;
}

int bench_built(const char *name, const char *params, char path[BUILD_PATH]) {
  trouble_t trouble;
  block_t block;
  const places_t places = verbs_places();
  const bool built =
      block_find(&block, &places, name, params, &trouble) && block_object(&block, &places, "rtl", path, &trouble);
  return built ? 0 : cli_error((cli_exit_t)trouble.kind, "bench: %s", trouble.text);
}

/* The same of a block of the tree with these parameters. */
static int bench_block(bench_t *bench, const char *name, const char *params, const char *ratio_name,
                       const char *rate_name) {
  char path[BUILD_PATH];
  int code = bench_built(name, params, path);
  return code ? code : bench_object(bench, path, ratio_name, rate_name);
}

int bench_lockstep(bench_t *bench) {
  int code = bench_block(bench, "nsu", "", "nsu lockstep / bare RTL", "nsu in lockstep");
  if (!code && !cli_interrupted)
    code = bench_block(bench, "lsu_ext", "", "lsu_ext lockstep / bare RTL", "lsu_ext in lockstep");
  if (!code && !cli_interrupted)
    code = bench_block(bench, "router", "", "router lockstep / bare RTL", "router in lockstep");
  if (!code && !cli_interrupted)
    code = bench_block(bench, "router", "Crit=1,Tr=1,NumVCs=4,Classes=2", "router crit+tr, the same",
                       "router crit+tr in lockstep");
  return code;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * What one instance of a golden model costs in a system of many. The recorded stimulus of its
 * profile `system` goes into a few dozen instances in turn, each LAG cycles behind the one before,
 * through the same functions as in a system (instance.h). An idle instance is skipped while no
 * input is on, as the systems do it.
 */
#include "bench.h"
#include "build.h"
#include "clock.h"
#include "instance.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

enum { CYCLES = 20000, INSTANCES = 64, LAG = 13 };

/* The instances and the recording that all of them play. */
typedef struct {
  const dut_t *dut;
  trace_t trace;
  void *zero; /* inputs of a cycle in which none is on */
  instance_t many[INSTANCES];
  uint64_t awake, asleep; /* instance-cycles */
} rig_t;

/* The profile's number; -1: the stimulus has none of this name. */
static int profile_named(const dut_t *dut, const char *name) {
  for (unsigned p = 0; dut->stim && p < dut->stim->num_profiles; p++)
    if (!strcmp(dut->stim->profiles[p].name, name)) return (int)p;
  return -1;
}

/* Inputs of instance i in a cycle; NULL: all are zero, as before and behind its recording. */
static const void *instance_inputs(const rig_t *rig, size_t cycle, unsigned i) {
  size_t at = cycle - (size_t)LAG * i; /* wraps around before its beginning */
  return at < rig->trace.count ? rig->trace.cycles[at].in : NULL;
}

/* CPU seconds of the whole recording through all instances, outputs of every cycle awake included.
 * Counts instance-cycles awake and asleep. */
static double run_recording(rig_t *rig) {
  rig->awake = rig->asleep = 0;
  double start = clock_cpu();
  for (size_t c = 0; c < rig->trace.count + LAG * INSTANCES; c++)
    for (unsigned i = 0; i < INSTANCES; i++) {
      const void *in = instance_inputs(rig, c, i);
      if (!in && instance_idle(&rig->many[i])) {
        rig->asleep++;
        continue;
      }
      instance_step(&rig->many[i], in ? in : rig->zero);
      instance_outputs(&rig->many[i]);
      rig->awake++;
    }
  return clock_cpu() - start;
}

/* Seconds to ask an instance whether it is idle, when all are asleep. */
static double run_idle(rig_t *rig) {
  static volatile uint64_t idle;
  double start = clock_cpu();
  for (unsigned c = 0; c < CYCLES; c++)
    for (unsigned i = 0; i < INSTANCES; i++) idle = idle + instance_idle(&rig->many[i]);
  return (clock_cpu() - start) / CYCLES / INSTANCES;
}

static bool open_all(rig_t *rig) {
  for (unsigned i = 0; i < INSTANCES; i++)
    if (!instance_open(&rig->many[i], rig->dut, ENGINE_MODEL, rig->zero)) return false;
  return true;
}

static void close_all(rig_t *rig) {
  for (unsigned i = 0; i < INSTANCES; i++) instance_close(&rig->many[i]);
}

/* The cost of a cycle awake is the time of a recording, less the questions to sleeping
 * instances. */
static int measure_model_cost(bench_t *bench, rig_t *rig) {
  double awake[BENCH_SAMPLES], asleep[BENCH_SAMPLES], share[BENCH_SAMPLES];
  unsigned done = 0;
  progress_t progress;
  progress_start(&progress, "bench model", "runs", bench->samples);
  for (; done < bench->samples && !cli_interrupted; done++) {
    if (!open_all(rig)) return cli_error(EXIT_ENV, "out of memory");
    double seconds = run_recording(rig);
    asleep[done] = run_idle(rig) * 1e9;
    close_all(rig);
    awake[done] = (seconds * 1e9 - asleep[done] * (double)rig->asleep) / (double)rig->awake;
    share[done] = 100.0 * (double)rig->asleep / (double)(rig->asleep + rig->awake);
    progress_update(&progress, done + 1);
  }
  progress_end(&progress);
  if (!done) return cli_error(EXIT_ENV, "interrupted");
  bench_add(bench, "lsu_ext model, a cycle awake", "ns", awake, done, GOAL_AT_MOST, 300);
  bench_add(bench, "lsu_ext model, a cycle asleep", "ns", asleep, done, GOAL_NONE, 0);
  bench_add(bench, "lsu_ext model, cycles asleep", "%", share, done, GOAL_NONE, 0);
  return 0;
}

int bench_model(bench_t *bench) {
  static rig_t rig;
  char path[BUILD_PATH];
  trouble_t trouble;
  int code = bench_built("lsu_ext", "", path);
  if (code) return code;
  if (!dut_load(path, &rig.dut, &trouble)) return cli_trouble(&trouble);
  int profile = profile_named(rig.dut, "system");
  if (profile < 0) return cli_error(EXIT_ENV, "%s: its stimulus has no profile 'system'", path);
  trace_init(&rig.trace, rig.dut->in_size);
  rig.zero = calloc(1, rig.dut->in_size);
  code = rig.zero ? bench_record(rig.dut, (unsigned)profile, CYCLES, &rig.trace) : cli_error(EXIT_ENV, "out of memory");
  if (!code) code = measure_model_cost(bench, &rig);
  trace_free(&rig.trace);
  free(rig.zero);
  return code;
}

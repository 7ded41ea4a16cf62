/* SPDX-License-Identifier: Apache-2.0
 *
 * The full systems with models: `lockstack run` as a user gives it, with the figures of its own
 * JSON. CPU seconds and memory are those of the named system alone. A system with hardware in
 * lockstep is compared with the run before it in the table.
 */
#include "bench.h"
#include "process.h"
#include "progress.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A run and its goals. */
typedef struct {
  const char *name, *arguments;
  double sm_cycles, instructions, mebibytes; /* goals; 0: there is none, or nothing to count */
  double slower;                             /* a goal: so many times the CPU seconds of the one before; 0: none */
} bench_system_t;

static const bench_system_t systems[] = {
    {"run nsu vadd, models", "run nsu vadd --engine nsu=model", 1e6, 250e3, 512, 0},
    {"run mpu axpy, 128 cores", "run mpu axpy --full", 0, 450e3, 1024, 0},
    {"run tom bfs32, models", "run tom bfs32", 1.5e6, 0, 0, 0},
    {"tom_ctrl in lockstep, all", "run tom bfs32 --engine tom_ctrl=lockstep", 0, 0, 0, 6},
};

/* What one run of the simulator gave; `seconds` are of the processor. */
typedef struct {
  double sm_cycles, instructions, seconds, bytes;
} run_t;

/* The figures of a result. A wrong result is no benchmark: EXIT_BROKEN. */
static int read_run(const bench_system_t *system, json_t *root, run_t *run) {
  json_error_t error;
  int ok = 0;
  *run = (run_t){0};
  if (json_unpack_ex(root, &error, 0, "{s?F, s:F, s:F, s:F, s:b}", "sm_cycles", &run->sm_cycles, "warp_instructions",
                     &run->instructions, "cpu_seconds", &run->seconds, "peak_rss_bytes", &run->bytes, "result_ok", &ok))
    return cli_error(EXIT_ENV, "bench: the JSON of `lockstack %s`: %s", system->arguments, error.text);
  if (!ok || run->seconds <= 0)
    return cli_error(EXIT_BROKEN, "bench: `lockstack %s` does not give a right result", system->arguments);
  return 0;
}

/* Runs this very program with other arguments and reads its JSON. */
static int run_once(const bench_system_t *system, run_t *run) {
  words_t command = {0};
  words_add(&command, "lockstack"), words_split(&command, system->arguments, " ");
  words_add(&command, "--json"), words_add(&command, "-");
  char *text = bench_output(command.at, process_self(), NULL, STDERR_FILENO);
  words_free(&command);
  if (!text) return cli_interrupted ? cli_error(EXIT_ENV, "interrupted") : (int)EXIT_ENV;
  json_error_t error;
  json_t *root = json_loads(text, JSON_DISABLE_EOF_CHECK, &error);
  const int code = root ? read_run(system, root, run)
                        : cli_error(EXIT_ENV, "bench: the JSON of `lockstack %s`: %s", system->arguments, error.text);
  free(text);
  json_decref(root);
  return code;
}

/* Adds those figures of a system that have a goal. before: the runs of the table's line before,
 * made in turns with these. */
static void add_figures(bench_t *bench, const bench_system_t *system, const run_t *run, const run_t *before,
                        unsigned count) {
  double cycles[BENCH_SAMPLES], instructions[BENCH_SAMPLES], memory[BENCH_SAMPLES], slower[BENCH_SAMPLES];
  for (unsigned i = 0; i < count; i++) {
    slower[i] = system->slower > 0 ? run[i].seconds / before[i].seconds : 0;
    cycles[i] = run[i].sm_cycles / run[i].seconds;
    instructions[i] = run[i].instructions / run[i].seconds;
    memory[i] = run[i].bytes / (1 << 20);
  }
  if (system->sm_cycles > 0)
    bench_add(bench, system->name, "SM-cycles/s", cycles, count, GOAL_AT_LEAST, system->sm_cycles);
  if (system->instructions > 0)
    bench_add(bench, system->name, "warp-instructions/s", instructions, count, GOAL_AT_LEAST, system->instructions);
  if (system->mebibytes > 0)
    bench_add(bench, system->name, "MiB at its peak", memory, count, GOAL_AT_MOST, system->mebibytes);
  if (system->slower > 0) bench_add(bench, system->name, "times as long", slower, count, GOAL_AT_MOST, system->slower);
}

int bench_run(bench_t *bench) {
  enum { SYSTEMS = sizeof systems / sizeof *systems };
  run_t run[SYSTEMS][BENCH_SAMPLES];
  unsigned done = 0, samples = bench->samples > 3 ? 3 : bench->samples; /* each is long, and steady */
  progress_t progress;
  progress_start(&progress, "bench run", "runs", SYSTEMS * samples);
  for (; done < samples && !cli_interrupted; done++) {
    for (unsigned s = 0; s < SYSTEMS; s++) {
      int code = run_once(&systems[s], &run[s][done]);
      if (code) return code;
      progress_update(&progress, done * SYSTEMS + s + 1);
    }
  }
  progress_end(&progress);
  if (!done) return cli_error(EXIT_ENV, "interrupted");
  for (unsigned s = 0; s < SYSTEMS; s++) add_figures(bench, &systems[s], run[s], run[s ? s - 1 : 0], done);
  return 0;
}

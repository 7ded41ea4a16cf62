/* SPDX-License-Identifier: Apache-2.0
 *
 * The full system with models: `lockstack run nsu vadd` as a user gives it, its own figures read from its JSON. CPU
 * seconds and memory are the named system's alone.
 */
#include "bench.h"
#include "progress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char command[] = "exec /proc/%ld/exe run nsu vadd --engine nsu=model --json -";

typedef struct {
  double sm_cycles, instructions, seconds, bytes;
} run_t;

static int read_run(json_t *root, run_t *run) {
  json_error_t error;
  int ok = 0;
  if (json_unpack_ex(root, &error, 0, "{s:F, s:F, s:F, s:F, s:b}", "sm_cycles", &run->sm_cycles, "warp_instructions",
                     &run->instructions, "cpu_seconds", &run->seconds, "peak_rss_bytes", &run->bytes, "result_ok", &ok))
    return cli_error(EXIT_ENV, "bench: run's JSON: %s", error.text);
  if (!ok || run->seconds <= 0) return cli_error(EXIT_BROKEN, "bench: `run nsu vadd` does not give a right result");
  return 0;
}

static int run_once(run_t *run) {
  char *text;
  if (asprintf(&text, command, (long)getpid()) < 0) return cli_error(EXIT_ENV, "out of memory");
  FILE *pipe = popen(text, "r");
  free(text);
  if (!pipe) return cli_error(EXIT_ENV, "bench: lockstack run: %s", strerror(errno));
  json_error_t error;
  json_t *root = json_loadf(pipe, JSON_DISABLE_EOF_CHECK, &error);
  int status = pclose(pipe), code;
  if (!root || status) code = cli_error(EXIT_ENV, "bench: `lockstack run nsu vadd` failed");
  else code = read_run(root, run);
  json_decref(root);
  return code;
}

int bench_run(bench_t *bench) {
  double cycles[BENCH_SAMPLES], instructions[BENCH_SAMPLES], memory[BENCH_SAMPLES];
  unsigned done = 0, samples = bench->samples > 3 ? 3 : bench->samples; /* each is long, and steady */
  progress_t progress;
  progress_start(&progress, "bench run", "runs", samples);
  for (; done < samples && !cli_interrupted; done++) {
    run_t run;
    int code = run_once(&run);
    if (code) return code;
    cycles[done] = run.sm_cycles / run.seconds;
    instructions[done] = run.instructions / run.seconds;
    memory[done] = run.bytes / (1 << 20);
    progress_update(&progress, done + 1);
  }
  progress_end(&progress);
  if (!done) return cli_error(EXIT_ENV, "interrupted");
  bench_add(bench, "run nsu vadd, models", "SM-cycles/s", cycles, done, GOAL_AT_LEAST, 1e6);
  bench_add(bench, "run nsu vadd, models", "warp-instructions/s", instructions, done, GOAL_AT_LEAST, 250e3);
  bench_add(bench, "run nsu vadd, models", "MiB at its peak", memory, done, GOAL_AT_MOST, 512);
  return 0;
}

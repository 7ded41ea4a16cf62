/* SPDX-License-Identifier: Apache-2.0
 *
 * One vault under random traffic, two reads a write: requests of CPU time. The goal is five times
 * what DRAMsim3 does with the same pattern on the reference machine, 166,000 requests/s.
 */
#include "bench.h"
#include "clock.h"
#include "progress.h"
#include "vault_pattern.h"

enum { REQUESTS = 1000000 };

int bench_vault(bench_t *bench) {
  static vault_t vault;
  vault_run_config_t config = vault_run_default(VAULT_PATTERN_RANDOM);
  double rate[BENCH_SAMPLES];
  progress_t progress;
  unsigned done = 0;
  config.requests = REQUESTS;
  config.reads = 2.0 / 3;
  config.vault.refresh = true;
  progress_start(&progress, "bench vault", "runs", bench->samples);
  for (; done < bench->samples && !cli_interrupted; done++) {
    config.seed = done + 1;
    double start = clock_cpu();
    vault_run(&vault, &config, NULL, NULL);
    rate[done] = REQUESTS / (clock_cpu() - start);
    progress_update(&progress, done + 1);
  }
  progress_end(&progress);
  if (!done) return cli_error(EXIT_ENV, "interrupted");
  bench_add(bench, "one vault, random, 2:1", "requests/s", rate, done, GOAL_AT_LEAST, 5 * 166e3);
  return 0;
}

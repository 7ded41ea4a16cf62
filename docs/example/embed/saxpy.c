/* SPDX-License-Identifier: Apache-2.0
 *
 * y = a x + y on a simulated system, by the C interface:
 *   saxpy SYSTEM saxpy.ptx [OPTION...]        saxpy nsu firmware/workloads/kernels/saxpy/saxpy.ptx
 *                                             --set=offload.ratio=0.4
 */
#include <lockstack.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 3000, BLOCK = 256 };

static lockstack_t *gpu;

static void need(lockstack_status_t status, const char *what) {
  if (!status) return;
  fprintf(stderr, "saxpy: %s: %s: %s\n", what, lockstack_status_text(status), lockstack_error(gpu));
  lockstack_close(gpu);
  exit(1);
}

static uint64_t to_machine(const float *from) {
  uint64_t address;
  need(lockstack_malloc(gpu, N * sizeof *from, &address), "malloc");
  need(lockstack_write(gpu, address, from, N * sizeof *from), "write");
  return address;
}

static unsigned wrong(const float *x, const float *y, float a, const float *got) {
  unsigned n = 0;
  for (unsigned i = 0; i < N; i++) n += got[i] != fmaf(a, x[i], y[i]);
  return n;
}

int main(int argc, char **argv) {
  static float x[N], y[N], got[N];
  char error[LOCKSTACK_ERROR], *report;
  lockstack_module_t module;
  lockstack_ran_t ran;
  double energy;
  const uint32_t n = N;
  const float a = 2.5f;

  if (argc < 3) return fprintf(stderr, "usage: saxpy SYSTEM saxpy.ptx [OPTION...]\n"), 2;
  for (unsigned i = 0; i < N; i++) x[i] = (float)i / 7, y[i] = 1 - (float)i / 3;
  if (!(gpu = lockstack_open(argv[1], (const char *const *)argv + 3, error)))
    return fprintf(stderr, "saxpy: %s\n", error), 2;
  need(lockstack_load_file(gpu, argv[2], &module), "load");

  const uint64_t on_x = to_machine(x), on_y = to_machine(y);
  const lockstack_launch_t launch = {
      .module = module, .kernel = "saxpy", .grid = {(N + BLOCK - 1) / BLOCK}, .block = {BLOCK}};
  need(lockstack_launch(gpu, &launch, (const void *[]){&n, &a, &on_x, &on_y}, &ran), "launch");
  need(lockstack_read(gpu, got, on_y, sizeof got), "read");

  need(lockstack_count(gpu, "energy.total_nj", &energy), "count");
  fprintf(stderr, "%u wrong, %llu cycles, %.3f uJ\n", wrong(x, y, a, got), (unsigned long long)ran.cycles,
          energy / 1000);
  need(lockstack_report(gpu, &report), "report");
  fputs(report, stdout);
  free(report);
  lockstack_close(gpu);
  return wrong(x, y, a, got) != 0;
}

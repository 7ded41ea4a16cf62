/* SPDX-License-Identifier: Apache-2.0
 *
 * Time in the file: every clock edge is one unit; creation is 0, a reset takes four.
 */
#include "wave.h"

#include "build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

enum { RESET_EDGES = 4, CYCLE_EDGES = 2 };

static void play(lockstep_t *ls, const trace_cycle_t *cycle) {
  if (cycle->reset) lockstep_reset(ls);
  else lockstep_cycle(ls, cycle->in);
}

/* After the failure the pair no longer steps together: the device goes on alone. */
static void go_on(const lockstep_t *ls) {
  const dut_t *dut = ls->dut;
  uint64_t zero[dut->in_size / 8 + 1];
  memset(zero, 0, sizeof zero);
  for (int i = 0; i < WAVE_AFTER; i++) {
    dut->step(ls->dev);
    dut->set_inputs(ls->dev, zero);
    dut->eval(ls->dev);
  }
}

static void signal_line(FILE *file, const dut_port_t *p) {
  const char *suffix = p->dir == DUT_IN ? "_i" : "_o";
  fprintf(file, "@%s\nTOP.%s%s", p->width == 1 ? "28" : "22", p->name, suffix);
  if (p->width > 1) fprintf(file, "[%u:0]", p->width - 1);
  fputc('\n', file);
}

static outcome_t save_file(const dut_t *dut, int port, const char *path, const char *fst, uint64_t start, uint64_t time,
                           char *error, size_t size) {
  char real[BUILD_PATH];
  FILE *file = fopen(path, "w");
  if (!file) {
    snprintf(error, size, "%s: cannot write: %s", path, strerror(errno));
    return OUTCOME_INFRA;
  }
  fprintf(file, "[*] SPDX-License-Identifier: Apache-2.0\n[dumpfile] \"%s\"\n[timestart] %llu\n", realpath(fst, real) ? real : fst,
          (unsigned long long)start);
  fprintf(file, "*-4.000000 %llu", (unsigned long long)time);
  for (int i = 0; i < 27; i++) fprintf(file, " -1");
  fprintf(file, "\n[sst_expanded] 1\n");
  if (port >= 0) {
    fprintf(file, "@200\n-wrong at the cursor\n");
    signal_line(file, &dut->ports[port]);
  }
  fprintf(file, "@200\n-ports\n");
  for (unsigned i = 0; i < dut->num_ports; i++) signal_line(file, &dut->ports[i]);
  bool failed = ferror(file) != 0;
  if (fclose(file) == 0 && !failed) return OUTCOME_PASS;
  snprintf(error, size, "%s: cannot write: %s", path, strerror(errno));
  return OUTCOME_INFRA;
}

outcome_t wave_write(const dut_t *dut, const trace_t *trace, int port, size_t before, const char *path, char *gtkw,
                     char *error, size_t size) {
  lockstep_t ls;
  size_t start = trace->count > before ? trace->count - before : 0;
  uint64_t time = RESET_EDGES, start_time = 0;
  if (!dut->wave_open || !lockstep_open(&ls, dut)) {
    snprintf(error, size, "%s: the device cannot make waveforms", dut->block);
    return OUTCOME_INFRA;
  }
  bool opened = false;
  for (size_t i = 0; i < trace->count; i++) {
    if (i == start) {
      start_time = time;
      opened = dut->wave_open(ls.dev, path);
    }
    play(&ls, &trace->cycles[i]);
    if (i + 1 < trace->count) time += trace->cycles[i].reset ? RESET_EDGES : CYCLE_EDGES;
  }
  go_on(&ls);
  if (opened) dut->wave_close(ls.dev);
  lockstep_close(&ls);
  if (!opened || access(path, R_OK)) {
    snprintf(error, size, "%s: cannot write the waveform", path);
    return OUTCOME_INFRA;
  }
  size_t n = strlen(path);
  if (n > 4 && strcmp(path + n - 4, ".fst") == 0) n -= 4;
  snprintf(gtkw, BUILD_PATH, "%.*s.gtkw", (int)n, path);
  return save_file(dut, port, gtkw, path, start_time, time + 1, error, size);
}

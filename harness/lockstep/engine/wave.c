/* SPDX-License-Identifier: Apache-2.0
 *
 * Time in the file: one unit for every clock edge. Creation is at 0, and a reset takes four units.
 */
#include "wave.h"
#include "device_call.h"
#include "port_label.h"

#include "build.h"
#include "guard.h"
#include "process.h"
#include "wave_vcd.h"
#include "whole.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

enum { RESET_EDGES = 4, CYCLE_EDGES = 2 };

static jmp_buf asserted;

static void on_assert(void *context, const char *file, unsigned line, const char *text) {
  (void)context, (void)file, (void)line, (void)text;
  _longjmp(asserted, 1);
}

/* Writes the model's outputs of the coming cycle beside the RTL's. A model that asserts shows
 * nothing from then on. */
static void show_model(const lockstep_t *ls, const void *in) {
  const dut_t *dut = ls->dut;
  uint64_t out[dut->out_size / 8 + 1], masked[dut->in_size / 8 + 1];
  const uint64_t *from = in, *mask = ls->in_mask;
  for (uint32_t i = 0; i < dut->in_size / 8; i++) masked[i] = from ? from[i] & mask[i] : 0;
  memset(out, 0, sizeof out);
  dut->on_model_assert(on_assert, NULL);
  if (_setjmp(asserted)) {
    dut->wave_model(ls->dev, NULL);
    return;
  }
  dut->model_eval(ls->model, masked, out);
  dut->canonical(out);
  dut->wave_model(ls->dev, out);
}

static void play_wave_cycle(lockstep_t *ls, const trace_cycle_t *cycle) {
  if (cycle->reset) {
    ls->dut->wave_model(ls->dev, NULL);
    lockstep_reset(ls, cycle->in);
    return;
  }
  show_model(ls, cycle->in);
  lockstep_cycle(ls, cycle->in);
}

static void step_model(const lockstep_t *ls, const void *in) {
  ls->dut->on_model_assert(on_assert, NULL);
  if (!_setjmp(asserted)) ls->dut->model_step(ls->model, in);
}

/* Behind the failure the pair no longer steps together: each side goes on alone. */
static void go_on_alone(lockstep_t *ls) {
  const dut_t *dut = ls->dut;
  if (ls->dev_lost) return;
  uint64_t zero[dut->in_size / 8 + 1];
  memset(zero, 0, sizeof zero);
  if (ls->outcome == OUTCOME_DIVERGED) step_model(ls, ls->in);
  for (int i = 0; i < WAVE_AFTER && !ls->dev_lost; i++) {
    ls->dev_lost = device_call(dut, ls->dev, DEVICE_STEP, NULL);
    if (ls->dev_lost) return;
    dut->set_inputs(ls->dev, zero);
    show_model(ls, zero);
    ls->dev_lost = device_call(dut, ls->dev, DEVICE_EVAL, NULL);
    step_model(ls, zero);
  }
}

/* Fields of the RTL's ports are in a scope of their own: in TOP the port is one vector. */
static void signal_name(FILE *file, const char *scope, const dut_port_t *p) {
  if (p->of && strncmp(scope, "TOP", 3) == 0) scope = "rtl";
  char name[PORT_NAME];
  if (p->of) port_name_interface(p->pin, name);
  fprintf(file, "@%s\n%s.%s%s", p->width == 1 ? "28" : "22", scope, p->of ? name : p->pin,
          p->of ? p->name + strlen(p->of) : "");
  if (p->width > 1) fprintf(file, "[%u:0]", p->width - 1);
  fputc('\n', file);
}

/* An input is one line; an output or probe is a group with the RTL's value above the model's.
 * GTKWave's colours: 1 red, 3 yellow. */
static void signal_lines(FILE *file, const dut_t *dut, const dut_port_t *p, bool wrong) {
  char scope[PORT_NAME], member[PORT_NAME], label[PORT_NAME];
  port_name_member(p->pin, member);
  /* Verilator has ports that C++ names otherwise in the block's own scope alone. */
  if (strcmp(member, p->pin) == 0) strcpy(scope, "TOP");
  else snprintf(scope, sizeof scope, "TOP.%s", dut->block);
  port_label(p, label);
  if (p->dir == DUT_IN) {
    signal_name(file, scope, p);
    return;
  }
  fprintf(file, "@800200\n-%s\n", label);
  if (wrong) fprintf(file, "[color] 1\n");
  signal_name(file, scope, p);
  if (wrong) fprintf(file, "[color] 3\n");
  signal_name(file, "model", p);
  fprintf(file, "@1000200\n-%s\n", label);
}

static bool save_file(const dut_t *dut, int port, const char *path, const char *fst, uint64_t start, uint64_t time,
                      trouble_t *trouble) {
  char real[BUILD_PATH];
  whole_t whole;
  FILE *file = fopen(whole_begin(&whole, path), "w");
  if (!file) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", path, strerror(errno));
  fprintf(file, "[*] SPDX-License-Identifier: Apache-2.0\n[dumpfile] \"%s\"\n[timestart] %llu\n",
          realpath(fst, real) ? real : fst, (unsigned long long)start);
  fprintf(file, "*-4.000000 %llu", (unsigned long long)time);
  for (int i = 0; i < 27; i++) fprintf(file, " -1");
  fprintf(file, "\n[sst_expanded] 1\n");
  if (port >= 0) {
    fprintf(file, "@200\n-wrong at the cursor\n@28\nmodel.diverged\n");
    signal_lines(file, dut, &dut->ports[port], true);
  }
  fprintf(file, "@200\n-ports: RTL above model\n");
  for (unsigned i = 0; i < dut->num_ports; i++) signal_lines(file, dut, &dut->ports[i], (int)i == port);
  int wrong = whole_end(&whole, whole_close(file, 0));
  if (!wrong) return true;
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", path, strerror(wrong));
}

/* ---- the FST file ---- */

/* Runs in a child process: Verilator's writer maps its files into memory and dies on a
 * full disk. */
static _Noreturn void write_fst(const dut_t *dut, const trace_t *trace, size_t start, const char *path) {
  lockstep_t ls;
  bool opened = false;
  guard_be_silent();
  if (!lockstep_open(&ls, dut)) _exit(1);
  for (size_t i = 0; i < trace->count; i++) {
    if (i == start) opened = dut->wave_open(ls.dev, path);
    play_wave_cycle(&ls, &trace->cycles[i]);
  }
  go_on_alone(&ls);
  if (opened) dut->wave_close(ls.dev);
  _exit(!opened);
}

static uint64_t number_at(FILE *file) {
  unsigned char bytes[8] = {0};
  uint64_t n = 0;
  if (fread(bytes, 1, sizeof bytes, file) != sizeof bytes) return UINT64_MAX;
  for (int i = 0; i < 8; i++) n = n << 8 | bytes[i];
  return n;
}

/* Checks that all blocks of the FST file are there, since its writer ignores write errors. */
static bool fst_is_whole(const char *path) {
  enum { HEADER = 0, GEOMETRY = 3, HIERARCHY = 4, LAST = 8 };
  unsigned seen = 0;
  long at = 0, size = -1;
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  if (fseek(file, 0, SEEK_END) == 0) size = ftell(file);
  while (at < size && fseek(file, at, SEEK_SET) == 0) {
    int kind = getc(file);
    uint64_t length = number_at(file);
    if (kind < 0 || kind > LAST || length < 8 || length > (uint64_t)(size - at - 1)) break;
    seen |= 1u << (kind >= HIERARCHY && kind <= 7 && kind != 5 && kind != LAST ? HIERARCHY : kind);
    at += 1 + (long)length;
  }
  fclose(file);
  return size > 0 && at == size && seen >> HEADER & 1 && seen >> GEOMETRY & 1 && seen >> HIERARCHY & 1;
}

/* Removes files that the writer leaves behind when it dies. */
static void remove_extra(const char *part) {
  char extra[WHOLE_PATH + 8];
  snprintf(extra, sizeof extra, "%s.hier", part);
  unlink(extra);
}

/* Why the child left no whole file: no room, the file's own error, or an unknown one. */
static int fst_error(const char *part) {
  if (whole_no_room(part)) return ENOSPC;
  return access(part, F_OK) && errno ? errno : EIO;
}

/* Writes the FST in a child process, and checks that it is whole. */
static bool make_fst(const dut_t *dut, const trace_t *trace, size_t start, const char *path, trouble_t *trouble) {
  whole_t whole;
  int status = -1;
  whole_begin(&whole, path);
  pid_t child = process_fork(0);
  if (child == 0) write_fst(dut, trace, start, whole.part);
  if (child > 0) status = process_wait(child);
  bool good = status == 0 && (strcmp(whole.path, whole.part) == 0 || fst_is_whole(whole.part));
  int wrong = good ? 0 : fst_error(whole.part);
  wrong = whole_end(&whole, wrong);
  remove_extra(whole.part);
  if (!wrong) return true;
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write the waveform: %s", path, strerror(wrong));
}

/* Converts a temporary FST file. */
static bool make_vcd(const dut_t *dut, const trace_t *trace, size_t start, const char *path, trouble_t *trouble) {
  char fst[BUILD_PATH + 8];
  snprintf(fst, sizeof fst, "%s.fst", path);
  if (!make_fst(dut, trace, start, fst, trouble)) return false;
  const int wrong = wave_to_vcd(fst, path);
  unlink(fst);
  if (!wrong) return true;
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write the waveform: %s", path, strerror(wrong));
}

bool wave_write(const dut_t *dut, const trace_t *trace, int port, size_t before, const char *path, char *gtkw,
                trouble_t *trouble) {
  size_t start = trace->count > before ? trace->count - before : 0;
  uint64_t time = RESET_EDGES, start_time = 0;
  if (!dut->wave_open)
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: the device cannot make waveforms", dut->block);
  for (size_t i = 0; i < trace->count; i++) {
    if (i == start) start_time = time;
    if (i + 1 < trace->count) time += trace->cycles[i].reset ? RESET_EDGES : CYCLE_EDGES;
  }
  const bool vcd = wave_is_vcd(path);
  if (!(vcd ? make_vcd : make_fst)(dut, trace, start, path, trouble)) return false;
  size_t n = strlen(path);
  if (vcd || (n > 4 && strcmp(path + n - 4, ".fst") == 0)) n -= 4;
  snprintf(gtkw, BUILD_PATH, "%.*s.gtkw", (int)n, path);
  return save_file(dut, port, gtkw, path, start_time, time + 1, trouble);
}

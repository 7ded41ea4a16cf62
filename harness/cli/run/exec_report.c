/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `exec`: a table for each process, a row for each launch.
 */
#include "exec_report.h"

#include <string.h>

#include "cli.h"
#include "energy.h"
#include "number.h"
#include "run_counts.h"

/* ---- for people ---- */

/* "256", "16,16" or "8,8,4": as few dimensions as say all. */
static const char *dims(const uint32_t n[3], char text[48]) {
  if (n[2] > 1) snprintf(text, 48, "%u,%u,%u", n[0], n[1], n[2]);
  else if (n[1] > 1) snprintf(text, 48, "%u,%u", n[0], n[1]);
  else snprintf(text, 48, "%u", n[0]);
  return text;
}

static const char *traffic_text(double value, char text[28]) {
  return number_text((uint64_t)(value > 0 ? value : 0), text);
}

/* The columns that launches and their sum share. */
static void print_numbers(FILE *out, uint64_t cycles, const exec_traffic_t *t) {
  char a[28], b[28], c[28];
  fprintf(out, " %15s %15s %15s %12.3f", number_text(cycles, a), traffic_text(t->links, b), traffic_text(t->dram, c),
          t->energy_nj / 1000);
}

/* A kernel's name. Long C++ names keep both ends. */
static void print_kernel(FILE *out, const char *name) {
  enum { WIDTH = 32, END = 14 };
  const size_t length = strlen(name);
  if (length <= WIDTH) fprintf(out, " %-32s", name);
  else fprintf(out, " %.*s..%s", WIDTH - END - 2, name, name + length - END);
}

/* A launch's line; FAILED stands behind one that ended in an error. */
static void print_launch(FILE *out, unsigned number_of, const exec_launch_t *l) {
  char grid[48], block[48];
  fprintf(out, "%6u", number_of);
  print_kernel(out, l->kernel);
  fprintf(out, " %-14s %-10s", dims(l->grid, grid), dims(l->block, block));
  print_numbers(out, l->cycles, &l->traffic);
  fprintf(out, "%s\n", *l->error ? " FAILED" : "");
}

/* A process: its launches, sums, what was compared, missing functions. */
static void print_process(FILE *out, const exec_process_t *p, const char *system) {
  fprintf(out, "%s (process %llu) on %s\n", p->name, (unsigned long long)p->pid, system);
  if (p->launches)
    fprintf(out, "%6s %-32s %-14s %-10s %15s %15s %15s %12s\n", "launch", "kernel", "grid", "block", "cycles",
            "bytes of links", "bytes of DRAM", "uJ");
  for (unsigned i = 0; i < p->launches; i++) print_launch(out, i + 1, &p->launch[i]);
  fprintf(out, "%6u %-32s %-14s %-10s", p->launches, "launches together", "", "");
  print_numbers(out, p->cycles, &p->traffic);
  fprintf(out, "\n  %.3f us simulated, %.2f s of CPU, %.0f MiB at most\n", p->time_ns / 1000, p->cpu_seconds,
          (double)p->peak_rss_bytes / 1048576);
  if (p->lockstep && !p->compared) fprintf(out, "  not compared: no instance in lockstep had a cycle\n");
  if (p->compared)
    fprintf(out, "  %llu cycles in lockstep, %llu divergences\n", (unsigned long long)p->compared,
            (unsigned long long)p->divergences);
  for (unsigned i = 0; i < p->absents; i++)
    fprintf(out, "  not supported: %s, called %u times\n", p->absent[i].name, p->absent[i].calls);
  if (!p->result) fprintf(out, "  the simulation was ended before the program\n");
}

void exec_report_print(const exec_launches_t *l, FILE *out) {
  for (unsigned i = 0; i < l->processes; i++) print_process(out, &l->process[i], l->system->composition.name);
}

/* ---- JSON ---- */

static json_t *json_dims(const uint32_t n[3]) {
  return json_pack("[I, I, I]", (json_int_t)n[0], (json_int_t)n[1], (json_int_t)n[2]);
}

/* Adds the traffic to a launch or a process. */
static void set_traffic(json_t *object, const exec_traffic_t *t) {
  json_object_set_new(object, "link_bytes", json_integer((json_int_t)t->links));
  json_object_set_new(object, "dram_bytes", json_integer((json_int_t)t->dram));
  json_object_set_new(object, "energy_nj", json_real(t->energy_nj));
}

/* Times are of the simulated system, begin_ns since the process began. `error` is "" where all went
 * well. */
static json_t *json_launch(const exec_launch_t *l) {
  json_t *row = json_pack("{s:s, s:o, s:o, s:I, s:I, s:I, s:f, s:f, s:s}", "kernel", l->kernel, "grid",
                          json_dims(l->grid), "block", json_dims(l->block), "shared_bytes", (json_int_t)l->shared_bytes,
                          "cycles", (json_int_t)l->cycles, "warp_instructions", (json_int_t)l->warp_instructions,
                          "begin_ns", l->begin_ns, "time_ns", l->time_ns, "error", l->error);
  set_traffic(row, &l->traffic);
  return row;
}

/* A process, its launches, and the CUDA functions that it called and that are absent. Sums are over
 * the launches. */
static json_t *json_process(const exec_process_t *p) {
  json_t *launches = json_array(), *absent = json_array();
  for (unsigned i = 0; i < p->launches; i++) json_array_append_new(launches, json_launch(&p->launch[i]));
  for (unsigned i = 0; i < p->absents; i++)
    json_array_append_new(absent,
                          json_pack("{s:s, s:I}", "name", p->absent[i].name, "calls", (json_int_t)p->absent[i].calls));
  json_t *process = json_pack("{s:I, s:s, s:o, s:o, s:I, s:I, s:f, s:f, s:I}", "pid", (json_int_t)p->pid, "name",
                              p->name, "launches", launches, "absent", absent, "cycles", (json_int_t)p->cycles,
                              "warp_instructions", (json_int_t)p->warp_instructions, "time_ns", p->time_ns,
                              "cpu_seconds", p->cpu_seconds, "peak_rss_bytes", (json_int_t)p->peak_rss_bytes);
  set_traffic(process, &p->traffic);
  json_object_set_new(
      process, "lockstep",
      json_pack("{s:I, s:I}", "cycles", (json_int_t)p->compared, "divergences", (json_int_t)p->divergences));
  /* a process that was killed has none */
  json_t *parts = json_object_get(p->result, "parts"), *energy = json_object_get(p->result, "energy");
  json_object_set_new(process, "parts", parts ? json_incref(parts) : json_null());
  json_object_set_new(process, "energy", energy ? json_incref(energy) : json_null());
  return process;
}

json_t *exec_report_json(const exec_launches_t *l, char *const *program, unsigned arch, int status) {
  json_t *root = cli_json("exec", 1), *words = json_array(), *processes = json_array();
  for (; *program; program++)
    json_array_append_new(words, json_string(*program) ? json_string(*program) : json_string("(not UTF-8)"));
  for (unsigned i = 0; i < l->processes; i++) json_array_append_new(processes, json_process(&l->process[i]));
  json_object_set_new(root, "system", json_string(l->system->composition.name));
  json_object_set_new(root, "machine", json_string(system_machine(&l->system->composition)));
  json_object_set(root, "settings", l->settings);
  json_object_set_new(root, "capability", json_sprintf("%u.%u", arch / 10, arch % 10));
  json_object_set_new(root, "program", words);
  json_object_set_new(root, "exit_status", json_integer(status));
  json_object_set_new(root, "failed", json_boolean(l->failed || l->bad_image));
  json_object_set_new(root, "processes", processes);
  return root;
}

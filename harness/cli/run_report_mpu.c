/* SPDX-License-Identifier: Apache-2.0
 *
 * What `run` says of the MPU.
 */
#include "number.h"
#include "run_report.h"
#include "tsv.h"

enum { TRANSFER_BYTES = 32 };

static const char *const message_name[TSV_TYPES] = {
#define LSU_DOWN(name, code, cls, beats, text) [code] = #name,
#define LSU_UP(name, code, beats, text) [code] = #name,
#include "lsu_msg.def"
    [TSV_EXE] = "EXE",
};

static uint64_t sum(const uint64_t *values, unsigned count) {
  uint64_t all = 0;
  for (unsigned i = 0; i < count; i++) all += values[i];
  return all;
}

static double ratio(uint64_t part, uint64_t whole) {
  return whole ? (double)part / (double)whole : 0;
}

static double core_cycles(const run_report_t *r) {
  return (double)r->result->stats.cycles * r->result->stats.cores;
}

static double per_cpu_second(const run_report_t *r) {
  return r->result->cpu_seconds > 0 ? (double)r->result->stats.warp_instructions / r->result->cpu_seconds : 0;
}

/* ---- For people ---------------------------------------------------------------------------------------------------- */

static void print_share(FILE *out, const char *name, uint64_t part, uint64_t whole, const char *of) {
  fprintf(out, "  %-26s %15.1f%% %s\n", name, run_report_percent(part, whole), of);
}

static void print_instructions(const run_report_t *r, FILE *out) {
  const mpu_stats_t *s = &r->result->stats.mpu.machine;
  run_report_number(out, "warp instructions", s->warp_instructions, "");
  fprintf(out, "  %-26s %16.3f a core and cycle\n", "", core_cycles(r) > 0 ? (double)s->warp_instructions / core_cycles(r) : 0);
  print_share(out, "executed near the banks", s->near_instructions, s->near_instructions + s->far_instructions, "of them");
  run_report_number(out, "registers moved", s->register_moves[0], "to the base die, rows of 32 threads");
  run_report_number(out, "", s->register_moves[1], "to the near-bank unit");
  run_report_number(out, "global accesses", s->global_accesses, "");
  print_share(out, "offloaded", s->global_offloaded, s->global_accesses, "of them: one message");
  run_report_number(out, "other transfers", s->local_transfers, "of 32 bytes, in the core's own memory");
  run_report_number(out, "", s->remote_transfers, "in another core's");
  run_report_number(out, "shared-memory accesses", s->shared_accesses, "");
  run_report_number(out, "barriers", s->barriers, "");
  run_report_number(out, "divergent branches", s->divergent_branches, "");
}

static void print_beats(FILE *out, const uint64_t beats[TSV_TYPES], const char *way) {
  for (unsigned t = 0; t < TSV_TYPES; t++)
    if (beats[t] && message_name[t]) run_report_number(out, message_name[t], beats[t], way);
}

static void print_memory(const run_report_t *r, FILE *out) {
  const mpu_machine_stats_t *m = &r->result->stats.mpu;
  const mpu_stats_t *s = &m->machine;
  uint64_t rows = s->row_hits + s->row_misses + s->row_conflicts;
  fprintf(out, "TSVs, beats of 8 bytes\n");
  print_beats(out, s->tsv_beats_down, "down");
  print_beats(out, s->tsv_beats_up, "up");
  fprintf(out, "  %-26s %15.1f%% of the cores' cycles\n", "busy", core_cycles(r) > 0 ? 100 * (double)s->tsv_busy / core_cycles(r) : 0);
  fprintf(out, "DRAM\n");
  run_report_number(out, "reads", s->dram_reads, "of 32 bytes");
  run_report_number(out, "writes", s->dram_writes, "");
  fprintf(out, "  %-26s %16.1f GB/s\n", "", TRANSFER_BYTES * ratio(s->dram_reads + s->dram_writes, r->result->stats.cycles));
  fprintf(out, "  %-26s %15.1f%%, %.1f%% to a closed row-buffer, %.1f%% to another row\n", "row hits", run_report_percent(s->row_hits, rows),
          run_report_percent(s->row_misses, rows), run_report_percent(s->row_conflicts, rows));
  fprintf(out, "Network, flits of 32 bytes\n");
  run_report_number(out, "requests", s->net_flits[0], "");
  run_report_number(out, "answers", s->net_flits[1], "");
  run_report_number(out, "over links on the chip", m->link_flits[0], "");
  run_report_number(out, "between processors", m->link_flits[1], "");
}

static void print(const run_report_t *r, FILE *out) {
  char text[32];
  print_instructions(r, out);
  print_memory(r, out);
  fprintf(out, "  %-26s %16s a CPU second\n", "warp instructions", number_text((uint64_t)per_cpu_second(r), text));
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------- */

static json_t *json_beats(const uint64_t beats[TSV_TYPES]) {
  json_t *object = json_object();
  for (unsigned t = 0; t < TSV_TYPES; t++)
    if (beats[t] && message_name[t]) json_object_set_new(object, message_name[t], run_report_integer(beats[t]));
  return object;
}

static json_t *json_global(const mpu_stats_t *s) {
  return json_pack("{s:I, s:I, s:f, s:I, s:I}", "accesses", (json_int_t)s->global_accesses, "offloaded", (json_int_t)s->global_offloaded,
                   "offloaded_share", ratio(s->global_offloaded, s->global_accesses), "local_transfers", (json_int_t)s->local_transfers,
                   "remote_transfers", (json_int_t)s->remote_transfers);
}

static json_t *json_tsv(const run_report_t *r) {
  const mpu_stats_t *s = &r->result->stats.mpu.machine;
  return json_pack("{s:o, s:o, s:I, s:I, s:f}", "down", json_beats(s->tsv_beats_down), "up", json_beats(s->tsv_beats_up), "beats",
                   (json_int_t)(sum(s->tsv_beats_down, TSV_TYPES) + sum(s->tsv_beats_up, TSV_TYPES)), "busy_cycles", (json_int_t)s->tsv_busy,
                   "busy_share", core_cycles(r) > 0 ? (double)s->tsv_busy / core_cycles(r) : 0);
}

static json_t *json_dram(const mpu_stats_t *s) {
  return json_pack("{s:I, s:I, s:I, s:I, s:I, s:f, s:I, s:I}", "reads", (json_int_t)s->dram_reads, "writes", (json_int_t)s->dram_writes,
                   "row_hits", (json_int_t)s->row_hits, "row_misses", (json_int_t)s->row_misses, "row_conflicts", (json_int_t)s->row_conflicts,
                   "row_hit_rate", ratio(s->row_hits, s->row_hits + s->row_misses + s->row_conflicts), "activates", (json_int_t)s->activates,
                   "refreshes", (json_int_t)s->refreshes);
}

static json_t *json_network(const mpu_machine_stats_t *m) {
  const mpu_stats_t *s = &m->machine;
  return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "requests", (json_int_t)s->packets[0], "answers", (json_int_t)s->packets[1],
                   "request_flits", (json_int_t)s->net_flits[0], "answer_flits", (json_int_t)s->net_flits[1], "link_flits_on_chip",
                   (json_int_t)m->link_flits[0], "link_flits_between_processors", (json_int_t)m->link_flits[1]);
}

static void json(const run_report_t *r, json_t *root) {
  const mpu_stats_t *s = &r->result->stats.mpu.machine;
  json_object_set_new(root, "cores", json_integer(r->result->stats.cores));
  json_object_set_new(root, "warp_instructions_per_cpu_second", json_real(per_cpu_second(r)));
  json_object_set_new(root, "thread_instructions", run_report_integer(s->thread_instructions));
  json_object_set_new(root, "near_instructions", run_report_integer(s->near_instructions));
  json_object_set_new(root, "far_instructions", run_report_integer(s->far_instructions));
  json_object_set_new(root, "near_share", json_real(ratio(s->near_instructions, s->near_instructions + s->far_instructions)));
  json_object_set_new(root, "register_moves", json_pack("{s:I, s:I}", "to_far", (json_int_t)s->register_moves[0], "to_near",
                                                        (json_int_t)s->register_moves[1]));
  json_object_set_new(root, "global", json_global(s));
  json_object_set_new(root, "shared_accesses", run_report_integer(s->shared_accesses));
  json_object_set_new(root, "barriers", run_report_integer(s->barriers));
  json_object_set_new(root, "divergent_branches", run_report_integer(s->divergent_branches));
  json_object_set_new(root, "tsv", json_tsv(r));
  json_object_set_new(root, "dram", json_dram(s));
  json_object_set_new(root, "network", json_network(&r->result->stats.mpu));
  json_object_set_new(root, "lsu_ext_cycles", run_report_integer(s->lsu_ext_cycles));
}

const run_report_machine_t run_report_mpu = {"mpu", "of 1 GHz", print, json};

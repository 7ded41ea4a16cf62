/* SPDX-License-Identifier: Apache-2.0
 *
 * What `run` says of the GPU with its memory stacks and NSUs.
 */
#include <inttypes.h>

#include "nsu_ports.h"
#include "number.h"
#include "run_report.h"

enum { TYPES = 16 };

static unsigned num_nsus(const run_report_t *r) {
  return r->result->stats.gpu.nsus;
}

static void print_types(FILE *out, const char *title, const uint64_t bytes[TYPES], const uint64_t *packets) {
  char text[32];
  fprintf(out, "%s\n", title);
  for (unsigned t = 1; t < TYPES; t++) {
    if (!bytes[t]) continue;
    fprintf(out, "  %-26s %16s bytes", pkt_type_name(t), number_text(bytes[t], text));
    if (packets) fprintf(out, " in %s packets", number_text(packets[t], text));
    fprintf(out, "\n");
  }
}

static void print_nsus(const run_report_t *r, FILE *out) {
  const gpu_machine_stats_t *s = &r->result->stats.gpu;
  uint64_t warp_cycles = 0, lines = 0;
  for (unsigned k = 0; k < GPU_MACHINE_STACKS; k++) {
    warp_cycles += s->nsu[k].warp_cycles;
    if (s->nsu[k].icache_lines > lines) lines = s->nsu[k].icache_lines;
  }
  fprintf(out, "NSUs\n");
  run_report_number(out, "blocks offloaded", s->die.blocks_offloaded, "");
  run_report_number(out, "blocks kept on the GPU", s->die.blocks_kept, "");
  fprintf(out, "  %-26s %15.1f%% of %u warp slots, mean over the run\n", "occupancy",
          s->nsu_cycles ? 100.0 * (double)warp_cycles / ((double)NumWarps * (double)s->nsu_cycles) : 0, NumWarps);
  fprintf(out, "  %-26s %15.1f%% of %u KB (%" PRIu64 " lines of %u B)\n", "instruction cache used",
          100.0 * (double)(lines * PKT_LINE_BYTES) / ICacheBytes, ICacheBytes / 1024, lines, PKT_LINE_BYTES);
}

static void print(const run_report_t *r, FILE *out) {
  const gpu_machine_stats_t *s = &r->result->stats.gpu;
  const gpu_stats_t *g = &s->die;
  run_report_number(out, "warp instructions", g->warp_instructions, "issued by SMs");
  fprintf(out, "  %-26s %15.1f%% L1, %.1f%% L2\n", "cache hits", run_report_percent(g->l1_hits, g->l1_hits + g->l1_misses),
          run_report_percent(g->l2_hits, g->l2_hits + g->l2_misses));
  print_types(out, "GPU links, to memory", g->sent_bytes, g->sent_packets);
  print_types(out, "GPU links, from memory", g->got_bytes, g->got_packets);
  print_types(out, "Memory network", s->network_bytes, NULL);
  uint64_t rows = s->row_hits + s->row_misses + s->row_conflicts;
  fprintf(out, "DRAM\n");
  run_report_number(out, "reads", s->vault_reads, "");
  run_report_number(out, "writes", s->vault_writes, "");
  fprintf(out, "  %-26s %15.1f%%, %.1f%% to a closed bank, %.1f%% to another row\n", "row hits", run_report_percent(s->row_hits, rows),
          run_report_percent(s->row_misses, rows), run_report_percent(s->row_conflicts, rows));
  if (num_nsus(r)) print_nsus(r, out);
}

static json_t *json_types(const uint64_t bytes[TYPES]) {
  json_t *object = json_object();
  for (unsigned t = 1; t < TYPES; t++)
    if (bytes[t]) json_object_set_new(object, pkt_type_name(t), run_report_integer(bytes[t]));
  return object;
}

static json_t *json_traffic(const gpu_machine_stats_t *s) {
  return json_pack("{s:o, s:o, s:o}", "gpu_to_memory", json_types(s->die.sent_bytes), "memory_to_gpu",
                   json_types(s->die.got_bytes), "memory_network", json_types(s->network_bytes));
}

static void json(const run_report_t *r, json_t *root) {
  const gpu_machine_stats_t *s = &r->result->stats.gpu;
  json_object_set_new(root, "blocks_offloaded", run_report_integer(s->die.blocks_offloaded));
  json_object_set_new(root, "blocks_kept", run_report_integer(s->die.blocks_kept));
  json_object_set_new(root, "fills_killed", json_pack("{s:I, s:I}", "l1", (json_int_t)s->die.l1_fills_killed, "l2",
                                                      (json_int_t)s->die.l2_fills_killed));
  json_object_set_new(root, "traffic_bytes", json_traffic(s));
  json_object_set_new(root, "dram", json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "reads", (json_int_t)s->vault_reads, "writes",
                                              (json_int_t)s->vault_writes, "row_hits", (json_int_t)s->row_hits, "row_misses",
                                              (json_int_t)s->row_misses, "row_conflicts", (json_int_t)s->row_conflicts, "read_bursts",
                                              (json_int_t)s->read_bursts, "write_bursts", (json_int_t)s->write_bursts));
  json_object_set_new(root, "network_link_flits", run_report_integer(s->network_link_flits));
  json_object_set_new(root, "sm_cycles", run_report_integer(r->result->stats.cycles * r->result->stats.cores));
}

const run_report_machine_t run_report_gpu = {"gpu", "of the SM clock", print, json};

/* SPDX-License-Identifier: Apache-2.0 */
#include "run_report.h"

#include <inttypes.h>
#include <string.h>

#include "cli.h"
#include "nsu_ports.h"
#include "progress.h"

enum { TYPES = 16 };

static unsigned num_nsus(const run_report_t *r) {
  return r->job->system.nsu_object ? 1u << r->job->system.config.memory.network.dims : 0;
}

static unsigned num_routers(const run_report_t *r) {
  return 1u << r->job->system.config.memory.network.dims;
}

static double speedup(const run_report_t *r) {
  return r->result->stats.cycles ? (double)r->baseline->stats.cycles / (double)r->result->stats.cycles : 0;
}

static uint64_t lockstep_cycles(const run_report_t *r) {
  uint64_t sum = 0;
  for (unsigned k = 0; k < num_nsus(r); k++) sum += r->result->stats.nsu[k].compared;
  for (unsigned k = 0; k < num_routers(r); k++) sum += r->result->stats.router[k].report.compared;
  return sum;
}

static uint64_t divergences(const run_report_t *r) {
  uint64_t sum = 0;
  for (unsigned k = 0; k < num_nsus(r); k++) sum += r->result->stats.nsu[k].divergences;
  for (unsigned k = 0; k < num_routers(r); k++) sum += r->result->stats.router[k].report.diverged;
  return sum;
}

bool run_report_held(const run_report_t *r) {
  return r->result->result_ok && r->baseline->result_ok && !divergences(r);
}

static double percent(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* ---- For people ---------------------------------------------------------------------------------------------------- */

static void print_number(FILE *out, const char *name, uint64_t value, const char *unit) {
  char text[32];
  fprintf(out, "  %-26s %16s %s\n", name, progress_number(value, text), unit);
}

static void print_types(FILE *out, const char *title, const uint64_t bytes[TYPES], const uint64_t *packets) {
  char text[32];
  fprintf(out, "%s\n", title);
  for (unsigned t = 1; t < TYPES; t++) {
    if (!bytes[t]) continue;
    fprintf(out, "  %-26s %16s bytes", pkt_type_name(t), progress_number(bytes[t], text));
    if (packets) fprintf(out, " in %s packets", progress_number(packets[t], text));
    fprintf(out, "\n");
  }
}

static void print_nsus(const run_report_t *r, FILE *out) {
  const system_stats_t *s = &r->result->stats;
  uint64_t warp_cycles = 0, lines = 0;
  unsigned count = num_nsus(r);
  for (unsigned k = 0; k < count; k++) {
    warp_cycles += s->nsu[k].warp_cycles;
    if (s->nsu[k].icache_lines > lines) lines = s->nsu[k].icache_lines;
  }
  fprintf(out, "NSUs\n");
  print_number(out, "blocks offloaded", s->gpu.blocks_offloaded, "");
  print_number(out, "blocks kept on the GPU", s->gpu.blocks_kept, "");
  fprintf(out, "  %-26s %15.1f%% of %u warp slots, mean over the run\n", "occupancy",
          s->nsu_cycles ? 100.0 * (double)warp_cycles / ((double)NumWarps * count * (double)s->nsu_cycles) : 0, NumWarps);
  fprintf(out, "  %-26s %15.1f%% of %u KB (%" PRIu64 " lines of %u B)\n", "instruction cache used",
          100.0 * (double)(lines * PKT_LINE_BYTES) / ICacheBytes, ICacheBytes / 1024, lines, PKT_LINE_BYTES);
}

static void print_first(FILE *out, const char *name, unsigned k, uint64_t cycle, const char *first, const char *replay) {
  fprintf(out, "  %s[%u] first differs in its cycle %" PRIu64 ": %s\n", name, k, cycle, first);
  if (*replay) fprintf(out, "    lockstack replay %s\n", replay);
}

static void print_lockstep(const run_report_t *r, FILE *out) {
  fprintf(out, "Lockstep\n");
  print_number(out, "cycles compared", lockstep_cycles(r), "");
  print_number(out, "divergences", divergences(r), "");
  for (unsigned k = 0; k < num_nsus(r); k++) {
    const nsu_node_stats_t *n = &r->result->stats.nsu[k];
    if (n->divergences) print_first(out, "nsu", k, n->first_cycle, n->first, n->replay);
  }
  for (unsigned k = 0; k < num_routers(r); k++) {
    const system_router_t *n = &r->result->stats.router[k];
    if (n->report.diverged) print_first(out, "router", k, n->report.first_cycle, n->report.first, n->replay);
  }
}

void run_report_print(const run_report_t *r, FILE *out) {
  const system_stats_t *s = &r->result->stats;
  const workload_t *w = r->job->workload;
  fprintf(out, "%s on %s: %s\n", w->name, r->system, w->text);
  fprintf(out, "  %-26s %s, seed %" PRIu64 "\n", "configuration", r->config, r->job->system.config.seed);
  for (unsigned i = 0; w->params[i].name; i++)
    fprintf(out, "  %-26s %16" PRId64 " %s\n", w->params[i].name, r->job->values[i], w->params[i].text);
  print_number(out, "cycles", s->cycles, "of the SM clock");
  if (r->baseline != r->result) {
    print_number(out, "baseline", r->baseline->stats.cycles, "cycles without near-data processing");
    fprintf(out, "  %-26s %16.3f\n", "speedup", speedup(r));
  }
  print_number(out, "warp instructions", s->gpu.warp_instructions, "issued by SMs");
  fprintf(out, "  %-26s %15.1f%% L1, %.1f%% L2\n", "cache hits", percent(s->gpu.l1_hits, s->gpu.l1_hits + s->gpu.l1_misses),
          percent(s->gpu.l2_hits, s->gpu.l2_hits + s->gpu.l2_misses));
  print_types(out, "GPU links, to memory", s->gpu.sent_bytes, s->gpu.sent_packets);
  print_types(out, "GPU links, from memory", s->gpu.got_bytes, s->gpu.got_packets);
  print_types(out, "Memory network", s->network_bytes, NULL);
  uint64_t rows = s->row_hits + s->row_misses + s->row_conflicts;
  fprintf(out, "DRAM\n");
  print_number(out, "reads", s->vault_reads, "");
  print_number(out, "writes", s->vault_writes, "");
  fprintf(out, "  %-26s %15.1f%%, %.1f%% to a closed bank, %.1f%% to another row\n", "row hits", percent(s->row_hits, rows),
          percent(s->row_misses, rows), percent(s->row_conflicts, rows));
  if (num_nsus(r)) print_nsus(r, out);
  if (num_nsus(r) || lockstep_cycles(r)) print_lockstep(r, out);
  fprintf(out, "Simulation                   %16.2f s of CPU, %.0f MiB at most\n", r->result->cpu_seconds,
          (double)r->result->peak_rss_bytes / 1048576);
  if (!r->result->result_ok) fprintf(out, "WRONG RESULT: %s\n", r->result->wrong);
  else if (!r->baseline->result_ok) fprintf(out, "WRONG RESULT of the baseline: %s\n", r->baseline->wrong);
  else fprintf(out, "Result is right: memory equals the host reference.\n");
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------- */

static json_t *integer(uint64_t value) {
  return json_integer((json_int_t)value);
}

static json_t *json_types(const uint64_t bytes[TYPES]) {
  json_t *object = json_object();
  for (unsigned t = 1; t < TYPES; t++)
    if (bytes[t]) json_object_set_new(object, pkt_type_name(t), integer(bytes[t]));
  return object;
}

static void add_engine(json_t *object, const char *kind, unsigned k, engine_t engine) {
  char name[32];
  snprintf(name, sizeof name, "%s[%u]", kind, k);
  json_object_set_new(object, name, json_string(engine_name(engine)));
}

static json_t *json_engines(const run_report_t *r) {
  json_t *object = json_object();
  for (unsigned k = 0; k < num_nsus(r); k++) add_engine(object, "nsu", k, r->job->system.engine[k]);
  for (unsigned k = 0; k < num_routers(r); k++) add_engine(object, "router", k, r->job->system.router[k]);
  return object;
}

typedef struct {
  const char *kind, *first, *replay;
  uint64_t cycles, divergences, first_cycle;
} compared_t;

static void add_compared(json_t *list, unsigned k, const compared_t *c) {
  char name[32];
  snprintf(name, sizeof name, "%s[%u]", c->kind, k);
  json_t *entry = json_pack("{s:s, s:I, s:I}", "name", name, "cycles", (json_int_t)c->cycles, "divergences", (json_int_t)c->divergences);
  if (c->divergences)
    json_object_set_new(entry, "first", json_pack("{s:I, s:s, s:s}", "cycle", (json_int_t)c->first_cycle, "what", c->first, "replay",
                                                  c->replay));
  json_array_append_new(list, entry);
}

static json_t *json_lockstep(const run_report_t *r) {
  json_t *list = json_array();
  for (unsigned k = 0; k < num_nsus(r); k++) {
    const nsu_node_stats_t *n = &r->result->stats.nsu[k];
    add_compared(list, k, &(compared_t){"nsu", n->first, n->replay, n->compared, n->divergences, n->first_cycle});
  }
  for (unsigned k = 0; k < num_routers(r); k++) {
    const system_router_t *n = &r->result->stats.router[k];
    const router_report_t *p = &n->report;
    add_compared(list, k, &(compared_t){"router", p->first, n->replay, p->compared, p->diverged, p->first_cycle});
  }
  return json_pack("{s:I, s:I, s:o}", "cycles", (json_int_t)lockstep_cycles(r), "divergences", (json_int_t)divergences(r),
                   "instances", list);
}

static json_t *json_params(const run_report_t *r) {
  json_t *object = json_object();
  for (unsigned i = 0; r->job->workload->params[i].name; i++)
    json_object_set_new(object, r->job->workload->params[i].name, json_integer(r->job->values[i]));
  return object;
}

static json_t *json_traffic(const system_stats_t *s) {
  return json_pack("{s:o, s:o, s:o}", "gpu_to_memory", json_types(s->gpu.sent_bytes), "memory_to_gpu",
                   json_types(s->gpu.got_bytes), "memory_network", json_types(s->network_bytes));
}

json_t *run_report_json(const run_report_t *r) {
  const system_stats_t *s = &r->result->stats;
  json_t *root = cli_json("run", 1);
  json_object_set_new(root, "system", json_string(r->system));
  json_object_set_new(root, "workload", json_string(r->job->workload->name));
  json_object_set_new(root, "parameters", json_params(r));
  json_object_set_new(root, "config", json_string(r->config));
  json_object_set_new(root, "seed", integer(r->job->system.config.seed));
  json_object_set_new(root, "cycles", integer(s->cycles));
  json_object_set_new(root, "baseline_cycles", integer(r->baseline->stats.cycles));
  json_object_set_new(root, "speedup", json_real(speedup(r)));
  json_object_set_new(root, "result_ok", json_boolean(r->result->result_ok && r->baseline->result_ok));
  json_object_set_new(root, "engines", json_engines(r));
  json_object_set_new(root, "lockstep", json_lockstep(r));
  json_object_set_new(root, "warp_instructions", integer(s->gpu.warp_instructions));
  json_object_set_new(root, "blocks_offloaded", integer(s->gpu.blocks_offloaded));
  json_object_set_new(root, "blocks_kept", integer(s->gpu.blocks_kept));
  json_object_set_new(root, "traffic_bytes", json_traffic(s));
  json_object_set_new(root, "dram", json_pack("{s:I, s:I, s:I, s:I, s:I}", "reads", (json_int_t)s->vault_reads, "writes",
                                              (json_int_t)s->vault_writes, "row_hits", (json_int_t)s->row_hits, "row_misses",
                                              (json_int_t)s->row_misses, "row_conflicts", (json_int_t)s->row_conflicts));
  json_object_set_new(root, "sm_cycles", integer(s->cycles * r->job->system.config.gpu.num_sms));
  json_object_set_new(root, "cpu_seconds", json_real(r->result->cpu_seconds));
  json_object_set_new(root, "peak_rss_bytes", integer(r->result->peak_rss_bytes));
  return root;
}

/* ---- The configuration --------------------------------------------------------------------------------------------- */

void run_report_config(const system_config_t *config, FILE *out) {
  char section[64] = "";
  for (size_t i = 0; i < config_num_keys; i++) {
    const config_key_t *key = &config_keys[i];
    const char *dot = strchr(key->key, '.');
    size_t length = (size_t)(dot - key->key);
    if (strncmp(section, key->key, length) || section[length]) {
      snprintf(section, sizeof section, "%.*s", (int)length, key->key);
      fprintf(out, "%s%s:\n", i ? "\n" : "", section);
    }
    char value[32];
    if (key->type == CONFIG_BOOL) snprintf(value, sizeof value, "%s", config_value(config, key) ? "true" : "false");
    else snprintf(value, sizeof value, "%.10g", config_value(config, key));
    fprintf(out, "  %s: %-*s # %s\n", dot + 1, (int)(24 - strlen(dot + 1) > 0 ? 24 - strlen(dot + 1) : 1), value, key->text);
  }
}

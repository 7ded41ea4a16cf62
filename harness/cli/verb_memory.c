/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack memory: one vault alone under a pattern of requests (cmodel/memory/vault_pattern.h).
 */
#include "cli.h"
#include "progress.h"
#include "vault_pattern.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_BANKS = 256, OPT_ROWS, OPT_ROW_REQUESTS, OPT_OUTSTANDING, OPT_READS, OPT_REFRESH, OPT_TRACE };
enum { MAX_SETS = 64, MAX_ROWS = 1 << 24 };

typedef struct {
  const char *name; /* a timing, banks, queue or bypass */
  long value;
} setting_t;

typedef struct {
  int pattern;
  bool has_requests, has_reads, refresh;
  uint64_t requests, banks, rows, row_requests, outstanding, seed; /* 0: the pattern's own (all but seed) */
  double reads;
  const char *trace;
  setting_t sets[MAX_SETS];
  unsigned num_sets;
} options_t;

static const struct argp_option argp_options[] = {
    {"pattern", 'p', "P", 0,
     "isolated-closed, isolated-hit, isolated-conflict, stream-hit, stream-row128, distinct-rows, "
     "random or trace (default random)",
     0},
    {"requests", 'n', "N", 0, "64-byte requests (default 20000)", 0},
    {"set", 's', "NAME=VALUE", 0,
     "A timing in tCK (tRP tRCD tCL tCCD tWR tRAS tRC CWL BL tRTP tWTR tRRD tFAW tRTW tREFI "
     "tRFC), or banks, queue, bypass; may be repeated",
     0},
    {"banks", OPT_BANKS, "K", 0, "Banks that the pattern uses in turn (default 1; random: all)", 0},
    {"rows", OPT_ROWS, "N", 0, "Rows that random uses (default 16384)", 0},
    {"row-requests", OPT_ROW_REQUESTS, "N", 0,
     "Requests to a row before the next (stream-row128), columns (random); default 128", 0},
    {"outstanding", OPT_OUTSTANDING, "N", 0, "Requests between push and end of data (default 64)", 0},
    {"reads", OPT_READS, "F", 0, "Fraction of reads, 0 to 1 (default 1; random: 0.6667)", 0},
    {"refresh", OPT_REFRESH, "on|off", 0, "Refresh (default off)", 0},
    {"seed", OPT_TRACE + 1, "N", 0, "Seed of random (default 1)", 0},
    {"trace", OPT_TRACE, "FILE", 0, "Requests from a file, one a line: R or W, bank, row, column", 0},
    {0}};

static error_t parse_pattern(options_t *o, const char *arg, const struct argp_state *state) {
  o->pattern = vault_pattern_from_name(arg);
  if (o->pattern >= 0) return 0;
  return cli_usage(state, "--pattern: '%s' should be isolated-closed, isolated-hit, isolated-conflict, stream-hit, "
                          "stream-row128, distinct-rows, random or trace", arg);
}

static error_t parse_reads(options_t *o, const char *arg, const struct argp_state *state) {
  char *end;
  o->reads = strtod(arg, &end);
  o->has_reads = true;
  if (end != arg && !*end && o->reads >= 0 && o->reads <= 1) return 0;
  return cli_usage(state, "--reads: '%s' should be a fraction from 0 to 1", arg);
}

static error_t parse_set(options_t *o, char *arg, const struct argp_state *state) {
  char *equals = strchr(arg, '='), *end;
  if (!equals || equals == arg) return cli_usage(state, "--set: '%s' should be NAME=VALUE, as in tRRD=1", arg);
  if (o->num_sets == MAX_SETS) return cli_usage(state, "--set: at most %d settings", MAX_SETS);
  *equals = 0;
  errno = 0;
  long value = strtol(equals + 1, &end, 10);
  if (end == equals + 1 || *end || errno)
    return cli_usage(state, "--set %s: '%s' should be a whole number", arg, equals + 1);
  o->sets[o->num_sets++] = (setting_t){arg, value};
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case 'p': return parse_pattern(o, arg, state);
  case 'n': o->has_requests = true; return cli_number(state, "--requests", arg, 1, UINT64_C(1) << 40, &o->requests);
  case 's': return parse_set(o, arg, state);
  case OPT_BANKS: return cli_number(state, "--banks", arg, 1, VAULT_MAX_BANKS, &o->banks);
  case OPT_ROWS: return cli_number(state, "--rows", arg, 1, MAX_ROWS, &o->rows);
  case OPT_ROW_REQUESTS: return cli_number(state, "--row-requests", arg, 1, 1 << 16, &o->row_requests);
  case OPT_OUTSTANDING: return cli_number(state, "--outstanding", arg, 1, 1 << 16, &o->outstanding);
  case OPT_READS: return parse_reads(o, arg, state);
  case OPT_TRACE + 1: return cli_number(state, "--seed", arg, 0, UINT64_MAX, &o->seed);
  case OPT_TRACE: o->trace = arg; return 0;
  case OPT_REFRESH:
    o->refresh = strcmp(arg, "on") == 0;
    return o->refresh || strcmp(arg, "off") == 0 ? 0 : cli_usage(state, "--refresh: '%s' should be on or off", arg);
  case ARGP_KEY_END:
    if (o->trace && o->pattern < 0) o->pattern = VAULT_PATTERN_TRACE;
    if (o->pattern < 0) o->pattern = VAULT_PATTERN_RANDOM;
    if ((o->pattern == VAULT_PATTERN_TRACE) != (o->trace != NULL))
      return cli_usage(state, "--pattern trace and --trace FILE go together");
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

/* ---- from options to a run ---- */

static int apply_set(vault_config_t *v, const setting_t *s) {
  long least = 1, most = 0;
  unsigned *field = NULL;
  if (strcmp(s->name, "banks") == 0) field = &v->banks, most = VAULT_MAX_BANKS;
  if (strcmp(s->name, "queue") == 0) field = &v->queue, most = VAULT_MAX_QUEUE;
  if (strcmp(s->name, "bypass") == 0) field = &v->bypass, least = 0, most = 1000000;
  int wrong = field ? (s->value < least || s->value > most ? -2 : 0)
                    : vault_set_timing(&v->timing, s->name, s->value, &least, &most);
  if (wrong == -1)
    return cli_error(EXIT_BAD,
                     "--set: no timing '%s'; there are tRP tRCD tCL tCCD tWR tRAS tRC CWL BL tRTP tWTR tRRD tFAW "
                     "tRTW tREFI tRFC, and banks, queue, bypass",
                     s->name);
  if (wrong) return cli_error(EXIT_BAD, "--set %s: %ld should be from %ld to %ld", s->name, s->value, least, most);
  if (field) *field = (unsigned)s->value;
  return 0;
}

/* An option that the pattern would not look at; NULL: none. */
static const char *unused_option(const options_t *o) {
  bool random = o->pattern == VAULT_PATTERN_RANDOM, trace = o->pattern == VAULT_PATTERN_TRACE;
  bool one = o->pattern <= VAULT_PATTERN_ISOLATED_CONFLICT;
  if (o->rows && !random) return "--rows";
  if (o->row_requests && !random && o->pattern != VAULT_PATTERN_STREAM_ROW) return "--row-requests";
  if (o->banks && (trace || one)) return "--banks";
  if (o->has_reads && (trace || one)) return "--reads";
  return NULL;
}

static int configure(const options_t *o, vault_run_config_t *c) {
  *c = vault_run_default((vault_pattern_t)o->pattern);
  bool all_banks = c->banks == c->vault.banks;
  for (unsigned i = 0; i < o->num_sets; i++) {
    int code = apply_set(&c->vault, &o->sets[i]);
    if (code) return code;
  }
  if (all_banks) c->banks = c->vault.banks;
  if (o->banks) c->banks = (unsigned)o->banks;
  if (o->rows) c->rows = (unsigned)o->rows;
  if (o->row_requests) c->row_requests = (unsigned)o->row_requests;
  if (o->outstanding) c->outstanding = (unsigned)o->outstanding;
  if (o->has_reads) c->reads = o->reads;
  c->vault.refresh = o->refresh;
  c->seed = o->seed;
  if (o->has_requests && c->requests == 1 && o->requests != 1)
    return cli_error(EXIT_BAD, "--requests: %s has one request", vault_pattern_name(c->pattern));
  if (o->has_requests) c->requests = o->requests;
  if (c->banks > c->vault.banks)
    return cli_error(EXIT_BAD, "--banks: %u is more than the vault's %u; add --set banks=%u", c->banks, c->vault.banks,
                     c->banks);
  const char *unused = unused_option(o), *wrong = vault_check_config(&c->vault);
  if (unused) return cli_error(EXIT_BAD, "%s: pattern %s does not use it", unused, vault_pattern_name(c->pattern));
  return wrong ? cli_error(EXIT_BAD, "--set: %s", wrong) : 0;
}

/* ---- traces ---- */

static int parse_line(const char *line, const char *file, unsigned number, const vault_config_t *v,
                      vault_request_t *r) {
  char kind, rest;
  long bank, row, col;
  int n = sscanf(line, " %c %ld %ld %ld %c", &kind, &bank, &row, &col, &rest);
  if (n != 4 || (kind != 'R' && kind != 'W'))
    return cli_error(EXIT_BAD, "%s:%u: '%.40s' should be R or W, bank, row, column", file, number, line);
  if (bank < 0 || bank >= (long)v->banks)
    return cli_error(EXIT_BAD, "%s:%u: bank %ld should be from 0 to %u", file, number, bank, v->banks - 1);
  if (row < 0 || row > UINT32_MAX || col < 0)
    return cli_error(EXIT_BAD, "%s:%u: row and column should not be negative, rows below 2^32", file, number);
  *r = (vault_request_t){
      .column = (uint64_t)col, .row = (uint32_t)row, .bank = (uint16_t)bank, .bursts = 1, .write = kind == 'W'};
  return 0;
}

static int read_lines(FILE *in, const char *file, const vault_config_t *v, vault_request_t **list, uint64_t *count) {
  char *line = NULL;
  size_t size = 0, room = 0;
  int code = 0;
  for (unsigned number = 1; !code && getline(&line, &size, in) > 0; number++) {
    line[strcspn(line, "#\r\n")] = 0;
    if (!line[strspn(line, " \t")]) continue;
    if (*count == room) {
      room = room ? 2 * room : 1024;
      vault_request_t *more = realloc(*list, room * sizeof **list);
      if (!more) code = cli_error(EXIT_ENV, "%s: out of memory after %" PRIu64 " requests", file, *count);
      else *list = more;
    }
    if (!code) code = parse_line(line, file, number, v, &(*list)[(*count)++]);
  }
  if (!code && ferror(in)) code = cli_error(EXIT_BAD, "%s: %s", file, strerror(errno));
  free(line);
  return code;
}

static int read_trace(const options_t *o, vault_run_config_t *c, vault_request_t **list) {
  uint64_t count = 0;
  FILE *in = fopen(o->trace, "r");
  if (!in) return cli_error(EXIT_BAD, "%s: %s", o->trace, strerror(errno));
  int code = read_lines(in, o->trace, &c->vault, list, &count);
  fclose(in);
  if (code) return code;
  if (!count) return cli_error(EXIT_BAD, "%s: no requests; a line is R or W, bank, row, column", o->trace);
  if (o->has_requests && o->requests > count)
    return cli_error(EXIT_BAD, "--requests: %s has only %" PRIu64, o->trace, count);
  c->requests = o->has_requests ? o->requests : count;
  c->trace = *list;
  return 0;
}

/* ---- what came out ---- */

static void print(FILE *out, const vault_run_config_t *c, const vault_run_result_t *r, double seconds) {
  const vault_stats_t *s = &r->stats;
  char a[32], b[32];
  fprintf(out, "pattern             %s: %s\n", vault_pattern_name(c->pattern), vault_pattern_text(c->pattern));
  fprintf(out, "requests            %s (%" PRIu64 " reads, %" PRIu64 " writes), %u banks, refresh %s\n",
          progress_number(r->requests, a), s->reads, s->writes, c->banks, c->vault.refresh ? "on" : "off");
  fprintf(out, "cycles              %s tCK\n", progress_number(r->cycles, b));
  fprintf(out, "cycles per request  %.4f\n", r->cycles_per_request);
  fprintf(out, "latency             mean %.2f, most %" PRIu64 " tCK\n", r->mean_latency, s->latency_max);
  fprintf(out, "rows                %" PRIu64 " hits, %" PRIu64 " misses, %" PRIu64 " conflicts\n", s->row_hits,
          s->row_misses, s->row_conflicts);
  fprintf(out, "commands            %" PRIu64 " activates, %" PRIu64 " precharges, %" PRIu64 " refreshes\n",
          s->activates, s->precharges, s->refreshes);
  fprintf(out, "data bus            %.1f %% busy\n", 100 * r->bus_utilisation);
  if (seconds > 0.05) fprintf(out, "speed               %.0f requests/s\n", (double)r->requests / seconds);
}

static json_t *result_json(const vault_run_config_t *c, const vault_run_result_t *r, double seconds) {
  const vault_stats_t *s = &r->stats;
  json_t *root = cli_json("memory", 1), *timing = json_object();
#define DRAM_TIMING(name, def, least, most, text) \
  json_object_set_new(timing, #name, json_integer(c->vault.timing.name));
#include "dram_timing.def"
  json_t *fields = json_pack(
      "{s:s, s:I, s:I, s:I, s:i, s:i, s:i, s:i, s:i, s:b, s:o, s:I}", "pattern", vault_pattern_name(c->pattern),
      "requests", (json_int_t)r->requests, "reads", (json_int_t)s->reads, "writes", (json_int_t)s->writes, "banks",
      (int)c->banks, "rows", (int)c->rows, "row_requests", (int)c->row_requests, "outstanding", (int)c->outstanding,
      "queue", (int)c->vault.queue, "refresh", c->vault.refresh, "timing", timing, "seed", (json_int_t)c->seed);
  json_object_update(root, fields);
  json_decref(fields);
  fields = json_pack("{s:I, s:f, s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f}", "cycles", (json_int_t)r->cycles,
                     "cycles_per_request", r->cycles_per_request, "mean_latency", r->mean_latency, "max_latency",
                     (json_int_t)s->latency_max, "row_hits", (json_int_t)s->row_hits, "row_misses",
                     (json_int_t)s->row_misses, "row_conflicts", (json_int_t)s->row_conflicts, "activates",
                     (json_int_t)s->activates, "precharges", (json_int_t)s->precharges, "refreshes",
                     (json_int_t)s->refreshes, "bus_utilisation", r->bus_utilisation, "cpu_seconds", seconds);
  json_object_update(root, fields);
  json_decref(fields);
  return root;
}

static bool on_progress(void *context, uint64_t done) {
  progress_update(context, done);
  return !cli_interrupted;
}

static int measure(cli_t *cli, const vault_run_config_t *config) {
  vault_t *vault = malloc(sizeof *vault);
  if (!vault) return cli_error(EXIT_ENV, "out of memory");
  progress_t progress;
  progress_start(&progress, "memory", "requests", config->requests);
  double start = cpu_seconds();
  vault_run_result_t result = vault_run(vault, config, on_progress, &progress);
  double seconds = cpu_seconds() - start;
  progress_end(&progress);
  free(vault);
  bool whole = result.requests == config->requests;
  if (!whole)
    cli_error(EXIT_ENV, "interrupted after %" PRIu64 " of %" PRIu64 " requests", result.requests, config->requests);
  print(cli->out, config, &result, seconds);
  return cli_finish(cli, result_json(config, &result, seconds), whole ? EXIT_HELD : EXIT_ENV);
}

static int run(cli_t *cli, int argc, char **argv) {
  static const struct argp argp = {
      argp_options,
      parse,
      "",
      "Drives one memory vault alone: 64-byte requests, at most one a cycle, and says how long "
      "they took in DRAM cycles (tCK, 1.5 ns).\v"
      "Examples:\n  lockstack memory --pattern distinct-rows --banks 2\n"
      "  lockstack memory --pattern random --reads 0.5 --requests 1000000 --set tRRD=1\n",
      NULL,
      NULL,
      NULL};
  options_t options = {.pattern = -1, .seed = 1};
  vault_run_config_t config;
  vault_request_t *trace = NULL;
  int code = cli_parse(cli, &argp, argc, argv, &options);
  if (!code) code = configure(&options, &config);
  if (!code && options.trace) code = read_trace(&options, &config, &trace);
  if (!code) code = measure(cli, &config);
  free(trace);
  return code;
}

const verb_t verb_memory = {"memory", "one memory vault alone under a pattern of requests", run};

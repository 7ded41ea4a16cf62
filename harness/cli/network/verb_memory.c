/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack memory: one vault (cmodel/sim/memory/vault_pattern.h) or one near-bank memory
 * controller (near_mc_pattern.h) alone under a pattern of requests.
 *
 *   options --> configure: defaults of the pattern, then --set, then options --> check_memory_job
 *      [--> read_trace] --> measure_memory: run_vault or run_near --> text, JSON
 */
#include "cli.h"
#include "clock.h"
#include "judged.h"
#include "near_mc_pattern.h"
#include "number.h"
#include "progress.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  OPT_BANKS = 256,
  OPT_ROWS,
  OPT_ROW_REQUESTS,
  OPT_OUTSTANDING,
  OPT_READS,
  OPT_REFRESH,
  OPT_TRACE,
  OPT_SEED,
  OPT_NEAR,
  OPT_ROW_BUFFERS,
  OPT_DRY
};
enum { MAX_SETS = 64, MAX_ROWS = 1 << 24 };

/* --set NAME=VALUE. */
typedef struct {
  const char *name; /* a timing or one of SETTING_NAMES */
  long value;
} setting_t;

/* As the line has it. pattern -1: none was named. A pattern has defaults of its own, so a number
 * that was not given must stay recognisable; `has_` is for those whose 0 is a value. */
typedef struct {
  int pattern;
  bool has_requests, has_reads, refresh, near, dry;
  /* 0: the pattern's own (all but seed) */
  uint64_t requests, banks, row_buffers, rows, row_requests, outstanding, seed;
  double reads;
  const char *trace;
  setting_t sets[MAX_SETS];
  unsigned num_sets;
} options_t;

/* What is run: the options over the pattern's defaults. */
typedef struct {
  vault_run_config_t run;
  bool near;
  unsigned column_bits; /* of a near-bank unit's addresses */
} job_t;

#define SETTING_NAMES "banks, row_buffers, bank_io, queue, bypass, and with --near column_bits"

static const struct argp_option argp_options[] = {
    {"near", OPT_NEAR, NULL, 0,
     "A near-bank unit's memory controller (MPU paper): 32-byte requests, cycles of 1 ns, its banks and timing", 0},
    {"row-buffers", OPT_ROW_BUFFERS, "K", 0, "Row buffers of each bank: 1, 2, 4 or 8 (default 1; --near: 4)", 0},
    {"pattern", 'p', "P", 0,
     "isolated-closed, isolated-hit, isolated-conflict, stream-hit, stream-row128, distinct-rows, "
     "ping-pong, random or trace (default random)",
     0},
    {"requests", 'n', "N", 0, "Requests (default 20000)", 0},
    {"set", 's', "NAME=VALUE", CLI_LIST,
     "A timing in tCK (tRP tRCD tCL tCCD tWR tRAS tRC CWL BL tRTP tWTR tRRD tFAW tRTW tREFI "
     "tRFC), or " SETTING_NAMES "; may be repeated",
     0},
    {"banks", OPT_BANKS, "K", 0, "Banks that the pattern uses in turn (default 1; random: all)", 0},
    {"rows", OPT_ROWS, "N", 0,
     "Rows that random (default 16384; --near: 8192) or ping-pong (2) uses; rows of a bank for a trace (16384)", 0},
    {"row-requests", OPT_ROW_REQUESTS, "N", 0,
     "Requests to a row before the next (stream-row128), columns (random), columns of 64 bytes of a row for a trace; "
     "default 128 (--near, random: 64)",
     0},
    {"outstanding", OPT_OUTSTANDING, "N", 0, "Requests between push and end of data (default 64)", 0},
    {"reads", OPT_READS, "F", 0, "Fraction of reads, 0 to 1 (default 1; random: 0.6667)", 0},
    {"refresh", OPT_REFRESH, "on|off", 0, "Refresh (default off)", 0},
    {"seed", OPT_SEED, "N", 0, "Seed of random (default 1)", 0},
    {"trace", OPT_TRACE, "FILE", 0,
     "Requests from a file, one a line: R or W, bank, row, column; --rows and --row-requests say what a bank has", 0},
    {"dry-run", OPT_DRY, NULL, 0, "Check what is asked for, and run nothing", 0},
    {0},
};

/* --pattern. The line for another name lists all patterns. */
static error_t parse_pattern(options_t *o, const char *arg, const struct argp_state *state) {
  o->pattern = vault_pattern_from_name(arg);
  if (o->pattern >= 0) return 0;
  return cli_usage(state,
                   "--pattern: '%s' should be isolated-closed, isolated-hit, isolated-conflict, stream-hit, "
                   "stream-row128, distinct-rows, ping-pong, random or trace",
                   arg);
}

/* A power of two. */
static error_t parse_row_buffers(options_t *o, const char *arg, const struct argp_state *state) {
  error_t wrong = cli_number(state, "--row-buffers", arg, 1, VAULT_MAX_ROW_BUFFERS, &o->row_buffers);
  if (wrong || !(o->row_buffers & (o->row_buffers - 1))) return wrong;
  return cli_usage(state, "--row-buffers: '%s' should be 1, 2, 4 or 8", arg);
}

/* --reads: a share of all requests. */
static error_t parse_reads(options_t *o, const char *arg, const struct argp_state *state) {
  char *end;
  o->reads = strtod(arg, &end);
  o->has_reads = true;
  if (end != arg && !*end && o->reads >= 0 && o->reads <= 1) return 0;
  return cli_usage(state, "--reads: '%s' should be a fraction from 0 to 1", arg);
}

/* NAME=VALUE; the name is checked when --near is known. Cuts the text. */
static error_t parse_set(options_t *o, char *arg, const struct argp_state *state) {
  char *equals = strchr(arg, '='), *end;
  if (!equals || equals == arg) return cli_usage(state, "--set: '%s' should be NAME=VALUE, as in tRRD=1", arg);
  if (o->num_sets == MAX_SETS) return cli_usage(state, "--set: at most %d settings", MAX_SETS);
  *equals = 0;
  errno = 0;
  long value = strtol(equals + 1, &end, 10);
  if (end == equals + 1 || *end || errno)
    return cli_usage(state, "--set %s: '%s' should be a whole number", arg, equals + 1);
  for (unsigned i = 0; i < o->num_sets; i++)
    if (cli_set_once(state, arg, &o->sets[i].name, 1)) return EINVAL;
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
  case OPT_SEED: return cli_number(state, "--seed", arg, 0, UINT64_MAX, &o->seed);
  case OPT_TRACE: o->trace = arg; return 0;
  case OPT_NEAR: o->near = true; return 0;
  case OPT_DRY: o->dry = true; return 0;
  case OPT_ROW_BUFFERS: return parse_row_buffers(o, arg, state);
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

/* Applies one --set: a field of the configuration with its own bounds, or a timing. 0, or EXIT_BAD
 * after a line. */
static int apply_set(job_t *job, const setting_t *s) {
  vault_config_t *v = &job->run.vault;
  long least = 1, most = 0;
  unsigned *field = NULL, bank_io = 0;
  if (strcmp(s->name, "banks") == 0) field = &v->banks, most = VAULT_MAX_BANKS;
  if (strcmp(s->name, "row_buffers") == 0) field = &v->row_buffers, most = VAULT_MAX_ROW_BUFFERS;
  if (strcmp(s->name, "bank_io") == 0) field = &bank_io, least = 0, most = 1;
  if (job->near && strcmp(s->name, "column_bits") == 0)
    field = &job->column_bits, least = 0, most = NEAR_MC_MAX_COLUMN_BITS;
  if (strcmp(s->name, "queue") == 0) field = &v->queue, most = VAULT_MAX_QUEUE;
  if (strcmp(s->name, "bypass") == 0) field = &v->bypass, least = 0, most = VAULT_MAX_BYPASS;
  int wrong = field ? (s->value < least || s->value > most ? -2 : 0)
                    : vault_set_timing(&v->timing, s->name, s->value, &least, &most);
  if (wrong == -1)
    return cli_error(EXIT_BAD,
                     "--set: no timing '%s'; there are tRP tRCD tCL tCCD tWR tRAS tRC CWL BL tRTP tWTR tRRD tFAW "
                     "tRTW tREFI tRFC, and " SETTING_NAMES,
                     s->name);
  if (wrong) return cli_error(EXIT_BAD, "--set %s: %ld should be from %ld to %ld", s->name, s->value, least, most);
  if (field) *field = (unsigned)s->value;
  if (field == &bank_io) v->bank_io = bank_io;
  return 0;
}

/* The first option that the pattern does not use; NULL: none. An option without an effect would
 * mislead. */
static const char *unused_option(const options_t *o) {
  bool random = o->pattern == VAULT_PATTERN_RANDOM, trace = o->pattern == VAULT_PATTERN_TRACE;
  bool one = o->pattern <= VAULT_PATTERN_ISOLATED_CONFLICT, part = trace && !o->near; /* what the DRAM has */
  if (o->rows && !random && !part && o->pattern != VAULT_PATTERN_PING_PONG) return "--rows";
  if (o->row_requests && !random && !part && o->pattern != VAULT_PATTERN_STREAM_ROW) return "--row-requests";
  if (o->banks && (trace || one)) return "--banks";
  if (o->has_reads && (trace || one)) return "--reads";
  return NULL;
}

/* The near-bank controller's configuration has the vault's in it. */
static near_mc_config_t near_config(const job_t *job) {
  return (near_mc_config_t){.vault = job->run.vault, .column_bits = job->column_bits};
}

/* All --set. A pattern that uses all banks still does when --set banks changes their number. */
static int apply_sets(const options_t *o, job_t *job) {
  vault_run_config_t *c = &job->run;
  bool all_banks = c->banks == c->vault.banks;
  for (unsigned i = 0; i < o->num_sets; i++) {
    int code = apply_set(job, &o->sets[i]);
    if (code) return code;
  }
  if (o->row_buffers) c->vault.row_buffers = (unsigned)o->row_buffers;
  if (all_banks) c->banks = c->vault.banks;
  return 0;
}

/* Checks what fits together, now that everything is known. 0, or EXIT_BAD after a line. */
static int check_memory_job(const options_t *o, const job_t *job) {
  const vault_run_config_t *c = &job->run;
  near_mc_config_t near = near_config(job);
  trouble_t trouble = {0};
  const char *unused = unused_option(o);
  const bool fits = job->near ? near_mc_check_config(&near, &trouble) : vault_check_config(&c->vault, &trouble);
  const bool good = fits && vault_check_timing(&c->vault.timing, &trouble);
  if (c->banks > c->vault.banks)
    return cli_error(EXIT_BAD, "--banks: %u is more than the vault's %u; add --set banks=%u", c->banks, c->vault.banks,
                     c->banks);
  if (unused) return cli_error(EXIT_BAD, "%s: pattern %s does not use it", unused, vault_pattern_name(c->pattern));
  if (!good) return cli_error(EXIT_BAD, "--set: %s", trouble.text);
  unsigned most_rows = job->near ? 1U << near_mc_row_bits(&near) : MAX_ROWS;
  if (o->rows > most_rows)
    return cli_error(EXIT_BAD, "--rows: %u should be from 1 to %u, a bank's rows", c->rows, most_rows);
  return 0;
}

/* Makes the job from the options. 0, or EXIT_BAD after a line. */
static int configure(const options_t *o, job_t *job) {
  vault_pattern_t pattern = (vault_pattern_t)o->pattern;
  vault_run_config_t *c = &job->run;
  *job = (job_t){.run = o->near ? near_mc_run_default(pattern) : vault_run_default(pattern),
                 .near = o->near,
                 .column_bits = near_mc_config_default().column_bits};
  int code = apply_sets(o, job);
  if (code) return code;
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
  return check_memory_job(o, job);
}

/* ---- traces ---- */

typedef struct {
  unsigned banks;
  uint64_t rows, columns;
} space_t; /* what a trace may use */

/* How many banks, rows and columns a trace may address. */
static space_t space_of(const job_t *job) {
  near_mc_config_t near = near_config(job);
  if (!job->near) return (space_t){job->run.vault.banks, job->run.rows, job->run.row_requests};
  return (space_t){near.vault.banks, UINT64_C(1) << near_mc_row_bits(&near), UINT64_C(1) << near.column_bits};
}

/* A line "R 0 12 3": read or write, bank, row, column. 0, or EXIT_BAD after a line with file and
 * number. */
static int parse_line(const char *line, const char *file, unsigned number, const space_t *v, vault_request_t *r) {
  char kind, rest;
  long bank, row, col;
  int n = sscanf(line, " %c %ld %ld %ld %c", &kind, &bank, &row, &col, &rest);
  if (n != 4 || (kind != 'R' && kind != 'W'))
    return cli_error(EXIT_BAD, "%s:%u: '%.40s' should be R or W, bank, row, column", file, number, line);
  if (bank < 0 || bank >= (long)v->banks)
    return cli_error(EXIT_BAD, "%s:%u: bank %ld should be from 0 to %u", file, number, bank, v->banks - 1);
  if (row < 0 || (uint64_t)row >= v->rows)
    return cli_error(EXIT_BAD, "%s:%u: row %ld should be from 0 to %" PRIu64, file, number, row, v->rows - 1);
  if (col < 0 || (uint64_t)col >= v->columns)
    return cli_error(EXIT_BAD, "%s:%u: column %ld should be from 0 to %" PRIu64, file, number, col, v->columns - 1);
  *r = (vault_request_t){
      .column = (uint64_t)col, .row = (uint32_t)row, .bank = (uint16_t)bank, .bursts = 1, .write = kind == 'W'};
  return 0;
}

/* All requests of a file. Blank lines and text behind # are left out. *list is to be freed, also
 * after a failure. */
static int read_lines(FILE *in, const char *file, const space_t *v, vault_request_t **list, uint64_t *count) {
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

/* --trace: the job gets the requests, and their number unless --requests is smaller. */
static int read_trace(const options_t *o, job_t *job, vault_request_t **list) {
  vault_run_config_t *c = &job->run;
  space_t space = space_of(job);
  uint64_t count = 0;
  judged_file(o->trace);
  FILE *in = fopen(o->trace, "r");
  if (!in) return cli_error(EXIT_BAD, "%s: %s", o->trace, strerror(errno));
  int code = read_lines(in, o->trace, &space, list, &count);
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

/* 0 without requests. */
static double share_of_requests(uint64_t part, const vault_run_result_t *r) {
  return r->requests ? (double)part / (double)r->requests : 0;
}

/* The report. Cycles are tCK of a vault, and ns of a near-bank controller. */
static void print_memory_result(FILE *out, const job_t *job, const vault_run_result_t *r, double seconds) {
  const vault_run_config_t *c = &job->run;
  const vault_stats_t *s = &r->stats;
  const char *unit = job->near ? "ns" : "tCK";
  char a[32], b[32];
  fprintf(out, "pattern             %s: %s\n", vault_pattern_name(c->pattern), vault_pattern_text(c->pattern));
  fprintf(out, "requests            %s (%" PRIu64 " reads, %" PRIu64 " writes), %u banks, refresh %s\n",
          number_text(r->requests, a), s->reads, s->writes, c->banks, c->vault.refresh ? "on" : "off");
  fprintf(out, "%-20s%u banks, row buffers of each %u, queue %u, %s\n", job->near ? "near-bank unit" : "vault",
          c->vault.banks, c->vault.row_buffers, c->vault.queue, c->vault.bank_io ? "an I/O a bank" : "one data bus");
  fprintf(out, "cycles              %s %s\n", number_text(r->cycles, b), unit);
  fprintf(out, "cycles per request  %.4f\n", r->cycles_per_request);
  fprintf(out, "latency             mean %.2f, most %" PRIu64 " %s\n", r->mean_latency, s->latency_max, unit);
  fprintf(out,
          "rows                %" PRIu64 " hits (%.1f %%), %" PRIu64 " misses (%.1f %%), %" PRIu64
          " conflicts (%.1f %%)\n",
          s->row_hits, 100 * share_of_requests(s->row_hits, r), s->row_misses,
          100 * share_of_requests(s->row_misses, r), s->row_conflicts, 100 * share_of_requests(s->row_conflicts, r));
  fprintf(out, "commands            %" PRIu64 " activates, %" PRIu64 " precharges, %" PRIu64 " refreshes\n",
          s->activates, s->precharges, s->refreshes);
  fprintf(out, "%-20s%.1f %% busy\n", c->vault.bank_io ? "banks' I/Os" : "data bus", 100 * r->bus_utilisation);
  if (seconds > 0.05) fprintf(out, "speed               %.0f requests/s\n", (double)r->requests / seconds);
}

/* Settings, then counts. Rates are shares of the requests; cycles are tCK, with `near` ns. */
static json_t *result_json(const job_t *job, const vault_run_result_t *r, double seconds) {
  const vault_run_config_t *c = &job->run;
  const vault_stats_t *s = &r->stats;
  json_t *root = cli_json("memory", 1), *timing = json_object();
#define DRAM_TIMING(name, def, least, most, source, text) \
  json_object_set_new(timing, #name, json_integer(c->vault.timing.name));
#include "dram_timing.def"
  json_t *fields = json_pack(
      "{s:s, s:I, s:I, s:I, s:i, s:i, s:i, s:i, s:i, s:b, s:o, s:I}", "pattern", vault_pattern_name(c->pattern),
      "requests", (json_int_t)r->requests, "reads", (json_int_t)s->reads, "writes", (json_int_t)s->writes, "banks",
      (int)c->banks, "rows", (int)c->rows, "row_requests", (int)c->row_requests, "outstanding", (int)c->outstanding,
      "queue", (int)c->vault.queue, "refresh", c->vault.refresh, "timing", timing, "seed", (json_int_t)c->seed);
  json_object_update(root, fields);
  json_decref(fields);
  fields = json_pack("{s:b, s:i, s:b, s:f, s:f, s:f}", "near", job->near, "row_buffers", (int)c->vault.row_buffers,
                     "bank_io", c->vault.bank_io, "row_hit_rate", share_of_requests(s->row_hits, r), "row_miss_rate",
                     share_of_requests(s->row_misses, r), "row_conflict_rate", share_of_requests(s->row_conflicts, r));
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

/* Progress; false stops the run. */
static bool on_progress(void *context, uint64_t done) {
  progress_update(context, done);
  return !cli_interrupted;
}

/* 0, or EXIT_ENV after a line. */
static int run_vault(const job_t *job, progress_t *progress, vault_run_result_t *result) {
  vault_t *vault = malloc(sizeof *vault);
  if (!vault) return cli_error(EXIT_ENV, "out of memory");
  *result = vault_run(vault, &job->run, on_progress, progress);
  free(vault);
  return 0;
}

/* The same on a near-bank controller, with a memory that has real data. */
static int run_near(const job_t *job, progress_t *progress, vault_run_result_t *result) {
  near_mc_t *mc = malloc(sizeof *mc);
  memory_image_t *image = memory_image_new();
  const char *fault = "out of memory";
  if (mc && image) {
    *result = near_mc_run_pattern(mc, image, job->column_bits, &job->run, on_progress, progress);
    fault = near_mc_fault(mc);
  }
  memory_image_free(image);
  free(mc);
  return fault ? cli_error(EXIT_ENV, "%s", fault) : 0;
}

/* Runs the job and reports. An interrupted run reports the requests that were done, with
 * EXIT_ENV. */
static int measure_memory(cli_t *cli, const job_t *job) {
  const vault_run_config_t *config = &job->run;
  vault_run_result_t result = {0};
  progress_t progress;
  progress_start(&progress, "memory", "requests", config->requests);
  double start = clock_cpu();
  int code = (job->near ? run_near : run_vault)(job, &progress, &result);
  double seconds = clock_cpu() - start;
  progress_end(&progress);
  if (code) return code;
  bool whole = result.requests == config->requests;
  if (!whole)
    cli_error(EXIT_ENV, "interrupted after %" PRIu64 " of %" PRIu64 " requests", result.requests, config->requests);
  print_memory_result(cli->out, job, &result, seconds);
  return cli_finish(cli, result_json(job, &result, seconds), whole ? EXIT_HELD : EXIT_ENV);
}

static const struct argp argp = {
    argp_options,
    parse,
    "",
    "Drives one memory vault alone: 64-byte requests, at most one a cycle, and says how long "
    "they took in DRAM cycles (tCK, 1.5 ns). With --near the memory controller of one near-bank unit instead.\v"
    "Examples:\n  lockstack memory --pattern distinct-rows --banks 2\n"
    "  lockstack memory --pattern random --reads 0.5 --requests 1000000 --set tRRD=1\n"
    "  lockstack memory --near --row-buffers 2 --pattern ping-pong --outstanding 1\n",
    NULL,
    NULL,
    NULL};

static int run(cli_t *cli, int argc, char **argv) {
  options_t options = {.pattern = -1, .seed = 1};
  job_t job;
  vault_request_t *trace = NULL;
  int code = cli_parse(cli, &argp, argc, argv, &options);
  if (!code) code = configure(&options, &job);
  if (!code && options.trace) code = read_trace(&options, &job, &trace);
  if (!code) code = options.dry ? cli_dry_run(cli, "memory", 1) : measure_memory(cli, &job);
  free(trace);
  return code;
}

const verb_t verb_memory = {"memory", "one memory vault or near-bank controller alone, under a pattern of requests",
                            run, &argp};

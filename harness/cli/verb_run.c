/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack run: a workload on a full system, and on the system it is compared with, if it has one.
 */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lockstep_verbs.h"
#include "names.h"
#include "progress.h"
#include "run_report.h"
#include "simulate.h"

enum { MAX_SETTINGS = 64, MAX_ENGINES = 32 };

typedef struct {
  const char *system, *workload, *config, *ptx, *rtl, *folder;
  const char *setting[MAX_SETTINGS], *engine[MAX_ENGINES];
  unsigned settings, engines;
  bool print_config, have_seed, full;
  uint64_t seed;
} options_t;

enum { KEY_PTX = 1, KEY_PRINT, KEY_SEED, KEY_RTL, KEY_OUT, KEY_FULL };

static const struct argp_option argp_options[] = {
    {"config", 'c', "FILE", 0, "Configuration in YAML (default: the system's own, harness/systemc/configs/)", 0},
    {"set", 's', "KEY=VALUE", 0, "One value of the configuration, or of the workload as workload.PARAMETER=VALUE", 0},
    {"engine", 'e', "INSTANCE=ENGINE", 0,
     "model, rtl or lockstep for nsu, lsu_ext, router (all of them), nsu[2], lsu_ext[0-3,17] or router[*] (default: model)", 0},
    {"seed", KEY_SEED, "N", 0, "Seed of page placement, offload decision and data (the same as --set system.seed=N)", 0},
    {"full", KEY_FULL, NULL, 0, "Start from the workload's size that fills a machine of 128 cores, not from its small default", 0},
    {"ptx", KEY_PTX, "FILE", 0, "Run this PTX instead of the workload's own; it must have the same entries", 0},
    {"rtl", KEY_RTL, "FOLDER", 0, "Take RTL files of NSU, LSU-Extension or router from this folder before the tree's: try a change, keep the tree", 0},
    {"out", KEY_OUT, "FOLDER", 0, "Where replay files of diverging instances go (default: lockstack-out)", 0},
    {"print-config", KEY_PRINT, NULL, 0, "Print the configuration with each value's meaning and source, and run nothing", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case 'c': o->config = arg; return 0;
  case 's':
    if (!strchr(arg, '=')) return cli_usage(state, "--set: '%s' should be KEY=VALUE, such as workload.n=4096", arg);
    if (o->settings == MAX_SETTINGS) return cli_usage(state, "--set: more than %d; put them into a --config FILE", MAX_SETTINGS);
    o->setting[o->settings++] = arg;
    return 0;
  case 'e':
    if (o->engines == MAX_ENGINES) return cli_usage(state, "--engine: given more than %d times", MAX_ENGINES);
    o->engine[o->engines++] = arg;
    return 0;
  case KEY_SEED:
    o->have_seed = true;
    return cli_number(state, "--seed", arg, 0, UINT32_MAX, &o->seed);
  case KEY_FULL: o->full = true; return 0;
  case KEY_PTX: o->ptx = arg; return 0;
  case KEY_RTL: o->rtl = arg; return 0;
  case KEY_OUT: o->folder = arg; return 0;
  case KEY_PRINT: o->print_config = true; return 0;
  case ARGP_KEY_ARG:
    if (!o->system) o->system = arg;
    else if (!o->workload) o->workload = arg;
    else return ARGP_ERR_UNKNOWN;
    return 0;
  case ARGP_KEY_END:
    if (!o->system) return cli_usage(state, "a SYSTEM is missing; `lockstack list systems` names them");
    if (!o->workload && !o->print_config)
      return cli_usage(state, "a WORKLOAD is missing; `lockstack list workloads` names them");
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = {
    argp_options, parse, "SYSTEM WORKLOAD",
    "Runs a workload on a full system, of nsu also on the same GPU without near-data processing, and compares memory with a host "
    "reference.\vExamples:\n"
    "  lockstack run nsu vadd\n"
    "  lockstack run nsu vadd --engine nsu=lockstep --set workload.n=100000 --json a.json\n"
    "  lockstack run nsu vadd --engine router=lockstep\n"
    "  lockstack run nsu saxpy --engine 'nsu[0,3]=rtl' --set offload.ratio=0.5\n"
    "  lockstack run mpu axpy --full\n"
    "  lockstack run mpu nw --engine 'lsu_ext[0-3,17]=lockstep' --set mpu.policy=near --set dram.row_buffers=1\n"
    "  lockstack run nsu --print-config\n",
    NULL, NULL, NULL};

/* "nsu[0] to nsu[7] or router[0] to router[7]" */
static void list_instances(const system_options_t *system, char *text, size_t size) {
  size_t used = 0;
  *text = 0;
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) {
    const char *block = system->kind->family[f].block;
    unsigned count = system_instances(system, f);
    if (count && used < size)
      used += (size_t)snprintf(text + used, size - used, "%s%s[0] to %s[%u]", used ? " or " : "", block, block, count - 1);
  }
}

static int set_engine(system_options_t *system, const char *setting) {
  char error[256];
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) {
    unsigned count = system_instances(system, f);
    if (!count || !engine_names(setting, system->kind->family[f].block)) continue;
    return engine_assign(setting, system->kind->family[f].block, system->engine[f], count, error, sizeof error)
               ? 0 : cli_error(EXIT_BAD, "--engine: %s", error);
  }
  list_instances(system, error, sizeof error);
  return cli_error(EXIT_BAD, "--engine: no instance '%.*s'; %s would be right", (int)strcspn(setting, "="), setting, error);
}

static int apply_setting(simulate_job_t *job, const char *setting) {
  char key[128], error[CONFIG_ERROR_SIZE];
  const char *equals = strchr(setting, '=');
  size_t length = (size_t)(equals - setting);
  if (length >= sizeof key) return cli_error(EXIT_BAD, "--set: no key is as long as '%s'", setting);
  memcpy(key, setting, length);
  key[length] = 0;
  if (!strncmp(key, "workload.", 9)) {
    if (!job->workload) return 0;
    return workload_set(job->workload, job->values, key + 9, equals + 1, error, sizeof error)
               ? 0 : cli_error(EXIT_BAD, "--set: %s", error);
  }
  return config_set(job->system.kind->schema, &job->system.config, key, equals + 1, error) ? cli_error(EXIT_BAD, "--set: %s", error) : 0;
}

static int configure(const options_t *o, const char *own_config, simulate_job_t *job) {
  char error[CONFIG_ERROR_SIZE];
  const config_schema_t *schema = job->system.kind->schema;
  system_config_t *config = &job->system.config;
  config_default(schema, config);
  if (config_load(schema, config, o->config ? o->config : own_config, error)) return cli_error(EXIT_BAD, "%s", error);
  for (unsigned i = 0; i < o->settings; i++) {
    int code = apply_setting(job, o->setting[i]);
    if (code) return code;
  }
  if (o->have_seed) config->seed = o->seed;
  if (config_check(schema, config, error)) return cli_error(EXIT_BAD, "%s", error);
  if (!system_make_engines(&job->system)) return cli_error(EXIT_ENV, "out of memory");
  for (unsigned i = 0; i < o->engines; i++) {
    int code = set_engine(&job->system, o->engine[i]);
    if (code) return code;
  }
  return 0;
}

static void on_progress(void *ctx, double share) {
  progress_update(ctx, (uint64_t)(share * 100));
}

static void simulate_named(simulate_job_t *job, const char *what, simulate_result_t *result) {
  progress_t progress;
  progress_start(&progress, what, "%", 100);
  job->system.progress = on_progress;
  job->system.progress_ctx = &progress;
  simulate(job, result);
  progress_end(&progress);
}

/* Interrupted, or ended by a model that failed (1); what else keeps a run from its end leaves no result. */
static int ended(cli_t *cli, const simulate_job_t *job, const simulate_result_t *result, const char *of) {
  size_t word = strcspn(result->error, " ");
  bool model = result->status == EXIT_BROKEN && strncmp(result->error, "MODEL_", 6) == 0, stopped = result->status == EXIT_ENV && cli_interrupted;
  if (model || stopped) {
    json_t *root = cli_json("run", 1);
    json_object_update_new(root, json_pack("{s:s, s:s, s:s%, s:{s:s}}", "system", job->system.kind->name, "workload", job->workload->name,
                                           "outcome", stopped ? "INTERRUPTED" : result->error, stopped ? strlen("INTERRUPTED") : word, "failure",
                                           "text", stopped ? "interrupted" : result->error));
    int code = cli_finish(cli, root, (cli_exit_t)result->status);
    if (code != result->status) return code;
  }
  return cli_error((cli_exit_t)result->status, "%s%s", of, result->error);
}

static int run_both(cli_t *cli, run_report_t *report, simulate_job_t *job) {
  static simulate_result_t result, base;
  static simulate_job_t rival;
  const system_kind_t *kind = job->system.kind;
  report->job = job;
  simulate_named(job, kind->name, &result);
  if (result.status) return ended(cli, job, &result, "");
  report->result = report->baseline = &result;
  if (kind->rival) {
    rival = *job;
    rival.system.kind = kind->rival;
    kind->rival_options(&rival.system);
    if (!system_make_engines(&rival.system)) return cli_error(EXIT_ENV, "out of memory");
    simulate_named(&rival, kind->rival->name, &base);
    if (base.status) {
      char of[64];
      snprintf(of, sizeof of, "%s: ", kind->rival->name);
      return ended(cli, &rival, &base, of);
    }
    report->baseline = &base;
  }
  char error[256];
  json_t *root = run_report_json(report, error, sizeof error);
  if (!root) return cli_error(EXIT_ENV, "%s", error);
  run_report_print(report, root, cli->out);
  return cli_finish(cli, root, run_report_held(report) ? EXIT_HELD : EXIT_BROKEN);
}

/* Does the folder have RTL files of this block or its parts? */
static outcome_t find_rtl(const char *name, const char *folder, char *error, size_t size) {
  block_t block;
  const places_t places = verbs_places();
  outcome_t outcome = block_find(&block, &places, name, "", error, size);
  return outcome == OUTCOME_PASS ? block_instead(&block, folder, error, size) : outcome;
}

/* Instances of whose blocks a folder has RTL files take them. */
static int take_rtl(const options_t *o, system_options_t *system) {
  char error[4096] = "", other[4096];
  outcome_t outcome = OUTCOME_PASS;
  unsigned taken = 0;
  if (!system_instances(system, 0)) return cli_error(EXIT_BAD, "--rtl: %s has no %s", o->system, system->kind->family[0].block);
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) {
    if (!system_instances(system, f)) continue;
    outcome_t found = find_rtl(system->kind->family[f].block, o->rtl, *error ? other : error, sizeof error);
    if (found == OUTCOME_PASS) system->rtl[f] = o->rtl, taken++;
    else if (outcome == OUTCOME_PASS) outcome = found;
  }
  return taken ? 0 : cli_error(verbs_exit(outcome), "%s", error);
}

static int run(cli_t *cli, int argc, char **argv) {
  static simulate_job_t job;
  options_t o = {.folder = "lockstack-out"};
  int code = cli_parse(cli, &argp, argc, argv, &o);
  if (code) return code;
  job.system.kind = system_find(o.system);
  if (!job.system.kind) return cli_error(EXIT_BAD, "unknown system '%s'; `lockstack list systems` names them%s", o.system, names_nearest("systems", o.system));
  if (o.workload && !(job.workload = workload_find(o.workload)))
    return cli_error(EXIT_BAD, "unknown workload '%s'; `lockstack list workloads` names them%s", o.workload, names_nearest("workloads", o.workload));
  if (job.workload) (o.full ? workload_full : workload_defaults)(job.workload, job.values);

  char own[64], commit[64];
  snprintf(own, sizeof own, "harness/systemc/configs/%s.yaml", o.system);
  const char *own_config = cli_data(own);
  job.ptx_path = o.ptx;
  job.system.interrupted = &cli_interrupted;
  job.system.places = verbs_places();
  job.capture = (capture_t){.folder = o.folder, .rtl = o.rtl, .places = verbs_places(), .commit = verbs_commit(commit, sizeof commit),
                            .shrink_seconds = 10};
  if ((code = configure(&o, own_config, &job))) return code;
  if (o.print_config) {
    run_report_config(job.system.kind->schema, &job.system.config, cli->out);
    return cli_finish(cli, cli_json("run", 1), EXIT_HELD);
  }
  job.capture.seed = job.system.config.seed;
  if (o.rtl && (code = take_rtl(&o, &job.system))) return code;
  run_report_t report = {.config = o.config ? o.config : own};
  return run_both(cli, &report, &job);
}

const verb_t verb_run = {"run", "a workload on a full system, model, RTL or lockstep a block", run, &argp};

/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack run: a workload on a full system, and on the rival that the system is compared with, if
 * it has one.
 *
 *   configure: the system's file, --config, --set --> engines --> [run_pages_first]
 *   run_both:  simulate_named the system;  run_rival, or its cycles from an earlier run (known.h)
 *              --> run_report: text, JSON --> [run_power_report]
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

#include "known.h"
#include "launch_file.h"
#include "lockstep_verbs.h"
#include "names.h"
#include "number.h"
#include "progress.h"
#include "run_counts.h"
#include "run_heat.h"
#include "run_pages.h"
#include "run_power.h"
#include "run_report.h"
#include "simulate.h"
#include "system_argument.h"
#include "system_settings.h"

/* NULL strings were not given. `full` starts from the workload's full size, `fresh` ignores the
 * rival's known cycles. have_seed tells --seed 0 from none. */
typedef struct {
  const char *system, *workload, *ptx, *rtl, *folder, *profile, *pages, *heat;
  system_wishes_t wishes;
  bool print_config, have_seed, full, fresh, dry;
  run_power_t power;
  uint64_t seed;
} options_t;

enum {
  KEY_PTX = 1,
  KEY_PRINT,
  KEY_SEED,
  KEY_RTL,
  KEY_OUT,
  KEY_FULL,
  KEY_FRESH,
  KEY_PROFILE,
  KEY_PAGES,
  KEY_HEAT,
  KEY_DRY,
  KEY_POWER,
  KEY_CELLS,
  KEY_LIBERTY,
  KEY_CLOCK,
  KEY_DRAW
};

static const struct argp_option argp_options[] = {
    {"config", 'c', "FILE", 0, "Values in YAML, over those of the system's own file", 0},
    {"set", 's', "KEY=VALUE", CLI_LIST,
     "One value of the configuration, or of the workload as workload.PARAMETER=VALUE", 0},
    {"engine", 'e', "INSTANCE=ENGINE", CLI_LIST,
     "model (default), rtl or lockstep for instances of a block, all of its (nsu, or nsu[*]) or some (nsu[2,4-7]), by "
     "the part's name where several have some "
     "(net.router[5]); firmware where there is some that does the same (ratio). `lockstack draw SYSTEM` names them",
     0},
    {"check-uninitialised", SYSTEM_CHECK_UNINITIALISED, NULL, 0, SYSTEM_CHECK_HELP, 0},
    {"seed", KEY_SEED, "N", 0, "Seed of page placement, offload decision and data (the same as --set system.seed=N)",
     0},
    {"full", KEY_FULL, NULL, 0,
     "Start from the workload's full size, the paper's or one that fills its machine, not from its small default", 0},
    {"fresh", KEY_FRESH, NULL, 0,
     "Simulate the rival also where its cycles are known of an earlier run of the same program and values", 0},
    {"ptx", KEY_PTX, "FILE", 0, "Run this PTX instead of the workload's own; it must have the same entries", 0},
    {"rtl", KEY_RTL, "FOLDER", 0,
     "Take the blocks' RTL files of this folder before the tree's: try a change, keep the tree", 0},
    {"profile", KEY_PROFILE, "FILE", CLI_MADE,
     "Write which node's SMs access each page most, of SMs at nodes of a network (nupim); sets gpu.cta_order=ranges",
     0},
    {"pages", KEY_PAGES, "FILE", 0,
     "Place pages as a file of --profile says, of the same workload, data and SMs; sets map.mode=pages, "
     "gpu.cta_order=ranges. profile: run that first",
     0},
    {"heat", KEY_HEAT, "FOLDER", 0,
     "Draw where a network between nodes was congested, and its critical pairs, as SVG and PNG (nupim, near)", 0},
    {"power", KEY_POWER, "INSTANCE", 0,
     "Power of this one instance under the workload's traffic: its gates (those of `power`) run in lockstep with its "
     "model and count their nets' toggles",
     0},
    {"cells", KEY_CELLS, "NAME", 0, "Of --power. " VERBS_CELLS_HELP, 0},
    {"liberty", KEY_LIBERTY, "FILE", CLI_LIST, "Of --power. " VERBS_LIBERTY_HELP, 0},
    {"power-clock", KEY_CLOCK, "NS", 0,
     "Of --power: the clock's period (default: that of the instance's clock in the system)", 0},
    {"draw", KEY_DRAW, "FOLDER", 0,
     "Of --power: draw power over time and by parts: power.svg, power_parts.svg, .png and .csv", 0},
    {"out", KEY_OUT, "FOLDER", 0, "Where replay files of diverging instances go (default: lockstack-out)", 0},
    {"dry-run", KEY_DRY, NULL, 0,
     "Check what is asked for, and run nothing; --json has what a result has, every count 0", 0},
    {"print-config", KEY_PRINT, NULL, 0,
     "Print the system as a file of its own, with each value's meaning and source, and run nothing", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case KEY_SEED: o->have_seed = true; return cli_number(state, "--seed", arg, 0, UINT32_MAX, &o->seed);
  case KEY_FULL: o->full = true; return 0;
  case KEY_FRESH: o->fresh = true; return 0;
  case KEY_DRY: o->dry = true; return 0;
  case KEY_PTX: o->ptx = arg; return 0;
  case KEY_RTL: o->rtl = arg; return 0;
  case KEY_PROFILE: o->profile = arg; return 0;
  case KEY_HEAT: o->heat = arg; return 0;
  case KEY_PAGES: o->pages = arg; return 0;
  case KEY_OUT: o->folder = arg; return 0;
  case KEY_POWER: o->power.instance = arg; return 0;
  case KEY_CELLS: return verbs_cells(state, arg, o->power.cells);
  case KEY_LIBERTY: return verbs_liberty(state, arg, o->power.cells);
  case KEY_CLOCK: return verbs_clock(state, "--power-clock", arg, &o->power.period);
  case KEY_DRAW: o->power.pictures = arg; return 0;
  case KEY_PRINT: o->print_config = true; return 0;
  case ARGP_KEY_ARG:
    if (!o->system) o->system = arg;
    else if (!o->workload) o->workload = arg;
    else return ARGP_ERR_UNKNOWN;
    return 0;
  case ARGP_KEY_END:
    if (!o->system)
      return cli_usage(state, "a SYSTEM is missing; `lockstack list systems` names them, and a FILE.yaml is one, too");
    if (!o->workload && !o->print_config)
      return cli_usage(state, "a WORKLOAD is missing; `lockstack list workloads` names them");
    if (!o->power.instance && (*o->power.cells || o->power.period > 0 || o->power.pictures))
      return cli_usage(
          state,
          "--cells, --liberty, --power-clock and --draw are of --power; --power INSTANCE besides would be right");
    return 0;
  default: return system_wish(key, arg, state, "workload.n=4096", &o->wishes);
  }
}

static const struct argp argp = {
    argp_options,
    parse,
    "SYSTEM WORKLOAD|FILE.yaml",
    "Runs a workload on a full system, and on the one that its file names as a rival (nsu: the same GPU without "
    "near-data processing), and compares "
    "memory with a host reference. SYSTEM is a name of `lockstack list systems` or a file of your own "
    "(harness/systems/README.md), FILE.yaml your own kernels "
    "with their data, launches and comparisons (docs/launch.md).\vExamples:\n"
    "  lockstack run nsu vadd\n"
    "  lockstack run nsu vadd --engine nsu=lockstep --set workload.n=100000 --json a.json\n"
    "  lockstack run nsu vadd --engine router=lockstep\n"
    "  lockstack run nsu docs/example/launch/saxpy.yaml --engine 'nsu[*]=lockstep'\n"
    "  lockstack run nsu vadd --set offload.policy=dynamic --engine ratio=lockstep\n"
    "  lockstack run nsu vadd --set offload.policy=dynamic --engine ratio=firmware --engine rv_core=lockstep\n"
    "  lockstack run nsu saxpy --engine 'nsu[0,3]=rtl' --set offload.ratio=0.5\n"
    "  lockstack run mpu axpy --full\n"
    "  lockstack run mpu nw --engine 'lsu_ext[0-3,17]=lockstep' --set mpu.policy=near --set dram.row_buffers=1\n"
    "  lockstack run v100 chase --set workload.lines=4096 --set workload.steps=8192\n"
    "  lockstack run nupim bfs --set network.policy=crit+tr --engine 'router[*]=lockstep'\n"
    "  lockstack run nupim cfd --set network.policy=crit --heat pictures\n"
    "  lockstack run nupim nn --profile nn.csv && lockstack run nupim nn --pages nn.csv\n"
    "  lockstack run near csr --engine 'router[0,3]=lockstep' --engine 'nsu[2]=lockstep'\n"
    "  lockstack run nsu vadd --power 'nsu[0]' --liberty stdcells.lib.gz --draw pictures\n"
    "  lockstack run nsu --print-config >mine.yaml\n"
    "  lockstack run mine.yaml vadd --set network.topology=mesh:4x2 --set 'clocks.nsu=700 MHz'\n",
    NULL,
    NULL,
    NULL};

/* Is it a setting of the workload, not of the system? */
static bool is_workloads(const char *setting) {
  return !strncmp(setting, "workload.", 9);
}

/* Applies KEY=VALUE. For the rival, a key that it does not have is left out. 0, or an exit code
 * after a line. */
static int apply_setting(simulate_job_t *job, const char *setting, bool rival) {
  char key[SYSTEM_KEY];
  const char *value;
  trouble_t trouble = {0};
  if (!is_workloads(setting)) return system_setting(setting, &job->system.composition, rival);
  const int code = system_setting_key(setting, key, &value);
  if (code || !job->workload || rival) return code;
  return workload_set(job->workload, job->values, key + 9, value, &trouble)
             ? 0
             : cli_error((cli_exit_t)trouble.kind, "--set: %s", trouble.text);
}

/* The settings that --profile and --pages stand for. 0, or an exit code after a line. */
static int set_pages(const options_t *o, simulate_job_t *job) {
  const char *const settings[][2] = {{"map.profile", o->profile ? "true" : NULL},
                                     {"gpu.cta_order", "ranges"}, /* else CTAs are elsewhere in another run */
                                     {"map.mode", o->pages ? "pages" : NULL},
                                     {"map.bit", o->pages ? "0" : NULL},
                                     {"map.homes", o->pages}};
  trouble_t trouble = {0};
  for (unsigned i = 0; i < sizeof settings / sizeof *settings; i++)
    if (settings[i][1] && !composition_set(&job->system.composition, settings[i][0], settings[i][1], &trouble))
      return cli_error((cli_exit_t)trouble.kind, "%s: %s", o->pages ? "--pages" : "--profile", trouble.text);
  return o->pages && job->workload && strcmp(o->pages, "profile") ? run_pages_check(o->pages, job) : 0;
}

/* The system's own file has been read; applies --config, then --set, then the rest, and settles it.
 * 0, or an exit code after a line. */
static int configure(const options_t *o, simulate_job_t *job, bool rival) {
  trouble_t trouble = {0};
  composition_t *c = &job->system.composition;
  if (o->wishes.config && !composition_values_of(c, o->wishes.config, rival, &trouble)) return cli_trouble(&trouble);
  for (unsigned i = 0; i < o->wishes.settings; i++) {
    int code = apply_setting(job, o->wishes.setting[i], rival);
    if (code) return code;
  }
  if (o->have_seed) c->seed = o->seed;
  if (o->wishes.check_uninitialised) c->check_uninitialised = true;
  if (!rival && (o->profile || o->pages)) {
    const int code = set_pages(o, job);
    if (code) return code;
  }
  if (!composition_settle(c, &trouble))
    return cli_error((cli_exit_t)trouble.kind, "%s%s", rival ? "rival: " : "", trouble.text);
  return system_make_engines(&job->system) ? 0 : cli_error(EXIT_ENV, "out of memory");
}

/* Progress in per cent of thread blocks. That share says little while the first ones run, so the
 * note counts instructions. */
static void on_progress(void *ctx, double share, uint64_t warp_instructions) {
  progress_t *progress = ctx;
  char number[28];
  snprintf(progress->note, sizeof progress->note, "%s warp instructions", number_text(warp_instructions, number));
  progress_update(progress, (uint64_t)(share * 100));
}

/* Simulates with a line of progress; `what` is its name. */
static void simulate_named(simulate_job_t *job, const char *what, simulate_result_t *result) {
  progress_t progress;
  progress_start(&progress, what, "%", 100);
  job->system.progress = on_progress;
  job->system.progress_ctx = &progress;
  simulate(job, result);
  progress_end(&progress);
}

/* Ends a run that did not come to its end. After Ctrl-C, or when a model failed (EXIT_BROKEN),
 * there is a result that says so; anything else leaves no result. `of` stands before the line.
 * Returns the exit code. */
static int finish_failed_run(cli_t *cli, const simulate_job_t *job, const simulate_result_t *result, const char *of) {
  const char *text = result->trouble.text;
  const cli_exit_t status = (cli_exit_t)result->trouble.kind;
  size_t word = strcspn(text, " ");
  bool model = status == EXIT_BROKEN && strncmp(text, "MODEL_", 6) == 0,
       stopped = status == EXIT_ENV && cli_interrupted;
  if (model || stopped) {
    json_t *root = cli_json("run", 1);
    json_object_update_new(root, json_pack("{s:s, s:s, s:s%, s:{s:s}}", "system", job->system.composition.name,
                                           "workload", job->workload->name, "outcome", stopped ? "INTERRUPTED" : text,
                                           stopped ? strlen("INTERRUPTED") : word, "failure", "text",
                                           stopped ? "interrupted" : text));
    const int code = cli_finish(cli, root, status);
    if (code != (int)status) return code;
  }
  return cli_error(status, "%s%s%s%s", of, text, *result->waits ? "\n" : "", result->waits);
}

/* Makes the job of the rival: the same workload, all instances as models. 0, or an exit code after
 * a line. */
static int make_rival(const options_t *o, const simulate_job_t *job, simulate_job_t *rival) {
  trouble_t trouble = {0};
  *rival = *job;
  rival->keep = false;
  rival->system.gates.wanted = false;
  memset(rival->system.engine, 0, sizeof rival->system.engine);
  memset(rival->system.rtl, 0, sizeof rival->system.rtl);
  if (!composition_rival(&job->system.composition, system_folder(), &rival->system.composition, &trouble))
    return cli_trouble(&trouble);
  return configure(o, rival, true);
}

/* The key under which the cycles of this run are known; "": it cannot be known. Call it before the
 * run. */
static void key_of(simulate_job_t *job, char key[KNOWN_KEY]) {
  trouble_t trouble = {0};
  if (!system_prepare(&job->system, &trouble) || !known_key(job, key)) *key = 0;
}

/* Remembers the cycles of a run whose result is right. The key is made again: if it changed during
 * the run, nobody knows what was simulated. */
static void keep_known_cycles(const simulate_job_t *job, const char *before, const simulate_result_t *result) {
  char key[KNOWN_KEY];
  if (*before && !result->trouble.kind && result->result_ok && known_key(job, key) && !strcmp(key, before))
    known_keep(key, job, result->stats.cycles);
}

/* The rival's cycles: of an earlier run if they are known and `fresh` is false, else by
 * simulation. */
static void run_rival(simulate_job_t *rival, bool fresh, run_report_t *report, simulate_result_t *result) {
  char key[KNOWN_KEY];
  if (!system_prepare(&rival->system, &result->trouble)) return;
  key_of(rival, key);
  if (!fresh && *key) report->rival_known = known_find(key, &result->stats.cycles);
  if (report->rival_known) result->result_ok = true;
  else {
    simulate_named(rival, rival->system.composition.name, result);
    keep_known_cycles(rival, key, result);
  }
}

/* Simulates, compares with the rival (NULL: there is none), and reports. */
static int run_both(cli_t *cli, const options_t *o, run_report_t *report, simulate_job_t *job, simulate_job_t *rival) {
  static simulate_result_t result, base;
  trouble_t trouble;
  char key[KNOWN_KEY];
  if (!run_counts_check(&trouble) || (o->heat && !run_heat_check(o->heat, job, &trouble))) return cli_trouble(&trouble);
  report->job = job;
  report->rival = rival;
  key_of(job, key);
  simulate_named(job, job->system.composition.name, &result);
  if (result.trouble.kind) return finish_failed_run(cli, job, &result, "");
  keep_known_cycles(job, key, &result);
  int code = o->profile && result.result_ok ? run_pages_write(o->profile, job, &result) : 0;
  if (code) return code;
  if (o->heat && !run_heat_draw(o->heat, job, &result, &trouble)) return cli_trouble(&trouble);
  report->result = report->baseline = &result;
  if (rival) {
    run_rival(rival, o->fresh, report, &base);
    report->baseline = &base;
  }
  if (rival && base.trouble.kind) {
    char of[64];
    snprintf(of, sizeof of, "%s: ", rival->system.composition.name);
    return finish_failed_run(cli, rival, &base, of);
  }
  json_t *root = run_report_json(report, &trouble);
  if (!root) return cli_trouble(&trouble);
  run_report_print(report, root, cli->out);
  if ((code = run_power_report(&o->power, job, &result, root, cli->out))) return json_decref(root), code;
  return cli_finish(cli, root, run_report_held(report) ? EXIT_HELD : EXIT_BROKEN);
}

/* --dry-run: a result in which nothing has happened, with all its keys. */
static int dry_run(cli_t *cli, const options_t *o, run_report_t *report, simulate_job_t *job, simulate_job_t *rival) {
  static const simulate_result_t nothing;
  trouble_t trouble;
  if (!run_counts_check(&trouble) || (o->heat && !run_heat_check(o->heat, job, &trouble))) return cli_trouble(&trouble);
  report->job = job, report->rival = rival;
  report->result = report->baseline = &nothing;
  json_t *root = run_report_json(report, &trouble);
  if (!root) return cli_trouble(&trouble);
  json_object_set_new(root, "dry_run", json_true());
  if (o->power.instance) json_object_set_new(root, "power", json_null());
  fprintf(cli->out, "%s on %s, and nothing ran\n", job->workload->name, job->system.composition.name);
  return cli_finish(cli, root, EXIT_HELD);
}

/* Does the folder have RTL files of this block or its parts? False: trouble says why not. */
static bool find_rtl(const char *name, const char *folder, trouble_t *trouble) {
  block_t block;
  const places_t places = verbs_places();
  return block_find(&block, &places, name, "", trouble) && block_instead(&block, folder, trouble);
}

/* Does any of the family's `count` instances run RTL? */
static bool any_rtl(const system_options_t *system, unsigned f, unsigned count) {
  for (unsigned k = 0; k < count; k++)
    if (engine_has_rtl(system->engine[f][k])) return true;
  return false;
}

/* --rtl: instances whose blocks the folder has files of take them. The option must have an effect:
 * no such block, or no instance that runs RTL, is EXIT_BAD after a line. */
static int take_rtl(const options_t *o, system_options_t *system) {
  trouble_t first = {0}, other;
  unsigned taken = 0, used = 0;
  system_family_t family;
  for (unsigned f = 0; system_family(&system->composition, f, &family); f++) {
    const unsigned count = system_instances(system, f);
    if (!count) continue;
    if (find_rtl(family.block, o->rtl, first.kind ? &other : &first))
      system->rtl[f] = o->rtl, taken++, used += any_rtl(system, f, count);
  }
  if (!taken && !first.kind) return cli_error(EXIT_BAD, "--rtl: %s has no instances of blocks", o->system);
  if (!taken) return cli_trouble(&first);
  return used ? 0
              : cli_error(EXIT_BAD,
                          "--rtl: no instance in %s is rtl or lockstep; --engine INSTANCE=lockstep would be right",
                          o->system);
}

/* WORKLOAD: one of `list workloads`, or a launch file, which lives as long as this program. 0, or
 * an exit code after a line. */
static int find_workload(const options_t *o, const workload_t **workload) {
  trouble_t trouble;
  if (!launch_file_is_named(o->workload)) {
    if ((*workload = workload_find(o->workload))) return 0;
    return cli_error(
        EXIT_BAD,
        "unknown workload '%s'; `lockstack list workloads` names them, and a FILE.yaml of launches is one, too%s",
        o->workload, names_nearest("workloads", o->workload));
  }
  if (o->full) return cli_error(EXIT_BAD, "--full: %s has the sizes that are in it", o->workload);
  const launch_file_t *file = launch_file_read(o->workload, o->ptx, &trouble);
  if (!file) return cli_trouble(&trouble);
  *workload = launch_file_workload(file);
  return 0;
}

static int run(cli_t *cli, int argc, char **argv) {
  static simulate_job_t job, rival;
  options_t o = {.folder = "lockstack-out"};
  int code = cli_parse(cli, &argp, argc, argv, &o);
  if (code) return code;
  o.power.folder = o.folder;
  composition_t *composition = &job.system.composition;
  if ((code = system_argument(o.system, composition))) return code;
  if (o.workload && (code = find_workload(&o, &job.workload))) return code;
  if (job.workload) (o.full ? workload_full : workload_defaults)(job.workload, job.values);

  char commit[64];
  job.ptx_path = o.ptx;
  job.keep = true;
  job.system.interrupted = &cli_interrupted;
  job.system.places = verbs_places();
  job.capture = (capture_t){.folder = o.folder,
                            .rtl = o.rtl,
                            .places = verbs_places(),
                            .commit = verbs_commit(commit, sizeof commit),
                            .shrink_seconds = 10};
  if ((code = configure(&o, &job, false)) || (code = system_engines(o.wishes.engine, o.wishes.engines, &job.system)) ||
      (code = run_power_choose(&o.power, &job.system)))
    return code;

  if (o.print_config) {
    composition_print(composition, cli->out);
    return cli_finish(cli, cli_json("run", 1), EXIT_HELD);
  }
  job.capture.seed = composition->seed;
  if (o.rtl && (code = take_rtl(&o, &job.system))) return code;
  if (!o.dry && (code = run_pages_first(o.folder, &job, simulate_named))) return code;
  const bool compared = *composition->rival != 0;
  if (compared && (code = make_rival(&o, &job, &rival))) return code;
  run_report_t report = {.config = o.wishes.config};
  return (o.dry ? dry_run : run_both)(cli, &o, &report, &job, compared ? &rival : NULL);
}

const verb_t verb_run = {"run", "a workload on a full system, model, RTL or lockstep a block", run, &argp};

/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack exec: a CUDA program on a simulated system.
 *
 *   program process               its session, a child of this command
 *     libcuda.so.1 of ours <---> a machine that answers (session.h) --pipe--> exec_launches: rows
 *                                                                             finish_exec: report
 *
 * Standard output is the program's: the report goes elsewhere.
 */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "exec_report.h"
#include "judged.h"
#include "lockstep_verbs.h"
#include "run_counts.h"
#include "run_report.h"
#include "system_argument.h"
#include "system_settings.h"

/* `arch` is ten times the compute capability: 75 is 7.5. */
typedef struct {
  const char *system, *report, *folder;
  system_wishes_t wishes;
  unsigned arch;
  char **program; /* and its arguments, NULL behind the last */
} options_t;

enum { KEY_SYSTEM = 1, KEY_REPORT, KEY_OUT, KEY_CAPABILITY };

static const struct argp_option argp_options[] = {
    {"system", KEY_SYSTEM, "SYSTEM", 0,
     "The machine: a name of `lockstack list systems`, or a FILE.yaml (default: baseline)", 0},
    {"capability", KEY_CAPABILITY, "M.N", 0,
     "Compute capability that the program is told, and whose PTX is taken (default 7.5)", 0},
#include "system_wishes.def"
    {"report", KEY_REPORT, "FILE", CLI_MADE, "Where the report for people goes (default: standard error)", 0},
    {"out", KEY_OUT, "FOLDER", 0, "Where replay files of diverging instances go (default: lockstack-out)", 0},
    {0},
};

/* --capability M.N, 5.0 to 12.9: "8.0" is 80. */
static error_t capability(struct argp_state *state, const char *text, unsigned *arch) {
  unsigned major, minor;
  int end = 0;
  if (sscanf(text, "%2u.%1u%n", &major, &minor, &end) != 2 || text[end] || major < 5 || major > 12)
    return cli_usage(state, "--capability: '%s' should be a compute capability from 5.0 to 12.9, for example 8.0",
                     text);
  *arch = 10 * major + minor;
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case KEY_SYSTEM: o->system = arg; return 0;
  case KEY_REPORT: o->report = arg; return 0;
  case KEY_OUT: o->folder = arg; return 0;
  case KEY_CAPABILITY: return capability(state, arg, &o->arch);
  case ARGP_KEY_ARGS: o->program = state->argv + state->next; return 0;
  case ARGP_KEY_NO_ARGS:
    return cli_usage(state, "a PROGRAM is missing; `lockstack exec -- PROGRAM ARGS...` would be right");
  default: return system_wish(key, arg, state, "gpu.sms=16", &o->wishes);
  }
}

static const struct argp argp = {
    argp_options,
    parse,
    "-- PROGRAM [ARGS...]",
    "Runs a CUDA program on a simulated system: libcuda.so.1 and libcudart.so.11.0, .12 and .13 of Lockstack are "
    "loaded before any other, kernels are the "
    "program's own PTX. What the program writes is untouched; a line for each launch and their sums go to standard "
    "error or a file. The exit status is the "
    "program's; where that is 0 and a launch failed or an instance diverged it is 1, where a module had no PTX 2 "
    "(docs/exec.md).\vExamples:\n"
    "  lockstack exec -- ./vectorAdd\n"
    "  lockstack exec --system nsu --set offload.ratio=0.4 --report launches.txt -- ./bfs graph.txt\n"
    "  lockstack exec --capability 8.0 -- ./asyncCopies\n"
    "  lockstack exec --system mpu --json a.json -- ./gemm\n"
    "  lockstack exec --system nsu --engine 'nsu[0]=lockstep' -- ./vectorAdd\n",
    NULL,
    NULL,
    NULL};

/* Did an instance of any process differ from its RTL? */
static bool any_divergence(const exec_launches_t *l) {
  for (unsigned i = 0; i < l->processes; i++)
    if (l->process[i].divergences) return true;
  return false;
}

/* Did any process launch a kernel? */
static bool any_launch(const exec_launches_t *l) {
  for (unsigned i = 0; i < l->processes; i++)
    if (l->process[i].launches) return true;
  return false;
}

/* The command's exit status: the program's, unless something went wrong that the program does not
 * tell. */
static int exit_of(const exec_launches_t *l, int status) {
  if (cli_interrupted) return EXIT_ENV;
  if (l->bad_image) return EXIT_BAD;
  if (status) return status;
  return l->failed || any_divergence(l) ? EXIT_BROKEN : EXIT_HELD;
}

/* The report goes to --report, or to standard error: standard output is the program's. */
static int write_report(const options_t *o, const exec_launches_t *l) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return cli_error(EXIT_ENV, "out of memory");
  exec_report_print(l, out);
  int code = fclose(out) ? cli_error(EXIT_ENV, "out of memory") : 0;
  if (!code && o->report) code = cli_write_text(o->report, text, size);
  else if (!code) fwrite(text, 1, size, stderr);
  free(text);
  return code;
}

/* The end. A program without a call of CUDA has no result. */
static int finish_exec(cli_t *cli, const options_t *o, exec_launches_t *l, int status) {
  if (l->trouble.kind) return cli_trouble(&l->trouble);
  if (!l->processes && !cli_interrupted) {
    if (status)
      return cli_error((cli_exit_t)status, "%s ended with status %d before it called a function of CUDA", o->program[0],
                       status);
    return cli_error(
        EXIT_BAD,
        "%s called no function of CUDA; a program linked with libcuda, or compiled with -cudart shared, would be right",
        o->program[0]);
  }
  const int code = l->bad_image && !any_launch(l) ? 0 : write_report(o, l), held = code ? code : exit_of(l, status);
  return cli_finish(cli, exec_report_json(l, o->program, o->arch, status), (cli_exit_t)held);
}

static int run(cli_t *cli, int argc, char **argv) {
  static system_options_t system;
  static exec_launches_t launches = {.system = &system};
  options_t o = {.system = "baseline", .folder = "lockstack-out", .arch = SESSION_ARCH};
  program_file_t file;
  trouble_t trouble;
  char commit[64];
  int status = 0, code = cli_parse(cli, &argp, argc, argv, &o);
  if (code) return code;
  if (cli->json && !strcmp(cli->json, "-"))
    return cli_error(EXIT_BAD, "--json: standard output is the program's; a FILE would be right");
  if (!run_counts_check(&trouble) || !program_file_find(o.program[0], cli_programs(), &file, &trouble))
    return cli_trouble(&trouble);
  judged_unknown(); /* what the program reads of its own nobody sees */
  system.places = verbs_places();
  if ((code = system_wished(o.system, &o.wishes, &system))) return code;
  const capture_t capture = {.folder = o.folder,
                             .places = verbs_places(),
                             .commit = verbs_commit(commit, sizeof commit),
                             .shrink_seconds = 10,
                             .seed = system.composition.seed};
  launches.settings = run_report_settings(&system.composition);
  const program_t program = {.file = &file,
                             .argv = o.program,
                             .libraries = cli_programs(),
                             .session = &(session_options_t){.system = &system, .capture = &capture, .arch = o.arch},
                             .interrupted = &cli_interrupted,
                             .note = exec_launches_note,
                             .end = exec_launches_end,
                             .ctx = &launches};
  code = program_run(&program, &status, &trouble) ? finish_exec(cli, &o, &launches, status) : cli_trouble(&trouble);
  exec_launches_free(&launches);
  return code;
}

const verb_t verb_exec = {"exec", "a CUDA program on a full system, unmodified", run, &argp};

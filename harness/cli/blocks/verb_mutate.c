/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack mutate: how many of the faults that Yosys draws in a block does its lockstep see?
 *
 * Each block is a child process, so results do not depend on how many run at a time:
 *
 *   add_sets: with --sample, jobs of other parameters
 *   run_jobs: start_block_job (largest RTL first) --> child: mutate_block --> result-N.json
 *             wait_for_block_job                        exit code
 *   finish_mutate: load_block_result of each, in the order of the command line
 */
#include "basis.h"
#include "clock.h"
#include "generated.h"
#include "lockstep_verbs.h"
#include "mutate_block.h"
#include "mutate_report.h"
#include "names.h"
#include "process.h"
#include "progress.h"
#include "sampled.h"
#include "work.h"

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCKS_MOST = 256, JOBS_MOST = 256, LOOK_EVERY_MS = 50 };

/* A block and the child process that measures it. */
typedef struct {
  char name[256];
  char params[SAMPLE_TEXT]; /* of a set of --sample; "": those of the options */
  off_t bytes;              /* of RTL: long ones are started first */
  pid_t child;
  bool started, ended, told; /* told to stop */
  bool silent;               /* it ended in a way that says nothing of itself */
  int code;
} job_t;

/* A run over several blocks. */
typedef struct {
  mutate_options_t o;
  work_t work; /* where the children leave their results */
  job_t jobs[BLOCKS_MOST];
  unsigned count, ended;
  uint64_t sample;
} session_t;

enum {
  KEY_COUNT = 0x100,
  KEY_CYCLES,
  KEY_SET,
  KEY_FAMILY,
  KEY_BY_PROBE,
  KEY_OUT,
  KEY_PROOF_SECONDS,
  KEY_NO_PROOFS,
  KEY_BLIND,
  KEY_LONGER,
  KEY_SHOW,
  KEY_SAMPLE
};

static const struct argp_option argp_options[] = {
    {"count", KEY_COUNT, "N", 0,
     "Mutants to draw of a block (default: 500, fewer of one with less than 100 lines); a small one may have fewer", 0},
    {"seed", 's', "N", 0, "Seed of the draw and of the stimulus (default 1)", 0},
    {"cycles", KEY_CYCLES, "N", 0,
     "Cycles for each mutant at most, shared by the profiles (default 20000, or more of a block that needs them)", 0},
    {"longer", KEY_LONGER, "N", 0,
     "Times the cycles for those that are then not proved equivalent (default 10; 1: no more)", 0},
    {"show", KEY_SHOW, "ID", 0, "This mutant alone: source line, how it ended, and the inputs that show it, by cycle",
     0},
    {"jobs", 'j', "N", 0, "Processes at a time (default 1); results do not depend on it", 0},
    {"set", KEY_SET, "PARAM=VALUE", CLI_LIST,
     "A parameter of the block; may be repeated (default: those that blocks.cmake names to measure it)", 0},
    {"sample", KEY_SAMPLE, "N", 0, "Besides, mutants of N " SAMPLED_HELP "; what --set names stays", 0},
    {"family", KEY_FAMILY, "NAME", CLI_LIST, "All blocks of a family, a folder of rtl, but its top; may be repeated",
     0},
    {"by-probe", KEY_BY_PROBE, NULL, 0,
     "What each probe is worth: mutants that only it sees, and how much earlier than the outputs", 0},
    {"proof-seconds", KEY_PROOF_SECONDS, "N", 0,
     "Processor time for the proof of a mutant that is not killed (default 10)", 0},
    {"no-proofs", KEY_NO_PROOFS, NULL, 0, "Do not look whether those that are not killed are equivalent", 0},
    {"blind-miter", KEY_BLIND, NULL, OPTION_HIDDEN, "Test: proofs compare nothing, so that their control must fire", 0},
    {"out", KEY_OUT, "FOLDER", 0, "Where working files go (default lockstack-out)", 0},
    {0},
};

/* --- which blocks */

/* Notes a block, and the size of its RTL, by which jobs are ordered. A folder has size 0. */
static error_t add_block(struct argp_state *state, session_t *s, const char *name) {
  char path[4096];
  struct stat info;
  glob_t found;
  if (s->count == BLOCKS_MOST) return cli_usage(state, "at most %d blocks", BLOCKS_MOST);
  if (strlen(name) >= sizeof s->jobs[0].name) return cli_usage(state, "%.40s...: too long a name", name);
  job_t *job = &s->jobs[s->count++];
  snprintf(job->name, sizeof job->name, "%s", name);
  snprintf(path, sizeof path, "%.2000s/rtl/*/%.200s.sv", cli_source(), name);
  if (glob(path, 0, NULL, &found) == 0) {
    if (stat(found.gl_pathv[0], &info) == 0) job->bytes = info.st_size;
    globfree(&found);
  }
  return 0;
}

/* Adds a family's blocks. The whole units (tag top) are left out, because the proofs of systems
 * cover them, and so are memories. */
static error_t add_family(struct argp_state *state, session_t *s, const char *family) {
  static const struct {
    const char *name, *family;
  } blocks[] = {
#define BLOCK(name, family, ...) {name, family},
#include "lists.def"
      {0},
  };
  char others[256] = "";
  bool known = false;
  error_t error = 0;
  for (unsigned i = 0; blocks[i].name && !error; i++) {
    const size_t n = strlen(others);
    if (!strstr(others, blocks[i].family))
      snprintf(others + n, sizeof others - n, "%s%s", n ? ", " : "", blocks[i].family);
    if (strcmp(blocks[i].family, family) != 0) continue;
    known = true;
    if (!names_tagged(blocks[i].name, "top") && strncmp(blocks[i].name, "sram_", 5))
      error = add_block(state, s, blocks[i].name);
  }
  return known ? error : cli_usage(state, "--family: no family '%s'; there are %s", family, others);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  session_t *s = state->input;
  mutate_options_t *o = &s->o;
  switch (key) {
  case KEY_COUNT: return cli_number(state, "--count", arg, 1, MUTANTS_MOST, &o->count);
  case 's': return cli_number(state, "--seed", arg, 0, INT32_MAX, &o->seed);
  case KEY_CYCLES: return cli_number(state, "--cycles", arg, 1, INT64_MAX, &o->cycles);
  case 'j': return cli_number(state, "--jobs", arg, 1, JOBS_MOST, &o->jobs);
  case KEY_SET: return verbs_param(state, arg, o->params, sizeof o->params);
  case KEY_SAMPLE: return cli_number(state, "--sample", arg, 1, BLOCKS_MOST - 1, &s->sample);
  case KEY_FAMILY: return add_family(state, s, arg);
  case KEY_BY_PROBE: o->by_probe = true; return 0;
  case KEY_PROOF_SECONDS: return cli_number(state, "--proof-seconds", arg, 1, 86400, &o->proof_seconds);
  case KEY_NO_PROOFS: o->no_proofs = true; return 0;
  case KEY_BLIND: o->blind = true; return 0;
  case KEY_LONGER: return cli_number(state, "--longer", arg, 1, 1000000, &o->longer);
  case KEY_SHOW: return cli_number(state, "--show", arg, 1, INT32_MAX, &o->show);
  case KEY_OUT: o->folder = arg; return 0;
  case ARGP_KEY_ARG: return add_block(state, s, arg);
  case ARGP_KEY_END:
    if (o->show && s->sample) return cli_usage(state, "--show: without --sample; --set has the mutant's parameters");
    if (o->show && s->count > 1) return cli_usage(state, "--show is for one BLOCK, here are %u", s->count);
    return s->count ? 0 : cli_usage(state, "a BLOCK or a folder is missing; `lockstack list blocks` names blocks");
  default: return ARGP_ERR_UNKNOWN;
  }
}

/* A job for each set of a block, behind all others. 0, or an exit code after a line. */
static int add_sets(session_t *s, unsigned block) {
  sample_t sample;
  int code = sampled_draw(&sample, s->jobs[block].name, s->o.params, s->o.seed, s->sample);
  for (unsigned i = 0; !code && i < sample.count; i++) {
    if (s->count == BLOCKS_MOST) code = cli_error(EXIT_BAD, "--sample: at most %d blocks and sets in all", BLOCKS_MOST);
    else {
      job_t *job = &s->jobs[s->count++];
      *job = s->jobs[block];
      snprintf(job->params, sizeof job->params, "%s", sample.sets[i]);
    }
  }
  sample_free(&sample);
  return code;
}

static int add_samples(session_t *s) {
  int code = EXIT_HELD;
  const unsigned blocks = s->count;
  for (unsigned i = 0; !code && i < blocks; i++) code = add_sets(s, i);
  return code;
}

/* --- children */

/* Where child i leaves its result. */
static void result_path(const session_t *s, unsigned i, char *path, size_t size) {
  snprintf(path, size, "%s/result-%u.json", s->work.path, i);
}

/* Starts a child, which dies with this process. Blocks run beside each other, so a child of several
 * has one process for its own proofs. */
static void start_block_job(session_t *s, unsigned i) {
  char path[4096];
  job_t *job = &s->jobs[i];
  job->started = true;
  result_path(s, i, path, sizeof path);
  if ((job->child = process_fork(SIGKILL)) != 0) return;
  if (s->count > 1) s->o.jobs = 1; /* of its own: blocks are what runs beside each other */
  if (*job->params) snprintf(s->o.params, sizeof s->o.params, "%s", job->params);
  int code = 0;
  json_t *json = mutate_block(&s->o, job->name, &code);
  if (json && json_dump_file(json, path, JSON_COMPACT))
    code = cli_error(EXIT_ENV, "%s: cannot write: %s", path, strerror(errno));
  _exit(code);
}

/* The job with the most RTL that is not started; the count when there is none. */
static unsigned next_job(const session_t *s) {
  unsigned best = s->count;
  for (unsigned i = 0; i < s->count; i++)
    if (!s->jobs[i].started && (best == s->count || s->jobs[i].bytes > s->jobs[best].bytes)) best = i;
  return best;
}

/* Passes on a signal that reached this process alone. Once for each child: a second one would kill
 * it. */
static void stop_block_jobs(session_t *s) {
  for (unsigned i = 0; i < s->count; i++) {
    job_t *job = &s->jobs[i];
    if (job->started && !job->ended && !job->told) job->told = kill(job->child, SIGTERM) == 0;
  }
}

/* Waits for a child to end. If there is no child left to wait for (somebody else took its status),
 * all that run count as ended without a word. */
static void wait_for_block_job(session_t *s) {
  int status = 0;
  pid_t child;
  while ((child = waitpid(-1, &status, WNOHANG)) == 0) {
    if (cli_interrupted) stop_block_jobs(s);
    clock_pause(LOOK_EVERY_MS);
  }
  if (child < 0 && errno != EINTR) child = 0;
  for (unsigned i = 0; i < s->count; i++) {
    job_t *job = &s->jobs[i];
    if (!job->started || job->ended || (child && job->child != child)) continue;
    job->ended = true;
    job->code = child && WIFEXITED(status) ? process_status(status) : EXIT_ENV;
    job->silent = !child || !WIFEXITED(status) || !job->code;
    s->ended++;
  }
}

/* Keeps o.jobs children running until all have ended; after Ctrl-C starts none. */
static void run_jobs(session_t *s) {
  progress_t progress;
  unsigned running = 0;
  progress_start(&progress, "mutate", "blocks", s->count);
  while (s->ended < s->count) {
    unsigned i = cli_interrupted ? s->count : next_job(s);
    if (i < s->count && running < s->o.jobs) {
      start_block_job(s, i);
      running++;
      continue;
    }
    if (!running) break;
    unsigned before = s->ended;
    wait_for_block_job(s);
    running -= s->ended - before;
    if (s->count > 1) progress_update(&progress, s->ended);
  }
  progress_end(&progress);
}

/* --- the result */

/* Sums over blocks. The score leaves out equivalent and open mutants, as in each block. */
static void add_totals(json_t *root, const json_t *blocks, double seconds) {
  static const char *const keys[] = {"killed", "survived", "undecided", "equivalent", "open"};
  json_int_t sums[5] = {0}, all = 0;
  const json_t *block;
  size_t i;
  json_array_foreach(blocks, i, block) {
    all += (json_int_t)json_array_size(json_object_get(block, "mutants"));
    for (int k = 0; k < 5; k++) sums[k] += json_integer_value(json_object_get(block, keys[k]));
  }
  for (int k = 0; k < 5; k++) json_object_set_new(root, keys[k], json_integer(sums[k]));
  json_object_set_new(root, "all", json_integer(all));
  json_object_set_new(root, "counted", json_integer(all - sums[3] - sums[4]));
  json_object_set_new(root, "few", json_boolean(all - sums[3] - sums[4] < BASIS_MUTANTS));
  json_object_set_new(root, "score",
                      all > sums[3] + sums[4] ? json_real((double)sums[0] / (double)(all - sums[3] - sums[4]))
                                              : json_null());
  json_object_set_new(root, "seconds", json_real(seconds));
}

/* NULL: the child was not started, or left no result. */
static json_t *load_block_result(const session_t *s, unsigned i) {
  char path[4096];
  result_path(s, i, path, sizeof path);
  return s->jobs[i].started ? json_load_file(path, 0, NULL) : NULL;
}

/* A block's exit code: by its verdict where it has a result, else what its process said. */
static int block_exit_code(const job_t *job, const json_t *block) {
  if (block) return (int)mutate_report_kind(block);
  return job->code ? job->code : EXIT_ENV;
}

/* Prints and writes all results. One block alone is the document itself; several are in `blocks`,
 * with totals. The worst code is the command's. */
static int finish_mutate(cli_t *cli, session_t *s, double seconds) {
  json_t *root = cli_json("mutate", 1), *blocks = json_array();
  int code = cli_interrupted ? EXIT_ENV : EXIT_HELD;
  for (unsigned i = 0; i < s->count; i++) {
    json_t *block = load_block_result(s, i);
    int own = block_exit_code(&s->jobs[i], block);
    code = own > code ? own : code;
    if (!block && s->jobs[i].silent && !cli_interrupted)
      cli_error(EXIT_ENV, "%s: its process ended without a result", s->jobs[i].name);
    if (!block && *s->jobs[i].params) cli_error(own, "%s was measured with %s", s->jobs[i].name, s->jobs[i].params);
    if (!block) continue;
    if (s->o.show) mutate_report_show(cli->out, cli_data("."), block);
    else mutate_report_block(cli->out, cli_data("."), block, s->o.by_probe);
    json_array_append_new(blocks, block);
  }
  if (!json_array_size(blocks)) {
    json_decref(root), json_decref(blocks);
    return cli_interrupted ? cli_error(EXIT_ENV, "interrupted") : code;
  }
  if (s->count == 1) {
    json_object_update(root, json_array_get(blocks, 0));
    json_decref(blocks);
  } else {
    add_totals(root, blocks, seconds);
    json_object_set_new(root, "blocks", blocks);
    mutate_report_total(cli->out, root);
  }
  code = cli_finish(cli, root, code);
  return cli_interrupted ? cli_error(EXIT_ENV, "interrupted") : code;
}

static const struct argp argp = {
    argp_options,
    parse,
    "[BLOCK|FOLDER...]",
    "Draws faults in a block's RTL (Yosys: a bit inverted, constant or dependent on its neighbour) and runs them "
    "beside the golden model, through all profiles, until a probe, an output or an assertion of the RTL shows it. "
    "What is left is "
    "proved equivalent; or inputs are found that show it, and it runs longer; or it survives and is listed with its "
    "line: a hole in "
    "stimulus or probes. "
    "The block without a fault runs beside them, through all the cycles, and must pass. Memories (sram_*), clocks and "
    "what only probes need are not mutated. "
    "Exit status 1: a mutant is neither killed nor proved equivalent, or the control failed.\v"
    "Examples:\n  lockstack mutate arb_rr --count 200 --set NumReq=5 --json arb_rr.json\n"
    "  lockstack mutate --family lsu --jobs 2\n"
    "  lockstack mutate fifo --sample 4 --count 100\n"
    "  lockstack mutate fifo --show 17\n",
    NULL,
    NULL,
    NULL};

static int run(cli_t *cli, int argc, char **argv) {
  session_t *s = calloc(1, sizeof *s);
  char folder[PLAIN_PATH];
  trouble_t trouble;
  if (!s) return cli_error(EXIT_ENV, "out of memory");
  s->o = (mutate_options_t){.folder = "lockstack-out", .seed = 1, .longer = 10, .jobs = 1, .proof_seconds = 10};
  int code = cli_parse(cli, &argp, argc, argv, s);
  if (!code && s->sample) code = add_samples(s);
  if (!code) {
    double begin = clock_seconds();
    snprintf(folder, sizeof folder, "%.4000s/mutate", s->o.folder);
    if (work_open(&s->work, folder, "results", &trouble))
      run_jobs(s), code = finish_mutate(cli, s, clock_seconds() - begin);
    else code = cli_trouble(&trouble);
    work_close(&s->work, false);
  }
  free(s);
  return code;
}

const verb_t verb_mutate = {"mutate", "faults in a block's RTL: which ones does its lockstep see?", run, &argp};

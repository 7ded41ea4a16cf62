/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack area: blocks on standard cells: cells, flip-flops, um2, memory macros, the longest path.
 */
#include "area.h"
#include "cli.h"
#include "generated.h"
#include "progress.h"
#include "sram_area.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BLOCKS = 128 };

typedef struct {
  const char *name, *family, *ports;
} block_t;

static const block_t blocks[] = {
#define BLOCK(name, family, rtl, ports, ...) {name, family, ports},
#define SYSTEM(...)
#define WORKLOAD(...)
#include "lists.def"
    {0},
};

typedef struct {
  const block_t *blocks[MOST_BLOCKS];
  unsigned num_blocks, num_sets;
  const char *sets[PROOF_MOST], *folder;
  const area_target_t *target;
} options_t;

enum { KEY_SET = 0x100, KEY_TARGET, KEY_OUT };

static const struct argp_option argp_options[] = {
    {"set", KEY_SET, "PARAM=VALUE", 0, "A parameter of the blocks; may be repeated", 0},
    {"target", KEY_TARGET, "NAME", 0, "Standard cells: osu018 (180 nm; default, and the only one)", 0},
    {"out", KEY_OUT, "FOLDER", 0,
     "Where scripts, logs and kept results go (default: the build folder, installed lockstack-out/area)", 0},
    {0},
};

static bool is_macro(const block_t *block) {
  return strncmp(block->name, "sram_", 5) == 0;
}

static error_t add_block(options_t *o, const char *name, const struct argp_state *state) {
  const block_t *b = blocks;
  while (b->name && strcmp(b->name, name) != 0) b++;
  if (!b->name) return cli_usage(state, "no block '%s'; `lockstack list blocks` names them", name);
  if (is_macro(b))
    return cli_usage(state, "%s is a macro, not cells; its area is printed with the blocks that have it", name);
  if (o->num_blocks == MOST_BLOCKS) return cli_usage(state, "more than %d blocks", MOST_BLOCKS);
  o->blocks[o->num_blocks++] = b;
  return 0;
}

static error_t add_target(options_t *o, const char *name, const struct argp_state *state) {
  for (o->target = area_targets; o->target->name; o->target++)
    if (strcmp(o->target->name, name) == 0) return 0;
  return cli_usage(state, "--target: '%s' should be osu018", name);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case KEY_SET:
    if (o->num_sets == PROOF_MOST) return cli_usage(state, "--set: too many parameters");
    o->sets[o->num_sets++] = arg;
    return 0;
  case KEY_TARGET: return add_target(o, arg, state);
  case KEY_OUT: o->folder = arg; return 0;
  case ARGP_KEY_ARG: return add_block(o, arg, state);
  case ARGP_KEY_END:
    for (const block_t *b = blocks; !o->num_blocks && b->name; b++)
      if (!is_macro(b) && add_block(o, b->name, state)) return EINVAL;
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

/* ---- results */

static json_t *macros_json(const area_t *a, const sram_fit_t *fit, double nm) {
  json_t *list = json_array();
  for (const area_macro_t *m = a->macros; m < a->macros + a->num_macros; m++)
    json_array_append_new(list, json_pack("{s:s, s:I, s:f, s:b}", "name", m->name, "bits",
                                          (json_int_t)(m->rows * m->width), "um2", sram_um2(fit, m->rows, m->width, nm),
                                          "extrapolated", sram_outside(fit, m->rows, m->width)));
  return list;
}

static json_t *area_json(const area_job_t *j, const area_t *a, const sram_fit_t *fit) {
  json_t *path = a->path_ns < 0 ? json_null() : json_real(a->path_ns);
  return json_pack("{s:s, s:s, s:s, s:I, s:I, s:f, s:o, s:o, s:f, s:b, s:n, s:n}", "block", j->block, "target",
                   j->target->name, "params", j->params, "cells", (json_int_t)a->cells, "flipflops",
                   (json_int_t)a->flipflops, "um2", a->um2, "macros", macros_json(a, fit, j->target->nm),
                   "longest_path_ns", path, "seconds", a->seconds, "cached", a->cached, "scaled", "paper");
}

static void print_area(FILE *out, const area_job_t *j, const area_t *a, const sram_fit_t *fit) {
  char path[32] = "-";
  if (a->path_ns >= 0) snprintf(path, sizeof path, "%.2f", a->path_ns);
  fprintf(out, "%-16s  %8lu  %10lu  %12.0f  %8s  %7.1f%s  %s\n", j->block, a->cells, a->flipflops, a->um2, path,
          a->seconds, a->cached ? " kept" : "     ", *j->params ? j->params : "defaults");
  for (const area_macro_t *m = a->macros; m < a->macros + a->num_macros; m++)
    fprintf(out, "    macro %s: %lu x %lu = %lu bits, %.0f um2%s\n", m->name, m->rows, m->width, m->rows * m->width,
            sram_um2(fit, m->rows, m->width, j->target->nm),
            sram_outside(fit, m->rows, m->width) ? " (extrapolated)" : "");
  fflush(out);
}

static void print_rules(FILE *out, const area_target_t *target, const sram_fit_t *fit) {
  fprintf(
      out,
      "um2: of the cells alone, %s, %u nm, without wires. Longest path: through logic, without wires, a flip-flop's\n"
      "own time or a macro's. Macros: um2 = %.4f x bits + %.4f x (bits of a row)^2 at %d nm, fitted to memories of\n"
      "CACTI (synth/sram_1r1w.csv; within %.0f %% of each), times (%u/%d)^2 for the node; extrapolated: outside of "
      "theirs.\n",
      target->name, target->nm, fit->per_bit, fit->per_width2, SRAM_DATA_NM, 100 * fit->worst, target->nm,
      SRAM_DATA_NM);
}

/* ---- the run */

typedef struct {
  progress_t progress;
  unsigned done;
} session_t;

static bool on_wait(void *context) {
  session_t *s = context;
  progress_update(&s->progress, s->done);
  return cli_interrupted;
}

/* The block's parameters, "Depth=7 Width=100", into proof->params[0]. */
static int read_params(const options_t *o, const block_t *block, proof_t *proof) {
  char error[PROOF_PATH + PROOF_TEXT];
  memset(proof, 0, sizeof *proof);
  snprintf(proof->block, sizeof proof->block, "%s", block->name);
  proof->num_params = 1;
  if (!proof_read_ports(proof, cli_data(block->ports), error, sizeof error)) return cli_error(EXIT_BAD, "%s", error);
  for (unsigned i = 0; i < o->num_sets; i++)
    if (!proof_set(proof, o->sets[i], error, sizeof error)) return cli_error(EXIT_BAD, "--set: %s", error);
  return 0;
}

/* Absolute: Yosys' script names files in it. Both of PROOF_PATH characters. */
static int find_folders(const options_t *o, char *cache, char *gen) {
  char error[2 * PROOF_PATH] = "", wanted[PROOF_PATH];
  snprintf(wanted, sizeof wanted, "%s/../gen/nsu_pkg.sv", cli_objects());
  bool built = access(wanted, R_OK) == 0;
  if (o->folder || !built) snprintf(wanted, sizeof wanted, "%s", o->folder ? o->folder : "lockstack-out/area");
  else snprintf(wanted, sizeof wanted, "%s/../area", cli_objects());
  if (!tool_folder(wanted) || !realpath(wanted, cache) || access(cache, W_OK))
    return cli_error(EXIT_ENV, "%s: cannot make files in this folder", wanted);
  int code = cli_generated(gen, cache, error, sizeof error);
  return code ? cli_error(code, "%s", error) : 0;
}

static int measure(const area_job_t *job, area_t *area) {
  char error[2 * PROOF_PATH] = "";
  switch (area_measure(job, area, error, sizeof error)) {
  case ANSWER_HOLDS: return 0;
  case ANSWER_STOPPED: return EXIT_ENV;
  case ANSWER_INFRA: return cli_error(EXIT_ENV, "%s", error);
  default: return cli_error(EXIT_BAD, "%s", error);
  }
}

static int measure_all(cli_t *cli, const options_t *o, proof_t *proofs, const sram_fit_t *fit) {
  char cache[PROOF_PATH], gen[PROOF_PATH];
  area_t *area = malloc(sizeof *area);
  json_t *list = json_array(), *root = cli_json("area", 1);
  session_t s = {0};
  int code = area ? find_folders(o, cache, gen) : cli_error(EXIT_ENV, "out of memory");
  if (!code)
    fprintf(cli->out, "%-16s  %8s  %10s  %12s  %8s  %12s  parameters\n", "block", "cells", "flip-flops", "um2",
            "path ns", "seconds");
  progress_start(&s.progress, "area", "blocks", o->num_blocks);
  for (; !code && s.done < o->num_blocks; s.done++) {
    area_job_t job = {.target = o->target,
                      .source = cli_source(),
                      .gen = gen,
                      .family = o->blocks[s.done]->family,
                      .block = o->blocks[s.done]->name,
                      .params = proofs[s.done].params[0],
                      .cache = cache,
                      .stop = on_wait,
                      .context = &s};
    code = measure(&job, area);
    progress_end(&s.progress);
    if (code) break;
    print_area(cli->out, &job, area, fit);
    json_array_append_new(list, area_json(&job, area, fit));
  }
  progress_end(&s.progress);
  free(area);
  bool stopped = code && cli_interrupted;
  if (!code || stopped) print_rules(cli->out, o->target, fit);
  if (o->num_blocks == 1) json_object_update(root, json_array_get(list, 0));
  else json_object_set(root, "blocks", list);
  json_decref(list);
  if (code && !stopped) {
    json_decref(root);
    return code;
  }
  int end = cli_finish(cli, root, stopped ? EXIT_ENV : EXIT_HELD);
  return stopped ? cli_error(EXIT_ENV, "interrupted after %u of %u blocks", s.done, o->num_blocks) : end;
}

static int run(cli_t *cli, int argc, char **argv) {
  static const struct argp argp = {
      argp_options,
      parse,
      "[BLOCK...]",
      "Synthesises blocks (all, when none is named) by Yosys and abc onto standard cells: cells, flip-flops, um2 of "
      "the "
      "cells, the longest path through logic. Probes are dropped; memories (rtl/lib/sram_*) are macros, whose area "
      "comes "
      "from a fit to CACTI's figures that is printed. A result is kept, and synthesis done again when the RTL, the "
      "script or the parameters change. Not there yet: other targets, scaling to the papers' nodes, the papers' "
      "figures "
      "(JSON: scaled and paper are null).\v"
      "Examples:\n  lockstack area arb_rr\n  lockstack area fifo --set Depth=7 --set Width=100 --json fifo.json\n",
      NULL,
      NULL,
      NULL};
  options_t o = {.target = area_targets};
  sram_fit_t fit;
  char error[PROOF_PATH + PROOF_TEXT];
  int code = cli_parse(cli, &argp, argc, argv, &o);
  if (code) return code;
  if (!sram_fit(&fit, cli_data("synth/sram_1r1w.csv"), error, sizeof error)) return cli_error(EXIT_ENV, "%s", error);
  proof_t *proofs = calloc(o.num_blocks, sizeof *proofs);
  if (!proofs) return cli_error(EXIT_ENV, "out of memory");
  for (unsigned i = 0; i < o.num_blocks && !code; i++) code = read_params(&o, o.blocks[i], &proofs[i]);
  if (!code) code = measure_all(cli, &o, proofs, &fit);
  free(proofs);
  return code;
}

const verb_t verb_area = {"area", "blocks on standard cells: area, flip-flops, memory macros, longest path", run};

/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack replay: plays the recorded inputs of a failure again, and says whether the failure is
 * still there.
 */
#include "against_report.h"
#include "block_content.h"
#include "cli.h"
#include "compared.h"
#include "lockstep_verbs.h"
#include "replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* dut NULL and cells "": those of the failure. */
typedef struct {
  const char *file, *wave, *dut, *folder, *rtl;
  char cells[RTL_LIST];
  bool inside;
} options_t;

enum { KEY_DUT = 0x100, KEY_CELLS, KEY_LIBERTY, KEY_INSIDE, KEY_FOLDER, KEY_RTL };

static const struct argp_option argp_options[] = {
    {"wave", 'w', "FILE", CLI_MADE, "Waveform of the end of the recording; VCD where it ends with .vcd, else FST", 0},
    {"folder", KEY_FOLDER, "DIR", 0, "Where the recorded block is now (default: where it lies from the file)", 0},
    {"rtl", KEY_RTL, "DIR", 0, "Where the RTL of the recorded --rtl is now", 0},
    {"dut", KEY_DUT, "KIND", 0, "The device: rtl, netlist, cxxrtl or icarus (default: the one that failed)", 0},
    {"cells", KEY_CELLS, "NAME", 0, "Of device netlist (default: those of the failure): " VERBS_CELLS_HELP, 0},
    {"liberty", KEY_LIBERTY, "FILE", CLI_LIST, "Of device netlist: " VERBS_LIBERTY_HELP, 0},
    {"inside", KEY_INSIDE, NULL, 0,
     "Say which part inside of the RTL is wrong first; --wave does, too (both need a build of their own)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case 'w': o->wave = arg; return 0;
  case KEY_FOLDER: o->folder = arg; return 0;
  case KEY_RTL: o->rtl = arg; return 0;
  case KEY_INSIDE: o->inside = true; return 0;
  case KEY_CELLS: return verbs_cells(state, arg, o->cells);
  case KEY_LIBERTY: return verbs_liberty(state, arg, o->cells);
  case KEY_DUT: return verbs_dut(state, arg, &o->dut);
  case ARGP_KEY_ARG:
    if (o->file) return ARGP_ERR_UNKNOWN;
    o->file = arg;
    return 0;
  case ARGP_KEY_END: return o->file ? 0 : cli_usage(state, "a replay FILE is missing");
  default: return ARGP_ERR_UNKNOWN;
  }
}

/* The verdict, without the end of its line. `same`: the failure is the recorded one. On another
 * kind of device than the recorded one, no failure does not mean that it was repaired. */
static void print_replay_verdict(const cli_t *cli, const replay_t *replay, const char *kind, const check_result_t *r,
                                 bool same) {
  /* What does not fail on another kind of device need not be repaired. */
  const bool elsewhere = strcmp(kind, replay_kind(replay)) != 0;
  if (r->stopped) fprintf(cli->out, "INTERRUPTED before the end of the recording");
  else if (same) fprintf(cli->out, "%s as recorded", outcome_name(r->outcome));
  else if (elsewhere && r->outcome == OUTCOME_NOT_COMPARED)
    fprintf(cli->out, "NOT_COMPARED: the recorded %s %s%s is of %s; %s cannot show it", outcome_name(replay->outcome),
            replay->port, replay->text, replay_kind(replay), kind);
  else if (elsewhere && r->outcome == OUTCOME_PASS)
    fprintf(cli->out, "PASS: %s does not fail where %s did (%s)", kind, replay_kind(replay),
            outcome_name(replay->outcome));
  else if (r->outcome == OUTCOME_NOT_COMPARED)
    fprintf(cli->out, "NOT_COMPARED: the recorded %s %s%s is gone, but what it was seen in was not compared",
            outcome_name(replay->outcome), replay->port, replay->text);
  else if (r->outcome == OUTCOME_PASS && *r->unsteady)
    fprintf(cli->out, "PASS, but nothing was repaired: %s was recorded of the same sources",
            outcome_name(replay->outcome));
  else if (r->outcome == OUTCOME_PASS)
    fprintf(cli->out, "PASS: the recorded %s is gone", outcome_name(replay->outcome));
  else if (r->outcome == replay->outcome && r->failure.port >= 0 &&
           strcmp(r->dut->ports[r->failure.port].name, replay->port) == 0)
    fprintf(cli->out, "%s at %s as recorded, but with other ports or fields beside it", outcome_name(r->outcome),
            replay->port);
  else
    fprintf(cli->out, "%s, but recorded was %s %s%s", outcome_name(r->outcome), outcome_name(replay->outcome),
            replay->port, replay->text);
}

/* The verdict's line. It names the folder in which the block was found. */
static void print_replay_summary(const cli_t *cli, const replay_t *replay, const block_t *block, const char *kind,
                                 const check_result_t *r, bool same) {
  print_replay_verdict(cli, replay, kind, r, same);
  if (*block->folder) fprintf(cli->out, "; played in %s", block->folder);
  if (*block->instead) fprintf(cli->out, "; with the RTL of %s", block->instead);
  fprintf(cli->out, "\n");
  if (*r->unsteady) fprintf(cli->out, "  %s\n", r->unsteady);
}

/* A replay is short: it has no progress line, and ends at Ctrl-C. */
static bool on_replay_cycles(void *context, uint64_t done) {
  (void)context;
  (void)done;
  return !cli_interrupted;
}

static const struct argp argp = {
    argp_options,
    parse,
    "FILE",
    "Plays a replay file: the block's RTL and model on the recorded inputs. Exit code 1 when they fail (again), "
    "or when the same sources no longer do, 0 when changed ones do not. A block outside of the tree is looked "
    "for from the file, as it lay when the file was written, then where it was recorded; the verdict names the "
    "folder.\vExamples:\n  lockstack replay lockstack-out/arb_rr-dense-7.replay --wave arb.fst\n"
    "  lockstack replay accum-random-1.replay --folder accum\n",
    NULL,
    NULL,
    NULL};

/* The device that stood in the model's place when this was recorded: of the block's own RTL. */
static int find_reference(block_t *reference, check_t *check, const replay_t *replay, const options_t *o) {
  trouble_t trouble;
  replay_t own = *replay;
  *own.rtl = 0;
  if (o->inside) return cli_error(EXIT_BAD, "--inside: the recording is of two devices, without a model to ask");
  if (!strcmp(check->kind, replay->against) && !*replay->rtl)
    return cli_error(EXIT_BAD, "--dut %s: the recording is against %s already", check->kind, replay->against);
  if (!replay_block(&own, &check->places, reference, &trouble)) return cli_trouble(&trouble);
  memcpy(reference->cells, check->block->cells, sizeof reference->cells);
  block_judged(reference, &check->places, replay->against, NULL);
  check->against = replay->against;
  check->reference = reference;
  return 0;
}

/* Puts the folders of the options in place of the recorded ones. */
static bool put_folders(replay_t *replay, const options_t *o, trouble_t *trouble) {
  if (o->folder && !*replay->folder)
    return trouble_set(trouble, TROUBLE_INPUT, "--folder: the recording is of block %s of the tree", replay->block);
  if (o->rtl && !*replay->rtl)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "--rtl: the recording is of the block's own RTL; `check --rtl` would be "
                       "right for other RTL");
  char *real = o->folder ? realpath(o->folder, NULL) : NULL; /* a block of the tree may have this name */
  if (o->folder) snprintf(replay->folder, sizeof replay->folder, "%s", real ? real : o->folder);
  free(real);
  if (o->rtl) snprintf(replay->rtl, sizeof replay->rtl, "%s", o->rtl);
  return true;
}

static int run(cli_t *cli, int argc, char **argv) {
  options_t o = {0};
  int code = cli_parse(cli, &argp, argc, argv, &o);
  if (code) return code;

  replay_t replay;
  block_t block, reference;
  check_result_t result;
  trouble_t trouble;
  bool same;
  check_t check = {.block = &block,
                   .places = verbs_places(),
                   .kind = "rtl",
                   .wave = o.wave,
                   .inside = o.inside,
                   .out = cli->out,
                   .on_cycles = on_replay_cycles};
  if (!replay_read(o.file, &replay, NULL, NULL, &trouble) || !put_folders(&replay, &o, &trouble) ||
      !replay_block(&replay, &check.places, &block, &trouble))
    return cli_trouble(&trouble);
  check.seed = replay.seed;
  check.power_up = replay.power_up;
  if (o.dut || *replay.dut) check.kind = o.dut ? o.dut : replay.dut;
  if (*o.cells && strcmp(check.kind, "netlist") && strcmp(replay.against, "netlist"))
    return cli_error(EXIT_BAD, "--cells and --liberty: gates are those of --dut netlist");
  if (*o.cells) memcpy(block.cells, o.cells, sizeof block.cells);
  block_judged(&block, &check.places, check.kind, NULL);
  code = *replay.against ? find_reference(&reference, &check, &replay, &o) : 0;
  if (code) return code;
  check_replay(&check, o.file, &result, &same);
  if (!verbs_result(result.outcome)) return cli_trouble(&result.trouble);
  if (!result.stopped) compared_print(cli->out, &result.tally, result.outcome, o.file, basename(block.ports));
  against_print(cli->out, result.against);
  print_replay_summary(cli, &replay, &block, check.kind, &result, same);
  json_t *root = cli_json("replay", 1);
  verbs_json(root, &check, &result);
  inside_free(&result.inside);
  slice_free(&result.slice);
  window_free(&result.window);
  tally_close(&result.tally);
  against_free(result.against);
  json_object_set_new(root, "replay", json_string(o.file));
  json_object_set_new(root, "profile", json_string(replay.profile));
  json_object_set_new(root, "seed", json_integer((json_int_t)replay.seed));
  json_object_set_new(root, "same", json_boolean(same));
  if (*result.unsteady) json_object_set_new(root, "unsteady", json_string(result.unsteady));
  const int verdict = *result.unsteady && result.outcome == OUTCOME_PASS ? EXIT_BROKEN : verbs_exit(result.outcome);
  int end = cli_finish(cli, root, result.unwritten.kind ? EXIT_ENV : verdict);
  if (result.unwritten.kind) return cli_trouble(&result.unwritten);
  if (result.stopped) cli_error(EXIT_ENV, "interrupted after %" PRIu64 " cycles", result.cycles);
  return end;
}

const verb_t verb_replay = {"replay", "plays the recorded inputs of a failure again", run, &argp};

/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack prove: a block's properties, proved or refuted; covers; broken copies that must be
 * refuted.
 *
 *   read_proofs: X.prove and X.ports --> proof_t, for each set of parameters
 *   prove_all --> prove_one (a working folder) --> prove_in --> prove_run --on_result--> text, JSON
 */
#include "cli.h"
#include "clock.h"
#include "generated.h"
#include "lockstep_verbs.h"
#include "names.h"
#include "plain.h"
#include "port_params.h"
#include "progress.h"
#include "prove.h"
#include "work.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* `first` takes the proof's first set of parameters alone. `timeout` is in seconds, for one
 * answer. */
typedef struct {
  const char *block, *folder, *rtl;
  const char *sets[PROOF_MOST];
  unsigned num_sets;
  const block_t *own; /* outside of the tree; NULL: of the tree */
  uint64_t timeout;
  bool list, first;
} options_t;

enum { KEY_SET = 0x100, KEY_LIST, KEY_TIMEOUT, KEY_OUT, KEY_RTL, KEY_FIRST };

static const struct argp_option argp_options[] = {
    {"set", KEY_SET, "PARAM=VALUE", CLI_LIST,
     "Prove for other parameters: the proof's first set with this one changed; may be repeated", 0},
    {"first", KEY_FIRST, NULL, 0,
     "The first of the proof's sets of parameters alone, and the broken copies that are for it", 0},
    {"list", KEY_LIST, NULL, 0, "List the blocks that have a proof", 0},
    {"rtl", KEY_RTL, "FOLDER", 0, "Take RTL files of this folder before the block's own: try a change, keep the tree",
     0},
    {"timeout", KEY_TIMEOUT, "S", 0,
     "Time for one answer, in seconds (default 600); without one the property is not proved", 0},
    {"out", KEY_OUT, "FOLDER", 0, "Where problems, logs and waveforms of refuted properties go (default lockstack-out)",
     0},
    {0},
};

/* --set: the value is checked when the port file has been read. */
static error_t add_set(options_t *o, const char *text, const struct argp_state *state) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text || !equals[1] || strpbrk(text, " ,"))
    return cli_usage(state, "--set: '%s' should be PARAM=VALUE", text);
  if (o->num_sets == PROOF_MOST) return cli_usage(state, "--set: too many parameters");
  if (cli_set_once(state, text, o->sets, o->num_sets)) return EINVAL;
  o->sets[o->num_sets++] = text;
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case KEY_SET: return add_set(o, arg, state);
  case KEY_LIST: o->list = true; return 0;
  case KEY_FIRST: o->first = true; return 0;
  case KEY_RTL: o->rtl = arg; return 0;
  case KEY_TIMEOUT: return cli_number(state, "--timeout", arg, 1, 1000000, &o->timeout);
  case KEY_OUT: o->folder = arg; return 0;
  case ARGP_KEY_ARG:
    if (o->block) return ARGP_ERR_UNKNOWN;
    o->block = arg;
    return 0;
  case ARGP_KEY_END:
    if (o->block || o->list) return 0;
    return cli_usage(
        state,
        "a BLOCK or a folder is missing; `lockstack prove --list` names those that have a proof, `all` means all of "
        "them");
  default: return ARGP_ERR_UNKNOWN;
  }
}

/* ---- which proofs there are */

/* The files tests/formal/X.prove, in alphabetical order. Returns how many; if there are any, the
 * caller calls globfree. */
static size_t find_proofs(glob_t *found) {
  return glob(cli_data("tests/formal/*.prove"), 0, NULL, found) ? 0 : found->gl_pathc;
}

/* The X of a path .../X.prove: *stem is its start, the result its length. */
static int stem_length(const char *path, const char **stem) {
  *stem = strrchr(path, '/') + 1;
  return (int)strcspn(*stem, ".");
}

/* "arb_rr, fifo, ...", as far as there is room. */
static void list_proof_names(const glob_t *found, size_t count, char *text, size_t size) {
  const char *stem;
  int n = 0;
  *text = 0;
  for (size_t i = 0; i < count && n >= 0 && (size_t)n < size; i++) {
    int length = stem_length(found->gl_pathv[i], &stem);
    n += snprintf(text + n, size - (size_t)n, "%s%.*s", i ? ", " : "", length, stem);
  }
}

/* Is it a block of the tree? */
static bool is_block(const char *name) {
  char pattern[PROOF_PATH];
  glob_t found;
  if (strpbrk(name, "*?[/")) return false;
  snprintf(pattern, sizeof pattern, "%s/%s.ports", cli_data("rtl/*"), name);
  bool there = glob(pattern, 0, NULL, &found) == 0;
  if (there) globfree(&found);
  return there;
}

/* Checks the parameters against the port file's bounds, which may depend on other parameters or on
 * names of lists. 0, or an exit code after a line. */
static int check_values(const proof_t *proof, const char *ports) {
  char all[PORT_PARAMS_TEXT];
  trouble_t trouble;
  for (unsigned i = 0; i < proof->num_params; i++)
    if (!port_params(cli_source(), ports, proof->params[i], PORT_PARAMS_ALL, all, sizeof all, &trouble))
      return cli_trouble(&trouble);
  return 0;
}

/* Reads a proof whose block is set, and applies --first and --set. */
static int finish_proof(proof_t *proof, const char *ports, const char *path, const options_t *o) {
  trouble_t trouble;
  if (!proof_read_ports(proof, cli_source(), ports, &trouble) || !proof_read(proof, path, &trouble))
    return cli_trouble(&trouble);
  if (o->first) proof->num_params = 1;
  for (unsigned i = 0; i < o->num_sets; i++)
    if (!proof_set(proof, o->sets[i], &trouble)) return cli_error((cli_exit_t)trouble.kind, "--set: %s", trouble.text);
  return check_values(proof, ports);
}

/* The proof of a block of the tree. */
static int read_proof(proof_t *proof, const char *block, const options_t *o) {
  char pattern[PROOF_PATH], path[PROOF_PATH];
  glob_t found;
  memset(proof, 0, sizeof *proof);
  snprintf(proof->block, sizeof proof->block, "%s", block);
  snprintf(proof->subject, sizeof proof->subject, "%s", block);
  snprintf(pattern, sizeof pattern, "%s/%s.ports", cli_data("rtl/*"), block);
  snprintf(path, sizeof path, "%s/%s.prove", cli_data("tests/formal"), block);
  if (glob(pattern, 0, NULL, &found)) return cli_error(EXIT_BAD, "%s: no port file rtl/*/%s.ports", path, block);
  int code = finish_proof(proof, found.gl_pathv[0], path, o);
  globfree(&found);
  return code;
}

/* The proof of a block outside the tree: X_proof.sv and X.prove in its folder. */
static int read_own(options_t *o, proof_t **proofs, size_t *count) {
  const places_t places = verbs_places();
  char path[PROOF_PATH], wrapper[PROOF_PATH + 16];
  trouble_t trouble;
  static block_t block;
  if (!block_find(&block, &places, o->block, NULL, &trouble)) return cli_trouble(&trouble);
  snprintf(path, sizeof path, "%.3900s/%s.prove", block.folder, block.name);
  snprintf(wrapper, sizeof wrapper, "%.3900s/%s_proof.sv", block.folder, block.name);
  const char *missing = NULL;
  if (access(path, R_OK)) missing = path;
  else if (access(wrapper, R_OK)) missing = wrapper;
  if (missing)
    return cli_error(
        EXIT_BAD,
        "%s: is missing: a proof is X_proof.sv, which says what holds, and X.prove, which says how it is proved",
        missing);
  if (access(block.rtl, R_OK))
    return cli_error(EXIT_BAD, "%s: is missing: a block has RTL, port file, model and its header", block.rtl);
  proof_t *proof = *proofs = calloc(1, sizeof *proof);
  if (!proof) return cli_error(EXIT_ENV, "out of memory");
  snprintf(proof->block, sizeof proof->block, "%s", block.name);
  snprintf(proof->subject, sizeof proof->subject, "%s", block_subject(&block));
  *count = 1;
  o->own = &block;
  return finish_proof(proof, block.ports, path, o);
}

/* Reads the proofs that BLOCK asks for: one, or all of the tree. *proofs is to be freed, also after
 * a failure. */
static int read_proofs(options_t *o, proof_t **proofs, size_t *count) {
  if (!is_block(o->block) && verbs_is_folder(o->block)) return read_own(o, proofs, count);
  char text[PROOF_PATH];
  glob_t found;
  int code = 0;
  size_t all = find_proofs(&found), wanted = strcmp(o->block, "all") == 0 ? all : 1;
  *proofs = calloc(wanted + 1, sizeof **proofs);
  if (!*proofs) code = cli_error(EXIT_ENV, "out of memory");
  for (size_t i = 0; i < all && !code; i++) {
    const char *stem;
    char name[PROOF_NAME];
    snprintf(name, sizeof name, "%.*s", stem_length(found.gl_pathv[i], &stem), strrchr(found.gl_pathv[i], '/') + 1);
    if (strcmp(o->block, "all") == 0 || strcmp(o->block, name) == 0) code = read_proof(&(*proofs)[(*count)++], name, o);
  }
  list_proof_names(&found, all, text, sizeof text);
  if (!code && !*count)
    code = is_block(o->block) ? cli_error(EXIT_BAD, "%s has no proof; the blocks that have one: %s", o->block, text)
                              : cli_error(EXIT_BAD, "no block '%s'; the blocks that have a proof: %s%s", o->block, text,
                                          names_nearest("blocks", o->block));
  if (all) globfree(&found);
  return code;
}

/* --list: the blocks that have a proof. */
static int list_proofs(cli_t *cli) {
  json_t *root = cli_json("prove", 1), *blocks = json_array();
  glob_t found;
  size_t count = find_proofs(&found);
  for (size_t i = 0; i < count; i++) {
    const char *stem;
    int length = stem_length(found.gl_pathv[i], &stem);
    fprintf(cli->out, "%.*s\n", length, stem);
    json_array_append_new(blocks, json_stringn(stem, (size_t)length));
  }
  if (count) globfree(&found);
  json_object_set_new(root, "blocks", blocks);
  return cli_finish(cli, root, EXIT_HELD);
}

/* ---- results */

/* The claims until now, by kind, as JSON. `bad` counts what failed, `stale` the broken copies that
 * no longer apply to the RTL, `uncovered` the sets of parameters without a cover. */
typedef struct {
  const cli_t *cli;
  progress_t progress;
  json_t *properties, *covers, *broken;
  unsigned done, bad, stale, uncovered;
  const proof_t *last; /* whose heading is printed */
} session_t;

/* A claim's status as the report and JSON have it. */
static const char *status_text(const prove_result_t *r) {
  if (r->stale) return "stale";
  if (r->vacuous) return "vacuous";
  if (r->answer == ANSWER_UNKNOWN) return "unknown";
  if (r->kind == CHECK_COVER) return r->good ? "reached" : "unreached";
  return r->answer == ANSWER_HOLDS ? "proved" : "refuted";
}

/* A claim: a property, a cover, or a broken copy. */
static json_t *claim_to_json(const prove_result_t *r) {
  json_t *j = json_pack("{s:s, s:s, s:s, s:s, s:i, s:s, s:f}", "name", r->name, "block", r->proof->subject, "params",
                        r->params, "method", method_name(r->method), "depth", (int)r->depth, "status", status_text(r),
                        "seconds", r->seconds);
  if (r->kind == CHECK_PROPERTY) json_object_set_new(j, "bounded", json_boolean(r->method == METHOD_BMC));
  if (r->kind == CHECK_COVER) json_object_set_new(j, "reached", json_boolean(r->good));
  if (r->kind == CHECK_BROKEN) {
    json_object_set_new(j, "property", json_string(r->property));
    json_object_set_new(j, "refuted", json_boolean(r->answer == ANSWER_REFUTED));
    json_object_update_new(j, json_pack("{s:s, s:i}", "file", r->proof->path, "line", (int)r->copy->line));
  }
  if (r->stale) json_object_set_new(j, "why", json_string(r->stale));
  if (*r->trace) json_object_set_new(j, "trace", json_string(r->trace));
  return j;
}

/* A claim's line, and further lines for what the user has to look at. */
static void print_result(FILE *out, const prove_result_t *r) {
  static const char *const kinds[] = {"property", "cover", "broken"};
  char name[2 * PROOF_NAME + 8], depth[16] = "-";
  snprintf(name, sizeof name, "%s%s%s", r->name, *r->property ? " / " : "", r->property);
  if (r->method != METHOD_PDR || r->answer == ANSWER_REFUTED) snprintf(depth, sizeof depth, "%u", r->depth);
  fprintf(out, "  %-8s  %-34s  %-9s  %5s  %-9s  %7.2f  %s%s\n", kinds[r->kind], name, method_name(r->method), depth,
          status_text(r), r->seconds, *r->params ? r->params : "defaults", r->good ? "" : "   <-- does not hold");
  if (r->vacuous) fprintf(out, "            its condition is never true, so nothing is asked\n");
  if (r->stale) fprintf(out, "            %s:%u: it no longer applies: %s\n", r->proof->path, r->copy->line, r->stale);
  else if (r->kind == CHECK_BROKEN && !r->good)
    fprintf(out, "            it should be refuted: the proof would not see this fault\n");
  if (*r->trace) fprintf(out, "            counterexample: gtkwave %s\n", plain_word(r->trace, (char[PLAIN_WORD]){0}));
  fflush(out);
}

/* Takes a claim as soon as it is known. The first claim of a block prints the heading. */
static void on_result(void *context, const prove_result_t *r) {
  session_t *s = context;
  json_t *lists[] = {s->properties, s->covers, s->broken};
  progress_end(&s->progress);
  if (s->last != r->proof)
    fprintf(s->cli->out, "%s\n  %-8s  %-34s  %-9s  %5s  %-9s  %7s  parameters\n", r->proof->block, "kind", "name",
            "method", "depth", "status", "seconds");
  s->last = r->proof;
  print_result(s->cli->out, r);
  json_array_append_new(lists[r->kind], claim_to_json(r));
  s->done++;
  s->bad += !r->good;
  s->stale += r->stale != NULL;
  progress_update(&s->progress, s->done);
}

/* While a tool runs: progress, and whether to stop. */
static bool on_wait(void *context) {
  session_t *s = context;
  progress_update(&s->progress, s->done);
  return cli_interrupted;
}

/* ---- the run */

/* The text of the block with these parameters, and with the files of a broken copy. */
static bool text_of(const void *block, const char *params, const char *folder, rtl_t *read, trouble_t *trouble) {
  const places_t places = verbs_places();
  block_t with = *(const block_t *)block;
  return (!folder || block_instead(&with, folder, trouble)) && block_text(&with, &places, params, NULL, read, trouble);
}

/* Proves all claims of a proof in the folder `work`. 0: all were decided; what they were is in s.
 * EXIT_ENV without a line: stopped. */
static int prove_in(const options_t *o, const proof_t *proof, const char *work, session_t *s) {
  char own[PROOF_PATH], rtl[PROOF_PATH], gen[PROOF_PATH];
  trouble_t trouble;
  if (o->rtl && !realpath(o->rtl, own)) return cli_error(EXIT_ENV, "%s: cannot be read", o->rtl);
  if (o->rtl && !plain_folder(own, NULL, rtl, sizeof rtl, &trouble)) return cli_trouble(&trouble);
  if (!cli_generated(gen, work, &trouble)) return cli_trouble(&trouble);
  prove_t prove = {.proof = proof, .work = work, .on_result = on_result, .context = s};
  prove.engine = (engine_t){.source = cli_source(),
                            .gen = gen,
                            .rtl = o->rtl ? rtl : NULL,
                            .seconds = (double)o->timeout,
                            .stop = on_wait,
                            .context = s};
  verbs_judged(o->own ? o->block : proof->block, o->rtl, "prove");
  const places_t places = verbs_places();
  rtl_t text;
  for (unsigned i = 0; o->own && i < proof->num_params; i++)
    if (!block_text(o->own, &places, proof->params[i], "a proof does", &text, &trouble)) return cli_trouble(&trouble);
  if (o->own) prove.engine.own = &o->own->read, prove.engine.folder = o->own->folder;
  if (o->own && proof->num_params && strcmp(text.files, o->own->read.files))
    prove.engine.text = text_of, prove.engine.block = o->own;
  switch (prove_run(&prove, &trouble)) {
  case ANSWER_BAD:
  case ANSWER_INFRA: return cli_trouble(&trouble);
  case ANSWER_STOPPED: return EXIT_ENV;
  default: return 0;
  }
}

/* The same in a new folder, which stays when there is something to look at: a claim that does not
 * hold, or a log that a message names. */
static int prove_one(const options_t *o, const proof_t *proof, session_t *s) {
  char folder[PROOF_PATH];
  work_t work;
  trouble_t trouble;
  const unsigned before = s->bad;
  snprintf(folder, sizeof folder, "%.4000s/prove", o->folder);
  if (!work_open(&work, folder, proof->block, &trouble)) return cli_trouble(&trouble);
  const int code = prove_in(o, proof, work.path, s);
  work_close(&work, s->bad > before || (code && !cli_interrupted));
  return code;
}

/* The last line. Broken copies that no longer apply are counted apart. They fail unless --rtl is
 * given, so only without --rtl they are among the bad claims and are subtracted. */
static void print_total(const session_t *s, const options_t *o, double seconds) {
  unsigned checked = s->done - s->stale, bad = o->rtl ? s->bad : s->bad - s->stale;
  fprintf(s->cli->out, "%s: %u of %u hold", o->block, checked - bad, checked);
  if (s->stale)
    fprintf(s->cli->out, ", %u broken %s no longer", s->stale, s->stale == 1 ? "copy applies" : "copies apply");
  if (s->uncovered)
    fprintf(s->cli->out, ", %u set%s of parameters without a cover", s->uncovered, s->uncovered == 1 ? "" : "s");
  fprintf(s->cli->out, ", %.1f s\n", seconds);
}

/* All proofs. `sources` are only added for a complete, unchanged proof: no --set, --first or
 * --rtl. */
static int prove_all(cli_t *cli, const options_t *o, const proof_t *proofs, size_t count) {
  session_t s = {.cli = cli, .properties = json_array(), .covers = json_array(), .broken = json_array()};
  unsigned total = 0;
  int code = 0;
  for (size_t i = 0; i < count; i++) total += prove_count(&proofs[i]), s.uncovered += prove_uncovered(&proofs[i]);
  double start = clock_seconds();
  verbs_sources_first(o->block, FINGERPRINT_PROVE);
  progress_start(&s.progress, "prove", "claims", total);
  for (size_t i = 0; i < count && !code; i++) code = prove_one(o, &proofs[i], &s);
  progress_end(&s.progress);
  double seconds = clock_seconds() - start;
  bool stopped = code == EXIT_ENV && cli_interrupted;
  if (code && !stopped) {
    json_decref(s.properties), json_decref(s.covers), json_decref(s.broken);
    return code;
  }
  if (stopped)
    fprintf(cli->out, "%s: INTERRUPTED after %u of %u claims, %u of them broken, %.1f s\n", o->block, s.done, total,
            s.bad, seconds);
  else print_total(&s, o, seconds);
  json_t *root = cli_json("prove", 1);
  json_object_update_new(root, json_pack("{s:s, s:o, s:o, s:I, s:o, s:b, s:f}", "block",
                                         o->own ? block_subject(o->own) : o->block, "properties", s.properties,
                                         "covers", s.covers, "uncovered", (json_int_t)s.uncovered, "broken_copies",
                                         s.broken, "held", !s.bad && !stopped, "seconds", seconds));
  verbs_other_rtl(root, o->rtl);
  if (!stopped && !o->num_sets && !o->first && !o->rtl) verbs_sources(root, o->block, FINGERPRINT_PROVE);
  cli_exit_t verdict = s.bad ? EXIT_BROKEN : EXIT_HELD;
  if (stopped) verdict = EXIT_ENV;
  int end = cli_finish(cli, root, verdict);
  return stopped ? cli_error(EXIT_ENV, "interrupted after %u of %u claims", s.done, total) : end;
}

static const struct argp argp = {
    argp_options,
    parse,
    "BLOCK|FOLDER|all",
    "Proves what a block promises: every property of its proof, for every set of "
    "parameters that the proof names; that each cover can be "
    "reached, so that the assumptions leave something to prove (the last line says of how many sets there is no "
    "cover); and that every broken "
    "copy of the RTL is refuted. A copy that no longer applies to the RTL is "
    "stale, which fails unless --rtl has changed the RTL. Depth: of bmc and "
    "induction the cycles looked at, of a refutation or a cover its cycle; pdr needs "
    "none, its proofs are unbounded as those by "
    "induction. tests/formal/README.md says what is proved. A folder has a block outside of the tree, with X_proof.sv "
    "and X.prove.\v"
    "Examples:\n  lockstack prove arb_rr\n  lockstack prove docs/example\n  lockstack prove arb_rr --set NumReq=16 "
    "--json arb_rr.json\n  lockstack prove all\n",
    NULL,
    NULL,
    NULL};

static int run(cli_t *cli, int argc, char **argv) {
  options_t o = {.folder = "lockstack-out", .timeout = 600};
  proof_t *proofs = NULL;
  size_t count = 0;
  int code = cli_parse(cli, &argp, argc, argv, &o);
  if (code) return code;
  if (o.list) return list_proofs(cli);
  code = read_proofs(&o, &proofs, &count);
  if (!code && o.rtl && access(o.rtl, R_OK | X_OK)) code = cli_error(EXIT_BAD, "--rtl: %s: no such folder", o.rtl);
  if (!code && engine_missing())
    code = cli_error(EXIT_ENV, "%s is not installed: packages.txt has what proofs need (yosys, z3)", engine_missing());
  if (!code) code = prove_all(cli, &o, proofs, count);
  free(proofs);
  return code;
}

const verb_t verb_prove = {"prove", "a block's properties, proved; broken copies of it, refuted", run, &argp};

/* SPDX-License-Identifier: Apache-2.0
 *
 * A claim is the label of an assert or cover statement in the wrapper. Yosys keeps the label as
 * the name of a cell. For one claim, the script deletes all other cells of these kinds. The
 * property `assertions` stands for all assertions without a label in the wrapper: the RTL's own.
 *
 * The elaborated design has two forms, for the two solvers:
 *
 *   words.il --write_smt2---> NAME.smt2 --yosys-smtbmc, z3--> induction, waveforms
 *   bits.il  --write_aiger--> NAME.aig  --abc--------------> pdr, bmc, covers
 */
#include "engine.h"
#include "abc.h"
#include "file.h"
#include "port_params.h"
#include "process.h"
#include "verilator.h"
#include "wrapper.h"
#include "yosys.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PROOF_PATH fail when they are opened */

const char *engine_missing(void) {
  static const char *const programs[] = {"yosys", "yosys-abc", "yosys-smtbmc", "z3"};
  for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++)
    if (!process_there(programs[i])) return programs[i];
  return NULL;
}

/* ---- running a tool: its log in text, to be freed */

/* Runs a tool and returns its status. *text is its log; the caller frees it. */
static int run_logged(const engine_t *e, char *const argv[], const char *log, double seconds, char **text) {
  int status = process_run(argv, log, seconds, e->stop, e->context);
  *text = file_read(log);
  return status;
}

/* ---- elaboration */

/* Keeps the statements that a broken copy must not pass. opt_clean then drops all logic that
 * they do not need. */
static void print_kept(FILE *file, const proof_t *proof, const broken_t *copy) {
  fprintf(file, "select -set kept");
  for (unsigned i = 0; i < proof->num_broken; i++) {
    const char *name = proof->broken[i].property;
    if (proof->broken[i].line != copy->line) continue;
    if (strcmp(name, "assertions") == 0) fprintf(file, " n:$* n:*.*");
    else fprintf(file, " n:%s", name);
  }
  fprintf(file, "\ndelete t:$assert t:$cover %%u @kept %%d\n");
}

/* Reads the RTL of a block outside the tree, then the wrapper. Yosys finds the tree's RTL in
 * -libdir folders. */
static void print_read(FILE *file, const engine_t *e, const rtl_t *own, const proof_t *proof, const char *folder) {
  const char *const instead[2] = {folder, e->rtl};
  char path[PROOF_PATH], plain[PLAIN_PATH];
  if (own) {
    fprintf(file, "\nverilog_defaults -add -I%s\nread_verilog ", yosys_path(e->folder, plain));
    yosys_print_rtl(file, own, instead);
  }
  fprintf(file, "\nread_verilog -sv %s\n", yosys_path(wrapper_path(e, proof, path), plain));
}

/* Folders where `hierarchy` looks for modules. The first match wins, so the broken copy comes
 * first. */
static void print_libraries(FILE *file, const engine_t *e, const rtl_t *own, const char *folder) {
  if (folder) fprintf(file, " -libdir %s", folder);
  if (e->rtl) fprintf(file, " -libdir %s", e->rtl);
  if (own) yosys_print_libraries(file, own);
  else yosys_print_each(file, e->source, "rtl/*/", " -libdir ");
  yosys_print_each(file, e->source, "tests/formal/parts/", " -libdir ");
}

/* Writes elaborate.ys. Its outputs: values.txt (parameters), assert/assume/cover.cells
 * (statements), asserts.txt (conditions), words.il and bits.il (the design). */
static answer_t write_elaborate(const engine_t *e, const proof_t *proof, const char *params, const char *folder,
                                const broken_t *copy, const char *work, trouble_t *trouble) {
  char top[PROOF_NAME + 8], values[PORT_PARAMS_TEXT];
  if (!wrapper_params(e, proof, params, values, sizeof values, trouble)) return ANSWER_BAD;
  rtl_t text;
  const rtl_t *own = e->text ? &text : e->own;
  if (e->text && !e->text(e->block, params, folder, &text, trouble))
    return trouble->kind == TROUBLE_INPUT ? ANSWER_BAD : ANSWER_INFRA;
  FILE *file = yosys_open(work, "elaborate", trouble);
  if (!file) return ANSWER_INFRA;
  fprintf(file, "verilog_defaults -add -formal");
  yosys_print_tree(file, e->source, e->gen, e->own);
  snprintf(top, sizeof top, "%s_proof", proof->block);
  print_read(file, e, own, proof, folder);
  yosys_print_top(file, top, values);
  print_libraries(file, e, own, folder);
  yosys_print_top_end(file, top);
  fprintf(file, "tee -q -o %s/values.txt dump -m i:*\n", work);
  yosys_writes(file, work, "values.txt");
  fprintf(file, "proc\n");
  yosys_print_checks(file, e->source, work);
  /* AIGER has one list of outputs, so abc would take an output port of the wrapper for a claim. */
  fprintf(file, "flatten; delete -output w:*; setattr -set keep 1 t:$assert t:$assume t:$cover\n");
  static const char *const kinds[] = {"assert", "assume", "cover"};
  for (int i = 0; i < 3; i++) {
    char list[16];
    snprintf(list, sizeof list, "%s.cells", kinds[i]);
    fprintf(file, "tee -q -o %s/%s select -list t:$%s\n", work, list, kinds[i]);
    yosys_writes(file, work, list);
  }
  if (copy) print_kept(file, proof, copy);
  fprintf(file,
          "opt_clean; memory; opt -full; async2sync; dffunmap; opt_clean\ntee -q -o %s/asserts.txt dump t:$assert\n",
          work);
  yosys_writes(file, work, "asserts.txt");
  fprintf(file, "write_rtlil %s/words.il\n", work);
  yosys_writes(file, work, "words.il");
  /* Logic that is made small helps to prove; refuting a copy takes less than making it small. */
  const char *const small = copy ? "" : "opt -fast; ", *const fast = copy ? " -fast" : "";
  fprintf(file, "techmap; %sdfflegalize -cell $_DFF_P_ 01; abc%s -g AND; clean; write_rtlil %s/bits.il\n", small, fast,
          work);
  yosys_writes(file, work, "bits.il");
  return yosys_close(file, work, trouble);
}

/* A cell list has "module/cell" lines. Calls each(context, cell) until it says false. */
static bool each_cell(const char *work, const char *kind, bool (*each)(void *context, const char *cell),
                      void *context) {
  char path[PROOF_PATH], *rest;
  snprintf(path, sizeof path, "%s/%s.cells", work, kind);
  char *text = file_read(path);
  bool ok = true;
  for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; ok && line; line = strtok_r(NULL, "\n", &rest)) {
    char *cell = strchr(line, '/');
    if (cell) ok = each(context, cell + 1);
  }
  free(text);
  return ok;
}

/* Matches statements of the wrapper with claims of the proof's description. */
typedef struct {
  const proof_t *proof;
  const char *kind;
  bool seen[PROOF_MOST];
  trouble_t *trouble;
} match_t;

/* A name without a dollar sign or a dot is a label of the wrapper. Names in the RTL have a dot:
 * "u_dut.x". */
static bool is_label(const char *cell) {
  return *cell != '$' && !strchr(cell, '.');
}

/* A statement of the wrapper without a label is "$assert$FILE:LINE$3", one of a part
 * "$flatten\u_dut.$assert...". */
static bool is_plain_statement(const char *cell) {
  return *cell == '$' && strncmp(cell, "$flatten", 8) && !strchr(cell, '\\');
}

/* Refuses such a statement, with its place "FILE:LINE" from the cell's name. */
static bool no_label(match_t *m, const char *cell) {
  const char *place = strchr(cell + 1, '$');
  place = place ? place + 1 : cell;
  return trouble_set(
      m->trouble, TROUBLE_INPUT,
      "%.*s: the %s statement has no label, so no line of %s can ask for it; `name: %s (...)` would be right",
      (int)strcspn(place, "$"), place, m->kind, m->proof->path, m->kind);
}

/* Marks the claim of this statement as seen. Refuses a statement of the wrapper that no claim
 * asks for. */
static bool match_claim(void *context, const char *cell) {
  match_t *m = context;
  const char *name = is_label(cell) ? cell : "assertions";
  for (unsigned i = 0; i < m->proof->num_claims; i++) {
    const claim_t *claim = &m->proof->claims[i];
    if (strcmp(claim->name, name) == 0 && (claim->method == METHOD_COVER) == (*m->kind == 'c'))
      return m->seen[i] = true;
  }
  if (!is_label(cell) && !is_plain_statement(cell)) return true; /* the RTL's own, not asked for */
  if (*cell == '$') return no_label(m, cell);
  return trouble_set(m->trouble, TROUBLE_INPUT, "%s: no line for the %s statement %s of the wrapper", m->proof->path,
                     m->kind, cell);
}

/* An assumption inside the RTL would be a hole in the RTL's proof, so only the wrapper may
 * assume. u_env is the wrapper's instance of X.env.sv, so its assumptions count as the
 * wrapper's. */
static bool is_wrappers(void *context, const char *cell) {
  match_t *m = context;
  if (strncmp(cell, "u_env.", 6) == 0) return true;
  if (*cell == '$' ? strncmp(cell, "$flatten", 8) != 0 : !strchr(cell, '.')) return true;
  return trouble_set(m->trouble, TROUBLE_INPUT, "%s: an assumption inside the RTL: %s", m->proof->block, cell);
}

/* Every statement has a claim, and every claim for these parameters has a statement. */
static answer_t match_all(const proof_t *proof, const char *params, const char *work, trouble_t *trouble) {
  match_t m = {.proof = proof, .trouble = trouble};
  if (!each_cell(work, "assume", is_wrappers, &m)) return ANSWER_BAD;
  for (int i = 0; i < 2; i++) {
    m.kind = i ? "cover" : "assert";
    if (!each_cell(work, m.kind, match_claim, &m)) return ANSWER_BAD;
  }
  for (unsigned i = 0; i < proof->num_claims; i++)
    if (!m.seen[i] && proof_applies(proof, proof->claims[i].only, params))
      return trouble_set(trouble, TROUBLE_INPUT, "%s: no statement %s in the wrapper with %s", proof->path,
                         proof->claims[i].name, *params ? params : "the default parameters"),
             ANSWER_BAD;
  return ANSWER_HOLDS;
}

/* Writes a techmap NAME.v that turns a cover into an assertion of the opposite. cover.v asserts
 * that A is 0 where EN is 1. asked.v asserts that EN itself is 0. */
static bool write_cover_map(const char *work, const char *name, const char *inverted, const char *en) {
  char path[PROOF_PATH];
  snprintf(path, sizeof path, "%s/%s.v", work, name);
  FILE *file = fopen(path, "w");
  if (!file) return false;
  fprintf(file,
          "module \\$cover (input A, EN);\n  wire n;\n  \\$_NOT_ u_not (.A(%s), .Y(n));\n"
          "  \\$assert _TECHMAP_REPLACE_ (.A(n), .EN(%s));\nendmodule\n",
          inverted, en);
  if (fclose(file) == 0) return true;
  file_drop(path);
  return false;
}

/* The wrapper sets the port file's values. Verilator says whether these values reach the block's
 * parameters. */
static answer_t values_arrive(const engine_t *e, const proof_t *proof, const char *params, const char *work,
                              trouble_t *trouble) {
  char ports[PROOF_PATH], xml[PROOF_PATH];
  snprintf(ports, sizeof ports, "%s/%s.ports", e->folder, proof->block);
  snprintf(xml, sizeof xml, "%s/parameters.xml", work);
  const verilator_xml_t job = {
      .rtl = e->own, .source = e->source, .library = "", .module = proof->block, .work = work, .xml = xml};
  return verilator_arrived(&job, ports, params, trouble);
}

answer_t engine_elaborate(const engine_t *e, const proof_t *proof, const char *params, const char *folder,
                          const broken_t *copy, const char *work, trouble_t *trouble) {
  if (!file_folder(work) || !write_cover_map(work, "cover", "A", "EN") || !write_cover_map(work, "asked", "EN", "1'b1"))
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot make files in this folder: %s", work, strerror(errno)),
           ANSWER_INFRA;
  answer_t answer = e->own && !copy ? values_arrive(e, proof, params, work, trouble) : ANSWER_HOLDS;
  if (answer == ANSWER_HOLDS) answer = write_elaborate(e, proof, params, folder, copy, work, trouble);
  if (answer == ANSWER_HOLDS) answer = yosys_run(e->stop, e->context, work, "elaborate", trouble);
  if (answer == ANSWER_HOLDS && !wrapper_check(e, proof, params, work, trouble)) answer = ANSWER_BAD;
  if (answer == ANSWER_HOLDS) answer = match_all(proof, params, work, trouble);
  if (answer == ANSWER_UNKNOWN) {
    trouble_set(trouble, TROUBLE_INPUT, "%s: elaboration takes more than %d s", proof->block, YOSYS_SECONDS);
    answer = ANSWER_BAD;
  }
  return answer;
}

/* ---- one claim */

/* Of the conditions of a property's statements: is
 * there one, one that may be 1, one that is always? */
typedef struct {
  bool found, may, always;
} condition_t;

/* Reads asserts.txt, where each cell $assert is followed by its connections. EN is the
 * condition. */
static condition_t condition_of(const claim_t *claim, const char *work) {
  char path[PROOF_PATH], *rest, cell[PROOF_TEXT];
  condition_t is = {false, false, false};
  bool ours = false;
  snprintf(path, sizeof path, "%s/asserts.txt", work);
  char *text = file_read(path);
  for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
    line += strspn(line, " ");
    if (sscanf(line, "cell $assert %511s", cell) == 1) {
      const char *name = cell + (*cell == '\\');
      ours = strcmp(is_label(name) ? name : "assertions", claim->name) == 0;
      is.found |= ours;
    }
    if (!ours || strncmp(line, "connect \\EN ", 12)) continue;
    is.may |= strcmp(line + 12, "1'0") != 0;
    is.always |= strcmp(line + 12, "1'1") == 0;
  }
  free(text);
  return is;
}

bool engine_vacuous(const claim_t *claim, const char *work) {
  const condition_t is = condition_of(claim, work);
  return is.found && !is.may;
}

/* The problem to write: for abc, for z3, or for abc about the condition alone (NAME.asked.aig). */
typedef enum { FORM_AIGER, FORM_SMT, FORM_ASKED } form_t;

/* True when the condition is not a constant 1, so that reaching the condition is a question. */
static bool is_asked(const claim_t *claim, const char *work) {
  const condition_t is = condition_of(claim, work);
  return is.found && !is.always;
}

/* Makes the assertion a cover of its condition, and asserts the opposite of that. */
static void print_asked(FILE *file, const claim_t *claim, const char *work) {
  char name[PROOF_NAME + 16];
  snprintf(name, sizeof name, "%s.asked.aig", claim->name);
  fprintf(file, "chtype -set $cover @claim\ntechmap -map %s/asked.v @claim\nopt_clean\nwrite_aiger -zinit %s/%s\n",
          work, work, name);
  yosys_writes(file, work, name);
}

/* Writes the design with this claim alone, as AIGER or SMT, and runs Yosys. Of a property, the
 * same run also writes NAME.asked.aig: a refutation reaches the condition. */
static answer_t write_problem(const engine_t *e, const claim_t *claim, form_t form, const char *work,
                              trouble_t *trouble) {
  const char *kind = claim->method == METHOD_COVER ? "cover" : "assert";
  static const char *const suffixes[] = {[FORM_AIGER] = "aig", [FORM_SMT] = "smt2", [FORM_ASKED] = "asked"};
  const bool smt = form == FORM_SMT;
  char stem[PROOF_NAME + 16];
  snprintf(stem, sizeof stem, "%s.%s", claim->name, suffixes[form]);
  FILE *file = yosys_open(work, stem, trouble);
  if (!file) return ANSWER_INFRA;
  fprintf(file, "read_rtlil %s/%s.il\n", work, smt ? "words" : "bits");
  if (strcmp(claim->name, "assertions") == 0) fprintf(file, "select -set claim t:$assert n:$* n:*.* %%u %%i\n");
  else fprintf(file, "select -set claim t:$%s n:%s %%i\n", kind, claim->name);
  fprintf(file, "select -assert-min 1 @claim\ndelete t:$assert t:$cover %%u @claim %%d\nsetattr -unset keep t:*\n");
  if (claim->method == METHOD_COVER) fprintf(file, "techmap -map %s/cover.v @claim\n", work);
  fprintf(file, "opt_clean\n");
  if (form == FORM_ASKED) print_asked(file, claim, work);
  else fprintf(file, smt ? "write_smt2 -wires %s/%s\n" : "write_aiger -zinit %s/%s\n", work, stem);
  if (form != FORM_ASKED) yosys_writes(file, work, stem);
  /* Yosys has read it all by now */
  if (form == FORM_AIGER && claim->method != METHOD_COVER && is_asked(claim, work)) print_asked(file, claim, work);
  const answer_t written = yosys_close(file, work, trouble);
  return written == ANSWER_HOLDS ? yosys_run(e->stop, e->context, work, stem, trouble) : written;
}

/* The number right behind the first place of `words` in the log. */
static bool number_after(const char *text, const char *words, unsigned *number) {
  const char *at = strstr(text, words);
  return at && sscanf(at + strlen(words), "%u", number) == 1;
}

/* Reads abc's answer. *depth comes in as the cycles asked for, and a bounded answer must cover
 * them all. The frame of a refutation counts from 0. */
static answer_t read_abc(const char *text, unsigned *depth) {
  unsigned n;
  if (abc_proved(text)) {
    *depth = number_after(text, "Invariant F[", &n) ? n : 0;
    return ANSWER_HOLDS;
  }
  if (number_after(text, "was asserted in frame ", &n)) {
    *depth = n;
    return ANSWER_REFUTED;
  }
  if (strstr(text, "Explored all reachable states")) return ANSWER_HOLDS; /* all time, then */
  return number_after(text, "No output asserted in ", &n) && n >= *depth ? ANSWER_HOLDS : ANSWER_UNKNOWN;
}

/* Writes work/NAME.abc. `fold` turns assumptions into the assertion; `orpos` joins all outputs
 * into one. The script ends by echoing the word (abc.h). */
static bool write_abc(const char *script, const char *problem, const char *engine, const char *word) {
  FILE *file = fopen(script, "w");
  bool ok = file && fprintf(file, "read_aiger %s\nfold\norpos\nstrash\nscorr\n%s\n%secho %s\n", problem, engine,
                            strcmp(engine, "pdr") ? "" : ABC_TRIVIAL, word) > 0;
  if (file && fclose(file)) ok = false;
  if (file && !ok) file_drop(script);
  return ok;
}

/* Solves NAME.aig with this engine of abc ("pdr", "bmc3 -F 20"). bmc3 refuses a design without
 * state. There pdr answers, and its answer holds for all cycles alike. */
static answer_t run_abc(const engine_t *e, const claim_t *claim, const char *engine, const char *work, unsigned *depth,
                        trouble_t *trouble) {
  char problem[PROOF_PATH], script[PROOF_PATH], log[PROOF_PATH], word[ABC_WORD], *text;
  snprintf(problem, sizeof problem, "%s/%s.aig", work, claim->name);
  snprintf(script, sizeof script, "%s/%s.abc", work, claim->name);
  snprintf(log, sizeof log, "%s/%s.abc.log", work, claim->name);
  if (!write_abc(script, problem, engine, abc_word(problem, word)))
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", script, strerror(errno)), ANSWER_INFRA;
  char *argv[] = {"yosys-abc", "-f", script, NULL};
  int status = run_logged(e, argv, log, e->seconds, &text);
  answer_t answer = ANSWER_UNKNOWN;
  const bool ended = status == 0 && abc_ended(text, word),
             stateless = ended && strstr(text, "Does not work for combinational networks");
  if (stateless && strcmp(engine, "pdr")) { /* no state left: all cycles are alike */
    answer = run_abc(e, claim, "pdr", work, depth, trouble);
    if (answer == ANSWER_HOLDS) *depth = claim->depth;
  } else answer = ended ? read_abc(text, depth) : yosys_complain(status, "yosys-abc", log, text, trouble);
  free(text);
  return answer;
}

/* Checks the first `cycles` cycles with bmc3; 0: all cycles with pdr. */
static answer_t by_abc(const engine_t *e, const claim_t *claim, unsigned cycles, const char *work, unsigned *depth,
                       trouble_t *trouble) {
  char engine[64] = "pdr";
  *depth = cycles;
  if (cycles) snprintf(engine, sizeof engine, "bmc3 -F %u", cycles);
  answer_t answer = write_problem(e, claim, FORM_AIGER, work, trouble);
  return answer == ANSWER_HOLDS ? run_abc(e, claim, engine, work, depth, trouble) : answer;
}

/* The line that yosys-smtbmc prints only after its last question to z3. `words` is a buffer for
 * that line. */
static const char *smt_last(const char *option, unsigned cycles, char words[64]) {
  if (*option) return "Temporal induction successful.";
  snprintf(words, 64, "Checking assertions in step %u..", cycles - 1);
  return words;
}

/* yosys-smtbmc is a Python program whose `assert`s guard the proof. PYTHONOPTIMIZE would drop
 * them. */
static void keep_assertions(void) {
  unsetenv("PYTHONOPTIMIZE");
}

/* Runs yosys-smtbmc over `cycles` cycles. option: "-i" for induction, "" for a bounded check. A
 * pass counts only with status 0, the last question asked and "Status: PASSED". */
static answer_t run_smt(const engine_t *e, const claim_t *claim, const char *option, const char *work, unsigned cycles,
                        char **text, trouble_t *trouble) {
  char problem[PROOF_PATH], log[PROOF_PATH], number[16], last[64], vcd[PROOF_PATH];
  snprintf(problem, sizeof problem, "%s/%s.smt2", work, claim->name);
  snprintf(log, sizeof log, "%s/%s.smtbmc%s.log", work, claim->name, option);
  snprintf(vcd, sizeof vcd, "%s/%s.vcd", work, claim->name);
  snprintf(number, sizeof number, "%u", cycles);
  char *argv[] = {"yosys-smtbmc", "--unroll", "-s", "z3", "-t", number, "--dump-vcd", vcd, problem, NULL, NULL};
  if (*option) argv[8] = (char *)option, argv[9] = problem;
  unlink(vcd);
  keep_assertions();
  int status = run_logged(e, argv, log, e->seconds, text);
  const bool all = *text && strstr(*text, smt_last(option, cycles, last));
  if (status == 0 && all && strstr(*text, "Status: PASSED")) return ANSWER_HOLDS;
  if (status == 1 && *text && strstr(*text, "Status: FAILED")) return ANSWER_REFUTED;
  /* the assumptions contradict each other */
  if (status == 1 && *text && strstr(*text, "Status: PREUNSAT")) return ANSWER_UNKNOWN;
  if (status == 1 && *text && strstr(*text, "response from solver: unknown")) return ANSWER_UNKNOWN;
  return yosys_complain(status, "yosys-smtbmc with z3", log, *text, trouble);
}

/* Callback of each_cell: *context becomes true at the first cell. */
static bool any_cell(void *context, const char *cell) {
  (void)cell;
  return !(*(bool *)context = true);
}

/* The base case of an induction. abc needs a tenth of z3's time, but misses assumptions that
 * contradict each other. A proof with assumptions therefore asks z3. */
static answer_t first_cycles(const engine_t *e, const claim_t *claim, const char *work, unsigned cycles,
                             unsigned *depth, trouble_t *trouble) {
  bool assumes = false;
  each_cell(work, "assume", any_cell, &assumes);
  if (assumes) {
    char *text = NULL;
    answer_t answer = run_smt(e, claim, "", work, cycles, &text, trouble);
    if (answer == ANSWER_REFUTED && text) number_after(text, "BMC failed in step ", depth);
    free(text);
    return answer;
  }
  answer_t answer = by_abc(e, claim, cycles, work, depth, trouble);
  if (answer == ANSWER_HOLDS) *depth = claim->depth;
  return answer;
}

/* Base case over depth + 1 cycles, then the step over `depth` cycles. */
static answer_t by_induction(const engine_t *e, const claim_t *claim, const char *work, unsigned *depth,
                             trouble_t *trouble) {
  char *text = NULL;
  *depth = claim->depth;
  answer_t answer = write_problem(e, claim, FORM_SMT, work, trouble);
  if (answer == ANSWER_HOLDS) answer = first_cycles(e, claim, work, claim->depth + 1, depth, trouble);
  if (answer != ANSWER_HOLDS) return answer;
  answer = run_smt(e, claim, "-i", work, claim->depth, &text, trouble);
  free(text);
  return answer == ANSWER_REFUTED ? ANSWER_UNKNOWN : answer; /* induction that does not close refutes nothing */
}

/* A cover is reached when its negation is refuted. */
static answer_t by_cover(const engine_t *e, const claim_t *claim, const char *work, unsigned *depth,
                         trouble_t *trouble) {
  answer_t answer = by_abc(e, claim, claim->depth, work, depth, trouble);
  if (answer == ANSWER_HOLDS) return ANSWER_REFUTED;
  return answer == ANSWER_REFUTED ? ANSWER_HOLDS : answer;
}

answer_t engine_check(const engine_t *e, const claim_t *claim, const char *work, unsigned *depth, trouble_t *trouble) {
  switch (claim->method) {
  case METHOD_INDUCTION: return by_induction(e, claim, work, depth, trouble);
  case METHOD_COVER: return by_cover(e, claim, work, depth, trouble);
  default: return by_abc(e, claim, claim->depth, work, depth, trouble);
  }
}

answer_t engine_reaches(const engine_t *e, const claim_t *claim, const char *work, bool *vacuous, trouble_t *trouble) {
  engine_t hurried = *e;
  claim_t asked = *claim;
  char engine[64] = "pdr", problem[PROOF_PATH];
  unsigned depth = claim->method == METHOD_BMC ? claim->depth : 0;
  *vacuous = false;
  if (!is_asked(claim, work)) return ANSWER_HOLDS;
  if (hurried.seconds > ENGINE_ASKED) hurried.seconds = ENGINE_ASKED;
  if (depth) snprintf(engine, sizeof engine, "bmc3 -F %u", depth);
  snprintf(asked.name, sizeof asked.name, "%.*s.asked", (int)sizeof asked.name - 7, claim->name);
  snprintf(problem, sizeof problem, "%s/%s.aig", work, asked.name);
  answer_t answer = access(problem, R_OK) == 0 ? ANSWER_HOLDS : write_problem(e, claim, FORM_ASKED, work, trouble);
  if (answer == ANSWER_HOLDS) answer = run_abc(&hurried, &asked, engine, work, &depth, trouble);
  *vacuous = answer == ANSWER_HOLDS;
  return answer == ANSWER_REFUTED || answer == ANSWER_UNKNOWN ? ANSWER_HOLDS : answer;
}

bool engine_trace(const engine_t *e, const claim_t *claim, const char *work, unsigned depth) {
  trouble_t trouble;
  char vcd[PROOF_PATH], *text = NULL;
  answer_t answer = write_problem(e, claim, FORM_SMT, work, &trouble);
  if (answer == ANSWER_HOLDS) answer = run_smt(e, claim, "", work, depth + 2, &text, &trouble);
  free(text);
  snprintf(vcd, sizeof vcd, "%s/%s.vcd", work, claim->name);
  return answer == ANSWER_REFUTED && access(vcd, R_OK) == 0;
}

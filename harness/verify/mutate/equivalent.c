/* SPDX-License-Identifier: Apache-2.0
 *
 * Most mutants that no stimulus kills are equal within a cycle. That is a small question for a
 * SAT solver, and one process gets many such questions. The others are asked over time:
 *
 *   miter: registers seen to diverge are the mutant's own --> bmc3, pdr, scorr + pdr
 *      ^                                                       |            |
 *      |  more registers diverge                  counterexample        proved: EQUIVALENT
 *      +---------------------- replay beside the model <-------+
 *                                | shows: SURVIVED, nothing new: all registers its own, once
 *
 * Limits are conflicts or processor time, so that the load of the machine does not change an
 * answer.
 */
#include "equivalent.h"

#include "abc.h"
#include "aiger.h"
#include "clock.h"
#include "file.h"
#include "process.h"
#include "proof.h"
#include "replay_inputs.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  WALL = 60, /* times the processor time: a machine with that much else to do is given up */
  CONFLICTS = 2000,
  INSPECTIONS = 5000000 /* of clauses: a second or two */
};

static void mutant_file(const equivalent_t *e, const asked_t *a, const char *suffix, char *path) {
  snprintf(path, PROOF_PATH, "%.4000s/m%u.%s", e->work, a->number, suffix);
}

typedef struct {
  char *text; /* its log; NULL: it is of no use */
  bool stopped;
  int lost; /* equivalent.h */
} heard_t;

/* The limit of processor time, the wall clock, or our stop: none of these says that abc failed. */
static bool out_of_time(int status) {
  return status == PROCESS_STOPPED || status == PROCESS_TIMEOUT || status == 128 + SIGXCPU;
}

/* Runs abc on a script whose last echo prints the word. seconds: processor time. Removes script
 * and log. */
static heard_t run_abc(const equivalent_t *e, const char *script, const char *word, double seconds) {
  char command[2 * PROOF_PATH], log[PROOF_PATH + 8];
  heard_t heard = {NULL, false, 0};
  snprintf(log, sizeof log, "%s.log", script);
  snprintf(command, sizeof command, "ulimit -S -t %u; exec yosys-abc -f %s", (unsigned)seconds + 1, script);
  char *argv[] = {"sh", "-c", command, NULL};
  const int status = process_run(argv, log, seconds * WALL, e->stop, e->context);
  heard.stopped = status == PROCESS_STOPPED;
  char *text = file_read(log);
  if (heard.stopped || (status == 0 && abc_ended(text, word)) || out_of_time(status))
    heard.text = heard.stopped ? NULL : text;
  else heard.lost = status + 1;
  if (text != heard.text) free(text);
  unlink(log);
  unlink(script);
  return heard;
}

/* --- within a cycle */

/* What a solver has said of a question; those with an answer are not asked again. */
typedef enum { ASK, UNSATISFIABLE, SATISFIABLE, TOO_HARD } said_t;

/* Commands for one question; in order: file, conflicts, inspections. Block and mutant are nearly
 * the same gates. Where the solver alone gives up, merging equal gates first helps (MERGED). */
static const char PLAIN[] = "read_aiger %s\nstrash\ndsat -C %d -I %d\n",
                  MERGED[] = "&r %s\n&fraig -x -C 200\n&put\nstrash\ndsat -C %d -I %d\n";

typedef struct {
  const equivalent_t *e;
  const miter_t *m;
  asked_t *asked;
  said_t *said;
  unsigned num;
} within_t;

/* Writes a miter and its commands for each open question. The word is of the last miter's file. */
static bool write_questions(const within_t *w, bool merged, const char *script, char word[ABC_WORD]) {
  char path[PROOF_PATH];
  FILE *file = fopen(script, "w");
  bool ok = file;
  for (unsigned i = 0; ok && i < w->num; i++) {
    if (w->said[i] != ASK) continue;
    mutant_file(w->e, &w->asked[i], "aig", path);
    ok = aiger_write(&w->m->gates, &w->m->differs[i], 1, true, path) &&
         fprintf(file, merged ? MERGED : PLAIN, path, CONFLICTS, INSPECTIONS) > 0;
  }
  if (ok) fprintf(file, "echo %s\n", abc_word(path, word));
  return file && fclose(file) == 0 && ok;
}

/* abc prints a line with "Time =" for each question, in order. A missing line would shift all
 * answers, so then none counts. */
static void read_answers(const within_t *w, const char *text) {
  unsigned answers = 0, questions = 0, i = 0;
  for (unsigned k = 0; k < w->num; k++) questions += w->said[k] == ASK;
  for (const char *at = text; (at = strstr(at, "  Time =")); at++) answers++;
  if (answers != questions) return;
  for (const char *at = text; (at = strstr(at, "  Time =")); at++) {
    const char *line = at;
    while (line > text && line[-1] != '\n') line--;
    while (w->said[i] != ASK) i++;
    w->said[i] = TOO_HARD;
    if (strncmp(line, "UNSATISFIABLE", 13) == 0) w->said[i] = UNSATISFIABLE;
    else if (strncmp(line, "SATISFIABLE", 11) == 0) w->said[i] = SATISFIABLE;
  }
}

/* Asks all open questions in one process. False: stopped, no file, or abc died. */
static bool ask_all(const within_t *w, bool merged) {
  char script[PROOF_PATH], path[PROOF_PATH], word[ABC_WORD];
  unsigned questions = 0;
  heard_t heard = {NULL, false, 0};
  for (unsigned i = 0; i < w->num; i++) questions += w->said[i] == ASK;
  if (!questions) return true;
  mutant_file(w->e, w->asked, "within", script);
  if (write_questions(w, merged, script, word)) heard = run_abc(w->e, script, word, w->e->seconds * questions);
  const bool heard_it = heard.text;
  if (heard_it) read_answers(w, heard.text);
  for (unsigned i = 0; i < w->num; i++) {
    if (w->said[i] == ASK) w->asked[i].verdict.lost = heard.lost;
    mutant_file(w->e, &w->asked[i], "aig", path), unlink(path);
  }
  free(heard.text);
  return heard_it;
}

/* A miter of the block with all these mutants, for one cycle. */
static void open_all(const equivalent_t *e, const asked_t *asked, unsigned num, miter_of_t *of, miter_t *m, bool *ok) {
  for (unsigned i = 0; i < num; i++) of[i] = (miter_of_t){asked[i].fault, asked[i].diverged};
  *ok = miter_open(m, e->bed, MITER_ONE_CYCLE, of, num, e->blind);
}

void equivalent_within(const equivalent_t *e, asked_t *asked, unsigned num) {
  miter_of_t *of = calloc(num + 1, sizeof *of);
  said_t *said = calloc(num + 1, sizeof *said);
  miter_t m = {0};
  bool ok = of && said;
  for (unsigned i = 0; i < num; i++) asked[i].verdict = (verdict_t){.status = MUTANT_OPEN};
  if (ok) open_all(e, asked, num, of, &m, &ok);
  for (unsigned i = 0; ok && i < num; i++) {
    if (m.differs[i] != LIT_0) continue;
    said[i] = UNSATISFIABLE;
    asked[i].verdict = (verdict_t){.status = MUTANT_EQUIVALENT, .method = "gates"};
  }
  const within_t w = {e, &m, asked, said, num};
  bool more = ok && ask_all(&w, false);
  for (unsigned i = 0; more && i < num; i++)
    if (said[i] == TOO_HARD) said[i] = ASK;
  if (more) ask_all(&w, true);
  for (unsigned i = 0; ok && i < num; i++)
    if (said[i] == UNSATISFIABLE && asked[i].verdict.status == MUTANT_OPEN)
      asked[i].verdict = (verdict_t){.status = MUTANT_EQUIVALENT, .method = "sat"};
  free(said);
  free(of);
  miter_close(&m);
}

/* --- over time */

/* SURVIVED stands for "refuted" here; replay_counterexample decides. */
static mutant_status_t read_answer(const char *text) {
  if (text && strstr(text, "was asserted in frame ")) return MUTANT_SURVIVED;
  return text && (abc_proved(text) || strstr(text, "Networks are equivalent")) ? MUTANT_EQUIVALENT : MUTANT_UNDECIDED;
}

/* A bounded search refutes fastest. scorr merges equal nodes, which helps where pdr alone does
 * not finish. The three steps get a quarter, a quarter and half of the seconds. */
static mutant_status_t ask_over_time(const equivalent_t *e, asked_t *a, const miter_t *m, double seconds) {
  char script[PROOF_PATH], aig[PROOF_PATH], cex[PROOF_PATH], word[ABC_WORD];
  unsigned part = seconds < 4 ? 1 : (unsigned)seconds / 4;
  mutant_file(e, a, "aig", aig);
  mutant_file(e, a, "cex", cex);
  mutant_file(e, a, "abc", script);
  FILE *file = aiger_write(&m->gates, m->differs, 1, false, aig) ? fopen(script, "w") : NULL;
  if (!file) return MUTANT_UNDECIDED;
  fprintf(file, "read_aiger %s\nstrash\nbmc3 -T %u\npdr -T %u\nscorr\npdr -T %u\n" ABC_TRIVIAL, aig, part, part,
          2 * part);
  fprintf(file, "echo %s\nwrite_cex -a %s\n", abc_word(aig, word), cex); /* fails where there is none */
  heard_t heard = {NULL, false, 0};
  if (fclose(file) == 0) heard = run_abc(e, script, word, seconds);
  a->verdict.lost = heard.lost;
  mutant_status_t answer = heard.stopped ? MUTANT_OPEN : read_answer(heard.text);
  free(heard.text);
  unlink(aig);
  return answer;
}

/* Keeps SURVIVED only when the inputs show the mutant beside the golden model. behind: profiles
 * may go on. */
static void replay_counterexample(const equivalent_t *e, const miter_t *m, asked_t *a, bool behind) {
  char path[PROOF_PATH];
  replay_t r;
  verdict_t *v = &a->verdict;
  replay_answer_t answer = {.reason = "no inputs from abc"};
  mutant_file(e, a, "cex", path);
  if (replay_open(&r, e->bed, m, path)) {
    answer = replay_run(&r, a->fault, a->diverged, behind);
    mutant_file(e, a, "inputs", path);
    replay_print(&r, &answer, path);
  }
  replay_close(&r);
  if (!answer.shown) v->status = MUTANT_UNDECIDED;
  v->reason = !answer.shown && m->memories ? "what a memory gives" : answer.reason;
  v->cycles = answer.cycles;
}

static unsigned count_diverged(const equivalent_t *e, const asked_t *a) {
  unsigned count = 0;
  for (unsigned k = 0; k < e->bed->netlist->num_latches; k++) count += a->diverged[k] == BED_SEEN;
  return count;
}

/* Asks once. all: the mutant has all registers for itself. False: the verdict stands. True: a
 * counterexample that does not show, so that another try may know more registers. */
static bool check_once(const equivalent_t *e, asked_t *a, bool all, bool behind, double seconds) {
  miter_of_t of = {a->fault, all ? NULL : a->diverged};
  miter_t m;
  verdict_t *v = &a->verdict;
  *v = (verdict_t){.status = MUTANT_UNDECIDED, .method = "gates", .reason = "no room for its gates"};
  bool ok = miter_open(&m, e->bed, MITER_ALL_CYCLES, &of, 1, e->blind);
  if (ok && m.differs[0] == LIT_0) v->status = MUTANT_EQUIVALENT; /* the gates are the same */
  else if (ok) {
    strcpy(v->method, "pdr");
    v->status = ask_over_time(e, a, &m, seconds);
    v->reason = v->lost ? "yosys-abc died" : "no answer in time";
  }
  bool refuted = v->status == MUTANT_SURVIVED;
  if (refuted) replay_counterexample(e, &m, a, behind);
  miter_close(&m);
  return refuted && v->status == MUTANT_UNDECIDED;
}

void equivalent_check(const equivalent_t *e, asked_t *a) {
  static const char *const suffixes[] = {"cex", "inputs"};
  char path[PROOF_PATH];
  double end = clock_cpu() + e->seconds, left = e->seconds;
  bool all = false, behind = true, more = true;
  for (unsigned i = 0; i < 2; i++) mutant_file(e, a, suffixes[i], path), unlink(path);
  while (more && left > 0) {
    unsigned before = count_diverged(e, a);
    more = check_once(e, a, all, behind, left < 1 ? 1 : left) && !all;
    all = count_diverged(e, a) == before; /* nothing more to be learned from the small circuit */
    behind = all;
    left = end - clock_cpu();
  }
  if (a->verdict.status == MUTANT_EQUIVALENT) mutant_file(e, a, "inputs", path), unlink(path);
}

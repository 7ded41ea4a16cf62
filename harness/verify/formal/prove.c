/* SPDX-License-Identifier: Apache-2.0
 *
 * Each set of parameters has its own work folder, and so has each broken copy:
 *
 *   work/NumReq=4,Bound=0/     elaborated once, then all claims
 *   work/broken/NAME-0/        the changed RTL file; 0 is the number of the set of parameters
 *   work/broken/NAME-0/work/   elaborated once, then the properties that must be refuted
 */
#include "prove.h"

#include "clock.h"
#include "file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PROOF_PATH fail when they are opened */

unsigned prove_count(const proof_t *proof) {
  unsigned count = proof->num_broken;
  for (unsigned p = 0; p < proof->num_params; p++)
    for (unsigned c = 0; c < proof->num_claims; c++)
      count += proof_applies(proof, proof->claims[c].only, proof->params[p]);
  return count;
}

unsigned prove_uncovered(const proof_t *proof) {
  unsigned count = 0;
  for (unsigned p = 0; p < proof->num_params; p++) {
    bool asked = false, covered = false;
    for (const claim_t *c = proof->claims; c < proof->claims + proof->num_claims; c++)
      if (proof_applies(proof, c->only, proof->params[p])) *(c->method == METHOD_COVER ? &covered : &asked) = true;
    count += asked && !covered;
  }
  return count;
}

/* HOLDS, REFUTED and UNKNOWN are results; the others end the run. */
static bool is_answer(answer_t answer) {
  return answer <= ANSWER_UNKNOWN;
}

/* "NumReq=4 Bound=0" has the folder work/NumReq=4,Bound=0, and no parameters have work/defaults. */
static void params_folder(const prove_t *p, const char *params, char *folder) {
  snprintf(folder, PROOF_PATH, "%s/%s", p->work, *params ? params : "defaults");
  for (char *c = folder + strlen(p->work); *c; c++)
    if (*c == ' ') *c = ',';
}

/* ---- properties and covers */

/* Checks and reports one claim. A property that holds without ever being asked is vacuous:
 * UNKNOWN, not good. */
static answer_t check_claim(const prove_t *p, const claim_t *claim, const char *params, const char *work,
                            trouble_t *trouble) {
  prove_result_t r = {.kind = claim->method == METHOD_COVER ? CHECK_COVER : CHECK_PROPERTY,
                      .proof = p->proof,
                      .params = params,
                      .method = claim->method};
  strcpy(r.name, claim->name);
  double start = clock_seconds();
  r.vacuous = r.kind == CHECK_PROPERTY && engine_vacuous(claim, work);
  r.answer = r.vacuous ? ANSWER_UNKNOWN : engine_check(&p->engine, claim, work, &r.depth, trouble);
  if (r.kind == CHECK_PROPERTY && r.answer == ANSWER_HOLDS) {
    const answer_t answer = engine_reaches(&p->engine, claim, work, &r.vacuous, trouble);
    if (!is_answer(answer)) return answer;
    if (r.vacuous) r.answer = ANSWER_UNKNOWN;
  }
  if (!is_answer(r.answer)) return r.answer;
  r.seconds = clock_seconds() - start;
  r.good = r.answer == ANSWER_HOLDS;
  if (r.kind == CHECK_PROPERTY && r.answer == ANSWER_REFUTED && engine_trace(&p->engine, claim, work, r.depth))
    snprintf(r.trace, sizeof r.trace, "%s/%s.vcd", work, claim->name);
  p->on_result(p->context, &r);
  return ANSWER_HOLDS;
}

static answer_t check_params(const prove_t *p, const char *params, trouble_t *trouble) {
  char work[PROOF_PATH];
  params_folder(p, params, work);
  answer_t answer = engine_elaborate(&p->engine, p->proof, params, NULL, NULL, work, trouble);
  for (unsigned c = 0; answer == ANSWER_HOLDS && c < p->proof->num_claims; c++)
    if (proof_applies(p->proof, p->proof->claims[c].only, params))
      answer = check_claim(p, &p->proof->claims[c], params, work, trouble);
  return answer;
}

/* ---- broken copies */

/* The first set of parameters that both the property and the copy apply to; NULL: none. */
static const char *params_of(const proof_t *proof, const broken_t *broken) {
  const claim_t *claim = proof_claim(proof, broken->property);
  for (unsigned p = 0; p < proof->num_params; p++)
    if (proof_applies(proof, claim->only, proof->params[p]) && proof_applies(proof, broken->only, proof->params[p]))
      return proof->params[p];
  return NULL;
}

/* Finds `words` in text and says how long the match is. A blank matches any number of blanks, so
 * that a change of alignment does not make a copy stale. NULL: not there. */
static const char *find_words(const char *text, const char *words, size_t *length) {
  for (; *text; text++) {
    const char *t = text, *w = words;
    while (*w && *t == *w) {
      bool blank = *w == ' ';
      t++, w++;
      while (blank && *t == ' ') t++;
      while (blank && *w == ' ') w++;
    }
    *length = (size_t)(t - text);
    if (!*w) return text;
  }
  return NULL;
}

/* Reads the file from --rtl's folder, else from the block's folder or the tree. The caller frees
 * the text. */
static char *read_rtl(const prove_t *p, const char *file) {
  char path[PROOF_PATH];
  const char *stem = strrchr(file, '/');
  snprintf(path, sizeof path, "%s/%s", p->engine.rtl ? p->engine.rtl : "", stem ? stem + 1 : file);
  char *text = p->engine.rtl ? file_read(path) : NULL;
  if (text) return text;
  if (p->engine.own) snprintf(path, sizeof path, "%s/%s", p->engine.folder, file);
  else snprintf(path, sizeof path, "%s/rtl/%s", p->engine.source, file);
  return file_read(path);
}

/* Writes the changed file into `folder`. BAD: the file lacks the text, or has it more than once. */
static answer_t write_broken(const prove_t *p, const broken_t *b, const char *folder, trouble_t *trouble) {
  char path[PROOF_PATH], *text = read_rtl(p, b->file);
  size_t length = 0, other;
  const char *at = text ? find_words(text, b->from, &length) : NULL;
  const char *stem = strrchr(b->file, '/');
  answer_t answer = ANSWER_BAD;
  if (!text) trouble_set(trouble, TROUBLE_INPUT, "%s%s: %s", p->engine.own ? "" : "rtl/", b->file, strerror(errno));
  else if (!at || find_words(at + 1, b->from, &other))
    trouble_set(trouble, TROUBLE_INPUT, "'%s' should be in %s once, and is there %s", b->from, b->file,
                at ? "more often" : "nowhere");
  else {
    snprintf(path, sizeof path, "%s/%s", folder, stem ? stem + 1 : b->file);
    FILE *file = file_folder(folder) ? fopen(path, "w") : NULL;
    bool ok = file && fprintf(file, "%.*s%s%s", (int)(at - text), text, b->to, at + length) > 0;
    if (file && fclose(file)) ok = false;
    if (file && !ok) file_drop(path);
    if (!ok) trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", path, strerror(errno));
    answer = ok ? ANSWER_HOLDS : ANSWER_INFRA;
  }
  free(text);
  return answer;
}

/* A copy made and elaborated: the entries that follow from
 * the same line, for other properties, need it, too. */
typedef struct {
  unsigned line;
  const char *params;
  answer_t answer; /* BAD: stale */
  char work[PROOF_PATH + 8];
  trouble_t why;
} copy_t;

/* Elaborates the copy, unless the entry before had the same line and parameters. */
static answer_t make_copy(const prove_t *p, const broken_t *b, const char *params, copy_t *copy) {
  char folder[PROOF_PATH];
  if (copy->line == b->line && copy->params == params) return copy->answer;
  copy->line = b->line;
  copy->params = params;
  snprintf(folder, sizeof folder, "%s/broken/%s-%u", p->work, b->name,
           (unsigned)(params - p->proof->params[0]) / PROOF_TEXT);
  snprintf(copy->work, sizeof copy->work, "%s/work", folder);
  copy->answer = write_broken(p, b, folder, &copy->why);
  if (copy->answer == ANSWER_HOLDS)
    copy->answer = engine_elaborate(&p->engine, p->proof, params, folder, b, copy->work, &copy->why);
  return copy->answer;
}

/* A copy that does not apply shows nothing. For the tree's own RTL that is a fault of the proof:
 * not good. RTL from --rtl is meant to differ, so there a stale copy is good. */
static void report_stale(const prove_t *p, prove_result_t *r, const char *why) {
  r->answer = ANSWER_UNKNOWN;
  r->stale = why;
  r->good = p->engine.rtl != NULL;
  p->on_result(p->context, r);
}

/* A copy is good when its property is refuted. The copy's answer comes first, so BAD is stale,
 * not the end. */
static answer_t check_broken(const prove_t *p, const broken_t *b, copy_t *copy, trouble_t *trouble) {
  const claim_t *claim = proof_claim(p->proof, b->property);
  prove_result_t r = {
      .kind = CHECK_BROKEN, .proof = p->proof, .copy = b, .params = params_of(p->proof, b), .method = claim->method};
  if (!r.params) return ANSWER_HOLDS; /* --set has left it none */
  strcpy(r.name, b->name);
  strcpy(r.property, b->property);
  double start = clock_seconds();
  answer_t answer = make_copy(p, b, r.params, copy);
  if (answer == ANSWER_BAD) return report_stale(p, &r, copy->why.text), ANSWER_HOLDS;
  if (answer != ANSWER_HOLDS) return *trouble = copy->why, answer;
  r.answer = engine_check(&p->engine, claim, copy->work, &r.depth, trouble);
  if (!is_answer(r.answer)) return r.answer;
  r.seconds = clock_seconds() - start;
  r.good = r.answer == ANSWER_REFUTED;
  p->on_result(p->context, &r);
  return ANSWER_HOLDS;
}

answer_t prove_run(const prove_t *p, trouble_t *trouble) {
  const proof_t *proof = p->proof;
  answer_t answer = ANSWER_HOLDS;
  copy_t copy = {0};
  for (unsigned i = 0; answer == ANSWER_HOLDS && i < proof->num_params; i++)
    answer = check_params(p, proof->params[i], trouble);
  for (unsigned i = 0; answer == ANSWER_HOLDS && i < proof->num_broken; i++)
    answer = check_broken(p, &proof->broken[i], &copy, trouble);
  return answer;
}

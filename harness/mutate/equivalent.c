/* SPDX-License-Identifier: Apache-2.0
 *
 * scorr merges what is the same in both, which is most; pdr does the rest. The limit is of processor time, so that the answer does
 * not depend on what else the machine does.
 */
#include "equivalent.h"

#include "aiger.h"
#include "proof.h"
#include "replay.h"
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WALL = 60 }; /* times the processor time: a machine with that much else to do is given up */

static mutant_status_t read_answer(const char *text) {
  if (text && strstr(text, "was asserted in frame ")) return MUTANT_SURVIVED;
  return text && (strstr(text, "Property proved") || strstr(text, "Networks are equivalent")) ? MUTANT_EQUIVALENT : MUTANT_UNDECIDED;
}

static mutant_status_t ask(const equivalent_t *e, const char *stem) {
  char commands[4 * PROOF_PATH], log[PROOF_PATH + 8];
  unsigned limit = e->seconds < 1 ? 1 : (unsigned)e->seconds;
  snprintf(log, sizeof log, "%s.log", stem);
  snprintf(commands, sizeof commands, "ulimit -t %u; exec yosys-abc -c 'read_aiger %s.aig; strash; scorr; print_stats; pdr; write_cex -a %s.cex'",
           limit, stem, stem);
  char *argv[] = {"sh", "-c", commands, NULL};
  int status = tool_run(argv, log, e->seconds * WALL, e->stop, e->context);
  if (status == TOOL_STOPPED) return MUTANT_OPEN;
  char *text = tool_read(log);
  mutant_status_t answer = read_answer(text);
  free(text);
  return answer;
}

/* Does it show beside the golden model? */
static void replay(const equivalent_t *e, const miter_t *m, const fault_t *fault, const char *stem, verdict_t *v) {
  char path[PROOF_PATH + 8];
  replay_t r;
  replay_answer_t answer = {.reason = "no inputs from abc"};
  snprintf(path, sizeof path, "%s.cex", stem);
  if (replay_open(&r, e->bed, m, path)) {
    answer = replay_run(&r, fault);
    snprintf(path, sizeof path, "%s.inputs", stem);
    replay_print(&r, &answer, path);
  }
  replay_close(&r);
  if (!answer.shown) v->status = MUTANT_UNDECIDED;
  v->reason = !answer.shown && m->memories ? "what a memory gives" : answer.reason;
  v->cycles = answer.cycles;
}

verdict_t equivalent_check(const equivalent_t *e, const fault_t *fault, unsigned number) {
  static const char *const suffixes[] = {"aig", "cex", "inputs"};
  char stem[PROOF_PATH], path[PROOF_PATH + 8];
  miter_t m;
  verdict_t v = {.status = MUTANT_UNDECIDED, .method = "gates"};
  bool ok = miter_open(&m, e->bed, fault, e->blind);
  snprintf(stem, sizeof stem, "%.4000s/m%u", e->work, number);
  for (unsigned i = 0; i < sizeof suffixes / sizeof *suffixes; i++) snprintf(path, sizeof path, "%s.%s", stem, suffixes[i]), unlink(path);
  snprintf(path, sizeof path, "%s.aig", stem);
  if (ok && m.differs == LIT_0) v.status = MUTANT_EQUIVALENT; /* the gates are the same */
  else if (ok && aiger_write(&m.gates, m.differs, path)) {
    strcpy(v.method, "pdr");
    v.status = ask(e, stem);
    if (v.status == MUTANT_UNDECIDED) v.reason = "no answer in time";
  } else v.reason = "no room for its gates";
  if (v.status == MUTANT_SURVIVED) replay(e, &m, fault, stem, &v);
  if (v.status == MUTANT_EQUIVALENT) unlink(path);
  miter_close(&m);
  return v;
}

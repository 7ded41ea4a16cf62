/* SPDX-License-Identifier: Apache-2.0
 *
 * scorr merges what is the same in both, which is most; pdr does the rest. The limit is of processor time, so that the answer does
 * not depend on what else the machine does.
 */
#include "equivalent.h"

#include "aiger.h"
#include "proof.h"
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WALL = 60 }; /* times the processor time: a machine with that much else to do is given up */

/* "Output 0 of miter ... was asserted in frame 7." */
static bool refuted(const char *text, unsigned *cycles) {
  const char *at = strstr(text, "was asserted in frame ");
  if (!at || sscanf(at, "was asserted in frame %u", cycles) != 1) return false;
  *cycles += *cycles >= MITER_DELAY ? 1 - MITER_DELAY : 1;
  return true;
}

static mutant_status_t read_answer(const char *text, char *method, unsigned *cycles) {
  if (text && refuted(text, cycles)) {
    strcpy(method, strstr(text, "bmc3") ? "bmc" : "pdr");
    return MUTANT_SURVIVED;
  }
  strcpy(method, "pdr");
  return text && (strstr(text, "Property proved") || strstr(text, "Networks are equivalent")) ? MUTANT_EQUIVALENT : MUTANT_UNDECIDED;
}

static mutant_status_t ask(const equivalent_t *e, const char *stem, char *method, unsigned *cycles) {
  char commands[3 * PROOF_PATH], log[PROOF_PATH + 8];
  unsigned limit = e->seconds < 1 ? 1 : (unsigned)e->seconds;
  snprintf(log, sizeof log, "%s.log", stem);
  snprintf(commands, sizeof commands, "ulimit -t %u; exec yosys-abc -c 'read_aiger %s.aig; strash; scorr; print_stats; pdr'", limit, stem);
  char *argv[] = {"sh", "-c", commands, NULL};
  int status = tool_run(argv, log, e->seconds * WALL, e->stop, e->context);
  if (status == TOOL_STOPPED) return MUTANT_OPEN;
  char *text = tool_read(log);
  mutant_status_t answer = read_answer(text, method, cycles);
  free(text);
  return answer;
}

mutant_status_t equivalent_check(const equivalent_t *e, const fault_t *fault, unsigned number, char *method, unsigned *cycles) {
  char stem[PROOF_PATH], path[PROOF_PATH + 8];
  miter_t m;
  mutant_status_t answer = MUTANT_UNDECIDED;
  strcpy(method, "gates");
  *cycles = 0;
  bool ok = miter_open(&m, e->bed, fault, e->blind);
  snprintf(stem, sizeof stem, "%.4000s/m%u", e->work, number);
  snprintf(path, sizeof path, "%s.aig", stem);
  if (ok && m.differs == LIT_0) answer = MUTANT_EQUIVALENT; /* the gates are the same */
  else if (ok && aiger_write(&m.gates, m.differs, path)) answer = ask(e, stem, method, cycles);
  if (answer == MUTANT_SURVIVED && m.memories) {
    answer = MUTANT_UNDECIDED;
    strcpy(method, "memory");
  }
  if (answer == MUTANT_EQUIVALENT) unlink(path);
  miter_close(&m);
  return answer;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "compared.h"

#include <string.h>

enum { LIST = 400 };

bool compared_could_be(const dut_t *dut) {
  for (unsigned i = 0; i < dut->num_ports; i++)
    if (dut->ports[i].dir != DUT_IN) return true;
  return false;
}

const char *compared_nothing(const tally_t *t) {
  if (!t->cycles) return COMPARED_NOTHING;
  return tally_compared(t) ? NULL : COMPARED_NO_OUTPUT;
}

/* A partial run (one profile, few cycles) may miss outputs; only a full run must compare all of
 * them. */
outcome_t compared_outcome(const tally_t *t, bool full) {
  if (compared_nothing(t)) return OUTCOME_NOT_COMPARED;
  return full && (tally_outputs(t, TALLY_NEVER) || tally_unsent(t)) ? OUTCOME_NOT_COMPARED : OUTCOME_PASS;
}

outcome_t compared_again(const tally_t *t, const char *port) {
  const int i = dut_find_port(t->dut, port, false);
  if (*port && i < 0) return OUTCOME_NOT_COMPARED; /* the block no longer has the port */
  if (i >= 0 && (tally_state(t, (unsigned)i) == TALLY_NEVER || tally_state(t, (unsigned)i) == TALLY_OFF) &&
      !tally_cycles(t, (unsigned)i))
    return OUTCOME_NOT_COMPARED;
  return compared_outcome(t, false);
}

/* Lists the qualifiers that were never true: "ok, flit_valid", "!empty". */
static const char *conditions(const tally_t *t, char *text, size_t size) {
  size_t n = 0;
  *text = 0;
  for (unsigned i = 0; i < t->num_valid && n < size; i++)
    if (tally_missing(&t->valid[i])) n += (size_t)snprintf(text + n, size - n, "%s%s", n ? ", " : "", t->valid[i].text);
  return text;
}

/* The port that OFF may name: one that has to be 1 in the first such qualifier. NULL: there is
 * none. */
static const char *port_to_switch_off(const tally_t *t) {
  for (unsigned i = 0; i < t->num_valid; i++)
    for (unsigned k = 0; tally_missing(&t->valid[i]) && k < t->valid[i].num_terms; k++)
      if (!t->valid[i].terms[k].inverted) return t->dut->ports[t->valid[i].terms[k].port].name;
  return NULL;
}

static void what_to_do(FILE *out, const tally_t *t, const char *stimulus, const char *ports) {
  char text[LIST];
  if (!*conditions(t, text, sizeof text)) return;
  const char *port = port_to_switch_off(t);
  fprintf(out, "    a condition of theirs was never true: %s. The stimulus (%s) should make it true%s\n", text,
          stimulus, port ? ";" : "");
  if (port) fprintf(out, "    where the parameters hold it at 0, %s should say so: OFF(%s, CONDITION)\n", ports, port);
}

void compared_print(FILE *out, const tally_t *t, outcome_t outcome, const char *stimulus, const char *ports) {
  char text[LIST];
  const bool broken = outcome == OUTCOME_NOT_COMPARED;
  if (!t->dut || (!broken && outcome != OUTCOME_PASS)) return;
  if (!t->cycles) {
    fprintf(out, "  " COMPARED_NOTHING "; inputs (%s) should let the block run\n", stimulus);
    return;
  }
  if (compared_nothing(t)) fprintf(out, "  %s\n", compared_nothing(t));
  if (*tally_list(t, TALLY_NEVER, text, sizeof text)) {
    fprintf(out, "  never compared: %s\n", text);
    if (broken) what_to_do(out, t, stimulus, ports);
  }
  if (*tally_list(t, TALLY_OFF, text, sizeof text)) fprintf(out, "  switched off by the parameters: %s\n", text);
  if (*tally_list(t, TALLY_ABSENT, text, sizeof text))
    fprintf(out, "  not compared, as this device has no probes: %s\n", text);
  if (!*tally_list_still(t, text, sizeof text)) return;
  fprintf(out, "  inputs that never changed: %s\n", text);
  if (broken && tally_unsent(t)) fprintf(out, "    these are all: the stimulus (%s) sends nothing\n", stimulus);
}

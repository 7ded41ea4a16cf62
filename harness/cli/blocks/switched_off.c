/* SPDX-License-Identifier: Apache-2.0
 *
 * Every missing bit is a question of its own to Yosys and abc: is it constant 0 with these
 * parameters? If so, each parameter in turn gets its default, its greatest and its least value,
 * until a run is found in which the bit is 1.
 *
 *   missing bit --> stuck at 0 here? --no--> stays missing
 *                         | yes
 *                   moves with another value of one parameter? --no--> stays missing
 *                         | yes
 *                   switched off: need not be compared
 *
 * RTL that ties a condition to 0 whatever its parameters are is not switched off: it was never
 * compared.
 */
#include "switched_off.h"

#include "clock.h"
#include "cli.h"
#include "constants.h"
#include "engine.h"
#include "file.h"
#include "generated.h"
#include "plain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Seconds for one question, and for all of them together. */
enum { PROOF_SECONDS = 10, ALL_SECONDS = 120 };

/* One round of questions; `end` is when the time is over (clock_seconds). */
typedef struct {
  const block_t *block;
  const dut_t *dut;
  const char *work;
  char gen[PROOF_PATH];
  double end;
} prover_t;

static bool on_wait(void *context) {
  (void)context;
  return cli_interrupted;
}

/* All parameters by name, "A=1,B=2", parameter `other` with `value` instead of its own; other -1:
 * none. */
static void parameters_text(const dut_t *dut, int other, int64_t value, char *text, size_t size) {
  size_t n = 0;
  char one[64];
  *text = 0;
  for (unsigned i = 0; i < dut->num_params && n < size; i++)
    n += (size_t)snprintf(text + n, size - n, "%s%s=%s", i ? "," : "", dut->params[i].name,
                          dut_param_text(&dut->params[i], (int)i == other ? value : dut->params[i].value, one));
}

/* Is the bit stuck at 0 with these parameters? BIT_OPEN: not known, also when the time is over. */
static bit_state_t ask_bit_state(const prover_t *v, const dut_port_t *port, unsigned bit, const char *params) {
  trouble_t trouble;
  stuck_bit_t one = {.name = port->pin, .bit = bit + port->lsb};
  constants_t c = {.source = cli_source(),
                   .gen = v->gen,
                   .block = v->block->name,
                   .ports = v->block->ports,
                   .rtl = v->block->rtl,
                   .own = *v->block->folder ? &v->block->read : NULL,
                   .params = params,
                   .work = v->work,
                   .seconds = PROOF_SECONDS,
                   .zero = true,
                   .stop = on_wait,
                   .bits = &one,
                   .count = 1};
  if (clock_seconds() > v->end || cli_interrupted) return BIT_OPEN;
  return constants_prove(&c, &trouble) == ANSWER_HOLDS ? one.state : BIT_OPEN;
}

/* Is the bit 1 in some run with another value of parameter i? If so, prints the line. */
static bool switched_by(const prover_t *v, const dut_port_t *port, unsigned bit, unsigned i, FILE *out) {
  const dut_param_t *p = &v->dut->params[i];
  const int64_t values[] = {p->initial, p->most, p->least};
  char params[1024];
  for (unsigned k = 0; k < 3; k++) {
    if (values[k] == p->value || (k && values[k] == values[0])) continue;
    parameters_text(v->dut, (int)i, values[k], params, sizeof params);
    if (ask_bit_state(v, port, bit, params) != BIT_MOVES) continue;
    if (port->width == 1) fprintf(out, "proved: %s", port->name);
    else fprintf(out, "proved: bit %u of %s", bit, port->name);
    char now[64], then[64];
    fprintf(out, " is never 1 with %s=%s, and is with %s=%s\n", p->name, dut_param_text(p, p->value, now), p->name,
            dut_param_text(p, values[k], then));
    return true;
  }
  return false;
}

/* Both questions. */
static bool is_bit_switched_off(const prover_t *v, const dut_port_t *port, unsigned bit, FILE *out) {
  char params[1024];
  parameters_text(v->dut, -1, 0, params, sizeof params);
  if (ask_bit_state(v, port, bit, params) != BIT_STUCK) return false;
  for (unsigned i = 0; i < v->dut->num_params; i++)
    if (switched_by(v, port, bit, i, out)) return true;
  return false;
}

/* Is the qualifier's bit held at 0 by one of its ports that have to be 1? */
static bool is_qualifier_off(const prover_t *v, const tally_valid_t *valid, unsigned bit, FILE *out) {
  for (unsigned k = 0; k < valid->num_terms; k++)
    if (!valid->terms[k].inverted && is_bit_switched_off(v, &v->dut->ports[valid->terms[k].port], bit, out))
      return true;
  return false;
}

/* Asks the prover about each bit that no valid cycle has shown at both values. A proof sets the
 * bit's `off`; a bit that it cannot decide stays missing. */
static void ask_missing_bits(const prover_t *v, tally_t *tally, FILE *out) {
  for (unsigned i = 0; i < tally->num_valid; i++)
    for (unsigned bit = 0; bit < 64; bit++)
      if (tally_missing(&tally->valid[i]) >> bit & 1 && is_qualifier_off(v, &tally->valid[i], bit, out))
        tally->valid[i].off |= (uint64_t)1 << bit;
}

bool switched_off(const block_t *block, const dut_t *dut, tally_t *tally, FILE *out) {
  const char *base = getenv("TMPDIR");
  char work[PROOF_PATH];
  trouble_t trouble;
  prover_t v = {.block = block, .dut = dut, .work = work, .end = clock_seconds() + ALL_SECONDS};
  if (!dut->num_params || engine_missing()) return !cli_interrupted;
  snprintf(work, sizeof work, "%.3000s/lockstack-off-XXXXXX", base && *base ? base : "/tmp");
  if (!mkdtemp(work)) return !cli_interrupted;
  if (cli_generated(v.gen, work, &trouble)) ask_missing_bits(&v, tally, out);
  file_remove_all(work);
  return !cli_interrupted;
}

void switched_off_judge(const check_t *check, check_result_t *r, FILE *out) {
  if (r->outcome != OUTCOME_NOT_COMPARED || !r->full || !r->tally.cycles || tally_unsent(&r->tally)) return;
  if (switched_off(check->block, r->dut, &r->tally, out)) check_judge(check, r);
  else r->outcome = OUTCOME_INTERRUPTED, r->stopped = true;
}

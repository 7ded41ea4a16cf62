/* SPDX-License-Identifier: Apache-2.0
 *
 * A coverage point is one bit of all instances of a signal, with all sets of parameters. The point
 * is proved when the bit is stuck in each of them:
 *
 *   for each set of parameters: object rtl+cov -> bits of missed points -> constants_prove
 *   tried: the point was asked about at least once;  open: some answer was not "stuck"
 *   proved = tried and not open
 */
#include "cover_prove.h"

#include "cli.h"
#include "constants.h"
#include "engine.h"
#include "file.h"
#include "generated.h"
#include "work.h"

#include <stdlib.h>
#include <string.h>

/* One run of proofs. tried and open have an entry for each point. */
typedef struct {
  const cover_t *cover;
  double seconds;
  cover_result_t *result;
  work_t work;
  bool *tried, *open; /* of each point */
} prover_t;

/* While a tool runs: whether to stop. */
static bool on_wait(void *context) {
  (void)context;
  return cli_interrupted;
}

/* A bit that did not both rise and fall, waived or not. */
static bool is_missed_bit(const cover_point_t *p) {
  return p->kind == COVER_TOGGLE && p->state != COVER_HIT;
}

/* A scope without the block: "TOP.lsu.i_coalesce." is "i_coalesce.". */
static const char *below_block(const char *scope) {
  const char *dot = strncmp(scope, "TOP.", 4) ? NULL : strchr(scope + 4, '.');
  return dot ? dot + 1 : "";
}

/* The signal's name below the block, "i_coalesce.mem[3]" of an array. Returns buf. */
static char *signal_name(const dut_signal_t *s, char *buf, size_t size) {
  if (s->element >= 0) snprintf(buf, size, "%s%s[%d]", below_block(s->scope), s->name, s->element);
  else snprintf(buf, size, "%s%s", below_block(s->scope), s->name);
  return buf;
}

/* Need the point not be asked again? A point that another set of parameters left open stays missed.
 * A waived point is asked all the same: the waiver's claim may turn out false. */
static bool is_left_open(const prover_t *v, unsigned point) {
  return v->open[point] && v->result->table.points[point].waiver < 0;
}

/* Adds to c the bits of this object that belong to points not hit. False: out of memory. */
static bool add_bits(prover_t *v, const cover_map_t *map, cover_strings_t *strings, constants_t *c) {
  const dut_signal_t *signals;
  const unsigned n = map->dut->signals(&signals), *rows = map->bits;
  char name[1200];
  for (unsigned i = 0; i < n; rows += signals[i++].width)
    for (unsigned b = 0; b < signals[i].width; b++) {
      if (rows[b] == UINT32_MAX || !is_missed_bit(&map->table->points[rows[b]]) || is_left_open(v, rows[b])) continue;
      if (c->count % 1024 == 0) {
        stuck_bit_t *bits = realloc(c->bits, (c->count + 1024) * sizeof *bits);
        if (!bits) return false;
        c->bits = bits;
      }
      v->tried[rows[b]] = true;
      c->bits[c->count++] =
          (stuck_bit_t){cover_string(strings, signal_name(&signals[i], name, sizeof name)), b, rows[b], BIT_OPEN};
    }
  return true;
}

static outcome_t fail_cover_proof(cover_result_t *r, trouble_kind_t kind, const char *text) {
  trouble_set(&r->trouble, kind, "%s", text);
  return r->outcome = outcome_of(&r->trouble);
}

/* The proofs of one object. A bit that moves refutes a waiver that claims it cannot. */
static outcome_t prove_bits(prover_t *v, const block_t *block, const cover_map_t *map, unsigned index) {
  cover_result_t *r = v->result;
  cover_strings_t strings = {0};
  char work[BUILD_PATH], gen[BUILD_PATH];
  snprintf(work, sizeof work, "%.4000s/%u", v->work.path, index);
  rtl_t text;
  constants_t c = {.source = v->cover->places.source,
                   .gen = gen,
                   .block = block->name,
                   .ports = block->ports,
                   .rtl = block->rtl,
                   .own = *block->folder ? &text : NULL,
                   .params = block->params,
                   .work = work,
                   .seconds = v->seconds,
                   .stop = on_wait};
  answer_t answer = ANSWER_INFRA;
  if (!add_bits(v, map, &strings, &c)) trouble_memory(&r->trouble);
  else if (*block->folder && !block_text(block, &v->cover->places, block->params, NULL, &text, &r->trouble))
    answer = r->trouble.kind == TROUBLE_INPUT ? ANSWER_BAD : ANSWER_INFRA;
  else if (!file_folder(work)) trouble_set(&r->trouble, TROUBLE_ENVIRONMENT, "%s: cannot make this folder", work);
  else if (cli_generated(gen, work, &r->trouble)) answer = constants_prove(&c, &r->trouble);
  for (unsigned i = 0; i < c.count; i++) {
    const int waiver = r->table.points[c.bits[i].point].waiver;
    v->open[c.bits[i].point] |= c.bits[i].state != BIT_STUCK;
    if (c.bits[i].state == BIT_MOVES && waiver >= 0)
      r->waivers.list[waiver].refuted += waiver_claims(&r->waivers.list[waiver]);
  }
  free(c.bits);
  cover_strings_free(&strings);
  if (answer == ANSWER_STOPPED) r->stopped = true;
  if (answer == ANSWER_BAD || answer == ANSWER_INFRA) r->outcome = outcome_of(&r->trouble);
  return r->outcome;
}

/* Builds the object with these parameters (number `index` of the sets) and proves its bits. Returns
 * the result's outcome. */
static outcome_t prove_variant(prover_t *v, const char *params, unsigned index) {
  const cover_t *cover = v->cover;
  cover_result_t *r = v->result;
  lockstep_t ls = {0};
  cover_map_t map = {0};
  const dut_t *dut;
  char path[BUILD_PATH];
  block_t block = *cover->block;
  snprintf(block.params, sizeof block.params, "%s", params);
  if (!block_object(&block, &cover->places, "rtl+cov", path, &r->trouble) || !dut_load(path, &dut, &r->trouble))
    return r->outcome = outcome_of(&r->trouble);
  if (!lockstep_open(&ls, dut)) fail_cover_proof(r, TROUBLE_ENVIRONMENT, ls.text);
  else if (!cover_map(&map, &r->table, dut, path, block.ports, *block.folder ? block.folder : cover->places.source,
                      &r->trouble))
    r->outcome = outcome_of(&r->trouble);
  else prove_bits(v, &block, &map, index);
  cover_map_free(&map);
  lockstep_close(&ls);
  return r->outcome;
}

void cover_prove(const cover_t *cover, double seconds, cover_result_t *r) {
  prover_t v = {.cover = cover,
                .seconds = seconds,
                .result = r,
                .tried = calloc(r->table.count + 1, sizeof(bool)),
                .open = calloc(r->table.count + 1, sizeof(bool))};
  unsigned missed = 0;
  for (unsigned i = 0; i < r->table.count; i++) missed += is_missed_bit(&r->table.points[i]);
  if (!v.tried || !v.open) fail_cover_proof(r, TROUBLE_ENVIRONMENT, "out of memory");
  else if (missed && engine_missing())
    fail_cover_proof(r, TROUBLE_ENVIRONMENT, "proofs need yosys and yosys-abc: packages.txt has what to install");
  else if (missed && !work_open(&v.work, "lockstack-out/cover", cover->block->name, &r->trouble))
    r->outcome = outcome_of(&r->trouble);
  const char *params = missed ? cover->block->params : NULL;
  for (unsigned i = 0; params && r->outcome == OUTCOME_PASS && !r->stopped; i++) {
    prove_variant(&v, params, i);
    params = cover->variants ? cover->variants[i] : NULL;
  }
  for (unsigned i = 0; i < r->table.count && r->outcome == OUTCOME_PASS && !r->stopped; i++)
    if (v.tried[i] && !v.open[i]) r->table.points[i].state = COVER_WAIVED, r->table.points[i].proved = true;
  cover_sum(r);
  work_close(&v.work, r->outcome == OUTCOME_BAD_INPUT || r->outcome == OUTCOME_INFRA); /* the error names a log in it */
  free(v.tried);
  free(v.open);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A unit of engine model is its model's functions with nothing between them and the machine; the other two are an instance_t each, whose
 * inputs are made zero where nothing looks at them, before they are recorded.
 */
#include "lsu_ext_engines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ENGINES = 3, LINE = 64 };

typedef struct object { /* a kind's functions with what they need */
  lsu_ext_engines_t *owner;
  engine_t engine;
  const dut_t *dut;
  lsu_ext_engine_t table;
} object_t;

typedef struct model_unit { /* engine model; its model's state follows */
  const dut_t *dut;
  bool seen, idle;          /* out is of the present cycle; the model says so */
  lsu_ext_out_t out;
} model_unit_t;

enum { MODEL_OFFSET = (sizeof(model_unit_t) + LINE - 1) / LINE * LINE };

typedef struct both_unit { /* engines rtl and lockstep */
  instance_t core;
  const char *failed;
  bool rf_read, sm_read;   /* asked for in the cycle before: answered in this one */
} both_unit_t;

struct lsu_ext_engines {
  object_t object[ENGINES];
  unsigned units;
  const lsu_ext_engine_t *table[LSU_EXT_ENGINES_UNITS];
  void *state[LSU_EXT_ENGINES_UNITS]; /* the machine's, from open on */
};

/* ---- engine model ---- */

static void *model_of(const void *unit) {
  return (char *)(uintptr_t)unit + MODEL_OFFSET;
}

static bool model_open(void *state, const void *context, unsigned unit) {
  const object_t *o = context;
  model_unit_t *u = state;
  o->owner->state[unit] = state;
  u->dut = o->dut;
  o->dut->on_model_assert(instance_model_ended, (void *)(uintptr_t)o->dut->block);
  o->dut->model_reset(model_of(u));
  u->idle = o->dut->model_idle && o->dut->model_idle(model_of(u));
  return true;
}

static const lsu_ext_out_t *model_out(void *state) {
  model_unit_t *u = state;
  if (!u->seen) u->dut->model_eval(model_of(u), NULL, &u->out); /* Moore: looks at no input */
  u->seen = true;
  return &u->out;
}

static void model_step(void *state, const lsu_ext_in_t *in) {
  model_unit_t *u = state;
  u->dut->model_step(model_of(u), in);
  u->seen = false;
  u->idle = u->dut->model_idle && u->dut->model_idle(model_of(u));
}

static bool model_idle(const void *state) {
  return ((const model_unit_t *)state)->idle;
}

/* ---- engines rtl and lockstep ---- */

static bool both_open(void *state, const void *context, unsigned unit) {
  const object_t *o = context;
  both_unit_t *u = state;
  const lsu_ext_in_t quiet = {.nbu_id = unit % 4};
  o->owner->state[unit] = state;
  return !instance_open(&u->core, o->dut, o->engine, &quiet);
}

static void both_close(void *state) {
  instance_close(&((both_unit_t *)state)->core);
}

static const lsu_ext_out_t *both_out(void *state) {
  return instance_outputs(&((both_unit_t *)state)->core);
}

static void both_step(void *state, const lsu_ext_in_t *wires) {
  both_unit_t *u = state;
  const lsu_ext_out_t *out = both_out(u);
  const bool rf_read = out->rf_rd_valid, sm_read = out->sm_req && !out->sm_we && wires->sm_gnt;
  lsu_ext_in_t in = *wires;
  for (unsigned beat = 0; beat < 2; beat++)
    if (!(in.dn_valid >> beat & 1)) memset((char *)&in.dn_beat + 8 * beat, 0, 8);
  if (!in.mr_valid) {
    in.mr_tag = 0;
    memset(&in.mr_data, 0, sizeof in.mr_data);
  }
  if (!u->rf_read) memset(&in.rf_rd_data, 0, sizeof in.rf_rd_data);
  if (!u->sm_read) memset(&in.sm_rdata, 0, sizeof in.sm_rdata);
  u->rf_read = rf_read;
  u->sm_read = sm_read;
  const char *failed = instance_step(&u->core, &in);
  if (failed && !u->failed) u->failed = failed;
}

static const char *both_failed(const void *state) {
  return ((const both_unit_t *)state)->failed;
}

/* ---- loading ---- */

static void make_table(object_t *o) {
  o->table = (lsu_ext_engine_t){.name = engine_name(o->engine), .context = o};
  if (o->engine == ENGINE_MODEL) {
    o->table.state_size = MODEL_OFFSET + o->dut->model_size;
    o->table.open = model_open;
    o->table.out = model_out;
    o->table.step = model_step;
    o->table.idle = model_idle;
    return;
  }
  o->table.state_size = sizeof(both_unit_t);
  o->table.open = both_open;
  o->table.out = both_out;
  o->table.step = both_step;
  o->table.failed = both_failed;
  o->table.close = both_close;
}

/* The path of the object that an engine needs, built if it must be. */
static outcome_t find_object(const lsu_ext_engines_config_t *c, engine_t engine, char *path, char *error, size_t size) {
  block_t block;
  outcome_t outcome = block_find(&block, c->places, "lsu_ext", "", error, size);
  if (outcome == OUTCOME_PASS && c->rtl && engine != ENGINE_MODEL) outcome = block_instead(&block, c->rtl, error, size);
  if (outcome != OUTCOME_PASS) return outcome;
  return block_object(&block, c->places, engine == ENGINE_MODEL ? "model" : "rtl", path, error, size);
}

static outcome_t load(lsu_ext_engines_t *e, const lsu_ext_engines_config_t *c, engine_t engine, char *error, size_t size) {
  char path[BUILD_PATH];
  object_t *o = &e->object[engine];
  outcome_t outcome = find_object(c, engine, path, error, size);
  if (outcome != OUTCOME_PASS) return outcome;
  if (!dut_load(path, &o->dut, error, size)) return OUTCOME_INFRA;
  if (o->dut->in_size != sizeof(lsu_ext_in_t) || o->dut->out_size != sizeof(lsu_ext_out_t)) {
    snprintf(error, size, "%s: an LSU-Extension with other ports", path);
    return OUTCOME_INFRA;
  }
  o->owner = e;
  o->engine = engine;
  make_table(o);
  return OUTCOME_PASS;
}

outcome_t lsu_ext_engines_build(const lsu_ext_engines_config_t *c, char *error, size_t size) {
  outcome_t outcome = OUTCOME_PASS;
  bool done[ENGINES] = {false};
  for (unsigned u = 0; outcome == OUTCOME_PASS && u < c->units; u++) {
    char path[BUILD_PATH];
    if (!done[c->engine[u]]) outcome = find_object(c, c->engine[u], path, error, size);
    done[c->engine[u]] = true;
  }
  return outcome;
}

outcome_t lsu_ext_engines_open(lsu_ext_engines_t **engines, const lsu_ext_engines_config_t *c, char *error, size_t size) {
  outcome_t outcome = OUTCOME_PASS;
  lsu_ext_engines_t *e = *engines = calloc(1, sizeof *e);
  if (!e) {
    snprintf(error, size, "out of memory");
    return OUTCOME_INFRA;
  }
  e->units = c->units;
  for (unsigned u = 0; outcome == OUTCOME_PASS && u < c->units; u++) {
    object_t *o = &e->object[c->engine[u]];
    if (!o->dut) outcome = load(e, c, c->engine[u], error, size);
    e->table[u] = &o->table;
  }
  if (outcome == OUTCOME_PASS) return outcome;
  lsu_ext_engines_close(e);
  *engines = NULL;
  return outcome;
}

void lsu_ext_engines_close(lsu_ext_engines_t *e) {
  free(e);
}

const lsu_ext_engine_t *const *lsu_ext_engines_table(const lsu_ext_engines_t *e) {
  return e->table;
}

/* ---- what came of it ---- */

static both_unit_t *both_of(const lsu_ext_engines_t *e, unsigned unit) {
  return e->table[unit] == &e->object[ENGINE_MODEL].table ? NULL : e->state[unit];
}

void lsu_ext_engines_settle(lsu_ext_engines_t *e) {
  for (unsigned u = 0; u < e->units; u++)
    if (both_of(e, u)) instance_settle(&both_of(e, u)->core);
}

void lsu_ext_engines_report(const lsu_ext_engines_t *e, unsigned unit, lsu_ext_report_t *report) {
  const both_unit_t *u = both_of(e, unit);
  *report = (lsu_ext_report_t){0};
  if (!u) return;
  report->compared = u->core.compared;
  report->diverged = u->core.diverged;
  if (!report->diverged) return;
  report->first_cycle = instance_first_cycle(&u->core);
  instance_first(&u->core, report->first, sizeof report->first);
}

const char *lsu_ext_engines_capture(lsu_ext_engines_t *e, unsigned unit, const capture_t *capture, char *path, size_t size) {
  mkdir(capture->folder, 0777);
  snprintf(path, size, "%s/lsu_ext-system-%u-%" PRIu64 ".replay", capture->folder, unit, capture->seed);
  return instance_capture(&both_of(e, unit)->core, path, capture);
}

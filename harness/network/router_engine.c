/* SPDX-License-Identifier: Apache-2.0
 *
 * A router of engine model is its model's functions with nothing between them and the fabric; the other two are an
 * instance_t each. Flits and credits of ports without valid are cleared before they are recorded.
 */
#include "router_engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ENGINES = 3, MAX_IN_WORDS = 512 };

typedef struct object { /* a kind's functions with what they need */
  router_engines_t *owner;
  engine_t engine;
  const dut_t *dut;
  router_engine_t table;
} object_t;

typedef struct node { /* a router's state, engines rtl and lockstep */
  instance_t core;
  const object_t *object;
  const char *failed;
} node_t;

struct router_engines {
  object_t object[ENGINES];
  router_layout_t layout;
  char params[1024];
  unsigned routers, ports;
  const router_engine_t *table[TOPOLOGY_MAX_ROUTERS];
  void *state[TOPOLOGY_MAX_ROUTERS]; /* the fabric's, from open on */
};

/* ---- where the wires are ---- */

static bool place(const dut_t *dut, const char *name, bool in, unsigned *at) {
  int port = dut_find_port(dut, name, in);
  if (port >= 0) *at = dut->ports[port].offset / 8;
  return port >= 0;
}

static bool make_layout(const dut_t *dut, const router_params_t *p, router_layout_t *l) {
  *l = (router_layout_t){.in_words = dut->in_size / 8, .out_words = dut->out_size / 8, .flit_words = (unsigned)p->FlitBits / 64};
#define AT(name, in) place(dut, #name, in, &l->name)
  return AT(cfg_valid, true) && AT(cfg_dest, true) && AT(cfg_port, true) && AT(epoch, true) && AT(link, true) && AT(in_valid, true) &&
         AT(in_flit, true) && AT(ocr_valid, true) && AT(ocr_vc, true) && AT(cr_valid, false) && AT(cr_vc, false) &&
         AT(out_valid, false) && AT(out_flit, false) && AT(err, false) && AT(probe_stall, false) && AT(probe_crit_port, false) &&
         AT(probe_list_len, false) && AT(probe_list, false) && AT(probe_width, false);
#undef AT
}

/* ---- engine model ---- */

static bool model_open(void *state, const void *context, unsigned router) {
  const object_t *o = context;
  o->owner->state[router] = state;
  o->dut->on_model_assert(instance_model_ended, (void *)(uintptr_t)o->dut->block);
  o->dut->model_reset(state);
  return true;
}

/* ---- engines rtl and lockstep ---- */

static bool node_open(void *state, const void *context, unsigned router) {
  const object_t *o = context;
  node_t *node = state;
  o->owner->state[router] = state;
  node->object = o;
  return !instance_open(&node->core, o->dut, o->engine, NULL);
}

static void node_close(void *state) {
  node_t *node = state;
  instance_close(&node->core);
}

static void clear_unused(const router_layout_t *at, unsigned ports, uint64_t *in) {
  uint64_t credits = 0;
  for (unsigned p = 0; p < ports; p++) {
    uint64_t *flit = in + at->in_flit + p * at->flit_words;
    if (in[at->ocr_valid] >> p & 1) credits |= UINT64_C(15) << 4 * p;
    if (in[at->in_valid] >> p & 1) continue;
    for (unsigned w = 0; w < at->flit_words; w++) flit[w] = 0;
  }
  in[at->ocr_vc] &= credits;
}

static void node_step(void *state, const void *bytes) {
  node_t *node = state;
  const router_layout_t *at = &node->object->owner->layout;
  uint64_t in[MAX_IN_WORDS];
  memcpy(in, bytes, at->in_words * sizeof *in);
  clear_unused(at, node->object->owner->ports, in);
  if (!node->core.cycles) node->core.quiet[at->link] = in[at->link]; /* the same in every cycle */
  const char *failed = instance_step(&node->core, in);
  if (failed && !node->failed) node->failed = failed;
}

static void node_eval(const void *state, const void *in, void *out) {
  node_t *node = (node_t *)(uintptr_t)state;
  (void)in;
  memcpy(out, instance_outputs(&node->core), node->object->dut->out_size);
}

static const char *node_failed(const void *state) {
  return ((const node_t *)state)->failed;
}

/* ---- loading ---- */

static void make_table(object_t *o) {
  o->table = (router_engine_t){.name = engine_name(o->engine), .context = o, .layout = &o->owner->layout};
  if (o->engine == ENGINE_MODEL) {
    o->table.state_size = o->dut->model_size;
    o->table.open = model_open;
    o->table.step = o->dut->model_step;
    o->table.eval = o->dut->model_eval;
    o->table.idle = o->dut->model_idle;
    return;
  }
  o->table.state_size = sizeof(node_t);
  o->table.open = node_open;
  o->table.close = node_close;
  o->table.step = node_step;
  o->table.eval = node_eval;
  o->table.failed = node_failed;
}

/* The path of the object that an engine needs, built if it must be. */
static outcome_t find_object(const router_engines_config_t *c, engine_t engine, char *path, char *error, size_t size) {
  block_t block;
  char params[1024];
  router_params_text(c->params, params, sizeof params);
  outcome_t outcome = block_find(&block, c->places, "router", params, error, size);
  if (outcome == OUTCOME_PASS && c->rtl && engine != ENGINE_MODEL) outcome = block_instead(&block, c->rtl, error, size);
  if (outcome != OUTCOME_PASS) return outcome;
  return block_object(&block, c->places, engine == ENGINE_MODEL ? "model" : "rtl", path, error, size);
}

static outcome_t load(router_engines_t *e, const router_engines_config_t *c, engine_t engine, char *error, size_t size) {
  char path[BUILD_PATH];
  object_t *o = &e->object[engine];
  outcome_t outcome = find_object(c, engine, path, error, size);
  if (outcome != OUTCOME_PASS) return outcome;
  if (!dut_load(path, &o->dut, error, size)) return OUTCOME_INFRA;
  if (!make_layout(o->dut, c->params, &e->layout) || e->layout.in_words > MAX_IN_WORDS) {
    snprintf(error, size, "%s: a router with other ports", path);
    return OUTCOME_INFRA;
  }
  o->owner = e;
  o->engine = engine;
  make_table(o);
  return OUTCOME_PASS;
}

static outcome_t check(const router_engines_config_t *c, char *error, size_t size) {
  const char *wrong = router_params_check(c->params);
  if (!wrong) return OUTCOME_PASS;
  snprintf(error, size, "router: %s", wrong);
  return OUTCOME_BAD_INPUT;
}

outcome_t router_engines_build(const router_engines_config_t *c, char *error, size_t size) {
  outcome_t outcome = check(c, error, size);
  bool done[ENGINES] = {false};
  for (unsigned r = 0; outcome == OUTCOME_PASS && r < c->routers; r++) {
    char path[BUILD_PATH];
    if (!done[c->engine[r]]) outcome = find_object(c, c->engine[r], path, error, size);
    done[c->engine[r]] = true;
  }
  return outcome;
}

outcome_t router_engines_open(router_engines_t **engines, const router_engines_config_t *c, char *error, size_t size) {
  *engines = NULL;
  outcome_t outcome = check(c, error, size);
  if (outcome != OUTCOME_PASS) return outcome;
  router_engines_t *e = calloc(1, sizeof *e);
  if (!e) {
    snprintf(error, size, "out of memory");
    return OUTCOME_INFRA;
  }
  e->routers = c->routers;
  e->ports = (unsigned)c->params->Ports;
  router_params_text(c->params, e->params, sizeof e->params);
  for (unsigned r = 0; outcome == OUTCOME_PASS && r < c->routers; r++) {
    object_t *o = &e->object[c->engine[r]];
    if (!o->dut) outcome = load(e, c, c->engine[r], error, size);
    e->table[r] = &o->table;
  }
  if (outcome == OUTCOME_PASS) *engines = e;
  else router_engines_close(e);
  return outcome;
}

void router_engines_close(router_engines_t *e) {
  free(e);
}

const router_engine_t *const *router_engines_table(const router_engines_t *e) {
  return e->table;
}

/* ---- what came of it ---- */

static node_t *node_of(const router_engines_t *e, unsigned router) {
  return e->table[router] == &e->object[ENGINE_MODEL].table ? NULL : e->state[router];
}

void router_engines_settle(router_engines_t *e) {
  for (unsigned r = 0; r < e->routers; r++)
    if (node_of(e, r)) instance_settle(&node_of(e, r)->core);
}

void router_engines_report(const router_engines_t *e, unsigned router, router_report_t *report) {
  const node_t *node = node_of(e, router);
  *report = (router_report_t){.engine = node ? node->core.engine : ENGINE_MODEL};
  if (!node) return;
  report->cycles = node->core.cycles;
  report->compared = node->core.compared;
  report->diverged = node->core.diverged;
  if (!report->diverged) return;
  report->first_cycle = instance_first_cycle(&node->core);
  instance_first(&node->core, report->first, sizeof report->first);
}

uint64_t router_engines_divergences(const router_engines_t *e) {
  uint64_t sum = 0;
  for (unsigned r = 0; r < e->routers; r++) sum += node_of(e, r) && node_of(e, r)->core.diverged;
  return sum;
}

const char *router_engines_capture(router_engines_t *e, unsigned router, const capture_t *capture, char *path, size_t size) {
  capture_t own = *capture;
  own.params = e->params;
  mkdir(capture->folder, 0777);
  snprintf(path, size, "%s/router-system-%u-%" PRIu64 ".replay", capture->folder, router, capture->seed);
  return instance_capture(&node_of(e, router)->core, path, &own);
}

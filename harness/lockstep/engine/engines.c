/* SPDX-License-Identifier: Apache-2.0 */
#include "engines.h"

#include "block_content.h"
#include "file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A slot of engines_t.object: one for each engine, and GATES for lockstep with gates. */
enum { GATES = ENGINE_FIRMWARE + 1, SLOTS, LINE = 64, MAX_LANES = 64 };

typedef struct {            /* an input that counts only where `valid` is on */
  unsigned at, width;       /* first word; bits of an element */
  unsigned valid, elements; /* the word of its valid bits, one an element */
  unsigned answer;          /* after: which of the instance's answers; else NO_ANSWER */
  const dut_port_t *port;   /* its qualifier is more than a name; else NULL */
} lane_t;

enum { NO_ANSWER = UINT32_MAX, MAX_ANSWERS = 4 };

typedef struct object { /* The table of one engine, with what its functions need. */
  engines_t *owner;     /* NULL: not loaded yet */
  engine_t engine;
  const dut_t *dut;
  block_engine_t table;
  size_t out_at, model_at; /* engine model: offsets in an instance's memory */
  uint64_t *in;            /* one cycle's inputs */
  int constant;            /* index of the configuration's constant port; -1: none */
  lane_t lane[MAX_LANES];
  unsigned lanes;
} object_t;

/* An instance of engine model. Its outputs and its model's state follow in memory. */
typedef struct model_unit {
  object_t *object;
  unsigned instance;
  bool seen, idle; /* outputs are of the present cycle; model_idle's answer */
  uint64_t cycles;
} model_unit_t;

typedef struct { /* An instance of engines rtl and lockstep. */
  instance_t core;
  object_t *object;
  const char *failed;
  const void *out;              /* of this cycle, once the machine has asked for it */
  uint64_t answer[MAX_ANSWERS]; /* valid bits of the cycle before */
  uint64_t take_at;             /* gates: the cycle behind which take() is called */
} both_unit_t;

struct engines {
  engines_config_t config;
  object_t object[SLOTS];
  const block_engine_t **table; /* [count] */
  void **state;                 /* [count], memory of each instance, set when the machine opens it */
};

/* ---- engine model ---- */

static const model_unit_t *at_work; /* The instance whose model is running; only one thread runs models. */

/* Rounds up to a cache line, so that two instances share none. */
static size_t line_up(size_t bytes) {
  return (bytes + LINE - 1) / LINE * LINE;
}

static void *model_of(const model_unit_t *u) {
  return (char *)(uintptr_t)u + u->object->model_at;
}

/* An assertion of the model, or a crash in it (file NULL). */
static void model_left(void *context, const char *file, unsigned line, const char *text) {
  (void)context;
  char who[96];
  snprintf(who, sizeof who, "%.60s[%u]", at_work->object->dut->block, at_work->instance);
  instance_model_left(who, at_work->cycles, file, line, text);
}

static void look_if_idle(model_unit_t *u) {
  const dut_t *dut = u->object->dut;
  u->idle = dut->model_idle && dut->model_idle(model_of(u));
}

static bool model_open(void *state, const void *context, unsigned instance) {
  object_t *o = (object_t *)(uintptr_t)context;
  model_unit_t *u = state;
  o->owner->state[instance] = state;
  u->object = o;
  u->instance = instance;
  at_work = u;
  o->dut->on_model_assert(model_left, NULL);
  o->dut->model_reset(model_of(u), NULL);
  look_if_idle(u);
  return true;
}

static const void *model_out(void *state) {
  model_unit_t *u = state;
  object_t *o = u->object;
  void *out = (char *)state + o->out_at;
  if (u->seen) return out;
  at_work = u;
  o->dut->model_eval(model_of(u), o->in, out); /* Moore: looks at no input */
  u->seen = true;
  return out;
}

/* The outputs are evaluated lazily in model_out: a machine does not read them in every cycle. */
static void model_step(void *state, const void *in) {
  model_unit_t *u = state;
  at_work = u;
  u->object->dut->model_step(model_of(u), in);
  u->cycles++;
  u->seen = false;
  look_if_idle(u);
}

static bool model_idle(const void *state) {
  return ((const model_unit_t *)state)->idle;
}

/* ---- engines rtl and lockstep ---- */

static bool both_open(void *state, const void *context, unsigned instance) {
  object_t *o = (object_t *)(uintptr_t)context;
  both_unit_t *u = state;
  o->owner->state[instance] = state;
  u->object = o;
  if (o == &o->owner->object[GATES]) u->take_at = o->owner->config.gates->first;
  return instance_open(&u->core, o->dut, o->engine, NULL);
}

static void both_close(void *state) {
  instance_close(&((both_unit_t *)state)->core);
}

static const void *both_out(void *state) {
  both_unit_t *u = state;
  if (!u->out) u->out = instance_outputs(&u->core);
  return u->out;
}

/* Clears `count` bits from bit `from` on, in a vector of 64-bit words. */
static void clear_bits(uint64_t *words, unsigned from, unsigned count) {
  while (count) {
    unsigned bit = from % 64, some = count < 64 - bit ? count : 64 - bit;
    words[from / 64] &= some == 64 ? 0 : ~(((UINT64_C(1) << some) - 1) << bit);
    from += some;
    count -= some;
  }
}

/* Clears the elements whose valid bit is 0. */
static void clear_lane(const lane_t *l, uint64_t valid, uint64_t *in) {
  for (unsigned k = 0; k < l->elements; k++)
    if (!(valid >> k & 1)) clear_bits(in + l->at, k * l->width, l->width);
}

/* Zeroes inputs that nothing reads, so recordings do not depend on the machine's leftovers. The
 * valid bits of an answer come from the outputs of the cycle before. */
static void clear_unused(both_unit_t *u, const uint64_t *out, uint64_t *in) {
  const object_t *o = u->object;
  for (const lane_t *l = o->lane; l < o->lane + o->lanes; l++) {
    if (l->port) {
      clear_lane(l, dut_port_on(o->dut, l->port, in), in);
    } else if (l->answer == NO_ANSWER) {
      clear_lane(l, in[l->valid], in);
    } else {
      clear_lane(l, u->answer[l->answer], in);
      u->answer[l->answer] = out[l->valid];
    }
  }
}

/* The constant input becomes part of the quiet inputs, since it never changes. */
static void keep_constant(both_unit_t *u, const uint64_t *in) {
  const dut_port_t *port = &u->object->dut->ports[u->object->constant];
  memcpy(u->core.quiet + port->offset / 8, in + port->offset / 8, port->size);
}

/* Calls take() while gates and model agree, and plans the next call. */
static void take_counts(both_unit_t *u) {
  const engines_gates_t *gates = u->object->owner->config.gates;
  instance_settle(&u->core);
  if (u->core.diverged) return;
  const uint64_t next = gates->take(gates->context, u->core.dut, u->core.ls.dev);
  if (!next && !u->failed) u->failed = "out of memory for counts of toggles";
  u->take_at = u->core.cycles + next;
}

/* One cycle: clears unused inputs, steps the instance, and takes counts when they are due. */
static void both_step(void *state, const void *wires) {
  both_unit_t *u = state;
  object_t *o = u->object;
  memcpy(o->in, wires, o->dut->in_size);
  if (!u->core.cycles && o->constant >= 0) keep_constant(u, o->in);
  clear_unused(u, both_out(u), o->in);
  const char *failed = instance_step(&u->core, o->in);
  if (failed && !u->failed) u->failed = failed;
  if (u->core.cycles == u->take_at && !u->core.diverged) take_counts(u);
  u->out = NULL;
}

static const char *both_failed(const void *state) {
  return ((const both_unit_t *)state)->failed;
}

/* ---- ports ---- */

static int find_port(const dut_t *dut, const char *name) {
  int port = dut_find_port(dut, name, true);
  return port >= 0 ? port : dut_find_port(dut, name, false);
}

/* The word of a port in X_in_t or X_out_t, for the machine; -1: no such port. */
static int place_port(const void *context, const char *name) {
  const dut_t *dut = ((const object_t *)context)->dut;
  int port = find_port(dut, name);
  return port < 0 ? -1 : (int)(dut->ports[port].offset / 8);
}

/* Adds an input that counts only where `by` is on. *answers: answers of the instance so far. False:
 * no such ports, or no room. */
static bool add_lane(object_t *o, const char *name, const char *by, bool after, unsigned *answers) {
  int port = dut_find_port(o->dut, name, true), valid = dut_find_port(o->dut, by, !after);
  if (port < 0 || valid < 0 || o->lanes == MAX_LANES || *answers + after > MAX_ANSWERS) return false;
  const dut_port_t *p = &o->dut->ports[port], *v = &o->dut->ports[valid];
  if (v->width > 64 || p->width % v->width) return false;
  o->lane[o->lanes++] = (lane_t){.at = p->offset / 8,
                                 .width = p->width / v->width,
                                 .valid = v->offset / 8,
                                 .elements = v->width,
                                 .answer = after ? *answers : NO_ANSWER};
  *answers += after;
  return true;
}

/* Adds an input that counts only where several ports, or inverted ones, say so. */
static bool add_qualified(object_t *o, const dut_port_t *p) {
  if (o->lanes == MAX_LANES) return false;
  o->lane[o->lanes++] = (lane_t){.port = p, .at = p->offset / 8, .width = p->width, .elements = 1, .answer = NO_ANSWER};
  return true;
}

/* Adds an input of the port file that does not always count. */
static bool add_input(object_t *o, const dut_port_t *p, unsigned *answers) {
  if (dut_find_port(o->dut, p->valid, true) < 0) return add_qualified(o, p);
  return add_lane(o, p->name, p->valid, false, answers);
}

/* Finds the ports that the configuration names. False: the block lacks one of them. */
static bool find_lanes(object_t *o, const engines_config_t *c) {
  unsigned answers = 0;
  for (const dut_port_t *p = o->dut->ports; p < o->dut->ports + o->dut->num_ports; p++)
    if (p->dir == DUT_IN && p->valid && !add_input(o, p, &answers)) return false;
  for (const engines_lane_t *l = c->lanes; l && l->port; l++)
    if (!add_lane(o, l->port, l->valid, l->after, &answers)) return false;
  o->constant = c->constant ? dut_find_port(o->dut, c->constant, true) : -1;
  return !c->constant || o->constant >= 0;
}

/* ---- loading ---- */

/* Fills in the machine's table of functions for this engine. */
static void make_table(object_t *o) {
  const dut_t *dut = o->dut;
  o->table = (block_engine_t){.name = engine_name(o->engine),
                              .context = o,
                              .place = place_port,
                              .in_words = (unsigned)(dut->in_size / 8),
                              .out_words = (unsigned)(dut->out_size / 8)};
  if (o->engine == ENGINE_MODEL) {
    o->out_at = line_up(sizeof(model_unit_t));
    o->model_at = o->out_at + line_up(dut->out_size);
    o->table.state_size = o->model_at + dut->model_size;
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

/* The kind of device that a slot needs, without the counters of gates. */
static const char *kind_of_slot(unsigned slot) {
  if (slot == ENGINE_MODEL) return "model";
  return slot == GATES ? "netlist" : "rtl";
}

/* Finds the path of the object for a slot; builds the object if it is missing. */
static bool find_object(const engines_config_t *c, unsigned slot, char *path, trouble_t *trouble) {
  block_t block;
  if (!block_find(&block, c->places, c->block, c->params, trouble)) return false;
  if (c->rtl && slot != ENGINE_MODEL && !block_instead(&block, c->rtl, trouble)) return false;
  if (slot == GATES) snprintf(block.cells, sizeof block.cells, "%s", c->gates->cells);
  block_judged(&block, c->places, kind_of_slot(slot), NULL);
  return block_object(&block, c->places, slot == GATES ? "netlist+toggles" : kind_of_slot(slot), path, trouble);
}

/* Caches find_object for this process. A freshness check stats every source, and a machine asks
 * several times. */
static bool known_object(const engines_config_t *c, unsigned slot, char *path, trouble_t *trouble) {
  enum { KNOWN = 16, KEY = ENGINES_PARAMS + 2 * BUILD_PATH };
  static struct { char key[KEY], path[BUILD_PATH]; } known[KNOWN];
  static unsigned count;
  char key[KEY];
  const int length =
      snprintf(key, KEY, "%s|%s|%s|%s|%d|%s", c->block, c->params, c->rtl && slot != ENGINE_MODEL ? c->rtl : "",
               c->places->objects, slot == ENGINE_MODEL, slot == GATES ? "gates" : "");
  for (unsigned i = 0; i < count; i++)
    if (!strcmp(known[i].key, key)) return memcpy(path, known[i].path, BUILD_PATH), true;
  if (!find_object(c, slot, path, trouble)) return false;
  if (count < KNOWN && length < KEY) {
    memcpy(known[count].key, key, KEY);
    memcpy(known[count++].path, path, BUILD_PATH);
  }
  return true;
}

bool engines_object(const engines_config_t *c, engine_t engine, char *path, trouble_t *trouble) {
  return known_object(c, engine, path, trouble);
}

bool engines_gates_object(const engines_config_t *c, char *path, trouble_t *trouble) {
  return known_object(c, GATES, path, trouble);
}

static const char *misfit(object_t *o, const engines_config_t *c) {
  const dut_t *dut = o->dut;
  if (strcmp(dut->block, c->block)) return "another block";
  if (dut->mealy) return "outputs that depend on inputs at once";
  if ((c->in_size && dut->in_size != c->in_size) || (c->out_size && dut->out_size != c->out_size) || !find_lanes(o, c))
    return "other ports";
  return NULL;
}

static bool load_firmware(engines_t *e) {
  object_t *o = &e->object[ENGINE_FIRMWARE];
  o->owner = e;
  o->table = *e->config.firmware;
  return true;
}

static bool load_engine(engines_t *e, unsigned slot, trouble_t *trouble) {
  char path[BUILD_PATH];
  object_t *o = &e->object[slot];
  if (slot == ENGINE_FIRMWARE) return load_firmware(e);
  if (!known_object(&e->config, slot, path, trouble) || !dut_load(path, &o->dut, trouble)) return false;
  dut_seed(o->dut, e->config.seed);
  const char *wrong = misfit(o, &e->config);
  if (wrong)
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: not the %s that the machine was compiled for: %s", path,
                       e->config.block, wrong);
  if (!(o->in = calloc(1, o->dut->in_size + 8))) return trouble_memory(trouble);
  o->owner = e;
  o->engine = slot == GATES ? ENGINE_LOCKSTEP : (engine_t)slot;
  make_table(o);
  return true;
}

static engine_t engine_of(const engines_config_t *c, unsigned instance) {
  return c->engine ? c->engine[instance] : ENGINE_MODEL;
}

static unsigned slot_of(const engines_config_t *c, unsigned instance) {
  return c->gates && c->gates->instance == instance ? GATES : engine_of(c, instance);
}

bool engines_build(const engines_config_t *c, trouble_t *trouble) {
  bool ok = true;
  bool done[SLOTS] = {false};
  for (unsigned k = 0; ok && k < c->count; k++) {
    char path[BUILD_PATH];
    const unsigned slot = slot_of(c, k);
    if (!done[slot] && slot != ENGINE_FIRMWARE) ok = known_object(c, slot, path, trouble);
    done[slot] = true;
  }
  return ok;
}

void engines_discard(const engines_config_t *c) {
  if (c->discard && c->firmware) c->discard(c->firmware);
}

static engines_t *new_engines(const engines_config_t *c) {
  engines_t *e = calloc(1, sizeof *e);
  if (!e) {
    engines_discard(c);
    return NULL;
  }
  e->config = *c;
  e->table = calloc(c->count + 1, sizeof *e->table);
  e->state = calloc(c->count + 1, sizeof *e->state);
  if (e->table && e->state) return e;
  engines_close(e);
  return NULL;
}

bool engines_open(engines_t **engines, const engines_config_t *c, trouble_t *trouble) {
  engines_t *e = *engines = new_engines(c);
  if (!e) return trouble_memory(trouble);
  bool ok = true;
  for (unsigned k = 0; ok && k < c->count; k++) {
    object_t *o = &e->object[slot_of(c, k)];
    if (!o->owner) ok = load_engine(e, slot_of(c, k), trouble);
    e->table[k] = &o->table;
  }
  if (ok) return true;
  engines_close(e);
  *engines = NULL;
  return false;
}

void engines_close(engines_t *e) {
  if (!e) return;
  engines_discard(&e->config);
  for (unsigned k = 0; k < SLOTS; k++) free(e->object[k].in);
  free(e->table);
  free(e->state);
  free(e);
}

const block_engine_t *const *engines_table(const engines_t *e) {
  return e->table;
}

unsigned engines_count(const engines_t *e) {
  return e->config.count;
}

/* ---- what came of it ---- */

static both_unit_t *both_of(const engines_t *e, unsigned instance) {
  return engine_has_rtl(engine_of(&e->config, instance)) ? e->state[instance] : NULL;
}

void engines_settle(engines_t *e) {
  for (unsigned k = 0; k < e->config.count; k++) {
    both_unit_t *u = both_of(e, k);
    if (!u) continue;
    instance_settle(&u->core);
    u->out = NULL; /* what was there is of a cycle that is over */
  }
}

void engines_report(const engines_t *e, unsigned instance, engines_report_t *report) {
  const both_unit_t *u = both_of(e, instance);
  *report = (engines_report_t){.engine = engine_of(&e->config, instance)};
  if (!u) return;
  report->cycles = u->core.cycles;
  report->compared = u->core.compared;
  report->recorded = u->core.recorded;
  report->diverged = u->core.diverged;
  if (report->engine == ENGINE_LOCKSTEP)
    tally_list(&u->core.ls.tally, TALLY_NEVER, report->never, sizeof report->never);
  if (!report->diverged) return;
  report->first_cycle = instance_first_cycle(&u->core);
  instance_first(&u->core, report->first, sizeof report->first);
}

bool engines_gates_end(const engines_t *e, bool (*take)(void *context, const dut_t *dut, void *device), void *context) {
  const both_unit_t *u = both_of(e, e->config.gates->instance);
  return u->core.diverged || take(context, u->core.dut, u->core.ls.dev);
}

uint64_t engines_divergences(const engines_t *e) {
  uint64_t sum = 0;
  for (unsigned k = 0; k < e->config.count; k++) sum += both_of(e, k) && both_of(e, k)->core.diverged;
  return sum;
}

bool engines_capture(engines_t *e, unsigned instance, const capture_t *capture, char *path, size_t size,
                     trouble_t *trouble) {
  capture_t own = *capture;
  own.params = e->config.params;
  if (slot_of(&e->config, instance) == GATES) own.cells = e->config.gates->cells;
  file_folder(capture->folder);
  snprintf(path, size, "%s/%s-system-%u-%" PRIu64 ".replay", capture->folder,
           *e->config.name ? e->config.name : e->config.block, instance, capture->seed);
  return instance_capture(&both_of(e, instance)->core, path, size, &own, trouble);
}

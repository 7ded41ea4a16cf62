/* SPDX-License-Identifier: Apache-2.0
 *
 * A goal is a class of a parameter, or a pair of classes of two. For each set some candidates are
 * made, each for a goal that no set has met yet and at random besides; the one that meets most new
 * goals is taken. A goal for which no candidate keeps the rules, several times over, is given up.
 */
#include "sample.h"
#include "rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  CANDIDATES = 24,  /* that a set is chosen from */
  TRIES = 60,       /* to make one that keeps the rules */
  ROUNDS = 100,     /* of candidates without one that keeps the rules, or whose best cannot be read */
  GIVEN_UP = 10,    /* goals of so many misses are left */
  VALUES_MOST = 64, /* kept of a class */
  WIDE = 4096       /* values of a range that are looked at one by one */
};

/* Of wide ranges, in the order in which a value's class is looked for. */
typedef enum { LEAST, MOST, STEP, POWER, BELOW, ABOVE, OTHER } class_t;

typedef struct {
  long long values[VALUES_MOST];
  unsigned count;
} class_values_t;

typedef struct {
  port_sets_t sets;
  rng_t rng;
  unsigned n; /* parameters */
  class_values_t classes[PORT_SETS_PARAMS][SAMPLE_CLASSES];
  uint8_t *goals; /* [n * CLASSES][n * CLASSES], MET or misses; the diagonal has the single classes */
} draw_t;

enum { MET = 255, SINGLE = 1000 };

/* ---- classes */

static bool is_few(const port_set_param_t *p) {
  return p->most - p->least < SAMPLE_FEW;
}

static bool is_power(long long v) {
  return v > 0 && (v & (v - 1)) == 0;
}

static unsigned class_of(draw_t *d, unsigned param, long long v) {
  const port_set_param_t *p = &d->sets.params[param];
  if (is_few(p)) return (unsigned)(v - p->least);
  if (v == p->least) return LEAST;
  if (v == p->most) return MOST;
  if (port_sets_step(&d->sets, param, v)) return STEP;
  if (is_power(v)) return POWER;
  if (v > 2 && is_power(v + 1)) return BELOW;
  return v > 2 && is_power(v - 1) ? ABOVE : OTHER;
}

static void keep_value(draw_t *d, unsigned param, long long v) {
  const port_set_param_t *p = &d->sets.params[param];
  if (v < p->least || v > p->most) return;
  class_values_t *c = &d->classes[param][class_of(d, param, v)];
  for (unsigned i = 0; i < c->count; i++)
    if (c->values[i] == v) return;
  if (c->count < VALUES_MOST) c->values[c->count++] = v;
}

/* A value of the range, small ones as likely as large ones, and often a multiple of a power of two
 * or of the least value, as rules may want it. */
static long long any_value(draw_t *d, const port_set_param_t *p) {
  const uint64_t range = (uint64_t)p->most - (uint64_t)p->least;
  if (p->least > 1 && rng_chance(&d->rng, 1, 4))
    return p->least * (long long)rng_range(&d->rng, 1, (uint64_t)(p->most / p->least));
  const unsigned bits = range ? 64 - (unsigned)__builtin_clzll(range) : 0;
  uint64_t v = (uint64_t)p->least + rng_bits(&d->rng, (unsigned)rng_range(&d->rng, 0, bits));
  if (rng_chance(&d->rng, 1, 2)) v &= ~0ull << rng_below(&d->rng, bits + 1);
  return (long long)v >= p->least && (long long)v <= p->most ? (long long)v : p->least;
}

/* The values of each class: all of a small range, else those around each power of two and some at
 * random. */
static void list_values(draw_t *d, unsigned param) {
  const port_set_param_t *p = &d->sets.params[param];
  if (p->fixed) return;
  keep_value(d, param, p->least), keep_value(d, param, p->most);
  for (long long v = p->least; v <= p->most && v - p->least < WIDE; v++)
    if (is_few(p) || port_sets_step(&d->sets, param, v)) keep_value(d, param, v);
  for (unsigned k = 0; k < 62 && !is_few(p); k++)
    for (long long by = -1; by <= 1; by++) keep_value(d, param, (1ll << k) + by);
  for (unsigned i = 0; i < 2 * VALUES_MOST && !is_few(p); i++) keep_value(d, param, any_value(d, p));
}

/* ---- goals */

static uint8_t *goal_at(const draw_t *d, unsigned a, unsigned class_a, unsigned b, unsigned class_b) {
  return &d->goals[((size_t)a * SAMPLE_CLASSES + class_a) * d->n * SAMPLE_CLASSES + (size_t)b * SAMPLE_CLASSES +
                   class_b];
}

typedef struct {
  unsigned a, class_a, b, class_b; /* a == b: of one parameter */
} goal_t;

static bool is_goal(const draw_t *d, const goal_t *g) {
  if (!d->classes[g->a][g->class_a].count || !d->classes[g->b][g->class_b].count) return false;
  return g->a == g->b ? g->class_a == g->class_b : g->a < g->b;
}

/* Calls see() for each goal, those of one parameter (`single`) or the pairs. */
typedef void see_goal_t(draw_t *d, const goal_t *goal, void *context);
static void each_goal(draw_t *d, bool single, see_goal_t *see, void *context) {
  goal_t g;
  for (g.a = 0; g.a < d->n; g.a++)
    for (g.b = g.a; g.b < d->n; g.b++)
      for (g.class_a = 0; g.class_a < SAMPLE_CLASSES && (g.a == g.b) == single; g.class_a++)
        for (g.class_b = 0; g.class_b < SAMPLE_CLASSES; g.class_b++)
          if (is_goal(d, &g)) see(d, &g, context);
}

typedef struct {
  unsigned count;
  goal_t goal;
} pick_t;

/* Keeps each goal that is left with equal chance. */
static void pick_goal(draw_t *d, const goal_t *g, void *context) {
  pick_t *pick = context;
  if (*goal_at(d, g->a, g->class_a, g->b, g->class_b) >= GIVEN_UP) return;
  if (!rng_below(&d->rng, ++pick->count)) pick->goal = *g;
}

/* A goal that no set has met: of one parameter if there is one. False: none is left. */
static bool next_goal(draw_t *d, goal_t *goal) {
  pick_t pick = {0};
  each_goal(d, true, pick_goal, &pick);
  if (!pick.count) each_goal(d, false, pick_goal, &pick);
  *goal = pick.goal;
  return pick.count;
}

/* ---- sets */

typedef struct {
  long long values[PORT_SETS_PARAMS];
  unsigned score;
  bool for_goal; /* else at random, as no goal is left */
  goal_t goal;
} candidate_t;

static long long value_of_class(draw_t *d, unsigned param, unsigned class) {
  const class_values_t *c = &d->classes[param][class];
  return c->values[rng_below(&d->rng, c->count)];
}

static unsigned any_class(draw_t *d, unsigned param) {
  unsigned class;
  do class = (unsigned)rng_below(&d->rng, SAMPLE_CLASSES);
  while (!d->classes[param][class].count);
  return class;
}

/* Values at random, in later tries mostly those of the defaults, which rules allow. */
static void fill_values(draw_t *d, long long *values, const goal_t *goal, unsigned try) {
  for (unsigned i = 0; i < d->n; i++) {
    const port_set_param_t *p = &d->sets.params[i];
    const bool own = p->fixed || rng_below(&d->rng, TRIES) < try;
    values[i] = own ? p->value : value_of_class(d, i, any_class(d, i));
  }
  if (!goal) return;
  values[goal->a] = value_of_class(d, goal->a, goal->class_a);
  values[goal->b] = value_of_class(d, goal->b, goal->class_b);
}

/* True for the default set, and for one that is there. */
static bool is_known(const draw_t *d, const sample_t *s, const long long *values) {
  char text[SAMPLE_TEXT];
  bool own = true;
  for (unsigned i = 0; i < d->n; i++) own &= values[i] == d->sets.params[i].value;
  if (!port_sets_text(&d->sets, values, text, sizeof text)) return true;
  for (unsigned i = 0; i < s->count && !own; i++) own = strcmp(s->sets[i], text) == 0;
  return own;
}

/* The goals that the values meet: new ones count, or all are marked as met. */
static unsigned meet_goals(draw_t *d, const long long *values, bool mark) {
  unsigned classes[PORT_SETS_PARAMS], score = 0;
  for (unsigned i = 0; i < d->n; i++) classes[i] = d->sets.params[i].fixed ? 0 : class_of(d, i, values[i]);
  for (unsigned a = 0; a < d->n; a++)
    for (unsigned b = a; b < d->n; b++) {
      const goal_t g = {a, classes[a], b, classes[b]};
      uint8_t *goal = goal_at(d, a, classes[a], b, classes[b]);
      if (!is_goal(d, &g)) continue;
      if (*goal != MET) score += a == b ? SINGLE : 1;
      if (mark) *goal = MET;
    }
  return score;
}

/* A set that keeps the rules. False: none was found. */
static bool make_candidate(draw_t *d, const sample_t *s, candidate_t *made) {
  for (unsigned try = 0; try < TRIES; try++) {
    fill_values(d, made->values, made->for_goal ? &made->goal : NULL, try);
    if (is_known(d, s, made->values) || !port_sets_keep(&d->sets, made->values)) continue;
    made->score = meet_goals(d, made->values, false);
    return true;
  }
  return false;
}

static void miss_goal(draw_t *d, const candidate_t *made) {
  const goal_t *g = &made->goal;
  if (made->for_goal) ++*goal_at(d, g->a, g->class_a, g->b, g->class_b);
}

/* The best of some candidates. False: there is none. */
static bool best_candidate(draw_t *d, const sample_t *s, candidate_t *best) {
  bool any = false;
  for (unsigned i = 0; i < CANDIDATES; i++) {
    candidate_t made;
    made.for_goal = next_goal(d, &made.goal);
    if (!make_candidate(d, s, &made)) miss_goal(d, &made);
    else if (!any || made.score > best->score) *best = made, any = true;
  }
  return any;
}

/* The best one with which the port file can be read, which takes as long as hundreds of rules. */
static bool next_set(draw_t *d, const sample_t *s, candidate_t *best) {
  for (unsigned i = 0; i < ROUNDS; i++) {
    if (!best_candidate(d, s, best)) continue;
    if (port_sets_allow(&d->sets, best->values)) return true;
    miss_goal(d, best);
  }
  return false;
}

static void count_pair(draw_t *d, const goal_t *g, void *context) {
  sample_t *s = context;
  const uint8_t goal = *goal_at(d, g->a, g->class_a, g->b, g->class_b);
  s->pairs += goal == MET || goal < GIVEN_UP;
  s->met += goal == MET;
}

static void draw_sets(draw_t *d, sample_t *s, unsigned count) {
  candidate_t best;
  for (unsigned i = 0; i < d->n; i++) list_values(d, i);
  while (s->count < count && next_set(d, s, &best)) {
    meet_goals(d, best.values, true);
    port_sets_text(&d->sets, best.values, s->sets[s->count++], SAMPLE_TEXT);
  }
  each_goal(d, false, count_pair, s);
}

static bool is_free(const port_sets_t *sets) {
  for (unsigned i = 0; i < sets->num_params; i++)
    if (!sets->params[i].fixed) return true;
  return false;
}

bool sample_draw(sample_t *s, const char *root, const char *ports, const char *fixed, uint64_t seed, unsigned count,
                 trouble_t *trouble) {
  draw_t *d = calloc(1, sizeof *d);
  memset(s, 0, sizeof *s);
  if (!d) return trouble_memory(trouble);
  bool ok = port_sets_open(&d->sets, root, ports, fixed, trouble);
  d->n = d->sets.num_params;
  if (ok && !is_free(&d->sets))
    ok = trouble_set(trouble, TROUBLE_INPUT, "--sample: %s has no parameter%s", ports,
                     d->n ? " that --set does not fix" : ": a PARAM would be right");
  rng_init(&d->rng, seed);
  s->sets = ok ? calloc(count, sizeof *s->sets) : NULL;
  d->goals = ok ? calloc((size_t)d->n * SAMPLE_CLASSES * d->n * SAMPLE_CLASSES, 1) : NULL;
  if (ok && (!s->sets || !d->goals)) ok = trouble_memory(trouble);
  if (ok) draw_sets(d, s, count);
  if (ok && !s->count)
    ok = trouble_set(trouble, TROUBLE_INPUT, "--sample: %s allows no other set of parameters than the default one",
                     ports);
  port_sets_close(&d->sets);
  free(d->goals), free(d);
  return ok;
}

void sample_free(sample_t *s) {
  free(s->sets);
  s->sets = NULL;
}

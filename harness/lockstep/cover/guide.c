/* SPDX-License-Identifier: Apache-2.0
 *
 * The guided run. Each profile's own last state is an arm of a bandit, and all saved states
 * together are one more arm. An arm's merit is a running average of the new points that its slices
 * hit. Among the saved states, each one's worth decides.
 *
 *   kept:   [profile 0] [profile 1] ... | [state] [state] ...    at most MOST_KEPT
 *   nodes:  power-up <-- node <-- node <-- now                    inputs between saved states
 *
 * A slice that finds something becomes a node, and its end a saved state. A failure's replay joins
 * the nodes from power-up to here.
 */
#include "guide.h"

#include "rng.h"
#include "stim_default.h"

#include <stdlib.h>
#include <string.h>

enum { SLICE = 100, KEPT = 96, ROUNDS = 3 /* slices of every profile before coverage leads */ };
static const double LEAST = 0.15; /* merit that every profile keeps, so that each is drawn sometimes */

/* Inputs and decisions between one kept state and the next. Nodes form a tree with power-up at its
 * root, and live until the run ends. A failure's replay is the path from the root. */
typedef struct node {
  struct node *before, *next;
  trace_t trace;
  tape_t tape;
} node_t;

/* A saved state behind a slice: pair, stimulus and functional points. */
typedef struct {
  lockstep_snapshot_t *pair;
  void *stim_state, *cover_state;
  uint8_t *automatic;
  uint64_t cycle;         /* of the stimulus */
  unsigned profile, root; /* profile now, and at the stimulus' start */
  node_t *node;
  double worth; /* recent new points of slices from here */
} kept_t;

typedef struct {
  const guide_t *guide;
  guide_result_t *result;
  const dut_t *dut;
  const stim_t *stim;
  rng_t rng;
  kept_t *kept;  /* the profiles' last states come first */
  double *worth; /* of each of them, for a draw */
  unsigned num_kept, most_kept;
  driver_t driver; /* of the current slice, with the profile that it has turned to */
  unsigned root;
  tape_t *starts;      /* of each profile: seed and draws of its init */
  bool noting;         /* note decisions: the block has a stimulus of its own */
  node_t *nodes, *now; /* all nodes; the node that the current slice continues */
  trace_t trace;       /* of the current slice */
  tape_t tape;
  double *merit; /* recent points a slice: of each profile, and of all saved states together */
  uint64_t *seen;
  unsigned cover_words;
  void (*observe)(void *, const void *, const void *);
} work_t;

/* --- keeping and going back */

/* Frees a saved state. */
static void drop_state(work_t *w, kept_t *k) {
  lockstep_snapshot_free(w->guide->ls, k->pair);
  free(k->stim_state);
  free(k->cover_state);
  free(k->automatic);
  memset(k, 0, sizeof *k);
}

static void *copy_state(const void *bytes, size_t size) {
  void *to = malloc(size + 1);
  if (to) memcpy(to, bytes, size);
  return to;
}

/* Saves the present state into k. False: out of memory. */
static bool save_state(work_t *w, kept_t *k) {
  const cover_watch_t *watch = w->guide->watch;
  *k = (kept_t){.pair = lockstep_save(w->guide->ls),
                .stim_state = copy_state(w->driver.state, w->stim->state_size),
                .cover_state = copy_state(watch->state, w->dut->cover_size),
                .automatic = copy_state(watch->automatic.state, watch->automatic.num_valids),
                .cycle = w->driver.cycle,
                .profile = w->driver.profile,
                .root = w->root,
                .node = w->now};
  return k->pair && k->stim_state && k->cover_state && k->automatic;
}

/* Restores a saved state; the next slice continues from there. */
static void go_back(work_t *w, const kept_t *k) {
  cover_watch_t *watch = w->guide->watch;
  lockstep_restore(w->guide->ls, k->pair);
  memcpy(w->driver.state, k->stim_state, w->stim->state_size);
  memcpy(watch->state, k->cover_state, w->dut->cover_size);
  memcpy(watch->automatic.state, k->automatic, watch->automatic.num_valids);
  w->driver.cycle = k->cycle;
  w->driver.profile = k->profile;
  w->driver.turn = 0;
  w->root = k->root;
  w->now = k->node;
}

/* Turns the inputs since the last node into a node. */
static bool end_node(work_t *w) {
  node_t *node = calloc(1, sizeof *node);
  if (!node) return false;
  *node = (node_t){w->now, w->nodes, w->trace, w->tape};
  w->nodes = w->now = node;
  trace_init(&w->trace, w->dut->in_size);
  tape_init(&w->tape, 0);
  return true;
}

/* Forgets the inputs since the last node: the coming slice starts elsewhere. */
static void new_slice(work_t *w) {
  w->trace.count = 0;
  tape_free(&w->tape);
}

/* Saves the state behind a slice. With most_kept states, replaces the one of least worth. */
static bool keep_state(work_t *w, unsigned gain) {
  unsigned at = w->num_kept;
  if (at == w->most_kept) {
    at = w->stim->num_profiles;
    for (unsigned i = at; i < w->most_kept; i++)
      if (w->kept[i].worth < w->kept[at].worth) at = i;
    drop_state(w, &w->kept[at]);
  } else w->num_kept++;
  w->result->kept++;
  if (!save_state(w, &w->kept[at])) return false;
  w->kept[at].worth = gain;
  return true;
}

/* --- a slice */

/* Observer of the pair: counts functional points and records the inputs. */
static void observe_slice(void *observer, const void *in, const void *out) {
  work_t *w = observer;
  w->observe(w->guide->watch, in, out);
  if (in) trace_add(&w->trace, in);
  else trace_add_reset(&w->trace, w->guide->ls->reset_in);
}

/* Runs a slice and returns the number of new points. A stimulus that cannot turn starts with a
 * reset, which comes on top of the cycles. */
static unsigned run_slice(work_t *w, uint64_t cycles) {
  guide_result_t *r = w->result;
  lockstep_t *ls = w->guide->ls;
  const bool anew = w->driver.turn && !w->stim->turn;
  const uint64_t before = ls->cycle + anew;
  r->outcome = run_stimulus(ls, &w->driver, cycles + anew, NULL, NULL);
  r->cycles += ls->cycle > before ? ls->cycle - before : 0;
  r->slices++;
  const unsigned gain = cover_seen(w->guide->map, ls->dev, w->guide->watch->counts, w->seen);
  r->hit += gain;
  const uint64_t every = w->guide->cycles / GUIDE_SAMPLES + 1;
  while (r->num_samples < GUIDE_SAMPLES && r->cycles >= (r->num_samples + 1) * every)
    r->curve[r->num_samples++] = (guide_sample_t){r->num_samples * every + every, r->hit};
  return gain;
}

/* --- choosing */

/* Draws an index with probability proportional to its weight. */
static unsigned draw_weighted(work_t *w, const double *weight, unsigned n) {
  double sum = 0, at;
  for (unsigned i = 0; i < n; i++) sum += weight[i];
  at = (double)rng_bits(&w->rng, 53) * 0x1p-53 * sum;
  for (unsigned i = 0; i + 1 < n; i++)
    if ((at -= weight[i]) < 0) return i;
  return n - 1;
}

/* Draws a profile by merit. */
static unsigned draw_profile(work_t *w) {
  return draw_weighted(w, w->merit, w->stim->num_profiles);
}

/* Draws a profile, or a saved state by its worth. */
static kept_t *choose_state(work_t *w) {
  const unsigned starts = w->stim->num_profiles, n = w->num_kept - starts,
                 arm = draw_weighted(w, w->merit, starts + (n > 0));
  if (arm < starts) return &w->kept[arm];
  for (unsigned i = 0; i < n; i++) w->worth[i] = w->kept[starts + i].worth + 0.05;
  return &w->kept[starts + draw_weighted(w, w->worth, n)];
}

/* Sets new random numbers, and half of the time another profile. A stimulus that cannot turn gets a
 * reset and a new start. */
static void turn_stimulus(work_t *w) {
  const uint64_t seed = rng_next(&w->rng);
  const unsigned profile = rng_bits(&w->rng, 1) ? w->driver.profile : draw_profile(w);
  w->driver.seed = seed;
  w->driver.turn = profile + 1;
}

/* Updates merit and worth: running averages of the new points. */
static void credit_gain(work_t *w, kept_t *from, unsigned gain) {
  const unsigned starts = w->stim->num_profiles, at = (unsigned)(from - w->kept);
  double *merit = &w->merit[at < starts ? at : starts];
  *merit = 0.5 * *merit + 0.5 * gain + LEAST;
  from->worth = 0.7 * from->worth + 0.3 * gain;
}

/* Runs slices from a state on while they hit new points. A profile continues with its own numbers,
 * so that it gets as deep as alone. */
static bool run_stretch(work_t *w, kept_t *from) {
  guide_result_t *r = w->result;
  const bool onward = from < w->kept + w->stim->num_profiles;
  unsigned dry = 0;
  go_back(w, from);
  new_slice(w);
  if (!onward) turn_stimulus(w);
  const unsigned patience = 1 + (onward ? 0 : (unsigned)rng_below(&w->rng, 4));
  while (dry < patience && r->outcome == OUTCOME_PASS && r->cycles < w->guide->cycles) {
    const unsigned gain = run_slice(w, SLICE);
    credit_gain(w, from, gain);
    dry = gain ? 0 : dry + 1;
    if (r->outcome != OUTCOME_PASS) return true;
    if (gain && (!end_node(w) || !keep_state(w, gain))) return false;
    if (w->guide->on_cycles && !w->guide->on_cycles(w->guide->context, r->cycles)) return r->stopped = true;
  }
  if (!onward) return true;
  drop_state(w, from);
  if (w->trace.count && !end_node(w)) return false;
  return save_state(w, from);
}

/* Runs a slice of each profile in turn. */
static bool all_in_turn(work_t *w) {
  guide_result_t *r = w->result;
  for (unsigned p = 0; p < w->stim->num_profiles && r->outcome == OUTCOME_PASS && r->cycles < w->guide->cycles; p++) {
    go_back(w, &w->kept[p]);
    new_slice(w);
    const unsigned gain = run_slice(w, SLICE);
    credit_gain(w, &w->kept[p], gain);
    drop_state(w, &w->kept[p]);
    if (r->outcome == OUTCOME_PASS && (!end_node(w) || !save_state(w, &w->kept[p]))) return false;
  }
  if (w->guide->on_cycles && !w->guide->on_cycles(w->guide->context, r->cycles)) r->stopped = true;
  return true;
}

/* --- the run */

/* Room for the profiles' states and at least as many others. False: out of memory. */
static bool make_room(work_t *w) {
  const unsigned profiles = w->stim->num_profiles;
  w->most_kept = 2 * profiles > KEPT ? 2 * profiles : KEPT;
  w->kept = calloc(w->most_kept, sizeof *w->kept);
  w->worth = calloc(w->most_kept, sizeof *w->worth);
  w->starts = calloc(profiles + 1, sizeof *w->starts);
  w->seen = calloc(w->guide->map->table->count / 64 + 1, sizeof *w->seen);
  w->merit = calloc(profiles + 1, sizeof *w->merit);
  return w->kept && w->worth && w->starts && w->seen && w->merit;
}

/* Starts every profile from power-up and saves its state. False: out of memory. */
static bool begin_guide(work_t *w) {
  const guide_t *g = w->guide;
  w->noting = w->dut->stim && w->dut->tape;
  const bool made = driver_make(&w->driver, w->dut, w->noting);
  if (!made || !make_room(w)) return false;
  w->merit[w->stim->num_profiles] = 1;
  for (unsigned p = 0; p < w->stim->num_profiles; p++) {
    tape_init(&w->starts[p], p);
    w->starts[p].seed = w->driver.seed = driver_seed(g->seed, p);
    w->driver.profile = w->root = p;
    w->driver.note = w->noting ? &w->starts[p] : NULL;
    driver_restart(&w->driver);
    w->merit[p] = 1;
    if (w->driver.crashed) {
      w->result->outcome = run_crashed(g->ls, &w->driver.crash);
      return true;
    }
    if (w->driver.lost || !save_state(w, &w->kept[w->num_kept++])) return false;
  }
  w->driver.note = w->noting ? &w->tape : NULL;
  return true;
}

/* Appends inputs and decisions to the result. */
static bool add_part(guide_result_t *r, const trace_t *trace, const tape_t *tape) {
  bool ok = true;
  for (size_t i = 0; i < trace->count; i++) {
    const trace_cycle_t *c = &trace->cycles[i];
    ok &= c->reset ? trace_add_reset(&r->trace, c->in) : trace_add(&r->trace, c->in);
  }
  for (size_t i = 0; i < tape->count; i++) ok &= tape_add(&r->tape, &tape->cycles[i]);
  return ok;
}

/* Joins the nodes from power-up to here, and the slice that failed. */
static bool join_nodes(work_t *w) {
  guide_result_t *r = w->result;
  const tape_t *start = &w->starts[w->root];
  unsigned n = 0;
  bool ok = true;
  r->taped = w->noting && !w->driver.lost;
  r->tape.profile = start->profile;
  r->tape.seed = start->seed;
  r->tape.start = start->start;
  r->tape.start.draws = tape_copy(&r->tape, start->start.draws, start->start.count);
  for (node_t *node = w->now; node; node = node->before) n++;
  for (unsigned k = n; k-- > 0;) {
    const node_t *path = w->now;
    for (unsigned i = 0; i < k; i++) path = path->before;
    ok &= add_part(r, &path->trace, &path->tape);
  }
  return add_part(r, &w->trace, &w->tape) && ok;
}

/* Frees all saved states and nodes. */
static void free_guide(work_t *w) {
  for (unsigned i = 0; i < w->num_kept; i++) drop_state(w, &w->kept[i]);
  for (node_t *node = w->nodes, *next; node; node = next) {
    next = node->next;
    trace_free(&node->trace);
    tape_free(&node->tape);
    free(node);
  }
  trace_free(&w->trace);
  tape_free(&w->tape);
  for (unsigned p = 0; w->starts && p < w->stim->num_profiles; p++) tape_free(&w->starts[p]);
  driver_close(&w->driver);
  free(w->kept);
  free(w->worth);
  free(w->starts);
  free(w->seen);
  free(w->merit);
}

void guide_run(const guide_t *guide, guide_result_t *r) {
  work_t w = {.guide = guide, .result = r, .dut = guide->ls->dut, .stim = stim_of(guide->ls->dut)};
  memset(r, 0, sizeof *r);
  trace_init(&r->trace, w.dut->in_size);
  trace_init(&w.trace, w.dut->in_size);
  rng_init(&w.rng, guide->seed);
  w.observe = guide->ls->observe;
  bool ok = lockstep_power_up(guide->ls);
  cover_watch_clear(guide->watch);
  ok = ok && begin_guide(&w);
  guide->ls->observe = observe_slice;
  guide->ls->observer = &w;
  for (unsigned round = 0; ok && r->outcome == OUTCOME_PASS && !r->stopped && r->cycles < guide->cycles; round++)
    ok = guide->unguided || round < ROUNDS ? all_in_turn(&w) : run_stretch(&w, choose_state(&w));
  guide->ls->observe = w.observe;
  guide->ls->observer = guide->watch;
  if (!ok) r->outcome = OUTCOME_INFRA;
  else if (r->outcome != OUTCOME_PASS && !join_nodes(&w)) r->outcome = OUTCOME_INFRA;
  free_guide(&w);
}

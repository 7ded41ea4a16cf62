/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of a table get no context, so that each pair has functions of its own (PAIRS below).
 * Most calls get a side_t, though: the device, or what the model's memory points to.
 *
 *   model_eval   the reference: set_inputs, eval, get_outputs, get_undefined
 *   model_step   the reference: step
 *   matches      the device's own comparison if both sides are two-state devices with the same
 *                probes; else bit by bit, where compared_bits says so
 *
 * Only `canonical` knows how ports qualify each other. It clears what is not valid, so whatever it
 * leaves of a struct full of ones is valid. compared_bits tries an unknown qualifier as 0 and as 1.
 * It compares what is valid both times.
 */
#include "against.h"
#include "dut_failure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 16 };

typedef struct {
  dut_t table; /* the pair's; its address names the pair */
  const dut_t *device, *reference;
  dut_assert_t ended; /* on_model_assert: what to call when the reference is lost */
  void *context;
  bool plain;               /* the device's own comparison will do */
  bool qualified;           /* an output qualifies another */
  unsigned char *qualifies; /* by port, in which way (DUT_PLAIN, DUT_INVERTED) */
  uint64_t *ones;           /* the bits of all ports that are compared */
  uint64_t *seen;           /* those that were ever known, and those that were ever unknown */
  uint64_t *missed;
  uint64_t cycles;                                  /* counted, while every bit of `ones` was known */
  uint64_t *live, *other, *lone, *mine, *undefined; /* out structs to work with */
  against_t *counts;
} pair_t;

/* One device of a pair. */
typedef struct {
  pair_t *pair;
  const dut_t *dut;
  void *dev;
  bool given;              /* inputs came and have not been compared yet */
  bool settled;            /* evaluated with the inputs `in` since the last clock edge */
  char lost[AGAINST_TEXT]; /* why it cannot go on; "": it can */
  uint64_t in[];
} side_t;

static pair_t pairs[PAIRS];
static unsigned num_pairs;

static pair_t *pair_of(const dut_t *dut) {
  for (unsigned i = 0; i < num_pairs; i++)
    if (dut == &pairs[i].table) return &pairs[i];
  return NULL;
}

static uint32_t words_of(const pair_t *p) {
  return p->device->out_size / 8;
}

static bool is_compared(const pair_t *p, const dut_port_t *port) {
  return port->dir == DUT_OUT || (port->dir == DUT_PROBE && !p->table.no_probes);
}

/* --- assertions */

size_t against_place(const char *text) {
  for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
    const size_t digits = strspn(colon + 1, "0123456789");
    if (digits && colon[1 + digits] == ':') return (size_t)(colon - text) + 1 + digits;
  }
  return strlen(text);
}

static void count_assertion(pair_t *p, bool reference, const char *text) {
  against_t *c = p->counts;
  const size_t n = against_place(text);
  for (unsigned i = 0; i < c->num_places; i++)
    if (c->places[i].reference == reference && against_place(c->places[i].text) == n &&
        !memcmp(c->places[i].text, text, n)) {
      c->places[i].count++;
      return;
    }
  if (c->num_places == AGAINST_PLACES) {
    c->elsewhere++;
    return;
  }
  against_place_t *place = &c->places[c->num_places++];
  *place = (against_place_t){.reference = reference, .count = 1};
  snprintf(place->text, sizeof place->text, "%s", text);
}

/* What a device cannot go on behind. */
static bool ends_run(const char *text) {
  return dut_failure(&text) != DUT_FAILS_ASSERTION;
}

/* A call of the device has failed: counts the assertion. False: the device is lost. failure(NULL)
 * is the text of this call, failure(dev) the first one since a reset. */
static bool may_go_on(side_t *s) {
  const char *last = s->dut->failure(NULL), *text = last ? last : s->dut->failure(s->dev);
  if (!text) text = "an assertion failed";
  const bool reference = s->dut == s->pair->reference;
  if (!ends_run(text)) return count_assertion(s->pair, reference, text), true;
  if (!*s->lost) snprintf(s->lost, sizeof s->lost, "%s", text);
  return false;
}

/* --- a side */

static side_t *new_side(pair_t *p, const dut_t *dut) {
  side_t *s = calloc(1, sizeof *s + dut->in_size);
  if (s) s->pair = p, s->dut = dut, s->dev = dut->create();
  if (s && s->dev) return s;
  free(s);
  return NULL;
}

static void free_side(void *side) {
  side_t *s = side;
  s->dut->destroy(s->dev);
  free(s);
}

static void reset_side(void *side, const void *in) {
  side_t *s = side;
  *s->lost = 0;
  s->given = false;
  s->settled = false;
  s->dut->reset(s->dev, in);
  const char *text = s->dut->failure(s->dev);
  if (!text) return;
  if (ends_run(text)) snprintf(s->lost, sizeof s->lost, "%s", text);
  else count_assertion(s->pair, s->dut == s->pair->reference, text);
}

static void give_side(void *side, const void *in) {
  side_t *s = side;
  s->given = true;
  s->settled = s->settled && !memcmp(s->in, in, s->dut->in_size);
  memcpy(s->in, in, s->dut->in_size);
  s->dut->set_inputs(s->dev, in);
}

static bool eval_side(void *side) {
  side_t *s = side;
  s->settled = true;
  return s->dut->eval(s->dev) || may_go_on(s);
}

static bool step_side(void *side) {
  side_t *s = side;
  s->settled = false;
  return s->dut->step(s->dev) || may_go_on(s);
}

static const char *failure_of_side(void *side) {
  const side_t *s = side;
  return *s->lost ? s->lost : NULL;
}

static void *save_side(void *side) {
  const side_t *s = side;
  return s->dut->save(s->dev);
}

static void restore_side(void *side, const void *snapshot) {
  side_t *s = side;
  *s->lost = 0;
  s->given = false;
  s->settled = false;
  s->dut->restore(s->dev, snapshot);
}

static bool open_wave(void *side, const char *path) {
  const side_t *s = side;
  return s->dut->wave_open(s->dev, path);
}

static void close_wave(void *side) {
  const side_t *s = side;
  s->dut->wave_close(s->dev);
}

static void show_in_wave(void *side, const void *out) {
  const side_t *s = side;
  s->dut->wave_model(s->dev, out);
}

/* --- the reference in the model's place */

static side_t **reference_of(const void *model) {
  return (side_t **)(uintptr_t)model;
}

/* The reference cannot go on: out of the model, as one that asserts. */
static void lose(const pair_t *p, const char *why) {
  char text[AGAINST_TEXT + 64];
  const char *said = why;
  const bool of_rtl = dut_failure(&said) <= DUT_FAILS_ENDED;
  snprintf(text, sizeof text, "%s%s", of_rtl ? "the reference: " : "", of_rtl ? said : why);
  p->ended(p->context, NULL, 0, text);
}

static void reset_reference(pair_t *p, void *model, const void *in) {
  side_t **s = reference_of(model);
  if (!*s) *s = new_side(p, p->reference);
  if (!*s) {
    const char *why = p->reference->failure(NULL);
    lose(p, why ? why : DUT_ENVIRONMENT "out of memory");
  } else {
    reset_side(*s, in);
    if (*(*s)->lost) lose(p, (*s)->lost);
  }
}

static void eval_reference(const void *model, const void *in, void *out) {
  side_t *s = *reference_of(model);
  give_side(s, in);
  if (!eval_side(s)) lose(s->pair, s->lost);
  s->dut->get_outputs(s->dev, out);
  if (s->dut->get_undefined) s->dut->get_undefined(s->dev, (char *)out + s->pair->device->out_size);
}

/* The outputs may have been asked for before these inputs came. */
static void step_reference(void *model, const void *in) {
  side_t *s = *reference_of(model);
  give_side(s, in);
  if ((!s->settled && !eval_side(s)) || !step_side(s)) lose(s->pair, s->lost);
}

/* --- what is compared */

/* What is undefined in a port that qualifies with a ! alone is the other one of 0 and 1, so
 * that the undefined bits of a qualifier together leave as little or as much valid as can be.
 * */
static void turn_inverted(const pair_t *p, uint64_t *values) {
  for (unsigned i = 0; i < p->device->num_ports; i++) {
    const dut_port_t *port = &p->device->ports[i];
    for (uint32_t w = 0; p->qualifies[i] == DUT_INVERTED && w < port->size / 8; w++)
      values[port->offset / 8 + w] ^= p->undefined[port->offset / 8 + w];
  }
}

/* Ones for the bits that are valid if these are the values, with all that is undefined 0 or 1. */
static void valid_bits(const pair_t *p, const uint64_t *values, bool undefined, uint64_t *live) {
  const dut_t *dut = p->device;
  const uint32_t words = words_of(p);
  for (uint32_t i = 0; i < words; i++)
    p->lone[i] = undefined ? values[i] | p->undefined[i] : values[i] & ~p->undefined[i];
  turn_inverted(p, p->lone);
  memcpy(live, p->lone, words * sizeof *live);
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *port = &dut->ports[i];
    if (port->dir != DUT_IN && !p->qualifies[i]) memset((char *)live + port->offset, 0xff, port->size);
  }
  dut->canonical(live);
  /* what qualifies others had to keep its value: whether it is valid itself is asked one by one */
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *port = &dut->ports[i];
    if (port->dir == DUT_IN || !p->qualifies[i]) continue;
    uint64_t alone[words];
    memcpy(alone, p->lone, sizeof alone);
    memset((char *)alone + port->offset, 0xff, port->size);
    if (port->valid || port->each) dut->canonical(alone);
    memcpy((char *)live + port->offset, (char *)alone + port->offset, port->size);
  }
  for (uint32_t i = 0; i < words; i++) live[i] &= p->ones[i];
}

/* p->live becomes the bits to compare, p->other those that an X keeps from it. `out`: outputs of
 * the reference; p->undefined: X of both sides. */
static void compared_bits(pair_t *p, const uint64_t *out) {
  const uint32_t words = words_of(p);
  bool any = false;
  for (uint32_t i = 0; i < words; i++) any |= p->undefined[i] != 0;
  valid_bits(p, out, false, p->live);
  memset(p->other, 0, p->device->out_size);
  if (!any) return;
  valid_bits(p, out, true, p->other);
  for (uint32_t i = 0; i < words; i++) {
    const uint64_t both = p->live[i] & p->other[i] & ~p->undefined[i];
    p->other[i] = (p->live[i] | p->other[i]) & ~both;
    p->live[i] = both;
  }
}

static uint64_t ones_of(const dut_port_t *port, const uint64_t *fields) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < port->size / 8; i++) n += (unsigned)__builtin_popcountll(fields[port->offset / 8 + i]);
  return n;
}

static void count_bits(pair_t *p) {
  for (unsigned i = 0; i < p->table.num_ports; i++) {
    const dut_port_t *port = &p->table.ports[i];
    if (!is_compared(p, port)) continue;
    p->counts->port[i].known += ones_of(port, p->live);
    p->counts->port[i].unknown += ones_of(port, p->other);
  }
  for (uint32_t i = 0; i < words_of(p); i++) p->seen[i] |= p->live[i], p->missed[i] |= p->other[i];
}

/* Counts the cycle's bits once, when it is compared with the inputs that it has come with. */
static void count_cycle(side_t *s, bool everything) {
  if (!s->given) return;
  s->given = false;
  if (everything) s->pair->cycles++;
  else count_bits(s->pair);
}

/* The device's outputs and X; then compared_bits. */
static void look_at(const side_t *s, const uint64_t *out) {
  pair_t *p = s->pair;
  const uint32_t words = words_of(p);
  memset(p->mine, 0, p->device->out_size);
  memset(p->undefined, 0, p->device->out_size);
  s->dut->get_outputs(s->dev, p->mine);
  if (s->dut->get_undefined) s->dut->get_undefined(s->dev, p->undefined);
  for (uint32_t i = 0; i < words; i++) p->undefined[i] |= out[words + i];
  compared_bits(p, out);
}

static bool matches(void *side, const void *out) {
  side_t *s = side;
  pair_t *p = s->pair;
  const uint64_t *values = out;
  if (*s->lost) return true; /* eval has said so */
  if (p->plain && !p->qualified) {
    count_cycle(s, true);
    return s->dut->matches(s->dev, out);
  }
  if (p->plain) {
    memset(p->undefined, 0, p->device->out_size);
    if (s->given) compared_bits(p, values);
    count_cycle(s, false);
    return s->dut->matches(s->dev, out);
  }
  look_at(s, values);
  count_cycle(s, false);
  uint64_t differs = 0;
  for (uint32_t i = 0; i < words_of(p); i++) differs |= (p->mine[i] ^ values[i]) & p->live[i];
  return !differs;
}

/* `out` has the reference's outputs, and keeps them where nothing is compared. Behind them the
 * device's own X. */
static void get_outputs(void *side, void *out) {
  const side_t *s = side;
  const pair_t *p = s->pair;
  uint64_t *values = out;
  const uint32_t words = words_of(p);
  if (p->plain) {
    s->dut->get_outputs(s->dev, out);
    return;
  }
  look_at(s, values);
  for (uint32_t i = 0; i < words; i++) values[i] = (p->mine[i] & p->live[i]) | (values[i] & ~p->live[i]);
  memset(values + words, 0, p->device->out_size);
  if (s->dut->get_undefined) s->dut->get_undefined(s->dev, values + words);
}

/* --- tables */

#define EACH_PAIR(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)

static void listen(pair_t *p, dut_assert_t handler, void *context) {
  p->ended = handler;
  p->context = context;
}

static void seed_both(const pair_t *p, uint64_t seed) {
  dut_seed(p->device, seed);
  dut_seed(p->reference, seed);
}

#define FUNCTIONS(k)                                                      \
  static void model_reset_##k(void *model, const void *in) {              \
    reset_reference(&pairs[k], model, in);                                \
  }                                                                       \
  static void on_assert_##k(dut_assert_t handler, void *context) {        \
    listen(&pairs[k], handler, context);                                  \
  }                                                                       \
  static void seed_##k(uint64_t seed) {                                   \
    seed_both(&pairs[k], seed);                                           \
  }                                                                       \
  static void *create_##k(void) {                                         \
    return new_side(&pairs[k], pairs[k].device);                          \
  }                                                                       \
  static const char *failure_##k(void *side) {                            \
    return side ? failure_of_side(side) : pairs[k].device->failure(NULL); \
  }
EACH_PAIR(FUNCTIONS)

typedef struct {
  void (*model_reset)(void *model, const void *in);
  void (*on_model_assert)(dut_assert_t handler, void *context);
  void (*seed)(uint64_t seed);
  void *(*create)(void);
  const char *(*failure)(void *side);
} functions_t;

#define ROW(k) {model_reset_##k, on_assert_##k, seed_##k, create_##k, failure_##k},
static const functions_t functions[] = {EACH_PAIR(ROW)};
_Static_assert(sizeof functions / sizeof *functions == PAIRS, "a row for each pair");

/* What a pair cannot do, as one of its devices alone could: counts of lines, toggles and nets, bits
 * that are flipped, idle models. */
static void clear_extras(dut_t *t) {
  t->model_idle = NULL;
  t->power_up = NULL; /* its devices need not be able to begin alike but with zeros */
  t->set_guard = NULL;
  t->get_undefined = NULL;
  t->points = NULL, t->counters = NULL, t->signals = NULL, t->toggles = NULL;
  t->num_counts = NULL, t->take_counts = NULL;
  t->covers = NULL, t->num_covers = t->num_cover_points = t->cover_size = 0, t->cover = NULL;
  t->states = NULL, t->num_states = 0, t->state_size = 0;
  t->state_get = NULL, t->state_set = NULL, t->flip = NULL;
}

static void fill_table(pair_t *p, const functions_t *own) {
  const dut_t *a = p->device, *b = p->reference;
  dut_t *t = &p->table;
  *t = *a;
  clear_extras(t);
  t->no_probes = a->no_probes || b->no_probes;
  t->out_size = 2 * a->out_size;
  t->model_size = sizeof(side_t *);
  t->model_reset = own->model_reset, t->model_eval = eval_reference, t->model_step = step_reference;
  t->on_model_assert = own->on_model_assert;
  t->seed = own->seed;
  t->create = own->create, t->destroy = free_side, t->reset = reset_side, t->set_inputs = give_side;
  t->eval = eval_side, t->step = step_side, t->matches = matches, t->get_outputs = get_outputs;
  t->failure = own->failure;
  const bool saves = a->save && b->save;
  t->save = saves ? save_side : NULL;
  t->restore = saves ? restore_side : NULL;
  t->snapshot_free = saves ? a->snapshot_free : NULL;
  if (!a->wave_open) return;
  t->wave_open = open_wave, t->wave_close = close_wave, t->wave_model = show_in_wave;
}

/* Which outputs qualify others, and all bits that are ever compared. */
static void fill_ports(pair_t *p) {
  const dut_t *dut = p->device;
  p->qualified = false;
  memset(p->ones, 0, dut->out_size);
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *port = &dut->ports[i];
    p->qualifies[i] = 0;
    if (port->dir == DUT_IN) continue;
    for (unsigned k = 0; k < dut->num_ports; k++) {
      if (dut_is_term(&dut->ports[k], port, false)) p->qualifies[i] |= DUT_PLAIN;
      if (dut_is_term(&dut->ports[k], port, true)) p->qualifies[i] |= DUT_INVERTED;
    }
    p->qualified |= p->qualifies[i] != 0;
    for (uint32_t bit = 0; bit < port->width && is_compared(p, port); bit++)
      p->ones[port->offset / 8 + bit / 64] |= UINT64_C(1) << bit % 64;
  }
}

static bool make_room(pair_t *p) {
  const dut_t *dut = p->device;
  uint64_t **all[] = {&p->ones, &p->seen, &p->missed, &p->live, &p->other, &p->lone, &p->mine, &p->undefined};
  bool room = true;
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    free(*all[i]);
    room &= (*all[i] = calloc(1, dut->out_size + 8)) != NULL;
  }
  free(p->qualifies);
  against_free(p->counts);
  p->qualifies = calloc(dut->num_ports + 1, sizeof *p->qualifies);
  p->counts = calloc(1, sizeof *p->counts + dut->num_ports * sizeof p->counts->port[0]);
  if (p->counts) p->counts->places = calloc(AGAINST_PLACES, sizeof *p->counts->places);
  return room && p->qualifies && p->counts && p->counts->places;
}

const dut_t *against_pair(const dut_t *device, const dut_t *reference, trouble_t *trouble) {
  unsigned k = 0;
  while (k < num_pairs && (pairs[k].device != device || pairs[k].reference != reference)) k++;
  if (k == PAIRS)
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: more than %d pairs of devices", device->block, PAIRS), NULL;
  pair_t *p = &pairs[k];
  if (k == num_pairs) num_pairs++;
  p->device = device, p->reference = reference;
  if (!make_room(p)) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: out of memory", device->block), NULL;
  fill_table(p, &functions[k]);
  fill_ports(p);
  p->cycles = 0;
  p->counts->dut = &p->table;
  p->counts->four_state = device->get_undefined || reference->get_undefined;
  p->plain = !p->counts->four_state && (device->no_probes || !reference->no_probes);
  return &p->table;
}

const dut_t *against_device(const dut_t *dut) {
  const pair_t *p = pair_of(dut);
  return p ? p->device : dut;
}

const dut_t *against_reference(const dut_t *dut) {
  const pair_t *p = pair_of(dut);
  return p ? p->reference : NULL;
}

const char *against_device_label(const dut_t *dut) {
  const pair_t *p = pair_of(dut);
  return p ? p->device->kind : "rtl";
}

const char *against_model_label(const dut_t *dut, char label[AGAINST_LABEL]) {
  const pair_t *p = pair_of(dut);
  snprintf(label, AGAINST_LABEL, p ? "reference (%.30s)" : "model", p ? p->reference->kind : "");
  return label;
}

const void *against_undefined(const dut_t *dut, const void *out) {
  const pair_t *p = pair_of(dut);
  return p ? (const char *)out + p->device->out_size : NULL;
}

void against_end(const dut_t *dut, void *model) {
  if (!model || !pair_of(dut) || !*reference_of(model)) return;
  free_side(*reference_of(model));
  *reference_of(model) = NULL;
}

void *against_save(const dut_t *dut, const void *model) {
  return pair_of(dut) ? save_side(*reference_of(model)) : NULL;
}

void against_restore(const dut_t *dut, void *model, const void *snapshot) {
  if (pair_of(dut)) restore_side(*reference_of(model), snapshot);
}

void against_snapshot_free(const dut_t *dut, void *snapshot) {
  const dut_t *reference = against_reference(dut);
  if (reference && snapshot) reference->snapshot_free(snapshot);
}

/* --- counts */

/* The bits of a port that were unknown at times and never known. */
static unsigned never_known(const pair_t *p, const dut_port_t *port) {
  unsigned n = 0;
  for (uint32_t i = port->offset / 8; i < (port->offset + port->size) / 8; i++)
    n += (unsigned)__builtin_popcountll(p->missed[i] & ~p->seen[i]);
  return n;
}

against_t *against_take(const dut_t *dut) {
  const pair_t *p = pair_of(dut);
  if (!p) return NULL;
  const size_t size = sizeof(against_t) + dut->num_ports * sizeof(against_port_t);
  against_t *c = malloc(size);
  against_place_t *places = malloc(AGAINST_PLACES * sizeof *places);
  if (!c || !places) return free(c), free(places), NULL;
  memcpy(c, p->counts, size);
  memcpy(places, p->counts->places, AGAINST_PLACES * sizeof *places);
  c->places = places;
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *port = &dut->ports[i];
    if (!is_compared(p, port)) continue;
    c->port[i].known += p->cycles * port->width;
    c->port[i].never = never_known(p, port);
    if (port->dir != DUT_OUT) continue;
    c->known += c->port[i].known;
    c->unknown += c->port[i].unknown;
  }
  return c;
}

void against_free(against_t *counts) {
  if (counts) free(counts->places);
  free(counts);
}

bool against_was_compared(const against_t *c, bool full) {
  for (unsigned i = 0; i < c->dut->num_ports && full; i++)
    if (c->dut->ports[i].dir == DUT_OUT && !c->port[i].known && c->port[i].unknown) return false;
  return c->known || !c->unknown;
}

double against_share(uint64_t known, uint64_t unknown) {
  return known + unknown ? (double)known / (double)(known + unknown) : 1;
}

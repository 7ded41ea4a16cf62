/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake device's model, "RTL", stimulus and rules, and the table of them (fake_dut.h says what
 * it does). Both sides are the same C code; each fault is one `if` where it acts.
 */
#include "fake_dut.h"

#include "rng.h"

#include <stdlib.h>
#include <string.h>

fake_faults_t fake_faults;
bool fake_stim_waits, fake_stim_repeats, fake_stim_rules, fake_stim_tells;

enum { ID_BITS = 6, ID_MASK = (1 << ID_BITS) - 1 }; /* the topmost bits of wide */

/* --- the model */

typedef struct {
  uint64_t sum, count;
  uint32_t echo[4];
  unsigned later; /* cycles until one more */
  bool odd;       /* reset as every other one */
} state_t;

static uint64_t static_sum;
static unsigned resets, devices;

static dut_assert_t handler;
static void *handler_context;

static void on_model_assert(dut_assert_t h, void *context) {
  handler = h;
  handler_context = context;
}

/* With static_resets every other reset leaves a state that shows a sum one too much. */
static void model_reset(void *model, const void *in) {
  (void)in;
  memset(model, 0, sizeof(state_t));
  static_sum = 0;
  ((state_t *)model)->odd = fake_faults.static_resets && resets++ & 1;
}

/* Outputs from the state alone. The `writes` faults write through pointers that the model is
 * given as const, which a pure model must not do. */
static void model_eval(const void *model, const void *in, void *out_bytes) {
  const state_t *s = model;
  fake_out_t *out = out_bytes;
  if (fake_faults.writes == EVAL_WRITES_STATE) ((state_t *)(uintptr_t)s)->later ^= 1u << 20;
  if (fake_faults.writes == EVAL_WRITES_INPUTS && in) ((fake_in_t *)(uintptr_t)in)->value = 0;
  out->sum = s->sum + s->odd;
  out->not_zero = s->sum != 0;
  memcpy(out->echo, s->echo, sizeof out->echo);
  out->probe_count = s->count;
}

/* One cycle's addition, for both sides. A value of 250 sets a countdown: two cycles later the
 * sum is one more, so that a model that sleeps too early is found out. */
static void add_value(state_t *s, const fake_in_t *in) {
  if (s->later && !--s->later) s->sum = (s->sum + 1) & 0xffff;
  if (in->add && in->value == 250) s->later = 2;
  if (!in->add) return;
  s->sum = (s->sum + in->value) & 0xffff;
  s->count = (s->count + 1) & 0xff;
  memcpy(s->echo, in->wide, sizeof s->echo);
}

/* With static_sum the sum lives outside the struct: a second model, or a second run, adds to it
 * too. */
static void model_step(void *model, const void *in_bytes) {
  const fake_in_t *in = in_bytes;
  if (in->add && fake_faults.model_assert_on && in->value == fake_faults.model_assert_on)
    handler(handler_context, "cmodel/fake.c", 42, "value is allowed");
  add_value(model, in);
  if (fake_faults.writes == STEP_WRITES_INPUTS) ((fake_in_t *)(uintptr_t)in)->value = 0;
  if (!fake_faults.static_sum) return;
  state_t *s = model;
  static_sum = (static_sum + (in->add ? in->value : 0)) & 0xffff;
  s->sum = static_sum;
}

/* Idle while no countdown is under way. */
static bool model_idle(const void *model) {
  if (fake_faults.writes == IDLE_WRITES_STATE) ((state_t *)(uintptr_t)model)->count ^= 0x100;
  return fake_faults.wrong_idle || !((const state_t *)model)->later;
}

/* echo counts only while not_zero is 1: else it is made 0 before sides are compared. */
static void canonical(void *bytes) {
  fake_out_t *out = bytes;
  if (!out->not_zero) memset(out->echo, 0, sizeof out->echo);
}

/* --- the device */

typedef struct {
  state_t state;
  fake_in_t in;
  bool armed, wrong, high, low;
  bool repaired, spared;
  bool had_id;
  uint32_t id;
  const char *failure;
} device_t;

/* With static_devices every second device that is made is free of wrong_sum_after. */
static void *create(void) {
  device_t *d = fake_faults.create_fails ? NULL : calloc(1, sizeof *d);
  if (d) d->spared = fake_faults.static_devices && ++devices % 2 == 0;
  return d;
}

static void *create_repaired(void) {
  device_t *d = create();
  if (d) d->repaired = true;
  return d;
}

static void reset(void *dev, const void *in) {
  (void)in;
  *(device_t *)dev = (device_t){.repaired = ((device_t *)dev)->repaired, .spared = ((device_t *)dev)->spared};
}

static void set_inputs(void *dev, const void *in) {
  memcpy(&((device_t *)dev)->in, in, sizeof(fake_in_t));
}

static bool eval(void *dev) {
  return ((device_t *)dev)->failure == NULL;
}

/* The model's outputs with the faults that are awake. */
static void get_outputs(void *dev, void *out_bytes) {
  const device_t *d = dev;
  fake_out_t *out = out_bytes;
  model_eval(&d->state, NULL, out);
  if (d->wrong) out->sum ^= 1;
  if (d->wrong && fake_faults.wrong_probe_too) out->probe_count ^= 0x80;
  if (fake_faults.wide_bit) out->echo[2] &= ~(1u << 5);
  if (d->high) out->echo[2] ^= 1;
  if (d->low) out->echo[0] ^= 1;
  if (!out->not_zero && fake_faults.junk_when_invalid) memset(out->echo, 0xff, sizeof out->echo);
  canonical(out);
}

static bool matches(void *dev, const void *out) {
  fake_out_t mine;
  get_outputs(dev, &mine);
  return memcmp(&mine, out, sizeof mine) == 0;
}

/* Does this addition keep to the rules of fake_stim_rules? Notes the id for the next one. */
static bool is_legal(device_t *d) {
  const uint32_t id = d->in.wide[2] & ID_MASK;
  const bool same = !d->had_id || id == d->id;
  d->id = id;
  d->had_id = true;
  return same && (d->in.value & 1);
}

/* Wakes faults by the value, then adds. What is woken stays awake until reset. */
static bool step(void *dev) {
  device_t *d = dev;
  if (d->in.add && !is_legal(d) && fake_faults.wrong_when_illegal) d->wrong = true;
  if (d->in.add && fake_faults.high_after && d->in.value == fake_faults.high_after && d->armed) d->high = true;
  if (d->in.add && fake_faults.low_after && d->in.value == fake_faults.low_after) d->low = true;
  if (d->in.add && d->in.value == fake_faults.armed_by) d->armed = true;
  if (d->in.add && !d->repaired && !d->spared && fake_faults.wrong_sum_after &&
      d->in.value == fake_faults.wrong_sum_after && (d->armed || !fake_faults.armed_by))
    d->wrong = true;
  add_value(&d->state, &d->in);
  if (d->in.add && fake_faults.dut_assert_on && d->in.value == fake_faults.dut_assert_on)
    d->failure = "fake.sv:7: Assertion failed";
  return d->failure == NULL;
}

static const char *failure(void *dev) {
  if (!dev) return fake_faults.create_fails ? "fake.sv:3: Bits must be even" : NULL;
  return ((device_t *)dev)->failure;
}

static void *save(void *dev) {
  void *copy = malloc(sizeof(device_t));
  if (copy) memcpy(copy, dev, sizeof(device_t));
  return copy;
}

static void restore(void *dev, const void *snapshot) {
  memcpy(dev, snapshot, sizeof(device_t));
}

/* --- the stimulus */

typedef struct {
  rng_t rng;
  unsigned profile;
  uint64_t cycle;
  uint32_t id;
} stim_state_t;

static const stim_profile_t profiles[] = {{"busy", "adds nearly always"}, {"resets", "adds, with resets"}};

static void stim_init(void *state, uint64_t seed, unsigned profile) {
  stim_state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  s->id = (uint32_t)rng_range(&s->rng, 1, ID_MASK);
}

static void stim_next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  stim_state_t *s = state;
  fake_in_t *in = in_bytes;
  if (fake_faults.writes == NEXT_WRITES_OUTPUTS) ((fake_out_t *)(uintptr_t)out)->sum ^= 1;
  s->cycle = cycle;
  if (fake_stim_waits && cycle >= 100) return;
  if (fake_stim_repeats) {
    in->add = 1;
    return;
  }
  in->add = rng_chance(&s->rng, 7, 8);
  in->value = rng_next(&s->rng); /* 64 bits into a port of 8: the engine trims */
  rng_fill(&s->rng, in->wide, 128);
  if (!fake_stim_rules) return;
  in->value |= 1;
  in->wide[2] = s->id;
}

static bool stim_reset(void *state, uint64_t cycle) {
  const stim_state_t *s = state;
  return s->profile == 1 && cycle % 50 == 49;
}

static bool waiting(const void *state) {
  (void)state;
  return fake_stim_waits || fake_stim_repeats;
}

static void vector_drive(const uint64_t *operands, void *in_bytes) {
  fake_in_t *in = in_bytes;
  in->add = 1;
  in->value = operands[0];
}

/* The sum: results are checked one cycle later. */
static bool vector_result(const void *out_bytes, uint64_t *result) {
  const fake_out_t *out = out_bytes;
  *result = out->sum;
  return true;
}

/* The rules of fake_stim_rules. */
typedef struct {
  bool had_id;
  uint32_t id;
} legal_state_t;

static const char *const rules[] = {"an even value", "another id"};

/* The number of the rule that these inputs break; -1: none. */
static int broken_rule(void *state, const void *in_bytes, const void *out) {
  legal_state_t *s = state;
  const fake_in_t *in = in_bytes;
  const uint32_t id = in->wide[2] & ID_MASK;
  (void)out;
  if (!in->add) return -1;
  if (!(in->value & 1)) return 0;
  if (s->had_id && id != s->id) return 1;
  *s = (legal_state_t){true, id};
  return -1;
}

static const legal_t legal_rules = {rules, 2, sizeof(legal_state_t), broken_rule};

static const stim_t stim = {
    .profiles = profiles,
    .num_profiles = 2,
    .state_size = sizeof(stim_state_t),
    .init = stim_init,
    .next = stim_next,
    .reset = stim_reset,
    .waiting = waiting,
    .patience = 1000,
    .vector_operands = 1,
    .vector_latency = 1,
    .vector_text = "value sum",
    .vector_drive = vector_drive,
    .vector_result = vector_result,
};

/* --- the table */

#define AT(T, name) offsetof(T, name), sizeof(((T *)0)->name)

static const dut_port_t ports[] = {
    {"add", NULL, NULL, 1, AT(fake_in_t, add), DUT_IN, DUT_SCALAR, false, 0, "add_i", 0, 0, NULL, NULL, 0, false},
    {"value", "add", NULL, 8, AT(fake_in_t, value), DUT_IN, DUT_SCALAR, false, 0, "value_i", 0, 0, NULL, NULL, 0,
     false},
    {"wide", "add", NULL, 70, AT(fake_in_t, wide), DUT_IN, DUT_VECTOR, false, 0, "wide_i", 0, 0, NULL, NULL, 0, false},
    {"sum", NULL, NULL, 16, AT(fake_out_t, sum), DUT_OUT, DUT_SCALAR, false, 0, "sum_o", 0, 0, NULL, NULL, 0, false},
    {"not_zero", NULL, NULL, 1, AT(fake_out_t, not_zero), DUT_OUT, DUT_SCALAR, false, 0, "not_zero_o", 0, 0, NULL, NULL,
     0, false},
    {"echo", "not_zero", "halves", 70, AT(fake_out_t, echo), DUT_OUT, DUT_STRUCT, false, 0, "echo_o", 0, 0, NULL, NULL,
     0, false},
    {"probe_count", NULL, NULL, 8, AT(fake_out_t, probe_count), DUT_PROBE, DUT_SCALAR, false, 0, "probe_count_o", 0, 0,
     NULL, NULL, 0, false},
};

static const dut_field_t halves[] = {{"high", 64, ID_BITS, 1}, {"low", 0, 64, 1}};
static const dut_struct_t structs[] = {{"halves", halves, 2, NULL}};

/* The table and its stimulus are made anew in each call, so that they follow the switches. */
const dut_t *fake_dut(void) {
  static stim_t told;
  static dut_t dut;
  told = stim;
  told.legal = fake_stim_tells ? &legal_rules : NULL;
  dut = (dut_t){
      .version = DUT_VERSION,
      .block = "fake",
      .kind = "rtl",
      .ports = ports,
      .num_ports = 7,
      .structs = structs,
      .num_structs = 1,
      .in_size = sizeof(fake_in_t),
      .out_size = sizeof(fake_out_t),
      .model_size = sizeof(state_t),
      .model_reset = model_reset,
      .model_eval = model_eval,
      .model_step = model_step,
      .model_idle = model_idle,
      .on_model_assert = on_model_assert,
      .stim = &told,
      .tape = &rng_tape,
      .canonical = canonical,
      .create = create,
      .destroy = free,
      .reset = reset,
      .set_inputs = set_inputs,
      .eval = eval,
      .matches = matches,
      .get_outputs = get_outputs,
      .step = step,
      .failure = failure,
  };
  if (!fake_faults.no_snapshots) {
    dut.save = save;
    dut.restore = restore;
    dut.snapshot_free = free;
  }
  return &dut;
}

const dut_t *fake_dut_repaired(void) {
  static dut_t repaired;
  repaired = *fake_dut();
  repaired.create = create_repaired;
  return &repaired;
}

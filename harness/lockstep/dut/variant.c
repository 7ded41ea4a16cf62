/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a loadable object that come from the port file alone: tables of ports and
 * parameters, canonical form, and the golden model behind untyped pointers. Each object compiles
 * this file once, with:
 *
 *   BLOCK (arb_rr), BLOCK_NAME ("arb_rr"), PORTS_FILE, PORTS_HEADER, MODEL_HEADER ("arb_rr.h"),
 *   DUT_KIND ("rtl"), HAVE_STIM, HAVE_DEVICE, HAVE_PROBES (0, 1)
 *   variant.h   the parameters
 *   pins.h      the RTL's names of the ports
 *   place.h     where the port file is (PORTS_PLACE)
 *   images.h    strings of the RTL that may be file names, and the folders of their sources
 */
#include "dut.h"
#include "images.h"

/* For images.c, which so is the same for all blocks and is compiled once (ccache). It stands before
 * the model's header, whose names may be these. */
const dut_image_t dut_images[] = {
#define IMAGE(name, folder, source) {name, folder, source},
    IMAGES{0}};
const unsigned dut_num_images = sizeof dut_images / sizeof *dut_images - 1;
const dut_read_t dut_reads[] = {
#define MEMORY(name, hex, bits, depth, first, start, end) {name, hex, bits, depth, first, start, end},
    READS{0}};
const unsigned dut_num_reads = sizeof dut_reads / sizeof *dut_reads - 1;
#undef IMAGE
#undef IMAGES
#undef MEMORY
#undef READS

#include MODEL_HEADER
#include PORTS_HEADER

#include "pins.h"
#include "place.h"
#include "port_elements.h"
#include "random.h"
#include "variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define STR_(a) #a
#define STR(a) STR_(a)
#define T_STATE CAT(BLOCK, _t)
#define T_IN CAT(BLOCK, _in_t)
#define T_OUT CAT(BLOCK, _out_t)

#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wtype-limits"

#define ROW(T, name, pin, valid, dir, shape, width, type, of, lsb) \
  {#name,                                                          \
   #valid,                                                         \
   type,                                                           \
   (uint32_t)(width),                                              \
   offsetof(T, name),                                              \
   sizeof(((T *)0)->name),                                         \
   dir,                                                            \
   shape,                                                          \
   false,                                                          \
   __LINE__,                                                       \
   pin,                                                            \
   0,                                                              \
   0,                                                              \
   NULL,                                                           \
   of,                                                             \
   lsb},
#define PORT_ROW(T, name, pin, valid, dir, shape, width, type) \
  ROW(T, name, pin, valid, dir, shape, width, type, NULL, 0)

static dut_port_t ports[] = {
#define IN(name, width, valid) PORT_ROW(T_IN, name, TEXT_IN_##name, valid, DUT_IN, DUT_SCALAR, width, NULL)
#define IN_V(name, width, valid) PORT_ROW(T_IN, name, TEXT_IN_##name, valid, DUT_IN, DUT_VECTOR, width, NULL)
#define IN_S(name, type, valid) \
  PORT_ROW(T_IN, name, TEXT_IN_##name, valid, DUT_IN, DUT_STRUCT, PORT_WIDTH_##type, #type)
#define OUT(name, width, valid) PORT_ROW(T_OUT, name, TEXT_OUT_##name, valid, DUT_OUT, DUT_SCALAR, width, NULL)
#define OUT_V(name, width, valid) PORT_ROW(T_OUT, name, TEXT_OUT_##name, valid, DUT_OUT, DUT_VECTOR, width, NULL)
#define OUT_S(name, type, valid) \
  PORT_ROW(T_OUT, name, TEXT_OUT_##name, valid, DUT_OUT, DUT_STRUCT, PORT_WIDTH_##type, #type)
#define PROBE(name, width, valid) PORT_ROW(T_OUT, name, TEXT_OUT_##name, valid, DUT_PROBE, DUT_SCALAR, width, NULL)
#define PROBE_V(name, width, valid) PORT_ROW(T_OUT, name, TEXT_OUT_##name, valid, DUT_PROBE, DUT_VECTOR, width, NULL)
#define PROBE_S(name, type, valid) \
  PORT_ROW(T_OUT, name, TEXT_OUT_##name, valid, DUT_PROBE, DUT_STRUCT, PORT_WIDTH_##type, #type)
#define ELEMENTS(T, name, pin, each, dir, width) \
  {#name,                                        \
   "always",                                     \
   NULL,                                         \
   (uint32_t)(width),                            \
   offsetof(T, name),                            \
   sizeof(((T *)0)->name),                       \
   dir,                                          \
   DUT_VECTOR,                                   \
   false,                                        \
   __LINE__,                                     \
   pin,                                          \
   0,                                            \
   0,                                            \
   #each,                                        \
   NULL,                                         \
   0},
#define IN_N(name, n, width, each) ELEMENTS(T_IN, name, TEXT_IN_##name, each, DUT_IN, (n) * (width))
#define OUT_N(name, n, width, each) ELEMENTS(T_OUT, name, TEXT_OUT_##name, each, DUT_OUT, (n) * (width))
#define PROBE_N(name, n, width, each) ELEMENTS(T_OUT, name, TEXT_OUT_##name, each, DUT_PROBE, (n) * (width))
#define IN_FIELD(name, port, member, lsb, width, valid) \
  ROW(T_IN, name, TEXT_IN_##port, valid, DUT_IN, DUT_SCALAR, width, NULL, #port, lsb)
#define IN_FIELD_V(name, port, member, lsb, width, valid) \
  ROW(T_IN, name, TEXT_IN_##port, valid, DUT_IN, DUT_VECTOR, width, NULL, #port, lsb)
#define OUT_FIELD(name, port, member, lsb, width, valid) \
  ROW(T_OUT, name, TEXT_OUT_##port, valid, DUT_OUT, DUT_SCALAR, width, NULL, #port, lsb)
#define OUT_FIELD_V(name, port, member, lsb, width, valid) \
  ROW(T_OUT, name, TEXT_OUT_##port, valid, DUT_OUT, DUT_VECTOR, width, NULL, #port, lsb)
#define PROBE_FIELD(name, port, member, lsb, width, valid) \
  ROW(T_OUT, name, TEXT_OUT_##port, valid, DUT_PROBE, DUT_SCALAR, width, NULL, #port, lsb)
#define PROBE_FIELD_V(name, port, member, lsb, width, valid) \
  ROW(T_OUT, name, TEXT_OUT_##port, valid, DUT_PROBE, DUT_VECTOR, width, NULL, #port, lsb)
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
};

static const dut_label_t labels[] = {
#define NAMED(name, label, value) {#name, #label, value},
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
    {0},
};

/* Qualifiers that are more than a name: "0", "!empty". */
static const struct {
  const char *number, *text;
} whens[] = {
#define WHEN_IN(number, text, on) {#number, text},
#define WHEN_OUT(number, text, on) {#number, text},
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
    {NULL, NULL},
};

static const char *const errors[] = {
#define ERROR(name) #name,
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
    NULL,
};

/* Inputs that count in a reset. */
static const char *const resets[] = {
#define RESET_IN(name) #name,
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
    NULL,
};

static const struct {
  const char *name;
  uint64_t bits;
  uint32_t line;
} off[] = {
#define OFF(name, bits) {#name, (uint64_t)(bits), __LINE__},
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
    {NULL, 0, 0},
};

/* The default of each text. */
static const char *const defaults[] = {
#define PARAM_TEXT(name, value, values, text) #name, value,
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
    NULL,
};

static dut_param_t params[] = {
#define PARAM(name, value, least, most, text) {#name, text, (name), (value), (least), (most), NULL},
#define PARAM_TEXT(name, value, values, text) {#name, text, (name), 0, 0, 0, values},
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
    {0},
};

#ifdef NSU_PACKET_H
/* Fields of the packet header, for reports. */
#define PKT_FIELD(name, width, text) {#name, PKT_##name##_LSB, width, 1},
#define PKT_FIELD_V(name, n, width, text) {#name, PKT_##name##_LSB, width, n},
static const dut_field_t pkt_hdr_fields[] = {
#include "nsu_packet.def"
};

static const char *pkt_hdr_value(const char *field, uint64_t value) {
  return strcmp(field, "type") ? NULL : pkt_type_name((unsigned)value);
}

static const dut_struct_t structs[] = {
    {"pkt_hdr", pkt_hdr_fields, sizeof pkt_hdr_fields / sizeof *pkt_hdr_fields, pkt_hdr_value}};
#define NUM_STRUCTS 1
#else
static const dut_struct_t structs[1];
#define NUM_STRUCTS 0
#endif

static void canonical(void *bytes) {
  T_OUT *out = bytes;
  const uint64_t is_always = 1;
#define OUT(name, width, valid) const uint64_t is_##name = out->name, no_##name = is_##name;
#define PROBE OUT
#define OUT_FIELDS(name, type, width, valid)        \
  __typeof__(out->name) is_##name, no_##name;       \
  memcpy(&is_##name, &out->name, sizeof is_##name); \
  memcpy(&no_##name, &out->name, sizeof no_##name);
#define PROBE_FIELDS OUT_FIELDS
#define WHEN_OUT(number, text, on) const uint64_t is_##number = on;
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
#define OUT(name, width, valid) \
  if (!is_##valid) out->name = 0;
#define OUT_V(name, width, valid) \
  if (!is_##valid) memset(out->name, 0, sizeof out->name);
#define OUT_S(name, type, valid) OUT_V(name, , valid)
#define OUT_N(name, n, width, valid) port_clear_elements(out->name, n, width, is_##valid);
#define PROBE OUT
#define PROBE_V OUT_V
#define PROBE_S OUT_S
#define PROBE_N OUT_N
#define OUT_FIELD(name, port, member, lsb, width, valid) OUT(name, width, valid)
#define OUT_FIELD_V(name, port, member, lsb, width, valid) OUT_V(name, width, valid)
#define PROBE_FIELD OUT_FIELD
#define PROBE_FIELD_V OUT_FIELD_V
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
}

/* Records every call of the user's code (dut.h: dut_guard_t). */
static dut_leave_t model_leave, stim_leave;
static dut_guard_t nobody;
dut_guard_t *dut_guard = &nobody;

static void set_guard(dut_guard_t *with) {
  dut_guard = with;
}

static void enter(const char *function, const dut_leave_t *leave) {
  dut_guard->leave = leave;
  dut_guard->calls++;
  dut_guard->function = function;
}

static void left(void) {
  dut_guard->function = NULL;
}

#ifdef UNCOMPARED
/* The cycles of zeros after power-up that the device has, too, in a block without a reset. */
static void step_uncompared(void *model) {
  static const T_IN zeros;
  enter(STR(BLOCK) "_step", &model_leave);
  for (int i = 0; i < UNCOMPARED; i++) CAT(BLOCK, _step)(model, &zeros);
  left();
}
#endif

extern void CAT(BLOCK, _reset_in)(T_STATE *, const T_IN *) __attribute__((weak));
#if HAVE_RESET_IN
/* The model gets those inputs that count in a reset, and zeros. */
static void reset_with(void *model, const void *in) {
  T_IN only;
  memset(&only, 0, sizeof only);
#define RESET_IN(name) \
  if (in) memcpy(&only.name, &((const T_IN *)in)->name, sizeof only.name);
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
  CAT(BLOCK, _reset_in)(model, &only);
}
#else
#define reset_with(model, in) ((void)(in))
#endif

static void model_reset(void *model, const void *in) {
#ifdef UNCOMPARED
  memset(model, 0, sizeof(T_STATE)); /* each one is a power-up */
#endif
  enter(STR(BLOCK) "_reset", &model_leave);
  CAT(BLOCK, _reset)(model);
  reset_with(model, in);
  left();
#ifdef UNCOMPARED
  step_uncompared(model);
#endif
}

static void model_eval(const void *model, const void *in, void *out) {
  enter(STR(BLOCK) "_eval", &model_leave);
  CAT(BLOCK, _eval)(model, in, out);
  left();
}

static void model_step(void *model, const void *in) {
  enter(STR(BLOCK) "_step", &model_leave);
  CAT(BLOCK, _step)(model, in);
  left();
}

extern bool CAT(BLOCK, _idle)(const T_STATE *) __attribute__((weak));
static bool model_idle(const void *model) {
  enter(STR(BLOCK) "_idle", &model_leave);
  bool idle = CAT(BLOCK, _idle)(model);
  left();
  return idle;
}

static void on_model_assert(dut_assert_t handler, void *context) {
  model_leave = (dut_leave_t){handler, context};
}
static void on_stim_crash(dut_assert_t handler, void *context) {
  stim_leave = (dut_leave_t){handler, context};
}

/* Replaces __assert_fail in the object, so that a failed assert() of the model calls the engine's
 * handler and not abort(). */
void __attribute__((noreturn, visibility("hidden")))
__assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  const dut_leave_t leave = dut_guard->function ? *dut_guard->leave : model_leave;
  (void)function;
  if (!leave.handler) abort();
  left();
  leave.handler(leave.context, file, line, text);
  abort();
}

/* What gcc calls with -fsanitize=bounds-strict: an index behind the end of an array whose size is
 * in its type. The names and structs are gcc's. */
typedef struct {
  struct {
    const char *file;
    uint32_t line, column;
  } place;
  const struct {
    uint16_t kind, info;
    char name[]; /* "'uint32_t [4]'" */
  } * array, *index;
} out_of_bounds_t;

void __attribute__((noreturn, visibility("hidden")))
__ubsan_handle_out_of_bounds_abort(const out_of_bounds_t *what, uintptr_t index);
void __ubsan_handle_out_of_bounds_abort(const out_of_bounds_t *what, uintptr_t index) {
  char text[160];
  snprintf(text, sizeof text,
           "index %lld is behind the end of an array of type %s: what is there is another port or field",
           (long long)(intptr_t)index, what->array->name);
  __assert_fail(text, what->place.file, what->place.line, "");
}

enum { NO_VERDICT = 3 }; /* exit status of the command, as in cli.h */

/* The linker sends an object's calls that end the process here (--wrap). A status that a model, a
 * stimulus or the device's code chooses is no verdict: the process ends with a line and NO_VERDICT.
 * For status 0 the parent of the process prints the line (harness/cli/outer.h). */
static int end_of_process(const char *call, int status) {
  char text[160];
  if (!dut_guard->function) {
    if (status)
      fprintf(stderr, "lockstack: %s: C code that the RTL calls ended the process by %s(%d): no verdict\n", STR(BLOCK),
              call, status);
    return status ? NO_VERDICT : 0;
  }
  const dut_leave_t leave = *dut_guard->leave;
  if (!leave.handler) abort();
  snprintf(text, sizeof text, "%s: it called %s()", dut_guard->function, call);
  left();
  leave.handler(leave.context, NULL, 0, text);
  return NO_VERDICT;
}

#define ENDS(call)                                                                \
  _Noreturn void __real_##call(int status);                                       \
  __attribute__((visibility("hidden"))) _Noreturn void __wrap_##call(int status); \
  void __wrap_##call(int status) {                                                \
    __real_##call(end_of_process(#call, status));                                 \
  }
ENDS(exit)
ENDS(_exit)
ENDS(_Exit)
ENDS(quick_exit)

#if HAVE_STIM
#include "stim.h"
extern const stim_t CAT(BLOCK, _stim);

static void stim_init(void *state, uint64_t seed, unsigned profile) {
  enter(STR(BLOCK) "_stim.init", &stim_leave);
  CAT(BLOCK, _stim).init(state, seed, profile);
  left();
}

static void stim_next(void *state, uint64_t cycle, const void *out, void *in) {
  enter(STR(BLOCK) "_stim.next", &stim_leave);
  CAT(BLOCK, _stim).next(state, cycle, out, in);
  left();
}

static bool stim_reset(void *state, uint64_t cycle) {
  enter(STR(BLOCK) "_stim.reset", &stim_leave);
  bool reset = CAT(BLOCK, _stim).reset(state, cycle);
  left();
  return reset;
}

static unsigned stim_turn(void *state, uint64_t seed, unsigned profile) {
  enter(STR(BLOCK) "_stim.turn", &stim_leave);
  unsigned now = CAT(BLOCK, _stim).turn(state, seed, profile);
  left();
  return now;
}

static bool stim_waiting(const void *state) {
  enter(STR(BLOCK) "_stim.waiting", &stim_leave);
  bool waiting = CAT(BLOCK, _stim).waiting(state);
  left();
  return waiting;
}

static void stim_vector_drive(const uint64_t *operands, void *in) {
  enter(STR(BLOCK) "_stim.vector_drive", &stim_leave);
  CAT(BLOCK, _stim).vector_drive(operands, in);
  left();
}

static bool stim_vector_result(const void *out, uint64_t *result) {
  enter(STR(BLOCK) "_stim.vector_result", &stim_leave);
  bool there = CAT(BLOCK, _stim).vector_result(out, result);
  left();
  return there;
}

/* The block's stimulus with the functions above in place of its own. */
static stim_t guarded_stim;

static void fill_stim(void) {
  guarded_stim = CAT(BLOCK, _stim);
  guarded_stim.init = stim_init;
  guarded_stim.next = stim_next;
  if (guarded_stim.reset) guarded_stim.reset = stim_reset;
  if (guarded_stim.turn) guarded_stim.turn = stim_turn;
  if (guarded_stim.waiting) guarded_stim.waiting = stim_waiting;
  if (guarded_stim.vector_drive) guarded_stim.vector_drive = stim_vector_drive;
  if (guarded_stim.vector_result) guarded_stim.vector_result = stim_vector_result;
}
#else
static void fill_stim(void) {}
#endif

__attribute__((visibility("default"))) dut_t lockstack_dut = {
    .version = DUT_VERSION,
    .block = BLOCK_NAME,
    .kind = DUT_KIND,
    .ports_file = PORTS_PLACE,
    .no_probes = !HAVE_PROBES,
#ifdef UNCOMPARED
    .powers_up = true,
    .reset_cycles = UNCOMPARED,
#else
    .reset_cycles = 2,
#endif
#define KIND(kind) .mealy = KIND_##kind,
#define KIND_moore false
#define KIND_mealy true
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
    .ports = ports,
    .num_ports = sizeof ports / sizeof *ports,
    .params = params,
    .num_params = sizeof params / sizeof *params - 1,
    .structs = structs,
    .num_structs = NUM_STRUCTS,
    .labels = labels,
    .num_labels = sizeof labels / sizeof *labels - 1,
    .in_size = sizeof(T_IN),
    .out_size = sizeof(T_OUT),
    .model_size = sizeof(T_STATE),
    .model_reset = model_reset,
    .model_eval = model_eval,
    .model_step = model_step,
    .on_model_assert = on_model_assert,
#if HAVE_STIM
    .stim = &guarded_stim,
    .tape = &rng_tape,
#endif
    .on_stim_crash = on_stim_crash,
    .set_guard = set_guard,
    .images = dut_images,
    .reads = dut_reads,
    .set_files = dut_set_files,
    .canonical = canonical,
};

/* Random numbers of the Verilated runtime, under the C++ names of vl_rand64(),
 * VL_RANDOM_SEEDED_II(IData &) and VL_URANDOM_SEEDED_II(IData); dut_printf.h makes the runtime's
 * own definitions weak. The shim sets dut_random to the state of the current device. */
uint64_t *dut_random;
uint64_t _Z9vl_rand64v(void);
uint32_t _Z19VL_RANDOM_SEEDED_IIRj(uint32_t *variable);
uint32_t _Z20VL_URANDOM_SEEDED_IIj(uint32_t seed);

uint64_t _Z9vl_rand64v(void) {
  return random_next(dut_random);
}
uint32_t _Z19VL_RANDOM_SEEDED_IIRj(uint32_t *variable) {
  return (uint32_t)random_of_variable((int32_t *)variable);
}
uint32_t _Z20VL_URANDOM_SEEDED_IIj(uint32_t seed) {
  return (uint32_t)random_of_variable(&(int32_t){(int32_t)seed}) ^ 1u << 31;
}

#if HAVE_DEVICE
/* The shim of this kind fills in the device's functions. */
void dut_shim_fill(dut_t *dut);
#else
static void dut_shim_fill(dut_t *dut) {
  (void)dut;
}
#endif

/* Where `word` is in a list of words with blanks between. */
static int64_t word_number(const char *list, const char *word) {
  const size_t length = strlen(word);
  int64_t n = 0;
  for (list += strspn(list, " "); *list; n++) {
    const size_t here = strcspn(list, " ");
    if (here == length && strncmp(list, word, length) == 0) return n;
    list += here + strspn(list + here, " ");
  }
  return n;
}

/* The default and the most of each parameter that is a text. */
static void fill_texts(void) {
  for (size_t i = 0; i < sizeof params / sizeof *params - 1; i++)
    for (size_t k = 0; params[i].values && defaults[k]; k += 2) {
      if (strcmp(defaults[k], params[i].name)) continue;
      params[i].initial = word_number(params[i].values, defaults[k + 1]);
      params[i].most = word_number(params[i].values, "\n") - 1;
    }
}

/* A number in the place of a qualifier becomes the qualifier, always NULL. */
static const char *qualifier(const char *text) {
  if (!text || strcmp(text, "always") == 0) return NULL;
  for (size_t i = 0; whens[i].number; i++)
    if (strcmp(whens[i].number, text) == 0) return whens[i].text;
  return text;
}

__attribute__((constructor)) static void fill(void) {
  fill_texts();
  for (size_t i = 0; i < sizeof ports / sizeof *ports; i++)
    ports[i].valid = qualifier(ports[i].valid), ports[i].each = qualifier(ports[i].each);
  for (size_t i = 0; i < sizeof ports / sizeof *ports; i++)
    for (const char *const *error = errors; *error; error++)
      ports[i].error |= ports[i].dir == DUT_OUT && strcmp(ports[i].name, *error) == 0;
  for (size_t i = 0; i < sizeof ports / sizeof *ports; i++)
    for (size_t k = 0; off[k].name; k++)
      if (ports[i].dir != DUT_IN && strcmp(ports[i].name, off[k].name) == 0)
        ports[i].off |= off[k].bits, ports[i].off_line = off[k].line;
  for (size_t i = 0; i < sizeof ports / sizeof *ports; i++)
    for (const char *const *name = resets; *name; name++)
      ports[i].in_reset |= ports[i].dir == DUT_IN && strcmp(ports[i].of ? ports[i].of : ports[i].name, *name) == 0;
#if HAVE_RESET_IN
  if (!CAT(BLOCK, _reset_in))
    lockstack_dut.wrong = "RESET_IN says that inputs count in a reset; the model should have " STR(
        CAT(BLOCK, _reset_in)) " which gets them";
#else
  if (CAT(BLOCK, _reset_in))
    lockstack_dut.wrong = "the model has " STR(CAT(BLOCK, _reset_in)) ", and no entry says which inputs it gets; "
                                                                      "RESET_IN(NAME) would be right";
#endif
  if (CAT(BLOCK, _idle)) lockstack_dut.model_idle = model_idle;
  lockstack_dut.num_images = dut_num_images, lockstack_dut.num_reads = dut_num_reads;
  fill_stim();
  dut_shim_fill(&lockstack_dut);
}

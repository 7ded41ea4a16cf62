// SPDX-License-Identifier: Apache-2.0
//
// A Verilated block behind dut.h. The only C++ of the engine: port by port it moves fields between
// X_in_t / X_out_t and the Verilated class (shim_ports.h). Compiled once per object with BLOCK,
// PORTS_FILE, PORTS_HEADER, DUT_CLASS, DUT_HEADER, HAVE_PROBES, and the parameters from variant.h.
//
// An assertion in the RTL sets `failed` (vl_stop below) and the simulation goes on. Logic that does
// not settle ends its evaluation in the same way (vl_fatal).
// Long file: one device, whose kinds share its state.
#include DUT_HEADER
#include "verilated.h"
#include "verilated_save.h"
#if HAVE_COV
#include "verilated_cov_table.h"
#endif
#if HAVE_COV || HAVE_TOGGLES
#include "verilated_vcd_c.h"
#endif
#if VM_TRACE
#include "verilated_fst_c.h"
#include "verilated_features.h"
#endif
#if HAVE_FAULTS || VM_TRACE || HAVE_TOGGLES
#include DUT_SYMS_HEADER
#endif

#include "power_up.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <vector>

extern "C" {
#include "dut.h"
}
#include "pins.h"
#include "variant.h"
extern "C" {
#include "random.h"
extern uint64_t *dut_random; // variant.c
#include PORTS_HEADER
#include "port_elements.h"
}

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define STR_(a) #a
#define STR(a) STR_(a)
using in_t = CAT(BLOCK, _in_t);
using out_t = CAT(BLOCK, _out_t);

#pragma GCC diagnostic ignored "-Wunused-variable"

uint64_t lockstack::power_up_seed;

namespace {

// A device that does not settle: logic of the block that feeds itself, and the Verilated code would
// go on for ever.
struct unsettled {};

// What the RTL has said in words since the last clear, and whether it has stopped.
char message[512];
char failure_text[1024];
bool failed;

uint64_t seed = RANDOM_SEED; // of the next device
uint64_t begin_seed;         // what it begins with; 0: zeros

// Nobody resets the registers of a block without a reset: those that declare no value have any.
#ifdef UNCOMPARED
constexpr bool begins_as_any = true;
#else
constexpr bool begins_as_any = false;
#endif

struct device {
  VerilatedContext context;
  DUT_CLASS top;
#if VM_TRACE
  VerilatedFstC *trace = nullptr;
  CAT(BLOCK, _out_t) model{}; // what the model shows in this cycle, for the waveform
  bool model_shows = false, diverged = false;
  uint32_t model_code = 0; // of its first signal in the file
#endif
#if HAVE_COV || HAVE_TOGGLES
  VerilatedVcdC trace;
  bool counting = false; // the first reset is over
#endif
#if HAVE_TOGGLES
  uint64_t in_reset = 0; // cycles since the counts were taken
#endif
#ifdef UNCOMPARED
  void *power_up = nullptr; // a snapshot of it
  bool used = false;        // since then
#endif
  bool has_failed = false;
  bool undefined = false; // its registers have any value, until its first reset is over
  std::string text;
  uint64_t random = random_start(seed); // of $random and $urandom

  device() : context{}, top{prepared(context), "TOP"} {}
  // Verilator's scopes leave the calling thread's current context, which may be that of a device
  // long gone.
  ~device() {
    Verilated::threadContextp(&context);
  }

private:
  static VerilatedContext *prepared(VerilatedContext &c) {
    static const char *command[] = {"lockstack"};
    c.threads(1);              // no pool of workers for each device
    c.commandArgs(1, command); // no plusargs
    uint64_t &begin = lockstack::power_up_seed;
    begin = begin_seed || !begins_as_any ? begin_seed : random_start(seed);
    static uint64_t other; // of what recipe_power_up.c has not named
    other = begin;
    dut_random = &other;
    c.randReset(begin ? 2 : 0); // until the device is powered up (dev_create)
    c.randSeed(static_cast<int>(begin));
    return &c;
  }
};

// Moves between Verilated ports (CData .. QData, VlWide) and C fields (uint64_t, uint32_t[]).
template <typename pin_t> inline void put(pin_t &port, uint64_t value) {
  port = static_cast<pin_t>(value);
}
template <typename pin_t> inline void put(pin_t &port, const uint32_t *words) {
  port = static_cast<pin_t>(words[0] | static_cast<uint64_t>(words[1]) << 32);
}
template <std::size_t pin_words> inline void put(VlWide<pin_words> &port, const uint32_t *words) {
  std::memcpy(port.data(), words, pin_words * sizeof(uint32_t));
}

template <typename pin_t> inline void get(const pin_t &port, uint64_t &value) {
  value = port;
}
template <typename pin_t, std::size_t field_words> inline void get(const pin_t &port, uint32_t (&words)[field_words]) {
  words[0] = static_cast<uint32_t>(port);
  words[1] = static_cast<uint32_t>(static_cast<uint64_t>(port) >> 32);
}
template <std::size_t pin_words, std::size_t field_words>
inline void get(const VlWide<pin_words> &port, uint32_t (&words)[field_words]) {
  std::memcpy(words, port.data(), pin_words * sizeof(uint32_t));
  if (field_words > pin_words) words[field_words - 1] = 0;
}

template <typename pin_t> inline bool same(const pin_t &port, uint64_t value) {
  return port == value;
}
template <typename pin_t> inline bool same(const pin_t &port, const uint32_t *words) {
  return port == (words[0] | static_cast<uint64_t>(words[1]) << 32);
}
template <std::size_t pin_words> inline bool same(const VlWide<pin_words> &port, const uint32_t *words) {
  return std::memcmp(port.data(), words, pin_words * sizeof(uint32_t)) == 0;
}

using device_t = DUT_CLASS;
#define PIN(name) top.PIN_##name
#define PIN_IN(name) top.PIN_IN_##name
#define PIN_OUT(name) top.PIN_OUT_##name
#include "shim_ports.h"

#if HAVE_COV || HAVE_TOGGLES
#include "verilated_signals.h"
#endif

inline bool finish(device *d) {
#if VM_TRACE
  if (d->trace) d->trace->dump(d->context.time());
#endif
#if HAVE_COV
  if (d->counting) d->trace.spTrace()->dump();
#endif
  if (__builtin_expect(!failed, 1)) return true;
  if (!d->has_failed) d->text = failure_text;
  d->has_failed = true;
  failed = false;
  return false;
}

inline void settle(device *d) {
  dut_random = &d->random;
  try {
    d->top.eval();
  } catch (const unsettled &) {}
}

bool edge(device *d, int level) {
  d->context.timeInc(1);
  set_clock(d->top, level);
  settle(d);
  return finish(d);
}

// Kind netlist+toggles takes its samples before and after the rising edge: dev_eval may be called
// any number of times in a cycle.
inline void sample(device *d) {
#if HAVE_TOGGLES
  d->trace.spTrace()->dump();
#else
  static_cast<void>(d);
#endif
}

bool dev_eval(void *dev) {
  return edge(static_cast<device *>(dev), 0);
}
bool dev_step(void *dev) {
  device *d = static_cast<device *>(dev);
  sample(d);
  const bool held = edge(d, 1);
  sample(d);
  return held;
}

void dev_set_inputs(void *dev, const void *in) {
  set_inputs(static_cast<device *>(dev)->top, static_cast<const in_t *>(in));
}

bool dev_matches(void *dev, const void *out) {
  return outputs_match(static_cast<device *>(dev)->top, static_cast<const out_t *>(out));
}

void (*canonical)(void *out);

void dev_get_canonical(void *dev, void *bytes) {
  read_outputs(static_cast<device *>(dev)->top, static_cast<out_t *>(bytes));
  canonical(bytes);
}

#ifdef UNCOMPARED
void *dev_save(void *dev);
void snapshot_free(void *s);
void power_up_again(device *d);
#endif

void dev_reset(void *dev, const void *in) {
  device *d = static_cast<device *>(dev);
#ifdef UNCOMPARED
  if (d->used) power_up_again(d);
  d->used = true;
#endif
  d->has_failed = false;
#if VM_TRACE
  d->model_shows = false;
#endif
  reset_inputs(d->top, static_cast<const in_t *>(in));
  set_reset(d->top, true);
  for (int i = 0; i < reset_cycles; i++) {
    edge(d, 0);
    edge(d, 1);
  }
#if HAVE_COV || HAVE_TOGGLES
  if (!d->counting || HAVE_TOGGLES) d->trace.spTrace()->settle();
  if (!d->counting) d->trace.spTrace()->forget();
  d->counting = true;
#endif
#if HAVE_TOGGLES
  d->in_reset += reset_cycles;
#endif
  /* What an assertion says of values that nobody has given yet is nothing. */
  if (d->undefined) d->has_failed = d->undefined = false;
  set_reset(d->top, false);
}

void dev_seed(uint64_t number) {
  seed = number;
}

void dev_power_up(uint64_t number) {
  begin_seed = number;
}

// At power-up an asynchronous reset is active, and Verilator sees no edge to it. A register whose
// clock stands still waits for no other. What assertions say of the moment between does not count.
void raise_reset(device *d) {
  set_reset(d->top, false);
  settle(d);
  set_reset(d->top, true);
  settle(d);
  failed = false;
  message[0] = failure_text[0] = 0;
}

void *dev_create() {
  failed = false;
  message[0] = failure_text[0] = 0;
  device *d = new (std::nothrow) device;
  if (!d) return nullptr;
#if VM_TRACE || HAVE_COV || HAVE_TOGGLES
  d->context.traceEverOn(true);
#endif
#if HAVE_COV || HAVE_TOGGLES
  d->top.trace(&d->trace, 99);
#endif
  zero_inputs(d->top);
  set_clock(d->top, 0);
  set_reset(d->top, true);
  settle(d); // initial blocks run here: a parameter out of range is a $fatal
  d->undefined = d->context.randReset() && !begins_as_any;
  d->context.randReset(0);
  if (!finish(d) && !d->undefined) {
    delete d;
    return nullptr;
  }
  raise_reset(d);
#if HAVE_COV || HAVE_TOGGLES
  d->trace.spTrace()->open();
  signals_fill(*d->trace.spTrace());
#endif
#if HAVE_COV
  cov_table(d->top);
#endif
#ifdef UNCOMPARED
  if (!(d->power_up = dev_save(d))) {
    delete d;
    return nullptr;
  }
#endif
  return d;
}

void dev_destroy(void *dev) {
  device *d = static_cast<device *>(dev);
#if VM_TRACE
  if (d->trace) d->trace->close();
  delete d->trace;
#endif
  dut_random = &d->random;
  d->top.final();
#ifdef UNCOMPARED
  snapshot_free(d->power_up);
#endif
  delete d;
}

const char *dev_failure(void *dev) {
  if (!dev) return *failure_text ? failure_text : nullptr;
  device *d = static_cast<device *>(dev);
  return d->has_failed ? d->text.c_str() : nullptr;
}

#if HAVE_TOGGLES
uint32_t dev_num_counts(void *dev) {
  return static_cast<device *>(dev)->trace.spTrace()->buffer().record().size();
}

void dev_take_counts(void *dev, dut_count_t *counts, dut_counted_t *counted) {
  device *d = static_cast<device *>(dev);
  VerilatedVcd &trace = *d->trace.spTrace();
  const VerilatedVcd::Buffer &buffer = trace.buffer();
  *counted = {buffer.record().samples() / 2, d->in_reset};
  auto put = [counts](uint32_t i, uint32_t rises, uint32_t falls, uint64_t high, uint64_t edges) {
    counts[i] = {rises, falls, high, edges};
  };
  if (counts) buffer.record().each(buffer.values(), put);
  trace.forget();
  d->in_reset = 0;
}
#elif !HAVE_COV
struct snapshot {
  std::string bytes;
  uint64_t time, random;
};

class saver final : public VerilatedSerialize {
public:
  explicit saver(std::string &bytes) : bytes_{bytes} { m_isOpen = true; }
  ~saver() override { flush(); }
  void flush() override {
    bytes_.append(reinterpret_cast<const char *>(m_bufp), m_cp - m_bufp);
    m_cp = m_bufp;
  }

private:
  std::string &bytes_;
};

class loader final : public VerilatedDeserialize {
public:
  explicit loader(const std::string &bytes) : bytes_{bytes} {
    m_isOpen = true;
    m_cp = m_endp = m_bufp;
    fill();
  }
  void close() override {}
  void flush() override {}
  void fill() override {
    std::size_t left = m_endp - m_cp;
    std::memmove(m_bufp, m_cp, left);
    std::size_t n = bytes_.copy(reinterpret_cast<char *>(m_bufp) + left, bufferSize() - left, at_);
    at_ += n;
    m_cp = m_bufp;
    m_endp = m_bufp + left + n;
  }

private:
  const std::string &bytes_;
  std::size_t at_ = 0;
};

void *dev_save(void *dev) {
  snapshot *s = new (std::nothrow) snapshot;
  if (!s) return nullptr;
  device *d = static_cast<device *>(dev);
  saver os{s->bytes};
  os << d->top;
  s->time = d->context.time();
  s->random = d->random;
  return s;
}

void dev_restore(void *dev, const void *bytes) {
  const snapshot *s = static_cast<const snapshot *>(bytes);
  device *d = static_cast<device *>(dev);
  loader is{s->bytes};
  is >> d->top;
  d->context.time(s->time);
  d->random = s->random;
  d->has_failed = false;
}

void snapshot_free(void *s) {
  delete static_cast<snapshot *>(s);
}
#else
const uint32_t *dev_counters(void *dev, uint32_t *count) {
  return cov_counters(static_cast<device *>(dev)->top, count);
}
void dev_toggles(void *dev, dut_toggles_t *toggles) {
  const toggle_seen &seen = static_cast<device *>(dev)->trace.spTrace()->buffer().record();
  *toggles = {seen.rises(), seen.falls(), static_cast<uint32_t>(seen.words())};
}
struct snapshot {
  void *bytes;
  uint64_t random;
};
void *dev_save(void *dev) {
  device *d = static_cast<device *>(dev);
  snapshot *s = new (std::nothrow) snapshot{cov_save(d->top), d->random};
  if (!s || s->bytes) return s;
  delete s;
  return nullptr;
}
void dev_restore(void *dev, const void *bytes) {
  const snapshot *s = static_cast<const snapshot *>(bytes);
  device *d = static_cast<device *>(dev);
  cov_restore(d->top, s->bytes);
  d->random = s->random;
  d->has_failed = false;
  d->trace.spTrace()->settle();
}
void snapshot_free(void *bytes) {
  snapshot *s = static_cast<snapshot *>(bytes);
  if (s) std::free(s->bytes);
  delete s;
}
#endif

// A block without a reset begins anew at power-up. Time goes on, as in a waveform.
#ifdef UNCOMPARED
#if HAVE_TOGGLES
// Gates are one module of plain data; there is no --savable.
struct snapshot {
  std::string bytes;
};
void *dev_save(void *dev) {
  const auto *root = static_cast<device *>(dev)->top.rootp;
  return new (std::nothrow) snapshot{{reinterpret_cast<const char *>(root), sizeof *root}};
}
void dev_restore(void *dev, const void *bytes) {
  const snapshot *s = static_cast<const snapshot *>(bytes);
  std::memcpy(static_cast<void *>(static_cast<device *>(dev)->top.rootp), s->bytes.data(), s->bytes.size());
}
void snapshot_free(void *s) {
  delete static_cast<snapshot *>(s);
}
#endif

void power_up_again(device *d) {
  const uint64_t time = d->context.time();
  dev_restore(d, d->power_up);
  d->context.time(time);
}
#endif

#if VM_TRACE
#include "verilated_wave.h"

bool wave_open(void *dev, const char *path) {
  device *d = static_cast<device *>(dev);
  d->trace = new VerilatedFstC;
  d->top.trace(d->trace, 99);
  d->trace->spTrace()->addInitCb(model_declare, d);
  features::add_full(d->trace->spTrace(), model_dump<true>, d, 0);
  features::add_change(d->trace->spTrace(), model_dump<false>, d, 0);
  d->trace->open(path);
  return d->trace->isOpen();
}

void wave_close(void *dev) {
  device *d = static_cast<device *>(dev);
  if (!d->trace) return;
  d->trace->close();
  delete d->trace;
  d->trace = nullptr;
}
#endif

#if HAVE_FAULTS || VM_TRACE
#include "verilated_state.h"
#endif

void stopped(const char *file, int line, const char *why, const char *prefix = "") {
  if (failed) return;
  failed = true;
  const char *text =
      std::strstr(message, "Assertion failed"); // of $error, $fatal and assert; else the last $display, long ago
  std::snprintf(failure_text, sizeof failure_text, "%s%s:%d: %s", prefix, file, line, text ? text : why);
  std::size_t n = std::strlen(failure_text);
  while (n && failure_text[n - 1] == '\n') failure_text[--n] = 0;
  message[0] = 0;
}

} // namespace

// The Verilated runtime calls these (built with VL_USER_STOP and so on, and VL_PRINTF=dut_printf).
int dut_printf(const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = std::vsnprintf(message, sizeof message, format, args);
  va_end(args);
  return n;
}
void vl_finish(const char *file, int line, const char *) {
  stopped(file, line, "$finish");
}
void vl_stop(const char *file, int line, const char *) {
  stopped(file, line, "$stop");
}
void vl_fatal(const char *file, int line, const char *, const char *text) {
  stopped(file, line, text, DUT_ENDED);
  throw unsettled{};
}
// The only warning that changes what is simulated: a memory keeps what it had.
void vl_warn(const char *file, int, const char *, const char *text) {
  if (failed || std::strcmp(text, "$readmem file not found")) return;
  failed = true;
  std::snprintf(failure_text, sizeof failure_text,
                DUT_INPUT "$readmem: no file %s, beside the RTL that names it; or two sources name files that differ",
                file);
}

extern "C" void dut_shim_fill(dut_t *dut) {
  canonical = dut->canonical;
  dut->seed = dev_seed;
#if !OF_GATES
  dut->power_up = dev_power_up;
#endif
  dut->create = dev_create;
  dut->destroy = dev_destroy;
  dut->reset = dev_reset;
  dut->set_inputs = dev_set_inputs;
  dut->eval = dev_eval;
  dut->matches = dev_matches;
  dut->get_outputs = dev_get_canonical;
  dut->step = dev_step;
  dut->failure = dev_failure;
#if HAVE_TOGGLES
  dut->num_counts = dev_num_counts;
  dut->take_counts = dev_take_counts;
#else
  dut->save = dev_save;
  dut->restore = dev_restore;
  dut->snapshot_free = snapshot_free;
#endif
#if HAVE_COV || HAVE_TOGGLES
  dut->signals = dev_signals;
#endif
#if HAVE_FAULTS || VM_TRACE
  dut->states = states;
  dut->num_states = num_states;
  dut->state_size = state_size;
  dut->state_get = state_get;
#endif
#if HAVE_FAULTS
  dut->state_set = state_set;
  dut->flip = flip;
#endif
#if HAVE_COV
  dut->points = cov_points;
  dut->counters = dev_counters;
  dut->toggles = dev_toggles;
  dut_points_fill(dut);
#endif
#if VM_TRACE
  dut->wave_open = wave_open;
  dut->wave_close = wave_close;
  dut->wave_model = wave_model;
  dut->parts = parts;
  dut->num_parts = sizeof parts / sizeof *parts - 1;
  dut->wires = wires;
  dut->num_wires = sizeof wires / sizeof *wires - 1;
#endif
}

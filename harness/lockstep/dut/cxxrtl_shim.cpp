// SPDX-License-Identifier: Apache-2.0
//
// A block as Yosys simulates it (write_cxxrtl) behind dut.h: another reading of the same RTL than
// Verilator's. Compiled once per object, with what was generated, with BLOCK, PORTS_FILE,
// PORTS_HEADER, HAVE_PROBES, the parameters from variant.h, and from
// harness/lockstep/objects/recipe_yosys.c:
//   design.h, design.cc   the block
//   design_names.h        PORT_clk_i, what C++ calls the port; DUT_CLASS; SRAMS, a list of
//                         SRAM(Width, Depth, LaneBits) that are there; STATE, a list of VALUE(x),
//                         WIRE(x), MEMORY(x), CELL(x, Width, Depth, LaneBits), all of its members;
//                         HAVE_LATCHES, if it has some
//
// The memories (sram_*) are macros and behavioural here: with their RTL, Yosys takes minutes.
// Assertions of the RTL are not in it.
#include <cstddef>

constexpr std::size_t sram_bits(std::size_t depth) {
  return depth <= 2 ? 1 : 1 + sram_bits((depth + 1) / 2);
}

#include "design.h"
#include "design_names.h"

#include <cstring>
#include <new>
#include <string>

#ifdef SRAMS
namespace cxxrtl_design {

// rtl/lib/sram_1r1w.sv says what it does.
template <std::size_t Width, std::size_t Depth, std::size_t LaneBits>
struct sram : public bb_p_sram__1r1w<Width, Depth, LaneBits> {
  using base = bb_p_sram__1r1w<Width, Depth, LaneBits>;
  value<Width> rows[Depth] = {};

  bool eval() override {
    if (this->posedge_p_clk__i()) {
      std::size_t row = this->p_rd__addr__i.data[0];
      if (this->p_rd__en__i.data[0] && row < Depth) this->p_rd__data__o.next = rows[row];
      if (this->p_wr__en__i.data[0]) write(this->p_wr__addr__i.data[0]);
    }
    return base::eval();
  }

private:
  void write(std::size_t row) {
    for (std::size_t lane = 0; row < Depth && lane < Width / LaneBits; lane++) {
      if (!(this->p_wr__mask__i.data[lane / 32] >> lane % 32 & 1)) continue;
      for (std::size_t bit = lane * LaneBits; bit < (lane + 1) * LaneBits; bit++) {
        uint32_t one = 1u << bit % 32;
        rows[row].data[bit / 32] = (rows[row].data[bit / 32] & ~one) | (this->p_wr__data__i.data[bit / 32] & one);
      }
    }
  }
};

#define SRAM(w, d, l)                                                                                   \
  template <>                                                                                           \
  std::unique_ptr<bb_p_sram__1r1w<w, d, l>> bb_p_sram__1r1w<w, d, l>::create(std::string, metadata_map, \
                                                                             metadata_map) {            \
    return std::make_unique<sram<w, d, l>>();                                                           \
  }
SRAMS
#undef SRAM

} // namespace cxxrtl_design
#endif

#include "design.cc"

// Not before: parameters are macros, and may be called Width.
extern "C" {
#include "dut.h"
}
#include "variant.h"
extern "C" {
#include PORTS_HEADER
#include "port_elements.h"
}

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define STR_(a) #a
#define STR(a) STR_(a)

#pragma GCC diagnostic ignored "-Wunused-variable"

namespace {

using in_t = CAT(BLOCK, _in_t);
using out_t = CAT(BLOCK, _out_t);
using device_t = cxxrtl_design::DUT_CLASS;

template <std::size_t pin_bits> inline void put(cxxrtl::value<pin_bits> &port, uint64_t value) {
  port.data[0] = static_cast<uint32_t>(value);
  if (pin_bits > 32) port.data[port.chunks - 1] = static_cast<uint32_t>(value >> 32);
}
template <std::size_t pin_bits> inline void put(cxxrtl::value<pin_bits> &port, const uint32_t *words) {
  std::memcpy(port.data, words, sizeof port.data);
}

template <std::size_t pin_bits> inline void get(const cxxrtl::value<pin_bits> &port, uint64_t &value) {
  value = port.data[0] | (pin_bits > 32 ? static_cast<uint64_t>(port.data[port.chunks - 1]) << 32 : 0);
}
template <std::size_t pin_bits, std::size_t field_words>
inline void get(const cxxrtl::value<pin_bits> &port, uint32_t (&words)[field_words]) {
  std::memset(words, 0, sizeof words);
  std::memcpy(words, port.data, sizeof port.data);
}
template <std::size_t pin_bits, typename field_t> inline void get(const cxxrtl::wire<pin_bits> &port, field_t &field) {
  get(port.curr, field);
}

template <std::size_t pin_bits> inline bool same(const cxxrtl::value<pin_bits> &port, uint64_t value) {
  uint64_t mine;
  get(port, mine);
  return mine == value;
}
template <std::size_t pin_bits> inline bool same(const cxxrtl::value<pin_bits> &port, const uint32_t *words) {
  return std::memcmp(port.data, words, sizeof port.data) == 0;
}
template <std::size_t pin_bits, typename field_t>
inline bool same(const cxxrtl::wire<pin_bits> &port, const field_t &field) {
  return same(port.curr, field);
}

#define PIN(name) top.PORT_##name
#define PIN_IN(name) top.PORT_IN_##name
#define PIN_OUT(name) top.PORT_OUT_##name
#include "shim_ports.h"

struct device {
  device_t top;
  bool unsettled = false;
  std::string moving;   // what did not settle
  std::string power_up; // of a block without a reset: its state then
};

device_t &top_of(void *dev) {
  return static_cast<device *>(dev)->top;
}

// eval() says that it has converged although what follows a latch has its old value.
#ifdef HAVE_LATCHES
constexpr bool has_latches = true;
#else
constexpr bool has_latches = false;
#endif

// "p_a__b" is a_b, "p_u_2e_a" is u.a; a name of Yosys' own, "i_...", is left out.
void add_name(std::string &names, const char *member) {
  if (std::strncmp(member, "p_", 2) || names.size() > 200) return;
  names += names.empty() ? "'" : ", '";
  for (const char *at = member + 2; *at; at++) {
    unsigned sign;
    int used = 0;
    if (*at != '_') names += *at;
    else if (at[1] == '_') names += '_', at++;
    else if (std::sscanf(at, "_%2x_%n", &sign, &used) == 1 && used) names += static_cast<char>(sign), at += used - 1;
  }
  names += "'";
}

// What the next evaluation would change.
std::string moving_wires(device_t &top) {
  std::string names;
  top.eval();
#define VALUE(x)
#define WIRE(x) \
  if (!(top.x.curr == top.x.next)) add_name(names, #x);
#define MEMORY(x)
#define CELL(x, w, d, l)
  STATE
#undef VALUE
#undef WIRE
#undef MEMORY
#undef CELL
  return names;
}

// Logic that feeds itself, or a net with two drivers, never settles: step() of cxxrtl.h would go on
// for ever.
bool edge(device *d, unsigned level) {
  constexpr int most = 10000;
  bool settled = false;
  set_clock(d->top, level);
  for (int i = 0; i < most && !settled; i++) {
    const bool converged = d->top.eval() && !has_latches;
    settled = !d->top.commit() || converged;
  }
  if (settled || d->unsettled) return true;
  d->unsettled = true;
  d->moving = moving_wires(d->top);
  return false;
}

bool dev_eval(void *dev) {
  return edge(static_cast<device *>(dev), 0);
}
bool dev_step(void *dev) {
  return edge(static_cast<device *>(dev), 1);
}

void dev_set_inputs(void *dev, const void *in) {
  set_inputs(top_of(dev), static_cast<const in_t *>(in));
}
bool dev_matches(void *dev, const void *out) {
  return outputs_match(top_of(dev), static_cast<const out_t *>(out));
}

void (*canonical)(void *out);

void dev_get_outputs(void *dev, void *out) {
  read_outputs(top_of(dev), static_cast<out_t *>(out));
  canonical(out);
}

void dev_destroy(void *dev) {
  delete static_cast<device *>(dev);
}

const char *dev_failure(void *dev) {
  static std::string text;
  if (!dev || !static_cast<device *>(dev)->unsettled) return nullptr;
  const std::string &moving = static_cast<device *>(dev)->moving;
  text = DUT_ENDED STR(BLOCK) ": does not settle: logic that feeds itself" + (moving.empty() ? "" : ": " + moving);
  return text.c_str();
}

// Bytes of every member, out of the device or into it.
class saver {
public:
  explicit saver(std::string &bytes) : bytes_{bytes} {}
  void operator()(void *at, std::size_t n) { bytes_.append(static_cast<const char *>(at), n); }

private:
  std::string &bytes_;
};

class loader {
public:
  explicit loader(const std::string &bytes) : at_{bytes.data()} {}
  void operator()(void *to, std::size_t n) {
    std::memcpy(to, at_, n);
    at_ += n;
  }

private:
  const char *at_;
};

template <typename Move> void move_state(device_t &top, Move move) {
#define VALUE(x) move(top.x.data, sizeof top.x.data);
#define WIRE(x) move(&top.x, sizeof top.x);
#define MEMORY(x) move(top.x.data.get(), top.x.depth * sizeof top.x.data[0]);
#define CELL(x, w, d, l)                                              \
  {                                                                   \
    auto &cell = static_cast<cxxrtl_design::sram<w, d, l> &>(*top.x); \
    move(cell.rows, sizeof cell.rows);                                \
    move(&cell.p_rd__data__o, sizeof cell.p_rd__data__o);             \
    move(cell.prev_p_clk__i.data, sizeof cell.prev_p_clk__i.data);    \
  }
  STATE
}

void *dev_save(void *dev) {
  std::string *bytes = new (std::nothrow) std::string;
  if (bytes) move_state(top_of(dev), saver{*bytes});
  return bytes;
}

void dev_restore(void *dev, const void *snapshot) {
  move_state(top_of(dev), loader{*static_cast<const std::string *>(snapshot)});
  static_cast<device *>(dev)->unsettled = false;
}

// A block without a reset begins anew at power-up.
void dev_reset(void *dev, const void *in) {
  device *d = static_cast<device *>(dev);
#ifdef UNCOMPARED
  move_state(d->top, loader{d->power_up});
#endif
  d->unsettled = false;
  reset_inputs(d->top, static_cast<const in_t *>(in));
  set_reset(d->top, true);
  for (int i = 0; i < reset_cycles; i++) {
    edge(d, 0);
    edge(d, 1);
  }
  set_reset(d->top, false);
}

void *dev_create() {
  device *d = new (std::nothrow) device;
  if (!d) return nullptr;
  zero_inputs(d->top);
  set_reset(d->top, true);
  edge(d, 0);
#ifdef UNCOMPARED
  move_state(d->top, saver{d->power_up});
#endif
  return d;
}

void snapshot_free(void *snapshot) {
  delete static_cast<std::string *>(snapshot);
}

} // namespace

extern "C" void dut_shim_fill(dut_t *dut) {
  canonical = dut->canonical;
  dut->create = dev_create;
  dut->destroy = dev_destroy;
  dut->reset = dev_reset;
  dut->set_inputs = dev_set_inputs;
  dut->eval = dev_eval;
  dut->matches = dev_matches;
  dut->get_outputs = dev_get_outputs;
  dut->step = dev_step;
  dut->failure = dev_failure;
  dut->save = dev_save;
  dut->restore = dev_restore;
  dut->snapshot_free = snapshot_free;
}

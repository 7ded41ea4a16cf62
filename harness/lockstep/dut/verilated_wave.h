// SPDX-License-Identifier: Apache-2.0
//
// Part of verilated_shim.cpp for objects of kind rtl+wave: additions to the waveform, and the parts
// of the RTL by name (insides.def, which harness/lockstep/dut/parts.awk makes).
//
// Scope `model` has the golden model's outputs and probes under the names of the RTL's ports, zero
// while invalid. Scope `rtl` has the fields of the RTL's ports that are structs. Signal `diverged`
// is 1 from the falling edge of a cycle on in which an output or probe differs.
#ifndef VERILATED_WAVE_H
#define VERILATED_WAVE_H

constexpr dut_part_t parts[] = {
#define PART(name, module, file, params) {name, module, file, params},
#define WIRE(part, port, from)
#include "insides.def"
#undef PART
#undef WIRE
    {nullptr, nullptr, nullptr, nullptr},
};

constexpr dut_wire_t wires[] = {
#define PART(name, module, file, params)
#define WIRE(part, port, from) {part, port, from},
#include "insides.def"
#undef PART
#undef WIRE
    {nullptr, nullptr, nullptr},
};

constexpr uint32_t wave_words(uint32_t width) {
  return (width + 31) / 32;
}

// Declares a signal and returns the code of the next one.
uint32_t wave_signal(VerilatedFst *fst, uint32_t code, const char *name, uint32_t width) {
  const int most = static_cast<int>(width) - 1;
  if (width == 1) features::declare(fst, &VerilatedFst::declBit, code, name);
  else if (width <= 32) features::declare(fst, &VerilatedFst::declBus, code, name, most, 0);
  else if (width <= 64) features::declare(fst, &VerilatedFst::declQuad, code, name, most, 0);
  else features::declare(fst, &VerilatedFst::declArray, code, name, most, 0);
  return code + wave_words(width);
}

// Scopes of structs of ports. A scope is opened when it has a signal: elements of an array, whose
// members are "[0]" and so on, are signals beside each other, data[0] and data[1].
class field_scopes {
public:
  explicit field_scopes(VerilatedFst *fst) : fst_{fst} {}
  // For what is in the scope around: its name there.
  std::string named(const char *member) {
    if (stack_.empty()) return member;
    if (*member == '[') return stack_.back().name + member;
    if (!stack_.back().open) features::push_scope(fst_, stack_.back().name, 0);
    stack_.back().open = true;
    return member;
  }
  void begin(const char *member) {
    std::string name = named(member);
    stack_.push_back({name, false});
  }
  void end() {
    if (stack_.back().open) features::pop_scope(fst_, 0);
    stack_.pop_back();
  }

private:
  struct level {
    std::string name;
    bool open;
  };
  VerilatedFst *fst_;
  std::vector<level> stack_;
};

// The fields of each port that is a struct, as the RTL has them.
void fields_declare(VerilatedFst *fst, uint32_t code) {
  static_cast<void>(fst), static_cast<void>(code);
  field_scopes scopes{fst};
#define BEGIN_FIELDS(pin)              \
  features::push_scope(fst, "rtl", 0); \
  scopes.begin(pin);
#define END_FIELDS \
  scopes.end();    \
  features::pop_scope(fst, 0);
#define IN_FIELDS(name, type, width, valid) BEGIN_FIELDS(SCOPE_IN_##name)
#define OUT_FIELDS(name, type, width, valid) BEGIN_FIELDS(SCOPE_OUT_##name)
#define PROBE_FIELDS OUT_FIELDS
#define IN_FIELD(name, port, member, lsb, width, valid) \
  code = wave_signal(fst, code, scopes.named(#member).c_str(), (width));
#define IN_FIELD_V IN_FIELD
#define OUT_FIELD IN_FIELD
#define OUT_FIELD_V IN_FIELD
#define PROBE_FIELD IN_FIELD
#define PROBE_FIELD_V IN_FIELD
#define IN_PART(name, member) scopes.begin(#member);
#define OUT_PART IN_PART
#define PROBE_PART IN_PART
#define IN_PART_END(name, member) scopes.end();
#define OUT_PART_END IN_PART_END
#define PROBE_PART_END IN_PART_END
#define IN_FIELDS_END(name) END_FIELDS
#define OUT_FIELDS_END IN_FIELDS_END
#define PROBE_FIELDS_END IN_FIELDS_END
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
}

void model_declare(void *dev, VerilatedFst *fst, uint32_t code) {
  static_cast<device *>(dev)->model_code = code;
  features::push_scope(fst, "model", 0);
  field_scopes scopes{fst};
  code = wave_signal(fst, code, "diverged", 1);
#define OUT(name, width, valid) code = wave_signal(fst, code, TEXT_OUT_##name, (width));
#define OUT_V OUT
#define OUT_S(name, type, valid) OUT(name, PORT_WIDTH_##type, valid)
#define PROBE OUT
#define PROBE_V OUT
#define PROBE_S OUT_S
#define OUT_FIELDS(name, type, width, valid) scopes.begin(SCOPE_OUT_##name);
#define OUT_FIELD(name, port, member, lsb, width, valid) \
  code = wave_signal(fst, code, scopes.named(#member).c_str(), (width));
#define OUT_FIELD_V OUT_FIELD
#define OUT_PART(name, member) scopes.begin(#member);
#define OUT_PART_END(name, member) scopes.end();
#define OUT_FIELDS_END(name) scopes.end();
#define PROBE_FIELDS OUT_FIELDS
#define PROBE_FIELD OUT_FIELD
#define PROBE_FIELD_V OUT_FIELD_V
#define PROBE_PART OUT_PART
#define PROBE_PART_END OUT_PART_END
#define PROBE_FIELDS_END OUT_FIELDS_END
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
  features::pop_scope(fst, 0);
  fields_declare(fst, code);
}

bool clock_high(const device_t &top) {
  bool high = false;
  (void)top;
#ifndef NO_CLOCK
#define CLOCK(name) high = top.PIN_##name != 0;
#endif
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
  return high;
}

// A value into the file; `all`: also when it is the same as before.
template <bool all> uint32_t *wave_value(VerilatedFst::Buffer *buffer, uint32_t *old, uint64_t value, uint32_t width) {
  const int bits = static_cast<int>(width);
  if (width == 1) all ? buffer->fullBit(old, value & 1) : buffer->chgBit(old, value & 1);
  else if (width <= 32)
    all ? buffer->fullIData(old, static_cast<IData>(value), bits)
        : buffer->chgIData(old, static_cast<IData>(value), bits);
  else all ? buffer->fullQData(old, value, bits) : buffer->chgQData(old, value, bits);
  return old + wave_words(width);
}

template <bool all>
uint32_t *wave_value(VerilatedFst::Buffer *buffer, uint32_t *old, const uint32_t *words, uint32_t width) {
  const int bits = static_cast<int>(width);
  if (width <= 64) return wave_value<all>(buffer, old, words[0] | static_cast<uint64_t>(words[1]) << 32, width);
  all ? buffer->fullWData(old, words, bits) : buffer->chgWData(old, words, bits);
  return old + wave_words(width);
}

template <bool all> void fields_dump(VerilatedFst::Buffer *buffer, uint32_t *old, const device_t &top) {
  static_cast<void>(buffer), static_cast<void>(old), static_cast<void>(top);
#define DUMP_FIELDS(pin, width)        \
  {                                    \
    uint32_t words[PORT_WORDS(width)]; \
    get(pin, words);
#define IN_FIELDS(name, type, width, valid) DUMP_FIELDS(PIN_IN(name), width)
#define OUT_FIELDS(name, type, width, valid) DUMP_FIELDS(PIN_OUT(name), width)
#define PROBE_FIELDS OUT_FIELDS
#define IN_FIELD(name, port, member, lsb, width, valid) \
  {                                                     \
    uint64_t value;                                     \
    get_bits(words, lsb, width, value);                 \
    old = wave_value<all>(buffer, old, value, (width)); \
  }
#define IN_FIELD_V(name, port, member, lsb, width, valid) \
  {                                                       \
    uint32_t value[PORT_WORDS(width)];                    \
    get_bits(words, lsb, width, value);                   \
    old = wave_value<all>(buffer, old, value, (width));   \
  }
#define OUT_FIELD IN_FIELD
#define OUT_FIELD_V IN_FIELD_V
#define PROBE_FIELD IN_FIELD
#define PROBE_FIELD_V IN_FIELD_V
#define IN_FIELDS_END(name) }
#define OUT_FIELDS_END IN_FIELDS_END
#define PROBE_FIELDS_END IN_FIELDS_END
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
}

// The clock is low when outputs have settled; the rising edge keeps what was shown.
template <bool all> void model_dump(void *dev, VerilatedFst::Buffer *buffer) {
  device *d = static_cast<device *>(dev);
  uint32_t *old = buffer->oldp(d->model_code);
  if (!clock_high(d->top)) d->diverged = d->model_shows && !outputs_match(d->top, &d->model);
  old = wave_value<all>(buffer, old, d->diverged, 1);
#define OUT(name, width, valid) old = wave_value<all>(buffer, old, d->model.name, (width));
#define OUT_V OUT
#define OUT_S(name, type, valid) OUT(name, PORT_WIDTH_##type, valid)
#define PROBE OUT
#define PROBE_V OUT
#define PROBE_S OUT_S
#define OUT_FIELD(name, port, member, lsb, width, valid) OUT(name, width, valid)
#define OUT_FIELD_V OUT_FIELD
#define PROBE_FIELD OUT_FIELD
#define PROBE_FIELD_V OUT_FIELD_V
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
  fields_dump<all>(buffer, old, d->top);
}

void wave_model(void *dev, const void *out) {
  device *d = static_cast<device *>(dev);
  d->model_shows = out != nullptr;
  if (out) d->model = *static_cast<const out_t *>(out);
  else d->model = out_t{};
}

#endif

// SPDX-License-Identifier: Apache-2.0
//
// Moves and compares a device's ports, expanded from the port file, for the shim of each kind. The
// shim defines these in its namespace before it includes this file:
//
//   in_t, out_t, device_t        X_in_t, X_out_t; the type with the ports, called `top` below
//   PIN(clk_i)                   the clock or reset of this name
//   PIN_IN(push), PIN_OUT(full)  the port of `top` for the port file's input or output
//   put(pin, field), get(pin, field), same(pin, field)
//                                for its types of pins, and uint64_t or uint32_t[] fields
//   undefined_bits(pin, words)   the bits of an output that are X or Z, for devices that have such
//   HAVE_PROBES                  0: the device has no probes; they are neither compared nor read
//
// A port may have any name. The local with its value, for those that it qualifies, is is_NAME,
// behind a ! no_NAME; that of a qualifier of several ports is is_NUMBER. A port of fields is moved
// as a whole: `all` has its bits between OUT_FIELDS and OUT_FIELDS_END.

#ifndef undefined_bits
#define undefined_bits(pin, words) std::memset(words, 0, sizeof words)
#endif

// Names of clocks and resets, and the resets' levels. variant.h says which of them a block lacks.
inline void set_clock(device_t &top, unsigned level) {
  (void)top, (void)level;
#ifndef NO_CLOCK
#define CLOCK(name) put(PIN(name), level);
#endif
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
}
#define LEVEL_low 0u
#define LEVEL_high 1u
inline void set_reset(device_t &top, bool active) {
  (void)top, (void)active;
#ifndef UNCOMPARED
#define RESET(name, level, sync) put(PIN(name), active ? LEVEL_##level : !LEVEL_##level);
#endif
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
}
#ifdef UNCOMPARED
constexpr int reset_cycles = UNCOMPARED;
#else
constexpr int reset_cycles = 2;
#endif

// Moves one field between its words and the words of its port, in pieces of up to 32 bits. What is
// wider than the field is cut when it is put, and differs when it is compared.
inline void move_bits(uint32_t *to, unsigned to_lsb, const uint32_t *from, unsigned from_lsb, unsigned width) {
  for (unsigned done = 0, count; done < width; done += count) {
    const unsigned to_bit = (to_lsb + done) % 32, from_bit = (from_lsb + done) % 32;
    const unsigned most = 32 - (to_bit > from_bit ? to_bit : from_bit);
    count = width - done < most ? width - done : most;
    const uint32_t mask = (count < 32 ? (1u << count) - 1 : ~0u) << to_bit;
    uint32_t &word = to[(to_lsb + done) / 32];
    word = (word & ~mask) | (from[(from_lsb + done) / 32] >> from_bit << to_bit & mask);
  }
}

inline void put_bits(uint32_t *all, unsigned lsb, unsigned width, const uint32_t *words) {
  move_bits(all, lsb, words, 0, width);
}
inline void put_bits(uint32_t *all, unsigned lsb, unsigned width, uint64_t value) {
  const uint32_t words[] = {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)};
  move_bits(all, lsb, words, 0, width);
}

inline void get_bits(const uint32_t *all, unsigned lsb, unsigned width, uint64_t &value) {
  uint32_t words[2] = {};
  move_bits(words, 0, all, lsb, width);
  value = words[0] | static_cast<uint64_t>(words[1]) << 32;
}
template <std::size_t field_words>
inline void get_bits(const uint32_t *all, unsigned lsb, unsigned width, uint32_t (&words)[field_words]) {
  std::memset(words, 0, sizeof words);
  move_bits(words, 0, all, lsb, width);
}

template <typename field_t>
inline bool same_bits(const uint32_t *all, unsigned lsb, unsigned width, const field_t &field) {
  field_t mine;
  get_bits(all, lsb, width, mine);
  return std::memcmp(&mine, &field, sizeof mine) == 0;
}

inline bool any_bits(const uint32_t *all, unsigned lsb, unsigned width) {
  for (unsigned bit = lsb; bit < lsb + width; bit++)
    if (all[bit / 32] >> bit % 32 & 1) return true;
  return false;
}

// Fields whose valid bit is 0 keep their old value on the port.
void set_inputs(device_t &top, const in_t *in) {
  const uint64_t is_always = 1;
#define IN(name, width, valid) const uint64_t is_##name = in->name, no_##name = is_##name;
#define IN_FIELDS(name, type, width, valid) const auto &is_##name = in->name, &no_##name = is_##name;
#define WHEN_IN(number, text, on) const uint64_t is_##number = on;
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
#define IN(name, width, valid) \
  if (is_##valid) put(PIN_IN(name), in->name);
#define IN_V IN
#define IN_S(name, type, valid) IN(name, , valid)
#define IN_FIELDS(name, type, width, valid) \
  {                                         \
    auto &pin = PIN_IN(name);               \
    uint32_t all[PORT_WORDS(width)];        \
    get(pin, all);
#define IN_FIELD(name, port, member, lsb, width, valid) \
  if (is_##valid) put_bits(all, lsb, width, in->name);
#define IN_FIELD_V IN_FIELD
#define IN_FIELDS_END(name) \
  put(pin, all);            \
  }
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
}

void zero_inputs(device_t &top) {
  in_t zero{};
  const in_t *in = &zero;
#define IN(name, width, valid) put(PIN_IN(name), in->name);
#define IN_V IN
#define IN_S(name, type, valid) IN(name, , valid)
#define IN_FIELDS(name, type, width, valid) \
  {                                         \
    uint32_t none[PORT_WORDS(width)] = {};  \
    put(PIN_IN(name), none);                \
  }
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
}

// The inputs of a reset: zeros, but for those of RESET_IN entries. in NULL: all are 0.
inline void reset_inputs(device_t &top, const in_t *in) {
  zero_inputs(top);
#if HAVE_RESET_IN
  in_t only{};
#define RESET_IN(name) \
  if (in) std::memcpy(&only.name, &in->name, sizeof only.name);
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
  set_inputs(top, &only);
#else
  static_cast<void>(in);
#endif
}

// Compares elements; those that are not valid count as equal.
template <typename pin_t, std::size_t field_words>
bool same_elements(const pin_t &pin, const uint32_t (&field)[field_words], unsigned n, unsigned width, uint64_t valid) {
  uint32_t seen[field_words] = {};
  get(pin, seen);
  port_clear_elements(seen, n, width, valid);
  return std::memcmp(seen, field, sizeof seen) == 0;
}

bool outputs_match(const device_t &top, const out_t *out) {
  bool equal = true;
  const uint64_t is_always = 1;
#define OUT(name, width, valid) const uint64_t is_##name = out->name, no_##name = is_##name;
#define PROBE OUT
#define OUT_FIELDS(name, type, width, valid) const auto &is_##name = out->name, &no_##name = is_##name;
#define PROBE_FIELDS OUT_FIELDS
#define WHEN_OUT(number, text, on) const uint64_t is_##number = on;
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
#define OUT(name, width, valid) equal &= !is_##valid || same(PIN_OUT(name), out->name);
#define OUT_V(name, width, valid) equal = equal && (!is_##valid || same(PIN_OUT(name), out->name));
#define OUT_S(name, type, valid) OUT_V(name, , valid)
#define OUT_N(name, n, width, valid) equal = equal && same_elements(PIN_OUT(name), out->name, n, width, is_##valid);
#define OUT_FIELDS(name, type, width, valid)                              \
  {                                                                       \
    uint32_t all[PORT_WORDS(width)], undefined[sizeof all / sizeof *all]; \
    get(PIN_OUT(name), all);                                              \
    undefined_bits(PIN_OUT(name), undefined);
#define OUT_FIELD(name, port, member, lsb, width, valid) \
  equal = equal && (!is_##valid || (same_bits(all, lsb, width, out->name) && !any_bits(undefined, lsb, width)));
#define OUT_FIELD_V OUT_FIELD
#define OUT_FIELDS_END(name) }
#if HAVE_PROBES
#define PROBE OUT
#define PROBE_V OUT_V
#define PROBE_S OUT_S
#define PROBE_N OUT_N
#define PROBE_FIELDS OUT_FIELDS
#define PROBE_FIELD OUT_FIELD
#define PROBE_FIELD_V OUT_FIELD_V
#define PROBE_FIELDS_END OUT_FIELDS_END
#endif
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
  return equal;
}

void read_outputs(const device_t &top, out_t *out) {
#define OUT(name, width, valid) get(PIN_OUT(name), out->name);
#define OUT_V OUT
#define OUT_S(name, type, valid) OUT(name, , valid)
#define OUT_FIELDS(name, type, width, valid) \
  {                                          \
    uint32_t all[PORT_WORDS(width)];         \
    get(PIN_OUT(name), all);
#define OUT_FIELD(name, port, member, lsb, width, valid) get_bits(all, lsb, width, out->name);
#define OUT_FIELD_V OUT_FIELD
#define OUT_FIELDS_END(name) }
#if HAVE_PROBES
#define PROBE OUT
#define PROBE_V OUT
#define PROBE_S OUT_S
#define PROBE_FIELDS OUT_FIELDS
#define PROBE_FIELD OUT_FIELD
#define PROBE_FIELD_V OUT_FIELD_V
#define PROBE_FIELDS_END OUT_FIELDS_END
#endif
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
}

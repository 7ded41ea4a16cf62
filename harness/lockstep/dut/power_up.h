// SPDX-License-Identifier: Apache-2.0
//
// What a Verilated block begins with: state that declares no value, and what `default: 'x` stands
// for. recipe_power_up.c puts a `lockstack::power_up` around each statement of Verilator's that
// draws such a value:
//
//   { const lockstack::power_up drawn{vlSelf, "fifo__DOT__mem"};
//     for (int __Vi0 = 0; ...) vlSelf->fifo__DOT__mem[__Vi0] = VL_RAND_RESET_I(8);
//   }
//
// A value depends on the seed and on the variable's name below the top, not on what else is drawn.
// So all kinds of objects of a block begin alike, whatever they keep or leave out, and the numbers
// of $random are not used up.
#ifndef DUT_POWER_UP_H
#define DUT_POWER_UP_H

#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" {
#include "rng.h"
extern uint64_t *dut_random; // variant.c
}

namespace lockstack {

extern uint64_t power_up_seed; // verilated_shim.cpp; 0: all begins as 0

class power_up {
public:
  template <typename module>
  power_up(const module *of, const char *variable)
      : before_{dut_random}, state_{power_up_seed ? place(name_of(of, 0), variable) : 0} {
    if (power_up_seed) dut_random = &state_;
  }
  ~power_up() { dut_random = before_; }
  power_up(const power_up &) = delete;
  power_up &operator=(const power_up &) = delete;

private:
  uint64_t *const before_;
  uint64_t state_;

  template <typename module> static auto name_of(const module *of, int) -> decltype(of->name() + 0) {
    return of->name();
  }
  template <typename module> static const char *name_of(const module *, long) { return ""; } // a class of the RTL's

  // Verilator's spelling of the characters that a member cannot have: "a__DOT__b" is a.b.
  static std::size_t spelled(const char *at, char *is) {
    static const struct {
      const char *text;
      char is;
    } spellings[] = {{"__DOT__", '.'}, {"__BRA__", '['}, {"__KET__", ']'}};
    for (const auto &s : spellings)
      if (std::strncmp(at, s.text, 7) == 0) return *is = s.is, 7;
    return *is = *at, 1;
  }

  static uint64_t mix(uint64_t sum, const char *at) {
    for (char is; *at;) {
      at += spelled(at, &is);
      sum = rng_mix(sum ^ static_cast<unsigned char>(is));
    }
    return sum;
  }

  // Behind `start`, and the dot behind it, in either spelling.
  static const char *behind(const char *at, const char *start) {
    const std::size_t n = std::strlen(start);
    if (std::strncmp(at, start, n)) return at;
    if (!at[n]) return at + n;
    char is;
    const std::size_t dot = spelled(at + n, &is);
    return is == '.' ? at + n + dot : at;
  }

  // A port of the top is one variable or two: x, and x below the top.
  static uint64_t place(const char *scope, const char *variable) {
    scope = behind(scope, "TOP");
    if (!*scope) variable = behind(variable, BLOCK_NAME);
    else scope = behind(scope, BLOCK_NAME);
    const uint64_t sum = mix(power_up_seed, scope);
    return mix(*scope ? mix(sum, ".") : sum, variable);
  }
};

} // namespace lockstack

#endif

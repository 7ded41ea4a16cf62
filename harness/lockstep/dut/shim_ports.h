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
//   HAVE_PROBES                  0: the device has no probes; they are neither compared nor read
//
// A port may have any name. The local with its value, for those that it qualifies, is is_NAME.

// Names of clock and reset, and the reset's level. variant.h says which of them a block lacks.
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
#ifdef UNCOMPARED
inline void set_reset(device_t &, bool) {}
constexpr int reset_cycles = UNCOMPARED;
#else
#define RESET(name, level, sync)                             \
  inline void set_reset(device_t &top, bool active) {        \
    put(PIN(name), active ? LEVEL_##level : !LEVEL_##level); \
  }
constexpr int reset_cycles = 2;
#endif
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"

// Fields whose valid bit is 0 keep their old value on the port.
void set_inputs(device_t &top, const in_t *in) {
  const uint64_t is_always = 1;
#define IN(name, width, valid) const uint64_t is_##name = in->name;
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
#define IN(name, width, valid) \
  if (is_##valid) put(PIN_IN(name), in->name);
#define IN_V IN
#define IN_S(name, type, valid) IN(name, , valid)
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
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
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
#define OUT(name, width, valid) const uint64_t is_##name = out->name;
#define PROBE OUT
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
#define OUT(name, width, valid) equal &= !is_##valid || same(PIN_OUT(name), out->name);
#define OUT_V(name, width, valid) equal = equal && (!is_##valid || same(PIN_OUT(name), out->name));
#define OUT_S(name, type, valid) OUT_V(name, , valid)
#define OUT_N(name, n, width, valid) equal = equal && same_elements(PIN_OUT(name), out->name, n, width, is_##valid);
#if HAVE_PROBES
#define PROBE OUT
#define PROBE_V OUT_V
#define PROBE_S OUT_S
#define PROBE_N OUT_N
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
#if HAVE_PROBES
#define PROBE OUT
#define PROBE_V OUT
#define PROBE_S OUT_S
#endif
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
}

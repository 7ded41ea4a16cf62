// SPDX-License-Identifier: Apache-2.0
//
// Where Verilator's releases differ in how they trace: what its headers declare decides, no number
// of a release.
//
//   until 5.006: declBit(code, name, dtype, direction, type, array, element), pushNamePrefix("scope
//   "), addFullCb(cb, self)
//   since:       declBit(code, function, name, dtype, direction, kind, type, array, element),
//                pushPrefix("scope", kind of scope), addFullCb(cb, function, self); a trace's class
//                derives from VerilatedTraceBaseC
#ifndef VERILATED_FEATURES_H
#define VERILATED_FEATURES_H

#include "verilated_trace.h"

#include <cstdint>
#include <string>
#include <type_traits>

class VerilatedTraceBaseC;

namespace features {

template <typename type, typename = void> struct is_defined : std::false_type {};
template <typename type> struct is_defined<type, decltype(void(sizeof(type)))> : std::true_type {};

struct nothing {};
using trace_base = std::conditional_t<is_defined<VerilatedTraceBaseC>::value, VerilatedTraceBaseC, nothing>;

// One bit, or with `bounds`, msb and lsb, several: `declare` is the trace's declBit, declBus,
// declQuad or declArray.
template <typename trace, typename direction, typename type, typename... bounds>
void declare(trace *t, void (trace::*declare)(uint32_t, const char *, int, direction, type, bool, int, bounds...),
             uint32_t code, const char *name, bounds... most_least) {
  (t->*declare)(code, name, -1, direction{}, type{}, false, -1, most_least...);
}
template <typename trace, typename direction, typename kind, typename type, typename... bounds>
void declare(trace *t,
             void (trace::*declare)(uint32_t, uint32_t, const char *, int, direction, kind, type, bool, int, bounds...),
             uint32_t code, const char *name, bounds... most_least) {
  (t->*declare)(code, 0, name, -1, direction::NONE, kind::WIRE, type::LOGIC, false, -1, most_least...);
}

// A scope of signals: the first form that the trace has.
template <typename trace> auto push_scope(trace *t, const std::string &name, int) -> decltype(t->pushNamePrefix(name)) {
  t->pushNamePrefix(name + " ");
}
template <typename trace, typename scope>
void push_as(trace *t, void (trace::*push)(const std::string &, scope), const std::string &name) {
  (t->*push)(name, scope::SCOPE_MODULE);
}
template <typename trace> auto push_scope(trace *t, const std::string &name, long) -> decltype(t->popPrefix()) {
  push_as(t, &trace::pushPrefix, name);
}
template <typename trace> auto pop_scope(trace *t, int) -> decltype(t->popNamePrefix()) {
  t->popNamePrefix();
}
template <typename trace> auto pop_scope(trace *t, long) -> decltype(t->popPrefix()) {
  t->popPrefix();
}

template <typename trace, typename dump>
auto add_full(trace *t, dump full, void *self, int) -> decltype(t->addFullCb(full, self)) {
  t->addFullCb(full, self);
}
template <typename trace, typename dump>
auto add_full(trace *t, dump full, void *self, long) -> decltype(t->addFullCb(full, 0U, self)) {
  t->addFullCb(full, 0U, self);
}
template <typename trace, typename dump>
auto add_change(trace *t, dump change, void *self, int) -> decltype(t->addChgCb(change, self)) {
  t->addChgCb(change, self);
}
template <typename trace, typename dump>
auto add_change(trace *t, dump change, void *self, long) -> decltype(t->addChgCb(change, 0U, self)) {
  t->addChgCb(change, 0U, self);
}

} // namespace features

#endif

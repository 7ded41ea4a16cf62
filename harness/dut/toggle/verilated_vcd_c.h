// SPDX-License-Identifier: Apache-2.0
//
// In place of Verilator's header of this name, for objects of kind rtl+cov: what the generated code hands over as a waveform
// becomes one bit for each bit of a signal that has risen and one for each that has fallen. (Verilator's own toggle counters are
// a statement for each bit: hours of compiling for rows of 1024.)
//
// A signal has a code, the number of its first 32-bit word; signals that are the same wire have the same.
#ifndef VERILATED_VCD_C_H
#define VERILATED_VCD_C_H

#include "verilated.h"
#include "verilated_features.h"
#include "verilated_trace.h"

#include <string>
#include <vector>

class VerilatedVcdBuffer {
  std::vector<uint32_t> old_, rise_, fall_;

  void word(uint32_t *oldp, uint32_t now, bool count) {
    const uint32_t changed = *oldp ^ now;
    if (!changed) return;
    const size_t at = static_cast<size_t>(oldp - old_.data());
    if (count) rise_[at] |= changed & now, fall_[at] |= changed & *oldp;
    *oldp = now;
  }

public:
  void resize(size_t words) {
    old_.assign(words, 0);
    rise_ = fall_ = old_;
  }
  void forget() { resize(old_.size()); }
  const uint32_t *rises() const { return rise_.data(); }
  const uint32_t *falls() const { return fall_.data(); }
  size_t words() const { return old_.size(); }
  uint32_t *oldp(uint32_t code) { return &old_[code]; }

  void chgBit(uint32_t *oldp, CData now) { word(oldp, now, true); }
  void chgCData(uint32_t *oldp, CData now, int) { word(oldp, now, true); }
  void chgSData(uint32_t *oldp, SData now, int) { word(oldp, now, true); }
  void chgIData(uint32_t *oldp, IData now, int) { word(oldp, now, true); }
  void chgQData(uint32_t *oldp, QData now, int) {
    word(oldp, static_cast<uint32_t>(now), true);
    word(oldp + 1, static_cast<uint32_t>(now >> 32), true);
  }
  void chgWData(uint32_t *oldp, const WData *now, int bits) {
    for (int i = 0; i < VL_WORDS_I(bits); i++) word(oldp + i, now[i], true);
  }
  void fullBit(uint32_t *oldp, CData now) { word(oldp, now, false); }
  void fullCData(uint32_t *oldp, CData now, int) { word(oldp, now, false); }
  void fullSData(uint32_t *oldp, SData now, int) { word(oldp, now, false); }
  void fullIData(uint32_t *oldp, IData now, int) { word(oldp, now, false); }
  void fullQData(uint32_t *oldp, QData now, int) {
    word(oldp, static_cast<uint32_t>(now), false);
    word(oldp + 1, static_cast<uint32_t>(now >> 32), false);
  }
  void fullWData(uint32_t *oldp, const WData *now, int bits) {
    for (int i = 0; i < VL_WORDS_I(bits); i++) word(oldp + i, now[i], false);
  }
};

class VerilatedVcd {
public:
  using Buffer = VerilatedVcdBuffer;
  struct signal {
    std::string scope, name; // "lsu.i_coalesce", "op"
    int element;             // of an array, -1: none
    int lsb, width;
    uint32_t word;
  };

private:
  using init_cb = void (*)(void *, VerilatedVcd *, uint32_t);
  using dump_cb = void (*)(void *, Buffer *);
  using cleanup_cb = void (*)(void *, VerilatedVcd *);
  init_cb init_ = nullptr;
  dump_cb constant_ = nullptr, full_ = nullptr, change_ = nullptr;
  cleanup_cb cleanup_ = nullptr;
  void *self_ = nullptr;
  Buffer buffer_;
  std::vector<signal> signals_;
  std::vector<std::string> prefix_{""};
  uint32_t next_ = 1;

  void declare(uint32_t code, const std::string &name, bool array, int element, int msb, int lsb) {
    const int width = msb - lsb + 1;
    const uint32_t end = code + static_cast<uint32_t>(VL_WORDS_I(width));
    std::string scope = prefix_.back(), last = name;
    if (name.empty()) { // a scope of its own for each array
      const size_t dot = scope.find_last_of('.', scope.size() - 2);
      const size_t begin = dot == std::string::npos ? 0 : dot + 1;
      last = scope.substr(begin, scope.size() - 1 - begin), scope.resize(begin);
    }
    signals_.push_back({scope, last, array ? element : -1, lsb, width, code});
    if (end > next_) next_ = end;
  }

public:
  void addModel(VerilatedModel *) {}
  void addInitCb(init_cb cb, void *) { init_ = cb; }
  void addConstCb(dump_cb cb, uint32_t, void *) { constant_ = cb; }
  void addFullCb(dump_cb cb, void *self) { full_ = cb, self_ = self; }
  void addFullCb(dump_cb cb, uint32_t, void *self) { addFullCb(cb, self); }
  void addChgCb(dump_cb cb, void *) { change_ = cb; }
  void addChgCb(dump_cb cb, uint32_t, void *self) { addChgCb(cb, self); }
  void addCleanupCb(cleanup_cb cb, void *) { cleanup_ = cb; }
  void scopeEscape(char) {}
  void pushNamePrefix(const std::string &text) {
    std::string scope = prefix_.back();
    for (char c : text) scope += c == ' ' ? '.' : c;
    prefix_.push_back(scope);
  }
  void popNamePrefix(unsigned n = 1) {
    while (n--) prefix_.pop_back();
  }
  template <typename kind> void pushPrefix(const std::string &text, kind) { pushNamePrefix(text + " "); }
  void popPrefix() { popNamePrefix(); }

  void declBit(uint32_t code, const char *name, bool array, int element) { declare(code, name, array, element, 0, 0); }
  void declBus(uint32_t code, const char *name, bool array, int element, int msb, int lsb) { declare(code, name, array, element, msb, lsb); }
  void declQuad(uint32_t code, const char *name, bool array, int element, int msb, int lsb) { declare(code, name, array, element, msb, lsb); }
  void declArray(uint32_t code, const char *name, bool array, int element, int msb, int lsb) { declare(code, name, array, element, msb, lsb); }

  template <typename direction, typename kind, typename type>
  void declBit(uint32_t code, uint32_t, const char *name, int, direction, kind, type, bool array, int element) {
    declare(code, name, array, element, 0, 0);
  }
  template <typename direction, typename kind, typename type>
  void declBus(uint32_t code, uint32_t, const char *name, int, direction, kind, type, bool array, int element, int msb, int lsb) {
    declare(code, name, array, element, msb, lsb);
  }
  template <typename direction, typename kind, typename type>
  void declQuad(uint32_t code, uint32_t, const char *name, int, direction, kind, type, bool array, int element, int msb, int lsb) {
    declare(code, name, array, element, msb, lsb);
  }
  template <typename direction, typename kind, typename type>
  void declArray(uint32_t code, uint32_t, const char *name, int, direction, kind, type, bool array, int element, int msb, int lsb) {
    declare(code, name, array, element, msb, lsb);
  }

  void open() {
    init_(self_, this, 1);
    buffer_.resize(next_ + 1);
    settle();
  }
  // Takes the values as they are, without counting what changed.
  void settle() {
    if (constant_) constant_(self_, &buffer_);
    full_(self_, &buffer_);
    cleanup_(self_, this);
  }
  void forget() {
    buffer_.forget();
    settle();
  }
  void dump() {
    change_(self_, &buffer_);
    cleanup_(self_, this);
  }
  const Buffer &buffer() const { return buffer_; }
  const std::vector<signal> &signals() const { return signals_; }
};

class VerilatedVcdC : public features::trace_base {
  VerilatedVcd trace_;

public:
  bool isOpen() const { return false; } // virtual where the base has it
  VerilatedVcd *spTrace() { return &trace_; }
};

#endif

// SPDX-License-Identifier: Apache-2.0
//
// In place of Verilator's header of this name: what the generated code hands over as a waveform is
// counted. (Verilator's own toggle counters are a statement for each bit: hours of compiling for
// rows of 1024.)
//   kind rtl+cov           one bit for each bit of a signal that has risen and one for each that
//                          has fallen
//   kind netlist+toggles   for each bit its rises, its falls, the samples in which it was 1, and
//                          those of them before an edge (HAVE_TOGGLES)
//
// A signal has a code, the number of its first 32-bit word; signals that are the same wire have the
// same.
#ifndef VERILATED_VCD_C_H
#define VERILATED_VCD_C_H

#include "verilated.h"
#include "verilated_features.h"
#include "verilated_trace.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

// What becomes of a change: `widths` are the bits that are in use of each word.
class toggle_seen {
  std::vector<uint32_t> rise_, fall_;

public:
  void resize(const std::vector<uint8_t> &widths) { rise_.assign(widths.size(), 0), fall_ = rise_; }
  void forget() { rise_.assign(rise_.size(), 0), fall_ = rise_; }
  void change(size_t at, uint32_t old, uint32_t now, bool count) {
    if (count) rise_[at] |= ~old & now, fall_[at] |= old & ~now;
  }
  void sampled() {}
  const uint32_t *rises() const { return rise_.data(); }
  const uint32_t *falls() const { return fall_.data(); }
  size_t words() const { return rise_.size(); }
};

// The samples in which a bit was 1 are those before each fall less those before each rise; while it
// is 1, with all those so far. Every second sample, from the first on, is one before a rising edge.
class toggle_counts {
  struct count {
    uint32_t rises, falls;
    int64_t high, edges;
  };
  std::vector<uint32_t> first_; // of each word: the count of its bit 0
  std::vector<count> counts_;
  int64_t samples_ = 0;

  int64_t edges() const { return (samples_ + 1) / 2; }

public:
  void resize(const std::vector<uint8_t> &widths) {
    uint32_t bits = 0;
    first_.clear();
    for (uint8_t width : widths) first_.push_back(bits), bits += width;
    counts_.assign(bits, {});
  }
  void change(size_t at, uint32_t old, uint32_t now, bool counted) {
    for (uint32_t left = old ^ now; left; left &= left - 1) {
      count &c = counts_[first_[at] + static_cast<uint32_t>(__builtin_ctz(left))];
      if (now & left & -left) c.rises += counted, c.high -= samples_, c.edges -= edges();
      else c.falls += counted, c.high += samples_, c.edges += edges();
    }
  }
  void forget() { counts_.assign(counts_.size(), {}), samples_ = 0; }
  void sampled() { samples_++; }
  uint32_t first(uint32_t code) const { return first_[code]; }
  uint32_t size() const { return static_cast<uint32_t>(counts_.size()); }
  uint64_t samples() const { return static_cast<uint64_t>(samples_); }
  // Hands each bit's counts to `give(bit, rises, falls, high, edges)`: `words` are the values now.
  template <typename to> void each(const std::vector<uint32_t> &words, to give) const {
    for (size_t at = 0; at < first_.size(); at++) {
      const uint32_t end = at + 1 < first_.size() ? first_[at + 1] : size();
      for (uint32_t i = first_[at]; i < end; i++) {
        const count &c = counts_[i];
        const bool now = words[at] >> (i - first_[at]) & 1;
        give(i, c.rises, c.falls, static_cast<uint64_t>(c.high + (now ? samples_ : 0)),
             static_cast<uint64_t>(c.edges + (now ? edges() : 0)));
      }
    }
  }
};

#if HAVE_TOGGLES
using toggle_record = toggle_counts;
#else
using toggle_record = toggle_seen;
#endif

class VerilatedVcdBuffer {
  std::vector<uint32_t> old_;
  toggle_record record_;

  __attribute__((noinline)) void changed(uint32_t *oldp, uint32_t now, bool count) {
    record_.change(static_cast<size_t>(oldp - old_.data()), *oldp, now, count);
    *oldp = now;
  }
  // Most words are as they were; objects are compiled with -O1, which would call this.
  __attribute__((always_inline)) void word(uint32_t *oldp, uint32_t now, bool count) {
    if (__builtin_expect(*oldp != now, 0)) changed(oldp, now, count);
  }

public:
  void resize(const std::vector<uint8_t> &widths) {
    old_.assign(widths.size(), 0);
    record_.resize(widths);
  }
  toggle_record &record() { return record_; }
  const toggle_record &record() const { return record_; }
  const std::vector<uint32_t> &values() const { return old_; }
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
    std::string scope, name; // "TOP lsu i_coalesce ", "op"
    int element;             // of an array, -1: none
    bool ranged;
    int left, right; // as declared: [7:0], [0:3]
    uint32_t code;
    uint32_t width() const { return static_cast<uint32_t>(left < right ? right - left : left - right) + 1; }
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

  void declare(uint32_t code, const std::string &name, bool array, int element, bool ranged, int left, int right) {
    std::string scope = prefix_.back(), last = name;
    if (name.empty()) { // a scope of its own for each array
      const size_t blank = scope.find_last_of(' ', scope.size() - 2);
      const size_t begin = blank == std::string::npos ? 0 : blank + 1;
      last = scope.substr(begin, scope.size() - 1 - begin), scope.resize(begin);
    }
    signals_.push_back({scope, last, array ? element : -1, ranged, left, right, code});
    const uint32_t end = code + static_cast<uint32_t>(VL_WORDS_I(signals_.back().width()));
    if (end > next_) next_ = end;
  }

  // The bits in use of each word.
  std::vector<uint8_t> widths() const {
    std::vector<uint8_t> bits(next_ + 1, 0);
    for (const signal &s : signals_)
      for (uint32_t at = s.code, left = s.width(); left; at++) {
        const uint32_t here = left < 32 ? left : 32;
        if (bits[at] < here) bits[at] = static_cast<uint8_t>(here);
        left -= here;
      }
    return bits;
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
  // Verilator 5.006 marks scopes of interfaces by a character above ASCII: "lane[0]\x89 ".
  void pushNamePrefix(const std::string &text) {
    prefix_.push_back(prefix_.back());
    for (const char c : text)
      if (!(c & 0x80)) prefix_.back() += c;
  }
  void popNamePrefix(unsigned n = 1) {
    while (n--) prefix_.pop_back();
  }
  template <typename kind> void pushPrefix(const std::string &text, kind) { pushNamePrefix(text + " "); }
  void popPrefix() { popNamePrefix(); }

  void declBit(uint32_t code, const char *name, bool array, int element) {
    declare(code, name, array, element, false, 0, 0);
  }
  void declBus(uint32_t code, const char *name, bool array, int element, int left, int right) {
    declare(code, name, array, element, true, left, right);
  }
  void declQuad(uint32_t code, const char *name, bool array, int element, int left, int right) {
    declare(code, name, array, element, true, left, right);
  }
  void declArray(uint32_t code, const char *name, bool array, int element, int left, int right) {
    declare(code, name, array, element, true, left, right);
  }

  template <typename direction, typename kind, typename type>
  void declBit(uint32_t code, uint32_t, const char *name, int, direction, kind, type, bool array, int element) {
    declare(code, name, array, element, false, 0, 0);
  }
  template <typename direction, typename kind, typename type>
  void declBus(uint32_t code, uint32_t, const char *name, int, direction, kind, type, bool array, int element, int left,
               int right) {
    declare(code, name, array, element, true, left, right);
  }
  template <typename direction, typename kind, typename type>
  void declQuad(uint32_t code, uint32_t, const char *name, int, direction, kind, type, bool array, int element,
                int left, int right) {
    declare(code, name, array, element, true, left, right);
  }
  template <typename direction, typename kind, typename type>
  void declArray(uint32_t code, uint32_t, const char *name, int, direction, kind, type, bool array, int element,
                 int left, int right) {
    declare(code, name, array, element, true, left, right);
  }

  void open() {
    init_(self_, this, 1);
    buffer_.resize(widths());
    settle();
  }
  // Takes the values as they are, without counting what changed.
  void settle() {
    if (constant_) constant_(self_, &buffer_);
    full_(self_, &buffer_);
    cleanup_(self_, this);
  }
  // Counts begin anew, and what has changed since the last dump is still to be counted.
  void forget() { buffer_.record().forget(); }
  void dump() {
    change_(self_, &buffer_);
    cleanup_(self_, this);
    buffer_.record().sampled();
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

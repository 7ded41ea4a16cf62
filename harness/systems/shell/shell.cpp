// SPDX-License-Identifier: Apache-2.0
//
// Parts of equal clocks and phase share a Domain, one SystemC module with one method, `edge`.
//
//            all parts asleep, phase 0
//   ticking ---------------------------> parked
//      ^                                   |
//      +------- at the next edge <---------+  wake() notifies
//
// A parked domain takes no time of the kernel's. Domains of phase 1 never park.

#include "shell.h"

#include <systemc>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

uint64_t shell_now;

namespace {

using sc_core::sc_time;

class Domain;

uint64_t stamp; // when the running parts tick: twice the instant, plus the phase

} // namespace

struct shell_part {
  const shell_kind_t *kind;
  void *self;
  std::vector<uint64_t> period;
  Domain *domain;
  bool asleep, woken;
  uint64_t when; // woken: the stamp then
};

namespace {

// Parts that share clocks and phase.
class Domain : public sc_core::sc_module {
public:
  Domain(sc_core::sc_module_name name, const shell_part &like)
      : sc_module(name), period_(like.period), phase_(like.kind->phase) {
    SC_HAS_PROCESS(Domain);
    SC_METHOD(edge);
  }
  bool fits(const shell_part &part) const { return part.kind->phase == phase_ && part.period == period_; }
  void add(shell_part *part) {
    part->domain = this;
    parts_.push_back(part);
    awake_++;
  }
  // The part goes on at its next edge. Waking twice does nothing.
  void wake(shell_part *part) {
    if (!part->asleep || part->woken) return;
    part->woken = true;
    part->when = stamp;
    awake_++;
    if (parked_) wake_.notify(sc_core::SC_ZERO_TIME);
  }

private:
  // SystemC's method: at each edge of one of the clocks, or when a parked domain is woken. A domain
  // of phase 1 runs one delta cycle later, behind all domains of phase 0.
  void edge() {
    const uint64_t t = sc_core::sc_time_stamp().value();
    if (phase_ && !second_) {
      second_ = true;
      next_trigger(sc_core::SC_ZERO_TIME);
      return;
    }
    second_ = false;
    if (!parked_) tick_all(t);
    parked_ = !parked_ && !awake_ && !phase_;
    if (parked_) next_trigger(wake_);
    else next_trigger(sc_time::from_value(next_edge(t) - t));
  }
  // The next instant at which one of the clocks has an edge.
  uint64_t next_edge(uint64_t t) const {
    uint64_t next = UINT64_MAX;
    for (uint64_t p : period_) next = std::min(next, (t / p + 1) * p);
    return next;
  }
  void tick_all(uint64_t t) {
    shell_now = t;
    stamp = 2 * t + phase_;
    for (shell_part *part : parts_)
      if (!part->asleep || rises(part)) tick(part, t);
  }
  // Ends a part's sleep if it was woken before this stamp: in an earlier instant, or in phase 0 of
  // this one when this is phase 1.
  static bool rises(shell_part *part) {
    if (!part->woken || part->when >= stamp) return false;
    part->asleep = part->woken = false;
    return true;
  }
  // Ticks the clocks that have an edge now; then the part may end the run or fall asleep.
  void tick(shell_part *part, uint64_t t) {
    const shell_kind_t *kind = part->kind;
    for (unsigned c = 0; c < period_.size(); c++)
      if (t % period_[c] == 0) kind->tick(part->self, c, t / period_[c]);
    if (kind->running && t % period_[0] == 0 && !kind->running(part->self)) sc_core::sc_pause();
    if (!kind->idle || !kind->idle(part->self)) return;
    part->asleep = true;
    awake_--;
  }

  std::vector<shell_part *> parts_;
  const std::vector<uint64_t> period_;
  const unsigned phase_;
  unsigned awake_ = 0;
  bool second_ = false, parked_ = false;
  sc_core::sc_event wake_;
};

// Parts and domains stay until the process ends, as all SystemC objects do, because the kernel
// points to them.
std::vector<shell_part *> parts;
std::vector<Domain *> domains;

// Adds the part to the domain that it fits, else to a new one.
void add_to_domain(shell_part *part) {
  for (Domain *d : domains)
    if (d->fits(*part)) return d->add(part);
  const std::string name = std::string(part->kind->name) + "s"; // several domains of a kind: nsus, nsus_0, ..
  domains.push_back(new Domain(sc_core::sc_gen_unique_name(name.c_str(), true), *part));
  domains.back()->add(part);
}

} // namespace

// libsystemc's own main would call this; ours is in the command.
int sc_main(int, char **) {
  return 0;
}

shell_part_t *shell_add(const shell_kind_t *kind, void *self, const uint64_t *period) {
  parts.push_back(new shell_part{kind, self, {period, period + kind->clocks}, nullptr, false, false, 0});
  return parts.back();
}

void shell_elaborate(bool reversed) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  sc_core::sc_set_time_resolution(1, sc_core::SC_PS); // one "picosecond" is one tick
  if (reversed) std::reverse(parts.begin(), parts.end());
  for (shell_part *part : parts) add_to_domain(part);
}

void shell_run(uint64_t ticks) {
  sc_core::sc_start(sc_time::from_value(ticks));
  shell_now = sc_core::sc_time_stamp().value();
}

void shell_wake(shell_part_t *part) {
  if (part) part->domain->wake(part);
}

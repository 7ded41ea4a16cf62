// SPDX-License-Identifier: Apache-2.0
//
// Coverage of a Verilated block in memory, in place of Verilator's own runtime for it, which writes
// files: each point that the generated code announces becomes a row of a table, with the number of
// its counter. Several devices of an object share the table.
#include DUT_HEADER
#include DUT_SYMS_HEADER
#include "verilated_cov_table.h"

#include <cstring>
#include <string>
#include <vector>

namespace {

const uint32_t *announced; // the counter of the point that comes next
struct row {
  dut_point_t point;
  std::string file, name, lines;
  const uint32_t *counter;
};
std::vector<row> rows;
std::vector<dut_point_t> points;
bool complete; // the first device has been made

class collector final : public VerilatedCovContext {
public:
  collector() = default;
};
collector instance;

struct counters {
  const uint32_t *first;
  uint32_t count;
};

template <class Syms, class Array = decltype(Syms::__Vcoverage)> counters find_counters(const Syms &syms, int) {
  return {reinterpret_cast<const uint32_t *>(&syms.__Vcoverage[0]), sizeof(Array) / sizeof syms.__Vcoverage[0]};
}

// Verilator gives no counters to modules of wires alone, which have no line to count.
template <class Syms> counters find_counters(const Syms &syms, long) {
  return {reinterpret_cast<const uint32_t *>(&syms + 1), 0};
}

} // namespace

VerilatedCovContext *VerilatedContext::coveragep() VL_MT_SAFE {
  return &instance;
}
void VerilatedCovContext::_inserti(uint32_t *counter) VL_MT_SAFE {
  announced = counter;
}
void VerilatedCovContext::_insertf(const char *, int) VL_MT_SAFE {}

// The keys are hier, filename, lineno, column, hier, page, comment, and linescov where it is not
// empty.
void VerilatedCovContext::_insertp(const char *, const char *, const char *, const char *file, const char *, int line,
                                   const char *, int column, const char *, const std::string &, const char *,
                                   const char *, const char *, const char *comment, const char *,
                                   const char *lines) VL_MT_SAFE {
  if (complete) return;
  dut_point_t point{};
  point.line = static_cast<unsigned>(line);
  point.column = static_cast<unsigned>(column);
  rows.push_back({point, file, comment, lines, announced});
}

unsigned cov_points(const dut_point_t **table) {
  *table = points.data();
  return static_cast<unsigned>(points.size());
}

const uint32_t *cov_counters(DUT_CLASS &top, uint32_t *count) {
  const counters found = find_counters(*top.rootp->vlSymsp, 0);
  *count = found.count;
  return found.first;
}

// Second instances of a module announce no counters of their own.
void cov_table(DUT_CLASS &top) {
  if (complete) return;
  complete = true;
  uint32_t count;
  const uint32_t *base = cov_counters(top, &count);
  for (const row &r : rows) {
    if (r.counter < base || r.counter >= base + count) continue;
    points.push_back(r.point);
    points.back().file = r.file.c_str();
    points.back().name = r.name.c_str();
    points.back().lines = r.lines.c_str();
    points.back().counter = static_cast<uint32_t>(r.counter - base);
  }
}

// Modules are plain data between the first of them and the counters; nothing in the dialect makes
// them allocate. What stands behind modules without counters does not change.
void *cov_save(DUT_CLASS &top) {
  auto *syms = top.rootp->vlSymsp;
  const char *from = reinterpret_cast<const char *>(&syms->TOP),
             *to = reinterpret_cast<const char *>(find_counters(*syms, 0).first);
  void *bytes = std::malloc(static_cast<std::size_t>(to - from));
  if (bytes) std::memcpy(bytes, from, static_cast<std::size_t>(to - from));
  return bytes;
}

void cov_restore(DUT_CLASS &top, const void *snapshot) {
  auto *syms = top.rootp->vlSymsp;
  char *from = reinterpret_cast<char *>(&syms->TOP);
  const char *to = reinterpret_cast<const char *>(find_counters(*syms, 0).first);
  std::memcpy(from, snapshot, static_cast<std::size_t>(to - from));
}

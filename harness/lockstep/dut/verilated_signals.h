// SPDX-License-Identifier: Apache-2.0
//
// Part of verilated_shim.cpp for objects of kinds rtl+cov and netlist+toggles: the table of
// signals. Devices of an object share it; the first one that is made fills it.
#ifndef VERILATED_SIGNALS_H
#define VERILATED_SIGNALS_H

std::vector<VerilatedVcd::signal> signal_names;
std::vector<dut_signal_t> signal_table;

uint32_t first_of(const VerilatedVcd &trace, uint32_t code) {
#if HAVE_TOGGLES
  return trace.buffer().record().first(code);
#else
  static_cast<void>(trace);
  return code;
#endif
}

void signals_fill(const VerilatedVcd &trace) {
  if (!signal_table.empty()) return;
  signal_names = trace.signals();
  for (VerilatedVcd::signal &s : signal_names) {
    if (!HAVE_TOGGLES) std::replace(s.scope.begin(), s.scope.end(), ' ', '.');
    signal_table.push_back({s.scope.c_str(), s.name.c_str(), s.element, s.ranged, s.right, s.left < s.right ? -1 : 1,
                            s.width(), first_of(trace, s.code)});
  }
}

unsigned dev_signals(const dut_signal_t **table) {
  *table = signal_table.data();
  return static_cast<unsigned>(signal_table.size());
}

#endif

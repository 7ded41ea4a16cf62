# SPDX-License-Identifier: Apache-2.0
#
# The public variables of a Verilated design as a list for C++, from its V*__Syms.cpp:
#   STATE("i_queue.mem", TOP.lsu_rx__DOT__i_queue__DOT__mem, 5632)   name below the top, member of the symbol table, bits in all
# The top's ports are nets there; a register behind one has a name of its own.

match($0, /__Vscope_[A-Za-z0-9_]+\.(configure|varInsert)\(/) {
  id = substr($0, RSTART, RLENGTH)
  sub(/\..*/, "", id)
  split($0, quoted, "\"")
  if ($0 ~ /\.configure\(/) {
    scope[id] = quoted[2]
    sub(/^[^.]*\.?/, "", scope[id])
    next
  }
  if (id == "__Vscope_TOP" || $0 !~ /VLVT_(UINT|WDATA)/) next
  storage = $0
  sub(/.*&\(/, "", storage)
  sub(/\),.*/, "", storage)
  bounds = $0
  sub(/.*VLVF_[A-Z_]*,[0-9]+ */, "", bounds)
  n = split(bounds, bound, /[^-0-9]+/)
  bits = 1
  for (i = 1; i < n; i++) { # pairs of numbers between commas
    if (bound[i] == "") continue
    width = bound[i] - bound[i + 1]
    bits *= (width < 0 ? -width : width) + 1
    i++
  }
  name = (scope[id] == "" ? "" : scope[id] ".") quoted[2]
  gsub(/__BRA__/, "[", name)
  gsub(/__KET__/, "]", name)
  gsub(/__DOT__/, ".", name)
  print "STATE(\"" name "\", " storage ", " bits ")"
}

# SPDX-License-Identifier: Apache-2.0
#
# Which variables of a design hold state: from Verilator's XML (one element a line) to a Verilator configuration that makes
# them public. A register is what a nonblocking assignment writes, wherever it stands, or a variable of a module (not of a
# block inside) that a blocking one writes in a process with a clock edge. No name tells.

# Is the element just opened on the left side of an assignment? Its parent is one depth up.
function on_left() {
  if (tag[depth - 1] == "assigndly" || (clocked && tag[depth - 1] == "assign")) return child[depth - 1] == 2
  return left[depth - 1] && (tag[depth - 1] == "concat" || child[depth - 1] == 1) # a select's first child is what it selects from
}

function attribute(name, at) {
  at = index($0, " " name "=\"")
  if (!at) return ""
  at = substr($0, at + length(name) + 3)
  return substr(at, 1, index(at, "\"") - 1)
}

function opened(blocking, i) {
  depth++
  child[depth - 1]++
  child[depth] = 0
  tag[depth] = word
  left[depth] = on_left()
  if (word == "module") module = attribute("origName")
  else if (word == "always") { clocked = 0; process = depth }
  else if (word == "senitem" && attribute("edgeType") ~ /POS|NEG|BOTH/) clocked = 1
  else if (word == "var") {
    spelled[module, attribute("name")] = attribute("origName")
    if (process) own[module, attribute("name")] = 1
  }
  else if (word == "varref" && left[depth]) {
    for (i = depth - 1; tag[i] !~ /^assign/; i--) continue
    blocking = tag[i] == "assign"
    found[module, attribute("name")] += blocking ? 0 : 1
  }
}

function closed() {
  if (tag[depth] == "always") clocked = process = 0
  depth--
}

{
  if (!match($0, /<\/?[a-z_]+/)) next
  word = substr($0, RSTART + 1, RLENGTH - 1)
  if (word ~ /^\//) { closed(); next }
  opened()
  if ($0 ~ /\/>[ \t\r]*$/) closed()
}

END {
  print "`verilator_config"
  for (key in found) {
    split(key, part, SUBSEP)
    if (!found[key] && own[key]) continue
    # a configuration has an escaped name as Verilator spells it in C++
    if (part[2] ~ /[^A-Za-z0-9_.]/ && spelled[key] != "") part[2] = spelled[key]
    else sub(/.*\./, "", part[2])
    print "public_flat_rw -module \"" part[1] "\" -var \"" part[2] "\"" | "LC_ALL=C sort -u"
  }
}

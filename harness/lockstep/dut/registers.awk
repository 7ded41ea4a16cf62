# SPDX-License-Identifier: Apache-2.0
#
# Which variables of a design hold state: from Verilator's XML (one element a line) to a Verilator configuration that makes
# them public. A register is what a nonblocking assignment writes, wherever it stands, or a variable of a module (not of a
# block inside) that a blocking one writes in a process with a clock edge. No name tells.
#
# A variable that blocking assignments alone write is none if every read of it comes behind a whole write of it in the same
# process, on the same way through it: a loop's counter, or a value on its way. Another branch's write does not count.

# A way through a process that may not be taken begins with this element.
function is_branch() {
  return word == "caseitem" || tag[depth - 1] == "while" || (tag[depth - 1] == "if" && child[depth - 1] > 1)
}

function forget_written(level, name) {
  for (name in written) if (written[name] >= level) delete written[name]
}

function note_use(name) {
  if (left[depth]) {
    if (tag[depth - 1] == "assign" && !(name in written)) written[name] = branches
  } else {
    read[module, name] = 1
    if (!(name in written)) used[module, name] = 1
  }
}

function opened(blocking, i) {
  enter(clocked ? "^assign(dly)?$" : "^assigndly$")
  branch[depth] = is_branch()
  branches += branch[depth]
  if (word == "module") module = attribute("origName")
  else if (word == "always") { clocked = 0; process = depth }
  if (word ~ /^(always|initial|initialstatic|initialautomatic|final|func|task|contassign)$/) forget_written(0)
  if (word == "senitem" && attribute("edgeType") ~ /POS|NEG|BOTH/) clocked = 1
  else if (word == "var") {
    spelled[module, attribute("name")] = attribute("origName")
    if (process) own[module, attribute("name")] = 1
    else if (attribute("dir")) used[module, attribute("name")] = 1
  } else if (word == "varxref") elsewhere[attribute("name")] = 1
  if (word == "varref") note_use(attribute("name"))
  if (word == "varref" && left[depth]) {
    for (i = depth - 1; tag[i] !~ /^assign/; i--) continue
    blocking = tag[i] == "assign"
    found[module, attribute("name")] += blocking ? 0 : 1
  }
}

function closed() {
  if (tag[depth] == "always") clocked = process = 0
  if (branch[depth]) { forget_written(branches); branches-- }
  depth--
}

END {
  print "`verilator_config"
  for (key in found) {
    split(key, part, SUBSEP)
    if (!found[key] && own[key]) continue
    if (!found[key] && read[key] && !used[key] && !(part[2] in elsewhere)) continue
    # a configuration has an escaped name as Verilator spells it in C++
    if (part[2] ~ /[^A-Za-z0-9_.]/ && spelled[key] != "") part[2] = spelled[key]
    else sub(/.*\./, "", part[2])
    print "public_flat_rw -module \"" part[1] "\" -var \"" part[2] "\"" | "LC_ALL=C sort -u"
  }
}

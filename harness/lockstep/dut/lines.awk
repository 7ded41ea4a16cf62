# SPDX-License-Identifier: Apache-2.0
#
# Where the registers of a design are written, from Verilator's XML (one element a line; before modules are inlined), for kind rtl+wave:
#   i_rx.count rtl/lsu/lsu_rx.sv:12,16      name below the top, as in states.def; lines of assignments in processes with a clock edge
# A constant in a branch of a process' first `if` (`if (rst) q <= 0;`) is a reset's, and its line is left out where there are others.
# Behind the lines of `q <= d` are those of d, where d is no register.

# Is the assignment of a constant just below the first `if` of its process?
function is_reset(i) {
  for (i = depth; tag[i] !~ /^assign/; i--) continue
  if (!constant[i] || first_if <= 0) return 0
  while (i > first_if && tag[i] !~ /^(if|case|caseitem|while)$/) i--
  return i == first_if
}

# Adds a line of a register to a table of theirs: lines, or resets.
function add_line(table, key, line) {
  if (!(key in table)) table[key] = line
  else if (index("," table[key] ",", "," line ",") == 0) table[key] = table[key] "," line
}

function note_line(name, place, on) {
  for (on = depth; tag[on] !~ /assign/; on--) continue
  split(loc[depth], place, ",")
  name = resolve(name)
  if (!clocked) {
    add_line(drawn, module SUBSEP name, place[2])
    return
  }
  if (plain[on] != "") from[module, name] = resolve(plain[on])
  if (!((module, name) in place_of)) {
    place_of[module, name] = file[place[1]]
    registers[module] = registers[module] " " name
  }
  if (is_reset()) add_line(resets, module SUBSEP name, place[2])
  else add_line(lines, module SUBSEP name, place[2])
}

function opened() {
  enter("^(assigndly|assign|contassign)$")
  constant[depth] = 0
  plain[depth] = ""
  if (tag[depth - 1] ~ /assign/ && child[depth - 1] == 1) {
    constant[depth - 1] = word == "const"
    plain[depth - 1] = word == "varref" ? attribute("name") : ""
  }
  if (word == "if" && process && !first_if) first_if = depth
  loc[depth] = word ~ /^(assigndly|assign|contassign)$/ ? attribute("loc") : loc[depth - 1]
  if (word == "file") file[attribute("id")] = attribute("filename")
  else if (word == "module") {
    module = attribute("name")
    if (attribute("topModule")) top = module
  } else if (word == "var" && !process) declared[module, scope() attribute("name")] = 1
  else if (word == "instance") {
    name = scope() attribute("name")
    inside[module] = inside[module] " " name
    type[module, name] = attribute("defName")
  } else if ((word == "always" || word == "contassign") && !process) { process = depth; clocked = first_if = 0 }
  else if (word == "senitem" && attribute("edgeType") ~ /POS|NEG|BOTH/) clocked = 1
  else if (word == "varref" && process && left[depth]) note_line(attribute("name"))
}

function closed() {
  if (depth == first_if) first_if = -1
  if (depth == process) process = 0
  depth--
}

function lines_of(mod, name, key, text) {
  key = mod SUBSEP name
  text = key in lines ? lines[key] : resets[key]
  if (key in from && (mod SUBSEP from[key]) in drawn) text = text "," drawn[mod, from[key]]
  return text
}

function print_module(mod, path, n, i, names) {
  n = split(registers[mod], names, " ")
  for (i = 1; i <= n; i++) print path names[i] " " place_of[mod, names[i]] ":" lines_of(mod, names[i])
  n = split(inside[mod], names, " ")
  for (i = 1; i <= n; i++) print_module(type[mod, names[i]], path names[i] ".")
}

END { print_module(top, "") }

# SPDX-License-Identifier: Apache-2.0
#
# The instances inside a design, from Verilator's XML (one element a line; before modules are inlined), for kind rtl+wave:
#   awk -v want=public ...   a Verilator configuration that makes the ports of all modules but the top readable by name
#   awk -v want=table ...    PART("i_rx.i_move", "fifo_2w", "rtl/lib/fifo_2w.sv", "Width=64,Depth=2")    an instance; no line: no parts
#                            WIRE("i_rx", "dn_valid_i", "dn_valid_i")             an input of it, and what it hangs on; part "": an output of the top
# What it hangs on: outputs of instances, inputs of the top and registers, through assignments and combinational processes as a whole (so
# that of a wire which several drive by parts all are named, and of a process all that it reads).

function add(list, key, what) {
  if (index(" " list[key] " ", " " what " ") == 0) list[key] = list[key] (list[key] == "" ? "" : " ") what
}

function reference(name) {
  name = resolve(attribute("name"))
  if (port != "") {
    add(hangs, module SUBSEP instance SUBSEP port, name)
    if (way != "in") add(driven, module SUBSEP name, "." instance "." port)
  } else if (left[depth]) add(wrote, process, name)
  else add(reads, process, name)
}

function opened() {
  enter("^(assigndly|assign|contassign)$")
  if (word == "file") file[attribute("id")] = attribute("filename")
  else if (word == "module" || word == "package") {
    module = attribute("name")
    origin[module] = attribute("origName")
    where[module] = file[substr(attribute("loc"), 1, index(attribute("loc"), ",") - 1)]
    if (attribute("topModule")) top = module
  } else if (word == "var" && !process) {
    variable = scope() attribute("name")
    declared[module, variable] = 1
    if (attribute("dir") != "") {
      way_of[module, variable] = attribute("dir")
      ports[module] = ports[module] " " variable
    }
    parameter = attribute("param") ? variable : ""
  } else if (word == "const" && parameter != "" && tag[depth - 1] == "var") constant(attribute("name"))
  else if (word == "instance") {
    instance = scope() attribute("name")
    inside[module] = inside[module] " " instance
    type[module, instance] = attribute("defName")
  } else if (word == "port" && tag[depth - 1] == "instance") {
    port = attribute("name")
    way = attribute("direction")
  } else if ((word == "contassign" || word == "always") && !process) {
    process = depth
    wrote[process] = reads[process] = ""
    clocked = 0
  } else if (word == "senitem" && attribute("edgeType") ~ /POS|NEG|BOTH/) clocked = 1
  else if (word == "varref" && (process || port != "")) reference()
}

function constant(text, base, value, i) {
  if (!match(text, /&apos;s?h[0-9a-f]+$/)) return
  text = substr(text, RSTART)
  sub(/.*h/, "", text)
  for (i = 1; i <= length(text); i++) value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
  params[module] = params[module] (params[module] == "" ? "" : ",") parameter "=" value
  parameter = ""
}

function closed(n, i, names) {
  if (depth == process) {
    n = split(wrote[process], names, " ")
    for (i = 1; i <= n; i++)
      if (clocked) register[module, names[i]] = 1
      else add(from, module SUBSEP names[i], reads[process])
    process = clocked = 0
  }
  if (tag[depth] == "var") parameter = ""
  if (tag[depth] == "port") port = ""
  if (tag[depth] == "instance") instance = ""
  depth--
}

# --- the table

function found(name) {
  if (name in named) return
  named[name] = 1
  answer = answer (answer == "" ? "" : " ") name
}

# What a variable of a module hangs on; the module's instance is path ("" or "i_rx."), its own parent parent[path].
function trace(mod, path, name, names, n, i, up) {
  if ((path, name) in seen) return
  seen[path, name] = 1
  if (way_of[mod, name] == "input") {
    if (path == "") return found(name)
    up = parent[path]
    n = split(hangs[kind[up], own[path], name], names, " ")
    for (i = 1; i <= n; i++) trace(kind[up], up, names[i])
    return
  }
  if (register[mod, name]) found(path name)
  n = split(driven[mod, name], names, " ")
  for (i = 1; i <= n; i++) found(path substr(names[i], 2))
  n = split(from[mod, name], names, " ")
  for (i = 1; i <= n; i++) trace(mod, path, names[i])
}

function wire(part, port, mod, path, list, n, i, names) {
  split("", seen)
  split("", named)
  answer = ""
  n = split(list, names, " ")
  for (i = 1; i <= n; i++) trace(mod, path, names[i])
  if (answer != "") print "WIRE(\"" part "\", \"" port "\", \"" answer "\")"
}

function part(mod, path, inst, name, sub_mod, n, i, names) {
  name = path inst
  sub_mod = type[mod, inst]
  parent[name "."] = path
  own[name "."] = inst
  kind[name "."] = sub_mod
  print "PART(\"" name "\", \"" origin[sub_mod] "\", \"" where[sub_mod] "\", \"" params[sub_mod] "\")"
  n = split(ports[sub_mod], names, " ")
  for (i = 1; i <= n; i++)
    if (way_of[sub_mod, names[i]] == "input") wire(name, names[i], mod, path, hangs[mod, inst, names[i]])
  parts(sub_mod, name ".")
}

function parts(mod, path, n, i, names) {
  n = split(inside[mod], names, " ")
  for (i = 1; i <= n; i++) part(mod, path, names[i])
}

function table(n, i, names) {
  print "// SPDX-License-Identifier: Apache-2.0 -- generated by harness/lockstep/dut/parts.awk, do not edit."
  kind[""] = top
  parts(top, "")
  n = split(ports[top], names, " ")
  for (i = 1; i <= n; i++)
    if (way_of[top, names[i]] == "output") wire("", names[i], top, "", names[i])
}

function public(mod, n, i, names) {
  print "`verilator_config"
  for (mod in ports) {
    n = split(ports[mod], names, " ")
    for (i = 1; i <= n && mod != top; i++) print "public_flat_rd -module \"" origin[mod] "\" -var \"" names[i] "\"" | "LC_ALL=C sort -u"
  }
}

END {
  if (want == "public") public()
  else table()
}

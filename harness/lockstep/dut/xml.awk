# SPDX-License-Identifier: Apache-2.0
#
# Reads a design from Verilator's XML, one element a line: awk -f xml.awk -f lines.awk design.xml. A program that follows has
# opened(), which begins with enter(), and closed(); both are called for each element, with its name in `word`. Also to be seen:
#   depth, tag[i], child[i]   the elements around this one, and how many children each has so far
#   left[depth]               the element is on the left side of an assignment
# scope and resolve need module, process (the depth of the process around, 0: none) and declared[module, name].

function attribute(name, at) {
  at = index($0, " " name "=\"")
  if (!at) return ""
  at = substr($0, at + length(name) + 3)
  return substr(at, 1, index(at, "\"") - 1)
}

# Call this first of an element. assigns: which elements are assignments; the second child of one is its left side. A select's
# first child is what it selects from.
function enter(assigns) {
  depth++
  child[depth - 1]++
  child[depth] = 0
  tag[depth] = word
  label[depth] = word == "begin" ? attribute("name") : ""
  label[depth + 1] = ""
  if (tag[depth - 1] ~ assigns) left[depth] = child[depth - 1] == 2
  else left[depth] = left[depth - 1] && (tag[depth - 1] == "concat" || child[depth - 1] == 1)
}

# Generate blocks of the module that enclose this element: "gen_input[2]."; the loop's own block, gen_input, is no scope.
function scope(i, text) {
  for (i = 1; i <= depth && !(process && i > process); i++)
    if (tag[i] == "begin" && label[i] != "" && index(label[i + 1], label[i] "[") != 1) text = text label[i] "."
  return text
}

# The name of a variable as it is declared around here.
function resolve(name, at) {
  for (at = scope(); at != ""; sub(/[^.]*\.$/, "", at))
    if ((module, at name) in declared) return at name
  return name
}

{
  if (!match($0, /<\/?[a-z_]+/)) next
  word = substr($0, RSTART + 1, RLENGTH - 1)
  if (word ~ /^\//) { closed(); next }
  opened()
  if ($0 ~ /\/>[ \t\r]*$/) closed()
}

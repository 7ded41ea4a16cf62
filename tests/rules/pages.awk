# SPDX-License-Identifier: Apache-2.0
#
# awk -f pages.awk PAGE...: the rules of the families' pages, a line each: number, page, text, section, block, reason (tabs between, blanks
# made one).
#
# A rule begins at its number, [R12], and ends at the next one or with its paragraph, list item or table row. A table behind a rule that
# ends with a colon is part of it. What has no number must say that it is no rule: <!-- no rule: why --> for the text that follows, up to
# a number or the end of its paragraph; <!-- no rules: why --> up to the next heading. Exit 1, a line each: text without a number, a
# number given twice.
#
# A rule of which no number can be had says so at its end: <!-- one reading, BLOCK: why -->. That is no part of its text: it gives the last
# two columns, which are empty otherwise.

function wrong(text) { print FILENAME ":" FNR ": " text > "/dev/stderr"; failed = 1 }

function flush_rule(  at, note, block, why) {
  if (id == "") return
  block = why = ""
  at = index(text, "<!-- one reading")                    # no match() here: add() needs its RSTART
  if (at) {
    note = substr(text, at); text = substr(text, 1, at - 1)
    if (note !~ /^<!-- one reading, [a-z0-9_]+: .+ -->[ \t]*$/) wrong("a reading is said as <!-- one reading, BLOCK: why -->: " note)
    sub(/^<!-- one reading, /, "", note); sub(/ -->[ \t]*$/, "", note); gsub(/[ \t]+/, " ", note)
    at = index(note, ": "); block = substr(note, 1, at - 1); why = substr(note, at + 2)
  }
  gsub(/[ \t]+/, " ", text); sub(/^ /, "", text); sub(/ $/, "", text)
  if (id in seen) wrong("rule " id " is there twice; also in " seen[id])
  if (text == "") wrong("rule " id " says nothing")
  seen[id] = page; print id "\t" page "\t" text "\t" section "\t" block "\t" why
  colon = text ~ /:$/
  last = id; last_text = text; id = ""
}

# One line of a block; starts: it is the first one, which must have a number.
function add(line, starts,   n, head) {
  while (match(line, /\[[A-Z][0-9]+\]( |$)/)) {
    head = substr(line, 1, RSTART - 1)
    if (id != "") text = text " " head
    else if (head !~ /^[ ]*$/ && !exempt) wrong("neither a rule's number, as [R12], nor <!-- no rule: why --> before: " head)
    flush_rule()
    n = RLENGTH; id = substr(line, RSTART + 1, n - 2); sub(/\].*/, "", id); text = ""; exempt = 0
    line = substr(line, RSTART + n)
    starts = 0
  }
  if (id != "") text = text " " line
  else if (starts && !exempt) wrong("neither a rule's number, as [R12], nor <!-- no rule: why --> before: " line)
}

function end_block() { if (held != "") { id = held; text = held_text; held = "" } flush_rule(); in_block = 0; row = 0; if (!keep) exempt = 0; keep = 0 }

FNR == 1 { end_block(); section = ""; page = FILENAME; sub(/.*\/rtl\//, "rtl/", page); region = 0; exempt = 0 }
/^#/ { end_block(); region = 0; section = $0; sub(/^#+ */, "", section); next }
/^<!-- no rules: .+ -->$/ { end_block(); region = 1; next }
/^<!-- no rule: .+ -->$/ { end_block(); exempt = 1; keep = 1; next }
/^<!-- SPDX/ { next }
region { next }
/^$/ {
  if (in_block && id != "" && text ~ /:[ ]*$/) { held = id; held_text = text; id = ""; in_block = 0; row = 0; next }
  if (in_block) end_block()
  next
}
/^\|/ {
  keep = 0
  if (held != "") { id = held; text = held_text; held = ""; joined = 1 }
  if (joined) { text = text " " $0; in_block = 1; next }
  in_block = 1
  if (++row <= 2) next
  line = $0; sub(/^\| */, "", line); sub(/ *\|$/, "", line)
  flush_rule(); add(line, 1); next
}
{ joined = 0 }
/^- / { rest = substr($0, 3); k = exempt; end_block(); exempt = k && !listed; listed = 1; in_block = 1; add(rest, 1); next }
{
  listed = 0
  if (held != "") { hold_id = held; end_block() }
  starts = !in_block; in_block = 1; keep = 0
  add($0, starts)
}
END { end_block(); exit failed }

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# table.sh check|write|list TREE PROGRAM...: which rule of the families' pages has which witness, as
# TREE/docs/rules.md. The programs say their witnesses with --list. Exit 1, a line each: a rule
# without a witness, a witness of no rule, one that quotes other words than the page's, text of a
# page that has no number, a table that is not what pages and programs say (write makes it anew).
# list prints it for programs, a line each, tabs between: rule, page, section, witness' file, its
# program, blocks, why the rule rests on one reading, text; and leaves judging it to check.
set -euo pipefail
mode=$1 tree=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

bad=0
awk -f "$here/pages.awk" "$tree"/rtl/{router,nsu,lsu,offload,ctrl,tom}/README*.md >"$work/rules" || bad=1
for program in "$@"; do "$program" --list | sed "s,\$,\t$program,"; done >"$work/witnesses"

awk -F '\t' -v mode="$mode" '
  function bare(text) { gsub(/\]\([^)]*\)/, "", text); gsub(/[][*|`]/, "", text); gsub(/  +/, " ", text); return text }
  function short(text) { text = bare(text); if (length(text) > 72) { text = substr(text, 1, 72); sub(/ [^ ]*$/, " ...", text) } return text }
  function wrong(text) { if (mode == "list") return; print text > "/dev/stderr"; failed = 1 }
  NR == FNR { text[$1] = $3; page[$1] = $2; section[$1] = $4; block[$1] = $5; why[$1] = $6; order[++n] = $1; next }
  !($1 in text) { wrong($2 ": witness of " $1 ", which is no rule of a page"); next }
  $3 != text[$1] { wrong($2 ": the witness of " $1 " quotes:\n  " $3 "\n" page[$1] " says:\n  " text[$1]) }
  $1 in file { wrong($2 ": a second witness of " $1 "; the first is in " file[$1]); next }
  { sub(/.*\//, "", $2); file[$1] = $2; block[$1] = $4; program[$1] = $5 }
  function row(id, name,   witness) {
    if (mode == "list") {
      print id "\t" page[id] "\t" section[id] "\t" file[id] "\t" program[id] "\t" block[id] "\t" why[id] "\t" bare(text[id])
      return
    }
    if (!(id in file) && why[id] == "") { wrong(page[id] ": rule " id " has no witness: " short(text[id])); return }
    witness = id in file ? "[" file[id] "](../tests/rules/" file[id] ")" : ""
    if (why[id] != "") witness = witness (witness == "" ? "" : "; ") "rests on one reading: " why[id]
    printf "| %s | [%s](../%s) | %s | %s | %s |\n", id, name, page[id], block[id], short(text[id]), witness
  }
  END {
    if (mode != "list") {
      print "<!-- SPDX-License-Identifier: Apache-2.0 -->\n# Rules and their witnesses\n"
      print "Made by `tests/rules/table.sh write` from the numbers in the families'\'' pages and from the tests that quote them; test rules.table holds"
      print "it true. How a witness is written: [tests/rules](../tests/rules/README.md). `lockstack rules BLOCK` runs those of a block.\n"
      print "| rule | page | blocks | begins | witness |\n|---|---|---|---|---|"
    }
    for (i = 1; i <= n; i++) {
      name = page[order[i]]; sub(/^rtl\//, "", name)
      row(order[i], name)
    }
    exit failed
  }' "$work/rules" "$work/witnesses" >"$work/table" || bad=1

if [ "$mode" = list ]; then
  cat "$work/table"
  exit 0
elif [ "$mode" = write ]; then
  cp "$work/table" "$tree/docs/rules.md"
elif ! cmp -s "$work/table" "$tree/docs/rules.md"; then
  echo "docs/rules.md: is not what pages and witnesses say; tests/rules/table.sh write TREE PROGRAM... makes it"
  bad=1
fi
exit $bad

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# table.sh check|write TREE PROGRAM...: which rule of the families' pages has which witness, as
# TREE/docs/rules.md. The programs say their witnesses with --list. Exit 1, a line each: a rule
# without a witness, a witness of no rule, one that quotes other words than the page's, text of a
# page that has no number, a table that is not what pages and programs say (write makes it anew).
set -euo pipefail
mode=$1 tree=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

bad=0
awk -f "$here/pages.awk" "$tree"/rtl/{router,nsu,lsu,offload,ctrl,tom}/README*.md >"$work/rules" || bad=1
for program in "$@"; do "$program" --list; done >"$work/witnesses"

awk -F '\t' '
  function bare(text) { gsub(/\]\([^)]*\)/, "", text); gsub(/[][*|`]/, "", text); gsub(/  +/, " ", text); return text }
  function short(text) { text = bare(text); if (length(text) > 72) { text = substr(text, 1, 72); sub(/ [^ ]*$/, " ...", text) } return text }
  function wrong(text) { print text > "/dev/stderr"; failed = 1 }
  NR == FNR { text[$1] = $3; page[$1] = $2; order[++n] = $1; next }
  !($1 in text) { wrong($2 ": witness of " $1 ", which is no rule of a page"); next }
  $3 != text[$1] { wrong($2 ": the witness of " $1 " quotes:\n  " $3 "\n" page[$1] " says:\n  " text[$1]) }
  $1 in file { wrong($2 ": a second witness of " $1 "; the first is in " file[$1]); next }
  { sub(/.*\//, "", $2); file[$1] = $2 }
  END {
    print "<!-- SPDX-License-Identifier: Apache-2.0 -->\n# Rules and their witnesses\n"
    print "Made by `tests/rules/table.sh write` from the numbers in the families'\'' pages and from the tests that quote them; test rules.table holds"
    print "it true. How a witness is written: [tests/rules](../tests/rules/README.md).\n"
    print "| rule | page | begins | witness |\n|---|---|---|---|"
    for (i = 1; i <= n; i++) {
      id = order[i]; name = page[id]; sub(/^rtl\//, "", name)
      if (!(id in file)) wrong(page[id] ": rule " id " has no witness: " short(text[id]))
      else printf "| %s | [%s](../%s) | %s | [%s](../tests/rules/%s) |\n", id, name, page[id], short(text[id]), file[id], file[id]
    }
    exit failed
  }' "$work/rules" "$work/witnesses" >"$work/table" || bad=1

if [ "$mode" = write ]; then
  cp "$work/table" "$tree/docs/rules.md"
elif ! cmp -s "$work/table" "$tree/docs/rules.md"; then
  echo "docs/rules.md: is not what pages and witnesses say; tests/rules/table.sh write TREE PROGRAM... makes it"
  bad=1
fi
exit $bad

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# table_fires.sh TREE PROGRAM...: in a copy of the pages, each thing that table.sh must tell is
# told.
set -euo pipefail
tree=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fresh() {
  rm -rf "$work/tree"
  mkdir -p "$work/tree/docs" "$work/tree/rtl"
  for family in router nsu lsu offload ctrl tom; do
    mkdir "$work/tree/rtl/$family"
    cp "$tree/rtl/$family"/README*.md "$work/tree/rtl/$family"
  done
  cp "$tree/docs/rules.md" "$work/tree/docs"
}

# fires WORDS PROGRAM...: the check fails and says them.
fires() {
  local words=$1
  shift
  if "$here/table.sh" check "$work/tree" "$@" >"$work/out" 2>&1; then
    echo "nothing was told, which should have been: $words"
    exit 1
  fi
  grep -q -- "$words" "$work/out" || { echo "not told: $words"; cat "$work/out"; exit 1; }
}

edit() { # FILE SED
  fresh
  sed -i "$2" "$work/tree/rtl/$1/README.md"
  ! cmp -s "$work/tree/rtl/$1/README.md" "$tree/rtl/$1/README.md" || { echo "the edit did nothing: $2"; exit 1; }
}

fresh
"$here/table.sh" check "$work/tree" "$@"
fires 'rule [A-Z]1 has no witness' true                                   # no program, no witness
edit router 's/At W\/n a flit takes n cycles/At W\/n a flit takes n + 1 cycles/'
fires 'the witness of R35 quotes' "$@"
edit router 's/^\[R9\]/[R99]/'
fires 'rule R99 has no witness' "$@"
fires 'witness of R9, which is no rule' "$@"
edit lsu 's/\[L20\]/[L19]/'
fires 'rule L19 is there twice' "$@"
edit nsu '$a - A new rule, without a number.'
fires "neither a rule's number" "$@"
edit lsu '$a \\n## More\n\nA new rule, without a number.'
fires "neither a rule's number" "$@"
edit router 's/^| \[R46\] /| /'
fires "neither a rule's number" "$@"
edit router '/^| 5 | on the next wire/s/5/6/'
fires 'the witness of R8 quotes' "$@"
fresh
sed -i '$d' "$work/tree/docs/rules.md"
fires 'docs/rules.md: is not what' "$@"

# A rule that rests on one reading needs no witness, and the table has the reason.
fresh
printf '\n## More\n\n[R99] A new rule. <!-- one reading, router_crit: the paper is silent -->\n' >>"$work/tree/rtl/router/README.md"
fires 'docs/rules.md: is not what' "$@"
"$here/table.sh" write "$work/tree" "$@"
"$here/table.sh" check "$work/tree" "$@"
grep -q '^| R99 .* | router_crit | A new rule. | rests on one reading: the paper is silent |$' "$work/tree/docs/rules.md" ||
  { echo 'the table does not say that R99 rests on one reading'; exit 1; }
sed -i 's/one reading, router_crit:/one reading:/' "$work/tree/rtl/router/README.md"
fires 'a reading is said as' "$@"

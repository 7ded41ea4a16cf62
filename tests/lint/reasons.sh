#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
#   reasons.sh ROOT
#
# Mutants of C that no test kills (tests/cmutants/cparts-left.csv) have reasons in
# tests/cmutants/cparts-reasons.csv, a file's all or none, and every reason has its mutant. A
# mutant is its file, function, what was changed and how: lines move. With --fires: a missing
# reason, one too many, and one of no known verdict are told.
set -u
left_of() { grep '^cmodel/' "$1/tests/cmutants/cparts-left.csv" | sed -E 's/^([^,]*),[0-9]+,/\1,/; s/,[a-z ]+$//' |
  sort -u; }
reasons() { grep '^cmodel/' "$1/tests/cmutants/cparts-reasons.csv"; }
verdict=',(same|speed|message|slow|gap),"[^"]{10,200}"$'

look() {
  local bad=0 line
  while IFS= read -r line; do
    echo "tests/cmutants/cparts-reasons.csv: not MUTANT,(same|speed|message|slow|gap),\"reason\": $line"
    bad=1
  done < <(reasons "$1" | grep -vE "$verdict")
  while IFS= read -r line; do
    case $line in
      $'\t'*) echo "tests/cmutants/cparts-reasons.csv: this mutant is not left: ${line#$'\t'}" ;;
      *) grep -q "^${line%%,*}," "$1/tests/cmutants/cparts-reasons.csv" || continue # none of its file has one yet
        echo "tests/cmutants/cparts-left.csv: no reason in tests/cmutants/cparts-reasons.csv for $line" ;;
    esac
    bad=1
  done < <(comm -3 <(left_of "$1") <(reasons "$1" | sed -E "s/$verdict//" | sort -u))
  return $bad
}

if [ "$1" != --fires ]; then
  look "$1"
  exit
fi
here=$(mktemp -d) || exit 3
trap 'rm -rf "$here"' EXIT
failed=0
expect() { # WHAT SED-EXPRESSION FILE
  cp "$2/tests/cmutants/cparts-left.csv" "$2/tests/cmutants/cparts-reasons.csv" "$here/tests/cmutants/"
  sed -i -E "$3" "$here/tests/cmutants/$4"
  if out=$(look "$here") || ! grep -qF "$1" <<<"$out"; then
    echo "WRONG: '$1' was not said, but: $out"
    failed=1
  fi
}
mkdir -p "$here/tests/cmutants"
n=$(awk -F, '/^cmodel/ && $1 == last { print NR; exit } { last = $1 }' "$2/tests/cmutants/cparts-reasons.csv") \
  # a reason whose file has another
expect 'no reason in tests/cmutants/cparts-reasons.csv for' "$2" "${n}d" cparts-reasons.csv
first=$(sed -nE "${n}"'s,^([^ ,]*\,)([^ ,]*\,).*,\1[0-9]+\,\2,p' "$2/tests/cmutants/cparts-reasons.csv") \
  # its file and function
expect 'this mutant is not left' "$2" "\\|^$first|d" cparts-left.csv
expect 'not MUTANT,' "$2" "${n}s/,(same|speed|message|slow|gap),/,maybe,/" cparts-reasons.csv
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Counts that differ must be seen: a changed figure, a row that is missing, a run that fails.
# fires.sh COUNTS LOCKSTACK

set -u
counts=$1 lockstack=$2
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 3
fail() { printf '%s\n' "$*"; exit 1; }
run() { "$counts" "$lockstack" runs.txt counts.csv quick "$1" >said 2>&1; }

echo 'quick baseline {vadd,saxpy} --set workload.n=1000   # two runs' >runs.txt
run make || fail "no counts: $(cat said)"
[ "$(grep -c '^baseline' counts.csv)" -eq 2 ] || fail "two rows are wanted: $(cat counts.csv)"
run check || fail "the same counts are refused: $(cat said)"
cp counts.csv good.csv

sed -i 's/^\(baseline saxpy[^,]*\),\([0-9]*\)/\1,1\2/' counts.csv
run check && fail 'a changed cycle count went unseen'
grep -q '^baseline saxpy --set workload.n=1000: cycles is [0-9]*, was 1[0-9]*$' said ||
  fail "cycles are not named: $(cat said)"

grep -v '^baseline vadd' good.csv >counts.csv
run check && fail 'a missing row went unseen'
grep -q '^baseline vadd .*: the row is missing' said || fail "the row is not named: $(cat said)"
run make || fail "the row cannot be added: $(cat said)"
[ "$(sort counts.csv)" = "$(sort good.csv)" ] || fail 'the row that was added is another one'

cp good.csv counts.csv
echo 'quick baseline vadd --set workload.n=1000 --engine nsu=lockstep' >runs.txt   # the baseline has no NSU
run check && fail 'a run that fails went unseen'
grep -q 'the exit status is 2, was 0' said || fail "the exit status is not named: $(cat said)"

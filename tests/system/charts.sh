#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The charts of docs/figures are those that `reproduce` draws of the rows beside them; one that is not is told. What has no row is not drawn.
# timeout: 300
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"

# A chart without the line that names gnuplot's version.
chart() {
  grep -v '^<desc>' "$1"
}
same() { # FILE FILE
  [ "$(chart "$1")" = "$(chart "$2")" ]
}

figures=$source/docs/figures
compared=0
for system in nsu nupim; do
  runs 0 "$lockstack" reproduce "$system" --rows "$figures/$system.csv" --no-runs --out none --draw drawn
  for file in "$figures/$system"-*.svg; do
    name=$(basename "$file")
    [[ $name != *-heat-* ]] || continue # of a run, not of rows
    checks=$((checks + 1)) compared=$((compared + 1))
    same "$file" "drawn/$name" || wrong "docs/figures/$name is not what reproduce $system --draw makes of docs/figures/$system.csv"
  done
done
equal "$compared" 8 'charts of docs/figures'

# Another row, another chart.
sed 's/^\([0-9a-f+]*\),\([0-9]*\)\(,.*nupim bp --full --set network.policy=crit\)$/\1,9\2\3/' "$figures/nupim.csv" >other.csv
equal "$(diff other.csv "$figures/nupim.csv" | grep -c '^<')" 1 'the changed row'
runs 0 "$lockstack" reproduce nupim --rows other.csv --no-runs --out none --draw other --figures speed
if same other/nupim-speed.svg "$figures/nupim-speed.svg"; then wrong 'the chart of other cycles is the same'; fi

# Tables without a row, and columns.
{ head -3 "$figures/nupim.csv"; grep 'nupim bp --full --set network.policy=\(base\|dist\)$' "$figures/nupim.csv"; } >few.csv
runs 0 "$lockstack" reproduce nupim --rows few.csv --no-runs --out none --draw few
matches "$(cat few/nupim-speed.svg)" '>dist<' 'the policy that was run'
if grep -q '>double<' few/nupim-speed.svg; then wrong 'a policy that was not run is drawn'; fi
[ ! -e few/nupim-tracking.svg ] || wrong 'a table without a row is drawn'

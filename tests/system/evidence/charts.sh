#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The charts of docs/figures are those that `reproduce` draws of the rows beside them; one that is
# not is told. What has no row is not drawn.
# timeout: 300
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# Another gnuplot may write another file of the same chart.
same() { # FILE FILE
  [ "$(grep '^<desc>' "$1")" != "$(grep '^<desc>' "$2")" ] || cmp -s "$1" "$2"
}

figures=$source/docs/figures
compared=0
for system in nsu nupim mpu near; do
  scale=full && [ $system != near ] || scale=small
  runs 0 "$lockstack" reproduce "$system" --scale $scale --rows "$figures/$system.csv" --no-runs --out none --draw drawn
  for file in "$figures/$system"-*.svg; do
    name=$(basename "$file")
    [[ $name != *-heat-* ]] || continue # of a run, not of rows
    checks=$((checks + 1)) compared=$((compared + 1))
    same "$file" "drawn/$name" || wrong "docs/figures/$name is not what reproduce $system --draw makes of docs/figures/$system.csv"
  done
done
equal "$compared" 10 'charts of docs/figures'

# Another row, another chart.
sed 's/^\([0-9a-f+]*\),\([0-9]*\)\(,.*nupim bp --full --set network.policy=crit\)$/\1,9\2\3/' \
  "$figures/nupim.csv" >other.csv
equal "$(diff other.csv "$figures/nupim.csv" | grep -c '^<')" 1 'the changed row'
runs 0 "$lockstack" reproduce nupim --rows other.csv --no-runs --out none --draw other --figures speed
if cmp -s other/nupim-speed.svg drawn/nupim-speed.svg; then wrong 'the chart of other cycles is the same'; fi

# Tables without a row, and columns.
{ head -3 "$figures/nupim.csv"; grep 'nupim bp --full --set network.policy=\(base\|dist\)$' "$figures/nupim.csv"; \
  } >few.csv
runs 0 "$lockstack" reproduce nupim --rows few.csv --no-runs --out none --draw few
matches "$(cat few/nupim-speed.svg)" '>dist<' 'the policy that was run'
if grep -q '>double<' few/nupim-speed.svg; then wrong 'a policy that was not run is drawn'; fi
[ ! -e few/nupim-tracking.svg ] || wrong 'a table without a row is drawn'
matches "$out" 'pictures: few/nupim-\*' 'where the pictures are'
# A point needs both of its values. Where nothing is drawn that is said.
grep -v ',mpu ' "$figures/mpu.csv" >half.csv
runs 0 "$lockstack" reproduce mpu --rows half.csv --no-runs --out none --draw half --figures v100
[ -e half/mpu-v100.svg ] || wrong 'what is known of one machine is not drawn'
[ ! -e half/mpu-v100-against.svg ] || wrong 'points without a value are drawn'
head -3 "$figures/mpu.csv" >nothing.csv
runs 0 "$lockstack" reproduce mpu --rows nothing.csv --no-runs --out none --draw nothing --figures v100
matches "$out" 'pictures: none, as nothing is known of any table' 'no picture'

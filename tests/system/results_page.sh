#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# docs/results.md: its divergence is what the command says of the RTL that it shows. Paths start at the working folder there.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"

page=$source/docs/results.md
line=$(sed -n 's/^    \(else if (add_i) sum_o <= .*\)/\1/p' "$page")
mkdir accum
cp "$source"/docs/example/accum.* accum/
checks=$((checks + 1))
[ -n "$line" ] || wrong 'the page shows no RTL'
awk -v line="$line" '/else if \(add_i\)/ { $0 = "    " line } { print }' "$source/docs/example/accum.sv" >accum/accum.sv
runs 1 "$lockstack" check ./accum
equal "$(sed "s|$here/||g; /^DIVERGED /d" <<<"$out$err")" "$(sed -n '/^accum: DIVERGED/,/^```/p' "$page" | sed '/^```/d')" 'the report on the page'
runs 1 "$lockstack" replay lockstack-out/accum-random-1.replay
matches "$out" 'DIVERGED as recorded' 'the replay file on the page'

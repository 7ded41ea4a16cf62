#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# docs/results.md: what it shows is what the command says: a divergence of the RTL that it has (in
# /home/me there), a check that holds, a run.
# timeout: 200
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

page=$source/docs/results.md
line=$(sed -n 's/^    \(else if (add_i) sum_o <= .*\)/\1/p' "$page")
mkdir accum
cp "$source"/docs/example/accum.* accum/
checks=$((checks + 1))
[ -n "$line" ] || wrong 'the page shows no RTL'
awk -v line="$line" '/else if \(add_i\)/ { $0 = "    " line } { print }' "$source/docs/example/accum.sv" >accum/accum.sv
runs 1 "$lockstack" check ./accum
equal "$(sed "s|$here/|/home/me/|g; s|^\(DIVERGED .* compared\), .*|\1 ...|" <<<"$out$err")" \
  "$(sed -n '/accum: DIVERGED/,/^```/p' "$page" | sed '/^```/d')" 'the report on the page'
runs 1 "$lockstack" replay lockstack-out/accum-random-1.replay
matches "$out" 'DIVERGED as recorded' 'the replay file on the page'

# shown BEGINNING OUTPUT WHAT: a block of the page that begins so is lines of the output, in their
# order; what a line ends with may be left out.
shown() {
  local block
  block=$(sed -n "/^$1/,/^\`\`\`/p" "$page" | sed '/^```/d')
  [ "$(lines_of "$block" "$2")" = "$(wc -l <<<"$block")" ]
}

lines_of() {
  awk -v block="$1" 'BEGIN { n = split(block, line, "\n"); i = 1 } i <= n && index($0, line[i]) == 1 { i++ } END { print i - 1 }' <<<"$2"
}
runs 0 "$lockstack" check fifo
checks=$((checks + 1))
shown 'PASS fifo' "$out$err" || wrong "the check on the page is not: $out$err"
checks=$((checks + 1))
! shown 'PASS fifo' "${out/fifo/fifi}" || wrong 'another line is taken for that of the page'
"$lockstack" run baseline vadd >/dev/null 2>&1
runs 0 "$lockstack" run nsu vadd
checks=$((checks + 1))
shown 'vadd on nsu' "$out" || wrong "the run on the page is not: $out"

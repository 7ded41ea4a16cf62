#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# cover: a block whose points are all hit, pages, guided stimulus, bad input. cover_own.sh has the
# rest.
# timeout: 300
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# All points of a small block, with pages
runs 0 "$lockstack" cover arb_rr --cycles 2000 --json a.json --html pages
matches "$out" 'PASS arb_rr: 100.00 % of what is not waived, 12 runs, [0-9,]+ cycles in lockstep .few.' 'the summary'
for pair in schema=lockstack.cover/1 block=arb_rr outcome=PASS held=true few=true runs=12 line.points=7 line.hit=7 \
  toggle.percent=100.0 percent=100.0 \
  ranked.0.new=34; do
  equal "$(json a.json "${pair%%=*}")" "${pair#*=}" "${pair%%=*}"
done
matches "$(cat pages/cover.info)" "SF:$source/rtl/lib/arb_rr.sv.*BRDA:" 'the tracefile'
[ -s pages/index.html ] || wrong 'no pages'

# Guided: the same again is the same; better than unguided where there is something to find
runs 0 "$lockstack" check arb_rr --guided --cycles 5000 --json g1.json
matches "$out" 'guided +34 of 34 coverage points hit|guided +3[0-9] of 34' 'the summary of a guided run'
runs 0 "$lockstack" check arb_rr --guided --cycles 5000 --json g2.json
equal "$(json g2.json cycles)" "$(json g1.json cycles)" 'a second guided run'
refuses 2 'without --profile' "$lockstack" check arb_rr --guided --profile dense
"$lockstack" cover arb_rr --compare --cycles 3000 --runs 2 --json c.json >out 2>/dev/null
matches "$(cat out)" 'BETTER arb_rr: of 34 points' 'a comparison'
equal "$(json c.json seeds.1.seed)" 2 'its seeds'

# Parameters that are given
"$lockstack" cover arb_rr --cycles 3 --runs 1 --set NumReq=2 --json s.json >/dev/null 2>&1
equal "$(json s.json with)" NumReq=2 'parameters that are given'

# Bad input
refuses 2 "no block 'nosuch'" "$lockstack" cover nosuch
refuses 2 'a BLOCK or a folder is missing' "$lockstack" cover
refuses 2 '--runs: ' "$lockstack" cover arb_rr --runs 0
refuses 2 '--proof-seconds: ' "$lockstack" cover arb_rr --prove --proof-seconds 0
refuses 2 '--least: ' "$lockstack" cover arb_rr --least 101
refuses 2 'has no profile .nosuch.' "$lockstack" cover arb_rr --profile nosuch
refuses 2 '--waivers: nosuch.waive: No such file' "$lockstack" cover arb_rr --waivers nosuch.waive
printf 'line x.sv:3:if\n' >waive
refuses 2 'waive:1: a reason is missing' "$lockstack" cover arb_rr --waivers waive
printf 'lines x.sv:3:if because\n' >waive
refuses 2 'waive:1: a waiver is: line\|toggle\|functional' "$lockstack" cover arb_rr --waivers waive

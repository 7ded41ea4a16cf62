#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# cover: a block whose points are all hit, misses of each kind, waivers that are stale, divergence, bad entries and bad input, pages.
# timeout: 300
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"

# All points of a small block, with pages
runs 0 "$lockstack" cover arb_rr --cycles 2000 --json a.json --html pages
matches "$out" 'PASS arb_rr: 100.00 % of what is not waived, 12 runs' 'the summary'
for pair in schema=lockstack.cover/1 block=arb_rr outcome=PASS held=true runs=12 line.points=7 line.hit=7 toggle.percent=100.0 percent=100.0 \
  ranked.0.new=34; do
  equal "$(json a.json "${pair%%=*}")" "${pair#*=}" "${pair%%=*}"
done
matches "$(cat pages/cover.info)" "SF:$source/rtl/lib/arb_rr.sv.*BRDA:" 'the tracefile'
[ -s pages/index.html ] || wrong 'no pages'

# A block of one's own with functional points of every form; one cannot be, nor can a line of dead code be run
cp -r "$source/docs/example" own
cat >>own/accum.ports <<'END'
COVER_STREAK(adds, in.add)
COVER_LAST(before, in.add, in.value)
COVER_LEVEL(sum, in.add)
COVER_LET(top, out.sum >> (Bits - 2))
COVER_AXIS(quarter, top, "of the range", "first", "second", "third", "fourth")
COVER_AXIS(run, cover_when(in.add, adds > 2 ? 2 : adds - 1), "additions in a row", "one", "two", "more")
COVER_CROSS(both, quarter, run, "one with the other")
COVER(grows, any && out.sum > last_out.sum, "the sum grows")
COVER(many, sum > 50 && before >= 0, "more than 50 additions since reset")
COVER(never, in.add > 1, "more than fits")
END
sed -i 's/  always_ff/  logic dead;\n  assign dead = 1'\''b0;\n  always_ff/' own/accum.sv
sed -i 's/if (rst)        sum_o/if (dead) sum_o <= 1;\n    else if (rst) sum_o/' own/accum.sv
runs 1 "$lockstack" cover own --set Bits=64 --cycles 2000 --json own.json
matches "$out" 'missed line +accum.sv:14  elsif' 'a line that never runs'
matches "$out" 'missed toggle +accum.sv:11  dead  never changed' 'a bit that never changes'
matches "$out" 'missed functional +accum.ports:19  never  more than fits' 'a functional point'
matches "$out" 'fewest runs for the same' 'ranked runs'
equal "$(grep -c '^  missed' <<<"$out")" 3 'misses'
equal "$(json own.json misses.2.name)" never 'a miss by name'
equal "$(json own.json functional.points)" 25 'functional points'

# Too short a run misses more
runs 1 "$lockstack" cover own --set Bits=64 --cycles 3 --runs 1 --profile sparse
matches "$out" 'missed toggle +accum.sv:[0-9]+  sum_o.*never changed' 'bits that were not reached'

# Waivers
cat >own/accum.waive <<'END'
# what cannot be
line       accum.sv:*           dead code
toggle     accum.sv:dead        tied to 0
functional never                one bit holds no more
END
runs 1 "$lockstack" cover own --set Bits=64 --cycles 2000 --json w.json
matches "$out" 'stale waiver .*accum.waive:2: .* matches a point that is hit' 'a waiver of what is hit'
sed -i 's/accum.sv:\* /accum.sv:14:elsif /' own/accum.waive
runs 0 "$lockstack" cover own --set Bits=64 --cycles 2000 --json w.json
equal "$(json w.json percent)" 100.0 'what is not waived'
equal "$(json w.json waivers.2.reason)" 'one bit holds no more' 'a reason'
printf 'toggle accum.sv:gone reason\n' >>own/accum.waive
runs 1 "$lockstack" cover own --set Bits=64 --cycles 2000 --json w.json
matches "$out" 'stale waiver .*accum.waive:5: .*matches no point' 'a waiver of nothing'
equal "$(json w.json stale.0.line)" 5 'the stale waiver'
printf 'functional both* all of it\n' >waive
runs 1 "$lockstack" cover own --set Bits=64 --cycles 3 --waivers waive
matches "$out" 'more than 3 % of the points are waived' 'too many waivers'
runs 0 "$lockstack" cover own --set Bits=64 --cycles 2000 --waivers nosuch --least 90

# Divergence
sed -i 's/sum_o + value_i/sum_o - value_i/' own/accum.sv
runs 1 "$lockstack" cover own --set Bits=64 --json d.json
matches "$out" 'DIVERGED own: sum, cycle [0-9]+ of profile [a-z]+, seed 1' 'a divergence'
equal "$(json d.json outcome)" DIVERGED 'the outcome'

# Guided: passes, is the same again, finds the fault and replays it; better than unguided where there is something to find
runs 1 "$lockstack" check own --set Bits=64 --guided --no-wave --json g.json
matches "$out" 'DIVERGED in cycle 1' 'a guided divergence'
equal "$(json g.json profile)" guided 'its profile'
runs 1 "$lockstack" replay "$(json g.json replay)"
matches "$out" 'as recorded' 'the replay of it'
runs 0 "$lockstack" check arb_rr --guided --cycles 5000 --json g1.json
matches "$out" 'guided +34 of 34 coverage points hit|guided +3[0-9] of 34' 'the summary of a guided run'
runs 0 "$lockstack" check arb_rr --guided --cycles 5000 --json g2.json
equal "$(json g2.json cycles)" "$(json g1.json cycles)" 'a second guided run'
refuses 2 'without --profile' "$lockstack" check arb_rr --guided --profile dense
"$lockstack" cover arb_rr --compare --cycles 3000 --runs 2 --json c.json >out 2>/dev/null
matches "$(cat out)" 'BETTER arb_rr: of 34 points' 'a comparison'
equal "$(json c.json seeds.1.seed)" 2 'its seeds'

# Bad entries, with file and line
bad() {
  cp -r "$source/docs/example" bad
  printf '%s\n' "$1" >>bad/accum.ports
  refuses 2 "$2" "$lockstack" cover bad
  rm -r bad
}
bad 'COVER(x, in.nosuch, "text")' 'accum.ports:10:.*nosuch'
bad 'COVER(X, in.add, "text")' 'accum.ports:10: COVER\(X\): a name is lower case'
bad 'COVER_CROSS(x, a, b, "text")' 'accum.ports:10: COVER_CROSS\(x\): a is no COVER_AXIS before it'
bad $'COVER(x, in.add, "text")\nCOVER(x, !in.add, "text")' 'coverage entry x is there twice'
bad 'COVERS(x, in.add, "text")' 'accum.ports:10: .* is not a port-file entry'
bad 'COVER(x, in.add)' 'accum.ports:10:.*COVER'

# Bad input
refuses 2 "no block 'nosuch'" "$lockstack" cover nosuch
refuses 2 'a BLOCK or a folder is missing' "$lockstack" cover
refuses 2 '--runs: ' "$lockstack" cover arb_rr --runs 0
refuses 2 '--least: ' "$lockstack" cover arb_rr --least 101
refuses 2 'has no profile .nosuch.' "$lockstack" cover arb_rr --profile nosuch
printf 'line x.sv:3:if\n' >waive
refuses 2 'waive:1: a reason is missing' "$lockstack" cover arb_rr --waivers waive
printf 'lines x.sv:3:if because\n' >waive
refuses 2 'waive:1: a waiver is: line\|toggle\|functional' "$lockstack" cover arb_rr --waivers waive

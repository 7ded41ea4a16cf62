#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# cover, of a block that is changed on the way: misses of each kind, proofs, waivers that are
# stale, divergence, bad entries.
# timeout: 900
# label: cover
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# A block of one's own with functional points of every form; one cannot be, nor can a line of dead
# code be run
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
sed -i 's/  always_ff/  logic dead;\n  assign dead = 1'\''b0;\n`ifndef SYNTHESIS\n  logic odd;\n  assign odd = dead;\n`endif\n  always_ff/' own/accum.sv
sed -i 's/if (rst)        sum_o/if (dead) sum_o <= 1;\n    else if (rst) sum_o/' own/accum.sv
sed -i 's/^endmodule/  logic [0:2] up;\n  always_ff @(posedge clk) up <= {sum_o[0], sum_o[1], sum_o[2]};\nendmodule/' \
  own/accum.sv
runs 1 "$lockstack" cover own --set Bits=64 --cycles 2000 --json own.json
matches "$out" 'missed line +accum.sv:18  elsif' 'a line that never runs'
matches "$out" 'missed toggle +accum.sv:11  dead  never changed' 'a bit that never changes'
matches "$out" 'missed toggle +accum.sv:14  odd  never changed' 'a bit of what only simulation has'
matches "$out" 'missed functional +accum.ports:19  never  more than fits' 'a functional point'
matches "$out" 'fewest runs for the same' 'ranked runs'
equal "$(grep -c '^  missed' <<<"$out")" 4 'misses'
equal "$(json own.json misses.3.name)" never 'a miss by name'
equal "$(json own.json functional.points)" 25 'functional points'

# Proofs: what is tied to 0 is proved, in what only simulation has, too; what the run was too short
# for is not, and a claim about it is refuted
printf 'toggle accum.sv:sum_o[3] unreachable: so it is said\n' >claim
runs 1 "$lockstack" cover own --set Bits=64 --cycles 3 --runs 1 --profile sparse --prove --waivers claim --json p.json
matches "$out" 'missed toggle +accum.sv:[0-9]+  sum_o.*never changed' 'bits that were not reached stay missed'
[[ $out != *dead* && $out != *odd* ]] || wrong 'bits tied to 0 are proved'
equal "$(json p.json toggle.proved)" 2 'the bits proved'
matches "$(cat p.json)" 'cannot rise and fall, proved' 'the reason'
matches "$out" 'stale waiver claim:1: .* claims what a proof refutes' 'a false claim'

# Too short a run misses more
runs 1 "$lockstack" cover own --set Bits=64 --cycles 3 --runs 1 --profile sparse
matches "$out" 'missed toggle +accum.sv:[0-9]+  sum_o.*never changed' 'bits that were not reached'
matches "$out" 'missed toggle +accum.sv:[0-9]+  up\[2\]  never changed' \
  'a bit of a vector that goes up, by its own number'

# Waivers
cat >own/accum.waive <<'END'
# what cannot be
line       accum.sv:*           dead code
toggle     accum.sv:dead        tied to 0
toggle     accum.sv:odd         tied to 0
functional never                one bit holds no more
END
runs 1 "$lockstack" cover own --set Bits=64 --cycles 2000 --json w.json
matches "$out" 'stale waiver .*accum.waive:2: .* matches a point that is hit' 'a waiver of what is hit'
sed -i 's/accum.sv:\* /accum.sv:18:elsif /' own/accum.waive
runs 0 "$lockstack" cover own --set Bits=64 --cycles 2000 --json w.json
equal "$(json w.json percent)" 100.0 'what is not waived'
equal "$(json w.json waivers.3.reason)" 'one bit holds no more' 'a reason'
printf 'toggle accum.sv:gone reason\n' >>own/accum.waive
runs 1 "$lockstack" cover own --set Bits=64 --cycles 2000 --json w.json
matches "$out" 'stale waiver .*accum.waive:6: .*matches no point' 'a waiver of nothing'
equal "$(json w.json stale.0.line)" 6 'the stale waiver'
printf 'functional both* all of it\nline accum.sv:18:elsif dead code\n' >waive
runs 1 "$lockstack" cover own --set Bits=64 --cycles 3 --waivers waive
matches "$out" 'more than 3 % of the points are waived' 'too many waivers'
runs 0 "$lockstack" cover own --set Bits=64 --cycles 2000 --waivers /dev/null --least 90

# Divergence
sed -i 's/sum_o + value_i/sum_o - value_i/' own/accum.sv
runs 1 "$lockstack" cover own --set Bits=64 --json d.json
matches "$out" 'DIVERGED own: sum, cycle [0-9]+ of profile [a-z]+, seed 1' 'a divergence'
equal "$(json d.json outcome)" DIVERGED 'the outcome'

# Guided: finds the fault and replays it
runs 1 "$lockstack" check own --set Bits=64 --guided --no-wave --json g.json
matches "$out" 'DIVERGED in cycle 1' 'a guided divergence'
equal "$(json g.json profile)" guided 'its profile'
runs 1 "$lockstack" replay "$(json g.json replay)"
matches "$out" 'as recorded' 'the replay of it'
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

# Parameters to measure at, from blocks.cmake, unless others are given
"$lockstack" cover router_width --cycles 100 --runs 1 --json m.json >/dev/null 2>&1
equal "$(json m.json params)" '' 'parameters that are given'
matches "$(json m.json with)" 'CountBits=8' 'parameters to measure at'

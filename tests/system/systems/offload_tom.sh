#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# lockstack offload --rule tom: candidates, the change of traffic and what is refused, for people
# and for programs; all kernels of the tree; bad input is one line.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
line() { # line REGEX WHAT: a line of $out
  checks=$((checks + 1))
  grep -qE -- "$1" <<<"$out" || wrong "$2: no line matches '$1'"
}
libor=$source/tests/unit/firmware/libor.ptx
kernels=$source/firmware/workloads/kernels

# Fig. 4 of the TOM paper: five live-ins, a load, a store; it saves from four trips on
runs 0 "$lockstack" offload --rule tom "$libor" --json a.json
line '^ +21 +31 +45 +56  loop +5 +0 +1 +1 +26 +-65 +-39  RX +>= 4$' 'the candidate'
line '^ +change of traffic by trips: 110.25 60.5 10.75 -39$' 'the change of traffic'
line '^ +if %r14 - %r10 >= 16, unsigned$' 'the condition'
line '^ +in %r10 %r12 %r14 %f2 %f3; out -$' 'the live-ins'
line '^ +fixed offsets: 2 of 2 accesses; line 45 to 50: __cudaparm_portfolio_b_L - __cudaparm_portfolio_b_L_b; line 50 to 45: ' 'accesses of two arrays'
line '^with accesses at a fixed offset to each other: 1, 1 of them with no others; or to themselves a trip later: 1$' \
  'fixed offsets of all'
equal "$(json a.json kernels.0.candidates.0.fixed_offsets)" 2 'accesses at a fixed offset'
equal "$(json a.json 'kernels.0.candidates.0.accesses.#')" 2 'accesses'
equal "$(json a.json kernels.0.candidates.0.accesses.1.pc),$(json a.json kernels.0.candidates.0.accesses.1.line)" \
  26,50 'the store'
equal "$(json a.json kernels.0.candidates.0.accesses.1.kind),$(json a.json kernels.0.candidates.0.accesses.1.to)" \
  store,21 'to the load'
equal "$(json a.json kernels.0.candidates.0.accesses.1.offset)" \
  '__cudaparm_portfolio_b_L_b - __cudaparm_portfolio_b_L' 'how far behind it'
equal "$(json a.json kernels.0.candidates.0.accesses.1.step)" 4 'and a trip later'
equal "$(json a.json fixed_offsets.candidates),$(json a.json fixed_offsets.some),$(json a.json fixed_offsets.all)" \
  1,1,1 'candidates'
equal "$(json a.json schema)" lockstack.offload/1 'the schema'
equal "$(json a.json rule)" tom 'the rule'
equal "$(json a.json regions)" all 'the regions'
equal "$(json a.json kernels.0.name)" portfolio_b 'the kernel'
equal "$(json a.json kernels.0.most_alive)" 7 'words alive'
equal "$(json a.json kernels.0.candidates.#)" 1 'how many candidates'
equal "$(json a.json kernels.0.candidates.0.pc)" 21 'the begin'
equal "$(json a.json kernels.0.candidates.0.exit)" 31 'the exit'
equal "$(json a.json kernels.0.candidates.0.in.words)" 5 'live-ins'
equal "$(json a.json kernels.0.candidates.0.out.words)" 0 'live-outs'
equal "$(json a.json kernels.0.candidates.0.least_trips)" 4 'the least trips'
equal "$(json a.json kernels.0.candidates.0.condition.changes.0)" 110.25 'one trip'
equal "$(json a.json kernels.0.candidates.0.condition.changes.3)" -39.0 'four trips'
equal "$(json a.json kernels.0.candidates.0.condition.immediate)" 16 'the threshold'
equal "$(json a.json kernels.0.candidates.0.tag.rx)" true 'the tag, RX'
equal "$(json a.json kernels.0.candidates.0.tag.tx)" false 'the tag, TX'

runs 0 "$lockstack" offload --rule tom "$kernels"/*/*.ptx --json b.json
line '^ +7 +61 .* region +1 +0 +8 +3 +-71 +-128.75 +-199.75  TX RX -$' 'the region of BFS'
line 'loop: trips are not known at entry \(the counter.s bound is written inside of the loop\): counted once' 'its loop'
line 'if %r7 - %r10 > %r11 << 3, unsigned' 'a step in a register'
line 'region: shared memory, line [0-9]+$' 'shared memory'
line '^[0-9]+ candidates in [0-9]+ kernels$' 'all of them'

# what the README has of the paper's workloads: KERNELS LINE, begin to saving
of() {
  runs 0 "$lockstack" offload --rule tom "$kernels/$1/$1.ptx"
  line "$2\$" "a candidate of $1"
}
of sp32 ' loop +8 +1 +2 +0 .* >= 9'
of fwt32 ' region +1 +0 +4 +4 .* -167  TX RX -'
of fwt32 ' loop +8 +0 +2 +1 .* >= 4'
of km ' loop +4 +1 +2 +0 .* >= 5'
line '^ +fixed offsets: 0 of 2 accesses; line [0-9]+: 4 a trip; line [0-9]+: 4 a trip$' 'a point and a centre'
line '^with accesses at a fixed offset to each other: 0, 0 of them with no others; or to themselves a trip later: 1$' \
  'of km'
of bfs32 ' region +1 +0 +8 +3 .* -199.75  TX RX -'
of bfs32 ' region +1 +0 +1 +4 .* -117.5  TX RX -'
of rd ' loop +6 +1 +2 +0 .* >= 7'
of bp ' region +3 +0 +7 +4 .* -152.5  TX RX -'
of lib ' loop +7 +0 +1 +1 .* >= 5'
of lib ' loop +4 +0 +1 +1 .* >= 3'
of ray ' loop +11 +2 +4 +0 .* >= 7'
of cfd ' region +1 +0 +41 +5 .* -810.75  TX RX -'
of hw ' loop +5 +2 +1 +0 .* >= 14'
for count in lib:9 ray:3 cfd:3 hw:20; do
  runs 0 "$lockstack" offload --rule tom "$kernels/${count%:*}/${count%:*}.ptx"
  line "^${count#*:} candidates in [0-9]+ kernels?$" "candidates of ${count%:*}"
done
runs 0 "$lockstack" offload --rule tom --regions loops "$kernels/bfs/bfs.ptx" --json c.json
equal "$(json c.json kernels.0.candidates.#)" 0 'no loop of BFS alone'
equal "$(json c.json regions)" loops 'loops alone'
runs 0 "$lockstack" offload --rule tom "$kernels/fwt/fwt.ptx" --kernel fwt4 --json d.json
equal "$(json d.json kernels.#)" 1 'one kernel alone'
equal "$(json d.json kernels.0.candidates.0.change.sum)" -167.0 'its change of traffic'

# the limits of the metadata table
head='.version 6.0 .target sm_35 .address_size 32 .shared .u32 sh[99];'
{
  echo "$head .visible .entry many() { .reg .u32 %r<9>;"
  for _ in {1..41}; do echo 'st.global.u32 [%r1], %r1; st.global.u32 [%r1+4], %r1; bar.sync 0;'; done
  echo '} .visible .entry wide() { .reg .u32 %r<99>; st.global.u32 [%r1], %r1; st.global.u32 [%r1+4], %r1; bar.sync 0;'
  for i in {0..70}; do echo "ld.shared.u32 %r$i, [sh];"; done
  for i in {0..70}; do echo "st.shared.u32 [sh], %r$i;"; done
  echo '}'
} >limits.ptx
runs 0 "$lockstack" offload --rule tom limits.ptx --json e.json
line '^  1 more candidate is dropped: the table has 40 entries$' 'the 41st candidate'
line '^  no candidates: more than 64 words of registers are alive$' 'too many registers'
equal "$(json e.json kernels.0.dropped)" 1 'dropped'
equal "$(json e.json kernels.0.candidates.#)" 40 'kept'
equal "$(json e.json kernels.1.most_alive)" 71 'alive'
equal "$(json e.json kernels.1.too_many_alive)" true 'too many'

refuses 2 "'dim' should be nsu, mpu or tom" "$lockstack" offload "$libor" --rule dim
refuses 2 "'blocks' should be all or loops" "$lockstack" offload "$libor" --rule tom --regions blocks
refuses 2 'regions goes with --rule tom' "$lockstack" offload "$libor" --regions all
refuses 2 'regions goes with --rule tom' "$lockstack" offload "$libor" --rule mpu --regions all
refuses 2 'policy goes with --rule mpu' "$lockstack" offload "$libor" --rule tom --policy near
refuses 2 'goes alone' "$lockstack" offload --count --regions all
refuses 2 'a FILE.ptx is missing' "$lockstack" offload --rule tom
refuses 2 "no kernel 'portfolio'" "$lockstack" offload "$libor" --rule tom --kernel portfolio
refuses 2 'no.ptx: No such file' "$lockstack" offload --rule tom no.ptx
head -c 1500 "$libor" >cut.ptx
refuses 2 'cut.ptx:[0-9]+:[0-9]+: ' "$lockstack" offload --rule tom cut.ptx
echo "$head" >empty.ptx
refuses 2 'empty.ptx: no kernel' "$lockstack" offload --rule tom empty.ptx

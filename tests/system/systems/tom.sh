# SPDX-License-Identifier: Apache-2.0
#
# Transparent offloading in a full system: results are right whatever goes to the stacks' SMs, a
# run says what went and why the rest did not, routers may be RTL and model in lockstep, and bad
# settings are refused in one line. timeout: 300
source "$(dirname "$0")/../lib.sh"

tom() { # WORKLOAD OPTION...
  runs 0 "$lockstack" run tom "$@" --json t.json
  equal "$(json t.json result_ok)" true "results of $*"
}
sum() { # of instances, and of what became of them
  local all
  all=$(json t.json tom.offloaded)
  for reason in condition channel full no_access learning; do all=$((all + $(json t.json "tom.kept.$reason"))); done
  equal "$(json t.json tom.instances)" "$all" "instances of $1"
}

# Each mode, on kernels with loops, regions, divergence, barriers and races of equal values; sizes
# that fill no last warp.
for mode in none ctrl always; do
  for workload in 'vadd --set workload.n=50021' 'sp32 --set workload.vectors=67' 'fwt32 --set workload.log2n=14' \
    'bfs32 --set workload.nodes=3001' \
    'rd --set workload.n=300007' 'lib --set workload.paths=300' 'km --set workload.points=1003' \
      'bp --set workload.points=1003' \
    'cfd --set workload.cells=97' 'hw --set workload.points=3 --set workload.side=40 --set workload.template=3 --set workload.search=5' \
    'ray --set workload.width=50 --set workload.height=37'; do
    # shellcheck disable=SC2086
    tom $workload --set tom.offload=$mode
    sum "${workload%% *}, $mode"
    case $mode in
    none) equal "$(json t.json tom.offloaded) $(json t.json parts.sm.counters.thread_instructions)" '0 0' \
      "what ${workload%% *} gives away with none" ;;
    always) equal "$(json t.json tom.kept.channel) $(json t.json tom.kept.full)" '0 0' \
      "what ${workload%% *} keeps with always" ;;
    ctrl) equal "$(json t.json parts.sm.counters.blocks)" "$(json t.json tom.offloaded)" \
      "blocks that ${workload%% *} ran at stacks" ;;
    esac
  done
done
equal "$(json t.json rival) $(json t.json machine)" 'tom_gpu gpu' 'its rival and machine'
matches "$(json t.json shares.at_stacks)" '^0\.[0-9]+' 'the share of instructions at stacks'

# Where memory lives is another machine with the same results; a map by two high bits keeps more of
# what a block accesses in its stack than by low ones.
tom vadd --set workload.n=50021 --set tom.offload=always --set map.mode=fixed --set map.bit=7
low=$(json t.json shares.own_stack)
tom vadd --set workload.n=50021 --set tom.offload=always --set map.mode=fixed --set map.bit=16
awk -v low="$low" -v high="$(json t.json shares.own_stack)" 'BEGIN { exit !(high >= low) }' ||
  wrong "blocks find less in their stacks with map.bit=16 than with 7"
tom vadd --set workload.n=50021 --set map.mode=pages

# A map that is learnt: what the first instances say, out of the host's memory; then blocks go, and
# find more in their stacks than by the GPU's map.
for workload in 'sp32 --set workload.vectors=67' 'lib --set workload.paths=300' 'bp --set workload.points=1003' \
  'fwt32 --set workload.log2n=14' \
  'cfd --set workload.cells=97' 'hw --set workload.points=3 --set workload.side=40 --set workload.template=3 --set workload.search=5'; do
  # shellcheck disable=SC2086
  tom $workload --set map.mode=tmap
  sum "${workload%% *}, tmap"
  matches "$(json t.json tom.learning.bit) $(json t.json tom.learning.ranges)" '^([7-9]|1[0-6]) [1-9]' \
    "what ${workload%% *} learns"
  matches "$(json t.json tom.learning.instances) $(json t.json tom.learning.cycles)" '^[1-9][0-9]* [1-9][0-9]{3,}' \
    "from what ${workload%% *} learns"
done
tom fwt32 --set workload.log2n=14 --set tom.offload=always
own=$(json t.json shares.own_stack)
tom fwt32 --set workload.log2n=14 --set tom.offload=always --set map.mode=tmap
awk -v own="$own" -v learnt="$(json t.json shares.own_stack)" 'BEGIN { exit !(learnt > own) }' ||
  wrong "blocks find less in their stacks with tmap: own $own"

# Looked at only: as on the GPU alone, each candidate that might go is seen, nothing is moved;
# nothing is learnt where there is nothing to be.
tom fwt32 --set workload.log2n=14 --set tom.offload=watch
equal "$(json t.json tom.offloaded) $(json t.json tom.learning.ranges)" '0 0' 'what watching gives away and moves'
equal "$(json t.json tom.watched.instances)" "$(json t.json tom.kept.learning)" 'instances that are watched'
awk -v own="$(json t.json tom.watched.together)" -v best="$(json t.json tom.watched.together_best)" \
  'BEGIN { exit !(own > 0 && best > own && best <= 1) }' ||
  wrong 'shares of accesses in one stack while watching'
tom fwt32 --set workload.log2n=14 --set tom.offload=none --set map.mode=tmap
equal "$(json t.json tom.learning.cycles)" 0 'learning where nothing is offloaded'

# What costs nothing in an ideal machine: no lists; no packets of blocks on links, and all data
# where the block is.
for workload in 'bfs32 --set workload.nodes=3001' 'lib --set workload.paths=300' 'fwt32 --set workload.log2n=12'; do
  for free in nothing coherence all; do
    # shellcheck disable=SC2086
    tom $workload --set tom.offload=always --set tom.free=$free
    [ $free = coherence ] || continue
    equal "$(json t.json parts.sm.counters.lines_written)" 0 "lines that are named, ${workload%% *}"
  done
  equal "$(json t.json shares.own_stack) $(json t.json parts.gpu.counters.sent_packets.OWN)" '1.0 0' \
    "what ${workload%% *} finds in its stack, and sends, with all for nothing"
  matches "$(json t.json tom.lines)" '^[1-9]' "lines that ${workload%% *} writes"
done

# Translations that the SM of a stack keeps: fewer make more walks, and take longer.
tom fwt32 --set workload.log2n=14 --set tom.offload=always
all=$(json t.json cycles)
equal "$(json t.json parts.sm.counters.walks)" 0 'walks with all translations there'
tom fwt32 --set workload.log2n=14 --set tom.offload=always --set tlb.entries=64
many=$(json t.json parts.sm.counters.walks)
tom fwt32 --set workload.log2n=14 --set tom.offload=always --set tlb.entries=32 --set map.mode=tmap
tom fwt32 --set workload.log2n=14 --set tom.offload=always --set tlb.entries=32
[ "$many" -gt 0 ] && [ "$(json t.json parts.sm.counters.walks)" -ge "$many" ] &&
  [ "$(json t.json cycles)" -gt "$all" ] || wrong "walks of a TLB of 32 entries"

# Odd machines: one SM, one warp at a stack and no queue, links of a flit, two stacks, an L2 as
# fast as the SMs.
tom vadd --set workload.n=5003 --set gpu.sms=1 --set tom.warps=2 --set tom.queue=0 --set tom.offload=always
tom lib --set workload.paths=9000 --set tom.warps=192 --set gpu.scheduler=lrr
tom fwt32 --set workload.log2n=14 --set tom.warps=96 --set tom.offload=always --set gpu.schedulers=1
tom fwt32 --set workload.log2n=12 --set link.flits=1 --set network.flit_bytes=8 --set network.topology=full:2 \
  --set tom.offload=always
tom bfs32 --set workload.nodes=2003 --set clocks.l2='1400 MHz' --set l1.mshrs=1 --set xbar.in_queue=1 \
  --set tom.offload=always
tom rd --set workload.n=100003 --set network.topology=mesh:2x4
tom fwt32 --set workload.log2n=12 --set l1i.ideal=false --set gpu.scheduler=lrr --set gpu.schedulers=1

# Routers of 32-byte flits in lockstep: the same cycles.
tom vadd --set workload.n=5003 --set tom.offload=always
cycles=$(json t.json cycles)
tom vadd --set workload.n=5003 --set tom.offload=always --engine 'router[*]=lockstep'
equal "$(json t.json cycles) $(json t.json lockstep.divergences)" "$cycles 0" 'cycles with routers in lockstep'
matches "$(json t.json lockstep.cycles)" '^[1-9][0-9]{3,}$' 'cycles of routers in lockstep'

# A kernel without candidates runs as on the GPU.
tom nw --set workload.rows=33 --set workload.columns=17
equal "$(json t.json tom.instances)" 0 'candidates of nw'

bad() { # REGEX OPTION...
  refuses 2 "^lockstack: .*$1" "$lockstack" run tom vadd "${@:2}"
}
bad 'tom.warps must be 2 to 48, 96 or 192' --set tom.warps=50
bad 'tom.warps: 193 is out of range; from 2 to 192 would be right' --set tom.warps=193
bad 'tom.warps: 1 is out of range' --set tom.warps=1
bad 'map.bit must be 7 to 16 with map.mode=fixed' --set map.mode=fixed --set map.bit=6
bad 'map.bit: 17 is out of range' --set map.mode=fixed --set map.bit=17
bad 'map.mode=tmap learns its bit; map.bit=0 would be right' --set map.mode=tmap --set map.bit=16
bad 'tlb.entries must be 0 or 32 to 1024' --set tlb.entries=31
bad 'tom.learn: 1.5 is out of range; from 0 to 1 would be right' --set tom.learn=1.5
bad 'tom.look: 65536 is out of range' --set tom.look=65536
bad 'host.latency: 0 is out of range' --set host.latency=0
bad 'host.bytes: 0 is out of range' --set host.bytes=0
bad 'map.bit is for map.mode=fixed; 0 would be right' --set map.bit=16
bad 'tom.busy: 1.5 is out of range' --set tom.busy=1.5
bad "tom.free: 'links' is not nothing, coherence or all" --set tom.free=links
bad "tom.offload: 'some' is not none, watch, ctrl or always" --set tom.offload=some
bad "a block's request has up to 228 flits; link.rx_flits: 256 would be right" --set link.rx_flits=128
bad 'paging.demand=false would be right' --set paging.demand=true --set map.mode=pages
bad 'gpu.sms: 129 is out of range' --set gpu.sms=129
bad 'router\[4\]' --engine 'router[4]=rtl'
refuses 2 'offload.policy=tom is for stacks with SMs' "$lockstack" run nsu vadd --set offload.policy=tom
file=$source/harness/systems/configs/tom.yaml
sed '/^ *- sm.port/s/stack.logic/stack.logic[0-2]/; s/stack_sm, count: stack}/stack_sm, count: 3}/; s/^rival: .*//' \
  "$file" >three.yaml
refuses 2 'stack 3 has no SM; one at each stack would be right' "$lockstack" run three.yaml vadd
nsu='nsu: {part: nsu, count: stack, clocks: {nsu: core}}'
sed "s/^  sm: .*/&\n  $nsu/; s/^  - sm.port.*/&\n  - nsu.port - stack.logic/; s/^rival: .*//" "$file" >both.yaml
runs 0 "$lockstack" run both.yaml rd --set offload.policy=static --set offload.ratio=1 --json t.json \
  # beside NSUs, also on tom's machine
equal "$(json t.json result_ok)" true 'results with NSUs beside SMs'

# While data move to where they should be nothing else does: that is no deadlock, however long it
# takes.
runs 0 "$lockstack" run tom bp --set map.mode=tmap --set system.watchdog_us=2 --json moved.json
[ "$(json moved.json parts.gpu.counters.learn_move_cycles)" -gt 2800 ] ||
  wrong 'data moved for less than the watchdog waits'

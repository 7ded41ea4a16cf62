# SPDX-License-Identifier: Apache-2.0
#
# Nodes of SMs and memory on a congested network: right whatever manages congestion, the same by
# routers of C, RTL and both; what stays at a node, what crosses modules; pages where a profile
# says; bad settings are refused in one line.
# timeout: 600
# shellcheck source=tests/system/lib.sh
source "$(dirname "$0")/../lib.sh"

nupim() { # WORKLOAD OPTION...
  runs 0 "$lockstack" run nupim "$@" --json n.json
  equal "$(json n.json result_ok)" true "results of $*"
}
count() { # PART.COUNTER
  json n.json "parts.${1%%.*}.counters.${1#*.}"
}
compare() { # A OP B WHAT
  checks=$((checks + 1))
  awk -v a="$1" -v b="$3" "BEGIN {exit !(a != \"\" && b != \"\" && a $2 b)}" || wrong "$4: not $1 $2 $3"
}

# Each policy, kernels with divergence, races of equal values, atomics, stores of bytes; epochs so
# short that links change and pairs come and go.
small=(--set network.epoch=2000 --set network.width_delay=100)
for policy in base crit crit+tr crit+tr+w crit+w dist double; do
  for workload in 'vadd --set workload.n=50021' 'bfs --set workload.nodes=3001' 'hist --set workload.n=5000' \
    'bp --set workload.points=1003' \
    'csr --set workload.rows=500'; do
    # shellcheck disable=SC2086
    nupim $workload "${small[@]}" --set network.policy=$policy
  done
done

# A thread's accesses to an element keep their order, though packets overtake each other
# (overtaken.cu), and those of threads across a barrier (coherence.cu).
for kernel in coherence overtaken; do
  nupim vadd --ptx "$source/tests/system/programs/$kernel.ptx" --set workload.n=50021 "${small[@]}" --set network.policy=crit+tr
  compare "$(count gpu.order_waits)" '>' 0 "waits for order in $kernel"
done
nupim vadd --ptx "$source/tests/system/programs/overtaken.ptx" --set workload.n=50021 --set network.order=path \
  --set network.policy=crit
equal "$(count gpu.order_waits)" 0 'waits for order where nobody overtakes'

# Models, RTL and both: the same cycles; no router diverges.
for policy in crit+tr crit+w; do
  nupim vadd --set workload.n=5003 "${small[@]}" --set network.policy=$policy
  cycles=$(json n.json cycles)
  for engine in rtl lockstep; do
    nupim vadd --set workload.n=5003 "${small[@]}" --set network.policy=$policy --engine "router[*]=$engine"
    equal "$(json n.json cycles)" "$cycles" "cycles with routers as $engine, $policy"
  done
  equal "$(json n.json lockstep.divergences)" 0 "divergences, $policy"
  compare "$(json n.json lockstep.cycles)" '>' 18000 'router cycles compared'
done

# Iterations of the switch allocator: another machine, the same by models and RTL.
nupim bp --set workload.points=1003
cycles=$(json n.json cycles)
nupim bp --set workload.points=1003 --set network.iterations=2
[ "$(json n.json cycles)" != "$cycles" ] || wrong 'two iterations change nothing'
cycles=$(json n.json cycles)
nupim bp --set workload.points=1003 --set network.iterations=2 --engine 'router[*]=lockstep'
equal "$(json n.json cycles)" "$cycles" 'cycles of two iterations with routers in lockstep'
equal "$(json n.json lockstep.divergences)" 0 'divergences, two iterations'

# In the first epoch crit is base, cycle for cycle. Priority buffers are for what is not divergent:
# with them those are not.
nupim vadd --set workload.n=50021 --set network.policy=base
cycles=$(json n.json cycles)
nupim vadd --set workload.n=50021 --set network.policy=crit
equal "$(json n.json cycles)" "$cycles" 'crit in the first epoch'
nupim vadd --set workload.n=50021 --set network.policy=crit+tr
[ "$(json n.json cycles)" != "$cycles" ] || wrong 'priority buffers change nothing'

# Bytes: what SMs ask of their node and of others; of the network, what stays in the central
# module. All of one node's SMs find all in it.
nupim vadd --set workload.n=50021
compare "$(count gpu.node_bytes)" '>' 0 'bytes at nodes'
compare "$(count gpu.net_bytes)" '>' "$(count gpu.node_bytes)" 'bytes between nodes'
compare "$(count net.module_bytes)" '>' 0 'bytes in the central module'
compare "$(count net.module_bytes)" '<' "$(count gpu.net_bytes)" 'and between modules'
equal "$(count net.divergent_bytes)" 0 'divergent traffic of vadd'
nupim bfs --set workload.nodes=3001
compare "$(count gpu.load_lines.4to7)" '>' 0 'divergent loads of bfs'
compare "$(count net.divergent_bytes)" '>' 0 'and traffic'
# The central machine has all its SMs in the central module.
nupim vadd --set workload.n=50021 --set gpu.node_sms=8*8,0*8
compare "$(count gpu.net_bytes)" '>' 0 'bytes between nodes of the central machine'

# Pages where the SMs are that access them: nearly nothing crosses the network.
nupim vadd --set workload.n=500003 --profile vadd.csv
far=$(count gpu.net_bytes)
matches "$(head -2 vadd.csv | tail -1)" '^# run: vadd workload.n=500003 .*gpu.node_sms=4\*16 gpu.cta_order=ranges system.seed=1$' 'the run that a profile names'
nupim vadd --set workload.n=500003 --pages vadd.csv
compare "$(count gpu.net_bytes)" '<' "$((far / 20))" 'bytes between nodes with pages where they are accessed'
nupim vadd --set workload.n=500003 --set map.mode=pages --set map.bit=0
compare "$(count gpu.net_bytes)" '>' "$((far / 2))" 'and with pages at random'

# Where it was congested: rows of all links and critical pairs, and pictures of them.
nupim cfd "${small[@]}" --set network.policy=crit --heat pictures
equal "$(json n.json parts.net.tables.links.#)" "$((2 * (2 * 8 + 16)))" 'outputs of routers that have a link'
compare "$(json n.json parts.net.tables.pairs.#)" '>' 0 'critical pairs'
equal "$(echo pictures/*)" \
  "$(echo pictures/cfd-crit-{answers-load.{pdf,png,svg},answers.{csv,pdf,png,svg},requests-load.{pdf,png,svg},requests.{csv,pdf,png,svg}})" 'pictures'
matches "$(cat pictures/cfd-crit-answers.svg)" 'cfd, policy crit, answers' "a picture's title"
matches "$(cat pictures/cfd-crit-answers.svg)" 'M8' 'a module in it'
nupim vadd --set workload.n=5003 --set network.subnets=1 --set network.vcs=1 --heat one
equal "$(echo one/*)" "$(echo one/vadd-base{-load.{pdf,png,svg},.{csv,pdf,png,svg}})" \
  'the picture of one network for both'

# Energy: links between nodes take less when they are narrow, in all.
nupim vadd --set workload.n=500003 "${small[@]}" --set network.policy=crit+w
compare "$(count net.node_slots)" '<' "$(count net.link_slots)" 'slots of links that were narrow'
equal "$(count net.node_flits)" "$(count net.link_flits)" 'flits between nodes'

# ---- bad input ----
no() { # REGEX OPTION...
  local regex=$1
  shift
  refuses 2 "$regex" "$lockstack" run nupim vadd "$@"
}
no 'a policy with tr lets packets overtake each other; network.order=guard' --set network.order=path \
  --set network.policy=crit+tr
no '12 ports of 8 VCs; at most 64 input VCs a router: NumVCs of 4 would be right' --set network.subnets=1 \
  --set network.policy=double
no 'an epoch of 2500 cycles ends before links have changed' --set network.policy=crit+tr+w --set network.epoch=2500
no 'a VC would be left with none; more Depth or NumVCs' --set network.policy=crit+tr --set network.depth=2
no 'network.iterations: 0 is out of range; from 1 to 8' --set network.iterations=0
no 'network.track: 101 is out of range; from 0 to 100' --set network.track=101
no "network.grow: '-1' is not a whole number; from 0 to 100 would be right" --set network.grow=-1
no "does not say where 64 SMs are at 4 nodes; 16\*4 would be right" --set network.topology=mesh:2x2
no "'4\*15' does not say where 64 SMs are at 16 nodes; 4\*16 would be right" --set 'gpu.node_sms=4*15'
no "'4x16' is no list of SMs" --set gpu.node_sms=4x16
no "no instance 'router\[18\]'; router, or router\[0\] to router\[17\] would be right" --engine 'router[18]=rtl'
no "network.policy: 'best' is not base, crit, crit\+tr" --set network.policy=best
no "network.local_ports=1 would be right" --set network.local_ports=2 --set network.topology=mesh:4x4
no '--pages: vadd.csv is of another run' --pages vadd.csv
no '--pages: nothing.csv: No such file' --pages nothing.csv
head -3 vadd.csv | sed 's/^# run:.*/# run: vadd workload.n=1000003 workload.block=256 gpu.sms=64 gpu.node_sms=4*16 gpu.cta_order=ranges system.seed=1/' >cut.csv
printf '7,16,1,1\n' >>cut.csv
no 'cut.csv:4: a node that the system does not have' --pages cut.csv
sed -i '$d' cut.csv
printf '7,x,1,1\n' >>cut.csv
no 'cut.csv:4: no line of four numbers' --pages cut.csv
sed -i '$d' cut.csv
printf '7,1,1,1' >>cut.csv
no 'cut.csv:4: a line that does not end' --pages cut.csv
refuses 2 '--heat: baseline has no SMs at nodes of a network; nupim has' "$lockstack" run baseline vadd --heat pictures
refuses 2 'map.profile is for SMs at nodes of a network' "$lockstack" run baseline vadd --profile x.csv
refuses 2 'network.order=guard is for SMs alone' "$lockstack" run nsu vadd --set network.order=guard
refuses 2 'gpu.cta_order=ranges is for SMs at nodes' "$lockstack" run baseline vadd --set gpu.cta_order=ranges
[ ! -e x.csv ] || wrong 'a profile of a run that was refused'
sed 's/gpu.node - net.terminal/gpu.node[0-7] - net.terminal[8-15]\n  - gpu.node[8-15] - net.terminal[0-7]/' \
  "$source/harness/systems/configs/nupim.yaml" >moved.yaml
refuses 2 'gpu.node\[k\] must be at terminal k' "$lockstack" run moved.yaml vadd
sed 's/gpu.node - net.terminal/gpu.node[0-7] - net.terminal[0-7]/' \
  "$source/harness/systems/configs/nupim.yaml" >half.yaml
refuses 2 'a node for each stack would be right' "$lockstack" run half.yaml vadd
sed 's/^  net: .*/  net: {part: network}\n  more: {part: stack, count: net}/; s/^  - stack.net .*/&\n  - more.net - net.terminal/' \
  "$source/harness/systems/configs/tom_gpu.yaml" >two.yaml
refuses 2 'links of stacks|is not linked' "$lockstack" run two.yaml vadd

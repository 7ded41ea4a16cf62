# SPDX-License-Identifier: Apache-2.0
#
# Four papers in one machine: a GPU on the network that stacks are on, NSUs in these, SMs beside
# them, a map that is learnt from their blocks, congestion managed: right in every combination; all
# blocks as models, RTL and both are the same; what cannot be put together is refused in one line.
# timeout: 900
# shellcheck source=tests/system/lib.sh
source "$(dirname "$0")/../lib.sh"

near() { # SYSTEM WORKLOAD OPTION...
  runs 0 "$lockstack" run "$@" --json n.json
  equal "$(json n.json result_ok)" true "results of $*"
}
count() { # PART.COUNTER
  json n.json "parts.${1%%.*}.counters.${1#*.}"
}
compare() { # A OP B WHAT
  checks=$((checks + 1))
  awk -v a="$1" -v b="$3" "BEGIN {exit !(a != \"\" && b != \"\" && a $2 b)}" || wrong "$4: not $1 $2 $3"
}

small=(--set network.epoch=2000 --set network.width_delay=100 --set ratio.epoch_cycles=2000)

# Each map with each decision and policy, kernels that diverge, race with equal values, have
# atomics and barriers.
for map in pages bmap tmap 'fixed --set map.bit=9'; do
  for policy in base crit crit+w dist double; do
    case $policy in
      base) offload='static --set offload.ratio=1' ;;
      crit) offload='static --set offload.ratio=0.3' ;;
      crit+w) offload=dynamic ;;
      dist) offload=dynamic_cache ;;
      *) offload=none ;;
    esac
    # shellcheck disable=SC2086
    near near vadd --set workload.n=20011 "${small[@]}" --set map.mode=$map --set network.policy=$policy \
      --set offload.policy=$offload
  done
done
for workload in 'bfs --set workload.nodes=3001' 'hist --set workload.n=5000' 'csr --set workload.rows=1000' \
  'minife --set workload.nx=9 --set workload.ny=8 --set workload.nz=7' \
  'stcl --set workload.points=600' 'kmn --set workload.points=1003'; do
  for system in near near_sms; do
    # shellcheck disable=SC2086
    near $system $workload "${small[@]}"
  done
done
for kernel in coherence overtaken; do
  for system in near near_sms; do
    near $system vadd --ptx "$source/tests/system/programs/$kernel.ptx" --set workload.n=20011 "${small[@]}"
  done
done

# All goes over the network: the GPU's links are none of its own, what its interfaces carry is what
# it sends and gets.
near near vadd --set workload.n=50021
equal "$(count gpu.link_bytes)" 0 'bytes over links of the GPU'
equal "$(count stack.from_gpu) $(count stack.to_gpu) $(count stack.link_slots)" '0 0 0' \
  'what links between GPU and stacks carry'
sum() { json n.json "parts.gpu.counters.$1" | tr -d '{}"' | tr ',' '\n' | awk -F: '{s += $2} END {print s}'; }
equal "$(count ni.sent_bytes) $(count ni.got_bytes)" "$(sum sent_bytes) $(sum got_bytes)" \
  'bytes through its network interfaces'
equal "$(count net.node_flits) $(count net.stack_slots)" "$(count net.link_flits) 0" 'whose links the network has'
equal "$(json n.json energy.components.gpu_links.nj)" 0.0 'energy of links that are not there'
near nsu vadd --set workload.n=50021
equal "$(count gpu.link_bytes)" "$(($(sum sent_bytes) + $(sum got_bytes)))" \
  'bytes over links where they are the GPU'"'"'s own'

# Learnt from what NSUs would get: nothing goes before, blocks go after, and more of what they
# access is where they are.
near near vadd --set workload.n=200003 --set offload.policy=static --set offload.ratio=1 --set map.mode=tmap
compare "$(count gpu.learn_instances)" '>=' 16 'instances it is learnt from'
compare "$(count gpu.learn_cycles)" '>' 700 'cycles of learning, at least one access of the host'
equal "$(count gpu.learn_ranges)" 3 'arrays that are where the bit says'
compare "$(count gpu.blocks_offloaded)" '>' 6000 'blocks that go when it is learnt'
compare "$(count gpu.blocks_kept)" '>=' "$(count gpu.learn_instances)" 'blocks that stayed to be seen'
learnt=$(count net.link_bytes.WRITE)
near near vadd --set workload.n=200003 --set offload.policy=static --set offload.ratio=1 --set map.mode=bmap
compare "$(count net.link_bytes.WRITE)" '>' "$((${learnt:-0} + 1))" 'bytes of writes between stacks without learning'
near near vadd --set workload.n=20011 --set offload.policy=none --set map.mode=tmap
equal "$(count gpu.learn_cycles)" 0 'cycles of learning where nothing goes'
near nsu csr --set workload.rows=1000 --set map.mode=tmap
compare "$(count gpu.learn_instances)" '>=' 16 'instances that a machine of NSUs learns from'

# Beside NSUs: loops go to SMs, what is in none to NSUs; either alone.
near near_sms csr --set workload.rows=1000 "${small[@]}"
compare "$(count gpu.tom_offloaded)" '>' 0 'loops at SMs of stacks'
near near_sms csr --set workload.rows=1000 "${small[@]}" --set offload.policy=static --set offload.ratio=1 \
  --set map.mode=bmap
compare "$(count gpu.tom_offloaded)" '>' 0 'loops at SMs of stacks'
compare "$(count gpu.blocks_offloaded)" '>' 0 'blocks at NSUs'
near near_sms csr --set workload.rows=4000 "${small[@]}" --set offload.policy=none
equal "$(count gpu.blocks_offloaded)" 0 'blocks at NSUs where none goes'
compare "$(count gpu.tom_offloaded)" '>' 0 'loops at SMs then'
near near_sms csr --set workload.rows=1000 "${small[@]}" --set tom.offload=none --set offload.policy=static \
  --set offload.ratio=1 --set map.mode=bmap
equal "$(count gpu.tom_instances)" 0 'loops where no SM takes any'
compare "$(count gpu.blocks_offloaded)" '>' 0 'blocks at NSUs then'
near near_sms csr --set workload.rows=1000 "${small[@]}" --set tom.regions=all --set tom.offload=always \
  --set offload.policy=static --set offload.ratio=1
compare "$(count gpu.tom_offloaded)" '>' 0 'candidates at SMs, whatever they are'

# Models, RTL and both: the same cycles, and nothing diverges.
all=(router nsu tom_ctrl tom_map tom_stack credits)
one=(tom_gate tom_busy tom_ranges ratio)
near near_sms csr --set workload.rows=300 "${small[@]}"
cycles=$(json n.json cycles)
for engine in rtl lockstep; do
  options=()
  for block in "${all[@]}"; do options+=(--engine "$block[*]=$engine"); done
  for block in "${one[@]}"; do options+=(--engine "$block=$engine"); done
  near near_sms csr --set workload.rows=300 "${small[@]}" "${options[@]}"
  equal "$(json n.json cycles)" "$cycles" "cycles with all blocks as $engine"
done
equal "$(json n.json lockstep.divergences)" 0 'divergences'
compare "$(json n.json lockstep.cycles)" '>' 500000 'cycles compared'
near near csr --set workload.rows=300 --engine 'router[0,3]=lockstep' --engine 'nsu[2]=lockstep'
equal "$(json n.json lockstep.divergences)" 0 'divergences of some'

# Where it was congested.
near near vadd --set workload.n=20011 "${small[@]}" --set network.policy=crit --heat pictures
matches "$(ls pictures)" 'vadd-crit-answers.svg' 'a picture of the network'

# ---- bad input ----
no() { # REGEX OPTION...
  local regex=$1
  shift
  refuses 2 "$regex" "$lockstack" run near vadd "$@"
}
no 'a policy with tr lets packets overtake each other' --set network.policy=crit+tr
no 'network.order=guard is for SMs alone' --set network.order=guard
no "network.local_ports=1 would be right" --set network.local_ports=2 --set network.topology=mesh:4x4
no 'terminals|connections' --set network.topology=mesh:3x3
no 'map.mode=tmap learns its bit' --set map.bit=9
no 'what blocks access is learnt from at most 64 SMs' --set gpu.sms=65
no "no instance 'router\[18\]'" --engine 'router[18]=rtl'
refuses 2 'tom.free=all goes past links' "$lockstack" run near_sms vadd --set tom.free=all
refuses 2 'tom.offload=watch looks at candidates alone' "$lockstack" run near_sms vadd --set tom.offload=watch
file=$source/harness/systems/configs/near.yaml
sed 's/terminal\[0-7\]/terminal[x-y]/; s/terminal\[8-15\]/terminal[0-7]/; s/terminal\[x-y\]/terminal[8-15]/' \
  "$file" >turned.yaml
refuses 2 'gpu.link\[0\] leads to ni\[0\] at net.terminal\[8\]' "$lockstack" run turned.yaml vadd
sed 's/^  - gpu.link - ni.gpu/  - gpu.link - stack.gpu/; /ni.net/d; /ni: {/d; s/count: ni/count: 8/' "$file" >own.yaml
refuses 2 'net.terminal|links of stacks' "$lockstack" run own.yaml vadd

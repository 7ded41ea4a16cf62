# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# The smallest of everything: one queue entry, one MSHR, one line of cache, slow clocks, with all
# blocks offloaded and with some. Nothing may get stuck, be taken for stuck, or go wrong.
source "$(dirname "$0")/../lib.sh"

small_gpu='gpu.sms=2 gpu.ctas=1 gpu.lsu_queue=1 gpu.max_loads=4 gpu.link_queue=1 gpu.schedulers=1'
small_l1='l1.bytes=128 l1.ways=1 l1.mshrs=1 l1.merges=1'
small_l2='l2.bytes=1024 l2.ways=1 l2.mshrs=1 l2.merges=1'
small_xbar='xbar.in_queue=1 xbar.out_queue=1 xbar.bytes=1'
small_memory='network.vcs=1 network.depth=1 link.tx_packets=1 link.rx_flits=64 vault.queue=1 vault.bypass=0'
small_offload='offload.pending_packets=256 offload.ready_packets=1'
small_port='nsu.port_flits=1 nsu.merge_beats=1 nsu.credit_batch=1 nsu.read_only_lines=1'
small_l1i='l1i.ideal=false l1i.bytes=128 l1i.ways=1 l1i.mshrs=1'
large_queues='gpu.link_queue=1024 offload.pending_packets=65535 offload.ready_packets=65535'
settings=(
  "$small_gpu" "$small_l1 $small_l2" "$small_xbar" "$small_memory" "$small_offload"
  "$small_gpu $small_l1 $small_l2 $small_xbar $small_memory $small_offload"
  "$small_l1 $small_l2 $small_xbar $small_memory $small_offload network.topology=hypercube:1"
  "$small_offload $small_memory clocks.nsu=10MHz network.link_latency=60 link.latency=63"
  "$small_l1i $small_gpu gpu.scheduler=lrr" "$small_l1i $small_l2 $small_xbar $small_port $small_offload"
  "$large_queues gpu.sms=128 gpu.scheduler=lrr xbar.bytes=256 nsu.port_flits=64 nsu.merge_beats=64 nsu.credit_batch=1023 nsu.read_only_lines=64 l1i.ideal=false"
  "gpu.sms=72 nsu.port_flits=64 nsu.merge_beats=0 nsu.credit_batch=1023 clocks.nsu=1400MHz l1i.ideal=false l1i.bytes=1048576 l1i.ways=32 l1i.mshrs=64"
  "$small_offload offload.target=most" "$small_l1 $small_offload offload.target=first_miss gpu.lsu_queue=1"
  "clocks.core=100MHz clocks.xbar=100MHz l2.latency=1000 l1.mshrs=1 gpu.sms=1"
  "clocks.core=5000MHz clocks.xbar=5000MHz xbar.latency=0 l1.latency=1 l2.latency=1 gpu.alu_latency=1 clocks.nsu=1MHz"
)
workloads=(
  "vadd workload.n=1500" "csr workload.rows=200 workload.columns=200" "stn workload.nx=40 workload.ny=5 workload.nz=3"
)
ratio=1
for setting in "${settings[@]}" "${settings[5]}"; do # so that the smallest in all is there with both
  for workload in "${workloads[@]}"; do
    [ $ratio = 1 ] && ratio=0.5 || ratio=1
    set=(--set offload.ratio=$ratio)
    for value in ${workload#* } $setting; do set+=(--set "$value"); done
    runs 0 "$lockstack" run nsu "${workload%% *}" "${set[@]}" --json a.json
    equal "$(json a.json result_ok)" true "$workload with $setting"
  done
done

# A crossbar of 1 MHz takes longer for a queue of packets than the watchdog waits, but it moves.
runs 0 "$lockstack" run nsu bicg --set workload.rows=40 --set workload.columns=40 --set clocks.xbar=1MHz

# The watchdog does fire when nothing moves for longer than it waits, and says who waits for what.
runs 1 "$lockstack" run nsu vadd --set workload.n=500 --set clocks.xbar=1MHz --set xbar.latency=100 \
  --set system.watchdog_us=20
matches "$err" 'deadlock: nothing has moved for 20 us; waiting:.*SM 0: .*crossbar: ' 'the report of a deadlock'
# More slices than stacks can have NSUs: the report asks stacks, not slices, what their NSUs wait for.
runs 1 "$lockstack" run nsu vadd --set workload.n=500 --set clocks.xbar=1MHz --set xbar.latency=100 \
  --set system.watchdog_us=20 --set offload.ratio=0 --set l2.slices=16
matches "$err" 'deadlock: nothing has moved for 20 us; waiting:.*SM 0: .*crossbar: ' 'a deadlock with 128 slices'

# Half the links' clock, and a DRAM clock eight times as slow: both are felt.
cycles() { runs 0 "$lockstack" run baseline vadd --set workload.n=20000 "$@" --json a.json; json a.json cycles; }
whole=$(cycles) half=$(cycles --set clocks.link=625MHz) slow=$(cycles --set clocks.dram=12000ps)
checks=$((checks + 2))
[ "$half" -gt $((whole * 5 / 4)) ] || wrong "links of 625 MHz: $half cycles, $whole at 1250"
[ "$slow" -gt $((whole * 5 / 4)) ] || wrong "tCK of 12 ns: $slow cycles, $whole at 1.5"

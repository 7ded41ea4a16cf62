# SPDX-License-Identifier: Apache-2.0
#
# Networks of systems: more stacks than an NSU's wires name where no NSU is, cores of the MPU on
# other topologies than their mesh; runs are right. timeout: 600
source "$(dirname "$0")/../lib.sh"

for shape in 4x4 8x8; do
  runs 0 "$lockstack" run baseline vadd --set workload.n=20011 --set gpu.sms=8 --set network.topology=mesh:$shape \
    --json s.json
  equal "$(json s.json result_ok)" true "stacks in a mesh of $shape"
done
refuses 2 "gpu: 16 stacks: an NSU's packets name at most 15; fewer stacks, or none with an NSU, would be right" \
  "$lockstack" run nsu vadd --set network.topology=mesh:4x4
refuses 2 'the number of stacks must be a power of two, 1 to 256' "$lockstack" run baseline vadd \
  --set network.topology=full:5
refuses 2 'net: router 0 has 8 ports, and there are 2052 terminals; at most 16 and 1024' "$lockstack" draw baseline \
  --set network.topology=mesh:19x27
runs 0 "$lockstack" draw baseline --set network.topology=mesh:16x16
matches "$out" 'stack +256' 'the most stacks'

# Eight cores of two processors; the way between processors is longer in any topology.
small=(--set mpu.cubes_x=2 --set mpu.cubes_y=1 --set mpu.cores_x=2 --set mpu.cores_y=2 --set workload.n=9001)
runs 0 "$lockstack" run mpu axpy "${small[@]}" --json m.json
runs 0 "$lockstack" run mpu axpy "${small[@]}" --set network.topology=mesh --json n.json
equal "$(json m.json cycles)" "$(json n.json cycles)" 'mesh is what is there if nothing is said'
for topology in full:8 tree:7 ring:8; do
  runs 0 "$lockstack" run mpu pr "${small[@]}" --set network.topology=$topology --json t.json
  equal "$(json t.json result_ok)" true "cores on $topology"
done
runs 0 "$lockstack" run mpu pr "${small[@]}" --set network.topology=full:8 --engine 'router[5]=lockstep' --json l.json
equal "$(json l.json result_ok) $(json l.json lockstep.divergences)" 'true 0' 'a router of them in lockstep'
matches "$(json l.json lockstep.cycles)" '^[1-9][0-9]+$' 'its cycles'
runs 0 "$lockstack" run mpu vadd "${small[@]}" --set network.topology=full:8 --json l.json \
  # half of each block's words are another core's
runs 0 "$lockstack" run mpu vadd "${small[@]}" --set network.topology=full:8 --set network.cube_latency=40 --json f.json
[ "$(json f.json cycles)" -gt "$(json l.json cycles)" ] || wrong 'longer links between processors take no longer'
refuses 2 'mpu: mesh:3x3 has 9 terminals, and there are 8 cores; as many would be right' "$lockstack" run mpu axpy \
  "${small[@]}" --set network.topology=mesh:3x3
refuses 2 'mpu: ring:4 has 4 terminals' "$lockstack" run mpu axpy "${small[@]}" --set network.topology=ring:4
refuses 2 'mpu: ways pass up to 1 datelines, so a class needs 2 VCs and has 1' "$lockstack" run mpu axpy "${small[@]}" \
  --set network.topology=ring:8 --set network.vcs=1
refuses 2 'a policy without tr would be right' "$lockstack" run baseline vadd --set network.topology=ring:8 \
  --set network.order=guard --set network.policy=crit+tr
{
  printf 'routers: [a, b]\nlinks:\n  - {a: a, b: b, latency: 9}\nterminals:\n  - {router: a, count: 4}\n  - {router: b, count: 4}\n'
} >far.yaml
refuses 2 'mpu: a link of router .* has a latency of [0-9]+ cycles; at most 60' \
  "$lockstack" run mpu axpy "${small[@]}" --set network.topology="$PWD/far.yaml" --set network.cube_latency=8

# SPDX-License-Identifier: Apache-2.0
#
# Transparent offloading with its blocks as model, RTL or both: the same cycles; a planted bug in
# each is found where it is; instances that are not there and machines that the blocks are not made
# for are refused in one line. timeout: 300
source "$(dirname "$0")/../lib.sh"

blocks=(tom_ctrl tom_gate tom_busy tom_map tom_ranges tom_stack)
all=()
engines() { # ENGINE: of all blocks that a run has
  all=(--engine "router=$1")
  for block in "${@:2}"; do all+=(--engine "$block=$1"); done
}
tom() { # WORKLOAD OPTION...
  runs 0 "$lockstack" run tom "$@" --json t.json --out out
  equal "$(json t.json result_ok)" true "results of $*"
}

# With control, and a map that is learnt: every block.
for engine in model rtl lockstep; do
  engines $engine "${blocks[@]}"
  tom rd --set map.mode=tmap "${all[@]}"
  [ $engine = model ] && cycles=$(json t.json cycles)
  equal "$(json t.json cycles) $(json t.json lockstep.divergences)" "$cycles 0" "cycles of rd, $engine"
done
matches "$(json t.json lockstep.cycles)" '^[1-9][0-9]{5,}$' 'cycles of blocks in lockstep'
names=
for instance in 0 63 64 65 66 129 130 131 134 135; do names+=" $(json t.json "lockstep.instances.$instance.name")"; done
equal "$names" ' tom_ctrl[0] tom_ctrl[63] tom_gate[0] tom_busy[0] tom_map[0] tom_map[63] tom_ranges[0] tom_stack[0] tom_stack[3] router[0]' 'names of instances'
for instance in 0 64 65 66 130 131; do
  matches "$(json t.json "lockstep.instances.$instance.cycles")" '^[1-9][0-9]+$' \
    "cycles of $(json t.json "lockstep.instances.$instance.name")"
done

# Odd machines: few SMs, two warps at a stack, two and eight stacks, links that carry less than a
# flit, a narrow window, candidates that are only watched.
odd() { # what the first run of it says, all say: BLOCKS WORKLOAD OPTION...
  for engine in model lockstep; do
    # shellcheck disable=SC2086
    engines $engine $1
    tom "${@:2}" "${all[@]}"
    [ $engine = model ] && cycles=$(json t.json cycles)
    equal "$(json t.json cycles) $(json t.json lockstep.divergences)" "$cycles 0" "cycles of $2, ${*:3}"
  done
}
odd 'tom_ctrl tom_gate tom_busy tom_stack' sp32 --set workload.vectors=67 --set gpu.sms=3 --set tom.warps=2 \
  --set tom.window=2 --set tom.busy=0.01
odd 'tom_ctrl tom_gate tom_map tom_ranges tom_stack' fwt32 --set workload.log2n=12 --set network.topology=full:2 \
  --set tom.offload=always \
  --set tom.queue=64 --set map.mode=tmap
odd "${blocks[*]}" fwt32 --set workload.log2n=12 --set network.topology=mesh:2x4 --set clocks.link='300 MHz' \
  --set link.flits=1 \
  --set map.mode=tmap --set gpu.threads=256
odd 'tom_ctrl tom_gate tom_map tom_stack' vadd --set workload.n=5003 --set tom.offload=watch --set gpu.sms=2

# A planted bug in each.
for bug in tom_gate_done tom_busy_last tom_map_end tom_ctrl_read tom_stack_list; do
  patch=$source/tests/lockstep/bugs/$bug.patch
  for file in $(sed -n 's,^+++ b/,,p' "$patch"); do mkdir -p "$(dirname "$file")" && cp "$source/$file" "$file"; done
  GIT_CEILING_DIRECTORIES=$here git apply "$patch" || wrong "the patch $bug no longer fits"
done
mkdir rtl_new && find rtl -name '*.sv' -exec cp {} rtl_new/ \;
sed 's/addr_q - from < bytes/addr_q - from < bytes >> 1/' "$source/rtl/tom/tom_ranges.sv" >rtl_new/tom_ranges.sv
cmp -s "$source/rtl/tom/tom_ranges.sv" rtl_new/tom_ranges.sv && wrong 'the bug in tom_ranges no longer fits'
finds() { # BLOCK WORKLOAD OPTION...
  runs 1 "$lockstack" run tom "${@:2}" --set map.mode=tmap --rtl rtl_new --engine "$1=lockstep" --out out --json t.json
  matches "$out" "$1\\[[0-9]+\\] first differs in its cycle [0-9]+" "the report of a divergence of $1"
  equal "$(json t.json result_ok)" true "the model of $1 goes on"
}
finds tom_ctrl rd
finds tom_stack lib --set workload.paths=300
finds tom_gate lib --set workload.paths=300
finds tom_busy rd --set tom.window=16 --set tom.busy=0.3
finds tom_map rd --set tom.look=1
replay=$(json t.json lockstep.instances.66.first.replay)
runs 1 "$lockstack" replay "$replay" --json b.json
equal "$(json b.json outcome) $(json b.json block)" 'DIVERGED tom_map' 'outcome of the replay'
finds tom_ranges fwt32 --set workload.log2n=12

bad() { # REGEX OPTION...
  refuses 2 "^lockstack: .*$1" "$lockstack" run tom vadd "${@:2}"
}
bad "no instance 'tom_gate\[1\]'; tom_gate, or tom_gate\[0\] to tom_gate\[0\] would be right" --engine 'tom_gate[1]=rtl'
bad "no instance 'tom_map\[64\]'; tom_map, or tom_map\[0\] to tom_map\[63\] would be right" --set map.mode=tmap \
  --engine 'tom_map[64]=rtl'
bad "no instance 'tom_map'; .*tom_gate\[0\] to tom_gate\[0\]" --engine tom_map=rtl
bad "no instance 'tom_busy'" --set tom.offload=always --engine tom_busy=rtl
bad "no instance 'tom_gate'" --set tom.offload=none --engine tom_gate=rtl
bad "no instance 'credits'" --engine credits=rtl
bad 'blocks go to stacks from at most 64 SMs; gpu.sms=64, or tom.offload=none, would be right' --set gpu.sms=69
bad 'tom.busy must be 0 to 1, in steps of 0.01' --set tom.busy=0.905
bad 'tom.window: 65537 is out of range; from 2 to 65536 would be right' --set tom.window=65537
bad 'tom.window: 1 is out of range' --set tom.window=1
bad 'links of at most 15 flits a crossbar cycle are watched' --set link.flits=16
bad 'with one stack there is no map to be learnt' --set network.topology=full:1 --set tom.offload=watch
runs 0 "$lockstack" run tom vadd --set workload.n=5003 --set gpu.sms=69 --set tom.offload=none

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# lockstack offload: blocks for people and for programs, and bad PTX refused with file, line,
# column.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
vadd=$source/firmware/workloads/kernels/vadd/vadd.ptx

runs 0 "$lockstack" offload "$vadd" --json a.json
matches "$out" 'score 12 = 12 saved - 0 moved' 'the score'
matches "$out" 'OFLD.BEG 0x0000, -, 2, 1' 'the GPU side'
matches "$out" '@NSU +0x0018  add.f32 F0, F0, F1' 'the two sides'
equal "$(json a.json schema)" lockstack.offload/1 'the schema'
equal "$(json a.json kernels.0.name)" vadd 'the kernel'
equal "$(json a.json kernels.0.blocks.0.count)" 4 'the size of the block'
equal "$(json a.json kernels.0.blocks.0.nsu.#)" 6 'the NSU instructions'
equal "$(json a.json kernels.0.blocks.0.nsu.1.text)" 'ld.b32 F0' 'the first load'
for ptx in "$source"/firmware/workloads/kernels/*/*.ptx; do runs 0 "$lockstack" offload "$ptx" --rule nsu; done
runs 0 "$lockstack" offload "$source/firmware/workloads/kernels/fwt/fwt.ptx" --kernel fwt_modulate
matches "$out" '^kernel fwt_modulate: 1 offload block' 'one kernel alone'

runs 0 "$lockstack" offload "$source/firmware/workloads/kernels/stcl/stcl.ptx" --json p.json
matches "$out" 'line 111 may read what line 110 writes .stcl_param_0, stcl_param_4.' \
  'a load behind a store of its block'
equal "$(json p.json kernels.0.blocks.0.pairs.0.store_parameter)" stcl_param_4 'the pointer of the store'
equal "$(json p.json kernels.0.blocks.1.pairs.#)" 0 'a block without such a load'

runs 0 "$lockstack" offload --count --json c.json
matches "$out" 'VADD +4 +4 +the same' 'a row of Table 1'
matches "$out" 'FWT +16 4 +16 5 +differs' 'another'
equal "$(json c.json table1.#)" 10 'the rows of Table 1'
equal "$(json c.json table1.0.workload)" vadd 'the first of them'
equal "$(json c.json table1.4.blocks.1.count)" 4 'a size of BICG'
matches "$out" 'BPROP +29 23 +25 19 +differs' 'blocks of binary64'
refuses 2 'goes alone' "$lockstack" offload --count "$vadd"

refuses 2 'a FILE.ptx is missing' "$lockstack" offload
refuses 2 'no.ptx: No such file' "$lockstack" offload no.ptx
refuses 2 "'gpu' should be nsu" "$lockstack" offload "$vadd" --rule gpu
refuses 2 "no kernel 'vsub'" "$lockstack" offload "$vadd" --kernel vsub
sed 's/add.f32/adx.f32/' "$vadd" >opcode.ptx
refuses 2 "opcode.ptx:[0-9]+:[0-9]+: unknown opcode 'adx'; did you mean 'add'" "$lockstack" offload opcode.ptx
head -c 700 "$vadd" >cut.ptx
refuses 2 'cut.ptx:[0-9]+:[0-9]+: ' "$lockstack" offload cut.ptx
printf '.version 6.0\n.target sm_35\n' >empty.ptx
refuses 2 'empty.ptx: no kernel' "$lockstack" offload empty.ptx
printf '.version 6.0\n.target sm_35\n.func f() { ret; }\n.func g()\n.func h() { ret; }\n' >functions.ptx
for rule in nsu mpu tom; do # a note, no error
  runs 0 "$lockstack" offload functions.ptx --rule $rule
  matches "$out" 'functions.ptx: no kernel; 2 device functions, not planned alone' "a module of functions, rule $rule"
  refuses 2 "no kernel 'k'" "$lockstack" offload functions.ptx --rule $rule --kernel k
done
head -c 100000 /dev/urandom >noise.ptx
refuses 2 'noise.ptx:[0-9]+:[0-9]+: ' "$lockstack" offload noise.ptx

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Kernels that print, and whose assertions fail: in programs, launch files and by the C interface,
# on each GPU; what has no room; the near-bank processor. prints.cu, by clang.
# timeout: 300
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
ptx=$source/tests/system/programs/prints.ptx
program() { "$lockstack" exec "${@:3}" -- "$build/tests/exec_vadd" "$1" 1 "$ptx" "$2"; }

want=$'  0|even  |0.00|0|a|0%\n 32|odd   |48.00|-274877906944|b|20%\n 64|even  |96.00|-549755813888|c|40%'
for system in baseline nsu tom near nupim v100; do
  runs 0 program 70 vadd --system $system --report r.txt
  equal "$(sort <<<"$out")" "$(printf '%s\nsums are right\n' "$want" | sort)" "what is printed on $system"
  matches "$out" $'sums are right$' "on $system the program comes after its kernel"
done

# A warp's threads come in order, those before the assertion's are there, and the program is told.
runs 1 program 70 fails --report r.txt
matches "$out" '^before.*710 \(CUDA_ERROR_ASSERT\)' 'what a program sees of an assertion'
said="assertion 'a\[i\] < 40' failed at prints.cu:[0-9]+ in void fails\(float \*, float \*, float \*, uint\)"
matches "$err" "kernel fails: thread \(ctaid 0,0,0 tid (40|64),0,0\): $said" 'the assertion'
runs 0 program 39 fails --report r.txt

# As on a device there is room for a mebibyte, in whole calls.
runs 0 program 2000 much --report r.txt
equal "$(grep -c '^ *[0-9]*$' <<<"$out")" 1047 'lines that found room'
matches "$err" '953 calls of printf found no room in 1048576 bytes, and are lost' 'what was lost'

# A launch file: in the report and its JSON
cat >a.yaml <<END
module: $ptx
buffers: {a: {type: f32, count: 70, fill: iota}, b: {type: f32, count: 70, fill: {iota: [0, 0.5]}}, c: {type: f32, count: 70}}
launches: [{kernel: vadd, grid: 1, block: 128, args: [a, b, c, 70], repeat: 2}]
END
runs 0 "$lockstack" run baseline a.yaml --json a.json
matches "$out" $'\nPrinted\n.*  0.even  .0.00.0.a.0%\n' 'the report of a launch file'
equal "$(json a.json printed | grep '^ *[0-9]' | sort)" "$(printf '%s\n%s\n' "$want" "$want" | sort)" 'its JSON'
sed 's/kernel: vadd/kernel: fails/' a.yaml >b.yaml
refuses 2 "kernel fails: thread .* assertion 'a\[i\] < 40' failed" "$lockstack" run nsu b.yaml
refuses 2 "is not executed by the near-bank processor \(a call of " "$lockstack" run mpu a.yaml

runs 0 "$build/tests/embed" "$ptx" prints
equal "$out" 'prints held' 'by the C interface'

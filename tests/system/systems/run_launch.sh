#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Launch files: the examples on several systems, what is written, each comparison that does not
# hold, each mistake in one line.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
example=$source/docs/example/launch saxpy=$source/firmware/workloads/kernels/saxpy/saxpy.ptx

for system in baseline nsu tom mpu nupim near; do
  for name in saxpy histogram loop halves; do
    runs 0 "$lockstack" run $system "$example/$name.yaml" --json $system-$name.json
    equal "$(json $system-$name.json result_ok)" true "$name on $system"
    equal "$(json $system-$name.json compare.0.different)" 0 "what differs of $name on $system"
  done
  runs 0 cmp bins.npy "$example/bins_want.npy"
done
runs 0 "$lockstack" run nsu "$example/saxpy.yaml" --engine 'nsu[*]=lockstep' --set offload.ratio=1 --json l.json
equal "$(json l.json lockstep.divergences)" 0 'divergences'
[ "$(json l.json lockstep.cycles)" -gt 1000 ] || wrong 'nothing was in lockstep'

# Repetitions are counted, and the launches' cycles are all there are.
equal "$(json baseline-loop.json launches.0.times) $(json baseline-loop.json launches.1.times)" '3 6' 'times'
equal "$(($(json baseline-loop.json launches.0.cycles) + $(json baseline-loop.json launches.1.cycles)))" \
  "$(json baseline-loop.json cycles)" 'cycles'

# The same kernel, sizes and machine as `run` has: the same cycles.
runs 0 "$lockstack" run baseline saxpy --set workload.n=20000 --json run.json
cat >same.yaml <<END
module: $saxpy
buffers: {x: {type: f32, count: 20000}, y: {type: f32, count: 20000}}
launches: [{kernel: saxpy, grid: 79, block: 256, args: [20000, 2.7182817, x, y]}]
END
runs 0 "$lockstack" run baseline same.yaml --json same.json
equal "$(json same.json cycles)" "$(json run.json cycles)" 'cycles of saxpy'
matches "$out" 'Not compared: .*nothing is compared' 'a file without comparisons'
case $out in *'is right:'*) wrong 'a file without comparisons is said to be right' ;; esac
equal "$(json same.json result_ok)" null 'result_ok of a file without comparisons'
runs 0 "$lockstack" run nsu same.yaml --json same.json
matches "$out" 'Not compared: ' 'a file without comparisons, with a rival'
equal "$(json same.json result_ok)" null 'result_ok of it'
echo 'compare: []' >>same.yaml
runs 0 "$lockstack" run mpu same.yaml
matches "$out" 'Not compared: ' 'an empty list of comparisons'

# a TEXT: a launch file of saxpy with these lines at its end; y = 2 x + y of 64 elements, x = 0, 1,
# 2, ..., y = 1.
file() {
  printf 'module: %s\nbuffers:\n  x: {type: f32, count: 64, fill: iota}\n  y: {type: f32, count: 64, fill: 1}\n' \
    "$saxpy"
  printf 'launches:\n  - {kernel: saxpy, grid: 1, block: 64, args: [64, 2, x, y]}\n%s\n' "$1"
}
a() { file "$1" >a.yaml; }
differs() {
  a "compare: [$1]"
  runs 1 "$lockstack" run baseline a.yaml --json a.json
  matches "$out" "$2" "$1"
  equal "$(json a.json result_ok)" false "result_ok of $1"
}
holds() { a "compare: [$1]" && runs 0 "$lockstack" run baseline a.yaml; }
holds '{buffer: y, values: [1, 3, 5, 7]}'
holds '{buffer: y, first: 62, values: [125, 127]}'
holds '{buffer: y, type: u32, values: [0x3f800000]}'
differs '{buffer: y, values: [1, 3, 5.5, 7]}' \
  '\[2\] got 5, want 5.5.*WRONG RESULT: y\[2\] is 5, not 5.5; 1 of 4 elements differ'
differs '{buffer: y, with: x}' '64 of them differ:.*\[0\] got 1, want 0.*\[7\] got 15, want 7'
holds '{buffer: y, values: [1.25, 3], absolute: 0.25}'
differs '{buffer: y, values: [1.25, 3], absolute: 0.2}' '\[0\] got 1, want 1.25'
holds '{buffer: y, values: [1, 3.03], relative: 0.01}'
differs '{buffer: y, values: [1, 3.04], relative: 0.01}' '\[1\] got 3, want 3.03'
holds '{buffer: y, values: [1.00000024, 3], ulps: 2}'
differs '{buffer: y, values: [1.00000036, 3], ulps: 2}' '\[0\] got 1, want 1.000000'

# What is written: raw and .npy, also where a comparison does not hold; read back as a buffer and
# as what is wanted.
a $'dump: {y: y.npy, x: x.raw}\ncompare: [{buffer: y, values: [9]}]'
runs 1 "$lockstack" run nsu a.yaml
equal "$(stat -c %s x.raw y.npy | tr '\n' ' ')" '256 384 ' 'sizes of what was written'
a $'compare: [{buffer: y, file: y.npy}, {buffer: x, file: x.raw}]'
runs 0 "$lockstack" run nsu a.yaml
sed 's/count: 64, fill: iota/fill: {file: x.raw}/; s/type: f32, count: 64, fill: 1/fill: {file: y.npy}/' a.yaml >b.yaml
sed -i 's/{buffer: y, file: y.npy}/{buffer: y, values: [1, 5, 9, 13]}/' b.yaml
runs 0 "$lockstack" run mpu b.yaml
a "dump: {y: /dev/full}"
refuses 3 'full: No space left' "$lockstack" run baseline a.yaml

# A whole number's sign, offsets, bytes, alignment, shared memory.
cat >offset.yaml <<END
module: $saxpy
buffers:
  x: {bytes: 256, fill: {values: [$(printf '0,0,128,63,%.0s' {1..63})0,0,128,63]}}
  y: {type: f32, count: 64, align: 65536}
launches:
  - {kernel: saxpy, grid: [1, 1], block: [32, 1, 1], args: [32, -1.5, x, {buffer: y, offset: 128}], shared: 1024}
  - {kernel: saxpy, grid: 1, block: 32, args: [{hex: 01000000}, {hex: 00000040}, x, y]}
compare:
  - {buffer: y, values: [2, 0]}
  - {buffer: y, first: 31, values: [0, -1.5]}
END
runs 0 "$lockstack" run baseline offset.yaml

# Random numbers: of one seed the same, in their range, without a seed of each buffer its own, and
# others with another --seed.
random() { # FILL OF X, FILL OF Y
  file "$3" | sed "s/fill: iota/fill: $1/; s/fill: 1}/fill: $2}/; s/\\[64, 2, x, y\\]/[0, 2, x, y]/" >random.yaml
}
random '{random: [2, 3], seed: 5}' '{random: [2, 3], seed: 5}' \
  'compare: [{buffer: x, with: y}, {buffer: x, values: [2.5, 2.5, 2.5], absolute: 0.5}]'
runs 0 "$lockstack" run baseline random.yaml
random random random 'compare: [{buffer: x, with: y}]'
runs 1 "$lockstack" run baseline random.yaml --json random.json
equal "$(json random.json compare.0.different)" 64 'numbers of two buffers'
for seed in 1 1 2; do
  random random random "dump: {x: x$seed.raw}"
  [ ! -e x$seed.raw ] || mv x$seed.raw before.raw
  runs 0 "$lockstack" run baseline random.yaml --seed $seed
done
runs 0 cmp before.raw x1.raw
runs 1 cmp x1.raw x2.raw

# Mistakes: one line with place and what would be right; nothing is simulated.
bad() {
  file '' | sed -E "$1" >bad.yaml
  refuses 2 "$2" "$lockstack" run baseline bad.yaml
}
bad 's/kernel: saxpy/kernel: saxpi/' "bad.yaml:6:14: no kernel 'saxpi' in .*saxpy.ptx; did you mean saxpy\?"
bad 's/, y\]/]/' 'bad.yaml:6:[0-9]+: saxpy has 4 parameters, not 3'
bad 's/, y\]/, y, y]/' 'saxpy has 4 parameters, not 5'
bad 's/args: .64/args: [4294967296/' "argument 1 of saxpy: '4294967296' is no u32; a whole number from -2147483648 to 4294967295"
bad 's/args: .64/args: [1.5/' "argument 1 of saxpy: '1.5' is no u32"
bad 's/, 2, x/, 1e99, x/' "argument 2 of saxpy: '1e99' is no f32; a smaller number"
bad 's/, 2, x/, y, x/' 'y is a buffer, but this parameter of saxpy is .f32; a number would be right'
bad 's/x, y\]/x, z]/' "no buffer 'z'; a name of the section buffers"
bad 's/^  y:/  x:/' "bad.yaml:4:3: 'x' is already set above"
bad 's/grid: 1/grid: 0/' "bad.yaml:6:27: grid: '0' should be a whole number from 1 to 2147483647"
bad 's/grid: 1/grid: [1, 65536]/' "grid: '65536' should be a whole number from 1 to 65535"
bad 's/block: 64/block: 1025/' "block: '1025' should be a whole number from 1 to 1024"
bad 's/block: 64/block: [64, 32]/' 'block: 2048 threads; 1024 are the most'
bad 's/block: 64/repeat: 0, block: 64/' "repeat: '0' should be"
bad 's/, block: 64//' 'a launch has kernel, grid and block; block is missing'
bad 's/block: 64/blok: 64/' "a launch has no key 'blok'; .*did you mean block\?"
bad 's/type: f32/type: f31/' "type: 'f31' is none; u8, u16, .*f64 would be right"
bad 's/count: 64/count: 0/' "count: '0' should be"
bad 's/type: f32, //' 'the type of its elements is missing'
bad 's/count: 64, //' 'buffer x: its size is missing'
bad 's/fill: iota/fill: ones/' "fill: 'ones' is no f32; .*zeros, iota, random"
bad 's/fill: iota/fill: {random: [1, -1]}/' 'the least and the most number of a range of f32'
bad 's/fill: iota/fill: {file: none.npy}/' 'bad.yaml:3:[0-9]+: none.npy: No such file'
bad 's/fill: iota/align: 24/' 'align: a power of two'
bad 's/^module.*/module: none.ptx/' 'bad.yaml:1:9: none.ptx: No such file'
bad '/^module/d' 'module is missing'
bad '/^launches/,$d' 'launches is missing'
bad 's/f32, count: 64, fill: iota/u8, count: 300, fill: iota/' 'iota: the last number is no u8'
wrong_end() {
  a "$1"
  refuses 2 "$2" "$lockstack" run baseline a.yaml
}
wrong_end 'dump: {y: missing/y.npy}' 'a.yaml:7:11: dump: the folder of missing/y.npy: No such file'
wrong_end 'dump: {z: y.npy}' "no buffer 'z'"
wrong_end 'dump: {x: y.npy, y: y.npy}' "already another buffer's"
wrong_end 'compare: [{buffer: y}]' 'one of file, values and with'
wrong_end 'compare: [{buffer: y, with: y}]' \
  'a.yaml:7:[0-9]+: compare: y with itself, which always holds; another buffer'
wrong_end 'compare: [{buffer: x, with: y}, {buffer: y, first: 0, type: u32, with: y, ulps: 3}]' 'compare: y with itself'
wrong_end $'compare: [{buffer: y, file: y.npy}]\ndump: {y: y.npy}' \
  "a.yaml:7:[0-9]+: compare: y.npy is written by this file's dump of y; a file that no run"
ln -sf y.npy link.npy && wrong_end $'dump: {y: ./y.npy}\ncompare: [{buffer: y, file: link.npy}]' \
  "compare: link.npy is written by this file's dump of y"
wrong_end $'dump: {y: x.raw}\ncompare: [{buffer: x, file: x.raw}]' "compare: x.raw is written by this file's dump of y"
wrong_end 'compare: [{buffer: y, first: 63, values: [1, 2]}]' 'compare: 1 elements of y with 2'
head -c 128 y.npy >cut.npy && wrong_end 'compare: [{buffer: y, file: cut.npy}]' 'cut.npy: the file is cut off: 0 bytes'
wrong_end "compare: [{buffer: y, file: $example/bins_want.npy}]" 'it has u32, not f32'
wrong_end "compare: [{buffer: y, file: $example/saxpy_want.npy}]" 'compare: 64 elements of y with 3000'
printf '\x93NUMPY\x03\x00\x00\x00\x00\x00' >three.npy &&
  wrong_end 'compare: [{buffer: y, file: three.npy}]' 'version 3.0 of .npy; 1.0 or 2.0'
sed 's/<f4/>f4/' y.npy >big.npy && wrong_end 'compare: [{buffer: y, file: big.npy}]' "big endian .*'<f4' would be right"
sed "s/'fortran_order': False, /'fortran_order': True,  /" y.npy >order.npy &&
  wrong_end 'compare: [{buffer: y, file: order.npy}]' 'Fortran order'
wrong_end 'compare: [{buffer: y, values: [1], ulps: -1}]' "ulps: '-1' should be"
# Tolerances with which nothing that is the type's could differ
wrong_end 'compare: [{buffer: y, values: [1], ulps: 8388608}]' \
  "ulps: '8388608' should be a whole number from 0 to 8388607"
wrong_end 'compare: [{buffer: y, type: u8, values: [1], ulps: 128}]' \
  "ulps: '128' should be a whole number from 0 to 127"
wrong_end 'compare: [{buffer: y, values: [1], relative: 1}]' "relative: '1' should be a number from 0 to below 1"
wrong_end 'compare: [{buffer: y, values: [1], absolute: 3.5e38}]' \
  "absolute: '3.5e38' should be a number from 0 to below 3.40282e\\+38"
wrong_end 'compare: [{buffer: y, type: u16, values: [1], absolute: 40000}]' \
  "absolute: '40000' should be a number from 0 to below 32767"
refuses 2 'none.yaml: No such file' "$lockstack" run baseline none.yaml
refuses 2 'has the sizes that are in it' "$lockstack" run baseline "$example/loop.yaml" --full
refuses 2 "no parameter 'n'" "$lockstack" run baseline "$example/loop.yaml" --set workload.n=3

# What only the machine knows.
file '' | sed 's/block: 64/block: 64, shared: 1048576/' >a.yaml
refuses 2 'needs 1048576 bytes of shared memory' "$lockstack" run baseline a.yaml
file '' | sed 's/args: .64/args: [65/; s/block: 64/block: 65/' >a.yaml
refuses 2 'kernel saxpy: thread .*out of bounds' "$lockstack" run baseline a.yaml

# By pages: the file of a profile is this launch file's alone.
runs 0 "$lockstack" run nupim "$example/loop.yaml" --profile pages.csv
runs 0 "$lockstack" run nupim "$example/loop.yaml" --pages pages.csv
runs 0 "$lockstack" run nupim "$example/loop.yaml" --pages profile
refuses 2 'pages.csv is of another run' "$lockstack" run nupim "$example/saxpy.yaml" --pages pages.csv

# The page's own way from CUDA to PTX
if command -v clang >/dev/null; then
  printf '#include "device.h"\nextern "C" __global__ void twice(float *x, uint n) { uint i = global_thread(); if (i < n) x[i] *= 2; }\n' >a.cu
  read -ra words < <(sed -n 's/^    clang \(-O2 .*\)/\1/p' "$source/docs/launch.md")
  (cd "$source" && clang "${words[@]/#a./$here/a.}" -Wno-unknown-cuda-version) || wrong 'the page compiles nothing'
  printf 'module: a.ptx\nbuffers: {x: {type: f32, count: 9, fill: iota}, y: {type: f32, count: 9, fill: {iota: [0, 2]}}}\n' >a.yaml
  printf 'launches: [{kernel: twice, grid: 1, block: 32, args: [x, 9]}]\ncompare: [{buffer: x, with: y}]\n' >>a.yaml
  runs 0 "$lockstack" run baseline a.yaml
fi

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Kernels with .ftz (ftz.ptx), as -use_fast_math makes them, on numbers of which most are subnormal
# or beside them: each is one block whatever its .ftz, NSUs in lockstep write what the GPU alone
# does, bit for bit, and not what the same kernels write without .ftz.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
ptx=$source/tests/system/programs/ftz.ptx
[ "$(grep -c '\.ftz\.' "$ptx")" -ge 14 ] || wrong 'ftz.ptx has no .ftz'
sed 's/\.ftz\././' "$ptx" >kept.ptx
for file in "$ptx" kept.ptx; do
  runs 0 "$lockstack" offload "$file" --json blocks.json
  equal "$(for k in 0 1 2; do json blocks.json kernels.$k.blocks.0.count; done |
    tr '\n' ' ')" '4 12 17 ' "blocks of $file"
done

# From zero to 2^-125, of which half are subnormal, of one sign and of the other; doubles around
# the least normal number of binary32.
small='type: u32, count: 3010, fill: {random: [0, 0x01000000]' \
  minus='type: u32, count: 3010, fill: {random: [0x80000000, 0x81000000]'
cat >a.yaml <<END
module: $ptx
buffers:
  x: {$small, seed: 1}}
  y: {$minus, seed: 2}}
  z: {$small, seed: 3}}
  t: {$minus, seed: 4}}
  u: {type: u32, count: 3010}
  floors: {type: s32, count: 3010}
  wide: {type: u64, count: 3010, fill: {random: [0xb800000000000000, 0xb820000000000000], seed: 5}}
launches:
  - {kernel: saxpy, grid: 12, block: 256, args: [x, y, 0.75, 3001]}
  - {kernel: stencil, grid: 12, block: 256, args: [x, t, u, 1.0e-38, 3001]}
  - {kernel: rest, grid: 12, block: 256, args: [t, y, z, floors, wide, 3001]}
dump: {y: y.raw, u: u.raw, z: z.raw, floors: floors.raw, wide: wide.raw}
END
sed "s|^module: .*|module: kept.ptx|" a.yaml >kept.yaml
written=(y u z floors wide)
keep() { for name in "${written[@]}"; do mv "$name.raw" "$name.$1"; done; }

for file in a kept; do
  runs 0 "$lockstack" run baseline $file.yaml
  keep $file
  runs 0 "$lockstack" run nsu $file.yaml --engine 'nsu[*]=lockstep' --set offload.ratio=1 --json n.json
  equal "$(json n.json blocks_offloaded) $(json n.json lockstep.divergences)" '282 0' \
    "instances of $file.yaml on NSUs, and divergences"
  for name in "${written[@]}"; do runs 0 cmp "$name.raw" "$name.$file"; done
done

# All five differ without .ftz; with it no number of binary32 that was written is subnormal.
for name in "${written[@]}"; do runs 1 cmp -s "$name.a" "$name.kept"; done
subnormals() { od -An -v -w4 -tu4 "$1" | awk '{ m = $1 % 2^31; n += m > 0 && m < 2^23 } END { print n + 0 }'; }
for name in u z; do equal "$(head -c 12004 "$name.a" >cut && subnormals cut)" 0 "subnormal numbers in $name"; done
[ "$(subnormals u.kept)" -gt 100 ] || wrong 'without .ftz there are subnormal numbers'

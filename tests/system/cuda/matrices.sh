#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# Matrices: a product of tiles by wmma, by ldmatrix and mma, and by threads, the same to the last
# bit on several machines; what tensor units cost, in cycles, lines and energy; each mistake in one
# line; machines and blocks that have none.
# shellcheck source=tests/system/lib.sh
. "${BASH_SOURCE%/*}/../lib.sh"
example=$source/docs/example/launch

# ---- on several machines ----

for system in baseline nsu tom v100 near; do
  runs 0 "$lockstack" run $system "$example/gemm.yaml" --json $system.json
  equal "$(json $system.json result_ok) $(json $system.json parts.gpu.counters.matrix_products)" 'true 216' \
    "gemm on $system"
  equal "$(json $system.json parts.gpu.counters.matrix_multiplications)" \
    $((2 * 64 * 96 * 48)) "multiplications on $system"
done
runs 0 "$lockstack" run baseline "$example/gemm.yaml" --set paging.demand=true --set l1.mshrs=1 --json a.json
equal "$(json a.json result_ok)" true 'pages that come at their first access'

# All blocks that there are go to NSUs; matrices are in none.
for system in nsu near; do
  runs 0 "$lockstack" run $system "$example/gemm.yaml" --set offload.ratio=1 --json a.json
  equal "$(json a.json result_ok) $(json a.json parts.gpu.counters.matrix_products)" 'true 216' \
    "gemm, all offloaded, on $system"
done
refuses 2 "kernel gemm_wmma: 'wmma.load.c.sync.aligned.row.m16n16k16.global.f32' is not executed by the near-bank processor \\(matrices\\)" \
  "$lockstack" run mpu "$example/gemm.yaml"

# ---- what they cost ----

counted() { for name in "$@"; do json a.json parts.gpu.counters.$name; done | tr '\n' ' '; }
cat >one.ptx <<'END'
.version 7.0
.target sm_80
.address_size 64
.visible .entry one(.param .u64 a, .param .u64 d)
{
  .reg .b32 %r<40>; .reg .b64 %d<4>;
  ld.param.u64 %d1, [a]; ld.param.u64 %d2, [d];
  wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%d1], 16;
  wmma.load.b.sync.aligned.col.m16n16k16.global.f16 {%r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15}, [%d1], 16;
  wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%r16, %r17, %r18, %r19, %r20, %r21, %r22, %r23}, [%d2], 16;
  wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%r16, %r17, %r18, %r19, %r20, %r21, %r22, %r23},
    {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, {%r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15}, {%r16, %r17, %r18, %r19, %r20, %r21, %r22, %r23};
  wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%d2], {%r16, %r17, %r18, %r19, %r20, %r21, %r22, %r23}, 16;
  ret;
}
.visible .entry some(.param .u64 a, .param .u64 d)
{
  .reg .pred %p<2>; .reg .b32 %r<4>;
  mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 30;
  @%p1 movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;
  ret;
}
.visible .entry old(.param .u64 a, .param .u64 d)
{
  .reg .b32 %r<12>;
  mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%r6, %r7}, {%r0, %r1, %r2, %r3};
  ret;
}
END
# Each element of A A' is 16 ones, and D has ones: two lines of A and B each, the second time
# there, eight of C and D.
cat >one.yaml <<'END'
module: one.ptx
buffers: {a: {type: f16, count: 256, fill: 1}, d: {type: f32, count: 256, fill: 1}, want: {type: f32, count: 256, fill: 17}}
launches: [{kernel: one, grid: 1, block: 32, args: [a, d]}]
compare: [{buffer: d, with: want}]
END
runs 0 "$lockstack" run baseline one.yaml --json a.json
equal "$(counted matrix_products matrix_multiplications matrix_work matrix_accesses lines_accessed)" \
  '1 4096 4096 4 24 ' 'a product'
cycles=$(json a.json cycles)
runs 0 "$lockstack" run baseline one.yaml --set gpu.matrix_latency=122 --json a.json
equal "$(json a.json cycles)" $((cycles + 100)) 'cycles with a latency of 100 more'
runs 0 "$lockstack" run baseline one.yaml --set gpu.matrix_rate=32 --json a.json
equal "$(json a.json cycles)" $((cycles + 96)) 'cycles with a quarter of the rate'
matches "$(cat a.json)" '"event": "multiplications of tensor units, in those of f16 that take as long"' 'their energy'
refuses 2 'gpu.matrix_rate' "$lockstack" run baseline one.yaml --set gpu.matrix_rate=0

# ---- what is wrong ----

sed 's/kernel: one/kernel: some/; /compare/d' one.yaml >some.yaml
why="executes 'movmatrix.sync.aligned.m8n8.trans.b16' with 30 of 32 threads; all have to execute it together"
refuses 2 "one.ptx:20: kernel some: the warp of thread .* $why" "$lockstack" run baseline some.yaml
sed 's/block: 32/block: 48/' one.yaml >part.yaml
refuses 2 'with 16 of 32 threads' "$lockstack" run baseline part.yaml
sed 's/kernel: one/kernel: old/' one.yaml >old.yaml
refuses 2 "is not executed by the GPU model \\(four products of f16 by eight threads each\\)" "$lockstack" run \
  baseline old.yaml
sed 's/args: \[a, d\]/args: [{buffer: a, offset: 8}, d]/' one.yaml >odd.yaml
refuses 2 'reads 16 bytes at address 0x[0-9a-f]*8, which is not aligned to the access' "$lockstack" run baseline \
  odd.yaml

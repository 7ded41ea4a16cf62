#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Textures and surfaces: programs of both APIs with right results on several machines, launch files
# with all modes, what the texture unit's accesses cost, each mistake in one line, machines and
# kernels that have none.
# shellcheck source=tests/system/lib.sh
. "${BASH_SOURCE%/*}/../lib.sh"
programs=$build/tests example=$source/docs/example/launch

# ---- programs ----

parts='objects formats memory layers references surfaces copies'
for system in baseline nsu tom v100 near; do
  # shellcheck disable=SC2086
  runs 0 "$lockstack" exec --system $system --report r.txt -- "$programs/exec_texture_driver" $parts
  equal "$out" "$(printf '%s held\n' $parts)" "the driver API on $system"
done
parts='references linear objects arrays'
for program in 11_plain 12_lz4 13_zstd; do
  for system in baseline nsu v100; do
    # shellcheck disable=SC2086
    runs 0 "$lockstack" exec --system $system --report r.txt -- "$programs/exec_texture_runtime_$program" $parts
    equal "$out" "$(printf '%s held\n' $parts)" "the runtime API $program on $system"
  done
done
runs 0 "$lockstack" exec --set paging.demand=true --report r.txt -- "$programs/exec_texture_driver" objects layers \
  surfaces
equal "$out" $'objects held\nlayers held\nsurfaces held' 'pages that come at their first access'

# A wrong descriptor has its status, which the program holds, and a line.
runs 0 "$lockstack" exec --report r.txt -- "$programs/exec_texture_driver" wrong
equal "$out" 'wrong held' 'statuses'
matches "$err" 'texture: linear filtering of whole numbers; normalized reads, or point filtering, would be right' \
  'a filter'
matches "$err" 'texture: address mode 4 of dimension 1; wrap \(0\), clamp \(1\), mirror \(2\) or border \(3\) would be right' 'a mode'
matches "$err" 'texture: pitch of 32 bytes, a row has 64' 'a pitch'
matches "$err" 'a texture of a mipmapped array is not supported' 'mip maps'

runs 1 "$lockstack" exec --report r.txt -- "$programs/exec_texture_driver" faults
equal "$out" 'faults held' 'statuses of faults'
for line in "'tex.cube.v4.f32.f32' is not executed by the GPU model \(cube maps\)" \
  'uses a texture that is bound to nothing' \
  'uses handle 0x123456789, which is no texture.s' 'reads a 2d texture as 1d' \
    'is at byte 32, row 32, slice 0 of a surface, which is outside of it' \
  'is at byte 2 of a surface.s row, which is misaligned for 4 bytes'; do
  matches "$err" "$line" "the line '$line'"
done

# The near-bank processor has no texture units: objects cannot be made, kernels are refused.
runs 1 "$lockstack" exec --system mpu --report r.txt -- "$programs/exec_texture_driver" objects
matches "$out" 'NOT_SUPPORTED' 'an object on mpu'
matches "$err" 'mpu has no texture units' 'its line'

# ---- launch files ----

for system in baseline nsu tom v100; do
  runs 0 "$lockstack" run $system "$example/rotate.yaml" --json $system.json
  equal "$(json $system.json result_ok) $(json $system.json parts.gpu.counters.texture_fetches)" 'true 160' \
    "rotate on $system"
done
refuses 2 'mpu has no texture units' "$lockstack" run mpu "$example/rotate.yaml"

# fetch.ptx: thread i reads at (x0 + i * step, y).
cat >fetch.ptx <<'END'
.version 4.0
.target sm_30
.address_size 64
.global .texref reference;
.entry fetch(.param .u64 out, .param .u64 t, .param .f32 x0, .param .f32 step, .param .f32 y)
{
  .reg .b32 %r<8>; .reg .f32 %f<12>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [t]; ld.param.f32 %f1, [x0]; ld.param.f32 %f2, [step]; ld.param.f32 %f3, [y];
  mov.u32 %r1, %tid.x; cvt.rn.f32.u32 %f4, %r1; fma.rn.f32 %f5, %f4, %f2, %f1;
  tex.2d.v4.f32.f32 {%f6, %f7, %f8, %f9}, [%rd2, {%f5, %f3}];
  mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3; st.global.f32 [%rd4], %f6; ret;
}
.entry sampled(.param .u64 out, .param .u64 t, .param .u64 s)
{
  .reg .b32 %r<8>; .reg .f32 %f<12>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [t]; ld.param.u64 %rd5, [s];
  mov.u32 %r1, %tid.x; cvt.rn.f32.u32 %f4, %r1; mul.f32 %f4, %f4, 0f3E800000; mov.f32 %f5, 0f3E800000;
  tex.2d.v4.f32.f32 {%f6, %f7, %f8, %f9}, [%rd2, %rd5, {%f4, %f5}];
  mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3; st.global.f32 [%rd4], %f6; ret;
}
END
# a TEXTURE THREADS X0 STEP Y WANTED: that of an image of 32 by 4 numbers, 0, 1, 2, ...
a() {
  cat >a.yaml <<END
module: fetch.ptx
buffers: {image: {type: f32, count: [4, 32], fill: iota}, out: {type: f32, count: $2}}
textures:
  t: $1
launches: [{kernel: fetch, grid: 1, block: $2, args: [out, t, $3, $4, $5]}]
compare: [{buffer: out, values: $6}]
END
}
holds() { a "$@" && runs 0 "$lockstack" run baseline a.yaml --json a.json; }
holds '{buffer: image, size: [32, 4]}' 6 -1.5 1 1.25 '[32, 32, 32, 33, 34, 35]'
holds '{buffer: image, size: [32, 4]}' 4 30.5 1 3 '[126, 127, 127, 127]'
holds '{buffer: image, size: [32, 4], address: border, border: [9]}' 4 -1.5 1 0 '[9, 9, 0, 1]'
holds '{buffer: image, size: [32, 4], address: [clamp, border], border: [9]}' 2 0 1 4 '[9, 9]'
holds '{buffer: image, size: [32, 4], address: wrap, coordinates: normalized}' 4 0.96875 0.03125 1.25 '[63, 32, 33, 34]'
holds '{buffer: image, size: [32, 4], address: mirror, coordinates: normalized}' 4 0.984375 0.03125 0 '[31, 31, 30, 29]'
holds '{buffer: image, size: [32, 4], filter: linear}' 4 0.75 0.5 1 '[16.25, 16.75, 17.25, 17.75]'
holds '{buffer: image, size: [16, 4], pitch: 128, offset: 64}' 4 0 1 1 '[48, 49, 50, 51]'
holds '{buffer: image, size: [16, 4], channels: 2}' 4 0 1 1 '[32, 34, 36, 38]'
holds '{buffer: image, size: [32, 4], as: pitch}' 4 0 1 2 '[64, 65, 66, 67]'

# One line of memory for texels beside each other, two for rows; the texture unit takes its cycles
# behind the data.
holds '{buffer: image, size: [32, 4]}' 32 0 1 0 '[0, 1]'
counted() { for name in "$@"; do json a.json parts.gpu.counters.$name; done | tr '\n' ' '; }
equal "$(counted texture_fetches texture_lines l1_misses)" '1 1 1 ' 'a row'
cycles=$(json a.json cycles)
runs 0 "$lockstack" run baseline a.yaml --set gpu.texture_latency=124 --json a.json
equal "$(json a.json cycles)" $((cycles + 100)) 'cycles with a texture unit of 100 more'
holds '{buffer: image, size: [32, 4], filter: linear}' 32 0.25 1 1 '[16, 16.75]'
equal "$(json a.json parts.gpu.counters.texture_lines)" 2 'two rows'
holds '{buffer: image, size: [32, 4], address: border}' 32 100 1 0 '[0, 0]'
equal "$(counted texture_fetches texture_lines)" '1 0 ' 'nothing but the border'

# A sampler of its own.
cat >s.yaml <<'END'
module: fetch.ptx
buffers: {image: {type: f32, count: [4, 32], fill: iota}, out: {type: f32, count: 4}}
textures:
  t: {buffer: image, size: [32, 4]}
  s: {as: sampler, coordinates: normalized, address: wrap}
launches: [{kernel: sampled, grid: 1, block: 4, args: [out, t, s]}]
compare: [{buffer: out, values: [32, 40, 48, 56]}]
END
runs 0 "$lockstack" run baseline s.yaml

# What the file says wrongly, and what a kernel does.
says() { a "$1" 4 0 1 0 '[0]' && refuses 2 "a.yaml:4:[0-9]+: $2" "$lockstack" run baseline a.yaml; }
says '{buffer: picture, size: [32, 4]}' "no buffer 'picture'"
says '{size: [32, 4]}' "texture t: its buffer is missing"
says '{buffer: image}' "texture t: its size is missing"
says '{buffer: image, size: [32, 5]}' 'texture t: its texels are more than the 512 bytes of image'
says '{buffer: image, size: [32, 4], offset: 16}' 'texture t: its texels are more than the 496 bytes of image'
says '{buffer: image, size: [32, 4], offset: 2}' 'texture t: .*(more than|multiples)'
says '{buffer: image, size: [2, 2, 2, 2]}' 'size: three dimensions at most'
says '{buffer: image, size: [2, 2, 2], layers: 2}' 'texture t: layers of three dimensions'
says '{buffer: image, size: [32, 4], filter: cubic}' "filter: 'cubic' is none; point, linear would be right"
says '{buffer: image, size: [32, 4], address: round}' \
  "address: 'round' is none; wrap, clamp, mirror, border would be right"
says '{buffer: image, size: [32, 4], coordinates: polar}' "coordinates: 'polar' is none"
says '{buffer: image, size: [32, 4], read: normalized}' 'texture t: normalized reads are of whole numbers'
says '{buffer: image, size: [32, 4], type: f64}' 'type: a texture has no elements of type f64'
says '{buffer: image, size: [32, 4], type: u8, filter: linear}' 'texture t: linear filtering of whole numbers'
says '{buffer: image, size: [32, 4], channels: 3}' 'texture t: 3 channels|its texels are more'
says '{buffer: image, size: [32, 4], border: [1, 2, 3, 4, 5]}' 'border: four channels at most'
says '{buffer: image, size: [32, 4], reference: refrence}' \
  "no texture or surface reference 'refrence' in fetch.ptx.*reference"
says '{buffer: image, size: [32, 4], as: cube}' \
  "as: 'cube' is none; texture, linear, pitch, surface, sampler would be right"
says '{buffer: image, size: [32, 4], as: linear}' 'texture t: linear memory has one dimension'
says '{as: sampler, size: 3}' 'texture t: a sampler has no texels'
says '{buffer: image, size: [32, 4], colour: 3}' "a texture has no key 'colour'"
a '{buffer: image, size: [32, 4]}' 4 t 1 0 '[0]'
refuses 2 't is a texture, whose handle has 64 bits, but this parameter of fetch is .f32' "$lockstack" run baseline \
  a.yaml
a '{buffer: image, size: 128}' 4 0 1 0 '[0]'
refuses 2 'fetch.ptx:10: kernel fetch: thread .* reads a 1d texture as 2d' "$lockstack" run baseline a.yaml
a '{as: sampler}' 4 0 1 0 '[0]'
refuses 2 'kernel fetch: thread .* reads a sampler as a texture' "$lockstack" run baseline a.yaml

# Where blocks go elsewhere, those with textures stay, and it is said why.
cat >loop.ptx <<'END'
.version 4.0
.target sm_30
.address_size 64
.global .texref t;
.entry k(.param .u64 out, .param .u32 n)
{
  .reg .pred %p1; .reg .b32 %r<8>; .reg .f32 %f<12>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [n]; mov.u32 %r5, %tid.x; mov.u32 %r6, 0;
A: mul.wide.u32 %rd3, %r5, 4; add.s64 %rd4, %rd1, %rd3;
  ld.global.f32 %f8, [%rd4]; cvt.rn.f32.u32 %f1, %r5;
  tex.1d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [t, {%f1}];
  add.f32 %f4, %f4, %f8; st.global.f32 [%rd4], %f4;
  add.u32 %r6, %r6, 1; add.u32 %r5, %r5, 32; setp.lt.u32 %p1, %r6, %r1;
  @%p1 bra A;
  ret;
}
END
runs 0 "$lockstack" offload loop.ptx --rule tom
matches "$out" 'line 9: loop: a texture or surface: the SM of a stack has no texture unit, line 11' 'what TOM says'
runs 0 "$lockstack" offload loop.ptx --rule nsu
runs 0 "$lockstack" offload loop.ptx --rule mpu
matches "$out" 'tex.1d.v4.f32.f32 .*NOT EXECUTED: textures and surfaces' 'what MPU says'

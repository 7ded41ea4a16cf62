// SPDX-License-Identifier: Apache-2.0
ofld.beg F0
ld.b32 F1
ldc.b32 F2, [16]
fma.rn.f32 F3, F2, F0, F1      // operand b may be a number
@!F4 mov.b32 F3, 0
add.s32 F5, F5, -1
mul.rn.f32 F5, F5, 0f3F800000
st F3
ofld.end
.word 0x0

# SPDX-License-Identifier: Apache-2.0
#
# The hardware blocks: the table of contents. cmake/add_block.cmake says what a line makes and needs.

add_block(lib/arb_rr
  VARIANT one NumReq=1
  VARIANT wide NumReq=64)
add_block(lib/fifo
  VARIANT one Depth=1
  VARIANT odd Depth=7 Width=100)
add_block(lib/sram_1r1w
  VARIANT bits Width=33 Depth=5 LaneBits=1
  VARIANT row Width=1024 LaneBits=1024)

# Arithmetic of a lane
add_block(nsu/fp32_fma)
add_block(nsu/fp32_cmp)
add_block(nsu/fp32_cvt)
add_block(nsu/int_alu)

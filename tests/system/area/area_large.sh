#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# label: soak
#
# area of a block whose synthesis takes long: flip-flops counted by hand from the RTL.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# lsu_rx: the stream 5 + 5 + 64 + 1088, credits 4, errors 3; FIFOs of one word, 352 + 128 + 1120 +
# 64, a count of one bit each, no pointers
one=(--set SmemDepth=1 --set WriteDepth=1 --set MoveDepth=1)
runs 0 "$lockstack" area lsu_rx --out kept "${one[@]}" --set MemDepth=1 --json a.json
equal "$(json a.json flipflops)" 2837 'flip-flops'

# One more word of 352 bits, one more bit of count, two pointers of one bit
runs 0 "$lockstack" area lsu_rx --out kept "${one[@]}" --set MemDepth=2 --json a.json
equal "$(json a.json flipflops)" 3192 'flip-flops with two words of class memory'

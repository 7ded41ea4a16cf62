#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# A block with a piece missing stops the configuration, which names the piece: for each piece of
# one block, in a copy of the tree that has only that block.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

mkdir -p tree/{rtl/lib,cmodel/blocks/lib,tests/lockstep,harness/lockstep}
cp -r "$source/cmake" "$source/synth" tree
cp -r "$source"/harness/portgen tree/harness
cp -r "$source"/harness/lockstep/dut tree/harness/lockstep
cp -r "$source"/harness/base tree/harness # portgen is made with parts of it
cp -r "$source/rtl/nsu" tree/rtl                     # the shared lists; no block of it is added
cp "$source"/rtl/lib/arb_rr.* tree/rtl/lib
cp "$source"/cmodel/blocks/lib/arb_rr.* tree/cmodel/blocks/lib
cp "$source/tests/lockstep/arb_rr.c" tree/tests/lockstep
cat >tree/CMakeLists.txt <<'EOF2'
cmake_minimum_required(VERSION 3.25)
project(one_block LANGUAGES C CXX)
list(APPEND CMAKE_MODULE_PATH "${CMAKE_SOURCE_DIR}/cmake")
include(lockstack)
include(lists)
include(add_block)
add_block(lib/arb_rr)
EOF2
configure() { cmake -G Ninja -S tree -B build; }

runs 0 configure                                     # whole: it must be the missing file that is refused below
for piece in rtl/lib/arb_rr.sv rtl/lib/arb_rr.ports cmodel/blocks/lib/arb_rr.c cmodel/blocks/lib/arb_rr.h tests/lockstep/arb_rr.c \
  synth/cells.ys.in; do
  mv "tree/$piece" aside
  runs 1 configure
  matches "$(xargs <<<"$err")" "add_block\\(lib/arb_rr\\): $piece is missing" "without $piece"
  mv aside "tree/$piece"
done
runs 0 configure

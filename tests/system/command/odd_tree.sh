#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 2400
# label: soak
# alone
#
# A checkout in a folder with blanks, quotes, parentheses and + in its name: built there, and the
# verbs that call other tools work.
# shellcheck disable=SC1091 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

odd="my tree-a+b(c)'s"
mkdir "$odd" || exit 3
git -C "$source" ls-files -z | tar -C "$source" --null -T - -cf - | tar -C "$odd" -xf -
launch() { XDG_CACHE_HOME=$here/caches "$odd/lockstack" --yes "$@"; }

runs 0 launch check arb_rr --cycles 1000
matches "$out" 'PASS arb_rr: 1,000 cycles' 'a block of the tree'
runs 0 launch check fifo --set Depth=3 --cycles 500
runs 0 launch check fifo --dut netlist --cycles 300
runs 0 launch check "$odd/docs/example" --cycles 500
runs 0 launch area arb_rr
runs 0 launch prove arb_rr --first --out "$odd/proofs"
runs 0 launch mutate arb_rr --count 3 --cycles 500 --no-proofs --out "$odd/mutants"
runs 0 launch cover arb_rr --runs 1 --cycles 300 --least 0 --html "$odd/pages"
runs 0 launch faults arb_rr --count 5 --cycles 200
runs 0 launch run nsu vadd --set workload.n=256 --engine 'nsu[0]=lockstep'
runs 0 launch network --cycles 500 --out "$odd/network"
sed -i 's/sum_o + value_i/sum_o + (value_i ^ Bits'"'"'(sum_o == 5))/' "$odd/docs/example/accum.sv"
runs 1 launch check "$odd/docs/example" --cycles 20000 --set Bits=6 --out "$odd/out"
runs 1 launch replay "$(find "$odd/out" -name '*.replay' | head -n 1)"

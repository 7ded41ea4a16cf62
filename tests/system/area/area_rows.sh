#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# area: by parts, on FPGAs, blocks that fail beside others that do not, two runs at once.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

area() { "$lockstack" area --out kept "$@"; }

# By parts: the flip-flops are the same ones
runs 0 area arb_age --set NumReq=5 --json g.json
runs 0 area arb_age --set NumReq=5 --parts --json h.json
equal "$(json g.json method) $(json h.json method)" 'flat parts' 'method'
equal "$(json h.json flipflops)" "$(json g.json flipflops)" 'flip-flops by parts'

# An FPGA: flip-flops as above, no um2
runs 0 area fifo --set Depth=7 --set Width=5 --target ice40 --json i.json
for pair in target=ice40 flipflops=46 rams=0 um2=null longest_path_ns=null scaled=null; do
  equal "$(json i.json "${pair%%=*}")" "${pair#*=}" "ice40: ${pair%%=*}"
done
for key in luts longest_path_levels; do matches "$(json i.json $key)" '^[1-9][0-9]*$' "ice40: $key"; done

# Installed, with one block's RTL broken: it is a row, the others go on
mkdir -p p/bin p/lib/lockstack p/share/lockstack/harness/lockstep
cp "$(dirname "$lockstack")/../dut/portgen" p/lib/lockstack/
cp "$lockstack" p/bin/ && cp -r "$source"/{rtl,cmake,synth} p/share/lockstack/ &&
  cp -r "$source"/harness/portgen p/share/lockstack/harness/ &&
  cp -r "$source"/harness/lockstep/dut p/share/lockstack/harness/lockstep/
echo 'module arb_rr; syntax' >p/share/lockstack/rtl/lib/arb_rr.sv
runs 1 p/bin/lockstack area arb_rr arb_fixed --json j.json
matches "$err" '1 of 2 blocks could not be measured' 'the end of a run with a failure'
equal "$(json j.json blocks.0.status) $(json j.json blocks.1.status)" 'failed ok' 'who failed'
matches "$(json j.json blocks.0.why)" 'syntax error' 'why'

# Time over: the same
refuses 3 'nsu_lanes: synthesis takes more than 1 s' area nsu_lanes --timeout 1 --set Lanes=32 --set TagBits=13

# Two runs at once: one synthesises, the other waits and finds the result
area fifo --set Depth=9 --json k.json >k.out 2>&1 &
runs 0 area fifo --set Depth=9 --json l.json
wait
equal "$(cat k.json l.json | grep -c '"cached": true')" 1 'one of two runs finds a result'
equal "$(json k.json cells)" "$(json l.json cells)" 'cells of two runs'

# A parameter that is said to be its default is none: the same netlist, kept once
default=$(sed -n 's/^PARAM(NumReq, \([0-9]*\),.*/\1/p' "$source/rtl/router/arb_matrix.ports")
runs 0 "$lockstack" area arb_matrix --out same --set NumReq="$default" --json said.json
runs 0 "$lockstack" area arb_matrix --out same --json unsaid.json
equal "$(json said.json cells) $(json said.json ge)" "$(json unsaid.json cells) $(json unsaid.json ge)" \
  'cells and area with a default said'
equal "$(json unsaid.json cached)" true 'what is kept'
equal "$(grep -c chparam same/*/area.ys)" 0 'scripts that say a default'

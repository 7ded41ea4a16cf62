#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves that the NSU accepts input without waiting on its output: nsu_accept.sh SOURCE_DIR
# GENERATED_DIR WORK_DIR
#
#   1. nsu_rx returns the credit of every beat in the cycle after its last phit, whatever the
#      inputs (abc's pdr on nsu_accept.sv; the false claim must be refuted).
#   2. In the whole NSU, in_credit and what is reported about reception are functions of the inputs
#      in_valid, in_class and in_phit alone: no other input, and no register that any other input
#      can reach, is in their cone. The same question about out_valid, which does depend on
#      out_credit, must be answered the other way.
set -eu
src=$1
gen=$2
work=$3
mkdir -p "$work"
cd "$work"
. "$src/tests/formal/yosys_words.sh"
words=$(yosys_words) lower=$(lower_checks "$src")

rtl="-I$gen -I$src/rtl/nsu $gen/nsu_pkg.sv"
failed=0

# prove NAME PORT_BITS CLAIM EXPECTED: EXPECTED is what abc prints
prove() {
  yosys -q $words -e 'implicitly declared' -p "
    read_verilog -sv -formal -DSYNTHESIS $rtl $src/rtl/nsu/nsu_rx.sv $src/tests/formal/nsu_accept.sv
    hierarchy -check -top nsu_accept -chparam PortBits $2 -chparam Claim $3
    proc; $lower; flatten; opt -full; async2sync; techmap; opt -fast; dfflegalize -cell \$_DFF_P_ 01; abc -g AND; clean
    write_aiger -zinit $1.aig" > "$1.log" 2>&1 || { cat "$1.log"; exit 3; }
  yosys-abc -c "read_aiger $1.aig; fold; strash; scorr; pdr -T 60; $abc_trivial" > "$1.abc" 2>&1
  if grep -q "$4" "$1.abc"; then
    echo "ok: nsu_rx, $2-bit port, claim $3: ${4%%[\\]*}"
  else
    echo "FAILED: nsu_rx, $2-bit port, claim $3: expected '$4'"
    cat "$1.abc"
    failed=1
  fi
}

prove whole 1472 0 "$abc_proved"
prove three 500 0 "$abc_proved"
prove narrow 64 0 "$abc_proved"
prove false 500 1 'was asserted in frame'

# Cones in a small NSU, its memories as black boxes whose outputs depend on all their inputs
parts=$(ls "$src"/rtl/nsu/*.sv "$src"/rtl/lib/arb_rr.sv "$src"/rtl/lib/ro_cache.sv "$src"/rtl/lib/sram_1r1w.sv)
if yosys -q $words -e 'implicitly declared' -p "
    read_verilog -sv -DSYNTHESIS $rtl $(echo $parts)
    hierarchy -check -top nsu -chparam Lanes 1 -chparam NumWarps 2 -chparam RdBufDepth 4 -chparam WrBufDepth 4
    proc; flatten; opt_clean
    select -set accept o:in_credit_o %ci*
    select -assert-any @accept i:in_valid_i %i
    select -assert-none @accept i:* %i i:in_valid_i i:in_class_i i:in_phit_i i:clk_i i:rst_ni %u %u %u %u %d
    select -set send o:out_valid_o %ci*
    select -assert-any @send i:out_credit_i %i" > cone.log 2>&1; then
  echo "ok: in_credit depends on in_valid, in_class, in_phit and nothing else; out_valid depends on out_credit"
else
  echo "FAILED: the cone of in_credit"
  cat cone.log
  failed=1
fi
exit $failed

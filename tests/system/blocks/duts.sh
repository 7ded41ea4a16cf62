#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Other devices than the RTL in Verilator: small blocks pass on each; a fault of the RTL is found
# by each, one of synthesis by the netlist alone, an undefined register by Icarus alone; shrinking
# and replay work with each; a process that dies is the environment's fault.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

check() { "$lockstack" check "$@"; }
kinds='netlist cxxrtl icarus'

# The same stimulus passes; a netlist has no probes
for kind in $kinds; do
  probes=2934 # and 66 resets, in which nothing is compared
  [ $kind = netlist ] && probes=0
  runs 0 check arb_rr --dut $kind --cycles 3000 --json a.json
  [ $kind = netlist ] && equal "$(json a.json cells)" ge 'cells of the netlist'
  for pair in dut=$kind outcome=PASS cycles=3000 probes_compared=$probes; do
    equal "$(json a.json "${pair%%=*}")" "${pair#*=}" "${pair%%=*} with $kind"
  done
done
runs 0 check arb_rr --dut icarus --set NumReq=7 --cycles 1000

# An index beyond an array's end, of which nothing depends, is no fault
runs 0 check nsu_acks --dut cxxrtl --profile errors --cycles 3000

# A fault of the RTL: its mask goes wrong, which an output shows later than the probe that a
# netlist lacks
mkdir rtl
sed 's/~(gnt_o | (gnt_o - 1.b1))/~(gnt_o - 1'"'"'b1)/' "$source/rtl/lib/arb_rr.sv" >rtl/arb_rr.sv
cmp -s rtl/arb_rr.sv "$source/rtl/lib/arb_rr.sv" && wrong 'nothing was planted'
for kind in $kinds; do
  port=probe_mask
  [ $kind = netlist ] && port=gnt
  runs 1 check arb_rr --dut $kind --rtl rtl --cycles 3000 --no-wave --shrink-seconds 2 --out "out-$kind" --json b.json
  equal "$(json b.json failure.port)" $port "the first wrong port with $kind"
  matches "$(json b.json shrunk_cycles)" '^[2-9]$' "cycles left with $kind"
  replay=$(json b.json replay)
  matches "$(grep -a '^dut' "$replay")" "^dut $kind\$" 'the replay file'
  runs 1 "$lockstack" replay "$replay" --json c.json
  equal "$(json c.json same) $(json c.json dut)" "true $kind" "the replay with $kind"
done
runs 1 "$lockstack" replay "$replay" --dut cxxrtl --json c.json
equal "$(json c.json dut) $(json c.json failure.port)" 'cxxrtl probe_mask' 'the replay with another device'

# A fault of synthesis: one bit of one gate of the netlist is wrong, in the same RTL
mkdir same && cp "$source/rtl/lib/arb_rr.sv" same/
echo 'mutate -list 1 -seed 2 -o fault.ys
script fault.ys' >fault
runs 1 env LOCKSTACK_NETLIST_FAULT="$here/fault" "$lockstack" check arb_rr --rtl same --dut netlist --cycles 3000 \
  --no-wave \
  --shrink-seconds 2 --json d.json
equal "$(json d.json failure.port) $(json d.json on_rtl)" 'gnt PASS' 'the wrong port of the netlist, which the RTL has right'
matches "$out" 'fault of the device netlist, or RTL that leaves its meaning open: ' 'the fault is said to be the device'"'"'s'

# A fault of the RTL is no device's
mkdir broken && sed 's|? ~(gnt_o|? (gnt_o|' "$source/rtl/lib/arb_rr.sv" >broken/arb_rr.sv
runs 1 "$lockstack" check arb_rr --rtl broken --dut netlist --cycles 3000 --no-wave --shrink-seconds 2 --json d.json
equal "$(json d.json on_rtl)" DIVERGED 'the RTL has the same fault'
matches "$out" 'the device rtl, on the same inputs: DIVERGED, too' 'both devices have it'

# The same gates of a library of one's own, in two files: the replay file names them, and what they
# hold decides about the object
lib=$source/synth/cells/ge.lib
sed '/^  cell (DFFPOSX1)/,$d' "$lib" >gates.lib && echo '}' >>gates.lib
{ sed '/^  cell/,$d' "$lib"; sed -n '/^  cell (DFFPOSX1)/,$p' "$lib"; } | gzip >registers.lib.gz
mine=(check arb_rr --rtl same --dut netlist --liberty gates.lib --liberty registers.lib.gz --cycles 3000 \
  --no-wave --shrink-seconds 1)
runs 1 env LOCKSTACK_NETLIST_FAULT="$here/fault" "$lockstack" "${mine[@]}" --json f.json
equal "$(json f.json cells) $(json f.json failure.port)" 'gates.lib+registers.lib.gz gnt' 'the cells of that netlist'
equal "$(grep -ac '^liberty .*lib' "$(json f.json replay)")" 2 'files of cells in the replay file'
runs 1 env LOCKSTACK_NETLIST_FAULT="$here/fault" "$lockstack" replay "$(json f.json replay)" --json g.json
equal "$(json g.json same) $(json g.json cells)" 'true gates.lib+registers.lib.gz' 'the replay with these cells'
sed -i 's/^  cell (AOI22X1) {/& dont_use : true;/; s/^  cell (NAND3X1) {/& dont_use : true;/' gates.lib
runs 0 "$lockstack" "${mine[@]}"
echo '}' >>gates.lib
refuses 2 'gates.lib:[0-9]+: text behind the end of the library' "$lockstack" "${mine[@]}"
refuses 2 'gates are those of --dut netlist' check arb_rr --cells ge
refuses 2 "no library 'gold'" check arb_rr --dut netlist --cells gold
refuses 2 'gates are those of --dut netlist' "$lockstack" replay "$replay" --dut cxxrtl --cells ge

echo '# none' >fault
runs 0 env LOCKSTACK_NETLIST_FAULT="$here/fault" "$lockstack" check arb_rr --rtl same --dut netlist --cycles 3000

# Cells that the RTL of a block of one's own has by name: a clock gate, a scan register, a latch; a
# macro has an area and no function
block() { # FOLDER MORE-RTL
  mkdir -p "$1"
  cat >"$1/gated.sv" <<RTL
module gated #(parameter int Bits = 4) (input logic clk, rst, en_i, input logic [Bits-1:0] a_i, output logic [Bits-1:0] sum_o);
  wire gclk; wire [Bits-1:0] held, next = rst ? '0 : sum_o + held;
  ICG u_gate (.CK(clk), .E(en_i | rst), .SE(1'b0), .GCK(gclk));
  for (genvar i = 0; i < Bits; i++) begin : g_bit
    LATCHX1 u_hold (.CLK(clk), .D(a_i[i]), .Q(held[i]));
    SCANX1 u_bit (.CK(gclk), .D(next[i]), .SI(1'b0), .SE(1'b0), .Q(sum_o[i]));
  end
$2
endmodule
RTL
  printf '%s\n' 'KIND(moore)' 'CLOCK(clk)' 'RESET(rst, high, sync)' 'PARAM(Bits, 4, 1, 16, "x")' 'IN(en, 1, always)' \
    'IN(a, Bits, en)' \
    'OUT(sum, Bits, always)' >"$1/gated.ports"
  printf '#include "gated_ports.h"\ntypedef struct gated { uint64_t sum; } gated_t;\n%s%s%s' \
    'void gated_reset(gated_t *s);' \
    'void gated_eval(const gated_t *s, const gated_in_t *in, gated_out_t *out);' \
      'void gated_step(gated_t *s, const gated_in_t *in);' >"$1/gated.h"
  printf '#include "gated.h"\n%s\n%s\n%s\n' 'void gated_reset(gated_t *s) { s->sum = 0; }' \
    'void gated_eval(const gated_t *s, const gated_in_t *in, gated_out_t *out) { (void)in, out->sum = s->sum; }' \
    'void gated_step(gated_t *s, const gated_in_t *in) { if (in->en) s->sum = (s->sum + in->a) & ((1u << Bits) - 1); }' >"$1/gated.c"
}
{
  sed '/^  cell/,$d' "$lib" && cat <<'CELLS'
  type (four) { base_type : array; data_type : bit; bit_width : 4; bit_from : 3; bit_to : 0; }
  cell (ICG) { area : 7; clock_gating_integrated_cell : "latch_posedge_precontrol";
    statetable ("CK E SE", "IQ") { table : "L L L : - : L , L L H : - : H , L H L : - : H , L H H : - : H , H - - : - : N "; }
    pin (IQ) { direction : internal; internal_node : "IQ"; }
    pin (CK) { direction : input; clock : true; clock_gate_clock_pin : true; } pin (E) { direction : input; clock_gate_enable_pin : true; }
    pin (SE) { direction : input; clock_gate_test_pin : true; } pin (GCK) { direction : output; state_function : "IQ & CK"; clock_gate_out_pin : true; } }
  cell (SCANX1) { area : 9; ff (IQ, IQN) { next_state : "(SE & SI) | (!SE & D)"; clocked_on : "CK"; }
    pin (CK) { direction : input; clock : true; } pin (D) { direction : input; } pin (SI) { direction : input; } pin (SE) { direction : input; }
    pin (Q) { direction : output; function : "IQ"; } }
  cell (ram_sram_4) { area : 1000; pin (CK) { direction : input; clock : true; } bus (D) { bus_type : four; direction : input; }
    bus (Q) { bus_type : four; direction : output; } }
}
CELLS
} >more.lib
latch=$(sed -n '/^  cell (LATCHX1)/,/^  }/p' "$lib" | sed 's/enable *: *"CLK"/enable : "!CLK"/')
{ sed '/^  cell (LATCHX1)/,/^  }/d; $d' "$lib" &&
  printf '%s\n}\n' "$latch"; } >low.lib # open while the clock is low: inputs are held while it is high
matches "$latch" 'enable : "!CLK"' 'a latch that is open while the clock is low'
named=(--liberty low.lib --liberty more.lib)
block gated ''
runs 0 check ./gated --dut netlist "${named[@]}" --cycles 2000 --set Bits=3 --no-wave
runs 0 "$lockstack" area ./gated "${named[@]}" --out kept --json h.json
equal "$(json h.json flipflops)" 4 'scan registers'
refuses 2 "gated.sv:3:[0-9]*: Cannot find file containing module: 'ICG'" check ./gated --cycles 100
sed -i 's/sum_o + held/sum_o - held/' gated/gated.sv
runs 1 check ./gated --dut netlist "${named[@]}" --cycles 2000 --no-wave --shrink-seconds 0
sed -i 's/posedge_precontrol/negedge/' more.lib
refuses 2 'more.lib:[0-9]*: nothing says what ICG does, which the RTL has: it has a statetable; a module ICG among' \
  check ./gated --dut netlist "${named[@]}" --no-wave
sed -i 's/latch_negedge/latch_posedge_precontrol/' more.lib
block macro '  wire [3:0] q; ram_sram_4 u_ram (.CK(gclk), .D(a_i), .Q(q)); assign next[0] = q[0];'
mkdir macro/x && mv macro/gated* macro/x && mv macro/x macro/gated
sed -i 's/held, next =/held, next; assign next[Bits-1:1] =/; s/sum_o + held/(sum_o + held) >> 1/' macro/gated/gated.sv
refuses 2 'more.lib:[0-9]*: nothing says what ram_sram_4 does, which the RTL has: it has a bus; a module' \
  check ./macro/gated --dut netlist "${named[@]}" --no-wave
runs 0 "$lockstack" area ./macro/gated "${named[@]}" --out kept --json i.json
equal "$(json i.json macros.#) $(awk "BEGIN{print ($(json i.json um2) > 1000 && $(json i.json um2) < 1200)}")" '0 1' \
  'the area of a macro of the library'

# A register that nothing resets, shown before it is written: zero for a simulator with two states,
# undefined for Icarus
cp "$source/rtl/lib/arb_rr.sv" rtl/
late='logic late_q; always_ff @(posedge clk_i) if (update_i) late_q <= 0;'
sed -i "s/assign gnt_o *= \\(.*\\);/$late assign gnt_o = {NumReq{late_q}} | (\\1);/" rtl/arb_rr.sv
runs 0 check arb_rr --dut cxxrtl --rtl rtl --cycles 2000
runs 1 check arb_rr --dut icarus --rtl rtl --cycles 2000 --no-wave --shrink-seconds 2 --json e.json
matches "$out" 'bits? (is|are) X or Z in the RTL' 'the report of undefined bits'
matches "$out" 'rtl +0x[0-9a-f]*[xX]' 'the undefined value'
matches "$(json e.json failure.undefined)" '^[1-9]' 'undefined bits'
runs 1 "$lockstack" replay "$(json e.json replay)" --dut cxxrtl --json elsewhere.json
equal "$(json elsewhere.json outcome)" NOT_COMPARED 'undefined bits on a device that has none'
matches "$out" 'is of icarus; cxxrtl cannot show it' 'what is said of it'

# $error of the RTL under Icarus
cp "$source/rtl/lib/arb_rr.sv" rtl/
sed -i 's/^endmodule/always @(posedge clk_i) if (rst_ni \&\& update_i) $error("taken");\nendmodule/' rtl/arb_rr.sv
runs 1 check arb_rr --dut icarus --rtl rtl --cycles 2000 --no-wave --shrink-seconds 1 --json f.json
equal "$(json f.json outcome)" DUT_ASSERT 'the outcome of an error'
matches "$(json f.json failure.text)" 'arb_rr.sv:[0-9]+: taken' 'the error'

# What cannot be
refuses 2 "'gold' should be rtl, netlist, cxxrtl, icarus or emitted" "$lockstack" check arb_rr --dut gold
refuses 2 "'gold' should be rtl, netlist, cxxrtl, icarus or emitted" "$lockstack" replay "$replay" --dut gold
refuses 2 'sram_1r1w is a memory macro' "$lockstack" check sram_1r1w --dut netlist

# vvp that is not there, or ends by itself
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/vvp && chmod +x bin/vvp
refuses 3 'vvp .* has ended' env PATH="$here/bin:$PATH" "$lockstack" check arb_rr --dut icarus --cycles 100

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Other devices than the RTL in Verilator: small blocks pass on each; a fault of the RTL is found by each, one of synthesis by the netlist
# alone, an undefined register by Icarus alone; shrinking and replay work with each; a process that dies is the environment's fault.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"

check() { "$lockstack" check "$@"; }
kinds='netlist cxxrtl icarus'

# The same stimulus passes; a netlist has no probes
for kind in $kinds; do
  probes=2999 # and a reset, in which nothing is compared
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

# A fault of the RTL: its mask goes wrong, which an output shows later than the probe that a netlist lacks
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
runs 1 env LOCKSTACK_NETLIST_FAULT="$here/fault" "$lockstack" check arb_rr --rtl same --dut netlist --cycles 3000 --no-wave \
  --shrink-seconds 2 --json d.json
equal "$(json d.json failure.port)" gnt 'the wrong port of the netlist'

# The same gates of a library of one's own, in two files: the replay file names them, and what they hold decides about the object
lib=$source/synth/cells/ge.lib
sed '/^  cell (DFFPOSX1)/,$d' "$lib" >gates.lib && echo '}' >>gates.lib
{ sed '/^  cell/,$d' "$lib"; sed -n '/^  cell (DFFPOSX1)/,$p' "$lib"; } | gzip >registers.lib.gz
mine=(check arb_rr --rtl same --dut netlist --liberty gates.lib --liberty registers.lib.gz --cycles 3000 --no-wave --shrink-seconds 1)
runs 1 env LOCKSTACK_NETLIST_FAULT="$here/fault" "$lockstack" "${mine[@]}" --json f.json
equal "$(json f.json cells) $(json f.json failure.port)" 'gates.lib+registers.lib.gz gnt' 'the cells of that netlist'
equal "$(grep -ac '^liberty /.*lib' "$(json f.json replay)")" 2 'files of cells in the replay file'
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

# A register that nothing resets, shown before it is written: zero for a simulator with two states, undefined for Icarus
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
refuses 2 "'gold' should be rtl, netlist, cxxrtl or icarus" "$lockstack" check arb_rr --dut gold
refuses 2 "'gold' should be rtl, netlist, cxxrtl or icarus" "$lockstack" replay "$replay" --dut gold
refuses 2 'sram_1r1w is a memory macro' "$lockstack" check sram_1r1w --dut netlist

# vvp that is not there, or ends by itself
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/vvp && chmod +x bin/vvp
refuses 3 'vvp .* has ended' env PATH="$here/bin:$PATH" "$lockstack" check arb_rr --dut icarus --cycles 100

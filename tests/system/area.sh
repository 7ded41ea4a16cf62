#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# area: flip-flops counted by hand from the RTL, parameters, macros, kept results, libraries of cells, bad input.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"

area() { "$lockstack" area --out kept "$@"; }

# arb_rr: the mask, a bit a requester
runs 0 area arb_rr --json a.json
equal "$(json a.json schema)" lockstack.area/1 'the schema'
for pair in block=arb_rr target=ge um2=null longest_path_ns=null scaled=null params= status=ok flipflops=4 cached=false method=flat paper=null; do
  equal "$(json a.json "${pair%%=*}")" "${pair#*=}" "${pair%%=*}"
done
for key in cells ge longest_path_fo4 seconds; do matches "$(json a.json $key)" '^[0-9]*\.?[0-9]*[1-9]' "$key"; done
runs 0 area arb_rr --set NumReq=13 --json b.json
equal "$(json b.json flipflops)" 13 'flip-flops of 13 requesters'
equal "$(json b.json params)" NumReq=13 'params'

# fifo: words, two pointers, the count, two error bits. 4 x 32 + 2 x 2 + 3 + 2; 7 x 5 + 2 x 3 + 3 + 2; a depth of 1 has no pointers
for case in 'Depth=4 Width=32 137' 'Depth=7 Width=5 46' 'Depth=1 Width=9 12'; do
  read -r depth width wanted <<<"$case"
  runs 0 area fifo --set "$depth" --set "$width" --json c.json
  equal "$(json c.json flipflops)" "$wanted" "flip-flops of fifo $depth $width"
done

# All that is printed is in the table; a second time it is kept, and the same
runs 0 area arb_rr fifo --json d.json
matches "$out" 'arb_rr +[0-9]+ +4 .* kept +defaults' 'the table'
matches "$out" 'GE: gate equivalents .*of no process' 'the unit'
equal "$(json d.json blocks.0.cached)" true 'kept'
for key in cells ge longest_path_fo4; do equal "$(json d.json blocks.0.$key)" "$(json a.json $key)" "kept $key"; done

# A memory is a macro: 16 registers of 1024 bits; an area has it at a node alone
runs 0 area nsu_regfile --set NumWarps=1 --json e.json
for pair in name=u_rows bits=16384 um2=null; do
  equal "$(json e.json "macros.0.${pair%%=*}")" "${pair#*=}" "macro ${pair%%=*}"
done

# osu018, where its package is installed. The papers' nodes: 0.011 of the area at 20 nm (synth/scaling.csv); the macro:
# 20.25 x (0.6162 x 16384 + 0.1965 x 1024 x 1024) um2, smaller than any of the data
if [ -r /usr/share/qflow/tech/osu018/osu018_stdcells.lef ]; then
  runs 0 area arb_rr --cells osu018 --json o.json
  matches "$out" 'fitted to memories' 'the rule of the macros'
  for pair in target=osu018 flipflops=4 ge=null longest_path_fo4=null scaled.#=3 scaled.2.nm=20; do
    equal "$(json o.json "${pair%%=*}")" "${pair#*=}" "osu018: ${pair%%=*}"
  done
  equal "$(awk "BEGIN{printf \"%.6g\", $(json o.json um2) * 0.011}")" "$(awk "BEGIN{printf \"%.6g\", $(json o.json scaled.2.um2)}")" 'um2 at 20 nm'
  runs 0 area nsu_regfile --set NumWarps=1 --cells osu018 --json o.json
  equal "$(json o.json macros.0.extrapolated)" true 'a macro outside of the data'
  matches "$(json o.json macros.0.um2)" '^437[0-9]{4}\.' 'um2 of the macro'
else
  refuses 3 '--cells osu018: package qflow-tech-osu018 is not installed; --cells ge needs none' area arb_rr --cells osu018
fi

# A library of one's own, plain and gzip, in two files; its areas are taken for um2. Another content is another result
lib=$source/synth/cells/ge.lib
sed '/^  cell (DFFPOSX1)/,$d' "$lib" >gates.lib && echo '}' >>gates.lib
{ sed '/^  cell/,$d' "$lib"; sed -n '/^  cell (DFFPOSX1)/,$p' "$lib"; } | gzip >registers.lib.gz
runs 0 area arb_rr --liberty gates.lib --liberty registers.lib.gz --json l.json
for pair in target=gates.lib+registers.lib.gz cached=false flipflops=4 ge=null um2="$(json a.json ge)"; do
  equal "$(json l.json "${pair%%=*}")" "${pair#*=}" "Liberty files: ${pair%%=*}"
done
sed -i 's/area : 0.5;/area : 0.75;/; s/cell (NOR3X1) {/& dont_use : true;/' gates.lib
runs 0 area arb_rr --liberty gates.lib --liberty registers.lib.gz --json m.json
equal "$(json m.json cached)" false 'a changed library'
matches "$out" '1 of 32 cells are not used' 'a cell that is not to be used'

# Installed, with RTL that changes: a register that only a probe shows is no area, one that a port needs is
mkdir -p p/bin p/lib/lockstack p/share/lockstack/harness
cp "$(dirname "$lockstack")/../dut/portgen" p/lib/lockstack/
cp "$lockstack" p/bin/ && cp -r "$source"/{rtl,cmake,synth} p/share/lockstack/ && cp -r "$source"/harness/{dut,portgen} p/share/lockstack/harness/
rtl=p/share/lockstack/rtl/lib/arb_rr.sv
late='logic [NumReq-1:0] late_q; always_ff @(posedge clk_i) late_q <='
runs 0 p/bin/lockstack area arb_rr --json f.json
equal "$(json f.json flipflops)" 4 'flip-flops, installed'
sed -i "s/assign probe_mask_o = mask_q;/$late mask_q; assign probe_mask_o = late_q;/" $rtl
runs 0 p/bin/lockstack area arb_rr --json f.json
equal "$(json f.json cached)" false 'kept after a change'
equal "$(json f.json flipflops)" 4 'flip-flops with a register for the probe'
sed -i "s/assign req_masked = req_i \& mask_q;/assign req_masked = req_i \& late_q;/" $rtl
runs 0 p/bin/lockstack area arb_rr --json f.json
equal "$(json f.json flipflops)" 8 'flip-flops with a register that matters'
echo 'module arb_rr; syntax' >$rtl
refuses 2 'arb_rr.sv:[0-9]+: syntax error' p/bin/lockstack area arb_rr

# Bad input
refuses 2 "no block 'nosuch'" area nosuch
refuses 2 "'asic7' should be ice40" area arb_rr --target asic7
refuses 2 'osu018 is a library of cells: --cells osu018' area arb_rr --target osu018
refuses 2 "'asic7' should be ge or osu018" area arb_rr --cells asic7
refuses 2 'one of both' area arb_rr --cells ge --liberty "$lib"
refuses 2 'an FPGA has no standard cells' area arb_rr --cells ge --target ice40
refuses 2 'arb_rr has no parameter Width; it has: NumReq' area arb_rr --set Width=3
refuses 2 'NumReq = 65: from 1 to 64' area arb_rr --set NumReq=65
refuses 2 "'NumReq' should be Param=Number" area arb_rr --set NumReq
refuses 2 'sram_1r1w is a macro' area sram_1r1w

# Bad Liberty files: name of the file|what is said
head -c 9000 "$lib" >cut.lib
gzip -c "$lib" | head -c 900 >cut.lib.gz
echo 'module fifo;' >none.lib
printf 'library (x) { cell (A) { area : 1; } }\n' >bare.lib
while IFS='|' read -r file wanted; do refuses 2 "$wanted" area arb_rr --liberty "$file"; done <<'BAD'
cut.lib|cut.lib:[0-9]+: .*the file is cut off
cut.lib.gz|cut.lib.gz: is cut off or damaged
none.lib|none.lib:1: no Liberty file
bare.lib|bare.lib: none of 1 cells has a function
gates.lib|gates.lib: no cell is a flip-flop
nosuch.lib|nosuch.lib: No such file
BAD
sed 's/!(A|B)/!(A|Z)/' "$lib" >wrong.lib
refuses 2 'abc cannot map onto these cells: Mio_ParseFormula.*Z' area arb_rr --liberty wrong.lib
refuses 2 'gates.lib:[0-9]+: cell INVX1 is another one than at .*ge.lib:' area arb_rr --liberty "$lib" --liberty gates.lib

# What is missing
mkdir empty
refuses 3 'yosys is not installed' env PATH="$here/empty" "$lockstack" area --out kept arb_rr

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# area: flip-flops counted by hand from the RTL, parameters, macros, kept results, bad input.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"

area() { "$lockstack" area --out kept "$@"; }

# arb_rr: the mask, a bit a requester
runs 0 area arb_rr --json a.json
equal "$(json a.json schema)" lockstack.area/1 'the schema'
for pair in block=arb_rr target=osu018 params= status=ok flipflops=4 cached=false method=flat paper=null; do
  equal "$(json a.json "${pair%%=*}")" "${pair#*=}" "${pair%%=*}"
done
for key in cells um2 longest_path_ns seconds; do matches "$(json a.json $key)" '^[0-9]*\.?[0-9]*[1-9]' "$key"; done
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
matches "$out" 'fitted to memories' 'the rule of the macros'
equal "$(json d.json blocks.0.cached)" true 'kept'
for key in cells um2 longest_path_ns; do equal "$(json d.json blocks.0.$key)" "$(json a.json $key)" "kept $key"; done

# The papers' nodes: 0.011 of the area at 20 nm (synth/scaling.csv)
equal "$(json a.json scaled.#)" 3 'nodes'
equal "$(json a.json scaled.2.nm)" 20 'the last node'
equal "$(awk "BEGIN{printf \"%.6g\", $(json a.json um2) * 0.011}")" "$(awk "BEGIN{printf \"%.6g\", $(json a.json scaled.2.um2)}")" 'um2 at 20 nm'

# A memory is a macro: 16 registers of 1024 bits, 20.25 x (0.6162 x 16384 + 0.1965 x 1024 x 1024) um2, smaller than any of the data
runs 0 area nsu_regfile --set NumWarps=1 --json e.json
for pair in name=u_rows bits=16384 extrapolated=true; do
  equal "$(json e.json "macros.0.${pair%%=*}")" "${pair#*=}" "macro ${pair%%=*}"
done
matches "$(json e.json macros.0.um2)" '^437[0-9]{4}\.' 'um2 of the macro'

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
refuses 2 "'asic7' should be osu018, ice40" area arb_rr --target asic7
refuses 2 'arb_rr has no parameter Width; it has: NumReq' area arb_rr --set Width=3
refuses 2 'NumReq = 65: from 1 to 64' area arb_rr --set NumReq=65
refuses 2 "'NumReq' should be Param=Number" area arb_rr --set NumReq
refuses 2 'sram_1r1w is a macro' area sram_1r1w

# What is missing
mkdir empty
refuses 3 'yosys is not installed' env PATH="$here/empty" "$lockstack" area --out kept arb_rr

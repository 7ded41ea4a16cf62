#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# prove: what holds, what does not, bad input, missing tools.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

runs 0 "$lockstack" prove --list --json list.json
matches "$out" 'arb_rr' 'the list'
matches "$(cat list.json)" '"arb_rr"' 'the list as JSON'

# What holds
runs 0 "$lockstack" prove arb_rr --set NumReq=3 --json a.json
matches "$out" 'property +served +pdr +- +proved' 'the table'
matches "$out" 'broken +frozen_pointer / served +pdr +[0-9]+ +refuted' 'the table'
equal "$(json a.json schema)" lockstack.prove/1 'the schema'
for pair in block=arb_rr held=true properties.0.params=NumReq=3 properties.0.status=proved properties.0.bounded=false \
  covers.0.name=longest_wait covers.0.reached=true covers.0.depth=3 broken_copies.0.refuted=true; do
  equal "$(json a.json "${pair%%=*}")" "${pair#*=}" "${pair%%=*}"
done
for key in name method depth seconds; do matches "$(json a.json "properties.3.$key")" '.' "properties.3.$key"; done

# What does not: a pointer that never moves starves a requester. (Broken copies of a broken file
# need not fit it.)
mkdir frozen
sed 's/(update_i && |req_i) ?/1'"'"'b0 \&\& (update_i \&\& |req_i) ?/' "$source/rtl/lib/arb_rr.sv" >frozen/arb_rr.sv
runs 1 "$lockstack" prove arb_rr --set NumReq=2 --rtl frozen --json b.json
matches "$out" 'property +served +pdr +[0-9]+ +refuted .*does not hold' 'the table'
equal "$(json b.json held)" false 'held'
equal "$(json b.json properties.0.status)" proved 'a property of the frozen pointer'
equal "$(json b.json properties.3.status)" refuted 'served'
[ -s "$(json b.json properties.3.trace)" ] || wrong 'no waveform of the counterexample'

# A broken copy that is not broken: the text in question is another one's in this file
sed 's/: lowest(req_i);/: lowest(req_masked | req_i); \/\/ : lowest(req_i);/' \
  "$source/rtl/lib/arb_rr.sv" >frozen/arb_rr.sv
runs 1 "$lockstack" prove arb_rr --set NumReq=2 --rtl frozen --json c.json
matches "$out" 'broken +no_wrap / work_conserving +pdr .*proved .*does not hold' 'a copy that survives'
equal "$(json c.json broken_copies.2.refuted)" false 'refuted'

# Changed RTL that a broken copy's text is not in: the copy is stale, all else is still checked,
# and the RTL holds
sed 's/(update_i && |req_i) ?/(|req_i \&\& update_i) ?/' "$source/rtl/lib/arb_rr.sv" >frozen/arb_rr.sv
line=$(grep -n 'broken *frozen_pointer' "$source/tests/formal/arb_rr.prove" | cut -d: -f1)
runs 0 "$lockstack" prove arb_rr --set NumReq=3 --rtl frozen --json s.json
matches "$out" 'broken +frozen_pointer / served +pdr +- +stale' 'a stale copy'
matches "$out" "arb_rr.prove:$line: it no longer applies: '\(update_i && \|req_i\) \?' should be in lib/arb_rr.sv once, and is there nowhere" 'why'
matches "$out" 'arb_rr: 11 of 11 hold, 1 broken copy applies no longer' 'the total'
for pair in held=true properties.3.status=proved broken_copies.4.status=stale broken_copies.4.refuted=false \
  broken_copies.4.line="$line" \
  broken_copies.5.status=refuted; do
  equal "$(json s.json "${pair%%=*}")" "${pair#*=}" "${pair%%=*}"
done
matches "$(json s.json broken_copies.4.file)" 'tests/formal/arb_rr.prove$' 'the file'
matches "$(json s.json broken_copies.4.why)" 'should be in lib/arb_rr.sv once' 'why, as JSON'

# Stale, too: the text is there, and Yosys refuses the copy
sed 's/mask_q/turn_q/g' "$source/rtl/lib/arb_rr.sv" >frozen/arb_rr.sv
runs 0 "$lockstack" prove arb_rr --set NumReq=2 --rtl frozen --json s.json
matches "$out" 'broken +grants_above / only_asked .* stale' 'a copy that is no Verilog'
matches "$(json s.json broken_copies.1.why)" 'mask_q' 'why it is none'
equal "$(json s.json broken_copies.5.status)" refuted 'the copies after it'

# In the tree itself a stale copy is a fault: of a tree whose RTL has changed and whose proof has
# not
mkdir -p own/bin own/lib/lockstack own/share/lockstack/{rtl,tests,harness}
cp "$lockstack" own/bin/lockstack
ln -s "$build/gen" own/lib/gen
cp -r "$source/rtl/lib" own/share/lockstack/rtl/
cp -r "$source/harness/portgen" own/share/lockstack/harness/
ln -s "$source/tests/formal" own/share/lockstack/tests/formal
ln -s "$source/synth" own/share/lockstack/synth
sed -i 's/(update_i && |req_i) ?/(|req_i \&\& update_i) ?/' own/share/lockstack/rtl/lib/arb_rr.sv
runs 1 own/bin/lockstack prove arb_rr --set NumReq=2 --json o.json
matches "$out" 'frozen_pointer / served .* stale .*does not hold' 'a stale copy of the tree'
equal "$(json o.json held)" false 'held'
equal "$(json o.json properties.3.status)" proved 'a property beside a stale copy'

# No answer in time is no proof
runs 1 "$lockstack" prove arb_rr --set NumReq=64 --timeout 3 --json d.json
equal "$(json d.json properties.3.status)" unknown 'served of 64'

# Bad input
refuses 2 "no block 'nosuch'; the blocks that have a proof: .*arb_rr" "$lockstack" prove nosuch
refuses 2 "lsu_ext has no proof; the blocks that have one: .*arb_rr" "$lockstack" prove lsu_ext
refuses 2 'a BLOCK or a folder is missing' "$lockstack" prove
refuses 2 'NumReq = 65: from 1 to 64' "$lockstack" prove arb_rr --set NumReq=65
refuses 2 'arb_rr has no parameter Width; it has: NumReq' "$lockstack" prove arb_rr --set Width=3
refuses 2 "'NumReq' should be PARAM=VALUE" "$lockstack" prove arb_rr --set NumReq
refuses 2 'nowhere: no such folder' "$lockstack" prove arb_rr --rtl nowhere
echo 'module arb_rr; syntax' >frozen/arb_rr.sv
refuses 2 'arb_rr.sv:[0-9]+: syntax error' "$lockstack" prove arb_rr --rtl frozen

# A proof of nothing: of another module, of another size, whose broken copy is none, whose
# condition is never true
proof() { rm -rf proof && cp -r "$source/docs/example" proof; }
proof
sed 's/module accum/module other/' proof/accum.sv >>proof/accum.sv
sed -i 's/accum #(/other #(/' proof/accum_proof.sv
refuses 2 'accum_proof.sv: no instance of accum in module accum_proof' "$lockstack" prove proof
proof
sed -i 's/(.Bits(Bits))/(.Bits(16))/' proof/accum_proof.sv
refuses 2 'accum_proof.sv: no instance of accum in module accum_proof has Bits=4' "$lockstack" prove proof --set Bits=4
proof
sed -i 's/^+ sum_o - value_i/+ sum_o  + value_i/' proof/accum.prove
refuses 2 'accum.prove:[0-9]+: broken copy subtracts changes nothing' "$lockstack" prove proof
proof
sed -i 's/adds: /if (never) adds:/; s/always @(posedge clk) begin/logic never = 1'"'b0;\n&\n    never <= never;/" \
  proof/accum_proof.sv
runs 1 "$lockstack" prove proof --first --json vacuous.json
matches "$out" 'property +adds .* vacuous .*does not hold.*its condition is never true' 'a property that asks nothing'
equal "$(json vacuous.json properties.0.status) $(json vacuous.json properties.1.status)" 'proved vacuous' 'its status'
# ... because no run reaches it, ever (pdr) or in the cycles looked at (bmc); one that is reached
# late is proved
proof
sed -i 's/adds: /if (twice) adds:/' proof/accum_proof.sv
sed -i "s/always @(posedge clk) begin/logic [3:0] n = 4'd0;\n  wire twice = n == 4'd15;\n&\n    n <= n == 4'd14 ? 4'd0 : n + 4'd1;/" proof/accum_proof.sv
runs 1 "$lockstack" prove proof --first --json vacuous.json
equal "$(json vacuous.json properties.0.status) $(json vacuous.json properties.1.status)" 'proved vacuous' \
  'a condition that is never reached'
sed -i "s/4'd14 ? 4'd0/4'd15 ? 4'd0/" proof/accum_proof.sv
runs 0 "$lockstack" prove proof --first
[[ $out != *'without a cover'* ]] || wrong "a set that has one: $out"
sed -i.bak '/^cover/s/$/ Bits<9/' proof/accum.prove
runs 0 "$lockstack" prove proof --first --json uncovered.json
matches "$out" 'hold, 1 set of parameters without a cover, ' 'a set without a cover'
equal "$(json uncovered.json uncovered)" 1 'it in JSON'
mv proof/accum.prove.bak proof/accum.prove
sed -i 's/adds     pdr/adds     bmc 4/' proof/accum.prove
runs 1 "$lockstack" prove proof --first --json vacuous.json
equal "$(json vacuous.json properties.1.status)" vacuous 'a condition beyond the bound'
proof
sed -i 's/adds: /assert (sum == 0); adds: /' proof/accum_proof.sv
refuses 2 'accum_proof.sv:[0-9]+: the assert statement has no label' "$lockstack" prove proof

# A tool that is missing
mkdir bin
for tool in yosys yosys-abc yosys-smtbmc; do ln -s "$(command -v $tool)" bin/; done
refuses 3 'z3 is not installed' env PATH="$here/bin" "$lockstack" prove arb_rr

# Of a proof of all of a block the result says what was proved.
runs 0 "$lockstack" prove sram_1r1w --json whole.json
matches "$(json whole.json sources)" '^[0-9a-f]+$' 'the checksum'
equal "$(json a.json sources)" '' 'that of a proof with a parameter'

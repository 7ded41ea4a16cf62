#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# prove: what holds, what does not, bad input, missing tools.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"

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

# What does not: a pointer that never moves starves a requester. (Broken copies of a broken file need not fit it.)
mkdir frozen
sed 's/(update_i && |req_i) ?/1'"'"'b0 \&\& (update_i \&\& |req_i) ?/' "$source/rtl/lib/arb_rr.sv" >frozen/arb_rr.sv
runs 1 "$lockstack" prove arb_rr --set NumReq=2 --rtl frozen --json b.json
matches "$out" 'property +served +pdr +[0-9]+ +refuted .*does not hold' 'the table'
equal "$(json b.json held)" false 'held'
equal "$(json b.json properties.0.status)" proved 'a property of the frozen pointer'
equal "$(json b.json properties.3.status)" refuted 'served'
[ -s "$(json b.json properties.3.trace)" ] || wrong 'no waveform of the counterexample'

# A broken copy that is not broken: the text in question is another one's in this file
sed 's/: lowest(req_i);/: lowest(req_masked | req_i); \/\/ : lowest(req_i);/' "$source/rtl/lib/arb_rr.sv" >frozen/arb_rr.sv
runs 1 "$lockstack" prove arb_rr --set NumReq=2 --rtl frozen --json c.json
matches "$out" 'broken +no_wrap / work_conserving +pdr .*proved .*does not hold' 'a copy that survives'
equal "$(json c.json broken_copies.2.refuted)" false 'refuted'

# No answer in time is no proof
runs 1 "$lockstack" prove arb_rr --set NumReq=64 --timeout 3 --json d.json
equal "$(json d.json properties.3.status)" unknown 'served of 64'

# Bad input
refuses 2 "no block 'nosuch'; the blocks that have a proof: .*arb_rr" "$lockstack" prove nosuch
refuses 2 "lsu_ext has no proof; the blocks that have one: .*arb_rr" "$lockstack" prove lsu_ext
refuses 2 'a BLOCK is missing' "$lockstack" prove
refuses 2 'NumReq = 65: from 1 to 64' "$lockstack" prove arb_rr --set NumReq=65
refuses 2 'arb_rr has no parameter Width; it has: NumReq' "$lockstack" prove arb_rr --set Width=3
refuses 2 "'NumReq' should be PARAM=VALUE" "$lockstack" prove arb_rr --set NumReq
refuses 2 'nowhere: no such folder' "$lockstack" prove arb_rr --rtl nowhere
echo 'module arb_rr; syntax' >frozen/arb_rr.sv
refuses 2 'arb_rr.sv:[0-9]+: syntax error' "$lockstack" prove arb_rr --rtl frozen

# A tool that is missing
mkdir bin
for tool in yosys yosys-abc yosys-smtbmc; do ln -s "$(command -v $tool)" bin/; done
refuses 3 'z3 is not installed' env PATH="$here/bin" "$lockstack" prove arb_rr

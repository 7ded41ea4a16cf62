#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# mutate: what is killed, by what, what survives, a control that fails, bad input, missing tools.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"

# The known answer: of these 40, three are not seen (one cannot be: bit 0 of -x is that of x), all others are.
runs 1 "$lockstack" mutate arb_rr --count 40 --json a.json
matches "$out" 'arb_rr: 40 mutants, 37 killed \([0-9]+ of them first seen by a probe\), 3 survived, score 0.925' 'the counts'
matches "$out" 'const1 +B\[0\] +rtl/lib/arb_rr.sv:[0-9]+  lowest = x & ' 'a survivor and its line'
equal "$(json a.json schema)" lockstack.mutate/1 'the schema'
for pair in block=arb_rr control.outcome=PASS control.cycles=20000 killed=37 survived=3 equivalent=0 mutants.0.id=1 \
  mutants.0.status=killed mutants.39.id=40; do
  equal "$(json a.json "${pair%%=*}")" "${pair#*=}" "${pair%%=*}"
done
for key in mode module cell port bit source outcome by by_probe cycle profile; do
  matches "$(json a.json "mutants.0.$key")" '.' "mutants.0.$key"
done

# The same again is the same
runs 1 "$lockstack" mutate arb_rr --count 40 --json b.json
equal "$(sed '/"seconds"/d' b.json)" "$(sed '/"seconds"/d' a.json)" 'a second run'

# One cycle is not enough to see what a pointer does: more survive, all of them listed
runs 1 "$lockstack" mutate arb_rr --count 40 --cycles 1 --json c.json
survived=$(json c.json survived)
[ "$survived" -gt 3 ] || wrong "one cycle leaves $survived survivors"
equal "$(grep -cE '^ +[0-9]+ .*arb_rr.sv:[0-9]+' <<<"$out")" "$survived" 'survivors listed'

# Other parameters, and a block of parts with two fifos and a memory that stays whole
runs 1 "$lockstack" mutate lsu_remote --count 20 --set InDepth=4 --json d.json
equal "$(json d.json control.outcome)" PASS 'the control of a block of parts'
runs 0 "$lockstack" mutate arb_rr --count 5 --set NumReq=5 --json e.json
equal "$(json e.json params)" NumReq=5 'other parameters'

# A block of one's own whose RTL and model disagree without any fault: the control fails and no mutant is run
cp -r "$source/docs/example" own
sed -i 's/sum_o + value_i/sum_o - value_i/' own/accum.sv
runs 1 "$lockstack" mutate own --count 10 --json own.json
matches "$out" 'the control, without a fault, ends with DIVERGED: sum, cycle [0-9]+ .*no mutant is run' 'a control that fails'
equal "$(json own.json control.outcome)" DIVERGED 'the control'
equal "$(json own.json control.by)" sum 'what the control fails by'
equal "$(json own.json score)" null 'the score without a control'

# Bad input
refuses 2 "no block 'nosuch'" "$lockstack" mutate nosuch
refuses 2 'a BLOCK or a folder is missing' "$lockstack" mutate
refuses 2 '--count: .*0' "$lockstack" mutate arb_rr --count 0
refuses 2 '--cycles: ' "$lockstack" mutate arb_rr --cycles none
refuses 2 'NumReq = 65: from 1 to 64' "$lockstack" mutate arb_rr --set NumReq=65
refuses 2 'no parameter Width; it has: NumReq' "$lockstack" mutate arb_rr --set Width=3
refuses 2 "'NumReq' should be PARAM=VALUE" "$lockstack" mutate arb_rr --set NumReq

# A tool that is missing
mkdir bin
for tool in cmake gcc g++ verilator ninja; do ln -s "$(command -v $tool)" bin/; done
refuses 3 'yosys is not installed' env PATH="$here/bin" "$lockstack" mutate arb_rr --count 41

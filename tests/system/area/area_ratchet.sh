#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# area: the budgets of small blocks are held; growth fails, is written with a reason, what shrank
# is said; sweeps and their curve.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

area() { "$lockstack" area --out kept "$@"; }

# The tree's budget: these few; all of them in suite areas
runs 0 area arb_rr fifo arb_fixed lsu_rfport --ratchet --json a.json
matches "$out" '4 held, 0 smaller, 0 grown, 0 without a line' 'the tree'
equal "$(json a.json blocks.1.budget.verdict)" held 'verdict'

# A budget that is 10 % too small, one that is too large, a block without a line, and one whose
# line is right
names=$(grep '^# library,' "$source/synth/budget.csv") # which fields there are
sed -n '/^ge,arb_rr,,/p' "$source/synth/budget.csv" >right.csv
{
  echo "$names"
  cat right.csv
  sed -n '/^ge,arb_fixed,,/p' "$source/synth/budget.csv" | awk -F, -v OFS=, '{$6 *= 0.9; print}'
  sed -n '/^ge,fifo,,/p' "$source/synth/budget.csv" | awk -F, -v OFS=, '{$7 *= 1.2; print}'
  sed -n '/^ge,lsu_rfport,,/p' "$source/synth/budget.csv" | sed 's/^ge,/osu018,/' # another library's line is none
} >small.csv
runs 1 area arb_rr arb_fixed fifo lsu_rfport --ratchet --budget small.csv --json b.json
matches "$out" '1 held, 1 smaller, 1 grown, 1 without a line, 0 lines written' 'verdicts'
matches "$out" 'area grew by 11.1 %' 'what grew'
matches "$out" 'longest path shrank by .* --update would keep it so' 'what shrank'
for pair in 0=held 1=grown 2=smaller 3=none; do
  equal "$(json b.json "blocks.${pair%%=*}.budget.verdict")" "${pair#*=}" "verdict ${pair%%=*}"
done

# A block with more in it than its line allows
{ echo "$names" && sed 's/^ge,arb_rr,,/ge,arb_rr,NumReq=8,/' right.csv; } >eight.csv
runs 1 area arb_rr --set NumReq=8 --ratchet --budget eight.csv
matches "$out" 'area grew by' 'eight requesters on the budget of four'

# --update keeps what shrank; growth only with a reason, and then all holds
runs 1 area arb_rr arb_fixed fifo lsu_rfport --ratchet --budget small.csv --update
matches "$out" '1 lines written' 'without a reason'
runs 0 area arb_rr arb_fixed fifo lsu_rfport --ratchet --budget small.csv --update --reason 'a test'
runs 0 area arb_rr arb_fixed fifo lsu_rfport --ratchet --budget small.csv
matches "$out" '4 held' 'all is written'
equal "$(grep -c 'a test$' small.csv)" 2 'lines with the reason'
equal "$(grep '^ge,arb_rr,,' small.csv)" "$(cat right.csv)" 'a line that held'

# A sweep of two parameters, and its curve
runs 0 area fifo --sweep Depth=1,2 --sweep Width=8,16 --draw pictures --json c.json
equal "$(json c.json sweep.#)" 4 'combinations'
equal "$(json c.json sweep.1.params)" 'Depth=1 Width=16' 'params'
equal "$(json c.json sweep.3.flipflops)" 38 'flip-flops of the last'    # 2 x 16 + 2 x 1 + 2 + 2
equal "$(wc -l <pictures/area.csv)" 5 'lines of the table'
for file in pictures/area.svg pictures/area.png; do matches "$(wc -c <$file)" '^[0-9]{4,}$' "$file"; done

# Bad input
echo 'fifo,,1' >bad.csv
refuses 2 'bad.csv:1: should be: library,block,params' area fifo --ratchet --budget bad.csv
refuses 2 'update and --reason go with --ratchet' area fifo --update
refuses 2 'budgets are of standard cells' area fifo --ratchet --target ice40
refuses 2 "'Depth' should be PARAM=VALUE,VALUE" area fifo --sweep Depth
refuses 2 'Depth = 9999: from 1 to 1024' area fifo --sweep Depth=4,9999
refuses 2 'nothing to draw without --sweep' area fifo --draw pictures

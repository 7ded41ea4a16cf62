#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 7200
# label: areas
#
# Every block that has a line in synth/budget.csv against it, and sums of parts against the same blocks whole.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"

mapfile -t blocks < <(awk -F, '/^[^#]/ && $2 == "" {print $1}' "$source/synth/budget.csv")
runs 0 "$lockstack" area "${blocks[@]}" --ratchet --json all.json
matches "$out" ' 0 grown, 0 without a line' 'budgets'
equal "$(json all.json blocks.#)" ${#blocks[@]} 'blocks'

# The sum of parts has all the flip-flops, and at most a third more um2 than the whole
close() {
  runs 0 "$lockstack" area "$@" --flat --json flat.json
  runs 0 "$lockstack" area "$@" --parts --json parts.json
  equal "$(json flat.json method) $(json parts.json method)" 'flat parts' "methods of $*"
  equal "$(json parts.json flipflops)" "$(json flat.json flipflops)" "flip-flops of $* by parts"
  equal "$(awk "BEGIN{r = $(json parts.json um2) / $(json flat.json um2); print (r > 0.95 && r < 1.35)}")" 1 "um2 of $* by parts"
}
close lsu_rfport
close arb_age --set NumReq=16
close nsu_issue

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 7200
# label: areas
#
# Every block against its budget, the papers' table, and large blocks by parts against the same ones whole.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"

runs 0 "$lockstack" area --ratchet --json all.json
matches "$out" ' 0 grown, 0 without a line' 'budgets'
equal "$(json all.json papers.#)" 9 "the papers' figures"

# The sum of parts is within a few percent of the whole, and never has fewer flip-flops
close() {
  runs 0 "$lockstack" area "$@" --flat --json flat.json
  runs 0 "$lockstack" area "$@" --parts --json parts.json
  matches "$(awk "BEGIN{print ($(json parts.json um2) / $(json flat.json um2) - 1)}")" "^(-0\\.0|0\\.0|0\\.1|0$|.*e-0)" "$* by parts"
  matches "$(($(json parts.json flipflops) - $(json flat.json flipflops)))" '^[0-9]' "flip-flops of $* by parts"
}
close nsu_lane
close lsu_tx
close nsu_issue
close router --set Ports=2 --set NumVCs=1 --set Depth=1 --set NumDest=5

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 7200
# label: areas
#
# Every block that has a line in synth/budget.csv against it, of the default cells and of osu018
# where it is installed; and sums of parts against the same blocks whole.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

libraries=(ge)
[ -r /usr/share/qflow/tech/osu018/osu018_stdcells.lef ] && libraries+=(osu018)
for library in "${libraries[@]}"; do
  mapfile -t blocks < <(awk -F, -v library="$library" '$1 == library && $3 == "" {print $2}' "$source/synth/budget.csv")
  runs 0 "$lockstack" area "${blocks[@]}" --cells "$library" --ratchet --json all.json
  matches "$out" ' 0 grown, 0 without a line' "budgets of $library"
  equal "$(json all.json blocks.#)" ${#blocks[@]} "blocks of $library"
done

# The sum of parts has all the flip-flops, and at most a third more area than the whole
close() {
  runs 0 "$lockstack" area "$@" --flat --json flat.json
  runs 0 "$lockstack" area "$@" --parts --json parts.json
  equal "$(json flat.json method) $(json parts.json method)" 'flat parts' "methods of $*"
  equal "$(json parts.json flipflops)" "$(json flat.json flipflops)" "flip-flops of $* by parts"
  equal "$(awk "BEGIN{r = $(json parts.json ge) / $(json flat.json ge); print (r > 0.95 && r < 1.35)}")" 1 \
    "GE of $* by parts"
}
close lsu_rfport
close arb_age --set NumReq=16
close nsu_issue

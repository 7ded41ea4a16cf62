#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The report joins results of what is there now, and says what it leaves out. A comment makes no
# evidence stale, a change of the hardware does; versions of tools are shown and make nothing
# stale.
# timeout: 300
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

cp -r "$source/docs/example" own
cp "$source/harness/systems/network/examples/dumbbell.yaml" net.yaml
cat >all.yaml <<END
jobs:
  - check: {block: own, cycles: 500, seeds: [1, 2]}
  - check: {block: fifo, cycles: 1000}
  - area: {block: own}
  - network: {topology: $here/net.yaml, cycles: 200}
END
report() { runs 0 "$lockstack" report --db all.db --out all.html --json all.json; }
own=$here/own
of_block() { # KEY of the block's facts, "-": none
  local i
  for ((i = $(json all.json blocks.#) - 1; i >= 0; i--)); do [ "$(json all.json "blocks.$i.name")" != "$1" ] ||
    break; done
  json all.json "blocks.$i.$2" 2>/dev/null || echo -
}
runs 0 "$lockstack" regress all.yaml --db all.db
report
cycles=$(of_block "$own" check.cycles)
equal "$(json all.json stale.results) $(json all.json networks.#)" '0 1' 'results that are stale, and those of networks'
matches "$(of_block "$own" check.sources) $(of_block "$own" check.jobs)" '^[0-9a-f]{8} 2.0$' 'what the checks are of'
matches "$(<all.html)" "verilator $(verilator --version | cut -d ' ' -f 2)" 'the version of a tool on the page'

sed -i '$a // a comment' own/accum.sv
sql all.db "UPDATE job SET result = json_set(result, '\$.content.tools.verilator', '4.0')"
report
equal "$(json all.json stale.results) $(of_block "$own" check.cycles)" "0 $cycles" \
  'after a comment, and of another tool'

mkdir other && cp own/accum.sv other/
printf 'jobs:\n  - check: {block: own, cycles: 700, rtl: %s/other}\n' "$here" >other.yaml
cp all.db kept.db
runs 0 "$lockstack" regress other.yaml --db all.db
report
equal "$(json all.json stale.results) $(of_block "$own" check.cycles)" "1 $cycles" \
  'a check of RTL of another folder is not of the block'
mv kept.db all.db

sed -i 's|endmodule|wire logic more = 1; endmodule|' own/accum.sv
echo '# changed' >>net.yaml
report
equal "$(json all.json stale.results) $(json all.json networks.#) $(of_block "$own" \
  check.cycles) $(of_block "$own" area.cells)" '4 0 - -' \
  'stale: two checks, an area, a network'
equal "$(of_block fifo check.cycles)" "$(sql all.db \
  "SELECT json_extract(result, '\$.cycles') FROM job WHERE subject = 'fifo'").0" 'another block'
matches "$(json all.json stale.first.key): $(json all.json stale.first.why)" '^network .*net.yaml has changed$' \
  'the first'
matches "$(<all.html)" '4 results are stale and count for nothing below' 'the page'

# Measured again: of the new sources alone. What an older program wrote does not say of what it is.
runs 0 "$lockstack" regress all.yaml --db all.db
report
equal "$(json all.json stale.results) $(of_block "$own" check.cycles) $(of_block "$own" check.jobs)" "4 $cycles 2.0" \
  'the sum of checks'
sql all.db "UPDATE job SET result = json_remove(result, '\$.content', '\$.sources') WHERE run = 2 AND subject <> 'fifo'"
report
equal "$(json all.json stale.results) $(of_block "$own" check.cycles)" '8 -' 'results that do not say of what they are'

# On another machine there is no such folder: the latest result says which sources are meant.
runs 0 "$lockstack" regress all.yaml --db all.db
mv own gone
report
equal "$(of_block "$own" check.cycles) $(of_block "$own" check.jobs)" "$cycles 2.0" \
  'checks of a folder that is not here'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# harness/evidence/reproduce/limits.sh: what limits a system. Of one whose links are its limit, links; of
# one without, not; NSUs' parts where there are some.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

limits() { bash "$source/harness/evidence/reproduce/limits.sh" "$@"; }
column() { awk -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR == 2 { print $at }' \
  <<<"$out"; }
above() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b) }' || wrong "$3: $1 is not above $2"; checks=$((checks + 1)); }
export LOCKSTACK=$lockstack

runs 0 limits baseline vadd,saxpy --set workload.n=150000
equal "$(wc -l <<<"$out")" 3 'lines: a head, and one a workload'
above "$(column links)" 1.15 'links of a machine that streams'
above 1.1 "$(column crossbar)" 'its crossbar'
ns=$(column ns)
runs 0 "$lockstack" run baseline vadd --set workload.n=150000 --json a.json
equal "$ns" "$(printf '%.0f' "$(json a.json time_ns)")" 'ns of the machine as it is'

# One with narrow ports of its crossbar.
runs 0 limits baseline vadd --set workload.n=150000 --set xbar.bytes=4
above "$(column crossbar)" 1.5 'a crossbar of 4 bytes a port'
[[ $out != *nsu* ]] || wrong 'a machine without NSUs has none that could be faster'

runs 0 limits nsu vadd --set workload.n=20000 --set gpu.sms=8 --set offload.ratio=1
matches "${out%%$'\n'*}" 'mshrs +nsu +port$' 'parts of NSUs'
runs 1 limits baseline vad
matches "$err" "unknown workload 'vad'" 'a run that fails says why'

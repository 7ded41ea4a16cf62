#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# lockstack reproduce tom: the figures that are compilations. The change of bandwidth of the
# paper's example is its own to the last digit; shares of candidates are of each workload's
# kernels.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

runs 0 "$lockstack" reproduce tom --figures tom-35,tom-36 --dry-run
equal "$out" "lockstack offload --rule tom $source/tests/unit/firmware/libor.ptx --json -" 'both figures are one compilation'
runs 0 "$lockstack" reproduce tom --figures tom-35,tom-36 --json exact.json
matches "$(tr -s ' \n' ' ' <<<"$out")" 'tom-35: LIB, .* = 110.25 words; ours 110.25 tom-36: LIB, .* = -39 words; ours -39.00' 'the report'
equal "$(json exact.json figures.0.ours),$(json exact.json figures.1.ours)" 110.25,-39.0 'ours'
equal "$(json exact.json figures.0.ratio),$(json exact.json figures.1.ratio)" 1.0,1.0 "ours over the paper's"
equal "$(json exact.json figures.0.misses),$(json exact.json figures.1.misses)" false,false 'misses'
equal "$(json exact.json figures.0.values.lib)" 110.25 'whose it is'
equal "$(json exact.json figures.0.values.rd)" null 'a workload that it is not of'
runs 0 "$lockstack" reproduce tom-35 --workloads rd --dry-run
equal "$out" '' 'runs of another workload'

runs 0 "$lockstack" reproduce tom --figures tom-32 --json share.json
equal "$(json share.json 'runs.#')" 10 'a compilation each workload'
matches "$out" 'km +0\.00' 'a workload without'
matches "$out" 'sp32 +100\.00' 'a workload with'
runs 0 "$lockstack" offload --rule tom "$source/firmware/workloads/kernels/lib/lib.ptx" --json lib.json
share=$(awk -v a="$(json lib.json fixed_offsets.some)" -v b="$(json lib.json fixed_offsets.candidates)" \
  'BEGIN { printf "%.4f", 100 * a / b }')
equal "$(printf %.4f "$(json share.json figures.0.values.lib)")" "$share" 'the share of lib'
equal "$(json share.json figures.0.misses)" false 'within what is let pass'

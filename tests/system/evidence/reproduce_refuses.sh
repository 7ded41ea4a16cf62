#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# lockstack reproduce: the list of what there is, and bad input: one line and exit status 2.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

bad() { # REGEX OPTIONS...
  local regex=$1
  shift
  refuses 2 "$regex" "$lockstack" reproduce "$@"
}

runs 0 "$lockstack" reproduce --json list.json
matches "$out" 'mpu-04 +. 1\.46 x' 'the list'
matches "$out" 'mpu \(MPU paper\): 23 figures, 21 of them' 'the list'
matches "$out" 'nsu \(NSU paper\): 41 figures, 41 of them' 'the list'
matches "$out" 'nupim \(NUPIM paper\): 20 figures, 20 of them' 'the list'
matches "$out" 'near \(of no paper\): 12 tables' 'the list'
equal "$(awk 'length > 100' <<<"$out" | wc -l)" 0 'number of lines wider than 100 columns'
equal "$(json list.json schema)" lockstack.reproduce/1 'the schema'
equal "$(json list.json 'published.#')" 121 'figures published'
equal "$(json list.json published.0.id)" nsu-01 'the first'
equal "$(json list.json published.0.value)" 17.9 'its value'
equal "$(json list.json published.41.id)" mpu-01 'the first of mpu'
equal "$(json list.json published.41.not_run)" null 'why it cannot be run'
matches "$(json list.json published.56.not_run)" 'an area' 'why mpu-16 cannot be run'

bad "no system or figure 'gpu'" gpu
bad "no figure 'mpu-99'" mpu-99
bad 'mpu-16 cannot be run: .*area' mpu-16
bad "no figure 'nupim-21'" nupim-21
bad 'tom-34 cannot be run: .*area' tom-34
bad "unexpected argument 'axpy'" mpu axpy
bad "no figure 'mpu-1'" mpu --figures mpu-01,mpu-1
bad "no figure ''" mpu --figures ''
bad "no figure 'longr'.*; its tables: speed, parts, " near --figures longr
bad 'nsu-01 is not a figure of mpu' mpu --figures nsu-01
bad 'goes with a SYSTEM' mpu-01 --figures mpu-02
bad "no 'vadd' among mpu's: blur_tiles, conv_tiles" mpu --workloads axpy,vadd
bad 'full or small' mpu --scale paper
bad 'whole number from 1 to 256' mpu --jobs 0
bad 'whole number from 1 to 256' mpu --jobs 257
bad "'moon' should be local or slurm" mpu --engine moon
bad 'KEY=VALUE' mpu --set tsv.duplex
bad 'SYSTEM or ID is missing' --workloads axpy
bad 'SYSTEM or ID is missing' --dry-run
bad 'SYSTEM or ID is missing' --resume

runs 0 "$lockstack" reproduce mpu --dry-run --json dry.json
equal "$(json dry.json 'commands.#')" 120 'runs: twelve workloads, eight machines, the GPU and the compiler'
equal "$(sort -u <<<"$out" | wc -l)" 120 'different ones among them'
equal "$(json dry.json commands.0)" 'lockstack run mpu blur_tiles --full --json -' 'the first'
runs 0 "$lockstack" reproduce near --figures longer,longer-narrow --workloads vadd --dry-run
equal "$(wc -l <<<"$out")" 10 'runs for two tables'
equal "$(grep -c -- '--set workload.n=4000000 ' <<<"$out")" 10 'of them at the second size'
runs 0 "$lockstack" reproduce mpu-04 --workloads pr --scale small --set system.seed=3 --dry-run
equal "$(wc -l <<<"$out")" 2 'runs for one figure'
matches "$out" 'run mpu pr --set [^ ]*=1 .*--set mpu.ponb=true --set system.seed=3 --json -' 'a command'

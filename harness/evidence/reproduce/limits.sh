#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
#   limits.sh SYSTEM WORKLOAD,... [OPTION of lockstack run]...
#
# What limits a system with a GPU: for each workload the speed-up when one part alone is made about
# four times as fast, all else as it is. Much above 1: this part limits it; near 1: it could be
# slower. `links` are all that carry flits: the GPU's, the logic layers and the memory network;
# `cores` are SMs, L1 and L2; `port` is an NSU's on its stack. By time, as clocks differ; every
# result is compared with the host reference.
#
#   harness/evidence/reproduce/limits.sh baseline vadd,kmn
#   harness/evidence/reproduce/limits.sh nsu vadd,stn --set offload.ratio=1
set -euo pipefail
lockstack=${LOCKSTACK:-$(dirname "$0")/../../../lockstack}
system=${1:?SYSTEM WORKLOAD,... [OPTION]...} workloads=${2:?WORKLOAD,...}
shift 2
parts=(links clocks.link=5000MHz crossbar xbar.bytes=128 cores clocks.core=2800MHz dram clocks.dram=0.375ns mshrs \
  l2.mshrs=64)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$lockstack" run "$system" --print-config >"$work/system.yaml"
if grep -q '^nsu:' "$work/system.yaml"; then parts+=(nsu clocks.nsu=1400MHz port nsu.port_flits=64); fi
sed -i '/^rival:/d' "$work/system.yaml" # its time is not asked for

time_of() { # WORKLOAD OPTION...: ns
  "$lockstack" run "$work/system.yaml" "$@" --json "$work/run.json" >"$work/out" 2>&1 ||
    { cat "$work/out" >&2; exit 1; }
  sed -n 's/^  "time_ns": \([0-9.]*\),$/\1/p' "$work/run.json"
}

faster() { # KEY=VALUE WORKLOAD OPTION...: its time with this value, whatever the options say of the key
  local key=${1%%=*} value=$1 workload=$2
  local -a options=()
  shift 2
  while (($#)); do
    case $1 in
      --set) [[ ${2-} == "$key="* ]] || options+=("${@:1:2}"); shift ;;
      "--set=$key="*) ;;
      *) options+=("$1") ;;
    esac
    shift
  done
  time_of "$workload" "${options[@]}" --set "$value"
}

printf '%-10s %12s' workload ns
for ((i = 0; i < ${#parts[@]}; i += 2)); do printf ' %9s' "${parts[i]}"; done
printf '\n'
for workload in ${workloads//,/ }; do
  all=$(time_of "$workload" "$@")
  printf '%-10s %12.0f' "$workload" "$all"
  for ((i = 1; i < ${#parts[@]}; i += 2)); do
    one=$(faster "${parts[i]}" "$workload" "$@")
    awk -v all="$all" -v one="$one" 'BEGIN { printf " %9.2f", all / one }'
  done
  printf '\n'
done

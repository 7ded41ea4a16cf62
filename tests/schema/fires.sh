#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fires.sh SOURCE LOCKSTACK: what is wrong in a result, a schema or docs/json.md is told by validate.py, in a line that names it.
set -u
source=$1 lockstack=$2
here=$(mktemp -d) || exit 3
trap 'rm -rf "$here"' EXIT
failures=0

fresh() {
  rm -rf "${here:?}"/*
  mkdir -p "$here/kept/a" || exit 3
  mkdir "$here/schema"
  cp "$source"/docs/schema/{common,list,memory}.json "$here/schema" && cp "$source/docs/json.md" "$here" || exit 3
  LOCKSTACK_JSON_KEEP=$here/kept/a "$lockstack" list --json "$here/list" >/dev/null && LOCKSTACK_JSON_KEEP=$here/kept/a "$lockstack" memory --requests 100 \
    --json "$here/memory" >/dev/null || exit 3
  list=$(echo "$here"/kept/a/lockstack.list-*.json) memory=$(echo "$here"/kept/a/lockstack.memory-*.json)
}

# says STATUS REGEX STEM...
says() {
  local status=$1 regex=$2 text got
  shift 2
  text=$("$source/tests/schema/validate.py" "$here/schema" "$here/json.md" "$here/kept" "$@" 2>&1)
  got=$?
  [ $got -eq "$status" ] && [[ $text =~ $regex ]] && return
  echo "WRONG: status $got, not $status, or no '$regex' in: $text"
  failures=$((failures + 1))
}

# broken REGEX FILE SED [STEM...]
broken() {
  local regex=$1 file=$2 edit=$3
  shift 3
  cp "$file" "$here/before"
  sed -i "$edit" "$file"
  ! cmp -s "$file" "$here/before" || { echo "WRONG: '$edit' changes nothing"; failures=$((failures + 1)); }
  says 1 "$regex" "$@"
  cp "$here/before" "$file"
}

fresh
says 0 'results are as their schemas say' a
says 0 'results are as their schemas say' a not_run
broken "'pattern' is a required property" "$memory" '/"pattern":/d'
broken "cycles: '12' is not of type 'integer'" "$memory" 's/"cycles": [0-9]*/"cycles": "12"/'
broken "'surprise' was unexpected" "$memory" 's/"cycles":/"surprise": 1, &/'
broken "is greater than the maximum" "$memory" 's/"row_hit_rate": [0-9.]*/"row_hit_rate": 1.5/'
broken "blocks\[0\]: .*'family' is a required property" "$list" '0,/"family":/{/"family":/d}'
broken "version: .*'version' is a required|'version' is a required property" "$list" '/"version":/d'
broken "docs/json.md: memory: 'cpu_seconds'" "$here/json.md" '/lockstack.memory/,$s/of the run |$/of this run |/'
broken "docs/json.md: memory: 'bank_io'" "$here/json.md" 's/`row_buffers`, `bank_io`/`row_buffers`/'
broken "list.json: no result has 'suites.later'" "$here/schema/list.json" 's/"file": {"type": "string"}/&, "later": {"type": "string"}/' a

# Fields of one machine, or of a run without a result, are not another's.
fresh
cp "$source/docs/schema/run.json" "$here/schema"
LOCKSTACK_JSON_KEEP=$here/kept/a "$lockstack" run baseline vadd --set workload.n=33 --json "$here/run" >"$here/log" 2>&1 || exit 3
run=$(echo "$here"/kept/a/lockstack.run-*.json)
says 0 'results are as their schemas say' not_run
broken "'machine' is a dependency of 'cycles'" "$run" '/"machine":/d' not_run
broken "'gpu' is not one of|'tpu' is not one of" "$run" 's/"machine": "gpu"/"machine": "tpu"/' not_run
broken "'tsv' is a required property|'cores' is a required property" "$run" 's/"machine": "gpu"/"machine": "mpu"/' not_run
broken "'barriers' was unexpected|'barriers'" "$run" 's/"cycles":/"barriers": 1, &/' not_run
broken "'failure' is a required property" "$run" 's/"seed":/"outcome": "INTERRUPTED", &/' not_run
broken "docs/json.md: run: 'lsu_ext_cycles'" "$here/json.md" 's/| `lsu_ext_cycles` | cycles/| `lsu_ext_cycles` | Cycles/' not_run
broken "docs/json.md: run: 'dram'" "$here/json.md" 's/; bursts of 64 bytes |/ |/' not_run
[ $failures -eq 0 ] || exit 1

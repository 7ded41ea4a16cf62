#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fires.sh SOURCE LOCKSTACK PAGE KEYS: what is wrong in a result, a sample, a schema, docs/json.md or
# docs/keys.md is told, in a line that names it. PAGE is schema_page, KEYS keys_page.
set -u
source=$1 lockstack=$2 page=$3 keys=$4
here=$(mktemp -d) || exit 3
trap 'rm -rf "$here"' EXIT
failures=0

# A tree with three verbs.
mkdir -p "$here/kept/a" "$here/schema" "$here/samples" || exit 3
cp "$source"/docs/schema/{common,list,memory,run}.json "$here/schema" &&
  cp "$source"/tests/schema/samples/{list,memory,run}*.json "$here/samples" || exit 3
printf '#!/bin/sh\ncat "%s/verbs"\n' "$here" >"$here/lockstack" && chmod +x "$here/lockstack" &&
  printf 'list\nmemory\nrun\n' >"$here/verbs" || exit 3
export LOCKSTACK_JSON_KEEP=$here/kept/a
"$lockstack" list --json "$here/list" >/dev/null &&
  "$lockstack" memory --requests 100 --json "$here/memory" >/dev/null || exit 3
"$lockstack" run baseline vadd --set workload.n=33 --json "$here/run" >"$here/log" 2>&1 || exit 3
unset LOCKSTACK_JSON_KEEP
list=$(echo "$here"/kept/a/lockstack.list-*.json) memory=$(echo "$here"/kept/a/lockstack.memory-*.json) \
  run=$(echo "$here"/kept/a/lockstack.run-*.json)
"$page" write "$here/schema" "$here/json.md" || exit 3

results() { "$source/tests/schema/validate.py" results "$here/schema" "$here/kept" "$here/lockstack" "${elsewhere-}" \
  "$@"; }
refuses() { "$source/tests/schema/validate.py" refuses "$here/schema" "$here/samples"; }
check_page() { "$page" check "$here/schema" "$here/json.md"; }

# says STATUS REGEX COMMAND...
says() {
  local status=$1 regex=$2 text got
  shift 2
  text=$("$@" 2>&1)
  got=$?
  [ $got -eq "$status" ] && [[ $text =~ $regex ]] && return
  echo "WRONG: status $got, not $status, or no '$regex' in: $text"
  failures=$((failures + 1))
}

# broken REGEX FILE SED COMMAND...
broken() {
  local regex=$1 file=$2 edit=$3
  shift 3
  cp "$file" "$here/before"
  sed -i "$edit" "$file"
  ! cmp -s "$file" "$here/before" || { echo "WRONG: '$edit' changes nothing"; failures=$((failures + 1)); }
  says 1 "$regex" "$@"
  cp "$here/before" "$file"
}

# The page of keys.
cp "$source/docs/keys.md" "$here/keys.md" || exit 3
says 0 '^$' "$keys" check "$here/keys.md"
broken 'is not what the lists of keys say' "$here/keys.md" 's/1 to 128 | 64/1 to 128 | 65/' "$keys" check "$here/keys.md"
broken 'is not what the lists of keys say' "$here/keys.md" '$d' "$keys" check "$here/keys.md"

# Results: `not_run` is a test whose folder is not there, so that nothing is asked of all results
# together.
says 0 'schemas and results agree' results not_run
broken "'pattern' is a required property" "$memory" '/"pattern":/d' results not_run
broken "cycles: '12' is not of type 'integer'" "$memory" 's/"cycles": [0-9]*/"cycles": "12"/' results not_run
broken "'surprise' was unexpected" "$memory" 's/"cycles":/"surprise": 1, &/' results not_run
broken "is greater than the maximum" "$memory" 's/"row_hit_rate": [0-9.]*/"row_hit_rate": 1.5/' results not_run
broken "blocks\[0\]: .*'family' is a required property" "$list" '0,/"family":/{/"family":/d}' results not_run
broken "version: .*'version' is a required|'version' is a required property" "$list" '/"version":/d' results not_run
broken "list.json: no result has 'suites.later'" "$here/schema/list.json" \
  '0,/"file": {/s/"file": {/"later": {"description": "a key", "type": "string"}, &/' results a
broken "memory.json: nothing describes 'later'" "$here/schema/memory.json" \
  's/"seed": {/"later": {"type": "string"}, &/' results not_run
broken "newverb: no schema" "$here/verbs" '$a newverb' results not_run
broken "run.json: there is no verb 'run'" "$here/verbs" '/run/d' results not_run

# Entries of files that another result has, too, are looked at once; a wrong one is told of each that
# has it, at its place among all.
files() { "$source/tests/schema/validate.py" results "$here/schema" "$here/files" "$here/lockstack" '' not_run 2>&1; }
mkdir -p "$here/files/a" && cp "$run" "$here/files/a/run-1.json" && cp "$run" "$here/files/a/run-2.json" || exit 3
says 0 'schemas and results agree' files
last=$(grep -c '"sha256":' "$run")
[ "$last" -gt 2 ] || { echo 'WRONG: the run names too few files for this'; failures=$((failures + 1)); }
wrong_last="$(grep -n '"sha256":' "$run" | tail -n 1 | cut -d: -f1)"' s/"sha256": [^,]*/"sha256": 12/'
broken "run-2.json: .*files\[$((last - 1))\].sha256: 12 is not of type" "$here/files/a/run-2.json" "$wrong_last" files
sed -i "$wrong_last" "$here/files/a/run-1.json"
broken "run-1.json: .*sha256: 12 is not.*run-2.json: .*sha256: 12 is not" "$here/files/a/run-2.json" "$wrong_last" files

# A verb of which no test keeps a result.
mv "$memory" "$here/away"
says 1 'memory: no test keeps a result of it' results a
elsewhere=memory
[[ $(results a) != *'memory: '* ]] || { echo 'WRONG: a verb of other suites is asked for'; failures=$((failures + 1)); }
unset elsewhere
mv "$here/away" "$memory"

# Keys of one machine, or of a run without a result, are not another's.
broken "'machine' is a dependency of 'cycles'" "$run" '/"machine":/d' results not_run
broken "'gpu' is not one of|'tpu' is not one of" "$run" 's/"machine": "gpu"/"machine": "tpu"/' results not_run
broken "'tsv' is a required property|'cores' is a required property" "$run" 's/"machine": "gpu"/"machine": "mpu"/' \
  results not_run
broken "'barriers' was unexpected|'barriers'" "$run" 's/"cycles":/"barriers": 1, &/' results not_run
broken "'failure' is a required property" "$run" 's/"seed":/"outcome": "INTERRUPTED", &/' results not_run

# Schemas that accept what they should not, and samples.
says 0 'schemas and results agree' refuses
broken "memory.json accepts an unheard-of key at ''" "$here/schema/memory.json" \
  '0,/"additionalProperties": false,/s///' refuses
broken "memory.json accepts an unheard-of key at 'timing'" "$here/schema/memory.json" \
  '0,/"additionalProperties": false,/! s/"additionalProperties": false,//' refuses
broken "memory.json: no sample in .* lets 'missing at the top' be tried" "$here/schema/memory.json" \
  's/"required": \[/"must": [/' refuses
broken "memory.json: no sample in .* lets 'extra at the top' be tried" "$here/schema/memory.json" \
  '0,/"additionalProperties": false/s//"additionalProperties": true/' refuses
broken "list.json accepts another type at 'blocks.0.name'" "$here/schema/list.json" \
  's/"type": "string"/"minLength": 1/' refuses
broken "memory.json: 'pattern' is a required" "$here/samples/memory.json" '/"pattern":/d' refuses
rm "$here"/samples/memory.json
says 1 "memory.json: no sample in .* lets 'extra at the top' be tried" refuses

# The page.
says 0 '' check_page
cp "$here/schema/list.json" "$here/away"
sed -i 's/"title": "lockstack.list/"title": "list/' "$here/schema/list.json"
says 2 "list.json: the title should be a text with 'lockstack.' in it" check_page
echo '{' >"$here/schema/list.json"
says 2 'list.json:[0-9]+: ' check_page
cp "$here/away" "$here/schema/list.json"
broken 'json.md: is not what .*schema says' "$here/json.md" 's/of them/of those/' check_page
broken 'json.md: is not what .*schema says' "$here/schema/memory.json" '0,/"description": "/s//&Not /' check_page
broken 'json.md: is not what .*schema says' "$here/json.md" '$d' check_page
[ $failures -eq 0 ] || exit 1

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What every verb promises: help with an example, one clear line for a mistake, exit statuses, JSON
# whole or not at all.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# Lines of a help's examples that were too long for one and were broken.
broken() {
  awk '/^Examples?:/ { examples = 1; next } examples && /^[^ ]/' <<<"$1"
}
equal "$(broken $'Usage:\nExamples:\n  lockstack run --json\na.json\n  lockstack run')" a.json 'a broken example'

runs 0 "$lockstack" --help
verbs=$(sed -n 's/^  \([a-z]*\) .*/\1/p' <<<"$out")
for verb in $verbs; do
  runs 0 "$lockstack" "$verb" --help
  matches "$out" 'Example' "help of $verb"
  equal "$(broken "$out")" '' "broken examples of $verb"
  matches "$out" "lockstack $verb" "help of $verb"
  matches "$out" '--json=FILE' "help of $verb"
  refuses 2 '--nonsense' "$lockstack" "$verb" --nonsense
  refuses 2 'requires an argument' "$lockstack" "$verb" --json
done
matches "$(tr '\n' ' ' <<<"$verbs")" '^.*list .*test ' 'the list of verbs'
runs 0 "$lockstack" --version
matches "$out" '^lockstack [0-9]+\.[0-9]+\.[0-9]+ \(' 'the version'

runs 2 "$lockstack"
matches "$err" '^Usage: lockstack VERB' 'the command alone'
refuses 2 "no verb 'lst'; the verbs are .*list" "$lockstack" lst
refuses 2 "'boxes' should be blocks, systems" "$lockstack" list boxes
refuses 2 "unexpected argument 'blocks'" "$lockstack" list suites blocks
refuses 2 "no suite 'quick'; the suites are default" "$lockstack" test quick
refuses 3 "fuzz needs clang.*install the package clang" env PATH=/nowhere "$lockstack" test fuzz
refuses 2 "FUZZ_SECONDS: .x. should be 1 to 9999" env FUZZ_SECONDS=x sh "$source/tests/fuzz/run.sh" true folder 1
refuses 2 "'0' should be a whole number from 1" "$lockstack" test --jobs 0
refuses 2 "'3x' should be a whole number" "$lockstack" test --jobs 3x

# list: the same facts for people and for programs
runs 0 "$lockstack" list
for what in blocks systems workloads suites; do matches "$out" "$what" 'the list'; done
runs 0 "$lockstack" list --json all.json
equal "$(json all.json schema)" lockstack.list/1 'the schema'
matches "$(json all.json provenance.verilator)" 'Verilator' 'the tools'
equal "$(json all.json suites.0.name)" default 'the first suite'
"$lockstack" list --json - >stdout.json 2>stdout.err
cmp -s all.json stdout.json || wrong '--json - differs from --json FILE'
equal "$(cat stdout.err)" '' 'standard error of --json -'
for ((i = 0; i < $(json all.json blocks.#); i++)); do
  name=$(json all.json "blocks.$i.name")
  for piece in rtl ports model test synth; do
    file=$(json all.json "blocks.$i.$piece")
    [ -n "$file" ] && [ -e "$source/$file" ] || [ -e "$build/$file" ] || wrong "$name: no $piece at '$file'"
  done
done

# the JSON file: a wrong place, a full disk, an old file, a link
refuses 2 'no such folder' "$lockstack" list --json nowhere/a.json
refuses 2 'it is a folder' "$lockstack" list --json .
refuses 3 '/dev/full: cannot write: No space left' "$lockstack" list --json /dev/full
echo old >target.json
chmod 640 target.json
ln -s target.json link.json
runs 0 "$lockstack" list --json link.json
[ -L link.json ] || wrong 'the link was replaced'
equal "$(json target.json schema)" lockstack.list/1 'the file behind the link'
equal "$(stat -c %a target.json)" 640 'its mode'

# What an earlier run made goes once the options are right, and not before; it is no input
refuses 2 "unrecognized option '--cycels'" "$lockstack" check nowhere --json link.json --cycels 5
equal "$(json target.json schema)" lockstack.list/1 'the result of before, with a wrong option'
refuses 2 '.*--json: another argument names target.json too' "$lockstack" draw ./target.json --json target.json
equal "$(json target.json schema)" lockstack.list/1 'an input'
echo '<old/>' >old.xml
refuses 2 'no such folder' "$lockstack" regress nowhere.yaml --json nowhere/a.json --junit old.xml
[ -s old.xml ] || wrong 'a file went though another one has no place'
refuses 2 'nowhere.yaml: No such file' "$lockstack" regress nowhere.yaml --json link.json --junit old.xml
equal "$(find . -name target.json -o -name old.xml)" '' 'results of before'
runs 0 "$lockstack" list --json link.json
equal "$(json target.json schema)" lockstack.list/1 'the file behind the link, which had gone'
for words in 'check fifo --vectors none --wave' 'sweep memory --over banks= --csv' 'report --db none.db --out' \
  'draw none --out' 'replay none --wave'; do
  echo old >old.out
  # shellcheck disable=SC2086
  refuses 2 '' "$lockstack" $words old.out
  [ ! -e old.out ] || wrong "'$words' leaves the file of before"
done
equal "$(find . -name '*.json.*')" '' 'left-over files'
runs 3 bash -c '"$0" list --json - >/dev/full' "$lockstack"
matches "$err" 'No space left' 'a full standard output'
runs 3 bash -c '"$0" list >/dev/full' "$lockstack"
matches "$err" 'standard output' 'a full standard output'

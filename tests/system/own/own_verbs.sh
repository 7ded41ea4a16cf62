#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Each block of tests/foreign, as `new` makes it of its RTL, with each verb and device. Blocks are
# found by their folders; `own_verbs.sh NAME...` runs some. verbs.txt beside `rtl` and `block` has a
# line for what is special:
#   options OPTION...         of `new`
#   fault FILE COMMAND        a fault in a file of its RTL, as a command of sed: it must be seen
#   script NAME               a script of its own has it with each verb: only by name here
#   refused VERB REGEX        what a verb, or check:DEVICE, cannot do, and what it says then
# timeout: 1800
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

said() { sed -n "s/^$1 //p" "$foreign/verbs.txt" 2>/dev/null; } # said KEY: what the file's lines have behind it

# verb LEAST MOST NAME ARGUMENT...: exit status LEAST to MOST, or refused as the file says
verb() {
  local least=$1 most=$2 name=$3 why
  why=$(said "refused $name")
  shift 3
  if [ -n "$why" ]; then
    runs 2 "$lockstack" "$@"
    matches "$err" "$why" "$block: $name is refused"
    return
  fi
  out=$("$lockstack" "$@" 2>"$here/.stderr" </dev/null)
  local status=$?
  err=$(<"$here/.stderr") checks=$((checks + 1))
  [ $status -ge "$least" ] && [ $status -le "$most" ] || wrong "$block: $name ended with $status: $out $err"
}

every_verb() {
  local block=$1 foreign=$source/tests/foreign/$1 options from fault dut
  mkdir "$1.all" && cd "$1.all" || exit 3
  cp -r "$foreign/rtl" . && cp -r rtl "$1.rtl"
  [ ! -d "$foreign/include" ] || cp -r "$foreign/include" .
  from=$(echo rtl/"$1".*v*)
  read -ra options <<<"$(said options)"
  verb 0 0 new new "$1" --from "$from" "${options[@]}"
  cp "$foreign"/block/* "$1"
  for dut in rtl netlist cxxrtl icarus emitted; do
    verb 0 0 check:$dut check "$1" --cycles 1000 --dut $dut --json c.json
    [ -n "$(said "refused check:$dut")" ] || equal "$(json c.json outcome)" PASS "$1 as $dut"
  done
  verb 0 0 against check "$1" --cycles 1000 --against netlist
  [ ! -f "$1/$1.prove" ] || verb 0 0 prove prove "$1"
  verb 0 1 mutate mutate "$1" --count 4 --longer 1
  verb 0 1 cover cover "$1" --cycles 1000 --runs 1
  verb 0 0 area area "$1"
  verb 0 0 faults faults "$1" --count 10 --cycles 1000 --jobs 1
  verb 0 0 power power "$1" --cycles 500

  fault=$(said fault)
  [ -n "$fault" ] || wrong "tests/foreign/$1/verbs.txt should have a line \`fault FILE COMMAND\`, a fault for sed to make"
  mkdir changed && sed "${fault#* }" "rtl/${fault%% *}" >"changed/${fault%% *}"
  runs 1 "$lockstack" check "$1" --rtl changed --cycles 20000 --shrink-seconds 5 --json d.json
  equal "$(json d.json outcome)" DIVERGED "$1: $fault"
  runs 1 "$lockstack" replay "$(json d.json replay)"
  matches "$out" 'DIVERGED as recorded' "$1: the replay"
  cd .. && rm -rf "$1.all"
}

[ $# -gt 0 ] || for folder in "$source"/tests/foreign/*/block; do
  grep -q '^script ' "$folder/../verbs.txt" || set -- "$@" "$(basename "$(dirname "$folder")")"
done
for name; do every_verb "$name"; done

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
#   tests/foreign/modules.sh FOLDER [--new | --in] [--jobs N] [--only REGEX] [--work DIR]
#
# Brings the modules of tests/foreign/modules.csv in, each by one command, and writes what came of
# it into the same table. No test of `./lockstack test` runs this: it takes hours, and it needs the
# projects. FOLDER has a work tree of each, by the project's name without its owner. Their owner,
# name and commit are in the table, and none of their code is here:
#     tail -n +3 tests/foreign/modules.csv | cut -d, -f1,2 | sort -u | while IFS=, read -r project commit; do
#       git clone GITHUB/$project FOLDER/${project#*/} && git -C FOLDER/${project#*/} checkout -q $commit
#     done
# (GITHUB: where GitHub's projects are cloned from.)
#
# --new looks at the first step alone, --in at the three steps of getting in, and leaves the verbs'
# columns empty. --jobs: modules at a time (default 1). --only: modules whose
# "project module" matches; the other rows stay as they are. What each row said stays in DIR (default:
# /tmp/lockstack-modules), so that a second run goes on where the first one ended; remove DIR to
# begin anew, or DIR/PROJECT.MODULE* for one.
#
# Columns: `first` is what became of the command without options, `after` of that with them, ` in` if
# all of these hold:
#   new      ends with 0
#   check    ends with the assertion of the model that is still to be written
#   second   check --against icarus, or netlist, passes 10,000 cycles with half of all output bits known
# mutate, cover, faults: yes if the verb starts, which means that it comes as far as the model.
# area: gate equivalents. seconds: of `new`, the longer of both. reason: what is missing.
set -u
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
table=${LOCKSTACK_MODULES:-$here/modules.csv}
lockstack=${LOCKSTACK:-$here/../../lockstack}
folder='' jobs=1 only=. work=/tmp/lockstack-modules new_only='' in_only='' row=''
bad() {
  printf 'modules.sh: %s\n' "$*" >&2
  exit 2
}
while [ $# -gt 0 ]; do
  case $1 in
  --new) new_only=1 ;;
  --in) in_only=1 ;;
  --jobs | --only | --work | --row) [ $# -gt 1 ] || bad "$1: a value is missing" ;;&
  --jobs) jobs=$2 && shift ;;
  --only) only=$2 && shift ;;
  --work) work=$2 && shift ;;
  --row) row=$2 && shift ;;
  --*) bad "$1: should be --new, --in, --jobs N, --only REGEX or --work DIR" ;;
  *) folder=$1 ;;
  esac
  shift
done
[ -d "$folder" ] || bad "'$folder' should be the folder with the projects' work trees"
folder=$(cd "$folder" && pwd) && mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 3

# The table's columns of a row, one a line. Quotes stand around fields that have commas.
fields() {
  awk '{ field = ""; quoted = 0
         for (i = 1; i <= length($0); i++) {
           c = substr($0, i, 1)
           if (c == "\"") quoted = !quoted
           else if (c == "," && !quoted) { print field; field = "" }
           else field = field c
         }
         print field }' <<<"$1"
}

# Runs the command for at most so many seconds of which it says something; its output is in $log.
limited() {
  local seconds=$1
  shift
  timeout -k 5 "$seconds" "$@" >"$log" 2>&1 </dev/null
}
why() { grep -h '^lockstack: ' "$log" | grep -Ev '^lockstack: (building|reading) ' | tail -n 1 | sed "s/^lockstack: //; s|$folder/||g; s|$work/||g"; }
last() { tail -n 1 "$log" | sed "s|$folder/||g; s|$work/||g"; }

# as_known: 1 if the last line of a check of two devices says that half of all bits were known.
as_known() { grep -oE '[0-9.]+ ?% of output bits known' "$log" | tail -n 1 | awk '{ exit !(0 + $1 >= 50) }'; }

# bring NAME OPTION...: all three steps in $at/NAME. The result is in $came, `in` or the step that
# failed, and in $reason; seconds of `new` in $took.
bring() {
  local name=$1 begin block=$at/$1/$module device
  shift
  rm -rf "${at:?}/$name" && mkdir -p "$at/$name"
  begin=$(date +%s%N) reason='' came=new
  log=$at/$name.new
  (cd "$folder/$project" && limited 300 "$lockstack" new "$block" --from "$file" "$@")
  local status=$?
  took=$((($(date +%s%N) - begin) / 100000000))
  if [ $status -ne 0 ]; then
    reason=$(why)
    [ -n "$reason" ] || reason="new ended with $status"
    return
  fi
  came='read'
  [ -z "$new_only" ] || return
  cd "$at/$name" || return
  came=check log=$at/$name.check
  limited 600 "$lockstack" check "./$module" --no-wave --shrink-seconds 0 --cycles 1000
  grep -q '^MODEL_ASSERT' "$log" || { reason=$(why) && reason=${reason:-$(last)} && return; }
  came=second
  for device in icarus netlist; do
    log=$at/$name.$device
    limited 900 "$lockstack" check "./$module" --no-wave --shrink-seconds 0 --cycles 10000 --against $device &&
      as_known && came=in reason='' && return
    reason="${reason:+$reason; }$device: $(why)"
    [ "${reason%: }" = "$reason" ] || reason=$reason$(last)
  done
}

# A verb starts if it comes as far as the model, or holds.
starts() {
  local verb=$1
  shift
  log=$at/$verb
  limited 900 "$lockstack" "$verb" "./$module" "$@"
  local status=$?
  if [ $status -eq 0 ] || grep -q MODEL_ASSERT "$log"; then echo yes; else echo no; fi
}

# One row of the table: its file in $work is there when all of it has been tried.
try_row() {
  local owner commit file module options first first_reason
  { read -r owner && read -r commit && read -r file && read -r module && read -r options; } < <(fields "$1")
  local project=${owner#*/} came reason took mutate='' cover='' faults='' area=''
  at=$work/$project.$module
  mkdir -p "$at"
  bring first
  first=$came first_reason=$reason seconds=$took way=first
  if [ -n "$options" ] && [ "$came" != in ]; then
    local words
    read -ra words <<<"$options"
    way=after
    bring after "${words[@]}"
    [ "$took" -lt "$seconds" ] || seconds=$took
  fi
  if [ "$came" != new ] && [ -z "$new_only$in_only" ] && cd "$at/$way"; then
    mutate=$(starts mutate --count 2 --cycles 200 --no-proofs)
    cover=$(starts cover --cycles 200 --runs 1)
    faults=$(starts faults --count 2 --cycles 200)
    log=$at/area
    limited 900 "$lockstack" area "./$module" --timeout 600 --out "$at/areas" --json "$at/area.json"
    area=$(grep -oE '"ge": *[0-9.]+' "$at/area.json" 2>/dev/null | head -n 1 | grep -oE '[0-9]+' | head -n 1)
  fi
  [ "$first" != in ] || first_reason=
  [ -n "$reason" ] || reason=$first_reason
  printf '%s,%s,%s,%s,"%s",%s,%s,%s,%s,%s,%s,%d.%d,"%s"\n' "$owner" "$commit" "$file" "$module" "$options" "$first" "$came" \
    "$mutate" "$cover" "$faults" "$area" $((seconds / 10)) $((seconds % 10)) "$(tr '"\n' "' " <<<"$reason" | sed 's/ *$//')" \
    >"$at.part" && mv "$at.part" "$at.row"
  printf '%s %s: first %s, after options %s, %d s\n' "$project" "$module" "$first" "$came" $((seconds / 10))
}

if [ -n "$row" ]; then
  try_row "$row"
  exit
fi

# Rows in parallel; one that is there already stays.
rows() { grep -vE '^(#|project,)' "$table"; }
name_of() { fields "$1" | awk 'NR == 1 { sub(".*/", ""); project = $0 } NR == 4 { print project "." $0 }'; }
rows | while IFS= read -r line; do
  name=$(name_of "$line")
  [[ ${name/./ } =~ $only ]] && [ ! -f "$work/$name.row" ] && printf '%s\0' "$line"
done | xargs -0 -r -n 1 -P "$jobs" "${BASH_SOURCE[0]}" "$folder" ${new_only:+--new} ${in_only:+--in} --work "$work" --row

# The table anew: rows that were tried as they came out, the others as they were.
{
  grep -E '^(#|project,)' "$table"
  rows | while IFS= read -r line; do
    cat "$work/$(name_of "$line").row" 2>/dev/null || printf '%s\n' "$line"
  done
} >"$table.part" && mv "$table.part" "$table"
rows | awk -F, '{ print }' | while IFS= read -r line; do fields "$line" | sed -n '6p;7p' | paste -sd' '; done | sort | uniq -c |
  awk '{ all += $1; if ($2 == "in") first += $1; if ($3 == "in") after += $1 }
       END { printf "%d modules: %d in by the first command, %d after options\n", all, first, after }'

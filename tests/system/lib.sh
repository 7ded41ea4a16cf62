# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
#
# For the scripts of this folder, which source it: each runs in an empty folder of its own that is
# removed afterwards.
#   runs CODE COMMAND...         the command ends with this exit status; its output is in $out, its
#                                errors in $err
#   refuses CODE REGEX COMMAND.. the same, and standard error is exactly one line that matches (but
#   for progress)
#   json FILE PATH               prints a value of a JSON file: `json a.json
#                                lockstep.instances.0.name`
#   skip REASON              ends the test as not run (exit status 77)
#   sql FILE QUESTION        prints the rows of a database, values joined by |
#   equal GOT WANTED WHAT        matches TEXT REGEX WHAT
# $lockstack is the command, $source the tree, $build the build folder. A failed check says so and
# the script goes on; it ends with a failure then.

set -u
lockstack=${LOCKSTACK:?the tests are run by ctest}
source=${LOCKSTACK_SOURCE:?} build=${LOCKSTACK_BUILD:?}
here=$(mktemp -d) || exit 3
if [ -n "${LOCKSTACK_JSON_KEEP:-}" ]; then rm -rf "$LOCKSTACK_JSON_KEEP" && mkdir -p "$LOCKSTACK_JSON_KEEP" ||
  exit 3; fi
checks=0 failures=0
finish() {
  local status=$?
  cd / && rm -rf "$here"
  if [ $checks -eq 0 ]; then echo 'nothing was checked'; exit 1; fi
  echo "$((checks - failures)) of $checks checks held"
  [ $failures -eq 0 ] || exit 1
  exit $status
}
trap finish EXIT
cd "$here" || exit 3

skip() {
  echo "skipped: $*"
  trap - EXIT
  cd / && rm -rf "$here"
  exit 77
}

wrong() {
  failures=$((failures + 1))
  printf 'WRONG: %s\n' "$*"
}

# A line that a slow machine has and a fast one has not.
progress='^lockstack: (building|reading) |^[^:]+: [0-9,]+( of [0-9,]+)? [^:]+, [0-9.,]+/s(, |; |$)'

# A crash or a sanitizer's report is wrong whatever was expected.
runs() {
  local code=$1 status
  shift
  out=$("$@" 2>"$here/.stderr" </dev/null)
  status=$?
  # bash's own, of a shell script, where numbers of processes come round again
  err=$(grep -av ': wait_for: No record of process [0-9]*$' "$here/.stderr")
  checks=$((checks + 1))
  [ $status -eq "$code" ] || wrong "'${*##*/}' ended with $status, not $code: $err"
  [[ $err != *Sanitizer* && $err != *'runtime error:'* ]] || wrong "'${*##*/}': $err"
}

refuses() {
  local code=$1 regex=$2 line all=''
  shift 2
  runs "$code" "$@"
  while IFS= read -r line; do
    [[ $line =~ $progress ]] || all+=${all:+$'\n'}$line
  done <<<"$err"
  err=$all
  [[ $err != *$'\n'* ]] || wrong "'${*##*/}' should say one line, not: $err"
  matches "$err" "$regex" "'${*##*/}' on standard error"
}

matches() {
  checks=$((checks + 1))
  [[ $1 =~ $2 ]] || wrong "$3: '$1' does not match '$2'"
}

equal() {
  checks=$((checks + 1))
  [ "$1" = "$2" ] || wrong "$3 is '$1', not '$2'"
}

json() { "$build/tests/json_get" "$@"; }
sql() { "$build/tests/sql_get" "$@"; }

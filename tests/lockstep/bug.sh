#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A planted bug must be found from a fresh seed, shrunk, and replayed to the same divergence, and
# what was shrunk must be harmless to the
# tree's own RTL:   bug.sh FAULT.patch
# The patch's head names the block, a parameter (set: Iters=2) where the default would not show the
# fault, the cycles that must do (cycles: 100000) where 400,000 are too many, and the outcome
# (outcome: DUT_ASSERT) where an assertion of the RTL sees the fault before a port does. Only the
# patched files are copied; --rtl puts them before the tree's.

set -u
lockstack=${LOCKSTACK:?the tests are run by ctest} source=${LOCKSTACK_SOURCE:?} build=${LOCKSTACK_BUILD:?}
patch=$1
name=$(basename "$patch" .patch)
block=$(sed -n 's/^block: //p' "$patch")
cycles=$(sed -n 's/^cycles: //p' "$patch") cycles=${cycles:-400000}
outcome=$(sed -n 's/^outcome: //p' "$patch") outcome=${outcome:-DIVERGED}
case $outcome in DIVERGED) where=failure.port ;; *) where=failure.assertion.text ;; esac \
  # what the replay must have in common
read -ra set < <(sed -n 's/^set: /--set /p' "$patch")
work=$build/tests/bugs/$name
seed=$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')
fail() { printf '%s (%s, seed %s): %s\n' "$name" "$(sed -n 's/^fault: //p' "$patch")" "$seed" "$*"; exit 1; }
json() { "$build/tests/json_get" "$@"; }

mkdir -p "$work" && cd "$work" || exit 3
rm -rf out new check.json replay.json
for file in $(sed -n 's,^+++ b/,,p' "$patch"); do mkdir -p "new/$(dirname "$file")" && cp "$source/$file" "new/$file" ||
  exit 3; done
(cd new && GIT_CEILING_DIRECTORIES=$work git apply "$patch") || fail 'the patch no longer fits the RTL'
for file in $(sed -n 's,^+++ b/,,p' "$patch"); do
  # same content: not built again
  cmp -s "new/$file" "rtl/$(basename "$file")" || { mkdir -p rtl; cp "new/$file" rtl/; }
done

"$lockstack" check "$block" "${set[@]}" --rtl rtl --seed "$seed" --cycles "$cycles" --shrink-seconds 5 \
  --no-wave --out out \
  --json check.json >check.log 2>&1
code=$?
[ $code -eq 1 ] || fail "check ended with $code: $(cat check.log)"
[ "$(json check.json outcome)" = "$outcome" ] || fail "the outcome is $(json check.json outcome): $(cat check.log)"
replay=$(json check.json replay)
[ -s "$replay" ] || fail 'no replay file'
found=$(json check.json failure.cycle) left=$(json check.json shrunk_cycles)
[ "$left" -gt 0 ] && [ "$left" -le $((found + 1)) ] || fail "$found cycles were shrunk to $left"
[ "$(json check.json tree)" = PASS ] || fail "the good RTL fails on the shrunk inputs too: $(cat check.log)"
"$lockstack" replay "$replay" --json replay.json >replay.log 2>&1
code=$?
[ $code -eq 1 ] || fail "replay ended with $code: $(cat replay.log)"
[ "$(json replay.json same)" = true ] || fail "another failure in the replay: $(cat replay.log)"
[ "$(json replay.json $where)" = "$(json check.json $where)" ] || fail 'another port or assertion in the replay'
echo "$name: found in cycle $found at $(json check.json $where), shrunk to $left cycles"

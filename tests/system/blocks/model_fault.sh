#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The fault is the golden model's: it is found, shrunk and replayed; when the model is mended, the
# replay passes and says that it is gone; with another fault in it, the replay says that this is
# another failure.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

cp -r "$source/docs/example" own
good=$source/docs/example/accum.c right='a->sum = (a->sum + in->value)'        # of the line that a fault is put into
spoil() { sed "s/^#include.*/&\n#include <assert.h>/; s/if (in->add) $right/if (in->add) { $1/; s/(64 - Bits));/&}/" \
  "$good" >own/accum.c; }

fault() { # fault NAME OUTCOME WHERE INSTEAD
  local replay
  spoil "$4"
  runs 1 "$lockstack" check own --set Bits=5 --cycles 20000 --no-wave --shrink-seconds 3 --out "out-$1" \
    --json check.json
  equal "$(json check.json outcome)" "$2" "the outcome of $1"
  matches "$(json check.json failure.port 2>/dev/null || json check.json failure.text)" "$3" "where $1 is"
  [ "$(json check.json shrunk_cycles)" -le 4 ] || wrong "$1: shrunk to $(json check.json shrunk_cycles) cycles only"
  [ "$2" != DIVERGED ] || matches "$out" "then: DIVERGED in cycle $(($(json check.json shrunk_cycles) - 1))" \
    "the shrunk failure of $1"
  replay=$(json check.json replay)
  runs 1 "$lockstack" replay "$replay" --json again.json
  equal "$(json again.json outcome) $(json again.json same)" "$2 true" "the replay of $1"
  matches "$out" "$2 as recorded" "what is said of the replay of $1"
  cp "$good" own/accum.c
  runs 0 "$lockstack" replay "$replay" --json mended.json
  equal "$(json mended.json outcome) $(json mended.json same)" 'PASS false' "$1, mended"
  matches "$out" "PASS: the recorded $2 is gone" "what is said of $1, mended"
}
fault wrong DIVERGED '^sum$' 'a->sum = (a->sum + in->value + (in->value == 9))'
fault asserts MODEL_ASSERT '^accum.c:[0-9]+: ' 'assert(in->value != 9); a->sum = (a->sum + in->value)'
fault crashes MODEL_CRASH '^accum_step: SIGILL' 'if (in->value == 9) __builtin_trap(); a->sum = (a->sum + in->value)'

# Mended there, but wrong elsewhere: the replay tells the two apart
spoil '__builtin_abort(); a->sum = (a->sum + in->value)'
runs 1 "$lockstack" replay out-wrong/*.replay --json other.json
equal "$(json other.json outcome) $(json other.json same)" 'MODEL_CRASH false' 'another fault'
matches "$out" 'MODEL_CRASH, but recorded was DIVERGED sum' 'what is said of another fault'

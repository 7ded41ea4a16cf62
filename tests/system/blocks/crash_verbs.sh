#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A model that crashes, under the verbs that run models in another way than check and replay do.
# Each builds an object of its own.
# timeout: 300
# label: soak
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/crash_block.sh
. "$source/tests/system/crash_block.sh"
lockstack() { CRASH=$crash "$lockstack" "$@"; }

crash=segv
runs 1 lockstack cover own --set Bits=5 --json cover.json
equal "$(json cover.json outcome)" MODEL_CRASH 'cover'
runs 1 lockstack mutate own --set Bits=5 --count 3 --json mutate.json
equal "$(json mutate.json control.outcome)" MODEL_CRASH 'mutate'
matches "$out" 'ends with MODEL_CRASH: accum_step: SIGSEGV.*profile one; no mutant counts' 'mutate'
crash=assert
runs 1 lockstack mutate own --set Bits=5 --count 3 --json assert.json
equal "$(json assert.json control.outcome) $(json assert.json control.profile)" 'MODEL_ASSERT one' \
  'mutate, an assertion of the model'
matches "$(json assert.json control.by)" '^accum.c:[0-9]+: strcmp' 'its text'
matches "$out" 'ends with MODEL_ASSERT: accum.c:[0-9]+: .*profile one; no mutant counts' 'mutate, what is said of it'
crash=_exit
runs 1 lockstack cover own --set Bits=5 --json cover.json
equal "$(json cover.json outcome)" MODEL_CRASH 'cover, of a model that calls _exit'
runs 1 lockstack mutate own --set Bits=5 --count 3 --json mutate.json
equal "$(json mutate.json control.outcome)" MODEL_CRASH 'mutate, of a model that calls _exit'
crash=exec
for verb in cover mutate faults; do
  refuses 3 "$verb ended with exit status 0|own: its process ended without a result|a process" lockstack $verb own \
    --set Bits=5
done
crash=segv
runs 1 lockstack faults own --set Bits=5 --json faults.json
equal "$(json faults.json control.outcome)" MODEL_CRASH 'faults'
runs 1 lockstack check own --set Bits=5 --guided --no-wave --json guided.json
equal "$(json guided.json outcome)" MODEL_CRASH 'check --guided'
for crash in init turn; do \
  # it turns where new points come late, of 24 bits
  [ $crash = init ] && bits=5 || bits=24
  runs 1 lockstack check own --set "Bits=$bits" --guided --no-wave --json "guided-$crash.json"
  equal "$(json "guided-$crash.json" outcome)" STIM_CRASH "check --guided, a stimulus that crashes in $crash"
  matches "$(json "guided-$crash.json" failure.text)" "^accum_stim.$crash: SIGSEGV" "what is said of $crash"
done
crash=init
runs 1 lockstack cover own --set Bits=5 --json "cover-init.json"
equal "$(json cover-init.json outcome)" STIM_CRASH 'cover, a stimulus that crashes in init'
refuses 1 'accum_stim.init: SIGSEGV' lockstack faults own --set Bits=5
refuses 1 'accum_stim.init: SIGSEGV' lockstack mutate own --set Bits=5 --count 3
crash=segv
runs 1 lockstack check own --set Bits=5 --out waves --cycles 20000 --json wave.json
[ -s "$(json wave.json wave)" ] || wrong "no waveform of a crash: $out"


#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# rules: a block whose rules hold, a reading that RTL and model share, RTL alone that is wrong, bad
# input.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

runs 0 "$lockstack" rules tom_place --own --first --dut icarus --json held.json
matches "$out" 'T2 +held +tom.c +tom/README.md, "Where a line lives": Any other page' 'the line of a rule'
matches "$out" 'proof held +tom_place ' 'the line of a property'
matches "$out" 'tom_place: ([0-9]+) of \1 rules hold; ([1-9][0-9]*) of \2 properties hold' 'the total'
for pair in schema=lockstack.rules/1 block=tom_place held=true rules.0.status=held rules.0.witness=tom.c \
  rules.0.page=rtl/tom/README.md properties.0.status=proved; do
  equal "$(json held.json "${pair%%=*}")" "${pair#*=}" "${pair%%=*}"
done

# The mixed map's highest bits misread, in RTL and model alike: no comparison sees it, its rule does.
mkdir tree
for entry in "$source"/*; do
  case ${entry##*/} in rtl | cmodel | build | lockstack-out) ;; *) ln -s "$entry" tree/ ;; esac
done
cp -r "$source/rtl" "$source/cmodel" tree
(cd tree && GIT_CEILING_DIRECTORIES=$here git apply "$source/tests/rules/planted/given_b09.patch") || wrong 'the patch'
runs 1 "$lockstack" rules tom_place --dut icarus --own --first --no-proofs --tree tree --json shared.json
matches "$out" 'T2 +BROKEN' 'a rule that RTL and model misread'
matches "$out" 'tom.c:[0-9]+: T2: tom_place: stack in cycle 0 is (0x[0-9a-f]+|0) \(RTL\), \1 \(golden model\); the rule says' 'both sides'
equal "$(json shared.json held) $(json shared.json tree)" "false $here/tree" 'held, and the tree'

# RTL alone.
mkdir mine
cp tree/rtl/tom/tom_place.sv mine
runs 1 "$lockstack" rules tom_place --dut icarus --own --first --no-proofs --rtl mine --json rtl.json
matches "$(json rtl.json rules.1.said)" 'T2: .* \(RTL\)' 'what a broken rule says'
equal "$(json rtl.json rtl)" mine 'the folder of RTL'

refuses 2 "no block 'tom_plaec'; .*; did you mean tom_place\?\$" "$lockstack" rules tom_plaec
refuses 2 'a BLOCK is missing' "$lockstack" rules
refuses 2 'unexpected argument|too many arguments' "$lockstack" rules tom_place tom_busy
refuses 2 '--rtl: nowhere: no such folder' "$lockstack" rules tom_place --rtl nowhere
refuses 2 '--tree: nowhere: no such folder' "$lockstack" rules tom_place --tree nowhere
refuses 2 '--rtl and --tree: RTL comes from one of the two' "$lockstack" rules tom_place --rtl mine --tree tree
refuses 2 '--rtl: is for one block' "$lockstack" rules all --rtl mine
refuses 2 'no block .\./no' "$lockstack" rules ./no

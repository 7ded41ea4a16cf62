#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# run.sh TREE BUILD WORK RESULT.csv PATCH...: plants each patch's reading in a copy of RTL and models, and asks
# `lockstack rules BLOCK` of the copy. RESULT gets a row: patch, block, found, rules that broke. A rule
# counts only where RTL and model agree on the wrong value: the reading is in both. The tree's
# own files stay as they are. The device is Icarus Verilog, whose objects are built
# in a second; a patch's head names another (device: rtl) where Icarus takes minutes for the cycles.
set -uo pipefail
tree=$1 build=$2 work=$3 result=$4
shift 4
mkdir -p "$work/tree"
for entry in "$tree"/*; do
  case ${entry##*/} in rtl | cmodel | build | lockstack-out) ;; *) ln -sfn "$entry" "$work/tree/${entry##*/}" ;; esac
done

rm -rf "$work/tree/rtl" "$work/tree/cmodel"
cp -a "$tree/rtl" "$tree/cmodel" "$work/tree/"
patched() { (cd "$work/tree" && GIT_CEILING_DIRECTORIES=$work git apply "$@"); }

status=0
[ -s "$result" ] || printf '# SPDX-License-Identifier: Apache-2.0\nreading,block,found,broken rules\n' >"$result"
for patch in "$@"; do
  name=$(basename "$patch" .patch) block=$(sed -n 's/^block: //p' "$patch") dut=$(sed -n 's/^device: //p' "$patch")
  patched "$patch" || { echo "$name: does not fit the tree"; exit 1; }
  for quick in '--own --first' --own ''; do
    # shellcheck disable=SC2086
    "$build/bin/lockstack" rules "$block" $quick --no-proofs --dut "${dut:-icarus}" --tree "$work/tree" --out "$work/out" >"$work/$name.log" 2>&1
    code=$?
    # What a broken rule says follows its line. Where a head names the device, the block's rules hold there of the tree
    # as it is. Else some may not, for a register that is X, so a value has to be seen that RTL and model share.
    broken=$(awk -v all="${dut:+1}" '
      /^[A-Z][0-9]+ +/ { rule = $2 == "BROKEN" ? $1 : ""; if (rule != "" && all) seen[rule] = 1 }
      match($0, / is [0-9a-fx]+ \(RTL\), [0-9a-fx]+ \(golden/) {
        split(substr($0, RSTART, RLENGTH), w, " ")
        if (w[2] == w[4]) seen[rule] = 1
        else delete seen[rule]
      }
      / asserts / { delete seen[rule] }
      END { for (rule in seen) print rule }' "$work/$name.log" | sort -V | xargs)
    [ $code -le 1 ] && [ -z "$broken" ] || break
  done
  patched -R "$patch" || exit 3
  [ $code -le 1 ] || { echo "$name: rules $block ended with $code: $(tail -n 2 "$work/$name.log")"; status=1; continue; }
  found=no
  [ -z "$broken" ] || found=yes
  echo "$name,$block,$found,$broken" >>"$result"
  echo "$name $found $broken"
done
exit $status

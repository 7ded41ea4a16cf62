#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# A mistyped name costs nothing: the launcher refuses it with the nearest names before it installs
# or builds, in a tree without packages and build; the command itself says the same. Both read one
# set of lists. Completion and manual know every verb and option.
# shellcheck disable=SC1090,SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# A tree without a build, on a machine where whatever installs or builds leaves a trace and fails.
mkdir tree bin
cp "$source/lockstack" tree
for file in packages.txt CMakeLists.txt CMakePresets.json blocks.cmake cmake cmodel firmware harness rtl synth tests; do
  ln -s "$source/$file" tree
done
for tool in apt-get apt dpkg-query cmake ninja sudo gcc; do
  printf '#!/bin/sh\necho "%s $*" >>%s/used\nexit 1\n' $tool "$here" >bin/$tool
  chmod +x bin/$tool
done
launch() { env PATH="$here/bin:/usr/bin:/bin" tree/lockstack "$@"; }

# both SUGGESTION WORD...: the launcher and the command end with 2 and this suggestion.
both() {
  local suggestion=$1
  shift
  refuses 2 "; did you mean $suggestion\\?\$" launch "$@"
  refuses 2 "; did you mean $suggestion\\?\$" "$lockstack" "$@"
}
both check chekc
both 'fifo' check fifoo
both 'fifo or fifo_2w' cover fifo_
both 'lsu_rx or nsu_rx' mutate msu_rx
both fifo area fifo fifi
both arb_rr prove --timeout 5 arb_r
both tom_place rules --no-proofs tom_plase
both nsu run nus vadd
both vadd run nsu --set workload.n=5 vad
both 'mpu or nsu' reproduce npu
both 'mpu-04 or mpu-14' reproduce mpu-o4
both lockstep bench lokstep
both unit test untis
both smoke regress smok
both blocks list block
both ptx fuzz ptxx
both mesh network -t mehs:3x3
both hypercube network --topology=hypercub:3
both torus network --topology=tours:4x4
both uniform network --pattern unifrom
both crit network --compare base,crti
both netlist check fifo --dut netlst
both --cycles check fifo --cylces 3
both --seed check --sede=3 fifo
both --topology network --toplogy mesh:3x3
both --timeout prove all --timout 5
both --json list --jsno x
equal "$(cat used 2>/dev/null)" '' 'what the launcher ran for names that do not exist'
[ ! -e tree/build ] || wrong 'the launcher made a build folder'

# Paths are not names.
for verb in check cover faults mutate power area prove; do refuses 2 './no: No such f' launch $verb ./no; done
refuses 2 'x.replay: No such file' launch replay x.replay
refuses 2 'x.ptx: No such file' launch offload x.ptx
refuses 2 'x.yaml: No such file' launch regress x.yaml
refuses 2 'x.yaml: No such file' launch run nsu x.yaml
refuses 2 'n.yaml: No such file' launch network --topology n.yaml
refuses 2 'no such folder' "$lockstack" check ./no
refuses 2 "no block 'zzzzzzzzzzzz'; .\\./lockstack list. and" launch check zzzzzzzzzzzz
refuses 2 "no system 'zzzzzzzzz'; there are baseline, mpu, near, near_gpu, near_sms, nsu, nupim, tom, tom_gpu, v100\$" \
  launch run zzzzzzzzz vadd
refuses 2 "no block 'a.\\[31mb'" launch check $'a\033[31mb'
equal "$(cat used 2>/dev/null)" '' 'what the launcher ran for files that do not exist'

touch tree/own.yaml tree/own.yml
# What exists goes on to the packages; also a value that looks like a name, a path, names after --.
for words in 'check fifo' 'check --profile fifoo fifo' 'check --see 7 fifo' \
  'check fifo --out --sede' 'check fifo --see=7' 'regress --task x smoke' \
  'reproduce mpu' 'reproduce nupim' 'check .' 'run nsu own.yaml' 'run nsu ./own.yml' 'prove all' 'regress smoke' \
  'network --topology tree' 'network --policy base' 'offload --policy any packages.txt' '--version'; do
  rm -f used
  # shellcheck disable=SC2086
  (cd tree && runs 3 env PATH="$here/bin:/usr/bin:/bin" ./lockstack $words)
  matches "$(cat used)" dpkg-query "the packages before '$words'"
done

# The launcher's lists are the command's.
runs 0 "$lockstack" --names kinds
for kind in $out parameters:fifo parameters:router; do
  runs 0 launch --names "$kind"
  equal "$out" "$("$lockstack" --names "$kind")" "the launcher's $kind"
  [ -n "$out" ] || wrong "no $kind"
done
runs 0 "$lockstack" list --json all.json
for kind in blocks systems workloads; do
  runs 0 launch --names $kind
  equal "$(head -n 1 <<<"$out")" "$(json all.json $kind.0.name)" "the first of $kind"
  equal "$(wc -l <<<"$out")" "$(json all.json "$kind.#")" "how many $kind"
done
refuses 2 "no kind 'blokcs' of names" "$lockstack" --names blokcs

# Options: the nearest one; the beginning of one is getopt's to take; a value may look like an
# option.
refuses 2 "unrecognized option '--nothinglike'\$" launch check fifo --nothinglike
refuses 2 "unrecognized option '--nothinglike'\$" "$lockstack" check fifo --nothinglike
refuses 2 "ambiguous" "$lockstack" check fifo --se 3
runs 0 "$lockstack" check fifo --out --sede --cycles 100

# Help and version
runs 0 "$lockstack" -V
version=$out
runs 0 "$lockstack" --version
equal "$version" "$out" '-V'
runs 2 "$lockstack"
matches "$err" 'Usage: lockstack VERB.*  check ' 'the command alone'
equal "$out" '' 'standard output of the command alone'

# Completion of bash: complete WORDS -> what it offers
"$lockstack" --completion bash >complete.bash || wrong 'no completion'
complete_() {
  (
    . ./complete.bash 2>/dev/null
    COMP_WORDS=("$lockstack" "$@") COMP_CWORD=$#
    _lockstack 2>/dev/null
    echo "${COMPREPLY[*]}"
  )
}
equal "$(complete_ ch)" check 'after ch'
equal "$(complete_ check fif)" 'fifo fifo_2w' 'a block'
equal "$(complete_ check --seed 7 fif)" 'fifo fifo_2w' 'a block after an option with a value'
equal "$(complete_ check fifo --set '')" 'Width= Depth=' 'parameters'
equal "$(complete_ check fifo --set = D)" 'Depth=' 'parameters after ='
equal "$(complete_ check fifo --set Depth = 3 --du)" '--dut' 'an option after a parameter'
equal "$(complete_ check fifo --dut n)" netlist 'a device'
equal "$(complete_ area fifo --cells o)" osu018 'a library of cells'
equal "$(complete_ check fifo n)" '' 'one block is enough'
equal "$(complete_ mutate fifo arb_r)" arb_rr 'blocks go on'
equal "$(complete_ run '')" 'baseline mpu near near_gpu near_sms nsu nupim tom tom_gpu v100' 'a system'
equal "$(complete_ run nsu va)" vadd 'a workload'
equal "$(complete_ network --topology '')" 'mesh torus ring hypercube full tree' 'a topology'
equal "$(complete_ sweep '')" 'run network memory' 'what can be swept'
equal "$(complete_ sweep network --topology '')" 'mesh torus ring hypercube full tree' 'a topology of what is swept'
equal "$(complete_ sweep run nsu va)" vadd 'a workload of what is swept'
equal "$(complete_ sweep run nsu vadd --ov)" --over 'an option of the sweep'
equal "$(complete_ regress smo)" smoke 'a suite of regress'
equal "$(complete_ test defa)" default 'a suite of test'
equal "$(complete_ list w)" workloads 'a list'

# Every option of --help is in all three.
"$lockstack" --completion zsh >_lockstack || wrong 'no completion'
equal "$(head -n 1 _lockstack)" '#compdef lockstack' 'the first line for zsh'
"$lockstack" --completion man >lockstack.1 || wrong 'no manual'
options_of() { # options_of VERB <TEXT: of help, of a script ('--seed:text'), of the manual
  sed 's/\\f[BRI]//g; s/\\//g' | grep -oE -e "('|^ *(-., )?)--[a-z-]+" | grep -oE -e '--[a-z-]+' |
    grep -vxE -e '--(usage|help)' | sort -u
}
runs 0 "$lockstack" --names verbs
for verb in $out; do
  options=$("$lockstack" "$verb" --help | options_of)
  matches "$options" '--json' "options of $verb"
  equal "$(root=$source && . "$source/harness/cli/names.sh" &&
    names "options:$verb" | sort)" "$options" "the launcher's options of $verb"
  for file in complete.bash _lockstack; do
    equal "$(sed -n "/^  $verb)/,/;;/p" $file | options_of)" "$options" "$verb in $file"
  done
  equal "$(sed -n "/^.SS \"lockstack $verb /,/^.PP/p" lockstack.1 | options_of)" "$options" "$verb in lockstack.1"
done
if command -v zsh >/dev/null; then
  offers() { # offers WORDS -> what zsh is given
    zsh -fc 'compadd() { shift ${@[(i)--]}; print -r -- $@; }; _files() { :; }; . ./_lockstack "" 2>/dev/null
      f() { words=("$@"); CURRENT=$#; _lockstack; }; f "$@"' - "$lockstack" "$@" 2>&1 | xargs
  }
  matches "$(offers ch)" 'run check .*--version' 'zsh: verbs'
  matches "$(offers check fif)" '^arb_rr fifo ' 'zsh: blocks'
  equal "$(offers check fifo --set '')" 'Width Depth' 'zsh: parameters'
  equal "$(offers run nsu '')" "$("$lockstack" --names workloads | xargs)" 'zsh: workloads'
  matches "$(offers mutate fifo arb)" 'arb_rr' 'zsh: blocks go on'
fi
if command -v groff >/dev/null; then
  runs 0 groff -man -ww -Tascii lockstack.1
  equal "$err" '' "groff's warnings"
fi

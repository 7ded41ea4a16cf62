#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# What `cmake --install` puts under a prefix works from there: blocks are checked (one with other
# parameters, built on the spot) and a kernel runs on the full system.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

mkdir -p prefix/share/doc/lockstack && echo old >prefix/share/doc/lockstack/README.md   # of an older one
runs 0 cmake --install "$build" --prefix "$here/prefix"
tool=$here/prefix/bin/lockstack
runs 0 "$tool" list --json list.json
equal "$(json list.json schema)" lockstack.list/1 'the schema'

# Pages with all that their links name, and what shells and man know
doc=$here/prefix/share/doc/lockstack
for page in README.md docs/own-block.md docs/rules.md rtl/nsu/README.md harness/systems/README.md LICENSE; do
  [ -s "$doc/$page" ] || wrong "no $page"; done
while IFS=: read -r page link; do
  target=${link#*](} target=${target%%[)#]*}
  case $target in '' | http*) continue ;; esac
  [ -e "$(dirname "$page")/$target" ] || wrong "${page#"$doc/"} names $target, which is not installed"
done < <(cd "$doc/" && grep -rEo ']\([^)]+\)' --include='*.md' "$doc/")
runs 0 "$tool" check "$doc/docs/example" --cycles 500
for file in bash-completion/completions/lockstack zsh/site-functions/_lockstack man/man1/lockstack.1; do
  matches "$(head -n 200 "$here/prefix/share/$file")" lockstack "$file"
done
runs 0 env DESTDIR="$here/stage" cmake --install "$build" --prefix /usr
equal "$(readlink "$here/stage/usr/share/doc/lockstack")" ../lockstack 'the pages, staged for a package'
[ -s "$here/stage/usr/share/man/man1/lockstack.1" ] || wrong 'no man page, staged for a package'
rm -r "$here/stage"

runs 0 "$tool" reproduce tom --figures tom-35,tom-36 --json example.json
equal "$(json example.json figures.0.ours),$(json example.json figures.1.ours)" 110.25,-39.0 "the TOM paper's example"
runs 0 "$tool" check arb_rr --cycles 1000
runs 0 "$tool" check arb_rr --cycles 1000 --set NumReq=3
runs 0 "$tool" run nsu vadd --set workload.n=2000 --engine 'router[0]=lockstep' --json run.json
equal "$(json run.json result_ok)" true 'the result'
runs 0 "$tool" run baseline "$doc/docs/example/launch/histogram.yaml"
[ -s bins.npy ] || wrong 'the example of a launch file wrote nothing'
runs 0 "$tool" run mpu axpy --set workload.n=2000 --set mpu.cubes_x=1 --set mpu.cubes_y=1 --json mpu.json
equal "$(json mpu.json result_ok)" true 'the result of the MPU'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# lockstack network: the same result bit for bit whatever computes the routers; RTL with a fault
# ends with 1 and a replay file.
# timeout: 900
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# What a run found, without what differs by engine: speed, engine, what was compared, the files of
# the objects.
found() { # FILE OPTIONS...
  local file=$1
  shift
  runs 0 "$lockstack" network "$@" --json "$file.json"
  equal "$(json "$file.json" divergences)" 0 "divergences, $*"
  sed '/^  "content": {/,/^  }/d' "$file.json" |
    grep -vE '"(router_cycles_per_cpu_second|engine|cycles_compared)"' >"$file"
}

agree() { # OPTIONS...: with models, RTL, lockstep and a mixture
  found model "$@"
  for engine in router=rtl router=lockstep; do
    found other "$@" --engine $engine
    equal "$(cat other)" "$(cat model)" "$engine, $*"
  done
  found other "$@" --engine 'router[0,2]=rtl' --engine 'router[3]=lockstep'
  equal "$(cat other)" "$(cat model)" "mixed, $*"
}

agree --topology hypercube:3 --rate 0.45 --cycles 2000
cp model.json first.json
matches "$(json other.json engine)" '5 model, 2 rtl, 1 lockstep' 'engines'
[ "$(json other.json cycles_compared)" -gt 2000 ] || wrong 'nothing was compared'
agree --topology tree:4 --pattern tree-saturation --rate 0.15 --policy crit+tr --epoch 500 --cycles 3000 --packet 1-4

# Flits that pass a dateline come on another VC, and credits go back to the first.
found model --topology ring:6 --rate 0.5 --packet 1-4 --cycles 1000
found other --topology ring:6 --rate 0.5 --packet 1-4 --cycles 1000 --engine router=lockstep
equal "$(cat other)" "$(cat model)" 'a ring in lockstep'

# A router that counts two hops for one diverges from its model at once; the models go on.
mkdir rtl
sed "s/wr_hops + HopsW'(1)/wr_hops + HopsW'(2)/" "$source/rtl/router/router_input.sv" >rtl/router_input.sv
runs 1 "$lockstack" network --topology hypercube:3 --rate 0.45 --cycles 2000 --engine 'router[1]=lockstep' --rtl rtl \
  --out out --json bad.json
equal "$(json bad.json divergences)" 1 'divergences of the faulty router'
matches "$(json bad.json first_divergence.what)" 'router 1, .*out_flit' 'what diverged'
equal "$(json bad.json first_divergence.block)" router 'the block that diverged'
matches "$(json bad.json first_divergence.window.text)" 'out_flit' 'the end of its replay file'
equal "$(json bad.json latency.mean)" "$(json first.json latency.mean)" 'latency goes on with the model'
runs 1 "$lockstack" replay "$(json bad.json first_divergence.replay)"
